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
 * Typed answers, written value by value as JSON or CSV. Bytes that are not UTF-8 become \udcXX, NaN
 * and infinities become texts, integers are exact. CSV is a table: a list of objects gives a
 * heading of keys and a row for each object, a single object gives one row, a list of lists gives
 * rows without a heading. Anything nested deeper is JSON text in its cell.
 */
enum data_format { DATA_JSON, DATA_CSV };

struct data {
	FILE *out;
	enum data_format format;
	struct str text;                 /* buffered, not written yet */
	VEC(char) open;                  /* '[' or '{' for each open list or object */
	bool first;                      /* the innermost one is still empty */
	int write_errno;                 /* why something could not be written; 0: nothing failed */
	/* CSV only. */
	struct str cell, row, heading;
	bool heading_done;
	bool heading_given;              /* the heading came from data_rows */
	bool any_cell;                   /* in this row */
};

/* out NULL: what is written stays in data->text until data_finish. */
void data_open(struct data *data, enum data_format format, FILE *out);
bool data_finish(struct data *data);     /* false if something could not be written */

void data_list(struct data *data);
/* The outermost list, of objects with these keys, "name,size"; an empty one has a CSV heading. */
void data_rows(struct data *data, const char *keys);
void data_object(struct data *data);
void data_end(struct data *data);        /* closes the innermost list or object */
/* Closes all that is open inside the first depth ones; a key that has no value yet gets null. */
void data_close(struct data *data, size_t depth);
void data_key(struct data *data, const char *key);

void data_null(struct data *data);
void data_int_or_null(struct data *data, int64_t value);  /* negative: null */
void data_bool(struct data *data, bool value);
void data_literal(struct data *data, const char *text);   /* what is JSON already: 1, true, null */
void data_int(struct data *data, int64_t value);
void data_uint(struct data *data, uint64_t value);
void data_float(struct data *data, double value, int bits);      /* bits: 16, 32, 64 */
void data_text(struct data *data, const char *text, size_t len);
void data_str(struct data *data, const char *text);              /* NULL: null */
void data_ints(struct data *data, const int64_t *values, size_t n);     /* a list */
/* One element of an array, complex ones as [re, im]. Not for strings. */
void data_elem(struct data *data, const struct dtype_info *type, const void *elem);

#endif
