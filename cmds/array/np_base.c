/* What kernels are put together from: steps that keep their results, and readers of arguments. */
#include <inttypes.h>
#include <string.h>

#include "cmds/array/np.h"
#include "cmds/array/promote.h"
#include "cmds/array/select.h"
#include "cmds/array/sequence.h"
#include "cmds/array/text.h"

/* Steps. */

struct ndarray *np_apply(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a)
{
	return a ? ws_keep(ws, ufunc_unary(ws, ufunc, a)) : NULL;
}

struct ndarray *np_apply2(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                          const struct ndarray *b)
{
	return a && b ? ws_keep(ws, text_or_ufunc(ws, ufunc, a, b)) : NULL;
}

struct ndarray *np_to(struct workspace *ws, const struct ndarray *a, enum dtype dtype)
{
	if (!a)
		return NULL;
	if (!cell_can_hold(a->type) && a->type->dtype != dtype)
		return ws_refuse(ws, "elements of type %s as %s", a->type->name,
		                 ndarray_type(dtype)->name);
	return ws_keep(ws,
	               a->type->dtype == dtype ? ndarray_view(a) : ndarray_astype(ws, a, dtype));
}

struct ndarray *np_copy_as(struct workspace *ws, const struct ndarray *a, enum dtype dtype)
{
	struct ndarray *made;

	if (!a || dtype != a->type->dtype)
		return a ? np_contiguous(ws, ws_keep(ws, ndarray_astype(ws, a, dtype))) : NULL;
	made = np_new(ws, dtype, &a->shape);
	return made && ndarray_copy_out(ws, a, made->first) ? made : NULL;
}

struct ndarray *np_int(struct workspace *ws, int64_t whole)
{
	return ws_keep(ws, ndarray_int(ws, whole));
}

struct ndarray *np_float(struct workspace *ws, double real)
{
	return ws_keep(ws, ndarray_float(ws, real));
}

struct ndarray *np_view(struct workspace *ws, const struct ndarray *a)
{
	return a ? ws_keep(ws, ndarray_view(a)) : NULL;
}

struct ndarray *np_contiguous(struct workspace *ws, const struct ndarray *a)
{
	return a ? ws_keep(ws, ndarray_contiguous(ws, a)) : NULL;
}

struct ndarray *np_reshaped(struct workspace *ws, const struct ndarray *a,
                            const struct shape *shape)
{
	struct ndarray *made = a ? ws_keep(ws, ndarray_reshape(ws, a, shape->dim, shape->rank)) :
	                           NULL;

	if (made)
		made->origin = ORIGIN_ARRAY;
	return made;
}

struct ndarray *np_flat(struct workspace *ws, const struct ndarray *a)
{
	struct shape shape = { .rank = 1 };

	shape.dim[0] = a ? (int64_t)a->count : 0;
	return np_contiguous(ws, np_reshaped(ws, a, &shape));
}

struct ndarray *np_reduce(struct workspace *ws, enum reduction reduction, const struct ndarray *a,
                          const struct reduce_axes *axes)
{
	static const struct reduce_axes all = {0};

	return a ? ws_keep(ws, reduce(ws, reduction, a, axes ? axes : &all)) : NULL;
}

struct ndarray *np_squares(struct workspace *ws, const struct ndarray *x)
{
	return x ? ws_keep(ws, reduce_squares(ws, x)) : NULL;
}

struct ndarray *np_choose(struct workspace *ws, const struct ndarray *condition,
                          const struct ndarray *a, const struct ndarray *b)
{
	return condition && a && b ? ws_keep(ws, ufunc_where(ws, condition, a, b)) : NULL;
}

struct ndarray *np_new(struct workspace *ws, enum dtype dtype, const struct shape *shape)
{
	return ws_keep(ws, ndarray_new(ws, dtype, shape, ORIGIN_ARRAY));
}

struct ndarray *np_masked(struct workspace *ws, const struct ndarray *a,
                          const struct ndarray *mask)
{
	return a && mask ? ws_keep(ws, select_masked(ws, a, mask)) : NULL;
}

