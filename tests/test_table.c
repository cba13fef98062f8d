/* Tables: as many columns as there are, made row by row. */
#include "tests/suite.h"

#include <string.h>

#include "cmds/doc/call.h"
#include "cmds/doc/table.h"

enum { N_COLUMNS = 100, N_ROWS = 3 };

struct asked {
	uint64_t row;                    /* the latest */
	size_t cells;
};

static void get(void *context, uint64_t row, int id, struct cell *cell)
{
	struct asked *asked = context;

	ck_assert_uint_ge(row, asked->row);
	asked->row = row;
	asked->cells++;
	cell->whole = id % 2 ? (int64_t)row + id : 0;
	if (id == 98)
		cell_str(cell, "0!");
}

START_TEST(columns_have_no_limit)
{
	struct col cols[N_COLUMNS];
	struct asked asked = {0};
	struct doc *doc = doc_new();
	struct call call = { .out = doc };
	struct line line = {0};
	struct table *table;

	for (int i = 0; i < N_COLUMNS; i++)
		cols[i] = (struct col){ .key = "c", .heading = "C", .kind = COL_COUNT, .id = i };
	table = TABLE_OF(doc, cols, get, &asked);
	table->n_rows = N_ROWS;
	table_show(&call, table);
	ck_assert_uint_eq(asked.cells, N_ROWS * (N_COLUMNS - 1));
	ck_assert_uint_eq(doc_rows(doc), 1 + N_ROWS);
	ck_assert(doc_line(doc, 3, 0, &line));
	ck_assert_msg(!strncmp(line.text.text, "0  3  0  5  0", 13), "%s", line.text.text);
	ck_assert_msg(strstr(line.text.text, "99  0!  101"), "%s", line.text.text);
	line_release(&line);
	doc_free(doc);
}
END_TEST

SUITE_MAIN("table",
	tcase_add_test(t, columns_have_no_limit);
)
