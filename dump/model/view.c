/*
 * A view is walked as rows: neighbouring dimensions that go on in the same step are one, so that a
 * whole tensor is a single row, and a slice of outer dimensions is a few long ones. A row of step 1
 * is read in one piece, one of a short step by picking from blocks, one of a long step element by
 * element.
 */
#include "dump/model/value.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define BLOCK_BYTES 16384        /* what is picked from at once */
#define NEAR_BYTES 512           /* the longest step for which blocks are worth it */
enum { FEW = 1024 };             /* that are looked at by themselves */

struct rows {
	uint32_t rank;           /* at least 1; the last dimension is the row */
	uint64_t dim[SHAPE_MAX_RANK];
	int64_t stride[SHAPE_MAX_RANK];
	uint64_t at[SHAPE_MAX_RANK];
	uint64_t elem;           /* number in the value of the element at `at` */
};

void view_all(struct view *view, struct value *value)
{
	int64_t stride = 1;

	*view = (struct view){ .value = value, .shape = value->shape, .count = value->count };
	for (uint32_t d = view->shape.rank; d-- > 0 && value->count; ) {
		view->stride[d] = stride;
		stride *= view->shape.dim[d];
	}
}

uint64_t view_distinct(struct view *view, struct value *value)
{
	int64_t stride = 1;

	view_all(view, value);
	if (!value->flat_axes)
		return 1;
	view->is_distinct = true;
	view->count = 1;
	for (uint32_t d = view->shape.rank; d-- > 0; ) {
		if (value->flat_axes >> d & 1)
			view->shape.dim[d] = 1;
		view->stride[d] = stride;
		stride *= view->shape.dim[d];
	}
	view->count = (uint64_t)stride;
	return value->count / view->count;
}

/* The number in the value of the i-th element of the view. */
static uint64_t element_at(const struct view *view, uint64_t i)
{
	uint64_t elem = view->start;

	for (uint32_t d = view->shape.rank; d-- > 0; ) {
		uint64_t dim = (uint64_t)view->shape.dim[d];

		elem += i % dim * (uint64_t)view->stride[d];
		i /= dim;
	}
	return elem;
}

static void add_dim(struct rows *rows, uint64_t dim, int64_t stride)
{
	uint32_t last = rows->rank - 1;
	int64_t whole;

	if (rows->rank && !__builtin_mul_overflow(stride, (int64_t)dim, &whole) &&
	    rows->stride[last] == whole) {
		rows->dim[last] *= dim;
		rows->stride[last] = stride;
		return;
	}
	rows->dim[rows->rank] = dim;
	rows->stride[rows->rank] = stride;
	rows->rank++;
}

static void rows_start(struct rows *rows, const struct view *view, uint64_t first)
{
	*rows = (struct rows){ .elem = element_at(view, first) };
	for (uint32_t d = 0; d < view->shape.rank; d++) {
		if (view->shape.dim[d] != 1)
			add_dim(rows, (uint64_t)view->shape.dim[d], view->stride[d]);
	}
	if (!rows->rank)
		add_dim(rows, 1, 1);
	for (uint32_t d = rows->rank; d-- > 0; first /= rows->dim[d])
		rows->at[d] = first % rows->dim[d];
}

/* Steps n elements on; n is at most what is left of the row. */
static void rows_step(struct rows *rows, uint64_t n)
{
	uint32_t d = rows->rank - 1;

	rows->at[d] += n;
	rows->elem += n * (uint64_t)rows->stride[d];
	while (d > 0 && rows->at[d] == rows->dim[d]) {
		rows->elem -= rows->dim[d] * (uint64_t)rows->stride[d];
		rows->at[d--] = 0;
		rows->at[d]++;
		rows->elem += (uint64_t)rows->stride[d];
	}
}

static void pick(unsigned char *out, const unsigned char *from, size_t n, int64_t step_bytes,
                 size_t size)
{
	for (size_t i = 0; i < n; i++)
		memcpy(out + i * size, from + (int64_t)i * step_bytes, size);
}

/* n elements of a row with a short step: blocks that hold many of them, each read once. */
static bool pick_from_blocks(struct value *value, uint64_t elem, int64_t stride, size_t n,
                             unsigned char *out, struct err *err)
{
	_Alignas(16) unsigned char block[BLOCK_BYTES];
	size_t size = value->type->elem_bytes;
	size_t step = (size_t)(stride < 0 ? -stride : stride);
	size_t most = step ? (BLOCK_BYTES / size - 1) / step + 1 : n;

	while (n > 0) {
		size_t k = n < most ? n : most;
		size_t reach = (k - 1) * step;

		if (!value_read(value, stride < 0 ? elem - reach : elem, reach + 1, block, err))
			return false;
		pick(out, block + (stride < 0 ? reach * size : 0), k, stride * (int64_t)size,
		     size);
		elem += k * (uint64_t)stride;
		out += k * size;
		n -= k;
	}
	return true;
}

static bool read_row(struct value *value, uint64_t elem, int64_t stride, size_t n,
                     unsigned char *out, struct err *err)
{
	int64_t size = (int64_t)value->type->elem_bytes;

	if (stride == 1 || n == 1)
		return value_read(value, elem, n, out, err);
	if (stride >= -NEAR_BYTES / size && stride <= NEAR_BYTES / size)
		return pick_from_blocks(value, elem, stride, n, out, err);
	for (size_t i = 0; i < n; i++, elem += (uint64_t)stride) {
		if (!value_read(value, elem, 1, out + i * (size_t)size, err))
			return false;
	}
	return true;
}

static bool read_rows(struct view *view, uint64_t first, size_t n, void *out, struct err *err)
{
	unsigned char *to = out;
	struct rows rows;

	rows_start(&rows, view, first);
	while (n > 0) {
		uint64_t left = rows.dim[rows.rank - 1] - rows.at[rows.rank - 1];
		size_t k = n < left ? n : (size_t)left;

		if (!read_row(view->value, rows.elem, rows.stride[rows.rank - 1], k, to, err))
			return false;
		to += k * view->value->type->elem_bytes;
		n -= k;
		rows_step(&rows, k);
	}
	return true;
}

bool view_read(struct view *view, uint64_t first, size_t n, void *out, struct err *err)
{
	struct value *value = view->value;
	bool ok;

	assert(first <= view->count && n <= view->count - first);
	if (!n)
		return true;
	if (value->is_vast && n > FEW && view->count > VALUE_VAST)
		return err_at(err, ERR_LIMIT, value->path, 0,
		              "%" PRIu64 " elements, which are not all in the file: too many to "
		              "read each", view->count);
	if (view->is_distinct)
		value_narrow(value, true);
	ok = read_rows(view, first, n, out, err);
	if (view->is_distinct)
		value_narrow(value, false);
	return ok;
}

bool view_string(struct view *view, uint64_t i, const char **text, size_t *len, struct err *err)
{
	assert(i < view->count);
	return value_string(view->value, element_at(view, i), text, len, err);
}
