/* Norms and products. */
#include <math.h>

#include "cmds/array/matmul.h"
#include "cmds/array/np.h"
#include "cmds/array/promote.h"
#include "cmds/array/text.h"

struct ndarray *np_matmul(struct np_call *c)
{
	return ws_keep(c->ws, matmul(c->ws, c->at[0], c->at[1]));
}

struct ndarray *np_dot(struct np_call *c)
{
	return ws_keep(c->ws, matmul_dot(c->ws, c->at[0], c->at[1]));
}

/* Sums over the last axes of both. */
struct ndarray *np_inner(struct np_call *c)
{
	struct ndarray *a = c->at[0], *b = c->at[1];

	if (b->shape.rank > 2 || a->shape.rank > 2)
		return np_refuse(c, "so many axes");
	if (b->shape.rank == 2 && a->shape.rank)
		b = ws_keep(c->ws, ndarray_transpose(c->ws, b, NULL, 0));
	return ws_keep(c->ws, matmul_dot(c->ws, a, b));
}

struct ndarray *np_outer(struct np_call *c)
{
	struct ndarray *a = np_flat(c->ws, c->at[0]), *b = np_flat(c->ws, c->at[1]);
	struct shape column = { .rank = 2, .dim = { 0, 1 } };

	if (!a || !b)
		return NULL;
	column.dim[0] = (int64_t)a->count;
	return np_apply2(c->ws, UFUNC_MULTIPLY, np_reshaped(c->ws, a, &column), b);
}

/* Norms. */

struct order {
	bool given, frobenius;
	double p;
};

static bool read_order(struct np_call *c, struct order *out)
{
	struct ndarray *ord = c->at[1];

	*out = (struct order){ .given = ord };
	if (text_is(ord, "fro") || text_is(ord, "f")) {
		out->frobenius = true;
		return true;
	}
	if (ord && ndarray_is_text(ord))
		return np_refuse(c, "such an order");
	return np_get_float(c, 1, &out->p);
}

/* The root of the sum of all squares, which is taken in double as a product is. */
static struct ndarray *euclid(struct workspace *ws, const struct ndarray *x, bool keepdims)
{
	struct ndarray *flat = np_flat(ws, x), *part, *sum = NULL, *made;
	struct shape ones = x->shape;

	for (int i = 0; flat && i < (x->type->kind == KIND_COMPLEX ? 2 : 1); i++) {
		part = x->type->kind == KIND_COMPLEX ? ws_keep(ws, ndarray_part(flat, i)) : flat;
		part = ws_keep(ws, matmul_dot(ws, part, part));
		sum = i ? np_apply2(ws, UFUNC_ADD, sum, part) : part;
	}
	made = np_apply(ws, UFUNC_SQRT, sum);
	for (uint32_t i = 0; i < ones.rank; i++)
		ones.dim[i] = 1;
	return keepdims && ones.rank ? np_reshaped(ws, made, &ones) : made;
}

static struct ndarray *vector_norm(struct np_call *c, const struct ndarray *x,
                                   const struct order *order, const struct reduce_axes *axes)
{
	struct workspace *ws = c->ws;
	struct ndarray *size = np_apply(ws, UFUNC_ABSOLUTE, x), *made;

	if (!size)
		return NULL;
	if (order->frobenius)
		return ws_fail(ws, ERR_VALUE, "Invalid norm order 'fro' for vectors");
	if (!order->given || order->p == 2)
		return np_apply(ws, UFUNC_SQRT,
		                np_reduce(ws, REDUCE_SUM, np_squares(ws, x), axes));
	if (isinf(order->p))
		return np_reduce(ws, order->p > 0 ? REDUCE_MAX : REDUCE_MIN, size, axes);
	if (order->p == 0)
		return np_reduce(ws, REDUCE_SUM,
		                 np_to(ws, np_apply2(ws, UFUNC_NOT_EQUAL, x, np_int(ws, 0)),
		                       size->type->dtype),
		                 axes);
	if (order->p == 1)
		return np_reduce(ws, REDUCE_SUM, size, axes);
	made = ws_keep(ws, ufunc_power_of(ws, size, np_float(ws, order->p)));
	made = np_reduce(ws, REDUCE_SUM, made, axes);
	return made ? np_to(ws, np_apply2(ws, UFUNC_POWER, made, np_float(ws, 1 / order->p)),
	                    made->type->dtype) :
	              NULL;
}

/* The largest or smallest sum of a row or column. */
static struct ndarray *matrix_norm(struct np_call *c, const struct ndarray *x,
                                   const struct order *order, const struct reduce_axes *axes)
{
	struct workspace *ws = c->ws;
	uint32_t row, col;
	struct reduce_axes first = { .n = 1, .keepdims = true }, second = first;
	struct ndarray *made;

	if (!ndarray_check_axis(ws, axes->axis[0], x->shape.rank, &row) ||
	    !ndarray_check_axis(ws, axes->axis[1], x->shape.rank, &col))
		return NULL;
	if (row == col)
		return ws_fail(ws, ERR_VALUE, "Duplicate axes given.");
	if (!order->given || order->frobenius)
		return np_apply(ws, UFUNC_SQRT,
		                np_reduce(ws, REDUCE_SUM, np_squares(ws, x), axes));
	if (fabs(order->p) == 2)
		return np_refuse(c, "singular values");
	if (fabs(order->p) != 1 && !isinf(order->p))
		return ws_fail(ws, ERR_VALUE, "Invalid norm order for matrices.");
	first.axis[0] = isinf(order->p) ? col : row;
	second.axis[0] = isinf(order->p) ? row : col;
	made = np_reduce(ws, REDUCE_SUM, np_apply(ws, UFUNC_ABSOLUTE, x), &first);
	made = np_reduce(ws, order->p > 0 ? REDUCE_MAX : REDUCE_MIN, made, &second);
	if (!made || axes->keepdims)
		return made;
	/* Both axes are of size 1 now: a sum over them drops them. */
	first = *axes;
	first.keepdims = false;
	return np_reduce(ws, REDUCE_MAX, made, &first);
}

struct ndarray *np_norm(struct np_call *c)
{
	struct ndarray *x = c->at[0];
	struct order order;
	struct reduce_axes axes;
	uint32_t rank;
	bool plain;

	if (promote_is_whole(x->type))
		x = np_to(c->ws, x, DTYPE_FLOAT64);
	if (!x || !read_order(c, &order) || !np_get_axes(c, &axes))
		return NULL;
	rank = x->shape.rank;
	if (!rank && axes.n)
		return ws_fail(c->ws, ERR_AXIS, "axis is out of bounds for array of dimension 0");
	plain = !order.given || (order.frobenius && rank == 2) ||
	        (!order.frobenius && order.p == 2 && rank == 1);
	if (!axes.n && !axes.listed && plain)
		return euclid(c->ws, x, axes.keepdims);
	for (uint32_t i = 0; !axes.n && !axes.listed && i < rank && rank <= 2; i++)
		axes.axis[i] = i;
	if (!axes.n && !axes.listed)
		axes.n = rank;
	if (axes.n == 1)
		return vector_norm(c, x, &order, &axes);
	if (axes.n != 2)
		return ws_fail(c->ws, ERR_VALUE, "Improper number of dimensions to norm.");
	return matrix_norm(c, x, &order, &axes);
}
