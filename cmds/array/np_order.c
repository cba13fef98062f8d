/*
 * What needs elements in order. Rows (the last axis, contiguous) are sorted by merging indices:
 * runs of a few elements first, then ever longer ones. nan comes last, as in numpy.
 */
#include "cmds/array/np_order.h"

#include <string.h>

#include "cmds/array/promote.h"
#include "cmds/array/text.h"

#define RUN 16
#define STEP 65536      /* elements between two looks at the user */

/* X(suffix, type): types that keys are compared in. */
#define KEYS(X) \
	X(int, int64_t) X(uint, uint64_t) X(float, float) X(double, double) \
	X(complex32, struct complex32) X(complex64, struct complex64) X(text, struct value_text)

#define REAL_BEFORE(x, y) ((x) < (y) || ((y) != (y) && (x) == (x)))
#define PARTS_BEFORE(x, y) \
	(REAL_BEFORE((x).re, (y).re) || \
	 (((x).re == (y).re || ((x).re != (x).re && (y).re != (y).re)) && \
	  REAL_BEFORE((x).im, (y).im)))
#define before_int(x, y) ((x) < (y))
#define before_uint(x, y) ((x) < (y))
#define before_float(x, y) REAL_BEFORE(x, y)
#define before_double(x, y) REAL_BEFORE(x, y)
#define before_complex32(x, y) PARTS_BEFORE(x, y)
#define before_complex64(x, y) PARTS_BEFORE(x, y)
#define before_text(x, y) (text_order(&(x), &(y)) < 0)

