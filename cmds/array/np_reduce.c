/* Reductions, those that leave nan out, and running sums. */
#include <math.h>

#include "cmds/array/np.h"
#include "cmds/array/promote.h"

static bool read_all(struct np_call *c, struct reduce_axes *axes)
{
	return np_get_axes(c, axes) && np_get_dtype(c, np_index(c, "dtype"), &axes->dtype) &&
	       np_get_float(c, np_index(c, "ddof"), &axes->ddof);
}

struct ndarray *np_reduction(struct np_call *c)
{
	struct reduce_axes axes;

	return read_all(c, &axes) ? np_reduce(c->ws, (enum reduction)c->which, c->at[0], &axes) :
	                            NULL;
}

struct ndarray *np_ptp(struct np_call *c)
{
	struct reduce_axes axes;

	if (!np_get_axes(c, &axes))
		return NULL;
	return np_apply2(c->ws, UFUNC_SUBTRACT, np_reduce(c->ws, REDUCE_MAX, c->at[0], &axes),
	                 np_reduce(c->ws, REDUCE_MIN, c->at[0], &axes));
}

/* Without nan. */

struct without {
	struct ndarray *a;       /* with another number where there was a nan */
	struct ndarray *is_nan;
	struct reduce_axes axes;
};

static struct ndarray *put(struct workspace *ws, const struct without *w, double number)
{
	struct ndarray *typed = np_to(ws, np_float(ws, number), w->a->type->dtype);
	struct ndarray *made = np_choose(ws, w->is_nan, typed, w->a);

	if (made)
		made->origin = w->a->origin;
	return made;
}

static struct ndarray *count_numbers(struct workspace *ws, const struct without *w,
                                     const struct reduce_axes *axes)
{
	struct reduce_axes as_int = *axes;

	as_int.dtype = DTYPE_INT64;
	return np_reduce(ws, REDUCE_SUM, np_apply(ws, UFUNC_INVERT, w->is_nan), &as_int);
}

/* A quotient in the type of the dividend. */
static struct ndarray *divided(struct workspace *ws, const struct ndarray *sum,
                               const struct ndarray *count)
{
	return sum ? np_to(ws, np_apply2(ws, UFUNC_DIVIDE, sum, count), sum->type->dtype) : NULL;
}

static struct ndarray *mean_without(struct workspace *ws, const struct without *w,
                                    const struct reduce_axes *axes)
{
	return divided(ws, np_reduce(ws, REDUCE_SUM, put(ws, w, 0), axes),
	               count_numbers(ws, w, axes));
}

static struct ndarray *var_without(struct workspace *ws, const struct without *w)
{
	struct ndarray *off, *square, *freedom, *var, *bad, *nan;
	struct without rest = *w;

	rest.axes.keepdims = true;
	off = np_apply2(ws, UFUNC_SUBTRACT, put(ws, w, 0), mean_without(ws, w, &rest.axes));
	rest.a = off ? np_to(ws, off, w->a->type->dtype) : NULL;
	off = rest.a ? put(ws, &rest, 0) : NULL;
	square = np_squares(ws, off);
	freedom = np_apply2(ws, UFUNC_SUBTRACT, count_numbers(ws, w, &w->axes),
	                    np_float(ws, w->axes.ddof));
	var = divided(ws, np_reduce(ws, REDUCE_SUM, square, &w->axes), freedom);
	bad = np_apply2(ws, UFUNC_LESS_EQUAL, freedom, np_int(ws, 0));
	nan = var ? np_to(ws, np_float(ws, NAN), var->type->dtype) : NULL;
	var = np_choose(ws, bad, nan, var);
	return np_as_scalar(var);
}

/* The extreme of what is no nan; nan where there is nothing else. */
static struct ndarray *extreme_without(struct workspace *ws, const struct without *w, bool is_max)
{
	struct ndarray *found = np_reduce(ws, is_max ? REDUCE_MAX : REDUCE_MIN,
	                                  put(ws, w, is_max ? -INFINITY : INFINITY), &w->axes);
	struct ndarray *none = np_reduce(ws, REDUCE_ALL, w->is_nan, &w->axes);
	struct ndarray *nan = found ? np_to(ws, np_float(ws, NAN), found->type->dtype) : NULL;

	return np_as_scalar(np_choose(ws, none, nan, found));
}

static struct ndarray *place_without(struct workspace *ws, const struct without *w, bool is_max)
{
	struct reduce_axes axes = w->axes;
	bool none;

	axes.keepdims = false;
	if (!np_any(ws, np_reduce(ws, REDUCE_ALL, w->is_nan, &axes), &none))
		return NULL;
	if (none)
		return ws_fail(ws, ERR_VALUE, "All-NaN slice encountered");
	return np_reduce(ws, is_max ? REDUCE_ARGMAX : REDUCE_ARGMIN,
	                 put(ws, w, is_max ? -INFINITY : INFINITY), &w->axes);
}

struct ndarray *np_nan_reduction(struct np_call *c)
{
	enum reduction which = (enum reduction)c->which;
	struct without w = { .a = c->at[0] };

