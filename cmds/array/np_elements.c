/* Functions of elements, and comparisons of whole arrays that are made of them. */
#include <math.h>
#include <string.h>

#include "cmds/array/np.h"
#include "cmds/array/promote.h"

struct ndarray *np_unary(struct np_call *c)
{
	return np_apply(c->ws, (enum ufunc)c->which, c->at[0]);
}

struct ndarray *np_binary(struct np_call *c)
{
	return np_apply2(c->ws, (enum ufunc)c->which, c->at[0], c->at[1]);
}

struct ndarray *np_not(struct np_call *c)
{
	return np_apply(c->ws, UFUNC_INVERT, np_to(c->ws, c->at[0], DTYPE_BOOL));
}

struct ndarray *np_clip(struct np_call *c)
{
	struct ndarray *a = c->at[0], *low = c->at[1], *high = c->at[2];

	if (!low && !high)
		return ws_fail(c->ws, ERR_VALUE, "One of max or min must be given");
	/* Of equal numbers, such as the two zeros, the bound remains where there are two. */
	if (low && high)
		return np_apply2(c->ws, UFUNC_MINIMUM, high,
		                 np_apply2(c->ws, UFUNC_MAXIMUM, low, a));
	return low ? np_apply2(c->ws, UFUNC_MAXIMUM, a, low) :
	             np_apply2(c->ws, UFUNC_MINIMUM, a, high);
}

/* Rounding. */

/* decimals > 0: scaled up, rounded, scaled down; < 0: scaled down, rounded, scaled up. */
static struct ndarray *round_scaled(struct workspace *ws, struct ndarray *a, int64_t decimals)
{
	enum dtype own = promote_to_float(a->type->dtype);
	struct ndarray *scale = np_float(ws, pow(10, (double)llabs(decimals)));
	struct ndarray *up = np_apply2(ws, decimals > 0 ? UFUNC_MULTIPLY : UFUNC_DIVIDE, a, scale);

	up = up ? np_apply(ws, UFUNC_RINT, np_to(ws, up, own)) : NULL;
	up = np_apply2(ws, decimals > 0 ? UFUNC_DIVIDE : UFUNC_MULTIPLY, up, scale);
	return up ? np_as_scalar(np_to(ws, up, own)) : NULL;
}

static struct ndarray *round_real(struct workspace *ws, struct ndarray *a, int64_t decimals)
{
	bool whole = a->type->kind == KIND_INT || a->type->kind == KIND_UINT;
	struct ndarray *made;

	if (whole && decimals >= 0)
		return np_as_scalar(np_view(ws, a));
	if (!decimals)
		return np_apply(ws, UFUNC_RINT, a);
	made = round_scaled(ws, whole ? np_to(ws, a, DTYPE_FLOAT64) : a, decimals);
	return whole ? np_to(ws, made, a->type->dtype) : made;
}

static struct ndarray *from_parts(struct workspace *ws, enum dtype dtype, const struct ndarray *re,
                                  const struct ndarray *im)
{
	struct ndarray *made = re && im ? np_to(ws, re, dtype) : NULL;
	size_t bytes = made ? made->type->elem_bytes / 2 : 0;
	struct cursor cursor;

	if (!made)
		return NULL;
	made = np_contiguous(ws, made);
	if (!made)
		return NULL;
	cursor_start(&cursor, im, &im->shape, NULL);
	for (uint64_t i = 0; i < made->count; i++) {
		cursor_copy(&cursor, 1, made->first + i * 2 * bytes + bytes);
		if (i % CELLS == 0 && !ws_step(ws, i, made->count))
			return NULL;
	}
	return made;
}

struct ndarray *np_round(struct np_call *c)
{
	struct ndarray *a = c->at[0], *re, *im;
	int64_t decimals = 0;

	if (!np_get_int(c, 1, &decimals))
		return NULL;
	if (decimals > 400 || decimals < -400)
		return np_refuse(c, "so many decimals");
	if (a->type->kind != KIND_COMPLEX)
		return round_real(c->ws, a, decimals);
	re = round_real(c->ws, ws_keep(c->ws, ndarray_part(a, 0)), decimals);
	im = re ? round_real(c->ws, ws_keep(c->ws, ndarray_part(a, 1)), decimals) : NULL;
	return np_as_scalar(from_parts(c->ws, a->type->dtype, re, im));
}