/* Sorts the n indices at idx by their keys; room holds as many. */
#define SORTER(suffix, type) \
	static bool merge_##suffix(struct workspace *ws, const type *keys, int64_t *const part[3], \
	                           size_t n, size_t width) \
	{ \
		const int64_t *from = part[0]; \
		size_t done = 0; \
		\
		for (size_t begin = 0; begin < n; begin += 2 * width) { \
			size_t a = begin, mid = begin + width < n ? begin + width : n, b = mid; \
			size_t end = mid + width < n ? mid + width : n; \
			\
			for (; a < mid || b < end; done++) { \
				bool second = a == mid || \
				              (b < end && \
				               before_##suffix(keys[from[b]], keys[from[a]])); \
				\
				part[1][done] = second ? from[b++] : from[a++]; \
				if (done % STEP == 0 && !ws_step(ws, done, n)) \
					return false; \
			} \
		} \
		return true; \
	} \
	\
	static bool sort_##suffix(struct workspace *ws, const type *keys, int64_t *idx, \
	                          int64_t *room, size_t n) \
	{ \
		int64_t *part[3] = { idx, room, NULL }; \
		\
		for (size_t begin = 0; begin < n; begin += RUN) { \
			size_t end = begin + RUN < n ? begin + RUN : n; \
			\
			for (size_t i = begin; i < end; i++) { \
				size_t at = i; \
				\
				while (at > begin && \
				       before_##suffix(keys[i], keys[idx[at - 1]])) { \
					idx[at] = idx[at - 1]; \
					at--; \
				} \
				idx[at] = (int64_t)i; \
			} \
		} \
		for (size_t width = RUN; width < n; width *= 2) { \
			if (!merge_##suffix(ws, keys, part, n, width)) \
				return false; \
			part[2] = part[0]; \
			part[0] = part[1]; \
			part[1] = part[2]; \
		} \
		if (part[0] != idx) \
			memcpy(idx, part[0], n * sizeof *idx); \
		return true; \
	} \
	\
	/* How many of the n sorted keys come before x, or, with equal, not behind it. */ \
	static size_t place_##suffix(const type *keys, size_t n, type x, bool equal) \
	{ \
		size_t low = 0, high = n; \
		\
		while (low < high) { \
			size_t mid = low + (high - low) / 2; \
			bool go = equal ? !before_##suffix(x, keys[mid]) : \
			                  before_##suffix(keys[mid], x); \
			\
			low = go ? mid + 1 : low; \
			high = go ? high : mid; \
		} \
		return low; \
	}
KEYS(SORTER)

static bool sort_row(struct workspace *ws, const struct ndarray *keys, size_t row, size_t n,
                     int64_t *idx, int64_t *room)
{
	const unsigned char *at = keys->first + row * n * keys->type->elem_bytes;

	if (ndarray_is_text(keys))
		return sort_text(ws, (const void *)at, idx, room, n);
	switch (cell_of(keys->type)) {
	case CELL_INT:
		return sort_int(ws, (const void *)at, idx, room, n);
	case CELL_UINT:
		return sort_uint(ws, (const void *)at, idx, room, n);
	case CELL_FLOAT:
		return sort_float(ws, (const void *)at, idx, room, n);
	case CELL_DOUBLE:
		return sort_double(ws, (const void *)at, idx, room, n);
	case CELL_COMPLEX32:
		return sort_complex32(ws, (const void *)at, idx, room, n);
	default:
		return sort_complex64(ws, (const void *)at, idx, room, n);
	}
}

static size_t place_of(const struct ndarray *keys, const unsigned char *x, bool equal)
{
	size_t n = (size_t)keys->count;

#define PLACE(suffix, type) \
	do { \
		type own; \
		\
		memcpy(&own, x, sizeof own); \
		return place_##suffix((const type *)(const void *)keys->first, n, own, equal); \
	} while (0)
	if (ndarray_is_text(keys))
		PLACE(text, struct value_text);
	switch (cell_of(keys->type)) {
	case CELL_INT:
		PLACE(int, int64_t);
	case CELL_UINT:
		PLACE(uint, uint64_t);
	case CELL_FLOAT:
		PLACE(float, float);
	case CELL_DOUBLE:
		PLACE(double, double);
	case CELL_COMPLEX32:
		PLACE(complex32, struct complex32);
	default:
		PLACE(complex64, struct complex64);
	}
#undef PLACE
}

/* The array with elements that are compared as they are: cells. */
static struct ndarray *as_keys(struct workspace *ws, const struct ndarray *a)
{
	return a && !ndarray_is_text(a) ? np_to(ws, a, cell_dtype(cell_of(a->type))) :
	                                  np_view(ws, a);
}

/* Where each of the last axis in order came from: INT64 of the same shape. */
static struct ndarray *order_of(struct workspace *ws, const struct ndarray *a)
{
	struct ndarray *keys = np_contiguous(ws, as_keys(ws, a)), *order, *room;
	size_t n = a->shape.rank ? (size_t)a->shape.dim[a->shape.rank - 1] : 1;
	struct shape row = { .rank = 1, .dim = { (int64_t)n } };

	order = keys ? np_new(ws, DTYPE_INT64, &a->shape) : NULL;
	room = order ? np_new(ws, DTYPE_INT64, &row) : NULL;
	if (!room)
		return NULL;
	for (size_t i = 0; n && i < a->count / n; i++) {
		int64_t *idx = (int64_t *)(void *)order->first + i * n;

		if (!sort_row(ws, keys, i, n, idx, (int64_t *)(void *)room->first) ||
		    !ws_step(ws, i, a->count / n))
			return NULL;
	}
	return order;
}

/* The elements of each row in that order. */
static struct ndarray *in_order(struct workspace *ws, const struct ndarray *a,
                                const struct ndarray *order)
{
	struct ndarray *from = np_contiguous(ws, a), *made;
	size_t n = a->shape.rank ? (size_t)a->shape.dim[a->shape.rank - 1] : 1;
	size_t bytes = a->type->elem_bytes;

	made = from && order ? np_new(ws, a->type->dtype, &a->shape) : NULL;
	for (uint64_t i = 0; made && i < a->count; i++) {
		uint64_t at =
			i / n * n + (uint64_t)((const int64_t *)(const void *)order->first)[i];

		memcpy(made->first + i * bytes, from->first + at * bytes, bytes);
		if (i % STEP == 0 && !ws_step(ws, i, a->count))
			return NULL;
	}
	return made;
}

struct ndarray *np_sorted(struct workspace *ws, const struct ndarray *a)
{
	return in_order(ws, a, order_of(ws, a));
}

/*
 * The operand with its axis last; axis None: as one row, and so is, if `which` says so, a number.
 */
static struct ndarray *rows_of(struct np_call *c, uint32_t *axis)
{
	struct ndarray *a = c->at[0];
	int64_t given = -1;

	*axis = 0;
	if ((c->at[1] && c->at[1]->origin == ORIGIN_NONE) || (c->which && !a->shape.rank))
		return np_flat(c->ws, a);
	if (!np_get_int(c, 1, &given) || !ndarray_check_axis(c->ws, given, a->shape.rank, axis))
		return NULL;
	return np_axis_last(c->ws, a, *axis);
}

struct ndarray *np_sort(struct np_call *c)
{
	uint32_t axis;
	struct ndarray *rows = rows_of(c, &axis);

	return rows ? np_contiguous(c->ws, np_axis_back(c->ws, np_sorted(c->ws, rows), axis)) :
	              NULL;
}

struct ndarray *np_argsort(struct np_call *c)
{
	uint32_t axis;
	struct ndarray *rows = rows_of(c, &axis);

	return rows ? np_contiguous(c->ws, np_axis_back(c->ws, order_of(c->ws, rows), axis)) :
	              NULL;
}

/* Where sorted elements differ from the one before them; all nan are one. */
static struct ndarray *firsts(struct workspace *ws, const struct ndarray *sorted)
{
	struct ndarray *differ = np_neighbours(ws, UFUNC_NOT_EQUAL, sorted, 0), *nan;
	struct ndarray *made = np_new(ws, DTYPE_BOOL, &sorted->shape);

	if (differ && !ndarray_is_text(sorted)) {
		nan = np_neighbours(ws, UFUNC_AND, np_apply(ws, UFUNC_ISNAN, sorted), 0);
		differ = np_apply2(ws, UFUNC_AND, differ, np_apply(ws, UFUNC_INVERT, nan));
	}
	if (!made || !differ)
		return NULL;
	if (made->count)
		made->first[0] = 1;
	return !made->count || ndarray_copy_out(ws, differ, made->first + 1) ? made : NULL;
}

/* For each element of the sorted array the number of the value it is, put where it came from. */
static struct ndarray *inverse_of(struct workspace *ws, const struct ndarray *first,
                                  const struct ndarray *order)
{
	struct ndarray *made = np_new(ws, DTYPE_INT64, &order->shape);
	int64_t value = -1;

	for (uint64_t i = 0; made && i < order->count; i++) {
		value += first->first[i];
		((int64_t *)(void *)
		         made->first)[((const int64_t *)(const void *)order->first)[i]] = value;
		if (i % STEP == 0 && !ws_step(ws, i, order->count))
			return NULL;
	}
	return made;
}

static struct ndarray *counts_of(struct workspace *ws, const struct ndarray *first)
{
	struct shape shape = { .rank = 1 };
	struct ndarray *made;
	int64_t at = -1;

	for (uint64_t i = 0; i < first->count; i++)
		shape.dim[0] += first->first[i];
	made = np_full(ws, DTYPE_INT64, &shape, np_int(ws, 0));
	for (uint64_t i = 0; made && i < first->count; i++) {
		at += first->first[i];
		((int64_t *)(void *)made->first)[at]++;
		if (i % STEP == 0 && !ws_step(ws, i, first->count))
			return NULL;
	}
	return made;
}

struct ndarray *np_unique(struct np_call *c)
{
	struct ndarray *flat = np_flat(c->ws, c->at[0]), *order, *sorted, *first, *parts[4];
	bool index = false, inverse = false, counts = false;
	size_t n = 1;

	if (!np_get_bool(c, 1, &index) || !np_get_bool(c, 2, &inverse) ||
	    !np_get_bool(c, 3, &counts))
		return NULL;
	order = flat ? order_of(c->ws, flat) : NULL;
	sorted = order ? in_order(c->ws, flat, order) : NULL;
	first = sorted ? firsts(c->ws, sorted) : NULL;
	if (!first)
		return NULL;
	parts[0] = np_masked(c->ws, sorted, first);
	if (index)
		parts[n++] = np_masked(c->ws, order, first);
	if (inverse)
		parts[n++] = inverse_of(c->ws, first, order);
	if (counts)
		parts[n++] = counts_of(c->ws, first);
	return n > 1 ? np_tuple(c->ws, parts, n) : parts[0];
}

/* Places in what is sorted. */

struct ndarray *np_search(struct workspace *ws, const struct ndarray *a, const struct ndarray *v,
                          bool right)
{
	struct ndarray *keys, *wanted, *made;
	enum dtype dtype;

	if (!a || !v)
		return NULL;
	if (a->shape.rank != 1)
		return ws_fail(ws, ERR_VALUE, "object of too small depth for desired array");
	if (ndarray_is_text(a) != ndarray_is_text(v))
		return ws_refuse(ws, "searching strings among numbers");
	dtype = ndarray_is_text(a) ? DTYPE_STRING : promote_types(a->type->dtype, v->type->dtype);
	keys = np_contiguous(ws, as_keys(ws, np_to(ws, a, dtype)));
	wanted = np_contiguous(ws, as_keys(ws, np_to(ws, v, dtype)));
	made = keys && wanted ? np_new(ws, DTYPE_INT64, &v->shape) : NULL;
	for (uint64_t i = 0; made && i < made->count; i++) {
		((int64_t *)(void *)made->first)[i] = (int64_t)place_of(
			keys, wanted->first + i * wanted->type->elem_bytes, right);
		if (i % CELLS == 0 && !ws_step(ws, i, made->count))
			return NULL;
	}
	return np_as_scalar(made);
}

struct ndarray *np_searchsorted(struct np_call *c)
{
	if (c->at[2] && !text_is(c->at[2], "left") && !text_is(c->at[2], "right"))
		return np_refuse(c, "such a side");
	return np_search(c->ws, c->at[0], c->at[1], text_is(c->at[2], "right"));
}

struct ndarray *np_digitize(struct np_call *c)
{
	struct ndarray *bins = c->at[1], *found, *up, *down;
	bool right = false, rises, falls;

	if (!np_get_bool(c, 2, &right))
		return NULL;
	if (bins->shape.rank != 1)
		return ws_fail(c->ws, ERR_VALUE, "object of too small depth for desired array");
	down = np_neighbours(c->ws, UFUNC_LESS, bins, 0);
	up = np_neighbours(c->ws, UFUNC_GREATER, bins, 0);
	if (!up || !down || !np_any(c->ws, down, &falls) || !np_any(c->ws, up, &rises))
		return NULL;
	if (rises && falls)
		return ws_fail(c->ws, ERR_VALUE,
		               "bins must be monotonically increasing or decreasing");
	if (!falls)
		return np_search(c->ws, bins, c->at[0], !right);
	found = np_search(c->ws, np_part(c->ws, bins, 0, INDEX_NONE, INDEX_NONE, -1), c->at[0],
	                  right);
	return np_apply2(c->ws, UFUNC_SUBTRACT, np_int(c->ws, (int64_t)bins->count), found);
}
