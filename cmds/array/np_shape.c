/* The same elements in another shape, repeated, or put together. */
#include <string.h>

#include "cmds/array/np.h"
#include "cmds/array/promote.h"
#include "cmds/array/select.h"
#include "cmds/array/sequence.h"
#include "cmds/array/text.h"

#define MAX_PARTS 1024          /* arrays that are joined */

struct ndarray *np_size(struct np_call *c)
{
	int64_t axis = 0;
	uint32_t at;

	if (!c->at[1])
		return np_int(c->ws, (int64_t)c->at[0]->count);
	if (!np_get_int(c, 1, &axis) || !ndarray_check_axis(c->ws, axis, c->at[0]->shape.rank, &at))
		return NULL;
	return np_int(c->ws, c->at[0]->shape.dim[at]);
}

struct ndarray *np_shape(struct np_call *c)
{
	return ws_keep(c->ws, ndarray_tuple(c->ws, c->at[0]->shape.dim, c->at[0]->shape.rank));
}

struct ndarray *np_ndim(struct np_call *c)
{
	return np_int(c->ws, c->at[0]->shape.rank);
}

/* which: 1 of all elements, 0 of one. */
struct ndarray *np_bytes(struct np_call *c)
{
	uint64_t count = c->which ? c->at[0]->count : 1;
	size_t bytes = ndarray_is_text(c->at[0]) ? sizeof(uint64_t) : c->at[0]->type->elem_bytes;

	return np_int(c->ws, (int64_t)(count * bytes));
}

struct ndarray *np_copy(struct np_call *c)
{
	return np_copy_as(c->ws, c->at[0], c->at[0]->type->dtype);
}

/* Axes. */

/* No axes at all are said by x.transpose() and x.transpose(None). */
static bool says_axes(const struct ndarray *axes)
{
	bool none = axes && axes->items && sequence_len(axes) == 1 &&
	            axes->items[0]->origin == ORIGIN_NONE;

	return axes && !none && !(sequence_is(axes) && !sequence_len(axes));
}

struct ndarray *np_transpose(struct np_call *c)
{
	int64_t axes[SHAPE_MAX_RANK];
	uint32_t n;

	if (!says_axes(c->at[1]))
		return ws_keep(c->ws, ndarray_transpose(c->ws, c->at[0], NULL, 0));
	np_unpack(c, 1);
	if (!np_get_ints(c, 1, axes, SHAPE_MAX_RANK, &n))
		return NULL;
	return ws_keep(c->ws, ndarray_transpose(c->ws, c->at[0], axes, n));
}

/* Is the order of a parameter Fortran's? */
static bool read_order(struct np_call *c, bool *fortran)
{
	const struct ndarray *order = c->at[np_index(c, "order")];

	*fortran = text_is(order, "F");
	return !order || *fortran || text_is(order, "C") || np_refuse(c, "such an order");
}

struct ndarray *np_reshape(struct np_call *c)
{
	int64_t dims[SHAPE_MAX_RANK];
	struct ndarray *a = c->at[0], *made;
	bool fortran;
	uint32_t n;

	np_unpack(c, 1);
	if (!read_order(c, &fortran) || !np_get_ints(c, 1, dims, SHAPE_MAX_RANK, &n))
		return NULL;
	for (uint32_t i = 0; fortran && i < n / 2; i++) {
		int64_t dim = dims[i];

		dims[i] = dims[n - 1 - i];
		dims[n - 1 - i] = dim;
	}
	if (fortran)
		a = ws_keep(c->ws, ndarray_transpose(c->ws, a, NULL, 0));
	made = ws_keep(c->ws, ndarray_reshape(c->ws, a, dims, n));
	if (made)
		made->origin = ORIGIN_ARRAY;
	return made && fortran ? ws_keep(c->ws, ndarray_transpose(c->ws, made, NULL, 0)) : made;
}

