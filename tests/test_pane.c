#include "tui/pane.h"

#include <locale.h>
#include <string.h>

#include "cmds/session/shell.h"
#include "dump/base/mem.h"
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

/*
 * A body of as many rows as wanted; row k reads "row k", but every tenth is `long_cols` wide. It
 * counts what is asked.
 */
struct test_body {
	struct body body;
	uint64_t rows, asked;
	size_t long_cols;
};

static uint64_t test_rows(struct body *body)
{
	return ((struct test_body *)body)->rows;
}

static bool test_line(struct body *body, uint64_t row, int width, struct line *line,
                      struct err *err)
{
	struct test_body *b = (struct test_body *)body;

	(void)width;
	(void)err;
	b->asked++;
	line_fmt(line, ROLE_PLAIN, "row %llu", (unsigned long long)row);
	if (row % 10 == 9)
		while (line->text.len < b->long_cols)
			str_putc(&line->text, '.');
	if (row % 5 == 0)
		line_mark_link(line, ROLE_PLAIN, 0, 3, row % 10 ? "five" : "ten");
	line->note = NOTE_INDEX;
	line->rank = 2;
	line->index[0] = (int64_t)row;
	line->index[1] = 0;
	return true;
}

static void test_free(struct body *body)
{
	free(body);
}

static const struct body_kind test_kind = { .name = "test", .rows = test_rows, .line = test_line,
                                            .free = test_free };

static struct doc *test_doc(uint64_t rows, size_t long_cols, struct test_body **out)
{
	struct test_body *body = mem_alloc(sizeof *body);
	struct doc *doc = doc_new();

	*body = (struct test_body){ { &test_kind }, rows, 0, long_cols };
	doc_body(doc, &body->body);
	if (out)
		*out = body;
	return doc;
}

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
	struct doc *doc = test_doc(60, 0, NULL);
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
	struct doc *doc = test_doc((uint64_t)(_i ? 1000000000 : 25), 0, NULL);
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
	struct test_body *body;
	struct doc *doc = test_doc(UINT64_C(1000000000), 50, &body);
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
	struct doc *small = test_doc(PANE_SMALL, 95, NULL),
		   *large = test_doc(PANE_SMALL + 1, 95, NULL);
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
	struct doc *doc = test_doc(100, 200, NULL);
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
	struct doc *doc = test_doc(30, 10, NULL);
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
	struct doc *doc = test_doc(30, 10, NULL);
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
	struct doc *doc = test_doc(100, 95, NULL);
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
	struct doc *doc = test_doc(100, 0, NULL);
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

/* Search. */

static enum search_state search_all(struct pane *pane)
{
	enum search_state state;

	while ((state = pane_search_work(pane, 3)) == SEARCH_WORKING)
		;
	return state;
}

static const struct {
	const char *regex;
	bool backward;
	uint64_t from;
	enum search_state state;
	uint64_t row;            /* then */
} searches[] = {
	{ "row 7$", false, 0, SEARCH_FOUND, 7 },
	{ "row 7$", false, 7, SEARCH_FOUND, 7 },         /* the top row itself counts */
	{ "row 7$", false, 8, SEARCH_WRAPPED, 7 },
	{ "ROW 7", false, 0, SEARCH_NOWHERE, 0 },
	{ "row 7|ROW", false, 0, SEARCH_FOUND, 7 },
	{ "\\cROW 7", false, 0, SEARCH_FOUND, 7 },
	{ "\\Drow", false, 0, SEARCH_NOWHERE, 0 },
	{ "row 7$", true, 20, SEARCH_FOUND, 7 },
	{ "row 7$", true, 7, SEARCH_WRAPPED, 7 },
	{ "nothing", false, 50, SEARCH_NOWHERE, 50 },
	{ "nothing", true, 50, SEARCH_NOWHERE, 50 },
	{ "x*", false, 50, SEARCH_NOWHERE, 50 },         /* nothing to see: no match */
};

