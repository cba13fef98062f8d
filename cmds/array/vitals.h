#ifndef CMDS_VITALS_H
#define CMDS_VITALS_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/model/value.h"

/*
 * What there is to know at a glance of a tensor, from one reading of it: is all of it finite, how
 * large is it, and how are its elements distributed.
 * Units   counts of elements; negative and positive are finite ones. A complex number is NaN if a
 *         part is, infinite by a part that is, zero if both are, never negative or positive. Bools
 *         and strings have counts 0.
 * min, max   of the finite elements, each an element of the tensor's type; of complex numbers,
 *         bools and strings there are none.
 * mean    of the same, in doubles.
 * bins    how many of the finite elements are in each eighth of the range from min to max, the
 *         last one with its end; where both are the same all are in the fifth (numpy.histogram).
 *         Bools are 0 and 1. Of complex numbers and strings there are none.
 */
enum vitals_state {
	VITALS_CLEAN,
	VITALS_BAD,              /* it holds NaN or Inf */
	VITALS_CANT_TELL,        /* no array was recorded: type and shape are all */
	VITALS_UNREADABLE,       /* what is not known is zero */
};
enum { VITALS_BINS = 8 };
struct vitals {
	enum vitals_state state;
	const struct dtype_info *type;   /* NULL: not known, nor are shape and size */
	uint32_t rank;
	const int64_t *dim;
	uint64_t size;           /* elements */
	uint64_t nan, neg_inf, pos_inf, negative, zero, positive;
	bool has_ends, has_bins;
	unsigned char min[16], max[16];
	double modulus;          /* of complex numbers the largest; -1: none is finite */
	double mean;             /* only if has_ends */
	uint64_t bins[VITALS_BINS];
};

/*
 * dim is the value's. False if the elements can't be read, the state is then VITALS_UNREADABLE; or
 * with ERR_CANCELLED. Checks progress for a cancel; does not advance it.
 */
bool vitals_of(struct value *value, struct vitals *out, struct progress *progress,
               struct err *err);
/* The same in one reading: without bins and mean. */
bool vitals_counts_of(struct value *value, struct vitals *out, struct progress *progress,
                      struct err *err);

/* Are its counts known? */
static inline bool vitals_is_told(const struct vitals *v)
{
	return v->state == VITALS_CLEAN || v->state == VITALS_BAD;
}

static inline uint64_t vitals_n_bad(const struct vitals *v)
{
	return v->nan + v->neg_inf + v->pos_inf;
}

/* The largest |x| of finite elements, of complex numbers the modulus. False: there is none. */
bool vitals_magnitude(const struct vitals *v, double *out);

/* ---- as texts, short enough for a column */

/* "nan 57 -inf 7", "ok", "?", "unreadable" */
void vitals_put_bad(struct str *out, const struct vitals *v);
void vitals_put_shape(struct str *out, const struct vitals *v);  /* "(64,10)", "(?,10)"; "?" */
/* At most 9 columns; "-": there is none, "?": it is not known. */
void vitals_put_end(struct str *out, const struct vitals *v, bool max);
/* "float32 (64,10)  -inf 64  min -82.43  max -0.4311"; counts only of what is bad */
void vitals_put_line(struct str *out, const struct vitals *v);
/*
 * The same with all counts, zeros and the mean. Where that is wider than cols, what there is none
 * of is left out.
 */
void vitals_put_summary(struct str *out, const struct vitals *v, int cols);
/*
 * The bins as signs, the fullest with the last; a blank is an empty bin, trailing ones are left
 * out. fine: blocks, else ASCII.
 */
void vitals_put_bins(struct str *out, const struct vitals *v, bool fine);

#endif