struct ndarray *np_ravel(struct np_call *c)
{
	struct ndarray *a = c->at[0];
	bool fortran;

	if (!read_order(c, &fortran))
		return NULL;
	return np_flat(c->ws, fortran ? ws_keep(c->ws, ndarray_transpose(c->ws, a, NULL, 0)) : a);
}

struct ndarray *np_squeeze(struct np_call *c)
{
	struct ndarray *a = c->at[0], *made;
	bool reduced[SHAPE_MAX_RANK];
	struct reduce_axes axes;
	uint64_t n;

	if (!np_get_axes(c, &axes) || !reduce_read_axes(c->ws, a, &axes, reduced, &n))
		return NULL;
	for (uint32_t i = 0; i < a->shape.rank; i++) {
		if (!axes.n && !axes.listed)
			reduced[i] = a->shape.dim[i] == 1;
		else if (reduced[i] && a->shape.dim[i] != 1)
			return ws_fail(c->ws, ERR_VALUE,
			               "cannot select an axis to squeeze out which has size not "
			               "equal to one");
	}
	made = np_view(c->ws, a);
	ndarray_drop_axes(made, reduced);
	return made;
}

struct ndarray *np_expand_dims(struct np_call *c)
{
	struct ndarray *a = c->at[0], *made = np_view(c->ws, a);
	int64_t given[SHAPE_MAX_RANK];
	bool added[SHAPE_MAX_RANK] = { false };
	uint32_t n, at, from = 0, rank;

	if (!np_get_ints(c, 1, given, SHAPE_MAX_RANK, &n))
		return NULL;
	rank = a->shape.rank + n;
	if (rank > SHAPE_MAX_RANK)
		return np_refuse(c, "so many axes");
	for (uint32_t i = 0; i < n; i++) {
		if (!ndarray_check_axis(c->ws, given[i], rank, &at))
			return NULL;
		if (added[at])
			return ws_fail(c->ws, ERR_VALUE, "repeated axis");
		added[at] = true;
	}
	made->shape.rank = rank;
	for (uint32_t i = 0; i < rank; i++) {
		made->shape.dim[i] = added[i] ? 1 : a->shape.dim[from];
		made->stride[i] = added[i] ? 0 : a->stride[from];
		from += !added[i];
	}
	made->origin = ORIGIN_ARRAY;
	return made;
}

struct ndarray *np_swapaxes(struct np_call *c)
{
	int64_t axes[SHAPE_MAX_RANK], first = 0, second = 0;
	uint32_t rank = c->at[0]->shape.rank, a, b;

	if (!np_get_int(c, 1, &first) || !np_get_int(c, 2, &second) ||
	    !ndarray_check_axis(c->ws, first, rank, &a) ||
	    !ndarray_check_axis(c->ws, second, rank, &b))
		return NULL;
	for (uint32_t i = 0; i < rank; i++)
		axes[i] = i == a ? b : i == b ? a : i;
	return ws_keep(c->ws, ndarray_transpose(c->ws, c->at[0], axes, rank));
}

struct ndarray *np_moveaxis(struct np_call *c)
{
	int64_t from[SHAPE_MAX_RANK], to[SHAPE_MAX_RANK], axes[SHAPE_MAX_RANK];
	bool taken[SHAPE_MAX_RANK] = { false }, moved[SHAPE_MAX_RANK] = { false };
	uint32_t rank = c->at[0]->shape.rank, n, n_to, a, b, next = 0;

