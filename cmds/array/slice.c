/*
 * All items are parsed before any is applied, then applied from left to right, each to the next
 * axis: errors come in the order in which Python, then numpy, would raise them. Products are
 * unsigned and may overflow only where there is no element.
 */
#include "cmds/array/slice.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "cmds/lang/python.h"
#include "dump/base/utf8.h"
#include "dump/base/vec.h"

/*
 * An item: an index, or the three parts of begin:end:step. Slices have no signs, so -1 means left
 * out.
 */
struct item {
	bool is_range;
	int64_t part[3];         /* an index is part[0] */
};
enum { BEGIN, END, STEP };

void slice_cut(const char *word, struct arena *mem, const char **tensor, const char **slice)
{
	const char *open = strchr(word, '[');
	size_t len = strlen(word);
	bool has_slice = open && !strchr(open + 1, '[') && word[len - 1] == ']';

	*tensor = arena_copy(mem, word, has_slice ? (size_t)(open - word) : len);
	*slice = has_slice ? arena_copy(mem, open, strlen(open)) : NULL;
}

static bool refuse(uint64_t off, struct err *err)
{
	return err_at(err, ERR_VALUE, "command", off, "Invalid tensor-slicing string.");
}

/* Brackets around one or more digits, spaces, commas and colons. */
static bool check_form(const char *slice, struct err *err)
{
	size_t len = strlen(slice), at = 1;

	if (len < 3 || slice[0] != '[' || slice[len - 1] != ']')
		return refuse(0, err);
	while (at < len - 1) {
		uint32_t cp;
		size_t n = utf8_next(slice + at, len - 1 - at, &cp);

		if (!python_space(cp) && !(cp < 0x80 && strchr("0123456789,:", (int)cp)))
			return refuse(at, err);
		at += n;
	}
	return true;
}

static int count_colons(const char *text, size_t len)
{
	int n = 0;

	for (size_t i = 0; i < len; i++)
		n += text[i] == ':';
	return n;
}

/* text[0..len) is one item, at column off. */
static bool read_item(const char *text, size_t len, uint64_t off, struct item *out, struct err *err)
{
	int n_colons = count_colons(text, len);
	size_t at = 0;

	if (n_colons > STEP)
		return refuse(off, err);
	*out = (struct item){ n_colons > 0, { -1, -1, -1 } };
	for (int k = 0; k <= n_colons; k++) {
		const char *colon = k < n_colons ? memchr(text + at, ':', len - at) : text + len;
		size_t part_len = (size_t)(colon - text) - at;
		const char *part = python_strip(text + at, &part_len);

		if ((part_len || !out->is_range) &&
		    !python_int_read(part, part_len, off + at, &out->part[k], err))
			return false;
		at = (size_t)(colon - text) + 1;
	}
	return true;
}

struct items {
	VEC(struct item) list;
};

static bool read_items(const char *slice, struct items *out, struct err *err)
{
	const char *end = slice + strlen(slice) - 1;

	for (const char *at = slice + 1; at <= end;) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma ? comma : end;

		if (!read_item(at, (size_t)(stop - at), (uint64_t)(at - slice), vec_add(&out->list),
		               err))
			return false;
		at = stop + 1;
	}
	return true;
}

static int64_t at_most(int64_t x, int64_t limit)
{
	return x < limit ? x : limit;
}

/* Narrows an axis of `dim` elements to begin:end:step. *first: the element it then begins with. */
static bool narrow(const struct item *item, int64_t *dim, int64_t *stride, int64_t *first,
                   struct err *err)
{
	int64_t begin = item->part[BEGIN] < 0 ? 0 : at_most(item->part[BEGIN], *dim);
	int64_t end = item->part[END] < 0 ? *dim : at_most(item->part[END], *dim);
	int64_t step = item->part[STEP] < 0 ? 1 : item->part[STEP];

	if (step == 0)
		return err_at(err, ERR_VALUE, "command", 0, "slice step cannot be zero");
	*first = begin;
	*dim = begin < end ? (end - begin - 1) / step + 1 : 0;
	if (*dim > 1)
		*stride = (int64_t)((uint64_t)*stride * (uint64_t)step);
	return true;
}

/* from: the view before any item; axis: the axis of it that the item is for. */
static bool apply_item(const struct item *item, uint32_t axis, const struct view *from,
                       struct view *to, struct err *err)
{
	int64_t dim = from->shape.dim[axis], stride = from->stride[axis];
	int64_t first = item->part[BEGIN];

	if (!item->is_range && first >= dim)
		return err_at(err, ERR_INDEX, "command", 0,
		              "index %" PRId64 " is out of bounds for axis %" PRIu32
		              " with size %" PRId64,
		              first, axis, dim);
	if (item->is_range) {
		if (!narrow(item, &dim, &stride, &first, err))
			return false;
		to->shape.dim[to->shape.rank] = dim;
		to->stride[to->shape.rank++] = stride;
	}
	if (first < from->shape.dim[axis])
		to->start += (uint64_t)first * (uint64_t)from->stride[axis];
	return true;
}

static bool apply(const struct items *items, struct view *view, struct err *err)
{
	static const struct item whole_axis = { true, { -1, -1, -1 } };
	struct view made = *view;
	bool fits;

	if (items->list.len > view->shape.rank)
		return err_at(err, ERR_INDEX, "command", 0,
		              "too many indices for array: array is %" PRIu32
		              "-dimensional, but %zu were indexed",
		              view->shape.rank, items->list.len);
	made.shape.rank = 0;
	for (uint32_t axis = 0; axis < view->shape.rank; axis++) {
		const struct item *item =
			axis < items->list.len ? &items->list.at[axis] : &whole_axis;

		if (!apply_item(item, axis, view, &made, err))
			return false;
	}
	fits = shape_count(&made.shape, &made.count);
	assert(fits);
	(void)fits;
	*view = made;
	return true;
}

void slice_axes(const char *slice, const struct shape *shape, struct slice_axis *out)
{
	struct items items = {0};

	if (slice)
		read_items(slice, &items, NULL);
	for (uint32_t axis = 0; axis < shape->rank; axis++) {
		const struct item *item = axis < items.list.len ? &items.list.at[axis] : NULL;
		int64_t first = item && item->part[BEGIN] > 0 ? item->part[BEGIN] : 0;

		out[axis].dropped = item && !item->is_range;
		out[axis].first = at_most(first, shape->dim[axis]);
		out[axis].step = item && item->part[STEP] > 0 ? item->part[STEP] : 1;
	}
	vec_release(&items.list);
}

bool slice_check(const char *slice, struct err *err)
{
	struct items items = {0};
	bool ok = check_form(slice, err) && read_items(slice, &items, err);

	vec_release(&items.list);
	return ok;
}

bool slice_apply(const char *slice, struct view *view, bool *scalar, struct err *err)
{
	struct items items = {0};
	bool ok = check_form(slice, err) && read_items(slice, &items, err) &&
	          apply(&items, view, err);

	if (ok)
		*scalar = view->shape.rank == 0;
	vec_release(&items.list);
	return ok;
}
