/*
 * The memory of elements is reference-counted by the arrays that share it. Elements are read
 * through a cursor, which walks the axes in any order, repeats axes of size 1 that are broadcast
 * (stride 0), and joins axes that are contiguous, so that most arrays are a single run to it.
 */
#include "cmds/array/ndarray.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/format.h"
#include "dump/base/mem.h"

struct elements {
	size_t users;
	size_t bytes;
	size_t n_items;          /* pointers to arrays, which it owns */
	_Alignas(CELL_BYTES) unsigned char at[];
};

void *ws_fail(struct workspace *ws, enum err_code code, const char *fmt, ...)
{
	struct str text = {0};
	va_list args;

	if (ws->err->code)
		return NULL;
	va_start(args, fmt);
	str_vfmt(&text, fmt, args);
	va_end(args);
	err_fill(ws->err, code, "command", 0, "%s", str_text(&text));
	str_release(&text);
	return NULL;
}

void *ws_refuse(struct workspace *ws, const char *fmt, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, fmt);
	str_vfmt(&text, fmt, args);
	va_end(args);
	ws_fail(ws, ERR_UNSUPPORTED, "Unsupported expression: %s", str_text(&text));
	str_release(&text);
	return NULL;
}

bool ws_step(struct workspace *ws, uint64_t done, uint64_t total)
{
	return progress_step(ws->progress, done, total) || ws_fail(ws, ERR_CANCELLED, "cancelled");
}

/* Memory. */

static bool check_room(struct workspace *ws, uint64_t bytes)
{
	struct str wanted = {0}, limit = {0};

	if (bytes <= ws->limit_bytes && ws->live_bytes <= ws->limit_bytes - bytes)
		return true;
	put_size(&limit, (int64_t)ws->limit_bytes);
	if (bytes < (uint64_t)1 << 50) {
		put_size(&wanted, (int64_t)bytes);
		ws_fail(ws, ERR_LIMIT,
		        "The expression needs %sB more memory; it may have %sB in all",
		        wanted.text, limit.text);
	} else {
		ws_fail(ws, ERR_LIMIT,
		        "The expression needs far more memory than the %sB it may have in all",
		        limit.text);
	}
	str_release(&wanted);
	str_release(&limit);
	return false;
}

const struct dtype_info *ndarray_type(enum dtype dtype)
{
	static const struct dtype_info text = { DTYPE_STRING, KIND_STRING, "object", "object",
		                                sizeof(struct value_text), 0 };

	return dtype == DTYPE_STRING ? &text : dtype_info(dtype);
}

bool ndarray_is_text(const struct ndarray *array)
{
	return array->type->kind == KIND_STRING;
}

bool ndarray_is_numpy(const struct ndarray *array)
{
	return array->origin == ORIGIN_ARRAY || array->origin == ORIGIN_SCALAR;
}

const char *ws_text(struct workspace *ws, const char *text, size_t len)
{
	char *made;

	if (!check_room(ws, len + 1))
		return NULL;
	made = arena_try(ws->texts, len + 1);
	if (!made)
		return ws_fail(ws, ERR_LIMIT, "There is no memory for %zu bytes", len);
	memcpy(made, text, len);
	ws->live_bytes += len + 1;
	ws->text_bytes += len + 1;
	return made;
}

static struct elements *elements_new(struct workspace *ws, uint64_t count, size_t elem_bytes)
{
	struct elements *made;
	uint64_t bytes;

	if (__builtin_mul_overflow(count, elem_bytes, &bytes))
		bytes = UINT64_MAX;
	if (!check_room(ws, bytes))
		return NULL;
	made = mem_try(sizeof *made + (size_t)bytes);
	if (!made)
		return ws_fail(ws, ERR_LIMIT, "There is no memory for %" PRIu64 " bytes", bytes);
	made->users = 1;
	made->n_items = 0;
	made->bytes = (size_t)bytes;
	ws->live_bytes += bytes;
	return made;
}