	if (!np_get_ints(c, 1, from, SHAPE_MAX_RANK, &n) ||
	    !np_get_ints(c, 2, to, SHAPE_MAX_RANK, &n_to))
		return NULL;
	if (n != n_to)
		return ws_fail(c->ws, ERR_VALUE, "`source` and `destination` arguments must have "
		                                 "the same number of elements");
	for (uint32_t i = 0; i < n; i++) {
		if (!ndarray_check_axis(c->ws, from[i], rank, &a) ||
		    !ndarray_check_axis(c->ws, to[i], rank, &b))
			return NULL;
		if (moved[a] || taken[b])
			return ws_fail(c->ws, ERR_VALUE, "repeated axis");
		moved[a] = taken[b] = true;
		axes[b] = a;
	}
	for (uint32_t i = 0; i < rank; i++) {
		if (taken[i])
			continue;
		while (moved[next])
			next++;
		axes[i] = next++;
	}
	return ws_keep(c->ws, ndarray_transpose(c->ws, c->at[0], axes, rank));
}

/* which: -1 axes as given, else that axis (flipud 0, fliplr 1). */
struct ndarray *np_flip(struct np_call *c)
{
	struct ndarray *a = c->at[0];
	bool reduced[SHAPE_MAX_RANK] = { false };
	struct reduce_axes axes = { .n = 1, .axis = { c->which } };
	uint64_t n;

	if (c->which < 0 && !np_get_axes(c, &axes))
		return NULL;
	if (c->which < 0 && axes.n && !a->shape.rank)
		return ws_fail(c->ws, ERR_AXIS, "axis is out of bounds for array of dimension 0");
	if (c->which >= (int)a->shape.rank)
		return ws_fail(c->ws, ERR_VALUE, "Input must be >= %d-d.", c->which + 1);
	if (!reduce_read_axes(c->ws, a, &axes, reduced, &n))
		return NULL;
	for (uint32_t i = 0; a && i < a->shape.rank; i++)
		if (reduced[i])
			a = np_part(c->ws, a, i, INDEX_NONE, INDEX_NONE, -1);
	return np_as_scalar(np_view(c->ws, a));
}

struct ndarray *np_broadcast_to(struct np_call *c)
{
	struct ndarray *a = c->at[0], *made;
	struct shape shape, both;
	uint64_t count;

	if (!np_get_shape(c, 1, &shape) || !shape_count(&shape, &count))
		return NULL;
	if (a->shape.rank > shape.rank || !shape_broadcast(&a->shape, &shape, &both) ||
	    !shape_equal(&both, &shape))
		return ws_fail(c->ws, ERR_VALUE,
		               "operands could not be broadcast together with remapped shapes");
	made = np_view(c->ws, a);
	for (uint32_t i = 0; i < shape.rank; i++) {
		uint32_t ahead = shape.rank - a->shape.rank;
		bool repeats = i < ahead || a->shape.dim[i - ahead] == 1;

		made->stride[i] = repeats ? 0 : a->stride[i - ahead];
	}
	made->shape = shape;
	made->count = count;
	made->origin = ORIGIN_ARRAY;
	return made;
}

/* which: how many axes there must be. */
static struct ndarray *with_axes(struct workspace *ws, struct ndarray *a, uint32_t rank)
{
	struct shape shape = a->shape;

	if (shape.rank >= rank)
		return a;
	if (rank == 3 && shape.rank == 2) {
		shape.dim[shape.rank++] = 1;
		return np_reshaped(ws, a, &shape);
	}
	for (; shape.rank < rank; shape.rank++) {
		bool behind = shape.rank == 0 || (rank == 3 && shape.rank == 2);

		if (!behind)
			memmove(shape.dim + 1, shape.dim, shape.rank * sizeof *shape.dim);
		shape.dim[behind ? shape.rank : 0] = 1;
	}
	return np_reshaped(ws, a, &shape);
}

struct ndarray *np_atleast(struct np_call *c)
{
	return with_axes(c->ws, c->at[0], (uint32_t)c->which);
}

/* Joining. */

