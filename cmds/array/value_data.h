#ifndef CMDS_VALUE_DATA_H
#define CMDS_VALUE_DATA_H

#include "cmds/doc/data.h"
#include "cmds/doc/doc.h"
#include "dump/model/value.h"

/*
 * The typed answer about one value (pt, ev): where it comes from, dtype, shape, state, and all its
 * elements as lists in lists, read as they are written. CSV has the elements alone, the last axis
 * across, the others down.
 */
struct value_source_text {
	const char *key;         /* "tensor", "debug_op", "expression" */
	const char *text;
};

struct value_data {
	struct view view;        /* its value must live as long as the document */
	const char *slice;       /* NULL: none */
	int64_t dump;            /* number of the dump; -1: none to tell */
	int64_t time_us;         /* after the start of the run; -1: none to tell */
	struct value_source_text from[2];
	/*
	 * Puts keys of its own in the place of these, of dtype and of shape; NULL: it has none.
	 * False with *err: they can't be read.
	 */
	bool (*put_row)(const void *row, struct data *data, struct err *err);
	const void *row;
	bool with_summary;
};

/*
 * The elements of an array alone, as CSV has them: a list of lists, one for each run of the last
 * axis. False with *err when they can't be read or written, or after a cancel; some lists may then
 * be open.
 */
bool value_put_table(struct view *view, struct data *data, struct progress *progress,
                     struct err *err);

/* The keys of where the value comes from, slice, dtype and shape, into an open object. */
bool value_put_head(const struct value_data *d, struct data *data, struct err *err);

/* A doc_put_data; context is a struct value_data. */
bool value_put_data(void *context, struct data *data, struct progress *progress, struct err *err);

#endif
