/* Grids and pictures on screens of several sizes: what stays, what scrolls, what keys make of the
 * line. */
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "tests/huge.h"
#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

static struct small_dump dump;

/* linear/w:0 becomes a cube of zeros whose last element is a NaN, linear/pred:0 two long rows. */
static void make_dump(void)
{
	static const int64_t cube[] = { 3, 50, 40 }, rows[] = { 2, 3000 };
	struct str path = {0};

	small_dump_make(&dump);
	home = dump.dir;
	str_fmt(&path, "%s/%s", dump.dir, dump.part[0].name);
	ck_assert(huge_write(path.text, "linear/w", 0, 3, cube));
	str_reset(&path);
	str_fmt(&path, "%s/%s", dump.dir, dump.part[3].name);
	ck_assert(huge_write(path.text, "linear/pred", 0, 2, rows));
	str_release(&path);
}

static void remove_dump(void)
{
	small_dump_remove(&dump);
}

static struct terminal *start(const char *dir, const char *locale, const char *extra, int rows,
                              int cols)
{
	struct terminal *t = start_in(NULL, (const char *const[]){ dir, NULL },
	                              (const char *const[]){ locale, extra, NULL }, rows, cols);

	ck_assert(terminal_wait_text(t, "dumped tensor(s)"));
	return t;
}

/* The command's screen, with the focus in it. */
static struct terminal *show(const char *dir, const char *locale, const char *extra, int rows,
                             int cols, const char *command, const char *shows)
{
	struct terminal *t = start(dir, locale, extra, rows, cols);

	terminal_enter(t, command);
	ck_assert(terminal_wait_text(t, shows));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_text(t, strncmp(command, "grid", 4) ? "h keys" : "cell ["));
	return t;
}

static const struct { int rows, cols; const char *locale; } screens[] = {
	{ 24, 80, "LC_ALL=C.UTF-8" }, { 10, 40, "LC_ALL=C.UTF-8" }, { 50, 200, "LC_ALL=C.UTF-8" },
	{ 24, 80, "LC_ALL=C" }, { 10, 40, "LC_ALL=C" }, { 50, 200, "LC_ALL=C" },
};

static struct terminal *show_cube(int i)
{
	return show(dump.dir, screens[i].locale, "NO_COLOR", screens[i].rows, screens[i].cols,
	            "grid linear/w:0", "[,0]");
}

START_TEST(labels_stay_while_cells_scroll)
{
	struct terminal *t = show_cube(_i);
	int row, col;

	ck_assert(terminal_wait_text(t, "cell [0,0] 0.0"));
	ck_assert(terminal_find(t, "[,0]", &row, &col));
	terminal_type(t, "G");
	ck_assert(terminal_wait_text(t, "cell [49,0] 0.0"));
	ck_assert(terminal_wait_row(t, row, "[,0]"));
	ck_assert(terminal_find(t, "[49] ", NULL, &col));
	ck_assert_int_eq(col, 0);
	terminal_type(t, "$");
	ck_assert(terminal_wait_text(t, "cell [49,39] 0.0"));
	ck_assert(terminal_wait_row(t, row, "[,39]"));
	ck_assert(terminal_find(t, "[49] ", NULL, NULL));
	PLAY(t, { "g0", ANYWHERE, "cell [0,0] 0.0" }, { "3<Right>", ANYWHERE, "cell [0,3] 0.0" },
	     { "<Left>", ANYWHERE, "cell [0,2] 0.0" },
	     { "@[48,38]\r", ANYWHERE, "cell [48,38] 0.0" },
	     { "<Resize(60x30)>", 27, "cell [48,38] 0.0" });
	leave_by_key(t);
}
END_TEST