static bool read_arrays(struct np_call *c, struct ndarray **arrays, size_t *n)
{
	struct workspace *ws = c->ws;
	struct ndarray *list = c->at[0];

	if (!sequence_is(list) && (list->origin != ORIGIN_ARRAY || !list->shape.rank))
		return np_refuse(c, "what is no list of arrays");
	*n = (size_t)list->shape.dim[0];
	if (*n > MAX_PARTS)
		return np_refuse(c, "so many arrays");
	if (!*n)
		return ws_fail(ws, ERR_VALUE, "need at least one array to join");
	for (size_t i = 0; i < *n; i++) {
		arrays[i] = ws_keep(ws, sequence_at(ws, list, i));
		arrays[i] = arrays[i] ? ws_keep(ws, sequence_to_array(ws, arrays[i])) : NULL;
		if (!arrays[i])
			return false;
		if (!ndarray_is_text(arrays[i]) && !promote_knows(arrays[i]->type))
			return np_refuse(c, arrays[i]->type->name);
	}
	return true;
}

/* The type of all of them as operands: single numbers count by their value. */
static enum dtype type_together(struct ndarray *const *arrays, size_t n)
{
	const struct ndarray *widest = arrays[0];
	enum dtype dtype;

	for (size_t i = 0; i < n && !widest->shape.rank; i++)
		widest = arrays[i];
	dtype = widest->type->dtype;
	for (size_t i = 0; i < n && !ndarray_is_text(widest); i++)
		if (!ndarray_is_text(arrays[i]))
			dtype = promote_types(dtype, promote_operands(widest, arrays[i]));
	return dtype;
}

struct ndarray *np_concatenate(struct np_call *c)
{
	struct ndarray *arrays[MAX_PARTS], *made;
	enum dtype dtype = DTYPE_INVALID;
	int64_t given = 0;
	uint32_t axis = 0;
	size_t n;

	if (!read_arrays(c, arrays, &n) || !np_get_dtype(c, np_index(c, "dtype"), &dtype))
		return NULL;
	if (c->at[1] && c->at[1]->origin == ORIGIN_NONE) {
		dtype = dtype ? dtype : type_together(arrays, n);
		for (size_t i = 0; i < n; i++)
			if (!(arrays[i] = np_flat(c->ws, np_to(c->ws, arrays[i], dtype))))
				return NULL;
	} else if (!np_get_int(c, 1, &given)) {
		return NULL;
	}
	if (!arrays[0]->shape.rank)
		return ws_fail(c->ws, ERR_VALUE, "zero-dimensional arrays cannot be concatenated");
	if (!ndarray_check_axis(c->ws, given, arrays[0]->shape.rank, &axis))
		return NULL;
	made = np_joined(c->ws, arrays, n, axis);
	return made && dtype ? np_to(c->ws, made, dtype) : made;
}

struct ndarray *np_stack(struct np_call *c)
{
	struct ndarray *arrays[MAX_PARTS];
	int64_t given = 0;
	uint32_t axis, rank;
	size_t n;

	if (!read_arrays(c, arrays, &n) || !np_get_int(c, 1, &given) ||
	    !ndarray_check_axis(c->ws, given, arrays[0]->shape.rank + 1, &axis))
		return NULL;
	rank = arrays[0]->shape.rank;
	for (size_t i = 0; i < n; i++) {
		struct shape shape = arrays[i]->shape;

		if (shape.rank == SHAPE_MAX_RANK)
			return np_refuse(c, "so many axes");
		if (shape.rank != rank)
			return ws_fail(c->ws, ERR_VALUE,
			               "all input arrays must have the same shape");
		memmove(shape.dim + axis + 1, shape.dim + axis,
		        (shape.rank - axis) * sizeof *shape.dim);
		shape.dim[axis] = 1;
		shape.rank++;
		arrays[i] = np_reshaped(c->ws, arrays[i], &shape);
		if (!arrays[i])
			return NULL;
	}
	return np_joined(c->ws, arrays, n, axis);
}

/* which: 0 below one another (vstack), 1 beside (hstack), 2 behind (dstack). */
struct ndarray *np_join_rows(struct np_call *c)
{
	struct ndarray *arrays[MAX_PARTS];
	uint32_t rank = c->which == 1 ? 1 : (uint32_t)c->which + (c->which ? 1 : 2);
	uint32_t axis = (uint32_t)c->which;
	size_t n;

