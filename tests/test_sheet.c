#include <string.h>

#include "cmds/table.h"
#include "tests/suite.h"
#include "tui/sheet.h"

static const struct key_scope in_table = { STYLE_MODERN, CONTEXT_TABLE };

static struct sheet sheet_of(struct key_scope scope, int rows, int cols)
{
	struct sheet sheet = {0};

	sheet_open(&sheet, scope, NULL);
	sheet_resize(&sheet, rows, cols);
	return sheet;
}

static bool has_key(const struct sheet *sheet, int key)
{
	struct str label = {0};
	bool has = false;

	key_label(&label, key);
	for (size_t i = 0; i < sheet->items.len; i++) {
		struct str keys = {0}, wanted = {0};

		str_fmt(&keys, ", %s, ", sheet->items.at[i].keys.text);
		str_fmt(&wanted, ", %s, ", label.text);
		has |= strstr(keys.text, wanted.text) != NULL;
		str_release(&keys);
		str_release(&wanted);
	}
	str_release(&label);
	return has;
}

START_TEST(each_key_that_counts_is_there)
{
	static const enum context contexts[] = {
		CONTEXT_PROMPT, CONTEXT_VIEW, CONTEXT_TABLE, CONTEXT_TREE,
	};
	struct key_scope scope = { STYLE_MODERN, contexts[_i] };
	struct sheet sheet = sheet_of(scope, 20, 80);

	for (size_t i = 0; i < n_keys; i++)
		ck_assert_msg(!key_counts(&key_table[i], scope) ||
		                      has_key(&sheet, key_table[i].key), "row %zu", i);
	for (size_t i = 0; i < sheet.items.len; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert(sheet.items.at[i].key != sheet.items.at[k].key);
	sheet_release(&sheet);
}
END_TEST

START_TEST(a_documents_keys_come_first)
{
	const struct doc_keys *keys = doc_keys_table[_i];
	struct sheet sheet = {0};
	struct doc *doc = doc_new();
	size_t n = 0;

	doc_bring_keys(doc, keys, NULL, NULL);
	sheet_open(&sheet, in_table, doc);
	for (size_t i = 0; i < keys->n; i++)
		if (keys->at[i].help)
			ck_assert(has_key(&sheet, keys->at[i].key));
	while (n < sheet.items.len && sheet.items.at[n].action == ACTION_NONE)
		ck_assert_int_eq(sheet.items.at[n++].group, KEYS_HERE);
	for (; n < sheet.items.len; n++)
		ck_assert_int_ne(sheet.items.at[n].action, ACTION_NONE);
	sheet_release(&sheet);
	doc_free(doc);
}
END_TEST

static const struct { int cols, n_columns; } widths[] = {
	{ 20, 1 }, { 63, 1 }, { 64, 2 }, { 119, 2 }, { 120, 3 }, { 300, 3 },
};
static const char *const some[] = {
	"", "a", "c", "d", "e", "f", "g", "m", "n", "o", "p", "r", "s", "t", "last row", "row",
	"zzz",
};

/* No two lines in one place, none outside of the columns, no heading at the end of one. */
START_TEST(lines_have_places_of_their_own)
{
	int w = _i % ROWS(widths), rows = _i / ROWS(widths) + 1;

	for (int s = 0; s < ROWS(some); s++) {
		struct sheet sheet = sheet_of(in_table, rows, widths[w].cols);

		ck_assert_int_eq(sheet.n_columns, widths[w].n_columns);
		sheet_narrow(&sheet, some[s]);
		for (size_t i = 0; i < sheet.lines.len; i++) {
			const struct sheet_line *line = &sheet.lines.at[i];

			ck_assert_int_lt(line->col, sheet.n_columns);
			for (size_t k = 0; k < i; k++)
				ck_assert(line->col != sheet.lines.at[k].col ||
				          line->row != sheet.lines.at[k].row);
			if (line->heading)
				ck_assert_int_eq(line[1].col, line->col);
		}
		sheet_release(&sheet);
	}
}
END_TEST

START_TEST(groups_have_one_heading_each)
{
	struct sheet sheet = sheet_of(in_table, 10, 80);
	size_t n = 0;

	for (size_t i = 0; i < sheet.lines.len; i++)
		n += sheet.lines.at[i].heading;
	ck_assert_uint_eq(n, N_KEY_GROUPS);
	sheet_release(&sheet);
}
END_TEST

static const struct { const char *typed; int key; /* 0: nothing fits */ } narrowed[] = {
	{ "", '<' }, { "sort", '<' }, { "SORT", '<' }, { "S", 'S' }, { "s", 's' },
	{ "last row", 'G' }, { "gg", K_PAIR('g', 'g') }, { "F10", K_F(10) }, { "ort", 0 },
	{ "zzz", 0 },
};

START_TEST(letters_narrow)
{
	struct sheet sheet = sheet_of(in_table, 20, 80);

	sheet_narrow(&sheet, narrowed[_i].typed);
	ck_assert_int_eq(sheet_chosen(&sheet) ? sheet_chosen(&sheet)->key : 0, narrowed[_i].key);
	sheet_move(&sheet, 1);
	sheet_move_column(&sheet, 1);
	sheet_narrow(&sheet, "");
	ck_assert_int_eq(sheet_chosen(&sheet)->key, '<');
	sheet_release(&sheet);
}
END_TEST

/* What is chosen always shows, and both ends are reached. */
START_TEST(the_choice_shows)
{
	struct sheet sheet = sheet_of(in_table, 5, 40);
	const struct sheet_item *last;

	for (size_t i = 0; i < sheet.items.len; i++) {
		const struct sheet_line *line = &sheet.lines.at[sheet.chosen];

		ck_assert(!line->heading);
		ck_assert_int_ge(line->row, sheet.top);
		ck_assert_int_lt(line->row, sheet.top + sheet.rows);
		sheet_move(&sheet, 1);
	}
	last = sheet_chosen(&sheet);
	ck_assert_ptr_eq(last, &sheet.items.at[sheet.items.len - 1]);
	sheet_move(&sheet, 1);
	ck_assert_ptr_eq(sheet_chosen(&sheet), last);
	sheet_move(&sheet, -1000);
	ck_assert_ptr_eq(sheet_chosen(&sheet), &sheet.items.at[0]);
	ck_assert_int_eq(sheet.top, 0);
	sheet_release(&sheet);
}
END_TEST

START_TEST(columns_are_beside_each_other)
{
	struct sheet sheet = sheet_of(in_table, 40, 80);
	int row = sheet.lines.at[sheet.chosen].row;

	sheet_move_column(&sheet, -1);
	ck_assert_int_eq(sheet.lines.at[sheet.chosen].col, 0);
	sheet_move_column(&sheet, 1);
	ck_assert_int_eq(sheet.lines.at[sheet.chosen].col, 1);
	ck_assert_int_le(abs(sheet.lines.at[sheet.chosen].row - row), 2);
	ck_assert_uint_eq(sheet_line_at(&sheet, sheet.lines.at[sheet.chosen].row - sheet.top, 45),
	                  sheet.chosen);
	ck_assert_uint_eq(sheet_line_at(&sheet, 1000, 0), sheet.lines.len);
	sheet_release(&sheet);
}
END_TEST

/* The item beside another is the nearest one, of two the upper one. */
START_TEST(the_nearest_is_beside)
{
	struct sheet sheet = sheet_of(in_table, 40, 80);

	for (size_t i = 0; i < sheet.lines.len; i++) {
		const struct sheet_line *from = &sheet.lines.at[i], *to;

		if (from->heading || from->col)
			continue;
		sheet_choose(&sheet, i);
		sheet_move_column(&sheet, 1);
		to = &sheet.lines.at[sheet.chosen];
		for (size_t k = 0; k < sheet.lines.len; k++) {
			const struct sheet_line *line = &sheet.lines.at[k];
			int nearer = abs(to->row - from->row) - abs(line->row - from->row);

			if (!line->heading && line->col == 1)
				ck_assert(nearer < 0 || (nearer == 0 && line->row >= to->row));
		}
	}
	sheet_release(&sheet);
}
END_TEST

SUITE_MAIN("sheet",
	tcase_add_test(t, the_nearest_is_beside);
	table_register();
	tcase_add_loop_test(t, each_key_that_counts_is_there, 0, 4);
	tcase_add_loop_test(t, a_documents_keys_come_first, 0, (int)n_doc_keys);
	tcase_add_loop_test(t, lines_have_places_of_their_own, 0, 8 * ROWS(widths));
	tcase_add_test(t, groups_have_one_heading_each);
	tcase_add_loop_test(t, letters_narrow, 0, ROWS(narrowed));
	tcase_add_test(t, the_choice_shows);
	tcase_add_test(t, columns_are_beside_each_other);)
