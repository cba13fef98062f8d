#ifndef DUMP_STATS_H
#define DUMP_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/value.h"

/*
 * Numeric summary of an array or of a slice of it, in passes over windows of its elements.
 * Shapes  any rank; rank 0 is one element; no elements gives total 0.
 * Units   counts of elements. min, max, mean and std are of the finite elements, in the tensor's
 *         unit.
 * Types   FLOAT (16, 32, 64 bits), SMALL_FLOAT, INT, UINT and BOOL; ERR_TYPE for the rest.
 * Source  bit for bit what numpy 1.21 gives: pairwise sums over chunks of 8192, population std
 *         (ddof 0).
 */
struct stats {
	/* n_neg, n_pos: finite ones */
	uint64_t total, n_nan, n_neg_inf, n_neg, n_zero, n_pos, n_pos_inf;
	uint64_t n_false, n_true;            /* BOOL only */
	uint64_t n_finite;
	/*
	 * Only if n_finite > 0 and not BOOL: an element each, of the tensor's type (at most 16
	 * bytes).
	 */
	union { unsigned char bytes[16]; double align; } min, max;
	/* In the type sums are kept in: float16, float32 as themselves, everything else float64. */
	enum dtype mean_type;
	double mean, std;                    /* exact: each value of mean_type is a double */
};

static inline uint64_t stats_n_bad(const struct stats *stats)
{
	return stats->n_nan + stats->n_neg_inf + stats->n_pos_inf;
}

/* numpy's pairwise sum of n numbers that lie together: at most 8192 at a time are summed so. */
float stats_sum32(const float *a, size_t n);
double stats_sum64(const double *a, size_t n);

bool stats_of(struct view *view, struct stats *out, struct progress *progress, struct err *err);
/* The same without mean and std, in one pass. */
bool stats_counts_of(struct view *view, struct stats *out, struct progress *progress,
                     struct err *err);

/*
 * tfdbg's has_inf_or_nan: float16/32/64 and complex only. False with err->code set if the value
 * can't be read, or ERR_CANCELLED of "command". Checks progress for a cancel. Does not advance it:
 * the caller counts tensors.
 */
bool has_inf_or_nan(struct value *value, struct progress *progress, struct err *err);

#endif