/* Each key, and what the line is then. */
static const struct { const char *keys, *line; } rewrites[] = {
	{ ")", "| grid linear/w:0[1, :, :]" },
	{ "5)", "| grid linear/w:0[2, :, :]" },
	{ "(", "| grid linear/w:0[1, :, :]" },
	{ "X", "| grid linear/w:0[1, :, :] --axes 2,1" },
	{ "X", "| grid linear/w:0[1, :, :]" },
	{ "#", "| grid linear/w:0[1, :, :] --form full" },
	{ "#", "| grid linear/w:0[1, :, :] --form hex" },
	{ "#", "| grid linear/w:0[1, :, :]" },
	{ "a", "| grid linear/w:0[:, 0, :]" },
	{ "a", "| grid linear/w:0[:, :, 0]" },
	{ "%", "| grid linear/w:0[:, :, 0] --percentiles" },
	{ "l", "| grid linear/w:0[:, :, 0] --percentiles --log" },
};

START_TEST(keys_rewrite_the_line)
{
	struct terminal *t = show_cube(0);

	for (size_t i = 0; i < ROWS(rewrites); i++) {
		size_t len = strlen(rewrites[i].line);

		terminal_type(t, rewrites[i].keys);
		ck_assert(terminal_wait_row(t, 1, rewrites[i].line));
		ck_assert_uint_ge(strlen(terminal_row(t, 1)), len);
	}
	PLAY(t, { "a(", ANYWHERE, "Axis 0 ends here" },
	     { "H", 1, "(-1) lt" }); /* all of that was one screen */
	leave_by_key(t);
}
END_TEST

START_TEST(bad_cells_are_found_in_all_slices)
{
	struct terminal *t = show_cube(_i);

	PLAY(t, { "]n", ANYWHERE, "cell [49,39] nan" }, { "", 1, "w:0[2, :, :]" },
	     { "]n", ANYWHERE, "Search went on from the top" }, { "g(", 1, "w:0[1, :, :]" },
	     { "[n", 1, "w:0[2, :, :]" }, { "", ANYWHERE, "cell [49,39] nan" });
	leave_by_key(t);
}
END_TEST

/* A pattern is looked for in all cells of a row, and the one that has it comes into sight. */
START_TEST(patterns_reach_all_columns)
{
	struct terminal *t = show(dump.dir, screens[_i].locale, "NO_COLOR", screens[_i].rows,
	                          screens[_i].cols, "grid linear/pred:0", "[,0]");

	PLAY(t, { "/nan\r", ANYWHERE, "[,2999]" }, { "", ANYWHERE, " nan" },
	     { "gg0/2997\\]\r", ANYWHERE, "[,2997]" }, { "gg0", ANYWHERE, "[,0]" },
	     { "&nan\r", GONE, "[0] " }, { "", ANYWHERE, "[1] " }, { "&\r", ANYWHERE, "[0] " },
	     { "&!nan\r", GONE, "[1] " }, { "", ANYWHERE, "[0] " });
	leave_by_key(t);
}
END_TEST

START_TEST(nothing_bad_is_said)
{
	struct terminal *t =
		show(dump.dir, "LC_ALL=C.UTF-8", "NO_COLOR", 24, 80, "grid linear/b:0", "[0]");

	PLAY(t, { "]n", ANYWHERE, "No NaN or Inf here" },
	     { "X", ANYWHERE, "There are no rows and columns to swap" },
	     { ",", ANYWHERE, "--- picture linear/b:0 " }); /* opens the picture first */
	leave_by_key(t);
}
END_TEST

START_TEST(help_shows_the_keys_of_the_view)
{
	struct terminal *t = show_cube(0);

	PLAY(t, { "h", 3, "In grids" }, { "", ANYWHERE, "swap rows and columns" },
	     { "q", GONE, "swap rows" }, { "<", ANYWHERE, "No key \"<\" here." });
	leave_by_key(t);
}
END_TEST