	if (!read_arrays(c, arrays, &n))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!(arrays[i] = with_axes(c->ws, arrays[i], rank)))
			return NULL;
	if (c->which == 1 && arrays[0]->shape.rank == 1)
		axis = 0;
	return np_joined(c->ws, arrays, n, axis);
}

/* Repeating and choosing. */

/* The elements of an axis at these places. */
static struct ndarray *taken(struct workspace *ws, const struct ndarray *a, uint32_t axis,
                             const struct ndarray *places)
{
	struct index_item items[SHAPE_MAX_RANK];

	if (!a || !places)
		return NULL;
	for (uint32_t i = 0; i < axis; i++)
		items[i] = (struct index_item){ INDEX_RANGE, INDEX_NONE, INDEX_NONE, INDEX_NONE,
			                        NULL };
	items[axis] = (struct index_item){ .kind = INDEX_ARRAY, .array = places };
	return ws_keep(ws, select_index(ws, a, items, axis + 1));
}

/* The axis at a parameter, or, where there is none, the array as one row. */
static bool read_axis(struct np_call *c, size_t i, struct ndarray **a, uint32_t *axis)
{
	int64_t given = 0;

	*a = c->at[i] && c->at[0]->shape.rank ? c->at[0] : np_flat(c->ws, c->at[0]);
	return *a && np_get_int(c, i, &given) &&
	       ndarray_check_axis(c->ws, given, (*a)->shape.rank, axis);
}

struct ndarray *np_take(struct np_call *c)
{
	struct ndarray *a, *places = c->at[1], *made;
	uint32_t axis;

	if (!promote_is_whole(places->type))
		return ws_fail(c->ws, ERR_TYPE, "indices must be whole numbers");
	if (!read_axis(c, 2, &a, &axis))
		return NULL;
	made = taken(c->ws, a, axis, np_to(c->ws, places, DTYPE_INT64));
	return made && !made->shape.rank ? np_as_scalar(made) : made;
}

struct ndarray *np_roll(struct np_call *c)
{
	struct ndarray *a, *parts[2], *made;
	int64_t shift = 0, n;
	uint32_t axis;

	if ((c->at[1] && sequence_is(c->at[1])) || (c->at[2] && sequence_is(c->at[2])))
		return np_refuse(c, "several axes");
	if (!np_get_int(c, 1, &shift) || !read_axis(c, 2, &a, &axis))
		return NULL;
	if (c->at[2] && !c->at[0]->shape.rank)
		return ws_fail(c->ws, ERR_AXIS, "axis is out of bounds for array of dimension 0");
	n = a->shape.dim[axis];
	shift = n ? (shift % n + n) % n : 0;
	parts[0] = np_part(c->ws, a, axis, n - shift, INDEX_NONE, 1);
	parts[1] = np_part(c->ws, a, axis, INDEX_NONE, n - shift, 1);
	made = parts[0] && parts[1] ? np_joined(c->ws, parts, 2, axis) : NULL;
	return c->at[2] ? made : np_reshaped(c->ws, made, &c->at[0]->shape);
}

struct ndarray *np_repeat(struct np_call *c)
{
	struct workspace *ws = c->ws;
	struct ndarray *a, *times = np_flat(ws, c->at[1]), *places;
	struct shape shape = { .rank = 1 };
	int64_t *to;
	uint32_t axis;
	int64_t n;

