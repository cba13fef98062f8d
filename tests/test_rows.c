#include "tui/rows.h"

#include <stdio.h>
#include <string.h>

#include "cmds/doc/table.h"
#include "dump/base/mem.h"
#include "tests/small_dump.h"
#include "tests/suite.h"
#include "tui/glyphs.h"

/*
 * A table with a head of two lines and a foot of one. Row k: k, k % 7 (missing when that is 6), a
 * name.
 */
struct table_body {
	struct body body;
	uint64_t rows, asked;
};

static uint64_t made_rows(struct body *body)
{
	return ((struct table_body *)body)->rows;
}

static void name_of(struct str *out, uint64_t row)
{
	str_fmt(out, "%s%llu", row % 3 ? "node" : "Node", (unsigned long long)(row * 7919 % 1000));
}

static bool made_line(struct body *body, uint64_t row, int width, struct line *line,
                      struct err *err)
{
	struct str name = {0};

	(void)width, (void)err;
	((struct table_body *)body)->asked++;
	name_of(&name, row);
	line_fmt(line, ROLE_PLAIN, "%llu %llu %s", (unsigned long long)row,
	         (unsigned long long)(row % 7), name.text);
	str_release(&name);
	return true;
}

static const struct col *made_columns(struct body *body, size_t *n)
{
	static const struct col columns[] = {
		{ "row", "Row", .kind = COL_COUNT }, { "rest", "Rest", .kind = COL_COUNT },
		{ "name", "Name", .kind = COL_TEXT },
	};

	(void)body;
	*n = 3;
	return columns;
}

static bool table_cell(struct body *body, uint64_t row, size_t column, struct table_cell *out,
                       struct err *err)
{
	(void)body, (void)err;
	out->number = column ? (double)(row % 7) : (double)row;
	out->missing = column == 1 && row % 7 == 6;
	if (column == 2)
		name_of(&out->text, row);
	return true;
}

static void table_free(struct body *body)
{
	free(body);
}

static const struct body_kind table_kind = {
	.name = "table", .rows = made_rows, .line = made_line, .columns_of = made_columns,
	.cell_of = table_cell, .free = table_free,
};

static struct doc *doc;
static struct table_body *body;
static struct rows rows;
static struct err err;

static void make(uint64_t n)
{
	body = mem_alloc(sizeof *body);
	body->body.kind = &table_kind;
	body->rows = n;
	doc = doc_new();
	doc_line_put(doc, ROLE_PLAIN, "%llu rows:", (unsigned long long)n);
	doc_line_put(doc, ROLE_PLAIN, "Row Rest Name");
	doc_body(doc, &body->body);
	doc_line_put(doc, ROLE_PLAIN, "that was it");
	rows_show(&rows, doc);
}

static void make_hundred(void)
{
	make(100);
}

static void unmake(void)
{
	rows_release(&rows);
	doc_free(doc);
}

/* In slices of some odd size. */
static void finish(void)
{
	while (rows_work(&rows, 3))
		;
}

static const char *text_at(uint64_t at)
{
	static struct line line;

	rows_line(&rows, at, 0, &line);
	return str_text(&line.text);
}

static const struct { const char *filters[2]; uint64_t kept; uint64_t first; } filters[] = {
	{ { "NODE", NULL }, 0, 0 },
	{ { "^1. ", NULL }, 10, 10 },
	{ { "^1. ", "^.1 " }, 1, 11 },
	{ { "!^1. ", NULL }, 90, 0 },
	{ { "^1. ", "!^.[35]" }, 8, 10 },
	{ { "node", NULL }, 100, 0 },
	{ { "Node", NULL }, 34, 0 },
};

