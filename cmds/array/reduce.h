#ifndef CMDS_REDUCE_H
#define CMDS_REDUCE_H

#include "cmds/array/ndarray.h"

/*
 * Reductions over some or all axes, to the last bit as numpy: float sums are pairwise in chunks of
 * 8192 along what lies together in memory, and one after the other across it.
 * Types   sum and prod of bool and whole numbers: int64 or uint64; mean, var, std of them:
 *         float64; otherwise the array's own. The extremes of complex numbers go by the real part
 *         first.
 * Source  numpy 1.21: core/_methods.py, umath/reduction.c, umath/loops_utils.h.src.
 * X(id, name)
 */
#define REDUCTIONS(X) \
	X(SUM, "sum") X(PROD, "prod") X(MEAN, "mean") X(STD, "std") X(VAR, "var") X(MIN, "min") \
	X(MAX, "max") X(ARGMAX, "argmax") X(ARGMIN, "argmin") X(ANY, "any") X(ALL, "all") \
	X(COUNT_NONZERO, "count_nonzero")

enum reduction {
#define X(id, name) REDUCE_##id,
	REDUCTIONS(X)
#undef X
};

/* Which axes are reduced; n 0: all of them, or none if `listed` is set. */
struct reduce_axes {
	uint32_t n;
	bool listed;
	int64_t axis[SHAPE_MAX_RANK];    /* negative ones count from the end */
	bool keepdims;
	enum dtype dtype;                /* to compute in: sum, prod, mean, std, var; 0: theirs */
	double ddof;                     /* of std and var */
};

/*
 * Marks the axes that are reduced, and counts the elements that go into one result. A single
 * element has an axis 0 if that is the only one asked for.
 */
bool reduce_read_axes(struct workspace *ws, const struct ndarray *a, const struct reduce_axes *axes,
                      bool *reduced, uint64_t *n);

/* The type of sums and products, if no other is asked for. */
enum dtype reduce_sum_type(const struct dtype_info *type);

/* The squares of absolute values, as variances add them up. */
struct ndarray *reduce_squares(struct workspace *ws, const struct ndarray *a);

/* The result is a scalar if no axis is left. */
struct ndarray *reduce(struct workspace *ws, enum reduction reduction, const struct ndarray *a,
                       const struct reduce_axes *axes);

#endif
