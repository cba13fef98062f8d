#include "tui/pane.h"

#include <locale.h>
#include <string.h>

#include "tests/made_doc.h"
#include "tests/suite.h"
#include "tui/screens.h"
#include "tui/status.h"
#include "tui/wrap.h"

/* Wrapping. */

static const struct { const char *text; int cols; uint32_t pieces; size_t second; } wraps[] = {
	{ "", 4, 1, 0 }, { "abcd", 4, 1, 0 }, { "abcde", 4, 2, 4 }, { "abcdefgh", 4, 2, 4 },
	{ "abcdefghi", 4, 3, 4 },
	{ "日本語", 4, 2, 6 },           /* two columns each */
	{ "a日本", 4, 2, 4 },           /* the second does not fit any more */
	{ "日", 1, 1, 0 }, { "日本", 1, 2, 3 },
	{ "abc\001", 4, 2, 3 },         /* ^A is two */
	{ "\xff\xff", 4, 2, 1 },        /* \xff is four */
	{ "abcde\xcc\x81", 4, 2, 4 },   /* a combining character stays with its letter */
	{ "abcd\xcc\x81" "e", 4, 2, 6 },
};

START_TEST(wraps_by_columns)
{
	const char *text = wraps[_i].text;
	size_t len = strlen(text);

	ck_assert_uint_eq(wrap_pieces(text, len, wraps[_i].cols), wraps[_i].pieces);
	ck_assert_uint_eq(wrap_begin(text, len, wraps[_i].cols, 1), wraps[_i].second);
	if (wraps[_i].second) {
		ck_assert_uint_eq(wrap_piece_at(text, len, wraps[_i].cols, wraps[_i].second), 1);
		ck_assert_uint_eq(wrap_piece_at(text, len, wraps[_i].cols, wraps[_i].second - 1),
		                  0);
		ck_assert_uint_eq(wrap_end(text, len, 0, wraps[_i].cols), wraps[_i].second);
	}
}
END_TEST

/* On a screen that is too small for it. */
START_TEST(a_pane_without_rows)
{
	struct pane pane = {0};
	size_t n;

	pane_pieces(&pane, &n);
	ck_assert_uint_eq(n, 0);
	pane_release(&pane);
}
END_TEST

static uint64_t top_row(struct pane *pane)
{
	return pane->top.row;
}

/* 60 rows of one piece each: the percentages that tfdbg's own tests prove. */
static const struct { int rows, down; const char *text; } scrolls[] = {
	{ 10, 0, "--- Scroll (PgDn): 0.00% [0,0]-[9,0] " },
	{ 10, 1, "--- Scroll (PgDn/PgUp): 1.69% [1,0]-[10,0] " },
	{ 10, 2, "--- Scroll (PgDn/PgUp): 3.39% [2,0]-[11,0] " },
	{ 10, 50, "--- Scroll (PgUp): 100.00% [50,0]-[59,0] " },
	{ 10, 59, "--- Scroll (PgUp): 100.00% [59,0]- " },
	{ 60, 0, "--- [0,0]-[59,0] " },
};

