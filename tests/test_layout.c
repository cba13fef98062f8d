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
	{ 9, 40, false, { 1, 1 }, { 0, 0 }, { 2, 5 }, { 3, 4 }, { 7, 1 }, { 8, 1 } },
	{ 8, 40, true, { 1, 1 }, { 0, 0 }, { 2, 4 }, { 2, 4 }, { 6, 1 }, { 7, 1 } },
	{ 7, 40, true, { 0, 0 }, { 0, 0 }, { 1, 4 }, { 1, 4 }, { 5, 1 }, { 6, 1 } },
	{ 6, 20, true, { 0, 0 }, { 0, 0 }, { 1, 4 }, { 1, 4 }, { 0, 0 }, { 5, 1 } },
};

START_TEST(rows_are_where_the_size_says)
{
	const struct wish wish = { .menu = sizes[_i].menu, .arrangement = ARRANGEMENT_SINGLE };
	struct layout l = layout_of(sizes[_i].rows, sizes[_i].cols, &wish);
	const struct rect *text = &l.pane[0].text, *bar = &l.pane[0].bar;

	ck_assert(!l.too_small);
	ck_assert_int_eq(l.title.rows, 1);
	ck_assert_int_eq(l.nav.row, sizes[_i].nav.row);
	ck_assert_int_eq(l.nav.rows, sizes[_i].nav.rows);
	ck_assert_int_eq(l.menu.row, sizes[_i].menu_rect.row);
	ck_assert_int_eq(l.menu.rows, sizes[_i].menu_rect.rows);
	ck_assert_int_eq(text->row, sizes[_i].output.row);
	ck_assert_int_eq(text->rows, sizes[_i].output.rows);
	ck_assert_int_eq(text->cols, sizes[_i].cols - 2);
	ck_assert_int_eq(memcmp(text, &l.output, sizeof *text), 0);
	ck_assert_int_eq(bar->row, sizes[_i].bar.row);
	ck_assert_int_eq(bar->rows, sizes[_i].bar.rows);
	ck_assert_int_eq(bar->col, sizes[_i].cols - 2);
	ck_assert_int_eq(l.status.row, sizes[_i].status.row);
	ck_assert_int_eq(l.status.rows, sizes[_i].status.rows);
	ck_assert_int_eq(l.prompt.row, sizes[_i].prompt.row);
	ck_assert_int_eq(l.prompt.rows, sizes[_i].prompt.rows);
}
END_TEST

/* In our style. Rows, whether a line is typed, in how many rows; then row and rows. */
static const struct {
	int rows;
	bool types;
	int prompt_rows;
	struct { int row, rows; } title, nav, text, status, prompt, keys;
} modern_sizes[] = {
	{ 24, false, 1, { 0, 1 }, { 1, 1 }, { 2, 19 }, { 21, 1 }, { 22, 1 }, { 23, 1 } },
	{ 11, true, 3, { 0, 1 }, { 1, 1 }, { 2, 5 }, { 7, 1 }, { 8, 2 }, { 10, 1 } },
	{ 10, true, 2, { 0, 1 }, { 1, 1 }, { 2, 4 }, { 6, 1 }, { 7, 2 }, { 9, 1 } },
	{ 9, true, 2, { 0, 1 }, { 1, 1 }, { 2, 5 }, { 7, 1 }, { 8, 1 }, { 0, 0 } },
	{ 9, false, 1, { 0, 1 }, { 1, 1 }, { 2, 5 }, { 7, 1 }, { 8, 1 }, { 0, 0 } },
	{ 8, false, 1, { 0, 1 }, { 1, 1 }, { 2, 4 }, { 6, 1 }, { 0, 0 }, { 7, 1 } },
	{ 8, true, 1, { 0, 1 }, { 1, 1 }, { 2, 4 }, { 6, 1 }, { 7, 1 }, { 0, 0 } },
	{ 7, false, 1, { 0, 1 }, { 0, 0 }, { 1, 4 }, { 5, 1 }, { 0, 0 }, { 6, 1 } },
	{ 6, false, 1, { 0, 0 }, { 0, 0 }, { 0, 4 }, { 4, 1 }, { 0, 0 }, { 5, 1 } },
	{ 6, true, 1, { 0, 0 }, { 0, 0 }, { 0, 4 }, { 4, 1 }, { 5, 1 }, { 0, 0 } },
	{ 5, false, 1, { 0, 0 }, { 0, 0 }, { 0, 4 }, { 4, 1 }, { 0, 0 }, { 0, 0 } },
	{ 5, true, 1, { 0, 0 }, { 0, 0 }, { 0, 4 }, { 0, 0 }, { 4, 1 }, { 0, 0 } },
	{ 4, true, 1, { 0, 0 }, { 0, 0 }, { 0, 3 }, { 0, 0 }, { 3, 1 }, { 0, 0 } },
};