START_TEST(picture_pane_follows_its_grid)
{
	struct terminal *t = show_cube(_i);
	bool roomy = screens[_i].rows >= 16;

	terminal_type(t, "p");
	ck_assert(terminal_wait_text(t, roomy ? "--- picture linear/w:0" : "| picture linear/w:0"));
	ck_assert(terminal_wait_text(t, "cell is "));
	if (roomy) {
		terminal_type(t, ")");
		ck_assert(terminal_wait_text(t, "--- picture linear/w:0[1, :, :]"));
		terminal_type(t, "s");
		ck_assert(terminal_wait_text(t, "--- picture linear/w:0[1, :, :] --kind hist"));
		terminal_type(t, ")");
		ck_assert(terminal_wait_text(t, "--- picture linear/w:0[2, :, :] --kind hist"));
		terminal_type(t, "ss.");
		ck_assert(terminal_wait_text(t, "--kind heat --bucket"));
		terminal_type(t, "p");
		ck_assert(terminal_wait_gone(t, "--- picture"));
	}
	leave_by_key(t);
}
END_TEST

/* Of the finite numbers of a recording that has infinite ones. */
#define HEAT_GRID "grid cross_entropy/Log:0"

/* Has the cell with this text a ground of its own? */
static bool is_coloured(struct terminal *t, const void *text)
{
	int row, col;

	return terminal_find(t, text, &row, &col) && terminal_cell(t, row, col).bg >= 16;
}

START_TEST(cells_are_coloured)
{
	struct terminal *t = show("testdata/mnist_nan", "LC_ALL=C.UTF-8", "NO_COLOR", 24, 80,
	                          HEAT_GRID, "[,0]");
	struct terminal_cell cold, warm, bad;
	int row, col;

	PLAY(t, { "c", 1, "--colors heat" }, { "", ANYWHERE, "-41.43" });
	ck_assert(terminal_wait(t, is_coloured, "-61.15"));
	ck_assert(terminal_wait(t, is_coloured, "-1.049"));
	ck_assert(terminal_find(t, "-61.15", &row, &col));
	cold = terminal_cell(t, row, col);
	ck_assert(terminal_find(t, "-1.049", &row, &col));
	warm = terminal_cell(t, row, col);
	ck_assert(terminal_find(t, "-inf", &row, &col));
	bad = terminal_cell(t, row + 1, col);
	ck_assert_int_ge(cold.bg, 16);
	ck_assert_int_ge(warm.bg, 16);
	ck_assert_int_ne(cold.bg, warm.bg);
	ck_assert_int_eq(bad.bg, -1);
	terminal_type(t, "cc");
	ck_assert(terminal_wait_gone(t, "--colors"));
	leave_by_key(t);
}
END_TEST

/* What each screen draws with. */
static const struct { const char *locale, *extra, *glyph; bool coloured; } drawings[] = {
	{ "LC_ALL=C.UTF-8", "NO_COLOR", "▀", true },
	{ "LC_ALL=C.UTF-8", "TERM=xterm", "▀", true },
	{ "LC_ALL=C.UTF-8", "NO_COLOR=1", "█", false },
	{ "LC_ALL=C", "NO_COLOR", "@", true },
	{ "LC_ALL=C", "TERM=vt100", "@", false },
};

START_TEST(pictures_fit_the_screen)
{
	struct terminal *t = show("testdata/mnist_nan", drawings[_i].locale, drawings[_i].extra,
	                          24, 80, "picture cross_entropy/Log:0", "rows 0-63, cols 0-9");
	struct terminal_cell cell;
	int row, col;

	PLAY(t, { "", ANYWHERE, "-0.4311" }, { "", ANYWHERE, "cells hold -inf" });
	ck_assert(terminal_find(t, drawings[_i].glyph, &row, &col));
	cell = terminal_cell(t, row, col);
	ck_assert_int_eq(cell.bg >= 0, drawings[_i].coloured);
	ck_assert(terminal_find(t, "v", NULL, NULL));
	PLAY(t, { "l", ANYWHERE, "log scale" }, { "%", ANYWHERE, "1..99 %" },
	     { "s", 1, "--kind hist" }, { "", ANYWHERE, "bins, one = " },
	     { "<Resize(60x24)>", ANYWHERE, "58 bins" });
	leave_by_key(t);
}
END_TEST

