/* Indices: each is read into a struct index_item, and all of them select. */
#include "cmds/array/evaluate_parts.h"

#include "cmds/array/np.h"
#include "cmds/array/python_number.h"
#include "cmds/array/select.h"
#include "cmds/array/sequence.h"
#include "dump/base/mem.h"

static bool read_int(struct evaluation *e, const struct expr *x, int64_t *out)
{
	struct ndarray *a = evaluate_node(e, x);
	bool ok = a && (ndarray_is_int(a) || a->origin == ORIGIN_NONE);

	if (ok && a->origin != ORIGIN_NONE)
		*out = ndarray_item(a, 0);
	else if (a && !ok)
		ws_fail(e->ws, ERR_TYPE,
		        "slice indices must be integers or None or have an __index__ method");
	ndarray_free(e->ws, a);
	return ok;
}

struct indices {
	struct index_item item[SHAPE_MAX_RANK + 1];
	uint32_t n;
};

static bool wrong_index(struct evaluation *e)
{
	return ws_fail(
		e->ws, ERR_INDEX,
		"only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and "
		"integer or boolean arrays are valid indices");
}

/* An array, or a list, as an index; the workspace keeps it. */
static bool add_array(struct evaluation *e, const struct ndarray *a, struct index_item *item)
{
	struct ndarray *array = ws_keep(e->ws, sequence_to_array(e->ws, a));

	if (array && !array->count && sequence_is(a))
		array = np_to(e->ws, array, DTYPE_INT64);
	if (!array)
		return false;
	switch (array->type->kind) {
	case KIND_BOOL:
	case KIND_INT:
	case KIND_UINT:
		*item = (struct index_item){ .kind = INDEX_ARRAY, .array = array };
		return true;
	default:
		if (!array->shape.rank)
			return wrong_index(e);
		return ws_fail(e->ws, ERR_INDEX,
		               "arrays used as indices must be of integer (or boolean) type");
	}
}

/* a is kept by the workspace. */
static bool add_index(struct evaluation *e, const struct ndarray *a, struct indices *out)
{
	struct index_item *item = &out->item[out->n];

	if (out->n > SHAPE_MAX_RANK)
		return ws_refuse(e->ws, "so many indices");
	out->n++;
	*item = (struct index_item){ .kind = INDEX_NEW_AXIS };
	if (a->origin == ORIGIN_NONE)
		return true;
	if (ndarray_is_int(a)) {
		if (a->type->kind == KIND_UINT && ndarray_item(a, 0) < 0)
			return wrong_index(e);
		*item = (struct index_item){ .kind = INDEX_INT, .begin = ndarray_item(a, 0) };
		return true;
	}
	if (a->origin != ORIGIN_ARRAY && a->origin != ORIGIN_SCALAR && !sequence_is(a) &&
	    !(a->origin == ORIGIN_PYTHON && a->type->kind == KIND_BOOL))
		return wrong_index(e);
	return add_array(e, a, item);
}

static bool read_range(struct evaluation *e, const struct expr *x, struct index_item *item)
{
	int64_t *parts[] = { &item->begin, &item->end, &item->step };
	const struct expr *part = x->first;

	*item = (struct index_item){ INDEX_RANGE, INDEX_NONE, INDEX_NONE, INDEX_NONE, NULL };
	for (size_t i = 0; i < 3; i++, part = part->next)
		if (part->kind != EXPR_NONE && !read_int(e, part, parts[i]))
			return false;
	return true;
}

/* x[t] with a tuple t: each item is an index. */
static bool add_tuple(struct evaluation *e, const struct ndarray *tuple, struct indices *out)
{
	for (size_t i = 0; i < sequence_len(tuple); i++) {
		struct ndarray *item = ws_keep(e->ws, sequence_at(e->ws, tuple, i));

		if (!item || !add_index(e, item, out))
			return false;
	}
	return true;
}

static bool read_item(struct evaluation *e, const struct expr *x, bool alone, struct indices *out)
{
	struct ndarray *a;

	if (x->kind == EXPR_ELLIPSIS || x->kind == EXPR_SLICE) {
		if (out->n > SHAPE_MAX_RANK)
			return ws_refuse(e->ws, "so many indices");
		out->item[out->n] = (struct index_item){ .kind = INDEX_ELLIPSIS };
		return (x->kind == EXPR_ELLIPSIS || read_range(e, x, &out->item[out->n])) &&
		       ++out->n;
	}
	a = ws_keep(e->ws, evaluate_node(e, x));
	if (a && a->origin == ORIGIN_TUPLE && alone)
		return add_tuple(e, a, out);
	return a && add_index(e, a, out);
}

static struct ndarray *index_sequence(struct evaluation *e, const struct ndarray *a,
                                      const struct indices *indices)
{
	const struct index_item *item = &indices->item[0];
	int64_t at = item->begin, len = (int64_t)sequence_len(a);
	const char *type = a->origin == ORIGIN_TUPLE ? "tuple" : "list";

	if (indices->n == 1 && item->kind == INDEX_RANGE)
		return sequence_slice(e->ws, a, item);
	if (indices->n != 1 || item->kind != INDEX_INT)
		return ws_fail(e->ws, ERR_TYPE, "%s indices must be integers or slices", type);
	if (at < -len || at >= len)
		return ws_fail(e->ws, ERR_INDEX, "%s index out of range", type);
	return sequence_at(e->ws, a, (size_t)(at < 0 ? at + len : at));
}

static struct ndarray *index_of(struct evaluation *e, const struct ndarray *a,
                                const struct indices *indices)
{
	if (sequence_is(a))
		return index_sequence(e, a, indices);
	if (a->origin == ORIGIN_ARRAY)
		return select_index(e->ws, a, indices->item, indices->n);
	if (a->origin == ORIGIN_SCALAR) {
		for (uint32_t i = 0; i < indices->n; i++)
			if (indices->item[i].kind == INDEX_INT ||
			    indices->item[i].kind == INDEX_RANGE ||
			    (indices->item[i].kind == INDEX_ARRAY &&
			     indices->item[i].array->shape.rank))
				return ws_fail(e->ws, ERR_INDEX,
				               "invalid index to scalar variable.");
		return select_index(e->ws, a, indices->item, indices->n);
	}
	if (ndarray_is_text(a) && a->origin != ORIGIN_NONE)
		return ws_refuse(e->ws, "a part of a string");
	return ws_fail(e->ws, ERR_TYPE, "'%s' object is not subscriptable",
	               python_type_of(a).name);
}

struct ndarray *evaluate_index(struct evaluation *e, const struct expr *x)
{
	struct ndarray *a = evaluate_node(e, x->first), *made = NULL;
	const struct expr *first = x->first->next;
	struct indices *indices;
	size_t mark = ws_mark(e->ws);
	bool ok = true;

	if (!a)
		return NULL;
	indices = mem_alloc(sizeof *indices);
	indices->n = 0;
	for (const struct expr *item = first; ok && item; item = item->next)
		ok = read_item(e, item, !first->next, indices);
	if (ok)
		made = index_of(e, a, indices);
	ws_release(e->ws, mark);
	free(indices);
	ndarray_free(e->ws, a);
	return made;
}
