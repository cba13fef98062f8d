/* Lines of texts, and how lines become cells. */
#include "tests/suite.h"

#include <string.h>

#include "dump/format/cells.h"
#include "dump/format/text_lines.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

static struct cells cells;

static struct text text_of(const char *text)
{
	return (struct text){ text, strlen(text) };
}

/* "a|b|c" */
static void cells_are(const char *expected)
{
	struct str out = {0};

	for (size_t i = 0; i < cells.n && i < CELLS_MOST; i++) {
		if (i)
			str_putc(&out, '|');
		str_put(&out, cells.at[i].at, cells.at[i].len);
	}
	ck_assert_str_eq(str_text(&out), expected);
	str_release(&out);
	cells_release(&cells);
}

static const struct { const char *line, *cells; } commas[] = {
	{ "", "" },
	{ "a,b", "a|b" },
	{ ",,", "||" },
	{ "a,", "a|" },
	{ "\"a,b\",c", "a,b|c" },
	{ "\"a \"\"b\"\" c\",\"\"", "a \"b\" c|" },
	{ "\"a\"b,c", "ab|c" },
	{ "a\"b,c\"", "a\"b|c\"" },
	{ "\"never, ended", "never, ended" },
	{ " \"a\",b", " \"a\"|b" },
};

START_TEST(commas_part_cells)
{
	cells_at_commas(&cells, text_of(commas[_i].line));
	cells_are(commas[_i].cells);
}
END_TEST

START_TEST(too_many_cells_are_counted)
{
	struct str line = {0};

	str_fill(&line, ',', 3 * CELLS_MOST);
	cells_at_commas(&cells, (struct text){ line.text, line.len });
	ck_assert_uint_eq(cells.n, 3 * CELLS_MOST + 1);
	cells_release(&cells);
	str_release(&line);
}
END_TEST

START_TEST(blanks_part_cells)
{
	cells_at_blanks(&cells, text_of("   Start  Grid Size    Name"), CELLS_MOST);
	cells_are("Start|Grid Size|Name");
	cells_at_blanks(&cells, text_of("1.5us  (8 4 1)      -  f(int,  int)  [3]  "), 4);
	cells_are("1.5us|(8 4 1)|-|f(int,  int)  [3]");
	cells_at_blanks(&cells, text_of("   "), 4);
	cells_are("");
}
END_TEST

START_TEST(a_rule_parts_cells)
{
	struct cell_rule rule;

	ck_assert(!cells_read_rule(&rule, text_of("")));
	ck_assert(!cells_read_rule(&rule, text_of("--------")));
	ck_assert(!cells_read_rule(&rule, text_of(" ---  -x-")));
	ck_assert(cells_read_rule(&rule, text_of(" ------  ---  ---- ")));
	ck_assert_uint_eq(rule.n, 3);
	cells_at_rule(&cells, text_of("    1.0    7  a name that is long"), &rule);
	cells_are("1.0|7|a name that is long");
	cells_at_rule(&cells, text_of("    1.0"), &rule);
	cells_are("1.0||");
}
END_TEST

/* Lines. */

static void lines_are(const char *path, const char *const *expected, size_t n)
{
	struct text_lines lines;
	struct file file;
	struct text line;
	size_t i = 0;

	ck_assert(file_open(&file, path, NULL));
	text_lines_start(&lines, &file);
	for (; text_lines_next(&lines, &line); i++) {
		ck_assert_uint_lt(i, n);
		ck_assert_uint_eq(line.len, strlen(expected[i]));
		ck_assert_mem_eq(line.at, expected[i], line.len);
	}
	ck_assert_uint_eq(i, n);
	ck_assert_int_eq(lines.why.code, ERR_NONE);
	text_lines_release(&lines);
	file_close(&file);
}

START_TEST(lines_have_several_ends)
{
	static const char *const expected[] = { "a", "", "b\rc", "d" };
	static const char text[] = "\xef\xbb\xbf" "a\n\r\nb\rc\r\nd";

	lines_are(file_of(text, sizeof text - 1), expected, 4);
	lines_are(file_of("", 0), NULL, 0);
	lines_are(file_of("\xef\xbb", 2), (const char *const[]){ "\xef\xbb" }, 1);
}
END_TEST

/* As shells of Windows write it: a, line, U+00B5 U+20AC U+1F600, a half of a pair. */
START_TEST(utf16_becomes_utf8)
{
	static const char *const expected[] = { "a", "\xc2\xb5\xe2\x82\xac\xf0\x9f\x98\x80",
	                                        "\xef\xbf\xbd" "b" };
	static const char low[] = "\xff\xfe" "a\0\r\0\n\0\xb5\0\xac\x20\x3d\xd8\0\xde\n\0"
	                          "\x3d\xd8" "b";
	static const char high[] = "\xfe\xff\0a\0\n\0\xb5\x20\xac\xd8\x3d\xde\0\0\n"
	                           "\xdc\x3d\0b";

	lines_are(file_of(low, sizeof low), expected, 3);
	lines_are(file_of(high, sizeof high - 1), expected, 3);
	/* the first code point behind the halves, and the last half alone */
	lines_are(file_of("\xff\xfe\0\xe0\xff\xdf", 6),
	          (const char *const[]){ "\xee\x80\x80\xef\xbf\xbd" }, 1);
}
END_TEST

START_TEST(packed_lines_are_the_same)
{
	static const char *const expected[] = { "a", "b" };
	char *dir = scratch_new();
	struct str path = {0};

	str_fmt(&path, "%s/a.gz", dir);
	ck_assert(gzip_write(path.text, "a\r\nb\n", 5, NULL));
	lines_are(path.text, expected, 2);
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

START_TEST(a_line_that_is_too_long_is_cut)
{
	struct str text = {0}, kept = {0};
	const char *expected[] = { "a", "", "b" };

	str_puts(&text, "a\n");
	str_fill(&text, 'x', 3 * LINE_MOST);
	str_puts(&text, "\nb\n");
	str_fill(&kept, 'x', LINE_MOST);
	expected[1] = kept.text;
	lines_are(file_of(text.text, text.len), expected, 3);
	str_release(&text);
	str_release(&kept);
}
END_TEST

SUITE_MAIN("cells",
	tcase_add_loop_test(t, commas_part_cells, 0, ROWS(commas));
	tcase_add_test(t, too_many_cells_are_counted);
	tcase_add_test(t, blanks_part_cells);
	tcase_add_test(t, a_rule_parts_cells);
	tcase_add_test(t, lines_have_several_ends);
	tcase_add_test(t, utf16_becomes_utf8);
	tcase_add_test(t, packed_lines_are_the_same);
	tcase_add_test(t, a_line_that_is_too_long_is_cut);
)