START_TEST(searches_around_the_document)
{
	struct doc *doc = test_doc(100, 0, NULL);
	struct pane pane = {0};
	struct err err = {0};

	pane_resize(&pane, 10, 40);
	pane_show(&pane, doc, NULL);
	pane_go_row(&pane, searches[_i].from);
	ck_assert(pane_search(&pane, searches[_i].regex, searches[_i].backward, 1, &err));
	ck_assert_int_eq(search_all(&pane), searches[_i].state);
	ck_assert_uint_eq(top_row(&pane), searches[_i].row);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

START_TEST(repeated_search_goes_on_below)
{
	struct doc *doc = test_doc(30, 95, NULL);
	struct pane pane = {0};
	struct err err = {0};
	span_list matches = {0};
	size_t n;
	const struct piece *pieces;

	pane_resize(&pane, 10, 20);
	pane_show(&pane, doc, NULL);
	ck_assert(pane_search(&pane, NULL, false, 1, &err));  /* nothing was searched for yet */
	ck_assert_int_eq(pane_search_work(&pane, 10), SEARCH_IDLE);
	ck_assert(pane_search(&pane, "\\.{15}", false, 1, &err));
	ck_assert_int_eq(search_all(&pane), SEARCH_FOUND);
	ck_assert_uint_eq(pane.top.row, 9);
	ck_assert_uint_eq(pane.top.piece, 0);
	pieces = pane_pieces(&pane, &n);
	pane_matches(&pane, pieces[0].line, &matches);
	ck_assert_uint_eq(matches.len, 6);
	ck_assert_uint_eq(matches.at[0].begin, 5);
	ck_assert_uint_eq(matches.at[1].begin, 20);
	ck_assert(pane_search(&pane, NULL, false, 1, &err));
	ck_assert_int_eq(search_all(&pane), SEARCH_FOUND);
	ck_assert_uint_eq(pane.top.row, 9);
	ck_assert_uint_eq(pane.top.piece, 1);
	ck_assert(!pane_search(&pane, "(", false, 1, &err));
	ck_assert_int_eq(err.code, ERR_REGEX);
	vec_release(&matches);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/* Screens. */

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

/* Chopped rows. */

START_TEST(chopped_rows_are_one_piece)
{
	struct doc *doc = test_doc(30, 95, NULL);
	struct pane pane = {0};
	size_t n;
	const struct piece *pieces;

	pane_resize(&pane, 10, 20);
	pane_show(&pane, doc, NULL);
	pane_go_row(&pane, 9);
	pane_scroll(&pane, 2);
	ck_assert_uint_eq(pane.top.piece, 2);
	pane_chop(&pane, true);
	ck_assert_uint_eq(pane.top.row, 9);              /* the same row stays on top */
	pieces = pane_pieces(&pane, &n);
	ck_assert_uint_eq(n, 10);
	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(pieces[i].at.row, 9 + i);
	ck_assert(pieces[0].cut && !pieces[1].cut);
	ck_assert_uint_eq(pieces[0].end, 19);            /* a column is left for the mark */
	ck_assert_uint_eq(pieces[1].end, 6);
	pane_end(&pane);
	ck_assert_uint_eq(pane.top.row, 29);
	pane_chop(&pane, false);
	ck_assert_uint_eq(pane.top.row, 29);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

START_TEST(sideways_ends_where_the_longest_row_does)
{
	struct doc *doc = test_doc(30, 95, NULL);
	struct pane pane = {0};
	size_t n;
	const struct piece *pieces;

	pane_resize(&pane, 10, 20);
	pane_show(&pane, doc, NULL);
	pane_sideways(&pane, -10);
	ck_assert(!pane.chop);
	pane_sideways(&pane, 10);
	ck_assert(pane.chop);
	ck_assert_int_eq(pane.left, 10);
	pieces = pane_pieces(&pane, &n);
	ck_assert_uint_eq(pieces[9].begin, 10);
	ck_assert_uint_eq(pieces[0].begin, pieces[0].end);
	pane_sideways(&pane, INT64_MAX);
	ck_assert_int_eq(pane.left, 75);
	ck_assert(!pane_pieces(&pane, &n)[9].cut);
	pane_sideways(&pane, -1000);
	ck_assert_int_eq(pane.left, 0);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/*
 * The last column has the mark of what is cut; what does not show comes to the middle, or all goes
 * back to the left.
 */
static const struct { int left; size_t off; int wanted; } reveals[] = {
	{ 0, 0, 0 }, { 0, 18, 0 }, { 0, 19, 9 }, { 0, 20, 10 }, { 0, 90, 80 },
	{ 10, 10, 10 }, { 10, 28, 10 }, { 10, 29, 19 }, { 10, 9, 0 }, { 30, 29, 19 }, { 30, 18, 0 },
	{ 30, 19, 9 },
};

START_TEST(reveals_a_byte_of_a_chopped_row)
{
	struct test_body *body;
	struct doc *doc = test_doc(30, 95, &body);
	struct pane pane = {0};
	struct line line = {0};
	struct err err = {0};

	pane_resize(&pane, 10, 20);
	pane_show(&pane, doc, NULL);
	ck_assert(test_line(&body->body, 9, 0, &line, &err));
	pane_reveal(&pane, &line.text, 50);
	ck_assert_int_eq(pane.left, 0);                  /* rows that wrap show all */
	pane_chop(&pane, true);
	pane_sideways(&pane, reveals[_i].left);
	ck_assert_int_eq(pane.left, reveals[_i].left);
	pane_reveal(&pane, &line.text, reveals[_i].off);
	ck_assert_int_eq(pane.left, reveals[_i].wanted);
	line_release(&line);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/* Matches are counted. */

static void expect_match(struct pane *pane, const char *wanted)
{
	struct str text = {0};

	while (pane_work(pane, 7))
		;
	pane_put_match(pane, &text);
	ck_assert_str_eq(str_text(&text), wanted);
	str_release(&text);
}

START_TEST(matches_have_numbers)
{
	struct doc *doc = test_doc(1000, 0, NULL);
	struct pane pane = {0};
	struct err err = {0};

	pane_resize(&pane, 10, 40);
	pane_show(&pane, doc, NULL);
	pane_focus(&pane, true);
	/* one digit of three is a 7, 300 times */
	ck_assert(pane_search(&pane, "7", false, 1, &err));
	ck_assert_int_eq(search_all(&pane), SEARCH_FOUND);
	expect_match(&pane, "match 1 of 300");
	ck_assert(pane_search(&pane, NULL, false, 12, &err));    /* 17 ... 67, 70 to 75 */
	ck_assert_int_eq(search_all(&pane), SEARCH_FOUND);
	ck_assert_uint_eq(pane.cursor.row, 75);
	expect_match(&pane, "match 13 of 300");
	ck_assert(pane_search(&pane, NULL, true, 14, &err));     /* around the top */
	ck_assert_int_eq(search_all(&pane), SEARCH_WRAPPED);
	expect_match(&pane, "match 299 of 300");
	pane_cursor_move(&pane, -1);
	expect_match(&pane, "");
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/* Those of one row one after the other, forward and back; none is passed over. */
START_TEST(matches_of_a_row_all_count)
{
	struct doc *doc = test_doc(30, 0, NULL);
	struct pane pane = {0};
	struct err err = {0};
	struct str wanted = {0};

	pane_resize(&pane, 10, 40);
	pane_show(&pane, doc, NULL);
	pane_focus(&pane, true);
	for (int i = 1; i <= 33; i++) {                  /* 1, 10, 11 twice, 12 ... */
		ck_assert(pane_search(&pane, i > 1 ? NULL : "[12]", false, 1, &err));
		search_all(&pane);
		str_reset(&wanted);
		str_fmt(&wanted, "match %d of 26", (i - 1) % 26 + 1);
		expect_match(&pane, wanted.text);
	}
	for (int i = 6; i >= 1; i--) {
		ck_assert(pane_search(&pane, NULL, true, 1, &err));
		ck_assert_int_eq(search_all(&pane), SEARCH_FOUND);
		str_reset(&wanted);
		str_fmt(&wanted, "match %d of 26", i);
		expect_match(&pane, wanted.text);
	}
	str_release(&wanted);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/* Counted or not, a search finds the same; counted, it asks for the rows of two blocks at most. */
START_TEST(counted_matches_are_found_the_same)
{
	static const char *const regexes[] = {
		"row 7$", "row 2[56].$", "00$", "row (3|2999)$", "no",
	};
	static const uint64_t from[] = { 0, 2, 3, 7, 255, 256, 257, 1500, 2815, 2816, 2999 };
	enum { N_LINES = 3000 };
	struct doc *doc = test_doc(N_LINES, 0, NULL);
	struct test_body *body = (struct test_body *)doc_get_body(doc);
	struct pane pane[2] = {0};
	struct err err = {0};

	for (size_t i = 0; i < ROWS(regexes); i++)
		for (size_t k = 0; k < 2 * ROWS(from); k++) {
			enum search_state state[2];
			uint64_t asked;

			for (int counted = 0; counted < 2; counted++) {
				pane_resize(&pane[counted], 10, 40);
				pane_show(&pane[counted], doc, NULL);
				pane_focus(&pane[counted], true);
				pane_go_row(&pane[counted], from[k / 2]);
				ck_assert(pane_search(&pane[counted], regexes[i], k % 2, 1, &err));
				pane_search_stop(&pane[counted]);
				while (counted && pane_work(&pane[counted], 7))
					;
				asked = body->asked;
				ck_assert(pane_search(&pane[counted], NULL, k % 2, 1, &err));
				state[counted] = search_all(&pane[counted]);
			}
			ck_assert_int_eq(state[0], state[1]);
			ck_assert_uint_eq(pane[0].cursor.row, pane[1].cursor.row);
			ck_assert_uint_lt(body->asked - asked, 2 * MATCH_BLOCK + 50);
		}
	pane_release(&pane[0]);
	pane_release(&pane[1]);
	doc_free(doc);
}
END_TEST

/* 10^9 rows away, wrapped: a row counts as one piece, and not all are asked for. */
START_TEST(long_ways_are_short)
{
	struct doc *doc = test_doc(UINT64_C(3000000000), 95, NULL);
	struct test_body *body = (struct test_body *)doc_get_body(doc);
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

/* Filters. */

START_TEST(a_filter_given_up_brings_the_rows_back)
{
	struct doc *doc = test_doc(1000, 0, NULL);
	struct pane pane = {0};
	struct err err = {0};

	pane_resize(&pane, 10, 40);
	pane_show(&pane, doc, NULL);
	pane_focus(&pane, true);
	pane_cursor_row(&pane, 500);
	ck_assert(pane_filter_live(&pane, "99", &err));
	while (pane_work(&pane, 7))
		;
	ck_assert_uint_eq(rows_count(&pane.shown), 19);
	ck_assert_uint_eq(pane.cursor.row, 0);
	ck_assert_uint_eq(pane_cursor_doc_row(&pane), 99);
	ck_assert(pane_filter_live(&pane, NULL, &err));
	ck_assert_uint_eq(pane.cursor.row, 500);
	ck_assert(pane_filter_live(&pane, "99", &err));
	pane_filter_keep(&pane);
	while (pane_work(&pane, 7))
		;
	pane_cursor_row(&pane, 3);
	ck_assert(pane_filter_drop(&pane));              /* the cursor's row stays */
	ck_assert_uint_eq(pane.cursor.row, 399);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

/* The cursor waits for the first row that a filter finds, whatever becomes of the pane. */
START_TEST(cursor_waits_for_a_filter)
{
	struct shell *shell = shell_new();
	struct answer answer;
	struct pane pane = { .modern = true };
	struct err err = {0};

	ck_assert(shell_open(shell, "testdata/mnist_nan", &err) && shell_load(shell, NULL, &err));
	shell_on_screen(shell);
	shell_run(shell, "lt", 80, NULL, &answer);
	pane_resize(&pane, 20, 80);
	pane_show(&pane, answer.doc, NULL);
	ck_assert(pane_filter_live(&pane, "entropy/Log", &err));
	pane_filter_keep(&pane);
	pane_focus(&pane, true);
	pane_resize(&pane, 9, 80);
	while (pane_work(&pane, 50))
		;
	ck_assert_uint_eq(pane_cursor_number(&pane), 1);
	pane_release(&pane);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("pane",
	setenv("LC_ALL", "C.UTF-8", 1); setlocale(LC_ALL, "");
	tcase_add_test(t, cursor_waits_for_a_filter);
           tcase_add_test(t, a_pane_without_rows);
           tcase_add_loop_test(t, wraps_by_columns, 0, ROWS(wraps));
           tcase_add_loop_test(t, status_tells_how_far, 0, ROWS(scrolls));
           tcase_add_loop_test(t, status_drops_what_does_not_fit, 0, ROWS(statuses));
           tcase_add_test(t, status_asks_before_all_else);
           tcase_add_loop_test(t, pages_stop_with_the_last_row_at_the_bottom, 0, 2);
           tcase_add_test(t, huge_documents_cost_no_more_than_the_view);
           tcase_add_test(t, counted_and_walked_moves_agree);
           tcase_add_loop_test(t, resize_keeps_the_text_on_top, 1, 90);
           tcase_add_test(t, growing_back_shows_the_same_rows);
           tcase_add_test(t, growing_leaves_nothing_empty);
           tcase_add_test(t, cursor_stays_in_view);
           tcase_add_test(t, links_are_found_by_key_and_by_cell);
           tcase_add_loop_test(t, searches_around_the_document, 0, ROWS(searches));
           tcase_add_test(t, repeated_search_goes_on_below);
           tcase_add_test(t, chopped_rows_are_one_piece);
           tcase_add_test(t, sideways_ends_where_the_longest_row_does);
           tcase_add_loop_test(t, reveals_a_byte_of_a_chopped_row, 0, ROWS(reveals));
           tcase_add_test(t, matches_have_numbers);
           tcase_add_test(t, matches_of_a_row_all_count);
           tcase_add_test(t, counted_matches_are_found_the_same);
           tcase_add_test(t, long_ways_are_short);
           tcase_add_test(t, a_filter_given_up_brings_the_rows_back);
           tcase_add_test(t, screens_keep_the_last_ten);)