struct ndarray *ndarray_new_ordered(struct workspace *ws, enum dtype dtype,
                                    const struct shape *shape, const uint8_t *order)
{
	const struct dtype_info *type = ndarray_type(dtype);
	int64_t stride = (int64_t)type->elem_bytes;
	struct elements *elements;
	struct ndarray *made;
	uint64_t count;

	if (!shape_count(shape, &count))
		return ws_fail(
			ws, ERR_VALUE,
			"array is too big; `arr.size * arr.dtype.itemsize` is larger than the "
			"maximum possible size.");
	elements = elements_new(ws, count, type->elem_bytes);
	if (!elements)
		return NULL;
	made = mem_alloc(sizeof *made);
	*made = (struct ndarray){ .type = type, .shape = *shape, .count = count,
	                          .elements = elements, .first = elements->at };
	for (uint32_t i = shape->rank; i-- > 0;) {
		made->stride[order[i]] = stride;
		stride = (int64_t)((uint64_t)stride * (uint64_t)shape->dim[order[i]]);
	}
	return made;
}

static void plain_order(uint32_t rank, uint8_t *order)
{
	for (uint32_t i = 0; i < rank; i++)
		order[i] = (uint8_t)i;
}

struct ndarray *ndarray_new(struct workspace *ws, enum dtype dtype, const struct shape *shape,
                            enum origin origin)
{
	uint8_t order[SHAPE_MAX_RANK] = {0};
	struct ndarray *made;

	plain_order(shape->rank, order);
	made = ndarray_new_ordered(ws, dtype, shape, order);
	if (made)
		made->origin = origin;
	return made;
}

struct ndarray *ndarray_view(const struct ndarray *from)
{
	struct ndarray *made = mem_alloc(sizeof *made);

	*made = *from;
	made->elements->users++;
	return made;
}

static void elements_free(struct workspace *ws, struct elements *elements)
{
	struct ndarray **items = (struct ndarray **)(void *)elements->at;

	for (size_t i = 0; i < elements->n_items; i++)
		ndarray_free(ws, items[i]);
	if (ws)
		ws->live_bytes -= elements->bytes;
	free(elements);
}

void ndarray_free(struct workspace *ws, struct ndarray *array)
{
	if (!array)
		return;
	if (--array->elements->users == 0)
		elements_free(ws, array->elements);
	free(array);
}

struct ndarray *ws_keep(struct workspace *ws, struct ndarray *array)
{
	if (array)
		vec_push(&ws->kept, array);
	return array;
}

size_t ws_mark(const struct workspace *ws)
{
	return ws->kept.len;
}

void ws_release(struct workspace *ws, size_t mark)
{
	while (ws->kept.len > mark)
		ndarray_free(ws, ws->kept.at[--ws->kept.len]);
	if (!mark)
		vec_release(&ws->kept);
}

/* Python's own. */

static struct ndarray *python_number(struct workspace *ws, enum dtype dtype, const void *elem,
                                     enum origin origin)
{
	struct shape shape = { .rank = 0 };
	struct ndarray *made = ndarray_new(ws, dtype, &shape, origin);

	if (made)
		memcpy(made->first, elem, made->type->elem_bytes);
	return made;
}

struct ndarray *ndarray_int(struct workspace *ws, int64_t whole)
{
	return python_number(ws, DTYPE_INT64, &whole, ORIGIN_PYTHON);
}

struct ndarray *ndarray_float(struct workspace *ws, double real)
{
	return python_number(ws, DTYPE_FLOAT64, &real, ORIGIN_PYTHON);
}

struct ndarray *ndarray_bool(struct workspace *ws, bool truth)
{
	return python_number(ws, DTYPE_BOOL, &(unsigned char){ truth }, ORIGIN_PYTHON);
}

struct ndarray *ndarray_complex(struct workspace *ws, double re, double im)
{
	return python_number(ws, DTYPE_COMPLEX128, &(struct complex64){ re, im }, ORIGIN_PYTHON);
}

struct ndarray *ndarray_text(struct workspace *ws, const char *text, size_t len,
                             enum origin origin)
{
	struct value_text elem = { ws_text(ws, text, len), len };