START_TEST(status_tells_how_far)
{
	struct doc *doc = made_doc(60, 0, NULL);
	struct pane pane = {0};
	struct str first = {0}, last = {0}, text = {0};
	struct status status = { .news = "" };
	size_t n;
	const struct piece *pieces;

	pane_resize(&pane, scrolls[_i].rows, 40);
	pane_show(&pane, doc, NULL);
	pane_scroll(&pane, scrolls[_i].down);
	pieces = pane_pieces(&pane, &n);
	put_index(&first, pieces[0].line);
	if (n == (size_t)scrolls[_i].rows)
		put_index(&last, pieces[n - 1].line);
	status.first = str_text(&first);
	status.last = str_text(&last);
	status.where = pane_where(&pane);
	status_text(&text, &status, 80);
	ck_assert_uint_eq(text.len, 80);
	ck_assert_int_eq(strncmp(text.text, scrolls[_i].text, strlen(scrolls[_i].text)), 0);
	ck_assert_str_eq(text.text + 80 - strlen("- Mouse: OFF --"), "- Mouse: OFF --");
	str_release(&first);
	str_release(&last);
	str_release(&text);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/* What does not fit is left out whole, the mouse first. */
static const struct { int cols; const char *text; } statuses[] = {
	{ 60, "--- Scroll (PgDn): 12.50% row 7/80 - now ------ Mouse: ON --" },
	{ 50, "--- Scroll (PgDn): 12.50% row 7/80 - now ---------" },
	{ 38, "--- Scroll (PgDn): 12.50% row 7/80 ---" },
	{ 30, "--- Scroll (PgDn): 12.50% ----" },
	{ 10, "row 7/80 -" }, { 5, "-----" }, { 1, "-" },
};

/* What the next key is about comes first, and is cut rather than left out. */
START_TEST(status_asks_before_all_else)
{
	struct status status = { .where = { true, false, true, 0.125 }, .first = "", .last = "",
	                         .view = true, .row = 7, .rows = 80,
	                         .news = "Leave tensordbg? (y/n)", .urgent = true };
	struct str text = {0};

	status_text(&text, &status, 40);
	ck_assert_str_eq(text.text, "--- Leave tensordbg? (y/n) -------------");
	str_reset(&text);
	status_text(&text, &status, 20);
	ck_assert_str_eq(text.text, "--- Leave tensordbg?");
	str_release(&text);
}
END_TEST

START_TEST(status_drops_what_does_not_fit)
{
	struct status status = { .where = { true, false, true, 0.125 }, .first = "", .last = "",
	                         .view = true, .row = 7, .rows = 80, .news = "now", .mouse = true };
	struct str text = {0};

	status_text(&text, &status, statuses[_i].cols);
	ck_assert_str_eq(text.text, statuses[_i].text);
	str_release(&text);
}
END_TEST

START_TEST(pages_stop_with_the_last_row_at_the_bottom)
{
	struct doc *doc = made_doc((uint64_t)(_i ? 1000000000 : 25), 0, NULL);
	uint64_t rows = doc_rows(doc);
	struct pane pane = {0};

	pane_resize(&pane, 10, 40);
	pane_show(&pane, doc, NULL);
	pane_page(&pane, 1, 10);
	ck_assert_uint_eq(top_row(&pane), 10);
	pane_go_row(&pane, rows - 12);
	pane_page(&pane, 1, 10);
	ck_assert_uint_eq(top_row(&pane), rows - 10);
	pane_page(&pane, 1, 10);
	ck_assert_uint_eq(top_row(&pane), rows - 10);
	pane_end(&pane);
	ck_assert_uint_eq(top_row(&pane), rows - 1);
	pane_page(&pane, 1, 10);
	ck_assert_uint_eq(top_row(&pane), rows - 1);
	pane_scroll(&pane, 5);
	ck_assert_uint_eq(top_row(&pane), rows - 1);
	pane_page(&pane, -1, 10);
	ck_assert_uint_eq(top_row(&pane), rows - 11);
	pane_home(&pane);
	pane_scroll(&pane, -3);
	ck_assert_uint_eq(top_row(&pane), 0);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/* Only what is near the view is asked for. */
START_TEST(huge_documents_cost_no_more_than_the_view)
{
	struct made_body *body;
	struct doc *doc = made_doc(UINT64_C(1000000000), 50, &body);
	struct pane pane = {0};
	struct whereabouts where;

	pane_resize(&pane, 24, 20);
	pane_show(&pane, doc, NULL);
	pane_end(&pane);
	pane_page(&pane, -1, 24);
	pane_go_fraction(&pane, 0.5);
	where = pane_where(&pane);
	ck_assert(where.above && where.below);
	ck_assert(where.fraction > 0.499 && where.fraction < 0.501);
	pane_page(&pane, 1, 24);
	ck_assert_uint_le(body->asked, 500);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/* A document counted row by row and one that is not move alike. */
START_TEST(counted_and_walked_moves_agree)
{
	struct doc *small = made_doc(PANE_SMALL, 95, NULL),
		   *large = made_doc(PANE_SMALL + 1, 95, NULL);
	static const int moves[] = { 1, 8, 1, 1, 3, -2, 100, -50, 1000, -999, 4000, -1, -4000 };
	struct pane a = {0}, b = {0};

	pane_resize(&a, 10, 20);
	pane_resize(&b, 10, 20);
	pane_show(&a, small, NULL);
	pane_show(&b, large, NULL);
	for (size_t i = 0; i < ROWS(moves); i++) {
		pane_scroll(&a, moves[i]);
		pane_scroll(&b, moves[i]);
		ck_assert_uint_eq(a.top.row, b.top.row);
		ck_assert_uint_eq(a.top.piece, b.top.piece);
	}
	pane_release(&a);
	pane_release(&b);
	doc_free(small);
	doc_free(large);
}
END_TEST

START_TEST(resize_keeps_the_text_on_top)
{
	struct doc *doc = made_doc(100, 200, NULL);
	struct pane pane = {0};
	size_t n;
	const struct piece *pieces;
	size_t begin;

	pane_resize(&pane, 10, 40);
	pane_show(&pane, doc, NULL);
	pane_go_row(&pane, 19);
	pane_scroll(&pane, 2);
	pieces = pane_pieces(&pane, &n);
	begin = pieces[0].begin;
	ck_assert_uint_eq(begin, 80);
	pane_resize(&pane, 20, _i);
	pieces = pane_pieces(&pane, &n);
	ck_assert_uint_eq(pieces[0].at.row, 19);
	ck_assert(pieces[0].begin <= begin && begin < pieces[0].end);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/* Smaller, the cursor's row has to stay in view; as large as before, the same rows show. */
START_TEST(growing_back_shows_the_same_rows)
{
	struct doc *doc = made_doc(30, 10, NULL);
	struct pane pane = {0};
	struct spot top;

	pane_resize(&pane, 20, 80);
	pane_show(&pane, doc, NULL);
	pane_focus(&pane, true);
	pane_cursor_move(&pane, 25);
	pane_cursor_move(&pane, -1);
	top = pane.top;
	ck_assert_uint_eq(top.row, 6);
	pane_resize(&pane, 7, 80);
	ck_assert_uint_eq(pane.top.row, 18);
	pane_resize(&pane, 4, 20);
	pane_resize(&pane, 20, 80);
	ck_assert_uint_eq(pane.top.row, top.row);
	pane_resize(&pane, 7, 80);
	pane_cursor_move(&pane, 3);
	ck_assert_uint_eq(pane.top.row, 21);
	pane_resize(&pane, 8, 80);
	ck_assert_uint_eq(pane.top.row, 21);     /* moved since */
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/* Rows that were above come down where there is room for them, but not where there was before. */
START_TEST(growing_leaves_nothing_empty)
{
	struct doc *doc = made_doc(30, 10, NULL);
	struct pane pane = {0};

	pane_resize(&pane, 7, 80);
	pane_show(&pane, doc, NULL);
	pane_go_row(&pane, 20);
	pane_resize(&pane, 20, 80);
	ck_assert_uint_eq(pane.top.row, 10);
	pane_resize(&pane, 40, 80);
	ck_assert_uint_eq(pane.top.row, 0);
	pane_resize(&pane, 7, 80);
	pane_end(&pane);
	pane_resize(&pane, 9, 80);
	ck_assert_uint_eq(pane.top.row, 29);     /* as tfdbg's End has it */
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

START_TEST(cursor_stays_in_view)
{
	static const int moves[] = { 1, 5, 9, 30, -20, 1000, -3, -1000, 7 };
	struct doc *doc = made_doc(100, 95, NULL);
	struct pane pane = {0};

	pane_resize(&pane, 7, 20);
	pane_show(&pane, doc, NULL);
	pane_focus(&pane, true);
	for (size_t i = 0; i < ROWS(moves); i++) {
		size_t n;
		const struct piece *pieces;
		bool seen = false;

		pane_cursor_move(&pane, moves[i]);
		pieces = pane_pieces(&pane, &n);
		ck_assert_uint_eq(n, 7);         /* nothing empty at the bottom */
		for (size_t k = 0; k < n; k++)
			seen |= pieces[k].at.row == pane.cursor.row &&
			        pieces[k].at.piece == pane.cursor.piece;
		ck_assert(seen);
	}
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

START_TEST(links_are_found_by_key_and_by_cell)
{
	struct doc *doc = made_doc(100, 0, NULL);
	struct pane pane = {0};

	pane_resize(&pane, 8, 20);
	pane_show(&pane, doc, NULL);
	pane_focus(&pane, true);
	ck_assert_str_eq(pane_link(&pane), "ten");       /* the row's only one */
	ck_assert(pane_next_link(&pane, 1));
	ck_assert_uint_eq(pane.cursor.row, 0);
	ck_assert(pane_next_link(&pane, 1));
	ck_assert_uint_eq(pane.cursor.row, 5);
	ck_assert_str_eq(pane_link(&pane), "five");
	ck_assert(pane_next_link(&pane, 1));             /* off the screen: the view follows */
	ck_assert_uint_eq(pane.cursor.row, 10);
	ck_assert(pane_next_link(&pane, -1));
	ck_assert_uint_eq(pane.cursor.row, 5);
	pane_cursor_move(&pane, 1);
	ck_assert_ptr_null(pane_link(&pane));
	pane_home(&pane);
	ck_assert_str_eq(pane_link_at(&pane, 5, 2), "five");
	ck_assert_ptr_null(pane_link_at(&pane, 5, 3));
	ck_assert_ptr_null(pane_link_at(&pane, 6, 0));
	ck_assert_ptr_null(pane_link_at(&pane, 99, 0));
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

START_TEST(screens_keep_the_last_ten)
{
	struct screens screens = {0};
	struct str command = {0};

	ck_assert_ptr_null(screens_now(&screens));
	ck_assert(!screens_step(&screens, -1));
	for (int i = 0; i < 12; i++) {
		str_reset(&command);
		str_fmt(&command, "c%d", i);
		screens_push(&screens, command.text, doc_new());
	}
	ck_assert_uint_eq(screens.len, MAX_SCREENS);
	ck_assert_str_eq(screens_now(&screens)->command, "c11");
	for (int i = 0; i < MAX_SCREENS - 1; i++)
		ck_assert(screens_step(&screens, -1));
	ck_assert(!screens_step(&screens, -1));
	ck_assert_str_eq(screens_now(&screens)->command, "c2");
	ck_assert_uint_eq(screens_behind(&screens), 9);
	ck_assert(screens_step(&screens, 1));
	screens_push(&screens, "new", doc_new());                /* what was newer goes */
	ck_assert_uint_eq(screens.len, 3);
	ck_assert(!screens_step(&screens, 1));
	ck_assert(screens_step(&screens, -1));
	ck_assert_str_eq(screens_now(&screens)->command, "c3");
	screens_release(&screens);
	str_release(&command);
}
END_TEST

/* 10^9 rows away, wrapped: a row counts as one piece, and not all are asked for. */
START_TEST(long_ways_are_short)
{
	struct doc *doc = made_doc(UINT64_C(3000000000), 95, NULL);
	struct made_body *body = (struct made_body *)doc_get_body(doc);
	struct pane pane = {0};

	pane_resize(&pane, 10, 40);
	pane_show(&pane, doc, NULL);
	pane_focus(&pane, true);
	pane_cursor_move(&pane, 2000000000);
	ck_assert_uint_gt(pane.cursor.row, 1999990000);
	ck_assert_uint_le(pane.cursor.row, 2000000000);
	pane_cursor_page(&pane, -1, 1000000000);
	ck_assert_uint_le(pane.cursor.row, 1000000000);
	pane_scroll(&pane, INT64_MIN);
	ck_assert_uint_eq(pane.top.row, 0);
	ck_assert_uint_lt(body->asked, 20000);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

SUITE_MAIN("pane",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_loop_test(t, wraps_by_columns, 0, ROWS(wraps));
	tcase_add_test(t, a_pane_without_rows);
	tcase_add_loop_test(t, status_tells_how_far, 0, ROWS(scrolls));
	tcase_add_test(t, status_asks_before_all_else);
	tcase_add_loop_test(t, status_drops_what_does_not_fit, 0, ROWS(statuses));
	tcase_add_loop_test(t, pages_stop_with_the_last_row_at_the_bottom, 0, 2);
	tcase_add_test(t, huge_documents_cost_no_more_than_the_view);
	tcase_add_test(t, counted_and_walked_moves_agree);
	tcase_add_loop_test(t, resize_keeps_the_text_on_top, 1, 90);
	tcase_add_test(t, growing_back_shows_the_same_rows);
	tcase_add_test(t, growing_leaves_nothing_empty);
	tcase_add_test(t, cursor_stays_in_view);
	tcase_add_test(t, links_are_found_by_key_and_by_cell);
	tcase_add_test(t, screens_keep_the_last_ten);
	tcase_add_test(t, long_ways_are_short);)