struct ndarray *np_part(struct workspace *ws, const struct ndarray *a, uint32_t axis,
                        int64_t begin, int64_t end, int64_t step)
{
	struct index_item items[SHAPE_MAX_RANK];

	if (!a)
		return NULL;
	for (uint32_t i = 0; i <= axis; i++)
		items[i] = (struct index_item){ INDEX_RANGE, INDEX_NONE, INDEX_NONE, INDEX_NONE,
			                        NULL };
	items[axis].begin = begin;
	items[axis].end = end;
	items[axis].step = step;
	return ws_keep(ws, ndarray_index(ws, a, items, axis + 1));
}

struct ndarray *np_neighbours(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                              uint32_t axis)
{
	return np_apply2(ws, ufunc, np_part(ws, a, axis, 1, INDEX_NONE, 1),
	                 np_part(ws, a, axis, INDEX_NONE, -1, 1));
}

static struct ndarray *moved(struct workspace *ws, const struct ndarray *a, uint32_t from,
                             uint32_t to)
{
	int64_t axes[SHAPE_MAX_RANK];
	uint32_t n = 0;

	if (!a || !a->shape.rank)
		return np_view(ws, a);
	for (uint32_t i = 0; i < a->shape.rank; i++)
		if (i != from)
			axes[n++] = i;
	memmove(axes + to + 1, axes + to, (n - to) * sizeof *axes);
	axes[to] = from;
	return ws_keep(ws, ndarray_transpose(ws, a, axes, a->shape.rank));
}

struct ndarray *np_axis_last(struct workspace *ws, const struct ndarray *a, uint32_t axis)
{
	return moved(ws, a, axis, a && a->shape.rank ? a->shape.rank - 1 : 0);
}

struct ndarray *np_axis_back(struct workspace *ws, const struct ndarray *a, uint32_t axis)
{
	return moved(ws, a, a && a->shape.rank ? a->shape.rank - 1 : 0, axis);
}

static bool fill(struct workspace *ws, struct ndarray *made, const struct ndarray *elem)
{
	size_t bytes = made->type->elem_bytes;

	for (uint64_t done = 0; done < made->count; done += CELLS) {
		size_t n = made->count - done < CELLS ? (size_t)(made->count - done) : CELLS;

		for (size_t i = 0; i < n; i++)
			memcpy(made->first + (done + i) * bytes, elem->first, bytes);
		if (!ws_step(ws, done + n, made->count))
			return false;
	}
	return true;
}

struct ndarray *np_full(struct workspace *ws, enum dtype dtype, const struct shape *shape,
                        const struct ndarray *value)
{
	struct ndarray *elem = np_to(ws, value, dtype);
	struct ndarray *made = elem ? np_new(ws, dtype, shape) : NULL;

	return made && fill(ws, made, elem) ? made : NULL;
}

struct ndarray *np_tuple(struct workspace *ws, struct ndarray *const *items, size_t n)
{
	struct ndarray *views[SHAPE_MAX_RANK];

	for (size_t i = 0; i < n; i++)
		views[i] = items[i] ? ndarray_view(items[i]) : NULL;
	return ws_keep(ws, ndarray_of_items(ws, views, n, ORIGIN_TUPLE));
}

struct ndarray *np_as_scalar(struct ndarray *a)
{
	if (a && !a->shape.rank)
		a->origin = ndarray_is_text(a) ? ORIGIN_BYTES : ORIGIN_SCALAR;
	return a;
}

/* Joining. */

