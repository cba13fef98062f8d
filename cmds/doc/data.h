#ifndef CMDS_DATA_H
#define CMDS_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/format/dtype.h"

/*
 * Typed answers, written as they come: nested values of lists and objects, as JSON or as CSV.
 * Text that is no UTF-8 keeps its bytes as \udcXX, NaN and infinities are texts, integers are
 * exact. CSV is a table: a list of objects gives a heading of keys and a row for each object, an
 * object alone is a single row, a list of lists gives rows without a heading; what lies deeper is
 * JSON text in a cell.
 */
enum data_format { DATA_JSON, DATA_CSV };

struct data {
	FILE *out;
	enum data_format format;
	struct str text;                 /* not written yet */
	VEC(char) open;                  /* '[' or '{' of what is open */
	bool first;                      /* nothing in the innermost yet */
	int write_errno;                 /* why something could not be written; 0: nothing failed */
	/* CSV only. */
	struct str cell, row, heading;
	bool heading_done;
	bool heading_given;              /* by data_rows */
	bool any_cell;                   /* in this row */
};

void data_start(struct data *data, enum data_format format, FILE *out);
bool data_finish(struct data *data);     /* false if something could not be written */

void data_list(struct data *data);
/* The outermost list, of objects with these keys ("name,size"): CSV has them even if none comes. */
void data_rows(struct data *data, const char *keys);
void data_object(struct data *data);
void data_end(struct data *data);        /* of the innermost list or object */
void data_key(struct data *data, const char *key);

void data_null(struct data *data);
void data_int_or_null(struct data *data, int64_t value);  /* null if it is negative */
void data_bool(struct data *data, bool value);
void data_int(struct data *data, int64_t value);
void data_uint(struct data *data, uint64_t value);
void data_float(struct data *data, double value, int bits);      /* shortest digits of 16, 32, 64 */
void data_text(struct data *data, const char *text, size_t len);
void data_str(struct data *data, const char *text);              /* NULL: null */
void data_ints(struct data *data, const int64_t *values, size_t n);     /* a list */
/* One element of an array; complex ones are [re, im]. Not for strings. */
void data_elem(struct data *data, const struct dtype_info *type, const void *elem);

#endif