START_TEST(row_of_a_list_has_a_picture)
{
	struct terminal *t = start("testdata/mnist_nan", "LC_ALL=C.UTF-8", "NO_COLOR", 24, 80);

	PLAY(t,
	     /* the whole list: it replaces what came so far */
	     { "<Esc>", ANYWHERE, "row 1/301" },
	     { "kp", ANYWHERE, "ERROR: This row is about no tensor and no node" },
	     { "jp", ANYWHERE, "--- picture " }, { "p", GONE, "--- picture " });
	leave_by_key(t);
}
END_TEST

/* What a text shows has one too, of the same slice. */
START_TEST(text_has_a_picture)
{
	struct terminal *t = show(dump.dir, "LC_ALL=C.UTF-8", "NO_COLOR", 24, 80,
	                          "pt linear/w:0[1, 3:7] -n 0", "array(");

	PLAY(t, { "p", ANYWHERE, "--- picture linear/w:0[1, 3:7] --number 0 " },
	     { "p", GONE, "--- picture " }, { "(", ANYWHERE, "No key" });
	leave_by_key(t);
}
END_TEST

/* An index of all axes leads to another slice; one of the axes that show stays in this one. */
START_TEST(elements_of_other_slices)
{
	struct terminal *t = show_cube(0);

	PLAY(t, { "@[2,48,38]\r", 1, "w:0[2, :, :]" }, { "", ANYWHERE, "cell [48,38] " },
	     { "@7,8\r", ANYWHERE, "cell [7,8] " }, { "", 1, "w:0[2, :, :]" },
	     { "@2,9,10\r", ANYWHERE, "cell [9,10] " },
	     { "@3,0,0\r", ANYWHERE, "ERROR: Indices exceed tensor dimensions." },
	     { "@0,0,0,0\r", ANYWHERE, "ERROR: Dimensions mismatch: requested: 4; actual: 2" },
	     { ":grid linear/w:0[::2, 4, ::3]\r", ANYWHERE, "[,3]" },
	     { "<Esc>", ANYWHERE, "cell [0,0] " },
	     { "@2,6,34\r", ANYWHERE, "ERROR: The slice leaves this element out." },
	     { "@2,7,33\r", 1, "w:0[0:3:2, 7, 0:40:3]" }, { "", ANYWHERE, "cell [2,33] " });
	leave_by_key(t);
}
END_TEST

START_TEST(trees_fold)
{
	struct terminal *t = show("testdata/mnist_nan", "LC_ALL=C.UTF-8", "NO_COLOR", 24, 80,
	                          "li -r -d 3 cross_entropy/Log", "|- (1) ");

	PLAY(t, { "", ANYWHERE, "|- (2) " }, { "C", ANYWHERE, " [+" }, { "", GONE, "|- (2) " },
	     { "g.", ANYWHERE, "|- (2) " }, { ",", GONE, "|- (2) " }, { "E", ANYWHERE, "|- (3) " },
	     { "", GONE, " [+" });
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("drawn",
	tcase_add_unchecked_fixture(t, make_dump, remove_dump);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, labels_stay_while_cells_scroll, 0, ROWS(screens));
	tcase_add_test(t, keys_rewrite_the_line);
	tcase_add_loop_test(t, bad_cells_are_found_in_all_slices, 0, 4);
	tcase_add_loop_test(t, patterns_reach_all_columns, 0, ROWS(screens));
	tcase_add_test(t, nothing_bad_is_said);
	tcase_add_test(t, help_shows_the_keys_of_the_view);
	tcase_add_loop_test(t, picture_pane_follows_its_grid, 0, ROWS(screens));
	tcase_add_test(t, cells_are_coloured);
	tcase_add_loop_test(t, pictures_fit_the_screen, 0, ROWS(drawings));
	tcase_add_test(t, row_of_a_list_has_a_picture);
	tcase_add_test(t, text_has_a_picture);
	tcase_add_test(t, trees_fold);
	tcase_add_test(t, elements_of_other_slices);
)