	if (!promote_is_whole(c->at[1]->type))
		return ws_fail(ws, ERR_TYPE,
		               "Cannot cast array data to dtype('int64') according to "
		               "the rule 'safe'");
	if (!times || !(times = np_to(ws, times, DTYPE_INT64)) || !read_axis(c, 2, &a, &axis))
		return NULL;
	n = a->shape.dim[axis];
	if (times->count != 1 && times->count != (uint64_t)n)
		return ws_fail(ws, ERR_VALUE, "operands could not be broadcast together");
	for (int64_t i = 0; i < n; i++) {
		int64_t k = ((int64_t *)(void *)times->first)[times->count == 1 ? 0 : i];

		if (k < 0)
			return ws_fail(ws, ERR_VALUE, "repeats may not contain negative values.");
		if (__builtin_add_overflow(shape.dim[0], k, &shape.dim[0]))
			return ws_fail(ws, ERR_LIMIT, "The array would be too large");
		if (i % CELLS == 0 && !ws_step(ws, (uint64_t)i, (uint64_t)n))
			return NULL;
	}
	places = np_new(ws, DTYPE_INT64, &shape);
	if (!places)
		return NULL;
	to = (int64_t *)(void *)places->first;
	for (int64_t i = 0; i < n; i++) {
		int64_t k = ((int64_t *)(void *)times->first)[times->count == 1 ? 0 : i];

		if (i % CELLS == 0 && !ws_step(ws, (uint64_t)i, (uint64_t)n))
			return NULL;
		for (; k; k--) {
			*to++ = i;
			if (k % CELLS == 0 && !ws_step(ws, (uint64_t)i, (uint64_t)n))
				return NULL;
		}
	}
	return taken(ws, a, axis, places);
}

struct ndarray *np_tile(struct np_call *c)
{
	struct ndarray *a = c->at[0];
	struct shape shape = a->shape;
	int64_t times[SHAPE_MAX_RANK];
	uint32_t n;

	if (!np_get_ints(c, 1, times, SHAPE_MAX_RANK, &n))
		return NULL;
	for (; shape.rank < n; shape.rank++) {
		memmove(shape.dim + 1, shape.dim, shape.rank * sizeof *shape.dim);
		shape.dim[0] = 1;
	}
	a = np_reshaped(c->ws, a, &shape);
	for (uint32_t i = 0; a && i < n; i++) {
		uint32_t axis = shape.rank - n + i;
		struct shape all = { .rank = 1, .dim = { 0 } };
		struct ndarray *places;

		if (times[i] < 0)
			return ws_fail(c->ws, ERR_VALUE, "negative dimensions are not allowed");
		if (__builtin_mul_overflow(times[i], shape.dim[axis], &all.dim[0]))
			return ws_fail(c->ws, ERR_LIMIT, "The array would be too large");
		places = np_new(c->ws, DTYPE_INT64, &all);
		for (int64_t k = 0; places && k < all.dim[0]; k++) {
			((int64_t *)(void *)places->first)[k] = k % shape.dim[axis];
			if (k % CELLS == 0 &&
			    !ws_step(c->ws, (uint64_t)k, (uint64_t)all.dim[0]))
				return NULL;
		}
		a = taken(c->ws, a, axis, places);
	}
	return a;
}

/* Diagonals. */

/* A view: the diagonal of the last two of these axes, behind all others. */
static struct ndarray *diagonal(struct workspace *ws, const struct ndarray *a, int64_t offset,
                                int64_t first, int64_t second)
{
	bool both[SHAPE_MAX_RANK] = { false };
	uint32_t one, two;
	int64_t rows, cols, n;
	struct ndarray *made;

	if (a->shape.rank < 2)
		return ws_fail(ws, ERR_VALUE, "diag requires an array of at least two dimensions");
	if (!ndarray_check_axis(ws, first, a->shape.rank, &one) ||
	    !ndarray_check_axis(ws, second, a->shape.rank, &two))
		return NULL;
	if (one == two)
		return ws_fail(ws, ERR_VALUE, "axis1 and axis2 cannot be the same");
	if (offset > INT32_MAX || offset < -INT32_MAX)
		offset = offset < 0 ? -INT32_MAX : INT32_MAX;
	rows = a->shape.dim[one] + (offset < 0 ? offset : 0);
	cols = a->shape.dim[two] - (offset > 0 ? offset : 0);
	n = rows < cols ? rows : cols;
	n = n < 0 ? 0 : n;
	made = np_view(ws, a);
	if (n && made->count)
		made->first += offset > 0 ? offset * a->stride[two] : -offset * a->stride[one];
	both[one] = both[two] = true;
	ndarray_drop_axes(made, both);
	made->shape.dim[made->shape.rank] = n;
	made->stride[made->shape.rank++] =
		(int64_t)((uint64_t)a->stride[one] + (uint64_t)a->stride[two]);
	shape_count(&made->shape, &made->count);
	return made;
}

