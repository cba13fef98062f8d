#ifndef CMDS_SLICE_H
#define CMDS_SLICE_H

#include <stdbool.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/model/value.h"

/* Splits "node:0[1, :]" at its "[": *slice is NULL when the word has no slice. Both in mem. */
void slice_cut(const char *word, struct arena *mem, const char **tensor, const char **slice);

/* Is it a slice at all? Errors as slice_apply; what depends on the array is not looked at. */
bool slice_check(const char *slice, struct err *err);

/*
 * Applies "[1, :, ::2]" to *view (in place). *scalar: the slice picked one element (every axis by
 * an integer). Errors carry Python's class as code and its text; on an error *view is as it was. No
 * signs, no "...": tfdbg's rule.
 */
bool slice_apply(const char *slice, struct view *view, bool *scalar, struct err *err);

/* What is left of each axis: entry i was entry first + i * step; a dropped one is at first. */
struct slice_axis {
	bool dropped;
	int64_t first, step;
};

/*
 * One for each axis of an array of this shape, by a slice that slice_apply takes; NULL: no slice.
 */
void slice_axes(const char *slice, const struct shape *shape, struct slice_axis *out);

#endif
