#ifndef CMDS_RANGES_H
#define CMDS_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/wide.h"
#include "dump/model/value.h"

/* Ranges to highlight, [[low, high], ...], both ends included. Source: tfdbg's parse_ranges. */
struct bound {
	bool is_int;             /* written as one, and compared as one with integer tensors */
	const char *type;        /* as it is written: what Python calls it */
	wide_int whole;          /* clamped, but beyond every 64-bit element */
	double real;
};
struct range {
	struct bound low, high;
};
struct ranges {
	struct range *at;
	size_t len;
};

/*
 * *out is in mem. Errors have Python's class as code and its text. "0,1e-8" without brackets works
 * here, unlike in tfdbg.
 */
bool ranges_parse(const char *text, struct arena *mem, struct ranges *out, struct err *err);

/*
 * Is the element in one of the ranges? Compared by the rules for its type: in that type, in double,
 * or exactly.
 */
bool ranges_hold(const struct ranges *ranges, const struct dtype_info *type, const void *elem);

/* Counts such elements of a view. ERR_TYPE for strings and quantised types, in Python's words. */
bool ranges_count(const struct ranges *ranges, struct view *view, uint64_t *hits,
                  struct progress *progress, struct err *err);

#endif