	return elem.text ? python_number(ws, DTYPE_STRING, &elem, origin) : NULL;
}

struct ndarray *ndarray_of_type(struct workspace *ws, enum dtype dtype, enum origin origin)
{
	struct shape shape = { .rank = 1, .dim = { 0 } };

	return ndarray_new(ws, dtype, &shape, origin);
}

struct ndarray *ndarray_of_items(struct workspace *ws, struct ndarray **items, size_t n,
                                 enum origin origin)
{
	struct shape shape = { .rank = 1, .dim = { (int64_t)n } };
	struct ndarray *made = NULL;
	bool ok = true;

	for (size_t i = 0; i < n; i++)
		ok = ok && items[i];
	_Static_assert(sizeof(struct value_text) >= sizeof *items, "an element holds a pointer");
	made = ok ? ndarray_new(ws, DTYPE_STRING, &shape, origin) : NULL;
	if (!made) {
		for (size_t i = 0; i < n; i++)
			ndarray_free(ws, items[i]);
		return NULL;
	}
	made->items = (struct ndarray **)(void *)made->first;
	if (n)
		memcpy(made->items, items, n * sizeof *items);
	made->elements->n_items = n;
	made->type = dtype_info(DTYPE_VARIANT);  /* no function of numbers takes it */
	return made;
}

struct ndarray *ndarray_none(struct workspace *ws)
{
	return python_number(ws, DTYPE_BOOL, &(unsigned char){ 0 }, ORIGIN_NONE);
}

struct ndarray *ndarray_tuple(struct workspace *ws, const int64_t *items, uint32_t n)
{
	struct shape shape = { .rank = 1, .dim = { n } };
	struct ndarray *made = ndarray_new(ws, DTYPE_INT64, &shape, ORIGIN_TUPLE);

	if (made)
		memcpy(made->first, items, n * sizeof *items);
	return made;
}

int64_t ndarray_item(const struct ndarray *array, uint32_t i)
{
	return int_value(array->type->dtype,
	                 array->first + i * (array->shape.rank ? array->stride[0] : 0));
}

bool ndarray_is_int(const struct ndarray *array)
{
	bool whole = array->type->kind == KIND_INT || array->type->kind == KIND_UINT;

	return array->shape.rank == 0 && whole && array->origin != ORIGIN_NONE;
}

struct python_type python_type_of(const struct ndarray *a)
{
	bool is_bool = a->type->kind == KIND_BOOL;
	static const char *const names[] = {
		[ORIGIN_ARRAY] = "numpy.ndarray", [ORIGIN_TUPLE] = "tuple", [ORIGIN_LIST] = "list",
		[ORIGIN_NONE] = "NoneType", [ORIGIN_TEXT] = "str", [ORIGIN_BYTES] = "bytes",
		[ORIGIN_CLASS] = "type",
	};
	struct python_type made;

	switch (a->origin) {
	case ORIGIN_SCALAR:
		snprintf(made.name, sizeof made.name, "numpy.%s%s", a->type->name,
		         is_bool ? "_" : "");
		break;
	case ORIGIN_DTYPE:
		snprintf(made.name, sizeof made.name, "numpy.dtype[%s]", a->type->name);
		break;
	case ORIGIN_PYTHON:
		snprintf(made.name, sizeof made.name, "%s",
		         is_bool ? "bool" : a->type->kind == KIND_FLOAT ? "float" :
		         a->type->kind == KIND_COMPLEX ? "complex" : "int");
		break;
	default:
		snprintf(made.name, sizeof made.name, "%s", names[a->origin]);
	}
	return made;
}

/* Orders and shapes. */

static bool is_contiguous(const struct ndarray *array)
{
	int64_t stride = (int64_t)array->type->elem_bytes;

	if (!array->count)
		return true;
	for (uint32_t i = array->shape.rank; i-- > 0;) {
		if (array->shape.dim[i] != 1 && array->stride[i] != stride)
			return false;
		stride *= array->shape.dim[i];
	}
	return true;
}

