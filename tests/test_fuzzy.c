#include <string.h>

#include "cmds/lang/fuzzy.h"
#include "dump/base/str.h"
#include "tests/suite.h"

static int score(const char *letters, const char *name)
{
	return fuzzy_score(letters, strlen(letters), name, strlen(name));
}

static const struct { const char *letters, *name; bool fits; } fitting[] = {
	{ "", "", true }, { "", "a", true }, { "a", "", false },
	{ "lt", "lt", true }, { "lt", "list_tensors", true }, { "tl", "list_tensors", false },
	{ "log", "cross_entropy/Log:0", true }, { "Log", "logits", false },
	{ "LOG", "Log", false }, { "aa", "a", false }, { "aa", "aba", true },
	{ "\xc3\xa9", "caf\xc3\xa9", true }, { "@", "`", false }, { "{", "[", false },
};

START_TEST(letters_must_be_there_in_order)
{
	ck_assert_int_eq(score(fitting[_i].letters, fitting[_i].name) != FUZZY_NONE,
	                 fitting[_i].fits);
}
END_TEST

/* The first name is the better one. */
static const struct { const char *letters, *better, *worse; } order[] = {
	{ "lt", "lt", "list_tensors" },
	{ "list", "list_tensors", "tolist" },
	{ "log", "cross_entropy/Log:0", "logits/Wx_plus_b" },
	{ "wx", "logits/Wx_plus_b", "hidden/weights/x" },
	{ "lt", "list_tensors", "filter" },
	{ "ab", "x/ab", "x/a_b" },
	{ "ab", "xa_b", "xa____b" },
	{ "mm", "MatMul", "hammer_m" },
	{ "abc", "ab/abc", "ab_xc" },    /* not the first a and b there are */
};

START_TEST(better_fits_score_higher)
{
	ck_assert_int_gt(score(order[_i].letters, order[_i].better),
	                 score(order[_i].letters, order[_i].worse));
}
END_TEST

START_TEST(very_long_texts_are_bounded)
{
	struct str name = {0};

	str_fill(&name, 'a', FUZZY_MOST);
	ck_assert_int_gt(score("aa", name.text), 0);
	ck_assert_int_gt(score(name.text, name.text), 0);
	str_putc(&name, 'b');
	ck_assert_int_eq(score("b", name.text), FUZZY_NONE);
	ck_assert_int_eq(score(name.text, name.text), FUZZY_NONE);
	str_release(&name);
}
END_TEST

/* However far apart they are, letters that fit are no worse than nothing. */
START_TEST(a_wide_gap_still_fits)
{
	struct str name = {0};

	str_putc(&name, 'x');
	str_fill(&name, '.', FUZZY_MOST - 2);
	str_putc(&name, 'y');
	ck_assert_int_ge(score("xy", name.text), 0);
	str_release(&name);
}
END_TEST

static const struct { const char *letters, *name, *marks; } marks[] = {
	{ "lt", "list_tensors", "^    ^      " },
	{ "wx", "logits/Wx_plus_b", "       ^^       " },
	{ "abc", "ab/abc", "   ^^^" },
	{ "xLog", "cross/x_Log:0", "      ^ ^^^  " },
	{ "", "ab", "  " }, { "ba", "ab", "  " },
};

START_TEST(letters_are_where_they_count)
{
	bool marked[FUZZY_MOST];
	size_t len = strlen(marks[_i].name);

	fuzzy_mark(marks[_i].letters, strlen(marks[_i].letters), marks[_i].name, len, marked);
	for (size_t i = 0; i < len; i++)
		ck_assert_msg(marked[i] == (marks[_i].marks[i] == '^'), "byte %zu", i);
}
END_TEST

SUITE_MAIN("fuzzy",
	tcase_add_loop_test(t, letters_are_where_they_count, 0, ROWS(marks));
	tcase_add_loop_test(t, letters_must_be_there_in_order, 0, ROWS(fitting));
	tcase_add_loop_test(t, better_fits_score_higher, 0, ROWS(order));
	tcase_add_test(t, very_long_texts_are_bounded);
	tcase_add_test(t, a_wide_gap_still_fits);)