/* Parts of complex numbers. */

struct ndarray *np_real(struct np_call *c)
{
	if (c->at[0]->origin == ORIGIN_PYTHON && c->at[0]->type->kind == KIND_BOOL)
		return np_int(c->ws, ndarray_item(c->at[0], 0));
	if (c->at[0]->type->kind == KIND_COMPLEX)
		return ws_keep(c->ws, ndarray_part(c->at[0], 0));
	return np_view(c->ws, c->at[0]);
}

struct ndarray *np_imag(struct np_call *c)
{
	struct ndarray *a = c->at[0], *made;

	if (a->type->kind == KIND_COMPLEX)
		return ws_keep(c->ws, ndarray_part(a, 1));
	if (a->origin == ORIGIN_PYTHON && a->type->kind == KIND_BOOL)
		return np_int(c->ws, 0);
	made = np_full(c->ws, a->type->dtype, &a->shape, np_int(c->ws, 0));
	if (made)
		made->origin = a->origin;
	return made;
}

struct ndarray *np_angle(struct np_call *c)
{
	struct ndarray *a = c->at[0], *re = a, *im;
	bool degrees = false;

	if (!np_get_bool(c, 1, &degrees))
		return NULL;
	if (a->type->kind == KIND_COMPLEX) {
		re = ws_keep(c->ws, ndarray_part(a, 0));
		im = ws_keep(c->ws, ndarray_part(a, 1));
	} else {
		im = np_int(c->ws, 0);
	}
	re = np_apply2(c->ws, UFUNC_ARCTAN2, im, re);
	return degrees ? np_apply2(c->ws, UFUNC_MULTIPLY, re, np_float(c->ws, 180 / M_PI)) : re;
}

/* Numbers in the place of nan and inf. */

static struct ndarray *largest(struct workspace *ws, enum dtype dtype, int sign)
{
	static const unsigned char bfloat[] = { 0x7f, 0x7f };
	double value = dtype == DTYPE_FLOAT16 ? 65504 : dtype == DTYPE_FLOAT32 ? 0x1.fffffep127 :
	               dtype == DTYPE_BFLOAT16 ? small_float_value(dtype, bfloat) :
	                                         1.7976931348623157e308;

	return np_float(ws, sign * value);
}

static struct ndarray *replace(struct workspace *ws, struct ndarray *a, enum ufunc test,
                               struct ndarray *by)
{
	struct ndarray *typed = a && by ? np_to(ws, by, a->type->dtype) : NULL;

	return np_choose(ws, np_apply(ws, test, a), typed, a);
}

static struct ndarray *to_numbers(struct np_call *c, struct ndarray *a)
{
	struct workspace *ws = c->ws;
	enum dtype dtype = a->type->dtype;

	a = replace(ws, a, UFUNC_ISNAN, c->at[2] ? c->at[2] : np_float(ws, 0));
	a = replace(ws, a, UFUNC_ISPOSINF, c->at[3] ? c->at[3] : largest(ws, dtype, 1));
	return replace(ws, a, UFUNC_ISNEGINF, c->at[4] ? c->at[4] : largest(ws, dtype, -1));
}

struct ndarray *np_nan_to_num(struct np_call *c)
{
	struct ndarray *a = c->at[0], *made, *re, *im;

	for (size_t i = 2; i <= 4; i++)
		if (c->at[i] && c->at[i]->count != 1)
			return np_refuse(c, "an array as the new number");
	if (promote_is_whole(a->type))
		return np_as_scalar(np_view(c->ws, a));
	if (a->type->kind != KIND_COMPLEX) {
		made = to_numbers(c, a);
	} else {
		re = to_numbers(c, ws_keep(c->ws, ndarray_part(a, 0)));
		im = re ? to_numbers(c, ws_keep(c->ws, ndarray_part(a, 1))) : NULL;
		made = from_parts(c->ws, a->type->dtype, re, im);
	}
	return np_as_scalar(made);
}

/* Comparisons of arrays. */

static struct ndarray *both_nan(struct workspace *ws, const struct ndarray *a,
                                const struct ndarray *b)
{
	return np_apply2(ws, UFUNC_AND, np_apply(ws, UFUNC_ISNAN, a), np_apply(ws, UFUNC_ISNAN, b));
}