void put_dims(struct str *out, const int64_t *dims, uint32_t n)
{
	uint32_t first = 0;

	while (first < n && dims[first] < 0)
		first++;
	str_puts(out, "(");
	for (uint32_t i = first; i < n; i++) {
		str_puts(out, i > first ? "," : "");
		if (dims[i] < 0)
			str_puts(out, "newaxis");
		else
			str_fmt(out, "%" PRId64, dims[i]);
	}
	str_puts(out, n == 1 && first < n ? ",)" : ")");
}

bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *out)
{
	const struct shape *longer = a->rank >= b->rank ? a : b, *shorter = longer == a ? b : a;
	uint32_t ahead = longer->rank - shorter->rank;
	struct shape made = *longer;

	for (uint32_t i = 0; i < shorter->rank; i++) {
		int64_t dim = shorter->dim[i], *other = &made.dim[ahead + i];

		if (*other == 1)
			*other = dim;
		else if (dim != 1 && dim != *other)
			return false;
	}
	*out = made;
	return true;
}

/* The stride of an axis of the broadcast shape in one operand: 0 where the operand repeats. */
static int64_t stride_in(const struct ndarray *array, const struct shape *shape, uint32_t axis)
{
	uint32_t ahead = shape->rank - array->shape.rank;

	if (axis < ahead || array->shape.dim[axis - ahead] == 1)
		return 0;
	return array->stride[axis - ahead];
}

enum nearer { NEARER_UNKNOWN, NEARER_STAYS, NEARER_SWAPS };

/*
 * Should `inner` be outside of `outer`? Decided by the first operand whose strides tell, but any
 * that says no prevails.
 */
static enum nearer compare_axes(const struct shape *shape, const struct ndarray *const *operands,
                                size_t n, uint32_t outer, uint32_t inner)
{
	enum nearer result = NEARER_UNKNOWN;

	for (size_t i = 0; i < n; i++) {
		int64_t a = llabs(stride_in(operands[i], shape, outer));
		int64_t b = llabs(stride_in(operands[i], shape, inner));

		if (!a || !b)
			continue;
		if (b <= a)
			return NEARER_STAYS;
		result = NEARER_SWAPS;
	}
	return result;
}

void axes_in_memory_order(const struct shape *shape, const struct ndarray *const *operands,
                          size_t n, uint8_t *order)
{
	plain_order(shape->rank, order);
	for (uint32_t k = shape->rank; k-- > 0;) {
		uint8_t axis = order[k];
		uint32_t to = k;

		for (uint32_t i = k + 1; i < shape->rank; i++) {
			enum nearer says = compare_axes(shape, operands, n, axis, order[i]);

			if (says == NEARER_STAYS)
				break;
			if (says == NEARER_SWAPS)
				to = i;
		}
		memmove(order + k, order + k + 1, to - k);
		order[to] = axis;
	}
}

/* Reading. */

void cursor_start(struct cursor *cursor, const struct ndarray *array, const struct shape *shape,
                  const uint8_t *order)
{
	uint32_t rank = 0;

	cursor->type = array->type;
	cursor->at = array->first;
	for (uint32_t i = 0; i < shape->rank; i++) {
		uint32_t axis = order ? order[i] : i;
		int64_t dim = shape->dim[axis], stride = stride_in(array, shape, axis);

		if (dim == 1)
			continue;
		if (rank &&
		    cursor->stride[rank - 1] == (int64_t)((uint64_t)stride * (uint64_t)dim)) {
			cursor->dim[rank - 1] *= dim;
			cursor->stride[rank - 1] = stride;
		} else {
			cursor->dim[rank] = dim;
			cursor->stride[rank++] = stride;
		}
	}
	if (!rank) {
		cursor->dim[0] = 1;
		cursor->stride[rank++] = 0;
	}
	cursor->rank = rank;
	memset(cursor->index, 0, sizeof cursor->index);
}

