/* Medians and percentiles: rows are sorted whole, then looked up. */
#include <math.h>
#include <string.h>

#include "cmds/array/np.h"
#include "cmds/array/np_order.h"
#include "cmds/array/promote.h"
#include "cmds/array/text.h"

/* The operand as rows of what goes into one result each. */
struct rows {
	struct ndarray *a;               /* rank 2, contiguous */
	struct shape shape;              /* of the results */
	bool all;                        /* there is no axis left */
};

static bool read_rows(struct np_call *c, struct rows *out)
{
	struct ndarray *a = c->at[0];
	bool reduced[SHAPE_MAX_RANK];
	int64_t order[SHAPE_MAX_RANK];
	struct shape shape = { .rank = 2 };
	struct reduce_axes axes;
	uint32_t n_kept = 0, n = 0;
	uint64_t each, kept = 1;

	if (!np_get_axes(c, &axes))
		return false;
	if (!a->shape.rank && axes.n)
		return ndarray_check_axis(c->ws, axes.axis[0], 0, &n);
	if (!reduce_read_axes(c->ws, a, &axes, reduced, &each))
		return false;
	*out = (struct rows){0};
	for (uint32_t i = 0; i < a->shape.rank; i++) {
		if (!reduced[i])
			order[n_kept++] = i;
		if (!reduced[i])
			kept *= (uint64_t)a->shape.dim[i];
		if (!reduced[i] || axes.keepdims)
			out->shape.dim[out->shape.rank++] = reduced[i] ? 1 : a->shape.dim[i];
	}
	out->all = !n_kept;
	n = n_kept;
	for (uint32_t i = 0; i < a->shape.rank; i++)
		if (reduced[i])
			order[n++] = i;
	shape.dim[0] = (int64_t)kept;
	shape.dim[1] = (int64_t)each;
	a = a->shape.rank ? ws_keep(c->ws, ndarray_transpose(c->ws, a, order, n)) : a;
	out->a = np_contiguous(c->ws, np_reshaped(c->ws, a, &shape));
	return out->a;
}

/* nan where the sorted row ends in one. */
static struct ndarray *with_nan(struct workspace *ws, const struct ndarray *sorted,
                                struct ndarray *result)
{
	struct ndarray *last, *nan;

	if (!result || promote_is_whole(sorted->type) || !sorted->shape.dim[1])
		return result;
	last = np_flat(ws, np_part(ws, sorted, 1, -1, INDEX_NONE, 1));
	nan = np_to(ws, np_float(ws, NAN), result->type->dtype);
	return np_choose(ws, np_apply(ws, UFUNC_ISNAN, last), nan, result);
}

/* Of each row, in order of the rows. */
static struct ndarray *medians(struct workspace *ws, const struct ndarray *rows)
{
	struct ndarray *sorted = np_sorted(ws, rows);
	int64_t n = rows->shape.dim[1], middle = n / 2;
	struct reduce_axes last = { .n = 1, .axis = { 1 } };
	struct ndarray *part = np_part(ws, sorted, 1, n % 2 || !n ? middle : middle - 1,
	                               n ? middle + 1 : 0, 1);

	return sorted ? with_nan(ws, sorted, np_reduce(ws, REDUCE_MEAN, part, &last)) : NULL;
}

/* Without the nan of a row: a single row. */
static struct ndarray *numbers_of(struct workspace *ws, const struct ndarray *rows, int64_t i)
{
	struct ndarray *row = np_part(ws, rows, 0, i, i + 1, 1), *made;
	struct shape shape = { .rank = 2, .dim = { 1 } };

	made = np_masked(ws, row, np_apply(ws, UFUNC_INVERT, np_apply(ws, UFUNC_ISNAN, row)));
	shape.dim[1] = made ? (int64_t)made->count : 0;
	return np_reshaped(ws, made, &shape);
}

/*
 * What `compute` makes of each row without its nan, as many results for each. Every result is of
 * the same type as that of a row without elements.
 */
