#ifndef CMDS_NP_H
#define CMDS_NP_H

#include "cmds/array/ndarray.h"
#include "cmds/array/reduce.h"
#include "cmds/array/ufunc.h"

/*
 * The functions of numpy and Python that expressions may call: their kernels, one family a file
 * (np_*.c), and the steps that kernels are made of. function.c has the table of names.
 *
 * A kernel gets its arguments in the order of its parameters; NULL stands for one that was not
 * given, and for None where the parameter is optional. Its result is kept by the workspace
 * (ws_keep), or is one of its arguments, and the caller releases the workspace to its mark:
 * kernels free nothing. NULL: the error is in ws->err.
 */
#define NP_ARGS 12

struct np_call {
	struct workspace *ws;
	const char *name;        /* of the function, for errors */
	int which;               /* from the table: tells functions of one kernel apart */
	struct ndarray *at[NP_ARGS + 1];         /* the last one is NULL */
	const char *parameter[NP_ARGS];          /* names, each up to the first other character */
};

typedef struct ndarray *np_kernel(struct np_call *c);

/* X(kernel) */
#define NP_KERNELS(X) \
	X(unary) X(binary) X(clip) X(round) X(nan_to_num) X(real) X(imag) X(isclose) X(allclose) \
	X(array_equal) X(where) X(isin) X(in1d) X(angle) X(not) \
	X(reduction) X(nan_reduction) X(ptp) X(cumulate) X(average) X(diff) \
	X(median) X(percentile) \
	X(sort) X(argsort) X(unique) X(searchsorted) X(digitize) \
	X(histogram) X(bincount) X(nonzero) X(flatnonzero) X(argwhere) X(unravel_index) \
	X(ravel_multi_index) \
	X(transpose) X(reshape) X(ravel) X(squeeze) X(expand_dims) X(swapaxes) \
	X(moveaxis) X(flip) X(roll) X(tile) X(repeat) X(take) X(broadcast_to) X(atleast) \
	X(concatenate) X(stack) X(join_rows) X(diagonal) X(diag) X(trace) X(triangle) X(copy) \
	X(size) X(shape) X(ndim) X(bytes) \
	X(array) X(filled) X(filled_like) X(arange) X(linspace) X(eye) X(dtype) X(dtype_of) \
	X(astype) X(item) X(tolist) \
	X(norm) X(matmul) X(dot) X(inner) X(outer) \
	X(len) X(abs_of) X(extreme_of) X(sum_of) X(round_of) X(number_of) X(truth_of) X(truths_of) \
	X(list_of) X(sorted_of)

#define X(name) np_kernel np_##name;
NP_KERNELS(X)
#undef X

/*
 * Steps. All results are kept by the workspace. With a NULL operand the result is NULL, so steps
 * can be nested and only the outcome has to be checked.
 */
struct ndarray *np_apply(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a);
struct ndarray *np_apply2(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                          const struct ndarray *b);
struct ndarray *np_to(struct workspace *ws, const struct ndarray *a, enum dtype dtype);
/* A contiguous copy that nothing else shares. */
struct ndarray *np_copy_as(struct workspace *ws, const struct ndarray *a, enum dtype dtype);
struct ndarray *np_int(struct workspace *ws, int64_t whole);
struct ndarray *np_float(struct workspace *ws, double real);
struct ndarray *np_flat(struct workspace *ws, const struct ndarray *a);  /* one axis; contiguous */
struct ndarray *np_contiguous(struct workspace *ws, const struct ndarray *a);
struct ndarray *np_view(struct workspace *ws, const struct ndarray *a);
struct ndarray *np_reshaped(struct workspace *ws, const struct ndarray *a,
                            const struct shape *shape);
struct ndarray *np_reduce(struct workspace *ws, enum reduction reduction, const struct ndarray *a,
                          const struct reduce_axes *axes);
/* Squares of absolute values. */
struct ndarray *np_squares(struct workspace *ws, const struct ndarray *x);
struct ndarray *np_choose(struct workspace *ws, const struct ndarray *condition,
                          const struct ndarray *a, const struct ndarray *b);
struct ndarray *np_new(struct workspace *ws, enum dtype dtype, const struct shape *shape);
struct ndarray *np_masked(struct workspace *ws, const struct ndarray *a,
                          const struct ndarray *mask);
struct ndarray *np_part(struct workspace *ws, const struct ndarray *a, uint32_t axis, int64_t begin,
                        int64_t end, int64_t step);      /* a view */
/* ufunc(element, the one before it) for each element along an axis except the first. */
struct ndarray *np_neighbours(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                              uint32_t axis);
/* A view with one axis moved to the end; np_axis_back moves the last one back there. */
struct ndarray *np_axis_last(struct workspace *ws, const struct ndarray *a, uint32_t axis);
struct ndarray *np_axis_back(struct workspace *ws, const struct ndarray *a, uint32_t axis);
/* Filled with one number. */
struct ndarray *np_full(struct workspace *ws, enum dtype dtype, const struct shape *shape,
                        const struct ndarray *value);
/* A tuple of n arrays, which may be kept ones. */
struct ndarray *np_tuple(struct workspace *ws, struct ndarray *const *items, size_t n);
struct ndarray *np_as_scalar(struct ndarray *a);         /* if of rank 0, as functions return */
/* All of them joined along an axis that exists. */
struct ndarray *np_joined(struct workspace *ws, struct ndarray *const *arrays, size_t n,
                          uint32_t axis);

/* Truth values. np_equal_lists: a == b for lists and tuples in Python. False: an error. */
bool np_equal_lists(struct workspace *ws, const struct ndarray *a, const struct ndarray *b,
                    bool *equal);
bool np_truth(struct workspace *ws, const struct ndarray *a, bool *truth);
bool np_any(struct workspace *ws, const struct ndarray *a, bool *any);

/* Arguments. np_index: of the one with this name; NP_ARGS: none. */
size_t np_index(const struct np_call *c, const char *name);
bool np_get_int(struct np_call *c, size_t i, int64_t *out);      /* *out stays if not given */
bool np_get_float(struct np_call *c, size_t i, double *out);
bool np_get_bool(struct np_call *c, size_t i, bool *out);
bool np_get_dtype(struct np_call *c, size_t i, enum dtype *out);
/* An int, or a sequence of at most `room` ints. */
bool np_get_ints(struct np_call *c, size_t i, int64_t *out, uint32_t room, uint32_t *n);
/* x.f((1, 0)) is x.f(1, 0): a tuple whose only item is a sequence is replaced by that item. */
void np_unpack(struct np_call *c, size_t i);
bool np_get_shape(struct np_call *c, size_t i, struct shape *out);
/* The parameters axis and keepdims, if the function has them. */
bool np_get_axes(struct np_call *c, struct reduce_axes *out);
/* "Unsupported expression: what of np.f" */
void *np_refuse(struct np_call *c, const char *what);

/* The dtype meant by a dtype, a class or a str ("float32", "f4"). False: unknown. */
bool np_read_dtype(const struct ndarray *a, enum dtype *out);
/* The dtype of a name: "float32", "int". False: none. */
bool np_dtype_of_name(const char *name, enum dtype *dtype);

#endif
