/*
 * First masks become arrays of places, one for each of their axes. Then all arrays (and ints, if
 * there is an array) are broadcast to one shape, and for each element of that the offset from the
 * array's first element is computed. The other items, ranges, give a view; the result is that
 * view, copied from each of the offsets.
 */
#include "cmds/array/select.h"

#include <inttypes.h>
#include <string.h>

/* Masks. */

static bool count_true(struct workspace *ws, const struct ndarray *mask, uint64_t *out)
{
	bool truths[CELLS];
	struct cursor cursor;

	*out = 0;
	cursor_start(&cursor, mask, &mask->shape, NULL);
	for (uint64_t done = 0; done < mask->count; done += CELLS) {
		size_t n = mask->count - done < CELLS ? (size_t)(mask->count - done) : CELLS;

		cursor_copy(&cursor, n, (unsigned char *)truths);
		for (size_t i = 0; i < n; i++)
			*out += truths[i];
		if (!ws_step(ws, done + n, mask->count))
			return false;
	}
	return true;
}

static bool put_places(struct workspace *ws, const struct ndarray *mask, struct ndarray **places)
{
	int64_t index[SHAPE_MAX_RANK] = {0};
	bool truths[CELLS];
	struct cursor cursor;
	uint64_t at = 0;

	cursor_start(&cursor, mask, &mask->shape, NULL);
	for (uint64_t done = 0; done < mask->count; done += CELLS) {
		size_t n = mask->count - done < CELLS ? (size_t)(mask->count - done) : CELLS;

		cursor_copy(&cursor, n, (unsigned char *)truths);
		for (size_t i = 0; i < n; i++) {
			for (uint32_t k = 0; truths[i] && k < mask->shape.rank; k++)
				((int64_t *)(void *)places[k]->first)[at] = index[k];
			at += truths[i];
			shape_next(&mask->shape, index);
		}
		if (!ws_step(ws, done + n, mask->count))
			return false;
	}
	return true;
}

bool select_nonzero(struct workspace *ws, const struct ndarray *array, struct ndarray **places)
{
	struct ndarray *mask = ndarray_astype(ws, array, DTYPE_BOOL);
	struct shape shape = { .rank = 1 };
	uint32_t made = 0;
	uint64_t n;
	bool ok = mask && count_true(ws, mask, &n);

	if (ok)
		shape.dim[0] = (int64_t)n;
	for (; ok && made < array->shape.rank; made += ok) {
		places[made] = ndarray_new(ws, DTYPE_INT64, &shape, ORIGIN_ARRAY);
		ok = places[made];
	}
	ok = ok && put_places(ws, mask, places);
	for (uint32_t k = 0; !ok && k < made; k++)
		ndarray_free(ws, places[k]);
	ndarray_free(ws, mask);
	return ok;
}

static bool copy_true(struct workspace *ws, const struct ndarray *array,
                      const struct ndarray *mask, struct ndarray *made)
{
	_Alignas(CELL_BYTES) unsigned char elems[CELLS * CELL_BYTES];
	size_t bytes = array->type->elem_bytes;
	unsigned char *to = made->first;
	struct cursor from, which;
	bool truths[CELLS];

	cursor_start(&from, array, &array->shape, NULL);
	cursor_start(&which, mask, &mask->shape, NULL);
	for (uint64_t done = 0; done < array->count; done += CELLS) {
		size_t n = array->count - done < CELLS ? (size_t)(array->count - done) : CELLS;

		cursor_copy(&from, n, elems);
		cursor_copy(&which, n, (unsigned char *)truths);
		for (size_t i = 0; i < n; i++) {
			if (!truths[i])
				continue;
			memcpy(to, elems + i * bytes, bytes);
			to += bytes;
		}
		if (!ws_step(ws, done + n, array->count))
			return false;
	}
	return true;
}