	if (!read_all(c, &w.axes))
		return NULL;
	if (promote_is_whole(w.a->type))
		return np_reduce(c->ws, which, w.a, &w.axes);
	if (w.axes.dtype)
		return np_refuse(c, "another dtype");
	w.is_nan = np_apply(c->ws, UFUNC_ISNAN, w.a);
	if (!w.is_nan)
		return NULL;
	switch (which) {
	case REDUCE_SUM:
		return np_reduce(c->ws, which, put(c->ws, &w, 0), &w.axes);
	case REDUCE_PROD:
		return np_reduce(c->ws, which, put(c->ws, &w, 1), &w.axes);
	case REDUCE_MEAN:
		return mean_without(c->ws, &w, &w.axes);
	case REDUCE_VAR:
		return var_without(c->ws, &w);
	case REDUCE_STD:
		return np_apply(c->ws, UFUNC_SQRT, var_without(c->ws, &w));
	case REDUCE_MIN:
	case REDUCE_MAX:
		return extreme_without(c->ws, &w, which == REDUCE_MAX);
	default:
		return place_without(c->ws, &w, which == REDUCE_ARGMAX);
	}
}

/* Running sums and products. */

/* Each element of a row is joined with the one before it. */
static bool cumulate(struct workspace *ws, enum ufunc ufunc, const struct dtype_info *type,
                     struct ndarray *a)
{
	binary_loop *loop = ufunc_binary_loop(ufunc, cell_of(a->type));
	uint64_t row = a->shape.rank ? (uint64_t)a->shape.dim[a->shape.rank - 1] : 1;
	size_t bytes = a->type->elem_bytes;

	for (uint64_t i = 0; i < a->count; i++) {
		unsigned char *at = a->first + i * bytes;

		if (i % row)
			loop(at - bytes, at, 1, at);
		if (cell_rounds(type))
			cells_round(type, (float *)(void *)at, 1);
		if (i % CELLS == 0 && !ws_step(ws, i, a->count))
			return false;
	}
	return true;
}

struct ndarray *np_cumulate(struct np_call *c)
{
	struct ndarray *a = c->at[0], *made;
	int64_t given = 0;
	uint32_t axis = 0;
	enum dtype dtype = reduce_sum_type(a->type);

	if (!np_get_int(c, 1, &given) || !np_get_dtype(c, 2, &dtype))
		return NULL;
	if (!c->at[1] || !a->shape.rank)
		a = np_flat(c->ws, a);
	if (!a || !ndarray_check_axis(c->ws, given, a->shape.rank, &axis))
		return NULL;
	made = np_copy_as(c->ws, np_axis_last(c->ws, a, axis),
	                  cell_dtype(cell_of(dtype_info(dtype))));
	if (!made || !cumulate(c->ws, (enum ufunc)c->which, dtype_info(dtype), made))
		return NULL;
	return np_contiguous(c->ws, np_axis_back(c->ws, np_to(c->ws, made, dtype), axis));
}

struct ndarray *np_diff(struct np_call *c)
{
	struct ndarray *a = c->at[0];
	int64_t n = 1, given = -1;
	uint32_t axis;

	if (!np_get_int(c, 1, &n) || !np_get_int(c, 2, &given))
		return NULL;
	if (n < 0)
		return ws_fail(c->ws, ERR_VALUE, "order must be non-negative");
	if (!a->shape.rank)
		return ws_fail(c->ws, ERR_VALUE,
		               "diff requires input that is at least one dimensional");
	if (!ndarray_check_axis(c->ws, given, a->shape.rank, &axis))
		return NULL;
	for (; a && n && a->shape.dim[axis]; n--)
		a = np_neighbours(c->ws,
		                  a->type->kind == KIND_BOOL ? UFUNC_NOT_EQUAL : UFUNC_SUBTRACT,
		                  a, axis);
	return a;
}

/* The mean, each element counting as much as its weight says. */
struct ndarray *np_average(struct np_call *c)
{
	struct workspace *ws = c->ws;
	struct ndarray *a = c->at[0], *w = c->at[2], *sum, *whole;
	struct reduce_axes axes;
	enum dtype dtype;
	uint32_t axis;
	bool zero;

	if (!np_get_axes(c, &axes))
		return NULL;
	if (!w)
		return np_reduce(ws, REDUCE_MEAN, a, &axes);
	dtype = promote_types(a->type->dtype, w->type->dtype);
	if (promote_is_whole(a->type))
		dtype = promote_types(dtype, DTYPE_FLOAT64);
	if (a->shape.rank != w->shape.rank && axes.n == 1) {
		if (!ndarray_check_axis(ws, axes.axis[0], a->shape.rank, &axis))
			return NULL;
		if (w->shape.rank != 1 || w->shape.dim[0] != a->shape.dim[axis])
			return ws_fail(ws, ERR_VALUE,
			               "Length of weights not compatible with axis.");
		/* As an array that has all axes behind it of size 1. */
		for (w = np_view(ws, w); w->shape.rank < a->shape.rank - axis; w->shape.rank++)
			w->shape.dim[w->shape.rank] = 1, w->stride[w->shape.rank] = 0;
		w = np_apply2(ws, UFUNC_MULTIPLY, w,
		              np_full(ws, w->type->dtype, &a->shape, np_int(ws, 1)));
	}
	if (w && !shape_equal(&a->shape, &w->shape))
		return ws_fail(ws, ERR_TYPE,
		               "Axis must be specified when shapes of a and weights differ.");
	axes.dtype = dtype;
	whole = np_reduce(ws, REDUCE_SUM, w, &axes);
	if (!whole || !np_any(ws, np_apply2(ws, UFUNC_EQUAL, whole, np_int(ws, 0)), &zero))
		return NULL;
	if (zero)
		return ws_fail(ws, ERR_ZERO_DIVISION, "Weights sum to zero, can't be normalized");
	axes.dtype = DTYPE_INVALID;
	sum = np_reduce(ws, REDUCE_SUM,
	                np_apply2(ws, UFUNC_MULTIPLY, np_to(ws, a, dtype), np_to(ws, w, dtype)),
	                &axes);
	return np_apply2(ws, UFUNC_DIVIDE, sum, whole);
}
