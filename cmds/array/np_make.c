/* New arrays, and elements in other types. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cmds/array/np.h"
#include "cmds/array/promote.h"
#include "cmds/array/sequence.h"

struct ndarray *np_array(struct np_call *c)
{
	struct ndarray *made = c->at[0];
	enum dtype dtype = made->type->dtype;
	int64_t least = 0;

	if (!np_get_dtype(c, 1, &dtype) || !np_get_int(c, np_index(c, "ndmin"), &least))
		return NULL;
	if (least > (int64_t)made->shape.rank)
		return np_refuse(c, "so large an ndmin");
	made = np_copy_as(c->ws, np_to(c->ws, made, dtype), dtype);
	if (made)
		made->origin = ORIGIN_ARRAY;
	return made;
}

static struct ndarray *filled(struct np_call *c, const struct shape *shape, enum dtype dtype)
{
	struct ndarray *value = c->which == 2 ? c->at[1] : np_int(c->ws, c->which);

	if (!value || !np_get_dtype(c, np_index(c, "dtype"), &dtype))
		return NULL;
	if (value->count != 1)
		return np_refuse(c, "an array as the value");
	return np_full(c->ws, dtype, shape, np_flat(c->ws, value));
}

/* which: the number, or 2: the one given. */
struct ndarray *np_filled(struct np_call *c)
{
	struct shape shape;

	return np_get_shape(c, 0, &shape) ?
	               filled(c, &shape, c->which == 2 ? c->at[1]->type->dtype : DTYPE_FLOAT64) :
	               NULL;
}

struct ndarray *np_filled_like(struct np_call *c)
{
	return filled(c, &c->at[0]->shape, c->at[0]->type->dtype);
}

/* Ranges. */

/* The number of steps; false: none that could be counted. */
static bool count_steps(struct workspace *ws, double start, double stop, double step, int64_t *n)
{
	double steps = ceil((stop - start) / step);

	if (isnan(steps))
		return ws_fail(ws, ERR_VALUE, "arange: cannot compute length");
	if (step == 0 || steps >= 0x1p62)
		return ws_fail(ws, ERR_VALUE, "Maximum allowed size exceeded");
	*n = steps > 0 ? (int64_t)steps : 0;
	return true;
}

/* Elements 2 and on go on as the first two do, computed in cells of the type. */
#define CONTINUE(name, type, wide) \
	static bool name(struct workspace *ws, type *at, int64_t n, type first, type second) \
	{ \
		wide delta = (wide)second - (wide)first; \
		\
		for (int64_t i = 0; i < n; i++) { \
			at[i] = i == 1 ? second : (type)((wide)first + (wide)i * delta); \
			if (i % CELLS == 0 && !ws_step(ws, (uint64_t)i, (uint64_t)n)) \
				return false; \
		} \
		return true; \
	}

CONTINUE(continue_wholes, int64_t, uint64_t)
CONTINUE(continue_floats, float, float)
CONTINUE(continue_doubles, double, double)

static struct ndarray *whole_range(struct workspace *ws, struct ndarray *const part[3], int64_t n)
{
	int64_t start = ndarray_item(part[0], 0), step = ndarray_item(part[2], 0);
	struct shape shape = { .rank = 1, .dim = { n } };
	struct ndarray *made = np_new(ws, DTYPE_INT64, &shape);

	return made && continue_wholes(ws, (int64_t *)(void *)made->first, n, start,
	                               (int64_t)((uint64_t)start + (uint64_t)step)) ?
	               made :
	               NULL;
}

static struct ndarray *real_range(struct workspace *ws, enum dtype dtype, double start,
                                  double step, int64_t n)
{
	struct shape shape = { .rank = 1, .dim = { n } };
	bool wide = dtype == DTYPE_FLOAT64;
	struct ndarray *made = np_new(ws, wide ? DTYPE_FLOAT64 : DTYPE_FLOAT32, &shape);
	struct ndarray *first = np_to(ws, np_to(ws, np_float(ws, start), dtype), DTYPE_FLOAT32);
	struct ndarray *second = np_to(ws, np_to(ws, np_float(ws, start + step), dtype),
	                               DTYPE_FLOAT32);
	bool ok = made && first && second;

	if (ok && wide)
		ok = continue_doubles(ws, (double *)(void *)made->first, n, start, start + step);
	else if (ok)
		ok = continue_floats(ws, (float *)(void *)made->first, n,
		                     *(float *)(void *)first->first,
		                     *(float *)(void *)second->first);
	return ok ? np_to(ws, made, dtype) : NULL;
}