static bool find_joined(struct workspace *ws, struct ndarray *const *arrays, size_t n,
                        uint32_t axis, struct shape *shape, enum dtype *dtype)
{
	*shape = arrays[0]->shape;
	*dtype = arrays[0]->type->dtype;
	shape->dim[axis] = 0;
	for (size_t i = 0; i < n; i++) {
		const struct ndarray *a = arrays[i];
		bool fits = a->shape.rank == shape->rank;

		for (uint32_t k = 0; fits && k < shape->rank; k++)
			fits = k == axis || a->shape.dim[k] == shape->dim[k];
		if (!fits)
			return ws_fail(ws, ERR_VALUE,
			               "all the input array dimensions except for the "
			               "concatenation axis must match exactly");
		if (__builtin_add_overflow(shape->dim[axis], a->shape.dim[axis],
		                           &shape->dim[axis]))
			return ws_fail(ws, ERR_LIMIT, "The array would be too large");
		if (ndarray_is_text(a) != ndarray_is_text(arrays[0]))
			return ws_refuse(ws, "joining strings with numbers");
		if (!ndarray_is_text(a))
			*dtype = promote_types(*dtype, a->type->dtype);
	}
	return true;
}

/* The part of the result along its axis that is to hold the array. */
static bool copy_part(struct workspace *ws, const struct ndarray *a, struct ndarray *made,
                      uint32_t axis, int64_t begin)
{
	struct ndarray *from = np_contiguous(ws, np_to(ws, a, made->type->dtype));
	uint64_t block = made->type->elem_bytes, blocks = 1;
	size_t skip;

	if (!from)
		return false;
	for (uint32_t k = axis + 1; k < made->shape.rank; k++)
		block *= (uint64_t)made->shape.dim[k];
	for (uint32_t k = 0; k < axis; k++)
		blocks *= (uint64_t)made->shape.dim[k];
	skip = (size_t)(block * (uint64_t)made->shape.dim[axis]);
	for (uint64_t i = 0; from->count && i < blocks; i++) {
		size_t bytes = (size_t)(block * (uint64_t)a->shape.dim[axis]);

		memcpy(made->first + i * skip + (uint64_t)begin * block, from->first + i * bytes,
		       bytes);
		if (i % CELLS == 0 && !ws_step(ws, i, blocks))
			return false;
	}
	return true;
}

struct ndarray *np_joined(struct workspace *ws, struct ndarray *const *arrays, size_t n,
                          uint32_t axis)
{
	struct ndarray *made;
	struct shape shape;
	enum dtype dtype;
	int64_t begin = 0;

	if (!find_joined(ws, arrays, n, axis, &shape, &dtype))
		return NULL;
	made = np_new(ws, dtype, &shape);
	for (size_t i = 0; made && i < n; i++) {
		if (!copy_part(ws, arrays[i], made, axis, begin))
			return NULL;
		begin += arrays[i]->shape.dim[axis];
	}
	return made;
}

/* Truths. */

bool np_truth(struct workspace *ws, const struct ndarray *a, bool *truth)
{
	struct ndarray *as;

	*truth = false;
	switch (a->origin) {
	case ORIGIN_NONE:
		return true;
	case ORIGIN_LIST:
	case ORIGIN_TUPLE:
		*truth = sequence_len(a) > 0;
		return true;
	case ORIGIN_DTYPE:
	case ORIGIN_CLASS:
		*truth = true;
		return true;
	default:
		break;
	}
	if (a->count > 1)
		return ws_fail(ws, ERR_VALUE,
		               "The truth value of an array with more than one element is "
		               "ambiguous. Use a.any() or a.all()");
	if (!a->count)
		return true;
	if (ndarray_is_text(a)) {
		*truth = text_of(a).len > 0;
		return true;
	}
	if (!cell_can_hold(a->type))
		return ws_refuse(ws, "the truth of elements of type %s", a->type->name);
	as = ndarray_astype(ws, a, DTYPE_BOOL);
	*truth = as && *as->first;
	ndarray_free(ws, as);
	return as;
}

bool np_any(struct workspace *ws, const struct ndarray *a, bool *any)
{
	struct ndarray *made = np_reduce(ws, REDUCE_ANY, a, NULL);

	return made && np_truth(ws, made, any);
}

/* Arguments. */

void *np_refuse(struct np_call *c, const char *what)
{
	return ws_refuse(c->ws, "%s of %s", what, c->name);
}

static bool wrong_type(struct np_call *c, const struct ndarray *a)
{
	return ws_fail(c->ws, ERR_TYPE, "'%s' object cannot be interpreted as an integer",
	               python_type_of(a).name);
}

