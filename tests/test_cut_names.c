/* Names in a narrow column: how they are cut, and that none looks like another one. */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/doc/cut_names.h"
#include "cmds/doc/spark.h"
#include "dump/base/utf8.h"

static const struct {
	size_t columns;
	enum cut_first first;
	bool fine;
	const char *names[4], *shown[4];
} tables[] = {
	{ 12, CUT_START, false, { "short", "block_1/expand/filter", "block_1/reduce/bias" },
	  { "short", "...nd/filter", "...duce/bias" } },
	{ 12, CUT_END, false, { "volta_sgemm_128", "cudnn::detail::wgrad" },
	  { "volta_sge...", "cudnn::de..." } },
	{ 16, CUT_START, false, { "block_1/conv/grad/Backprop", "block_2/conv/grad/Backprop",
	              "stem/grad/Backprop" },
	  { "block_1/c...prop", "block_2/c...prop", "stem.../Backprop" } },
	{ 20, CUT_START, false, { "a/block_1/conv/grad/Backprop", "a/block_2/conv/grad/Backprop" },
	  { "a/block_1/co...kprop", "a/block_2/co...kprop" } },
	{ 20, CUT_MIDDLE, true,
	  { "hidden/weights/summaries/range/start:0", "logits/Wx_plus_b/add:0",
	    "a_scope_with_a_long_name/leaf:0", "short/leaf:0" },
	  { "hidden…range/start:0", "logits…_plus_b/add:0", "a_scop…g_name/leaf:0",
	    "short/leaf:0" } },
};

static const char *show(struct cut_names *names, const char *name)
{
	static char text[4][256];
	static int next;
	struct str out = {0};

	cut_names_put(names, name, &out);
	next = (next + 1) % 4;
	snprintf(text[next], sizeof text[next], "%s", str_text(&out));
	str_release(&out);
	return text[next];
}

START_TEST(cuts_no_more_than_needed)
{
	struct cut_names *names = cut_names_new(tables[_i].columns, tables[_i].first,
	                                      tables[_i].fine);

	for (int i = 0; i < 4 && tables[_i].names[i]; i++)
		cut_names_add(names, tables[_i].names[i]);
	for (int i = 0; i < 4 && tables[_i].names[i]; i++)
		ck_assert_str_eq(show(names, tables[_i].names[i]), tables[_i].shown[i]);
	cut_names_free(names);
}
END_TEST

/* Names that differ in one place, wherever that is; some of them in wide characters. */
START_TEST(no_two_look_alike)
{
	enum { N = 60, LEN = 60 };
	static char name[2 * N][4 * LEN];
	struct cut_names *names = cut_names_new((size_t)(8 + _i), (enum cut_first)(_i % 3),
	                                        _i % 2);
	size_t columns = _i < 4 ? CUT_LEAST : (size_t)(8 + _i);

	for (int i = 0; i < N; i++)
		for (int k = 0; k < 2; k++) {
			char *at = name[2 * i + k];

			for (int j = 0; j < LEN; j++)
				at += snprintf(at, 4, "%s", j == i ? (k ? "x" : "y") :
				               j % 7 == 3 ? "\xe6\x97\xa5" : "a");
		}
	for (int i = 0; i < 2 * N; i++)
		cut_names_add(names, name[i]);
	for (int i = 0; i < 2 * N; i++) {
		char shown[256];

		snprintf(shown, sizeof shown, "%s", show(names, name[i]));
		ck_assert_uint_le(utf8_columns(shown, strlen(shown)), columns);
		for (int j = 0; j < i; j++)
			ck_assert_msg(strcmp(shown, show(names, name[j])) != 0, "%s: %s and %s",
			              shown, name[i], name[j]);
	}
	cut_names_free(names);
}
END_TEST

/* Three columns are dots where the text has more than three besides. */
static const struct { size_t most; bool end; const char *shown; } shorter[] = {
	{ 8, false, "abcdefgh" }, { 7, false, "abcd..." }, { 7, true, "...efgh" },
	{ 6, false, "abcdef" }, { 6, true, "cdefgh" }, { 1, false, "a" }, { 0, false, "" },
};

START_TEST(texts_are_shortened)
{
	struct str out = {0};

	put_shortened(&out, "abcdefgh", shorter[_i].most, shorter[_i].end);
	ck_assert_str_eq(str_text(&out), shorter[_i].shown);
	str_release(&out);
}
END_TEST

/* A name in a box between two edges: it may fill the box, and is cut if it is longer. */
static const struct { size_t columns; const char *shown; } boxes[] = {
	{ 10, "▕abcdef █▏" }, { 9, "▕abcdef ▏" }, { 8, "▕abcdef▏" },
	{ 7, "▕abcd…▏" }, { 6, "▕abc…▏" }, { 5, "▕███▏" }, { 2, "▕▏" },
	{ 1, "▕" },
};

START_TEST(names_stand_in_boxes)
{
	struct str out = {0};

	put_block_box(&out, "abcdef", boxes[_i].columns, true, true);
	ck_assert_str_eq(str_text(&out), boxes[_i].shown);
	str_release(&out);
}
END_TEST

SUITE_MAIN("cut_names",
	tcase_add_loop_test(t, texts_are_shortened, 0, ROWS(shorter));
	tcase_add_loop_test(t, names_stand_in_boxes, 0, ROWS(boxes));
	tcase_add_loop_test(t, cuts_no_more_than_needed, 0, ROWS(tables));
	tcase_add_loop_test(t, no_two_look_alike, 0, 60);)