struct ndarray *np_isclose(struct np_call *c)
{
	struct workspace *ws = c->ws;
	struct ndarray *a = c->at[0], *b = c->at[1], *off, *room, *close, *finite, *same;
	double rtol = 1e-5, atol = 1e-8;
	bool equal_nan = false;

	if (!np_get_float(c, 2, &rtol) || !np_get_float(c, 3, &atol) ||
	    !np_get_bool(c, 4, &equal_nan))
		return NULL;
	b = np_to(ws, b, promote_operands(b, np_float(ws, 1)));
	finite = np_apply2(ws, UFUNC_AND, np_apply(ws, UFUNC_ISFINITE, a),
	                   np_apply(ws, UFUNC_ISFINITE, b));
	off = np_apply(ws, UFUNC_ABSOLUTE, np_apply2(ws, UFUNC_SUBTRACT, a, b));
	room = np_apply2(ws, UFUNC_ADD, np_float(ws, atol),
	                 np_apply2(ws, UFUNC_MULTIPLY, np_float(ws, rtol),
	                           np_apply(ws, UFUNC_ABSOLUTE, b)));
	close = np_apply2(ws, UFUNC_AND, finite, np_apply2(ws, UFUNC_LESS_EQUAL, off, room));
	same = np_apply2(ws, UFUNC_AND, np_apply(ws, UFUNC_INVERT, finite),
	                 np_apply2(ws, UFUNC_EQUAL, a, b));
	close = np_apply2(ws, UFUNC_OR, close, same);
	return equal_nan ? np_apply2(ws, UFUNC_OR, close, both_nan(ws, a, b)) : close;
}

/* Python's own truth. */
static struct ndarray *to_python(struct workspace *ws, const struct ndarray *truth)
{
	bool value;

	return truth && np_truth(ws, truth, &value) ? ws_keep(ws, ndarray_bool(ws, value)) : NULL;
}

struct ndarray *np_allclose(struct np_call *c)
{
	return to_python(c->ws, np_reduce(c->ws, REDUCE_ALL, np_isclose(c), NULL));
}

struct ndarray *np_array_equal(struct np_call *c)
{
	struct workspace *ws = c->ws;
	const struct ndarray *a = c->at[0], *b = c->at[1];
	bool equal_nan = false;
	struct ndarray *equal;

	if (!np_get_bool(c, 2, &equal_nan))
		return NULL;
	if (!shape_equal(&a->shape, &b->shape))
		return ws_keep(ws, ndarray_bool(ws, false));
	equal = np_apply2(ws, UFUNC_EQUAL, a, b);
	if (equal_nan && !ndarray_is_text(a) && !ndarray_is_text(b))
		equal = np_apply2(ws, UFUNC_OR, equal, both_nan(ws, a, b));
	return to_python(ws, np_reduce(ws, REDUCE_ALL, equal, NULL));
}

struct ndarray *np_where(struct np_call *c)
{
	if (!c->at[1] != !c->at[2])
		return ws_fail(c->ws, ERR_VALUE,
		               "either both or neither of x and y should be given");
	return c->at[1] ? np_choose(c->ws, c->at[0], c->at[1], c->at[2]) : np_nonzero(c);
}

/* Is each element of a among the few of b? */
struct ndarray *np_isin(struct np_call *c)
{
	struct ndarray *b = np_flat(c->ws, c->at[1]), *found;
	bool invert = false;

	if (!b || !np_get_bool(c, 2, &invert))
		return NULL;
	found = np_full(c->ws, DTYPE_BOOL, &c->at[0]->shape, np_int(c->ws, 0));
	for (uint64_t i = 0; found && i < b->count; i++) {
		size_t mark = ws_mark(c->ws);
		struct ndarray *elem = ws_keep(c->ws, ndarray_at(c->ws, b, i)), *with;

		with = np_contiguous(c->ws,
		                     np_apply2(c->ws, UFUNC_OR, found,
		                               np_apply2(c->ws, UFUNC_EQUAL, c->at[0], elem)));
		if (!with)
			return NULL;
		memcpy(found->first, with->first, (size_t)found->count);
		ws_release(c->ws, mark);
	}
	return invert ? np_apply(c->ws, UFUNC_INVERT, found) : found;
}

struct ndarray *np_in1d(struct np_call *c)
{
	c->at[0] = np_flat(c->ws, c->at[0]);
	return c->at[0] ? np_isin(c) : NULL;
}