START_TEST(rows_of_our_style)
{
	const struct wish wish = { .modern = true, .types = modern_sizes[_i].types,
		                   .prompt_rows = modern_sizes[_i].prompt_rows,
		                   .arrangement = ARRANGEMENT_SINGLE };
	struct layout l = layout_of(modern_sizes[_i].rows, 40, &wish);
	const struct pane_box *box = &l.pane[0];

	ck_assert(!l.too_small);
#define CHECK(rect, name) \
	ck_assert_int_eq((rect).row, modern_sizes[_i].name.row); \
	ck_assert_int_eq((rect).rows, modern_sizes[_i].name.rows)
	CHECK(l.title, title);
	CHECK(l.nav, nav);
	CHECK(box->text, text);
	CHECK(l.status, status);
	CHECK(l.prompt, prompt);
	CHECK(l.keys, keys);
#undef CHECK
	ck_assert_int_eq(box->gutter.col, 0);
	ck_assert_int_eq(box->text.col, box->gutter.cols);
	ck_assert_int_eq(box->bar.col, box->text.col + box->text.cols);
	ck_assert_int_eq(box->bar.col + box->bar.cols, 40);
}
END_TEST

/*
 * Is every cell of the rect on the screen, and in no other rect? (An assertion for each cell would
 * take minutes.)
 */
static bool claims(char *cells, const struct layout *l, const struct rect *r)
{
	for (int row = r->row; row < r->row + r->rows; row++)
		for (int col = r->col; col < r->col + r->cols; col++)
			if (row < 0 || row >= l->rows || col < 0 || col >= l->cols ||
			    cells[row * l->cols + col]++)
				return false;
	return true;
}

/* One pane; list and detail; two columns, one of them split again twice. */
static struct wish wish_of(int i, bool menu)
{
	struct wish wish = { .menu = menu, .arrangement = ARRANGEMENT_SINGLE };
	struct arrangement *a = &wish.arrangement;

	if (i == 1)
		arrangement_split(a, 0, 1, false, 600);
	if (i >= 2) {
		arrangement_split(a, 0, 1, true, 550);
		arrangement_split(a, 1, 2, false, 300);
		arrangement_split(a, 2, 3, i == 3, 500);
		wish.focus = 2;
	}
	return wish;
}

static bool all_apart(const struct layout *l)
{
	static char cells[80 * 300];
	const struct rect *rects[] = { &l->title, &l->nav, &l->menu, &l->status, &l->prompt };
	bool apart = true;

	memset(cells, 0, (size_t)(l->rows * l->cols));
	for (size_t i = 0; i < ROWS(rects); i++)
		apart &= claims(cells, l, rects[i]);
	for (int i = 0; i < MAX_PANES; i++)
		apart &= claims(cells, l, &l->pane[i].text) && claims(cells, l, &l->pane[i].bar);
	for (int i = 0; i < l->n_rules; i++)
		apart &= claims(cells, l, &l->rule[i].rect);
	return apart;
}

static bool has_least(const struct layout *l)
{
	for (int i = 0; i < MAX_PANES; i++)
		if (l->pane[i].text.rows && (l->pane[i].text.rows < 3 || l->pane[i].text.cols < 18))
			return false;
	return true;
}

START_TEST(rects_stay_on_the_screen_and_apart)
{
	const struct wish wish = wish_of(_i / 2, _i % 2);

	for (int rows = 1; rows <= 80; rows++)
		for (int cols = 1; cols <= 300; cols += cols < 100 ? 1 : 7) {
			struct layout l = layout_of(rows, cols, &wish);

			ck_assert_msg(all_apart(&l) && has_least(&l), "%dx%d", rows, cols);
			ck_assert(l.too_small == (rows < 6 || cols < 20));
			if (l.too_small)
				continue;
			ck_assert(l.pane[wish.focus].text.rows >= 3 && l.prompt.rows >= 1);
			ck_assert_int_eq(l.n_rules, l.n_panes - l.n_hidden - 1);
		}
}
END_TEST

/* Where the panes of an arrangement are: rows and columns of their texts; 0: hidden. */
static const struct {
	int arrangement, rows, cols;
	struct { int row, col, rows, cols; } pane[MAX_PANES];
} panes[] = {
	{ 1, 24, 80, { { 3, 0, 10, 78 }, { 14, 0, 7, 78 } } },
	{ 1, 12, 80, { { 3, 0, 6, 78 } } },                      /* the last one goes */
	{ 1, 13, 80, { { 3, 0, 3, 78 }, { 7, 0, 3, 78 } } },
	{ 2, 50, 200, { { 3, 0, 44, 107 }, { 3, 110, 12, 88 }, { 16, 110, 15, 88 },
	                { 32, 110, 15, 88 } } },
	{ 3, 50, 200, { { 3, 0, 44, 107 }, { 3, 110, 12, 88 }, { 16, 110, 31, 42 },
	                { 16, 155, 31, 43 } } },
	{ 3, 50, 40, { { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 3, 0, 44, 38 } } },  /* the focus stays */
};