struct ndarray *select_masked(struct workspace *ws, const struct ndarray *array,
                              const struct ndarray *mask)
{
	struct shape shape = { .rank = 1 };
	struct ndarray *made;
	uint64_t n;

	if (!count_true(ws, mask, &n))
		return NULL;
	shape.dim[0] = (int64_t)n;
	made = ndarray_new(ws, array->type->dtype, &shape, ORIGIN_ARRAY);
	if (made && !copy_true(ws, array, mask, made)) {
		ndarray_free(ws, made);
		return NULL;
	}
	return made;
}

/* Places. */

struct plan {
	struct index_item items[SHAPE_MAX_RANK];        /* without masks; arrays are INT64 */
	uint32_t n, n_kept;
	struct ndarray *kept[3 * SHAPE_MAX_RANK + 1];   /* arrays that the plan owns */
};

static bool add_item(struct workspace *ws, struct plan *plan, const struct index_item *item)
{
	if (plan->n == SHAPE_MAX_RANK)
		return ws_fail(ws, ERR_INDEX, "too many indices for array");
	plan->items[plan->n++] = *item;
	return true;
}

static bool add_mask(struct workspace *ws, struct plan *plan, const struct ndarray *array,
                     const struct ndarray *mask, uint32_t axis)
{
	struct ndarray *places[SHAPE_MAX_RANK];

	for (uint32_t k = 0; k < mask->shape.rank; k++)
		if (axis + k >= array->shape.rank)
			return ws_fail(ws, ERR_INDEX, "too many indices for array");
		else if (mask->shape.dim[k] != array->shape.dim[axis + k])
			return ws_fail(ws, ERR_INDEX,
			               "boolean index did not match indexed array along dimension "
			               "%" PRIu32 "; dimension is %" PRId64
			               " but corresponding boolean dimension is %" PRId64,
			               axis + k, array->shape.dim[axis + k], mask->shape.dim[k]);
	if (!select_nonzero(ws, mask, places))
		return false;
	for (uint32_t k = 0; k < mask->shape.rank; k++)
		plan->kept[plan->n_kept++] = places[k];
	for (uint32_t k = 0; k < mask->shape.rank; k++)
		if (!add_item(ws, plan,
		              &(struct index_item){ .kind = INDEX_ARRAY, .array = places[k] }))
			return false;
	return true;
}

static bool add_places(struct workspace *ws, struct plan *plan, const struct ndarray *array)
{
	struct ndarray *wide = ndarray_astype(ws, array, DTYPE_INT64);

	if (!wide)
		return false;
	plan->kept[plan->n_kept++] = wide;
	return add_item(ws, plan, &(struct index_item){ .kind = INDEX_ARRAY, .array = wide });
}

/* How many axes of the array an item uses. */
static uint32_t axes_of(const struct index_item *item)
{
	bool none = item->kind == INDEX_ELLIPSIS || item->kind == INDEX_NEW_AXIS;
	bool mask = item->kind == INDEX_ARRAY && item->array->type->kind == KIND_BOOL;

	return none ? 0 : mask ? item->array->shape.rank : 1;
}

static bool make_plan(struct workspace *ws, const struct ndarray *array,
                      const struct index_item *items, uint32_t n, struct plan *plan)
{
	uint32_t asked = 0, axis = 0;
	bool ok = true, open = true;

	for (uint32_t i = 0; i < n; i++)
		asked += axes_of(&items[i]);
	if (asked > array->shape.rank)
		return ws_fail(ws, ERR_INDEX,
		               "too many indices for array: array is %" PRIu32
		               "-dimensional, but %" PRIu32 " were indexed",
		               array->shape.rank, asked);
	for (uint32_t i = 0; ok && i < n; i++) {
		const struct index_item *item = &items[i];

		if (item->kind == INDEX_ELLIPSIS && open) {
			axis += array->shape.rank - asked;
			open = false;
		}
		if (item->kind != INDEX_ARRAY)
			ok = add_item(ws, plan, item);
		else if (item->array->type->kind == KIND_BOOL)
			ok = add_mask(ws, plan, array, item->array, axis);
		else
			ok = add_places(ws, plan, item->array);
		axis += axes_of(item);
	}
	return ok;
}

