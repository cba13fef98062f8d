#include "cmds/array/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/array/promote.h"

bool sequence_is(const struct ndarray *a)
{
	return a->origin == ORIGIN_LIST || a->origin == ORIGIN_TUPLE;
}

size_t sequence_len(const struct ndarray *a)
{
	return (size_t)a->shape.dim[0];
}

/* The elements as an array. */
static struct ndarray *packed_array(const struct ndarray *a)
{
	struct ndarray *made = ndarray_view(a);

	made->origin = ORIGIN_ARRAY;
	return made;
}

struct ndarray *sequence_as_python(struct ndarray *a)
{
	if (a)
		a->origin = a->shape.rank ? ORIGIN_LIST :
		            ndarray_is_text(a) ? ORIGIN_BYTES : ORIGIN_PYTHON;
	return a;
}

struct ndarray *sequence_at(struct workspace *ws, const struct ndarray *a, size_t i)
{
	if (a->items)
		return ndarray_view(a->items[i]);
	return sequence_is(a) ? sequence_as_python(ndarray_at(ws, a, i)) : ndarray_at(ws, a, i);
}

/* To arrays. */

static bool meet(struct workspace *ws, struct ndarray *const *arrays, size_t n, enum dtype *dtype)
{
	*dtype = arrays[0]->type->dtype;
	for (size_t i = 0; i < n; i++) {
		const struct ndarray *a = arrays[i];

		if (ndarray_is_text(a) != ndarray_is_text(arrays[0]) ||
		    (!ndarray_is_text(a) && !promote_knows(a->type)))
			return ws_refuse(ws, "a list that holds elements of type %s",
			                 a->type->name);
		if (!shape_equal(&a->shape, &arrays[0]->shape))
			return ws_fail(ws, ERR_VALUE,
			               "setting an array element with a sequence. The requested "
			               "array has an inhomogeneous shape.");
		if (!ndarray_is_text(a))
			*dtype = promote_types(*dtype, a->type->dtype);
	}
	return true;
}

static bool fill(struct workspace *ws, struct ndarray *const *arrays, size_t n,
                 struct ndarray *made)
{
	size_t bytes = n ? (size_t)(made->count / n) * made->type->elem_bytes : 0;

	for (size_t i = 0; i < n; i++) {
		struct ndarray *typed = ndarray_is_text(made) ?
		                                ndarray_view(arrays[i]) :
		                                ndarray_astype(ws, arrays[i], made->type->dtype);
		bool ok = typed && ndarray_copy_out(ws, typed, made->first + i * bytes);

		ndarray_free(ws, typed);
		if (!ok)
			return false;
	}
	return true;
}

static struct ndarray *stack(struct workspace *ws, struct ndarray *const *arrays, size_t n)
{
	struct shape shape = arrays[0]->shape;
	struct ndarray *made;
	enum dtype dtype;

	if (!meet(ws, arrays, n, &dtype))
		return NULL;
	if (shape.rank == SHAPE_MAX_RANK)
		return ws_fail(ws, ERR_VALUE, "maximum supported dimension for an ndarray is %d",
		               SHAPE_MAX_RANK);
	memmove(shape.dim + 1, shape.dim, shape.rank * sizeof *shape.dim);
	shape.rank++;
	shape.dim[0] = (int64_t)n;
	made = ndarray_new(ws, dtype, &shape, ORIGIN_ARRAY);
	if (made && !fill(ws, arrays, n, made)) {
		ndarray_free(ws, made);
		return NULL;
	}
	return made;
}

static struct ndarray *items_to_array(struct workspace *ws, const struct ndarray *a)
{
	size_t n = sequence_len(a), read = 0;
	struct ndarray **arrays = mem_alloc((n + 1) * sizeof *arrays), *made = NULL;

	while (read < n && (arrays[read] = sequence_to_array(ws, a->items[read])))
		read++;
	if (read == n)
		made = stack(ws, arrays, n);
	for (size_t i = 0; i < read; i++)
		ndarray_free(ws, arrays[i]);
	free(arrays);
	return made;
}

struct ndarray *sequence_to_array(struct workspace *ws, const struct ndarray *a)
{
	switch (a->origin) {
	case ORIGIN_NONE:
	case ORIGIN_DTYPE:
	case ORIGIN_CLASS:
		return ws_refuse(ws, "computing with %s",
		                 a->origin == ORIGIN_NONE ? "None" : python_type_of(a).name);
	case ORIGIN_LIST:
	case ORIGIN_TUPLE:
		if (!sequence_len(a))
			return ndarray_new(ws, DTYPE_FLOAT64, &(struct shape){ 1, { 0 } },
			                   ORIGIN_ARRAY);
		if (!a->count && !a->items)
			return ndarray_new(ws, DTYPE_FLOAT64, &a->shape, ORIGIN_ARRAY);
		return a->items ? items_to_array(ws, a) : packed_array(a);
	default:
		return ndarray_view(a);
	}
}

/* Parts. */

static struct ndarray *slice_items(struct workspace *ws, const struct ndarray *a,
                                   const struct ndarray *places)
{
	size_t n = (size_t)places->count;
	struct ndarray **items = mem_alloc((n + 1) * sizeof *items), *made;

	for (size_t i = 0; i < n; i++)
		items[i] = ndarray_view(a->items[ndarray_item(places, (uint32_t)i)]);
	made = ndarray_of_items(ws, items, n, a->origin);
	free(items);
	return made;
}

struct ndarray *sequence_slice(struct workspace *ws, const struct ndarray *a,
                               const struct index_item *range)
{
	struct ndarray *places, *chosen, *made;

	if (!a->items) {
		made = ndarray_index(ws, a, range, 1);
		if (made)
			made->origin = a->origin;
		return made;
	}
	places = ndarray_new(ws, DTYPE_INT64, &a->shape, ORIGIN_ARRAY);
	for (uint64_t i = 0; places && i < places->count; i++)
		((int64_t *)(void *)places->first)[i] = (int64_t)i;
	chosen = places ? ndarray_index(ws, places, range, 1) : NULL;
	made = chosen ? slice_items(ws, a, chosen) : NULL;
	ndarray_free(ws, places);
	ndarray_free(ws, chosen);
	return made;
}

struct ndarray *sequence_join(struct workspace *ws, const struct ndarray *a,
                              const struct ndarray *b)
{
	size_t first = sequence_len(a), n = first + sequence_len(b);
	struct ndarray **items, *made;

	if (n > SEQUENCE_MAX_ITEMS)
		return ws_refuse(ws, "so long a list");
	items = mem_alloc((n + 1) * sizeof *items);
	for (size_t i = 0; i < n; i++)
		items[i] = i < first ? sequence_at(ws, a, i) : sequence_at(ws, b, i - first);
	made = ndarray_of_items(ws, items, n, a->origin);
	free(items);
	return made;
}