START_TEST(filters_stack)
{
	uint64_t all, wanted = filters[_i].kept;

	for (int i = 0; i < 2 && filters[_i].filters[i]; i++) {
		ck_assert(rows_filter_live(&rows, filters[_i].filters[i], REGEX_SMART, &err));
		rows_filter_keep(&rows);
	}
	finish();
	ck_assert(rows_filtered(&rows));
	ck_assert_uint_eq(rows_kept(&rows, &all), wanted);
	ck_assert_uint_eq(all, 100);
	ck_assert_uint_eq(rows_count(&rows), wanted + 3);
	ck_assert_str_eq(text_at(0), "100 rows:");
	ck_assert_str_eq(text_at(wanted + 2), "that was it");
	if (wanted) {
		ck_assert_uint_eq(rows_row(&rows, 2), filters[_i].first + 2);
		ck_assert_uint_eq(rows_at(&rows, filters[_i].first + 2), 2);
	}
}
END_TEST

START_TEST(filters_go_one_by_one)
{
	ck_assert(!rows_filter_drop(&rows));
	ck_assert(rows_filter_live(&rows, "^1. ", REGEX_SMART, &err));
	rows_filter_keep(&rows);
	ck_assert(rows_filter_live(&rows, "^.1 ", REGEX_SMART, &err));
	finish();
	ck_assert_uint_eq(rows_count(&rows), 4);
	ck_assert(!rows_filter_live(&rows, "(", REGEX_SMART, &err));
	ck_assert_int_eq(err.code, ERR_REGEX);
	ck_assert_uint_eq(rows_count(&rows), 4);
	ck_assert(rows_filter_live(&rows, NULL, REGEX_SMART, &err));
	finish();
	ck_assert_uint_eq(rows_count(&rows), 13);
	ck_assert_uint_eq(rows_at(&rows, 102), 12);      /* the foot */
	ck_assert_uint_eq(rows_at(&rows, 50), 12);       /* what doesn't show: what comes next */
	ck_assert(rows_filter_drop(&rows));
	ck_assert_uint_eq(rows_count(&rows), 103);
	ck_assert_uint_eq(rows.list.cap, 0);
}
END_TEST

/* What was found shows before all was looked at, and what comes later is looked at too. */
START_TEST(filters_show_what_they_have)
{
	ck_assert(rows_filter_live(&rows, "^..? ", REGEX_SMART, &err));
	ck_assert(rows_work(&rows, 5));
	ck_assert_uint_eq(rows_count(&rows), 3 + 5);
	finish();
	ck_assert_uint_eq(rows_count(&rows), 3 + 100);
	body->rows = 200;
	ck_assert(rows_filter_works(&rows));
	finish();
	ck_assert_uint_eq(rows_count(&rows), 3 + 100);
}
END_TEST

/*
 * Typed letter by letter, with some work between two letters: the same rows in the same order as
 * typed at once. Only plain text that grows goes on with what it has.
 */
static const struct { const char *typed[6]; bool narrows; } typing[] = {
	{ { "n", "no", "node", "node1", "node12", NULL }, true },
	{ { "o", "ode9", "ode91", NULL }, true },
	{ { "ode9", "ode91X", NULL }, true },            /* from here on case is heeded */
	{ { "1", "1 ", "1 no", NULL }, true },
	{ { "node1", "node", "node2", NULL }, false },
	{ { "node1", "node1.", NULL }, false },
	{ { "1|", "1|2", NULL }, false },
	{ { "!1", "!12", NULL }, false },
	{ { "1", "!12", NULL }, false },
	{ { "nodE", "node", NULL }, false },
};

START_TEST(letters_narrow_a_filter)
{
	static const uint64_t between[] = { 0, 1, 10, 50, 1000 };
	uint64_t count = 0;

	for (size_t k = 0; k < ROWS(between); k++) {
		const char *const *typed = typing[_i].typed;
		VEC(uint64_t) found = {0};

		for (; *typed; typed++) {
			body->asked = 0;
			ck_assert(rows_filter_live(&rows, *typed, REGEX_SMART, &err));
			rows_work(&rows, between[k]);
		}
		finish();
		if (between[k] > 100)
			ck_assert(typing[_i].narrows ? body->asked < 100 : body->asked == 100);
		for (uint64_t at = 0; at < rows_count(&rows); at++)
			vec_push(&found, rows_row(&rows, at));
		rows_filter_live(&rows, NULL, REGEX_SMART, &err);
		ck_assert(rows_filter_live(&rows, typed[-1], REGEX_SMART, &err));
		finish();
		count = rows_count(&rows);
		ck_assert_uint_eq(count, found.len);
		for (uint64_t at = 0; at < count; at++)
			ck_assert_uint_eq(rows_row(&rows, at), found.at[at]);
		rows_filter_live(&rows, NULL, REGEX_SMART, &err);
		vec_release(&found);
	}
}
END_TEST