struct ndarray *np_arange(struct np_call *c)
{
	struct ndarray *part[3] = { c->at[0], c->at[1], c->at[2] };
	enum dtype dtype = DTYPE_INT64, asked = DTYPE_INVALID;
	double value[3] = { 0, 0, 1 };
	int64_t n = 0;

	if (!part[1]) {
		part[1] = part[0];
		part[0] = np_int(c->ws, 0);
	}
	part[2] = part[2] ? part[2] : np_int(c->ws, 1);
	for (int i = 0; i < 3; i++) {
		c->at[i] = part[i];
		if (!part[i] || !np_get_float(c, (size_t)i, &value[i]))
			return NULL;
		dtype = promote_types(dtype, part[i]->type->dtype);
	}
	if (!np_get_dtype(c, 3, &asked) || !count_steps(c->ws, value[0], value[1], value[2], &n))
		return NULL;
	asked = asked ? asked : dtype;
	if (dtype_info(asked)->kind == KIND_COMPLEX || asked == DTYPE_BOOL)
		return np_refuse(c, "such a dtype");
	if (dtype == DTYPE_INT64)
		return promote_is_whole(dtype_info(asked)) || n < 3 ?
		               np_to(c->ws, whole_range(c->ws, part, n), asked) :
		               real_range(c->ws, asked, value[0], value[2], n);
	if (promote_is_whole(dtype_info(asked)))
		return np_refuse(c, "whole numbers between others");
	return real_range(c->ws, asked, value[0], value[2], n);
}

static bool fill_line(struct workspace *ws, double *at, int64_t n, const double end[2],
                      double parts, double *step)
{
	double delta = end[1] - end[0];

	*step = parts > 0 ? delta / parts : NAN;
	for (int64_t i = 0; i < n; i++) {
		double x = (double)i;

		x = !(parts > 0) ? x * delta : *step == 0 ? x / parts * delta : x * *step;
		at[i] = x + end[0];
		if (i % CELLS == 0 && !ws_step(ws, (uint64_t)i, (uint64_t)n))
			return false;
	}
	return true;
}

struct ndarray *np_linspace(struct np_call *c)
{
	enum dtype dtype = DTYPE_FLOAT64;
	bool with_end = true, with_step = false;
	double end[2] = {0}, step;
	struct shape shape = { .rank = 1 };
	struct ndarray *made, *parts[2];
	int64_t n = 50;

	if (!np_get_float(c, 0, &end[0]) || !np_get_float(c, 1, &end[1]) ||
	    !np_get_int(c, 2, &n) || !np_get_bool(c, 3, &with_end) ||
	    !np_get_bool(c, 4, &with_step) || !np_get_dtype(c, 5, &dtype))
		return NULL;
	if (n < 0)
		return ws_fail(c->ws, ERR_VALUE,
		               "Number of samples, %" PRId64 ", must be non-negative.", n);
	shape.dim[0] = n;
	made = np_new(c->ws, DTYPE_FLOAT64, &shape);
	if (!made || !fill_line(c->ws, (double *)(void *)made->first, n, end,
	                        (double)(with_end ? n - 1 : n), &step))
		return NULL;
	if (with_end && n > 1)
		((double *)(void *)made->first)[n - 1] = end[1];
	if (dtype_info(dtype)->kind == KIND_INT || dtype_info(dtype)->kind == KIND_UINT)
		made = np_apply(c->ws, UFUNC_FLOOR, made);
	made = np_to(c->ws, made, dtype);
	if (!with_step)
		return made;
	parts[0] = made;
	parts[1] = np_as_scalar(np_to(c->ws, np_float(c->ws, step), DTYPE_FLOAT64));
	return np_tuple(c->ws, parts, 2);
}

struct ndarray *np_eye(struct np_call *c)
{
	struct shape shape = { .rank = 2 };
	enum dtype dtype = DTYPE_FLOAT64;
	struct ndarray *made, *one;
	int64_t k = 0;

