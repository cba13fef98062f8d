#ifndef CMDS_REDUCE_H
#define CMDS_REDUCE_H

#include "cmds/array/ndarray.h"

/*
 * Reductions over some or all axes, equal to numpy's to the last bit: float sums are pairwise, in
 * chunks of 8192, along contiguous memory, and in order across it.
 * Types   sum and prod of bools and integers: int64 or uint64; their mean, var and std: float64;
 *         otherwise the array's own. Complex numbers are ordered by real part, then imaginary part.
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
	enum dtype dtype;                /* for sum, prod, mean, std, var; 0: as above */
	double ddof;                     /* of std and var */
};

/*
 * Marks the axes to reduce, and counts the elements that go into one result. A single element may
 * be reduced along axis 0 alone.
 */
bool reduce_read_axes(struct workspace *ws, const struct ndarray *a, const struct reduce_axes *axes,
                      bool *reduced, uint64_t *n);

/* The type of sums and products, unless another is asked for. */
enum dtype reduce_sum_type(const struct dtype_info *type);

/* The squares of absolute values that variances add up. */
struct ndarray *reduce_squares(struct workspace *ws, const struct ndarray *a);

/* The result is a scalar if no axis is left. */
struct ndarray *reduce(struct workspace *ws, enum reduction reduction, const struct ndarray *a,
                       const struct reduce_axes *axes);

#endif