/* Nothing passes but the line of column numbers, which no filter asks about. */
START_TEST(a_grid_keeps_its_heading)
{
	struct shell *shell = session_of("testdata/mnist_nan");
	struct rows grid = {0};
	struct answer answer;
	uint64_t all;

	shell_run(shell, "grid softmax:0", 80, NULL, &answer);
	rows_show(&grid, answer.doc);
	ck_assert_uint_eq(doc_heading(answer.doc), 1);
	ck_assert(rows_filter_live(&grid, "in no cell", REGEX_SMART, &err));
	while (rows_work(&grid, 1000))
		;
	ck_assert_uint_eq(rows_kept(&grid, &all), 1);
	ck_assert_uint_eq(rows_row(&grid, doc_body_row(answer.doc)),
	                  doc_body_row(answer.doc));
	rows_release(&grid);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

/* When case no longer counts, rows that had not passed may pass. */
START_TEST(a_wider_filter_looks_anew)
{
	uint64_t all;

	ck_assert(rows_filter_live(&rows, "NO", REGEX_HEED, &err));
	finish();
	ck_assert_uint_eq(rows_kept(&rows, &all), 0);
	ck_assert(rows_filter_live(&rows, "NOD", REGEX_IGNORE, &err));
	finish();
	ck_assert_uint_eq(rows_kept(&rows, &all), all);
}
END_TEST

/*
 * Is row a before row b in the order wanted? By the cell, what is missing last; equal ones as they
 * were.
 */
static bool in_order(size_t column, bool reverse, uint64_t a, uint64_t b)
{
	struct table_cell x = {0}, y = {0};
	int order;

	table_cell(NULL, a, column, &x, &err);
	table_cell(NULL, b, column, &y, &err);
	order = column == 2 ? strcmp(x.text.text, y.text.text)
	                    : (x.number > y.number) - (x.number < y.number);
	str_release(&x.text);
	str_release(&y.text);
	if (x.missing || y.missing)
		return y.missing && (!x.missing || a < b);
	return order ? (order < 0) != reverse : a < b;
}

static void check_order(size_t column, bool reverse)
{
	for (uint64_t at = 2; at + 2 < rows_count(&rows); at++)
		ck_assert(in_order(column, reverse, rows_row(&rows, at) - 2,
		                   rows_row(&rows, at + 1) - 2));
}

static const uint64_t sizes[] = { 0, 1, 2, 3, 8, 100, 1000 };

START_TEST(sorts_by_any_column)
{
	for (size_t column = 0; column < 3; column++) {
		unmake();
		make(sizes[_i]);
		for (size_t i = 0; i <= column; i++)
			ck_assert(rows_choose(&rows, 1));
		ck_assert(rows_sort(&rows, false));
		finish();
		ck_assert_uint_eq(rows_count(&rows), sizes[_i] + 3);
		check_order(column, false);
		unmake();
		make(sizes[_i]);
		for (size_t i = 0; i < 3 - column; i++)
			ck_assert(rows_choose(&rows, -1));
		ck_assert(rows_sort(&rows, true));
		finish();
		check_order(column, true);
	}
}
END_TEST

START_TEST(heading_shows_the_sort)
{
	ck_assert_str_eq(text_at(1), "Row Rest Name");
	rows_choose(&rows, 1);
	rows_choose(&rows, 1);
	ck_assert_str_eq(text_at(1), "Row Rest Name");
	ck_assert(rows_sort(&rows, false));
	ck_assert_str_eq(text_at(1), "Row Rest^Name");
	ck_assert(rows_sort(&rows, true));
	ck_assert_str_eq(text_at(1), "Row RestvName");
	ck_assert(rows_sort(&rows, true));               /* and back */
	rows_choose(&rows, 1);
	ck_assert_str_eq(text_at(1), "Row Rest^Name");
	ck_assert(rows_sort(&rows, false));
	ck_assert_str_eq(text_at(1), "Row Rest Name^");
}
END_TEST

/* Bytes [begin, end) of the heading that are marked as the chosen column; "" if none. */
static const char *chosen_heading(void)
{
	static struct line line;
	static char text[64];

	rows_line(&rows, 1, 0, &line);
	text[0] = '\0';
	for (size_t i = 0; i < line.segs.len; i++) {
		const struct seg *seg = &line.segs.at[i];

		if (seg->role == ROLE_STRONG)
			snprintf(text, sizeof text, "%.*s", (int)(seg->end - seg->begin),
			         line.text.text + seg->begin);
	}
	return text;
}

/* The sign of the sort has more bytes than the blank below it: what follows stays marked. */
START_TEST(marks_move_with_the_sign)
{
	glyphs_start(false);
	ck_assert_uint_gt(strlen(glyph(GLYPH_UPWARD)), 1);
	rows_choose(&rows, 1);
	rows_choose(&rows, 1);
	ck_assert(rows_sort(&rows, false));
	ck_assert_str_eq(chosen_heading(), "Rest");
	rows_choose(&rows, 1);
	ck_assert_str_eq(chosen_heading(), "Name");
	rows_choose(&rows, -1);
	rows_choose(&rows, -1);
	ck_assert_str_eq(chosen_heading(), "Row");
}
END_TEST

/* A heading that is part of another one is not marked there. */
static const struct col alike[] = {
	{ "op", "Op", .kind = COL_TEXT }, { "node", "Node", .kind = COL_TEXT },
	{ "time", "Time", .kind = COL_COUNT }, { "time_again", "Time", .kind = COL_COUNT },
	{ "dropped", "Host", .kind = COL_COUNT }, { "nodes", "Nodes", .kind = COL_COUNT },
	{ "op_time", "Op Time", .kind = COL_COUNT },
};
static const char *const heads_alike[] = {
	"Nodes Op Time  Time  Host_Node  Node  Op^ Time",
	"Nodes Op Time  Time  Host_Node  Node^ Op  Time",
	"Nodes Op Time  Time^ Host_Node  Node  Op  Time",
	"Nodes Op Time  Time  Host_Node  Node  Op  Time^",
	"Nodes Op Time  Time  Host_Node  Node  Op  Time",
	"Nodes^Op Time  Time  Host_Node  Node  Op  Time",
	"Nodes Op Time^ Time  Host_Node  Node  Op  Time",
};

static const struct col *alike_columns(struct body *unused, size_t *n)
{
	(void)unused;
	*n = ROWS(alike);
	return alike;
}

START_TEST(headings_are_whole_words)
{
	static struct body_kind kind;

	unmake();
	kind = table_kind;
	kind.columns_of = alike_columns;
	body = mem_alloc(sizeof *body);
	body->body.kind = &kind;
	doc = doc_new();
	doc_line_put(doc, ROLE_PLAIN, "Nodes Op Time  Time  Host_Node  Node  Op  Time");
	doc_body(doc, &body->body);
	rows_show(&rows, doc);
	rows.sort.column = (size_t)_i;
	ck_assert(rows_sort(&rows, false));
	ck_assert_str_eq(text_at(0), heads_alike[_i]);
}
END_TEST

START_TEST(sorted_and_filtered)
{
	rows_choose(&rows, -1);
	ck_assert(rows_sort(&rows, true));
	finish();
	ck_assert(rows_filter_live(&rows, "Node", REGEX_SMART, &err));
	finish();
	ck_assert_uint_eq(rows_count(&rows), 3 + 34);
	check_order(2, true);
	for (uint64_t at = 0; at < rows_count(&rows); at++)
		ck_assert_uint_eq(rows_at(&rows, rows_row(&rows, at)), at);
	ck_assert(rows_filter_live(&rows, NULL, REGEX_SMART, &err));
	finish();
	ck_assert_uint_eq(rows_count(&rows), 103);
	check_order(2, true);
	body->rows = 120;
	rows_work(&rows, 0);
	finish();
	ck_assert_uint_eq(rows_count(&rows), 123);
	check_order(2, true);
}
END_TEST

/* Chosen again in another document of the same kind: the same rows, in the same order. */
START_TEST(choices_are_made_again)
{
	struct row_choice choice = {0};
	struct rows again = {0};
	uint64_t all;

	ck_assert(rows_filter_live(&rows, "^[1-4]", REGEX_SMART, &err));
	rows_filter_keep(&rows);
	ck_assert(rows_filter_live(&rows, "!NODE", REGEX_IGNORE, &err));
	rows_filter_keep(&rows);
	ck_assert(rows_filter_live(&rows, "!node", REGEX_HEED, &err));
	rows_filter_keep(&rows);
	ck_assert(rows_filter_drop(&rows) && rows_filter_drop(&rows));
	ck_assert(rows_filter_live(&rows, "!node", REGEX_HEED, &err));
	rows_filter_keep(&rows);
	ck_assert(rows_filter_live(&rows, "typed", REGEX_HEED, &err));
	ck_assert(rows_choose(&rows, 1) && rows_choose(&rows, 1));
	ck_assert(rows_sort(&rows, true));
	ck_assert(rows_choose(&rows, 1));
	rows_choice(&rows, &choice);
	ck_assert(rows_filter_live(&rows, NULL, REGEX_HEED, &err));
	finish();

	rows_show(&again, doc);
	rows_choose_again(&again, &choice);
	while (rows_work(&again, 7))
		;
	ck_assert_uint_eq(rows_kept(&again, &all), 14);  /* 3, 12, 15 ... 48: "Node" */
	ck_assert_uint_eq(rows_count(&again), rows_count(&rows));
	for (uint64_t at = 0; at < rows_count(&rows); at++)
		ck_assert_uint_eq(rows_row(&again, at), rows_row(&rows, at));
	ck_assert(again.sort.reverse && again.sort.by == 1 && again.sort.column == 2);
	ck_assert(rows_filter_drop(&again) && rows_filter_drop(&again) &&
	          !rows_filter_drop(&again));
	rows_choice(&again, &choice);
	ck_assert_uint_eq(choice.filters.len, 0);
	rows_release(&again);
	row_choice_release(&choice);
}
END_TEST

/* Depths of a tree's rows; what is no part of it has 0. */
static const uint32_t depths[] = { 1, 2, 3, 3, 2, 1, 1, 2, 0 };
enum { N_DEPTHS = ROWS(depths) };

static uint32_t tree_depth(struct body *tree, uint64_t row)
{
	(void)tree;
	return depths[row];
}

/*
 * Keys, each at a row of the body: ',' '.' fold and unfold, 'E' 'C' all. Then the rows that show,
 * and what is below them.
 */
static const struct { const char *keys, *shows; } folds[] = {
	{ "", "0 1 2 3 4 5 6 7 8" },
	{ ",1", "0 1+2 4 5 6 7 8" },
	{ ",2", "0 1+2 4 5 6 7 8" },             /* has no subtree: what it belongs to */
	{ ",1,1", "0+4 5 6 7 8" },               /* again: one more */
	{ ",1,0", "0+4 5 6 7 8" },
	{ ",1,0.0", "0 1+2 4 5 6 7 8" },         /* what was folded in it still is */
	{ ",1,0.0.1", "0 1 2 3 4 5 6 7 8" },
	{ ",5", "0 1 2 3 4 5 6 7 8" },
	{ ",8", "0 1 2 3 4 5 6 7 8" },
	{ ".3.8", "0 1 2 3 4 5 6 7 8" },
	{ ",6", "0 1 2 3 4 5 6+1 8" },
	{ "C0", "0+4 5 6+1 8" },
	{ "C0.0", "0 1+2 4 5 6+1 8" },
	{ "C0.0.1,6", "0 1 2 3 4 5 6+1 8" },
	{ "C0.0,0", "0+4 5 6+1 8" },
	{ ",1,6E0", "0 1 2 3 4 5 6 7 8" },
};

static void put_shown(struct str *out)
{
	for (uint64_t at = 2; at + 1 < rows_count(&rows); at++) {
		const char *mark = strstr(text_at(at), " [+");

		str_fmt(out, "%s%llu", at > 2 ? " " : "",
		        (unsigned long long)rows_row(&rows, at) - 2);
		if (mark)
			str_fmt(out, "+%.*s", (int)strcspn(mark + 3, "]"), mark + 3);
	}
}

START_TEST(subtrees_fold)
{
	static struct body_kind kind;
	struct row_choice choice = {0};
	struct str shown = {0};

	unmake();
	make(N_DEPTHS);
	kind = table_kind;
	kind.depth = tree_depth;
	body->body.kind = &kind;
	for (const char *key = folds[_i].keys; *key; key += 2) {
		uint64_t row = (uint64_t)(key[1] - '0') + 2;

		if (*key == ',')
			rows_fold(&rows, row);
		else if (*key == '.')
			rows_unfold(&rows, row);
		else
			ck_assert_uint_le(rows_fold_all(&rows, *key == 'C', row), row);
		finish();
	}
	put_shown(&shown);
	ck_assert_str_eq(str_text(&shown), folds[_i].shows);
	rows_choice(&rows, &choice);
	rows_show(&rows, doc);
	rows_choose_again(&rows, &choice);
	finish();
	str_reset(&shown);
	put_shown(&shown);
	ck_assert_str_eq(str_text(&shown), folds[_i].shows);
	ck_assert(rows_filter_live(&rows, "!^2", REGEX_SMART, &err));
	finish();
	ck_assert(rows_at(&rows, 4) == rows_at(&rows, 5));       /* row 2 doesn't show */
	row_choice_release(&choice);
	str_release(&shown);
}
END_TEST

START_TEST(text_is_no_table)
{
	struct doc *text = doc_new();

	doc_line_put(text, ROLE_PLAIN, "one");
	doc_line_put(text, ROLE_PLAIN, "two");
	rows_show(&rows, text);
	ck_assert(!rows_choose(&rows, 1));
	ck_assert(!rows_sort(&rows, false));
	ck_assert(rows_filter_live(&rows, "tw", REGEX_SMART, &err));
	finish();
	ck_assert_uint_eq(rows_count(&rows), 1);
	ck_assert_str_eq(text_at(0), "two");
	rows_show(&rows, NULL);
	ck_assert_uint_eq(rows_count(&rows), 0);
	ck_assert(!rows_work(&rows, 10));
	doc_free(text);
}
END_TEST

SUITE_MAIN("rows",
	tcase_add_checked_fixture(t, make_hundred, unmake);
	tcase_add_loop_test(t, filters_stack, 0, ROWS(filters));
	tcase_add_test(t, filters_go_one_by_one);
	tcase_add_test(t, filters_show_what_they_have);
	tcase_add_loop_test(t, letters_narrow_a_filter, 0, ROWS(typing));
	tcase_add_test(t, a_wider_filter_looks_anew);
	tcase_add_test(t, a_grid_keeps_its_heading);
	tcase_add_loop_test(t, sorts_by_any_column, 0, ROWS(sizes));
	tcase_add_test(t, heading_shows_the_sort);
	tcase_add_test(t, marks_move_with_the_sign);
	tcase_add_loop_test(t, headings_are_whole_words, 0, ROWS(alike));
	tcase_add_test(t, sorted_and_filtered);
	tcase_add_test(t, choices_are_made_again);
	tcase_add_loop_test(t, subtrees_fold, 0, ROWS(folds));
	tcase_add_test(t, text_is_no_table);)
