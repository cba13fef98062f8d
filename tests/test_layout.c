#include "tui/layout.h"

#include <string.h>

#include "tests/suite.h"

/* rows, cols, menu; then row and rows of what is there: nav, menu, output, bar, status, prompt. */
static const struct {
	int rows, cols;
	bool menu;
	struct { int row, rows; } nav, menu_rect, output, bar, status, prompt;
} sizes[] = {
	{ 24, 80, true, { 1, 1 }, { 2, 1 }, { 3, 18 }, { 3, 18 }, { 21, 1 }, { 22, 2 } },
	{ 24, 80, false, { 1, 1 }, { 0, 0 }, { 2, 19 }, { 3, 18 }, { 21, 1 }, { 22, 2 } },
	{ 60, 300, true, { 1, 1 }, { 2, 1 }, { 3, 54 }, { 3, 54 }, { 57, 1 }, { 58, 2 } },
	{ 10, 40, true, { 1, 1 }, { 2, 1 }, { 3, 4 }, { 3, 4 }, { 7, 1 }, { 8, 2 } },
	{ 9, 40, true, { 1, 1 }, { 2, 1 }, { 3, 4 }, { 3, 4 }, { 7, 1 }, { 8, 1 } },
	{ 8, 40, true, { 1, 1 }, { 0, 0 }, { 2, 4 }, { 2, 4 }, { 6, 1 }, { 7, 1 } },
	{ 7, 40, true, { 0, 0 }, { 0, 0 }, { 1, 4 }, { 1, 4 }, { 5, 1 }, { 6, 1 } },
	{ 6, 20, true, { 0, 0 }, { 0, 0 }, { 1, 4 }, { 1, 4 }, { 0, 0 }, { 5, 1 } },
};

START_TEST(rows_are_where_the_size_says)
{
	struct layout l = layout_of(sizes[_i].rows, sizes[_i].cols, sizes[_i].menu);

	ck_assert(!l.too_small);
	ck_assert_int_eq(l.title.rows, 1);
	ck_assert_int_eq(l.nav.row, sizes[_i].nav.row);
	ck_assert_int_eq(l.nav.rows, sizes[_i].nav.rows);
	ck_assert_int_eq(l.menu.row, sizes[_i].menu_rect.row);
	ck_assert_int_eq(l.menu.rows, sizes[_i].menu_rect.rows);
	ck_assert_int_eq(l.output.row, sizes[_i].output.row);
	ck_assert_int_eq(l.output.rows, sizes[_i].output.rows);
	ck_assert_int_eq(l.output.cols, sizes[_i].cols - 2);
	ck_assert_int_eq(l.bar.row, sizes[_i].bar.row);
	ck_assert_int_eq(l.bar.rows, sizes[_i].bar.rows);
	ck_assert_int_eq(l.bar.col, sizes[_i].cols - 2);
	ck_assert_int_eq(l.status.row, sizes[_i].status.row);
	ck_assert_int_eq(l.status.rows, sizes[_i].status.rows);
	ck_assert_int_eq(l.prompt.row, sizes[_i].prompt.row);
	ck_assert_int_eq(l.prompt.rows, sizes[_i].prompt.rows);
}
END_TEST

/* Every cell of every rect is on the screen, and no cell is in two. */
static void claim(char *cells, const struct layout *l, const struct rect *r)
{
	for (int row = r->row; row < r->row + r->rows; row++)
		for (int col = r->col; col < r->col + r->cols; col++) {
			ck_assert_int_ge(row, 0);
			ck_assert_int_lt(row, l->rows);
			ck_assert_int_ge(col, 0);
			ck_assert_int_lt(col, l->cols);
			ck_assert_int_eq(cells[row * l->cols + col], 0);
			cells[row * l->cols + col] = 1;
		}
}

START_TEST(rects_stay_on_the_screen_and_apart)
{
	static char cells[40 * 100];

	for (int rows = 1; rows <= 40; rows++)
		for (int cols = 1; cols <= 100; cols++) {
			struct layout l = layout_of(rows, cols, _i);
			const struct rect *rects[] = { &l.title, &l.nav, &l.menu, &l.output, &l.bar, &l.status, &l.prompt };

			memset(cells, 0, sizeof cells);
			for (size_t i = 0; i < sizeof rects / sizeof *rects; i++)
				claim(cells, &l, rects[i]);
			ck_assert(l.too_small == (rows < 6 || cols < 20));
			ck_assert(l.too_small || (l.output.rows >= 4 && l.prompt.rows >= 1));
		}
}
END_TEST

SUITE_MAIN("layout",
	tcase_add_loop_test(t, rows_are_where_the_size_says, 0, sizeof sizes / sizeof *sizes);
	tcase_add_loop_test(t, rects_stay_on_the_screen_and_apart, 0, 2);)