/* Applying it. */

struct chosen {
	struct shape shape;              /* of the arrays together */
	struct ndarray *offset;          /* of each place, in bytes from the first element */
	uint32_t before;                 /* axes of the view in front of them */
};

/* Adds one array of places to the offsets. */
static bool add_offsets(struct workspace *ws, const struct index_item *item, uint32_t axis,
                        const struct ndarray *array, struct chosen *chosen)
{
	int64_t *offset = (int64_t *)(void *)chosen->offset->first, places[CELLS];
	int64_t dim = array->shape.dim[axis], stride = array->stride[axis];
	uint64_t count = chosen->offset->count;
	struct cursor cursor;

	if (item->kind == INDEX_ARRAY)
		cursor_start(&cursor, item->array, &chosen->shape, NULL);
	for (uint64_t done = 0; done < count; done += CELLS) {
		size_t n = count - done < CELLS ? (size_t)(count - done) : CELLS;

		if (item->kind == INDEX_ARRAY)
			cursor_take(&cursor, n, CELL_INT, places);
		for (size_t i = 0; i < n; i++) {
			int64_t at = item->kind == INDEX_ARRAY ? places[i] : item->begin;

			if (at < -dim || at >= dim)
				return ws_fail(ws, ERR_INDEX,
				               "index %" PRId64
				               " is out of bounds for axis %" PRIu32
				               " with size %" PRId64,
				               at, axis, dim);
			offset[done + i] += (at < 0 ? at + dim : at) * stride;
		}
		if (!ws_step(ws, done + n, count))
			return false;
	}
	return true;
}

static bool is_place(const struct index_item *item)
{
	return item->kind == INDEX_ARRAY || item->kind == INDEX_INT;
}

static bool find_shape(struct workspace *ws, const struct plan *plan, struct chosen *chosen)
{
	chosen->shape = (struct shape){ .rank = 0 };
	for (uint32_t i = 0; i < plan->n; i++)
		if (plan->items[i].kind == INDEX_ARRAY &&
		    !shape_broadcast(&chosen->shape, &plan->items[i].array->shape, &chosen->shape))
			return ws_fail(ws, ERR_INDEX,
			               "shape mismatch: indexing arrays could not be broadcast "
			               "together");
	return true;
}

/*
 * The view by the other items: arrays of places are replaced by whole axes, which are then dropped.
 * Also finds where the axes of the places go: if the arrays were next to each other, to their
 * place, else to the front.
 */
static struct ndarray *rest_of(struct workspace *ws, const struct ndarray *array,
                               const struct plan *plan, struct chosen *chosen)
{
	struct index_item items[SHAPE_MAX_RANK];
	struct ndarray *made;
	uint32_t axis = 0, rank = 0, groups = 0, spare = array->shape.rank;
	bool dropped[SHAPE_MAX_RANK + 1] = { false };

	for (uint32_t i = 0; i < plan->n; i++)
		spare -= plan->items[i].kind != INDEX_ELLIPSIS &&
		         plan->items[i].kind != INDEX_NEW_AXIS;
	for (uint32_t i = 0; i < plan->n; i++) {
		bool place = is_place(&plan->items[i]);

		items[i] = plan->items[i];
		if (place)
			items[i] = (struct index_item){ INDEX_RANGE, INDEX_NONE, INDEX_NONE,
				                        INDEX_NONE, NULL };
		if (place && (!i || !is_place(&plan->items[i - 1])) && !groups++)
			chosen->before = rank;
		dropped[axis] = place;
		axis += items[i].kind == INDEX_ELLIPSIS ? spare : 1;
		rank += place ? 0 : items[i].kind == INDEX_ELLIPSIS ? spare : 1;
		if (axis > SHAPE_MAX_RANK)
			return ws_fail(ws, ERR_INDEX,
			               "number of dimensions must be within [0, %d]",
			               SHAPE_MAX_RANK);
	}
	if (groups > 1)
		chosen->before = 0;
	made = ndarray_index(ws, array, items, plan->n);
	if (!made)
		return NULL;
	ndarray_drop_axes(made, dropped);
	made->origin = ORIGIN_ARRAY;
	return made;
}