START_TEST(panes_share_the_output)
{
	const struct wish wish = wish_of(panes[_i].arrangement, true);
	struct layout l = layout_of(panes[_i].rows, panes[_i].cols, &wish);

	for (int i = 0; i < MAX_PANES; i++) {
		const struct rect *text = &l.pane[i].text;

		ck_assert_msg(
			text->row == panes[_i].pane[i].row && text->col == panes[_i].pane[i].col &&
				text->rows == panes[_i].pane[i].rows &&
				text->cols == panes[_i].pane[i].cols,
			"pane %d: %d %d %d %d", i, text->row, text->col, text->rows, text->cols);
	}
}
END_TEST

/* One above two: the rule carries both titles, each above its own pane. */
START_TEST(titles_stand_above_their_panes)
{
	struct wish wish = { .arrangement = ARRANGEMENT_SINGLE };
	struct layout l;

	arrangement_split(&wish.arrangement, 0, 1, false, 300);
	arrangement_split(&wish.arrangement, 1, 2, true, 500);
	l = layout_of(50, 200, &wish);
	ck_assert_int_eq(l.pane[0].title.rows, 0);
	ck_assert_int_eq(l.pane[1].title.row, l.pane[1].text.row - 1);
	ck_assert_int_eq(l.pane[2].title.row, l.pane[1].title.row);
	ck_assert_int_eq(l.pane[1].title.col, l.pane[1].text.col);
	ck_assert_int_eq(l.pane[2].title.col, l.pane[2].text.col);
	ck_assert_int_le(l.pane[1].title.col + l.pane[1].title.cols, l.pane[2].title.col);
}
END_TEST

START_TEST(zoom_leaves_one)
{
	struct wish wish = wish_of(3, true);
	struct layout l;

	wish.zoom = true;
	l = layout_of(50, 200, &wish);
	ck_assert_int_eq(l.pane[2].text.cols, 198);
	ck_assert_int_eq(l.n_hidden, 3);
	ck_assert_int_eq(l.n_rules, 0);
}
END_TEST

/* A strip takes a row of its pane only where three are left; 4 rows are the fewest of our style. */
START_TEST(strips_leave_a_pane_its_rows)
{
	const struct wish wish = { .modern = true, .strips = 1, .arrangement = ARRANGEMENT_SINGLE };
	struct layout l = layout_of(4, 40, &wish);

	ck_assert_int_eq(l.pane[0].text.rows, 3);
	ck_assert_int_eq(l.pane[0].strip.rows, 0);
	l = layout_of(5, 40, &wish);
	ck_assert_int_eq(l.pane[0].text.rows, 3);
	ck_assert_int_eq(l.pane[0].strip.rows, 1);
	ck_assert_int_eq(l.pane[0].strip.row, 0);
	ck_assert_int_eq(l.pane[0].text.row, 1);
	ck_assert_int_eq(l.pane[0].bar.row, 1);
	ck_assert_int_eq(l.pane[0].gutter.row, 1);
}
END_TEST

START_TEST(a_rect_ends_before_its_end)
{
	const struct rect r = { 1, 2, 3, 4 };

	for (int row = 0; row < 6; row++)
		for (int col = 0; col < 8; col++)
			ck_assert_int_eq(rect_holds(&r, row, col),
			                 row >= 1 && row <= 3 && col >= 2 && col <= 5);
}
END_TEST

/* Splits come and go in any order. */
START_TEST(panes_are_closed_in_any_order)
{
	static const int orders[][3] = { { 0, 1, 2 }, { 3, 2, 1 }, { 1, 3, 0 }, { 2, 0, 3 } };
	struct arrangement a = wish_of(3, true).arrangement;
	int numbers[MAX_PANES], part;

	ck_assert_int_eq(arrangement_free_pane(&a), NO_PANE);
	for (int i = 0; i < 3; i++) {
		arrangement_close(&a, orders[_i][i]);
		ck_assert_uint_eq(arrangement_panes(&a, numbers), 3 - i);
		for (int k = 0; k < 3 - i; k++)
			for (int m = 0; m <= i; m++)
				ck_assert_int_ne(numbers[k], orders[_i][m]);
	}
	ck_assert_int_eq(a.n_splits, 0);
	ck_assert_int_eq(arrangement_split_of(&a, a.root, &part), -1);
	arrangement_split(&a, a.root, arrangement_free_pane(&a), true, 5000);
	ck_assert_int_eq(a.split[0].permille, 950);
}
END_TEST

SUITE_MAIN("layout",
	tcase_add_loop_test(t, rows_are_where_the_size_says, 0, ROWS(sizes));
	tcase_add_loop_test(t, rows_of_our_style, 0, ROWS(modern_sizes));
	tcase_add_loop_test(t, rects_stay_on_the_screen_and_apart, 0, 8);
	tcase_add_loop_test(t, panes_share_the_output, 0, ROWS(panes));
	tcase_add_test(t, titles_stand_above_their_panes);
	tcase_add_test(t, zoom_leaves_one);
	tcase_add_test(t, a_rect_ends_before_its_end);
	tcase_add_test(t, strips_leave_a_pane_its_rows);
	tcase_add_loop_test(t, panes_are_closed_in_any_order, 0, 4);)
