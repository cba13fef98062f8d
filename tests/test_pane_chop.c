/* Rows that are chopped at the pane's edge instead of wrapped. */
#include "tui/pane.h"

#include <locale.h>
#include <string.h>

#include "tests/made_doc.h"
#include "tests/suite.h"

START_TEST(chopped_rows_are_one_piece)
{
	struct doc *doc = made_doc(30, 95, NULL);
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
	struct doc *doc = made_doc(30, 95, NULL);
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
	struct made_body *body;
	struct doc *doc = made_doc(30, 95, &body);
	struct pane pane = {0};
	struct line line = {0};
	struct err err = {0};

	pane_resize(&pane, 10, 20);
	pane_show(&pane, doc, NULL);
	ck_assert(body->body.kind->line(&body->body, 9, 0, &line, &err));
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

SUITE_MAIN("pane_chop",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_test(t, chopped_rows_are_one_piece);
	tcase_add_test(t, sideways_ends_where_the_longest_row_does);
	tcase_add_loop_test(t, reveals_a_byte_of_a_chopped_row, 0, ROWS(reveals));)
