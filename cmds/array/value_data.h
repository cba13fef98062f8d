#ifndef CMDS_VALUE_DATA_H
#define CMDS_VALUE_DATA_H

#include "cmds/doc/data.h"
#include "cmds/doc/doc.h"
#include "dump/model/value.h"

/*
 * The typed answer about one value (pt, ev): where it comes from, dtype, shape, state, and all its
 * elements as nested lists, which are read while they are written. CSV has only the elements, the
 * last axis across, the others down.
 */
struct value_source_text {
	const char *key;         /* "tensor", "debug_op", "expression" */
	const char *text;
};

struct value_data {
	struct view view;        /* its value must live as long as the document */
	const char *slice;       /* NULL: none */
	int64_t dump;            /* number of the dump; -1: none */
	int64_t time_us;         /* after the start of the run; -1: none */
	struct value_source_text from[2];
	bool is_array;           /* of a file of arrays: */
	const char *op, *device;
	const char *full_name;   /* NULL: none but the tensor's */
	int64_t size_bytes;      /* -1: unknown */
	/*
	 * Puts other keys instead of those above, dtype and shape; NULL: none. False with *err:
	 * something can't be read.
	 */
	bool (*put_row)(const void *row, struct data *data, struct err *err);
	const void *row;
	bool with_summary;
};

/*
 * Only the elements of an array, for CSV: a list with one list for each row along the last axis.
 * False with *err if they can't be read or written, or after a cancel; lists may then be open.
 */
bool value_put_table(struct view *view, struct data *data, struct progress *progress,
                     struct err *err);

/* The keys of source, slice, dtype and shape, into an open object. */
bool value_put_head(const struct value_data *d, struct data *data, struct err *err);

/* A doc_put_data; context is a struct value_data. */
bool value_put_data(void *context, struct data *data, struct progress *progress, struct err *err);

#endif