size_t cursor_run(struct cursor *c, size_t n, const unsigned char **at)
{
	uint32_t axis = c->rank - 1;
	int64_t left = c->dim[axis] - c->index[axis];
	size_t run = (uint64_t)left < n ? (size_t)left : n;

	*at = c->at;
	c->at += (int64_t)run * c->stride[axis];
	c->index[axis] += (int64_t)run;
	while (c->index[axis] == c->dim[axis] && axis > 0) {
		c->at -= c->index[axis] * c->stride[axis];
		c->index[axis--] = 0;
		c->at += c->stride[axis];
		c->index[axis]++;
	}
	return run;
}

void cursor_take(struct cursor *cursor, size_t n, enum cell to, void *out)
{
	uint32_t last = cursor->rank - 1;
	size_t bytes = cell_bytes(to);

	for (size_t done = 0; done < n;) {
		const unsigned char *at;
		size_t run = cursor_run(cursor, n - done, &at);

		cells_load(cursor->type, at, cursor->stride[last], run, to,
		           (unsigned char *)out + done * bytes);
		done += run;
	}
}

void cursor_copy(struct cursor *cursor, size_t n, unsigned char *out)
{
	int64_t stride = cursor->stride[cursor->rank - 1];
	size_t bytes = cursor->type->elem_bytes;

	while (n) {
		const unsigned char *at;
		size_t run = cursor_run(cursor, n, &at);

		if (stride == (int64_t)bytes)
			memcpy(out, at, run * bytes);
		else
			for (size_t i = 0; i < run; i++)
				memcpy(out + i * bytes, at + (int64_t)i * stride, bytes);
		out += run * bytes;
		n -= run;
	}
}

bool ndarray_copy_out(struct workspace *ws, const struct ndarray *array, unsigned char *out)
{
	struct cursor cursor;

	cursor_start(&cursor, array, &array->shape, NULL);
	for (uint64_t done = 0; done < array->count; done += CELLS) {
		size_t n = array->count - done < CELLS ? (size_t)(array->count - done) : CELLS;

		cursor_copy(&cursor, n, out + done * array->type->elem_bytes);
		if (!ws_step(ws, done + n, array->count))
			return false;
	}
	return true;
}

struct ndarray *ndarray_contiguous(struct workspace *ws, const struct ndarray *array)
{
	struct ndarray *made;

	if (is_contiguous(array))
		return ndarray_view(array);
	made = ndarray_new(ws, array->type->dtype, &array->shape, array->origin);
	if (made && !ndarray_copy_out(ws, array, made->first)) {
		ndarray_free(ws, made);
		return NULL;
	}
	return made;
}

struct value *ndarray_value(const struct ndarray *array)
{
	assert(is_contiguous(array));
	if (ndarray_is_text(array))
		return value_of_texts(&array->shape, (const void *)array->first);
	return value_of_memory(array->type->dtype, &array->shape, array->first,
	                       (size_t)array->count * array->type->elem_bytes);
}

struct ndarray *ndarray_astype(struct workspace *ws, const struct ndarray *array, enum dtype dtype)
{
	_Alignas(CELL_BYTES) unsigned char cells[CELLS * CELL_BYTES];
	enum cell cell = cell_of(array->type);
	uint8_t order[SHAPE_MAX_RANK];
	struct cursor cursor;
	struct ndarray *made;

	axes_in_memory_order(&array->shape, &array, 1, order);
	made = ndarray_new_ordered(ws, dtype, &array->shape, order);
	if (!made)
		return NULL;
	made->origin = array->shape.rank || array->origin == ORIGIN_ARRAY ? ORIGIN_ARRAY :
	                                                                    ORIGIN_SCALAR;
	cursor_start(&cursor, array, &array->shape, order);
	for (uint64_t done = 0; done < array->count; done += CELLS) {
		size_t n = array->count - done < CELLS ? (size_t)(array->count - done) : CELLS;

		cursor_take(&cursor, n, cell, cells);
		cells_store(cell, cells, n, made->type,
		            made->first + done * made->type->elem_bytes);
		if (!ws_step(ws, done + n, array->count)) {
			ndarray_free(ws, made);
			return NULL;
		}
	}
	return made;
}