/* Takes the first n axes off the shape. */
static void cut_front(struct ndarray *rest, uint32_t n)
{
	memmove(rest->shape.dim, rest->shape.dim + n,
	        (rest->shape.rank - n) * sizeof *rest->shape.dim);
	memmove(rest->stride, rest->stride + n, (rest->shape.rank - n) * sizeof *rest->stride);
	rest->shape.rank -= n;
	shape_count(&rest->shape, &rest->count);
}

static bool copy_chosen(struct workspace *ws, const struct ndarray *rest,
                        const struct chosen *chosen, struct ndarray *made)
{
	const int64_t *offset = (const int64_t *)(const void *)chosen->offset->first;
	struct shape front = { .rank = chosen->before };
	struct ndarray *block = ndarray_view(rest);
	int64_t index[SHAPE_MAX_RANK] = {0};
	size_t bytes = made->type->elem_bytes;
	unsigned char *to = made->first, *at;
	struct cursor cursor;
	uint64_t left = 0;
	bool ok = true;

	memcpy(front.dim, rest->shape.dim, front.rank * sizeof *front.dim);
	cut_front(block, front.rank);
	while (ok && to < made->first + made->count * bytes) {
		at = rest->first;
		for (uint32_t k = 0; k < front.rank; k++)
			at += index[k] * rest->stride[k];
		for (uint64_t i = 0; ok && i < chosen->offset->count; i++) {
			block->first = at + offset[i];
			if (block->count == 1) {
				memcpy(to, block->first, bytes);
			} else {
				cursor_start(&cursor, block, &block->shape, NULL);
				cursor_copy(&cursor, (size_t)block->count, to);
			}
			to += block->count * bytes;
			left += block->count;
			if (left >= CELLS) {
				left = 0;
				ok = ws_step(ws, (uint64_t)(to - made->first) / bytes,
				             made->count);
			}
		}
		shape_next(&front, index);
	}
	ndarray_free(ws, block);
	return ok;
}

static struct ndarray *take(struct workspace *ws, const struct ndarray *rest,
                            const struct chosen *chosen)
{
	struct shape shape = { .rank = rest->shape.rank + chosen->shape.rank };
	uint32_t n = chosen->before;
	struct ndarray *made;

	if (shape.rank > SHAPE_MAX_RANK)
		return ws_fail(ws, ERR_INDEX, "number of dimensions must be within [0, %d]",
		               SHAPE_MAX_RANK);
	memcpy(shape.dim, rest->shape.dim, n * sizeof *shape.dim);
	memcpy(shape.dim + n, chosen->shape.dim, chosen->shape.rank * sizeof *shape.dim);
	memcpy(shape.dim + n + chosen->shape.rank, rest->shape.dim + n,
	       (rest->shape.rank - n) * sizeof *shape.dim);
	made = ndarray_new(ws, rest->type->dtype, &shape, ORIGIN_ARRAY);
	if (made && made->count && !copy_chosen(ws, rest, chosen, made)) {
		ndarray_free(ws, made);
		return NULL;
	}
	return made;
}

static struct ndarray *apply_plan(struct workspace *ws, const struct ndarray *array,
                                  const struct plan *plan)
{
	struct chosen chosen = {0};
	struct ndarray *rest = NULL, *made = NULL;
	uint32_t axis = 0, spare = array->shape.rank;
	bool none = false,
	     ok = find_shape(ws, plan, &chosen) && (rest = rest_of(ws, array, plan, &chosen));

	if (ok)
		chosen.offset = ndarray_new(ws, DTYPE_INT64, &chosen.shape, ORIGIN_ARRAY);
	ok = ok && chosen.offset;
	if (ok)
		memset(chosen.offset->first, 0, (size_t)chosen.offset->count * sizeof(int64_t));
	for (uint32_t i = 0; i < plan->n; i++)
		spare -= axes_of(&plan->items[i]);
	if (ok) {
		struct ndarray *block = ndarray_view(rest);

		/* If there is nothing to choose, places are not checked. */
		cut_front(block, 0);
		none = !block->count;
		ndarray_free(ws, block);
	}
	for (uint32_t i = 0; ok && !none && i < plan->n; i++) {
		if (is_place(&plan->items[i]))
			ok = add_offsets(ws, &plan->items[i], axis, array, &chosen);
		axis += plan->items[i].kind == INDEX_ELLIPSIS ? spare : axes_of(&plan->items[i]);
	}
	if (ok)
		made = take(ws, rest, &chosen);
	ndarray_free(ws, rest);
	ndarray_free(ws, chosen.offset);
	return made;
}

