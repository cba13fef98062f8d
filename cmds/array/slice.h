#ifndef CMDS_SLICE_H
#define CMDS_SLICE_H

#include <stdbool.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/model/value.h"

/* Splits "node:0[1, :]" at its "[": *slice is NULL when the word has no slice. Both in mem. */
void slice_cut(const char *word, struct arena *mem, const char **tensor, const char **slice);

/* Is it a slice? Errors as slice_apply, except those that depend on the array. */
bool slice_check(const char *slice, struct err *err);

/*
 * Applies "[1, :, ::2]" to *view (in place). *scalar: the slice picked one element (every axis by
 * an integer). Errors have Python's class as code and its text; *view is then as it was. As in
 * tfdbg, signs and "..." are not allowed.
 */
bool slice_apply(const char *slice, struct view *view, bool *scalar, struct err *err);

/* What a slice leaves of an axis: entry i was entry first + i * step; dropped: only `first`. */
struct slice_axis {
	bool dropped;
	int64_t first, step;
};

/*
 * One for each axis of an array of this shape. slice: one that slice_apply accepts; NULL: none.
 */
void slice_axes(const char *slice, const struct shape *shape, struct slice_axis *out);

#endif
