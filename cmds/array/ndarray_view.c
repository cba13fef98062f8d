/*
 * Views of the same elements: only shape, strides and the first element change.
 */
#include <inttypes.h>

#include "cmds/array/ndarray.h"

bool ndarray_check_axis(struct workspace *ws, int64_t axis, uint32_t rank, uint32_t *out)
{
	if (axis < -(int64_t)rank || axis >= (int64_t)rank)
		return ws_fail(ws, ERR_AXIS,
		               "axis %" PRId64 " is out of bounds for array of dimension %" PRIu32,
		               axis, rank);
	*out = (uint32_t)(axis < 0 ? axis + rank : axis);
	return true;
}

struct ndarray *ndarray_transpose(struct workspace *ws, const struct ndarray *array,
                                  const int64_t *axes, uint32_t n)
{
	uint32_t rank = array->shape.rank;
	bool seen[SHAPE_MAX_RANK] = { false };
	struct ndarray *made;

	if (axes && n != rank)
		return ws_fail(ws, ERR_VALUE, "axes don't match array");
	made = ndarray_view(array);
	for (uint32_t i = 0; i < rank; i++) {
		uint32_t axis = rank - 1 - i;

		if (axes && ndarray_check_axis(ws, axes[i], rank, &axis) && seen[axis])
			ws_fail(ws, ERR_VALUE, "repeated axis in transpose");
		if (ws->err->code) {
			ndarray_free(ws, made);
			return NULL;
		}
		seen[axis] = true;
		made->shape.dim[i] = array->shape.dim[axis];
		made->stride[i] = array->stride[axis];
	}
	return made;
}

/* The new shape, with -1 replaced. */
static bool find_shape(struct workspace *ws, const struct ndarray *array, const int64_t *dims,
                       uint32_t n, struct shape *out)
{
	struct str text = {0};
	uint32_t open = n;
	uint64_t rest = 1;
	bool ok = n <= SHAPE_MAX_RANK;

	if (!ok)
		return ws_fail(ws, ERR_VALUE,
		               "maximum supported dimension for an ndarray is %d, found %" PRIu32,
		               SHAPE_MAX_RANK, n);
	out->rank = n;
	for (uint32_t i = 0; i < n; i++) {
		out->dim[i] = dims[i];
		if (dims[i] < 0 && open < n)
			return ws_fail(ws, ERR_VALUE, "can only specify one unknown dimension");
		if (dims[i] < 0)
			open = i;
	}
	if (open < n) {
		out->dim[open] = 1;
		ok = shape_count(out, &rest) && rest && array->count % rest == 0;
		out->dim[open] = ok ? (int64_t)(array->count / rest) : 0;
	} else {
		ok = shape_count(out, &rest) && rest == array->count;
	}
	if (!ok) {
		put_dims(&text, dims, n);
		ws_fail(ws, ERR_VALUE, "cannot reshape array of size %" PRIu64 " into shape %s",
		        array->count, text.text);
		str_release(&text);
	}
	return ok;
}

struct ndarray *ndarray_reshape(struct workspace *ws, const struct ndarray *array,
                                const int64_t *dims, uint32_t n)
{
	struct shape shape;
	struct ndarray *made;
	int64_t stride = (int64_t)array->type->elem_bytes;

	if (!find_shape(ws, array, dims, n, &shape))
		return NULL;
	made = ndarray_contiguous(ws, array);
	if (!made)
		return NULL;
	made->shape = shape;
	for (uint32_t i = shape.rank; i-- > 0;) {
		made->stride[i] = stride;
		stride = (int64_t)((uint64_t)stride * (uint64_t)shape.dim[i]);
	}
	if (made->shape.rank || made->origin == ORIGIN_PYTHON)
		made->origin = ORIGIN_ARRAY;
	return made;
}

void ndarray_drop_axes(struct ndarray *array, const bool *dropped)
{
	uint32_t rank = 0;

	for (uint32_t i = 0; i < array->shape.rank; i++) {
		if (dropped[i])
			continue;
		array->shape.dim[rank] = array->shape.dim[i];
		array->stride[rank++] = array->stride[i];
	}
	array->shape.rank = rank;
}

struct ndarray *ndarray_part(const struct ndarray *array, int part)
{
	struct ndarray *made = ndarray_view(array);

	made->type = dtype_info(array->type->dtype == DTYPE_COMPLEX64 ? DTYPE_FLOAT32 :
	                                                                DTYPE_FLOAT64);
	if (part && made->count)
		made->first += made->type->elem_bytes;
	return made;
}

/*
 * A bound of a Python slice: counted from the end if negative, then clamped to [low, high].
 */
static int64_t place(int64_t asked, int64_t dim, int64_t low, int64_t high)
{
	int64_t at = asked < 0 ? (asked < -dim ? low : asked + dim) : asked;

	return at < low ? low : at > high ? high : at;
}

/* Moves the first element; not in an empty array, whose strides may overflow. */
static void move_first(struct ndarray *made, int64_t steps, int64_t stride)
{
	if (made->count)
		made->first += steps * stride;
}