/*
 * A single truth value is a new axis of size 1 or 0: *view becomes the array with such an axis for
 * each, and the items become places in it, which are added to the plan.
 */
static bool add_truths(struct workspace *ws, const struct ndarray *array, struct index_item *items,
                       uint32_t n, struct plan *plan, struct ndarray *view)
{
	uint32_t asked = 0, axis = 0;

	for (uint32_t i = 0; i < n; i++)
		asked += axes_of(&items[i]);
	for (uint32_t i = 0; i < n; i++) {
		struct index_item *item = &items[i];
		struct shape shape = { .rank = 1 };
		struct ndarray *places;

		if (item->kind == INDEX_ELLIPSIS && asked < array->shape.rank)
			axis += array->shape.rank - asked;
		if (item->kind != INDEX_ARRAY || item->array->type->kind != KIND_BOOL ||
		    item->array->shape.rank) {
			axis += axes_of(item);
			continue;
		}
		if (view->shape.rank == SHAPE_MAX_RANK || axis > view->shape.rank)
			return ws_fail(ws, ERR_INDEX, "too many indices for array");
		memmove(view->shape.dim + axis + 1, view->shape.dim + axis,
		        (view->shape.rank - axis) * sizeof *view->shape.dim);
		memmove(view->stride + axis + 1, view->stride + axis,
		        (view->shape.rank - axis) * sizeof *view->stride);
		view->shape.dim[axis] = 1;
		view->stride[axis++] = 0;
		view->shape.rank++;
		shape.dim[0] = *item->array->first != 0;
		places = ndarray_new(ws, DTYPE_INT64, &shape, ORIGIN_ARRAY);
		if (!places)
			return false;
		memset(places->first, 0, (size_t)places->count * sizeof(int64_t));
		item->array = plan->kept[plan->n_kept++] = places;
	}
	return true;
}

static struct ndarray *index_by_plan(struct workspace *ws, const struct ndarray *array,
                                     const struct index_item *items, uint32_t n)
{
	struct index_item own[SHAPE_MAX_RANK + 1];
	struct ndarray *view = ndarray_view(array), *made = NULL;
	struct plan plan = {0};

	memcpy(own, items, n * sizeof *own);
	view->origin = ORIGIN_ARRAY;
	if (add_truths(ws, array, own, n, &plan, view) && make_plan(ws, view, own, n, &plan))
		made = apply_plan(ws, view, &plan);
	for (uint32_t i = 0; i < plan.n_kept; i++)
		ndarray_free(ws, plan.kept[i]);
	ndarray_free(ws, view);
	return made;
}

struct ndarray *select_index(struct workspace *ws, const struct ndarray *array,
                             const struct index_item *items, uint32_t n)
{
	bool any = false;

	if (n > SHAPE_MAX_RANK + 1)
		return ws_fail(ws, ERR_INDEX, "too many indices for array");
	for (uint32_t i = 0; i < n; i++)
		any |= items[i].kind == INDEX_ARRAY;
	if (!any)
		return ndarray_index(ws, array, items, n);
	if (n == 1 && items[0].array->type->kind == KIND_BOOL && array->shape.rank &&
	    shape_equal(&items[0].array->shape, &array->shape))
		return select_masked(ws, array, items[0].array);
	return index_by_plan(ws, array, items, n);
}
