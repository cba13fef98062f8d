/* Searching in a pane, the numbers of matches, filters. */
#include "tui/pane.h"

#include <locale.h>
#include <string.h>

#include "cmds/session/shell.h"
#include "tests/made_doc.h"
#include "tests/suite.h"

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
	struct doc *doc = made_doc(100, 0, NULL);
	struct pane pane = {0};
	struct err err = {0};

	pane_resize(&pane, 10, 40);
	pane_show(&pane, doc, NULL);
	pane_go_row(&pane, searches[_i].from);
	ck_assert(pane_search(&pane, searches[_i].regex, searches[_i].backward, 1, &err));
	ck_assert_int_eq(search_all(&pane), searches[_i].state);
	ck_assert_uint_eq(pane.top.row, searches[_i].row);
	pane_release(&pane);
	doc_free(doc);
}
END_TEST

START_TEST(repeated_search_goes_on_below)
{
	struct doc *doc = made_doc(30, 95, NULL);
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
	struct doc *doc = made_doc(1000, 0, NULL);
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
	struct doc *doc = made_doc(30, 0, NULL);
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
	struct doc *doc = made_doc(N_LINES, 0, NULL);
	struct made_body *body = (struct made_body *)doc_get_body(doc);
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

/* Filters. */

START_TEST(a_filter_given_up_brings_the_rows_back)
{
	struct doc *doc = made_doc(1000, 0, NULL);
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

SUITE_MAIN("pane_search",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_loop_test(t, searches_around_the_document, 0, ROWS(searches));
	tcase_add_test(t, repeated_search_goes_on_below);
	tcase_add_test(t, matches_have_numbers);
	tcase_add_test(t, matches_of_a_row_all_count);
	tcase_add_test(t, counted_matches_are_found_the_same);
	tcase_add_test(t, a_filter_given_up_brings_the_rows_back);
	tcase_add_test(t, cursor_waits_for_a_filter);)
