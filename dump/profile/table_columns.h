#ifndef DUMP_TABLE_COLUMNS_H
#define DUMP_TABLE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/text.h"
#include "dump/format/cells.h"

/*
 * What the headings of a GPU profiler's table mean, whatever the order of its columns: each tool
 * has words of its own for the same things. A heading may have a unit in parentheses, "Start (ns)";
 * columns that nobody knows are passed over.
 */
enum table_tool { TOOL_NVPROF, TOOL_NSYS, TOOL_ROCPROF, N_TABLE_TOOLS };

enum table_field {
	FIELD_NONE,
	FIELD_NAME, FIELD_START, FIELD_LENGTH, FIELD_END, FIELD_DISPATCH, FIELD_CORRELATION,
	FIELD_INDEX, FIELD_PROCESS, FIELD_DEVICE, FIELD_STREAM, FIELD_QUEUE, FIELD_BYTES,
	/* In blocks; "(8 4 1)" in one cell, or a cell each. */
	FIELD_GRID, FIELD_GRID_X, FIELD_GRID_Y, FIELD_GRID_Z,
	/* In threads; one number, or a cell each. */
	FIELD_THREADS, FIELD_THREADS_X, FIELD_THREADS_Y, FIELD_THREADS_Z,
	FIELD_BLOCK, FIELD_BLOCK_X, FIELD_BLOCK_Y, FIELD_BLOCK_Z,
	FIELD_REGS, FIELD_STATIC, FIELD_DYNAMIC,
	/* Of copies. */
	FIELD_DIRECTION, FIELD_SOURCE, FIELD_TARGET,
	/* Of totals; three words for calls tell what they are of. */
	FIELD_SECTION, FIELD_TOTAL, FIELD_CALLS, FIELD_INSTANCES, FIELD_OPERATIONS, FIELD_MEAN,
	FIELD_LEAST, FIELD_MOST,
	/* Signs of tables without kernels. */
	FIELD_METRIC, FIELD_FUNCTION,
	N_TABLE_FIELDS
};

enum table_form {
	FORM_NONE,
	FORM_RECORDS,            /* kernels and copies, by their names */
	FORM_DISPATCHES,         /* kernels */
	FORM_COPIES,
	FORM_SECTIONS,           /* totals of nvprof: kernels, copies and calls of an API */
	FORM_KERNEL_TOTALS,
	FORM_COPY_TOTALS,
	FORM_BOTH_TOTALS,        /* of kernels and copies, by category */
	FORM_STATS,              /* totals of rocprof: the name of the file says of what */
	FORM_CALLS,              /* of an API: no kernels */
	FORM_METRICS,            /* of nvprof */
	FORM_COUNTERS            /* of rocprof, without times */
};

/* A value times 10^power * 2^shift is in ns or bytes. */
struct table_unit {
	int8_t power;
	uint8_t shift;
	bool is_share;           /* "%" */
};

struct table_columns {
	enum table_tool tool;
	enum table_form form;
	size_t n;                                /* cells of a row */
	uint8_t at[N_TABLE_FIELDS];              /* 1 + the cell of a field; 0: there is none */
	struct table_unit unit[CELLS_MOST];
};

/* Reads the cells of a line as headings. False: they are none of any table that is known. */
bool table_columns_read(struct table_columns *columns, const struct cells *cells);
/* Is it nvprof's line of units, "ms,us,,,B"? Then they are taken. */
bool table_columns_take_units(struct table_columns *columns, const struct cells *cells);

/* The cell of a field: NULL if there is no such column, or nothing in it: "" or "-". */
const struct text *table_cell(const struct table_columns *columns, const struct cells *cells,
                              enum table_field field);
/* Its number in ns or bytes, rounded half up; a unit behind it, "1.5us", wins. False: none. */
bool table_number(const struct table_columns *columns, const struct cells *cells,
                  enum table_field field, int64_t *out);

#endif