/* True and False are 1 and 0 to Python; numpy's own are not. */
static bool is_int(const struct ndarray *a)
{
	return ndarray_is_int(a) || (a->origin == ORIGIN_PYTHON && a->type->kind == KIND_BOOL);
}

bool np_get_int(struct np_call *c, size_t i, int64_t *out)
{
	if (!c->at[i])
		return true;
	if (!is_int(c->at[i]) || c->at[i]->count != 1)
		return wrong_type(c, c->at[i]);
	*out = ndarray_item(c->at[i], 0);
	return true;
}

bool np_get_float(struct np_call *c, size_t i, double *out)
{
	const struct ndarray *a = c->at[i];

	if (!a)
		return true;
	if (a->count != 1 || a->origin == ORIGIN_LIST || a->origin == ORIGIN_TUPLE ||
	    !cell_can_hold(a->type) || a->type->kind == KIND_COMPLEX)
		return np_refuse(c, "such an argument");
	cells_load(a->type, a->first, 0, 1, CELL_DOUBLE, out);
	return true;
}

bool np_get_bool(struct np_call *c, size_t i, bool *out)
{
	return !c->at[i] || np_truth(c->ws, c->at[i], out);
}

bool np_get_ints(struct np_call *c, size_t i, int64_t *out, uint32_t room, uint32_t *n)
{
	struct ndarray *a = c->at[i];
	uint64_t count;

	*n = 0;
	if (sequence_is(a) && sequence_len(a))
		for (size_t k = 0; a->items && k < sequence_len(a); k++)
			if (!is_int(a->items[k]) || a->items[k]->count != 1)
				return wrong_type(c, a->items[k]);
	a = ws_keep(c->ws, sequence_to_array(c->ws, a));
	if (!a)
		return false;
	count = a->count;
	if (a->shape.rank > 1 || (count && !promote_is_whole(a->type)) ||
	    (!a->shape.rank && !is_int(a)))
		return wrong_type(c, a);
	if (count > room)
		return ws_fail(c->ws, ERR_VALUE,
		               "maximum supported dimension for an ndarray is %d, found %" PRIu64,
		               SHAPE_MAX_RANK, count);
	while (*n < count) {
		out[*n] = ndarray_item(a, *n);
		++*n;
	}
	return true;
}

void np_unpack(struct np_call *c, size_t i)
{
	struct ndarray *all = c->at[i], *only;

	if (!all->items || sequence_len(all) != 1)
		return;
	only = all->items[0];
	if (sequence_is(only) || (only->origin == ORIGIN_ARRAY && only->shape.rank))
		c->at[i] = only;
}

bool np_get_shape(struct np_call *c, size_t i, struct shape *out)
{
	uint64_t count;

	if (!np_get_ints(c, i, out->dim, SHAPE_MAX_RANK, &out->rank))
		return false;
	for (uint32_t k = 0; k < out->rank; k++)
		if (out->dim[k] < 0)
			return ws_fail(c->ws, ERR_VALUE, "negative dimensions are not allowed");
	return shape_count(out, &count) ||
	       ws_fail(c->ws, ERR_VALUE,
	               "Maximum allowed dimension exceeded; the array would be too large");
}

size_t np_index(const struct np_call *c, const char *name)
{
	size_t len = strlen(name), i = 0;

	while (i < NP_ARGS && !(c->parameter[i] && !strncmp(c->parameter[i], name, len) &&
	                        strchr(" ?!=", c->parameter[i][len])))
		i++;
	return i;
}

bool np_get_axes(struct np_call *c, struct reduce_axes *out)
{
	size_t axis = np_index(c, "axis");

	*out = (struct reduce_axes){0};
	if (!np_get_bool(c, np_index(c, "keepdims"), &out->keepdims))
		return false;
	if (!c->at[axis])
		return true;
	out->listed = c->at[axis]->origin == ORIGIN_TUPLE;
	if (c->at[axis]->origin == ORIGIN_LIST)
		return wrong_type(c, c->at[axis]);
	return np_get_ints(c, axis, out->axis, SHAPE_MAX_RANK, &out->n);
}