	if (!np_get_int(c, 0, &shape.dim[0]))
		return NULL;
	shape.dim[1] = shape.dim[0];
	if (!np_get_int(c, 1, &shape.dim[1]) || !np_get_int(c, 2, &k) ||
	    !np_get_dtype(c, 3, &dtype))
		return NULL;
	if (shape.dim[0] < 0 || shape.dim[1] < 0)
		return ws_fail(c->ws, ERR_VALUE, "negative dimensions are not allowed");
	made = np_full(c->ws, dtype, &shape, np_int(c->ws, 0));
	one = made ? np_to(c->ws, np_int(c->ws, 1), dtype) : NULL;
	if (!one)
		return NULL;
	for (int64_t row = 0; made->count && row < shape.dim[0]; row++) {
		int64_t col;

		if (!__builtin_add_overflow(row, k, &col) && col >= 0 && col < shape.dim[1])
			memcpy(made->first + (uint64_t)(row * shape.dim[1] + col) *
			                             made->type->elem_bytes,
			       one->first, made->type->elem_bytes);
		if (row % CELLS == 0 && !ws_step(c->ws, (uint64_t)row, (uint64_t)shape.dim[0]))
			return NULL;
	}
	return made;
}

struct ndarray *np_dtype(struct np_call *c)
{
	enum dtype dtype = DTYPE_FLOAT64;

	return np_get_dtype(c, 0, &dtype) ?
	               ws_keep(c->ws, ndarray_of_type(c->ws, dtype, ORIGIN_DTYPE)) :
	               NULL;
}

struct ndarray *np_dtype_of(struct np_call *c)
{
	return ws_keep(c->ws, ndarray_of_type(c->ws, c->at[0]->type->dtype, ORIGIN_DTYPE));
}

/* Other types. */

struct ndarray *np_astype(struct np_call *c)
{
	enum dtype dtype = DTYPE_FLOAT64;

	if (!np_get_dtype(c, 1, &dtype))
		return NULL;
	if (!cell_can_hold(c->at[0]->type))
		return ws_refuse(c->ws, "elements of type %s", c->at[0]->type->name);
	return ws_keep(c->ws, ndarray_astype(c->ws, c->at[0], dtype));
}

/* The type of Python's numbers of the same kind. */
static enum dtype python_type(const struct dtype_info *type)
{
	switch (type->kind) {
	case KIND_COMPLEX:
		return DTYPE_COMPLEX128;
	case KIND_FLOAT:
	case KIND_SMALL_FLOAT:
		return DTYPE_FLOAT64;
	case KIND_INT:
	case KIND_UINT:
		return DTYPE_INT64;
	default:
		return type->dtype;
	}
}

static struct ndarray *to_python(struct np_call *c, const struct ndarray *a)
{
	struct ndarray *large;
	bool any = false;

	if (a->type->dtype == DTYPE_UINT64) {
		large = np_apply2(c->ws, UFUNC_GREATER, a, np_int(c->ws, INT64_MAX));
		if (!large || !np_any(c->ws, large, &any))
			return NULL;
	}
	if (any)
		return np_refuse(c, "whole numbers beyond 64 bits");
	return sequence_as_python(np_copy_as(c->ws, a, python_type(a->type)));
}

struct ndarray *np_item(struct np_call *c)
{
	struct index_item items[SHAPE_MAX_RANK];
	struct ndarray *a = c->at[0], *made;
	int64_t at[SHAPE_MAX_RANK];
	uint32_t n = 0;

	np_unpack(c, 1);
	if (sequence_len(c->at[1]) && !np_get_ints(c, 1, at, SHAPE_MAX_RANK, &n))
		return NULL;
	if (!n && a->count != 1)
		return ws_fail(c->ws, ERR_VALUE,
		               "can only convert an array of size 1 to a Python scalar");
	if (n > 1 && n != a->shape.rank)
		return ws_fail(c->ws, ERR_VALUE, "incorrect number of indices for array");
	if (n < 2)
		a = np_reshaped(c->ws, a, &(struct shape){ 1, { (int64_t)a->count } });
	if (!n)
		at[n++] = 0;
	for (uint32_t i = 0; i < n; i++)
		items[i] = (struct index_item){ .kind = INDEX_INT, .begin = at[i] };
	made = a ? ws_keep(c->ws, ndarray_index(c->ws, a, items, n)) : NULL;
	return made ? to_python(c, made) : NULL;
}

struct ndarray *np_tolist(struct np_call *c)
{
	return to_python(c, c->at[0]);
}
