/* Tables of figures: as many columns as there are, made row by row. */
#include "tests/suite.h"

#include <string.h>

#include "cmds/doc/call.h"
#include "cmds/doc/columns.h"

enum { N_COLUMNS = 100, N_ROWS = 3 };

struct asked {
	uint64_t row;                    /* the latest */
	size_t cells;
};

static void put(void *context, uint64_t row, size_t column, struct str *out)
{
	struct asked *asked = context;

	ck_assert_uint_ge(row, asked->row);
	asked->row = row;
	asked->cells++;
	str_fmt(out, "%d", column % 2 ? (int)(row + column) : 0);
	if (column == 98)
		str_puts(out, "!");
}

START_TEST(columns_have_no_limit)
{
	struct column columns[N_COLUMNS];
	struct asked asked = {0};
	struct columns_source source = { .context = &asked, .n_rows = N_ROWS, .columns = columns, .n_columns = N_COLUMNS,
	                                 .put = put };
	struct doc *doc = doc_new();
	struct call call = { .out = doc };
	struct line line = {0};

	for (int i = 0; i < N_COLUMNS; i++)
		columns[i] = (struct column){ "c", "C", COLUMN_NUMBER };
	columns_put(&call, &source);
	ck_assert_uint_eq(asked.cells, N_ROWS * (N_COLUMNS - 1));
	ck_assert_uint_eq(doc_rows(doc), 1 + N_ROWS);
	ck_assert(doc_line(doc, 3, 0, &line));
	ck_assert_msg(!strncmp(line.text.text, "0  3  0  5  0", 13), "%s", line.text.text);
	ck_assert_msg(strstr(line.text.text, "99  0!  101"), "%s", line.text.text);
	line_release(&line);
	doc_free(doc);
}
END_TEST

SUITE_MAIN("columns",
	tcase_add_test(t, columns_have_no_limit);
)