static struct ndarray *without_nan(struct workspace *ws, const struct ndarray *rows,
                                   struct ndarray *(*compute)(struct workspace *ws,
                                                              const struct ndarray *row,
                                                              const void *context),
                                   const void *context, size_t n_each, enum dtype dtype)
{
	struct shape shape = { .rank = 2, .dim = { rows->shape.dim[0], (int64_t)n_each } };
	struct ndarray *made = np_new(ws, dtype, &shape);
	size_t bytes = made ? made->type->elem_bytes * n_each : 0;

	for (int64_t i = 0; made && i < rows->shape.dim[0]; i++) {
		size_t mark = ws_mark(ws);
		struct ndarray *row = numbers_of(ws, rows, i), *found;

		if (row && !row->count)
			found = np_full(ws, dtype, &(struct shape){ 1, { (int64_t)n_each } },
			                np_float(ws, NAN));
		else
			found = row ? np_flat(ws, np_to(ws, compute(ws, row, context), dtype)) :
			              NULL;
		if (!found || !ws_step(ws, (uint64_t)i, (uint64_t)rows->shape.dim[0]))
			return NULL;
		memcpy(made->first + (size_t)i * bytes, found->first, bytes);
		ws_release(ws, mark);
	}
	return made;
}

static struct ndarray *one_median(struct workspace *ws, const struct ndarray *row,
                                  const void *context)
{
	(void)context;
	return medians(ws, row);
}

struct ndarray *np_median(struct np_call *c)
{
	struct rows rows;
	struct ndarray *found, *made;
	bool skip_nan = c->which;

	if (!read_rows(c, &rows))
		return NULL;
	if (skip_nan && !promote_is_whole(rows.a->type))
		found = without_nan(c->ws, rows.a, one_median, NULL, 1, rows.a->type->dtype);
	else
		found = medians(c->ws, rows.a);
	made = np_reshaped(c->ws, found, &rows.shape);
	if (c->at[np_index(c, "keepdims")])
		return made;
	return np_as_scalar(made);
}

/* Percentiles. */

enum method { LINEAR, LOWER, HIGHER, NEAREST, MIDPOINT, N_METHODS };

struct quantiles {
	const double *at;        /* 0 to 1 */
	size_t n;
	enum method method;
};

/* The sorted rows' elements at a place, an array of one axis. */
static struct ndarray *column(struct workspace *ws, const struct ndarray *sorted, int64_t at)
{
	return np_flat(ws, np_part(ws, sorted, 1, at, at + 1, 1));
}

static struct ndarray *between(struct workspace *ws, const struct ndarray *sorted, double place,
                               enum method method)
{
	int64_t n = sorted->shape.dim[1], low = (int64_t)floor(place), high = low + 1;
	double share = place - (double)low;
	struct ndarray *a, *b, *off;

	if (place >= (double)(n - 1)) {
		low = high = n - 1;
		share = place + 1;
	}
	if (method == MIDPOINT)
		share = fmod(place, 1) == 0 ? 0 : 0.5;
	a = column(ws, sorted, low);
	b = column(ws, sorted, high);
	off = np_to(ws, np_apply2(ws, UFUNC_SUBTRACT, b, a), DTYPE_FLOAT64);
	if (share >= 0.5)
		return np_apply2(ws, UFUNC_SUBTRACT, b,
		                 np_apply2(ws, UFUNC_MULTIPLY, off, np_float(ws, 1 - share)));
	return np_apply2(ws, UFUNC_ADD, a,
	                 np_apply2(ws, UFUNC_MULTIPLY, off, np_float(ws, share)));
}

static struct ndarray *quantile(struct workspace *ws, const struct ndarray *sorted, double q,
                                enum method method)
{
	double place = (double)(sorted->shape.dim[1] - 1) * q;

	switch (method) {
	case LOWER:
		return column(ws, sorted, (int64_t)floor(place));
	case HIGHER:
		return column(ws, sorted, (int64_t)ceil(place));
	case NEAREST:
		return column(ws, sorted, (int64_t)rint(place));
	case MIDPOINT:
		return between(ws, sorted, 0.5 * (floor(place) + ceil(place)), method);
	default:
		return between(ws, sorted, place, method);
	}
}

static enum dtype type_of_quantiles(const struct ndarray *a, enum method method)
{
	return method == LOWER || method == HIGHER || method == NEAREST ? a->type->dtype :
	                                                                  DTYPE_FLOAT64;
}