/* Types. */

bool np_dtype_of_name(const char *name, enum dtype *dtype)
{
	static const struct { const char *name; enum dtype dtype; } aliases[] = {
		{ "bool", DTYPE_BOOL }, { "bool_", DTYPE_BOOL }, { "bool8", DTYPE_BOOL },
		{ "int", DTYPE_INT64 }, { "int_", DTYPE_INT64 }, { "intp", DTYPE_INT64 },
		{ "longlong", DTYPE_INT64 }, { "uint", DTYPE_UINT64 }, { "uintp", DTYPE_UINT64 },
		{ "ulonglong", DTYPE_UINT64 }, { "byte", DTYPE_INT8 }, { "ubyte", DTYPE_UINT8 },
		{ "short", DTYPE_INT16 }, { "ushort", DTYPE_UINT16 }, { "intc", DTYPE_INT32 },
		{ "uintc", DTYPE_UINT32 }, { "float", DTYPE_FLOAT64 }, { "float_", DTYPE_FLOAT64 },
		{ "half", DTYPE_FLOAT16 }, { "single", DTYPE_FLOAT32 },
		{ "double", DTYPE_FLOAT64 }, { "complex", DTYPE_COMPLEX128 },
		{ "complex_", DTYPE_COMPLEX128 }, { "cfloat", DTYPE_COMPLEX128 },
		{ "cdouble", DTYPE_COMPLEX128 }, { "csingle", DTYPE_COMPLEX64 },
		{ "singlecomplex", DTYPE_COMPLEX64 },
	};

	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
		if (!strcmp(aliases[i].name, name)) {
			*dtype = aliases[i].dtype;
			return true;
		}
	}
	for (enum dtype one = 1; one <= DTYPE_UINT2; one++) {
		const struct dtype_info *type = dtype_info(one);

		if (type && promote_knows(type) && !strcmp(type->name, name)) {
			*dtype = type->dtype;
			return true;
		}
	}
	return false;
}

/* The short forms of numpy: 'f4', '<i8', 'd'. */
static bool dtype_of_code(const char *name, enum dtype *dtype)
{
	static const struct { const char *code; const char *name;
	} codes[] = {
		{ "?", "bool" },       { "b1", "bool" },      { "b", "int8" },
		{ "i1", "int8" },      { "B", "uint8" },      { "u1", "uint8" },
		{ "h", "int16" },      { "i2", "int16" },     { "H", "uint16" },
		{ "u2", "uint16" },    { "i", "int32" },      { "i4", "int32" },
		{ "I", "uint32" },     { "u4", "uint32" },    { "l", "int64" },
		{ "q", "int64" },      { "i8", "int64" },     { "L", "uint64" },
		{ "Q", "uint64" },     { "u8", "uint64" },    { "e", "float16" },
		{ "f2", "float16" },   { "f", "float32" },    { "f4", "float32" },
		{ "d", "float64" },    { "f8", "float64" },   { "F", "complex64" },
		{ "c8", "complex64" }, { "D", "complex128" }, { "c16", "complex128" },
	};

	if (*name && strchr("<=|", *name))
		name++;
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (!strcmp(codes[i].code, name))
			return np_dtype_of_name(codes[i].name, dtype);
	return false;
}

bool np_read_dtype(const struct ndarray *a, enum dtype *out)
{
	struct value_text text;

	*out = a->type->dtype;
	if (a->origin == ORIGIN_DTYPE || a->origin == ORIGIN_CLASS)
		return true;
	if (a->origin != ORIGIN_TEXT)
		return false;
	text = text_of(a);
	return strlen(text.text) == text.len &&
	       (np_dtype_of_name(text.text, out) || dtype_of_code(text.text, out));
}

bool np_get_dtype(struct np_call *c, size_t i, enum dtype *out)
{
	if (!c->at[i])
		return true;
	return (np_read_dtype(c->at[i], out) && promote_knows(dtype_info(*out))) ||
	       np_refuse(c, "such a dtype");
}
