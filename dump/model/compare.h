#ifndef DUMP_COMPARE_H
#define DUMP_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/value.h"

/*
 * Two arrays of one type and shape, element by element: `now` against `before`. Both are read in
 * windows, so they may be larger than memory.
 *
 * Equal: the same number (-0.0 is 0.0), the same infinity, both NaN (unless nan_differs), or both
 * finite and |now - before| <= atol + rtol * |before|. Of complex numbers the moduli count, and one
 * with a NaN part is NaN. Bools and strings are the same or not, whatever the tolerances.
 */
struct tolerance {
	double atol, rtol;       /* at least 0 */
	bool nan_differs;
	bool by_type;            /* what elements of the type allow, in place of atol and rtol */
};

/* That for elements of a type, by_type resolved. */
struct tolerance tolerance_of(const struct tolerance *tolerance, const struct dtype_info *type);

struct compared {
	uint64_t total, n_diff;
	uint64_t n_bad;          /* of these: one side or both are NaN or infinite */
	uint64_t n_bits;         /* floats equal by value, or both NaN, whose bytes differ */
	uint64_t first;          /* row-major number of the first that differs, if n_diff */
	/* Over the pairs of finite numbers that differ; false: there are none. */
	bool measured;
	bool whole;              /* integers: max_abs is max_whole, which is exact */
	bool has_ulps;           /* floats */
	uint64_t max_whole;
	double max_abs;          /* infinite if it is beyond a double */
	double max_rel;          /* of |now - before| / |before|; before 0: infinite */
	uint64_t max_ulps;       /* steps from float to float of the type; none from -0.0 to 0.0 */
};

/*
 * Both views are of arrays (VALUE_ARRAY) of the same type and shape. False with *err when one can't
 * be read (err->src says which), ERR_CANCELLED after a cancel. Progress is in elements.
 */
bool compare_views(struct view *now, struct view *before, const struct tolerance *tolerance,
                   struct compared *out, struct progress *progress, struct err *err);

/* Do two elements of a type differ? Not for strings. */
bool elems_differ(const struct dtype_info *type, const void *now, const void *before,
                  const struct tolerance *tolerance);

#endif