/* Of each row all quantiles: rows by quantiles. */
static struct ndarray *quantiles_of(struct workspace *ws, const struct ndarray *rows,
                                    const void *context)
{
	const struct quantiles *q = context;
	struct shape shape = { .rank = 2, .dim = { rows->shape.dim[0], (int64_t)q->n } };
	struct ndarray *sorted = np_sorted(ws, rows), *made;

	made = sorted ? np_new(ws, type_of_quantiles(rows, q->method), &shape) : NULL;
	for (size_t k = 0; made && k < q->n; k++) {
		size_t mark = ws_mark(ws), bytes = made->type->elem_bytes;
		struct ndarray *found = quantile(ws, sorted, q->at[k], q->method);

		found = with_nan(ws, sorted, found);
		found = found ? np_flat(ws, np_to(ws, found, made->type->dtype)) : NULL;
		if (!found)
			return NULL;
		for (uint64_t i = 0; i < found->count; i++)
			memcpy(made->first + (i * q->n + k) * bytes, found->first + i * bytes,
			       bytes);
		ws_release(ws, mark);
	}
	return made;
}

static bool read_quantiles(struct np_call *c, struct ndarray *given, struct quantiles *out)
{
	static const char *const names[N_METHODS] = { "linear", "lower", "higher", "nearest",
		                                      "midpoint" };
	const struct ndarray *method = c->at[np_index(c, "method")];
	struct ndarray *at = np_to(c->ws, given, DTYPE_FLOAT64);
	bool percent = c->which & 1;

	*out = (struct quantiles){0};
	while (method && out->method < N_METHODS && !text_is(method, names[out->method]))
		out->method++;
	if (out->method == N_METHODS)
		return np_refuse(c, "such a method");
	if (percent)
		at = np_apply2(c->ws, UFUNC_DIVIDE, at, np_int(c->ws, 100));
	at = at ? np_flat(c->ws, at) : NULL;
	if (!at)
		return false;
	out->at = (const double *)(const void *)at->first;
	out->n = (size_t)at->count;
	for (size_t i = 0; i < out->n; i++)
		if (!(out->at[i] >= 0 && out->at[i] <= 1))
			return ws_fail(c->ws, ERR_VALUE,
			               percent ? "Percentiles must be in the range [0, 100]" :
			                         "Quantiles must be in the range [0, 1]");
	return true;
}

struct ndarray *np_percentile(struct np_call *c)
{
	struct ndarray *q = c->at[1], *found;
	struct quantiles wanted;
	struct rows rows;
	struct shape shape;
	bool skip_nan = c->which & 2, any_nan = false;

	if (c->at[0]->type->kind == KIND_COMPLEX)
		return np_refuse(c, "complex numbers");
	if (!read_quantiles(c, q, &wanted) || !read_rows(c, &rows))
		return NULL;
	if (!rows.a->shape.dim[1])
		return ws_fail(c->ws, ERR_INDEX,
		               "index -1 is out of bounds for axis 0 with size 0");
	if (skip_nan && !promote_is_whole(rows.a->type))
		found = without_nan(c->ws, rows.a, quantiles_of, &wanted, wanted.n,
		                    type_of_quantiles(rows.a, wanted.method));
	else
		found = quantiles_of(c->ws, rows.a, &wanted);
	if (q->shape.rank + rows.shape.rank > SHAPE_MAX_RANK)
		return np_refuse(c, "so many axes");
	shape = q->shape;
	memcpy(shape.dim + shape.rank, rows.shape.dim, rows.shape.rank * sizeof *shape.dim);
	shape.rank += rows.shape.rank;
	found = found ? ws_keep(c->ws, ndarray_transpose(c->ws, found, NULL, 0)) : NULL;
	found = np_reshaped(c->ws, found, &shape);
	/* A single nan is the array's own. */
	if (found && rows.all && !q->shape.rank && !skip_nan &&
	    !np_any(c->ws, np_apply(c->ws, UFUNC_ISNAN, rows.a), &any_nan))
		return NULL;
	if (found && any_nan)
		found = np_to(c->ws, found, rows.a->type->dtype);
	return c->at[np_index(c, "keepdims")] ? found : np_as_scalar(found);
}
