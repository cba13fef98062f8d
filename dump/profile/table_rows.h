#ifndef DUMP_TABLE_ROWS_H
#define DUMP_TABLE_ROWS_H

#include "dump/base/str.h"
#include "dump/profile/table_columns.h"
#include "dump/profile/trace_source.h"

/* Rows of the tables of dump/profile/trace_table.h become records or totals of a trace. */
struct table_rows {
	struct trace *trace;
	const char *file_name;           /* of some totals it tells what they are of */
	struct table_columns columns;    /* of the table that is read */
	struct str process;              /* "": not known */
	unsigned seen;                   /* bits: enum table_form of the tables there were */
	/* Private. */
	enum table_form kind;            /* of the rows of FORM_SECTIONS and FORM_STATS */
	size_t told[3];                  /* by enum activity_kind: columns of its table of totals */
	struct str text;
};

/* A heading was read into columns. */
void table_rows_start(struct table_rows *rows);
/* A row, with as many cells as the heading. One that can't be used is counted. */
void table_rows_take(struct table_rows *rows, const struct cells *cells);
void table_rows_release(struct table_rows *rows);

#endif