/* Appends an axis narrowed to begin:end:step to those of the view. */
static bool add_range(struct workspace *ws, const struct index_item *item, int64_t dim,
                      int64_t stride, struct ndarray *made)
{
	int64_t step = item->step == INDEX_NONE ? 1 : item->step;
	int64_t low = step < 0 ? -1 : 0, high = step < 0 ? dim - 1 : dim;
	int64_t begin, end, count = 0;

	if (step == 0)
		return ws_fail(ws, ERR_VALUE, "slice step cannot be zero");
	if (step < -INT64_MAX)
		step = -INT64_MAX;
	begin = item->begin == INDEX_NONE ? (step < 0 ? high : low) :
	                                    place(item->begin, dim, low, high);
	end = item->end == INDEX_NONE ? (step < 0 ? low : high) : place(item->end, dim, low, high);
	if (step > 0 && begin < end)
		count = (end - begin - 1) / step + 1;
	if (step < 0 && end < begin)
		count = (begin - end - 1) / -step + 1;
	if (count)
		move_first(made, begin, stride);
	made->stride[made->shape.rank] = count > 1 ? (int64_t)((uint64_t)stride * (uint64_t)step) :
	                                             stride;
	made->shape.dim[made->shape.rank++] = count;
	return true;
}

static bool add_int(struct workspace *ws, const struct index_item *item, uint32_t axis,
                    const struct ndarray *array, struct ndarray *made)
{
	int64_t dim = array->shape.dim[axis], at = item->begin;

	if (at < -dim || at >= dim)
		return ws_fail(ws, ERR_INDEX,
		               "index %" PRId64 " is out of bounds for axis %" PRIu32
		               " with size %" PRId64,
		               at, axis, dim);
	move_first(made, at < 0 ? at + dim : at, array->stride[axis]);
	return true;
}

/* How many axes the items use, not counting the ellipsis. */
static bool count_axes(struct workspace *ws, const struct ndarray *array,
                       const struct index_item *items, uint32_t n, uint32_t *asked, bool *ellipsis)
{
	*asked = 0;
	*ellipsis = false;
	for (uint32_t i = 0; i < n; i++) {
		if (items[i].kind == INDEX_NEW_AXIS)
			continue;
		if (items[i].kind != INDEX_ELLIPSIS)
			++*asked;
		else if (*ellipsis)
			return ws_fail(ws, ERR_INDEX,
			               "an index can only have a single ellipsis ('...')");
		else
			*ellipsis = true;
	}
	return *asked <= array->shape.rank ||
	       ws_fail(ws, ERR_INDEX,
	               "too many indices for array: array is %" PRIu32 "-dimensional, but %" PRIu32
	               " were indexed",
	               array->shape.rank, *asked);
}

static bool apply_items(struct workspace *ws, const struct ndarray *array,
                        const struct index_item *items, uint32_t n, uint32_t asked,
                        struct ndarray *made)
{
	static const struct index_item whole_axis = { INDEX_RANGE, INDEX_NONE, INDEX_NONE,
		                                      INDEX_NONE, NULL };
	uint32_t axis = 0, spare = array->shape.rank - asked, wide = 0;

	for (uint32_t i = 0; i < n; i++)
		wide += items[i].kind == INDEX_NEW_AXIS || items[i].kind == INDEX_RANGE;
	if (wide + spare > SHAPE_MAX_RANK)
		return ws_fail(ws, ERR_INDEX, "number of dimensions must be within [0, %d]",
		               SHAPE_MAX_RANK);
	made->shape.rank = 0;
	for (uint32_t i = 0; i <= n; i++) {
		bool fill = i == n || items[i].kind == INDEX_ELLIPSIS;

		if (!fill && items[i].kind == INDEX_NEW_AXIS) {
			made->stride[made->shape.rank] = 0;
			made->shape.dim[made->shape.rank++] = 1;
			continue;
		}

		for (; fill && spare; spare--, axis++)
			add_range(ws, &whole_axis, array->shape.dim[axis], array->stride[axis],
			          made);
		if (fill)
			continue;
		if (items[i].kind == INDEX_INT ? !add_int(ws, &items[i], axis, array, made) :
		                                 !add_range(ws, &items[i], array->shape.dim[axis],
		                                            array->stride[axis], made))
			return false;
		axis++;
	}
	return true;
}

struct ndarray *ndarray_index(struct workspace *ws, const struct ndarray *array,
                              const struct index_item *items, uint32_t n)
{
	struct ndarray *made;
	uint32_t asked;
	bool ellipsis;

	if (!count_axes(ws, array, items, n, &asked, &ellipsis))
		return NULL;
	made = ndarray_view(array);
	if (!apply_items(ws, array, items, n, asked, made)) {
		ndarray_free(ws, made);
		return NULL;
	}
	shape_count(&made->shape, &made->count);
	made->origin = made->shape.rank == 0 && !ellipsis ? ORIGIN_SCALAR : ORIGIN_ARRAY;
	if (made->origin == ORIGIN_SCALAR && ndarray_is_text(made))
		made->origin = ORIGIN_BYTES;
	return made;
}

struct ndarray *ndarray_at(struct workspace *ws, const struct ndarray *array, size_t i)
{
	struct index_item item = { .kind = INDEX_INT, .begin = (int64_t)i };

	return ndarray_index(ws, array, &item, 1);
}