struct ndarray *np_diagonal(struct np_call *c)
{
	int64_t offset = 0, first = 0, second = 1;

	if (!np_get_int(c, 1, &offset) || !np_get_int(c, 2, &first) || !np_get_int(c, 3, &second))
		return NULL;
	return diagonal(c->ws, c->at[0], offset, first, second);
}

struct ndarray *np_trace(struct np_call *c)
{
	struct reduce_axes last = { .n = 1, .axis = { -1 } };

	return np_reduce(c->ws, REDUCE_SUM, np_diagonal(c), &last);
}

struct ndarray *np_diag(struct np_call *c)
{
	struct ndarray *a = c->at[0], *made, *line;
	struct shape shape = { .rank = 2 };
	int64_t offset = 0;

	if (!np_get_int(c, 1, &offset))
		return NULL;
	if (a->shape.rank == 2)
		return diagonal(c->ws, a, offset, 0, 1);
	if (a->shape.rank != 1)
		return ws_fail(c->ws, ERR_VALUE, "Input must be 1- or 2-d.");
	if (offset > INT32_MAX || offset < -INT32_MAX)
		return np_refuse(c, "such a diagonal");
	shape.dim[0] = shape.dim[1] = a->shape.dim[0] + (offset < 0 ? -offset : offset);
	made = np_full(c->ws, a->type->dtype, &shape, np_int(c->ws, 0));
	line = made ? diagonal(c->ws, made, offset, 0, 1) : NULL;
	a = line ? np_contiguous(c->ws, a) : NULL;
	if (!a)
		return NULL;
	for (uint64_t i = 0; i < a->count; i++)
		memcpy(line->first + (int64_t)i * line->stride[0],
		       a->first + i * a->type->elem_bytes, a->type->elem_bytes);
	return made;
}

/* which: 0 the lower triangle stays, 1 the upper one. */
struct ndarray *np_triangle(struct np_call *c)
{
	struct ndarray *a = c->at[0], *made;
	int64_t k = 0, rows, cols;
	size_t bytes = a->type->elem_bytes;

	if (!np_get_int(c, 1, &k))
		return NULL;
	if (!a->shape.rank)
		return ws_fail(c->ws, ERR_TYPE, "an array of at least one dimension is needed");
	if (a->shape.rank == 1) {
		a = np_view(c->ws, a);
		a->shape = (struct shape){ 2, { a->shape.dim[0], a->shape.dim[0] } };
		a->stride[1] = a->stride[0];
		a->stride[0] = 0;
		if (!shape_count(&a->shape, &a->count))
			return np_refuse(c, "so long a row");
	}
	made = np_copy_as(c->ws, a, a->type->dtype);
	rows = a->shape.dim[a->shape.rank - 2];
	cols = a->shape.dim[a->shape.rank - 1];
	for (uint64_t i = 0; made && i < made->count; i++) {
		int64_t col = (int64_t)(i % (uint64_t)cols),
			row = (int64_t)(i / (uint64_t)cols) % rows;
		bool stays = c->which ? col - row >= k : col - row <= k;

		if (!stays)
			memset(made->first + i * bytes, 0, bytes);
		if (i % CELLS == 0 && !ws_step(c->ws, i, made->count))
			return NULL;
	}
	return made;
}
