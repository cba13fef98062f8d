/*
 * Opening a value reads only keys. Elements then come from one of four places: the raw bytes of
 * tensor_content (or float8_val), a repeated field (struct repeated), string_val, or the caller's
 * memory. If a file holds fewer elements than the shape has, the last one stands for the rest, zero
 * if there is none.
 */
#include "dump/model/value.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/format/decode.h"
#include "dump/format/file.h"
#include "dump/format/repeated.h"
#include "dump/format/wire.h"
#include "dump/model/known.h"
#include "dump/model/tensor_proto.h"
#include "dump/model/value_input.h"

/* A string of a tensor is held in one piece. */
#define STRING_LIMIT ((size_t)256 << 20)

/* Reads of at least this size bypass the file's window; smaller ones use it if they are near it. */
#define DIRECT_BYTES (16 * 1024)
#define NEAR_BYTES 4096

#define HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

enum place { IN_MEMORY, IN_CONTENT, IN_FIELD, IN_INPUT, FROM_OWNER, NOT_KEPT };

struct value_source {
	enum place place;
	struct file file;
	struct tensor_proto proto;
	bool swap;               /* the file has the other byte order */
	bool any_byte;           /* a bool may be more than 0 and 1 */
	uint64_t stored;         /* elements there are; the last one repeats up to count */
	struct span content;     /* IN_CONTENT */
	uint64_t read_to;        /* where the last read of it ended, bytes into it */
	struct repeated field;   /* IN_FIELD */
	uint64_t *string_off;    /* of strings IN_CONTENT: where each begins, and the end */
	const unsigned char *memory;
	struct value_input *input;       /* IN_INPUT */
	struct value_texts texts;        /* FROM_OWNER */
	struct value_known *known;       /* NOT_KEPT */
	char path[];
};

bool shape_count(const struct shape *shape, uint64_t *count)
{
	uint64_t product = 1;
	bool empty = false;

	for (uint32_t i = 0; i < shape->rank; i++) {
		if (shape->dim[i] < 0)
			return false;
		if (shape->dim[i] == 0)
			empty = true;
		else if (__builtin_mul_overflow(product, (uint64_t)shape->dim[i], &product) ||
		         product > INT64_MAX)
			return false;
	}
	*count = empty ? 0 : product;
	return true;
}

bool shape_equal(const struct shape *a, const struct shape *b)
{
	return a->rank == b->rank && !memcmp(a->dim, b->dim, a->rank * sizeof *a->dim);
}

void shape_next(const struct shape *shape, int64_t *index)
{
	for (uint32_t k = shape->rank; k-- > 0;) {
		if (++index[k] < shape->dim[k])
			return;
		index[k] = 0;
	}
}

static struct value *value_new(const char *path)
{
	struct value *v = mem_alloc(sizeof *v);
	size_t len = strlen(path);

	v->source = mem_alloc(sizeof *v->source + len + 1);
	memcpy(v->source->path, path, len + 1);
	v->source->file.fd = -1;
	v->source->swap = HOST_IS_BIG_ENDIAN;
	v->path = v->source->path;
	return v;
}

void value_close(struct value *value)
{
	if (!value)
		return;
	free(value->source->string_off);
	repeated_release(&value->source->field);
	value_input_free(value->source->input);
	if (value->source->texts.release)
		value->source->texts.release(value->source->texts.owner);
	free(value->source->known);
	tensor_proto_release(&value->source->proto);
	file_close(&value->source->file);
	free(value->source);
	free(value);
}

/* The wire type of the typed values that a field of TensorProto holds. */
static enum wire_type wire_type_of(const struct dtype_info *type)
{
	switch (type->dtype) {
	case DTYPE_FLOAT32:
	case DTYPE_COMPLEX64:
		return WIRE_FIXED32;
	case DTYPE_FLOAT64:
	case DTYPE_COMPLEX128:
		return WIRE_FIXED64;
	default:
		return WIRE_VARINT;
	}
}

static bool is_complex(const struct value *v)
{
	return v->type->kind == KIND_COMPLEX;
}

static bool is_float8(const struct value *v)
{
	return v->type->kind == KIND_SMALL_FLOAT && v->type->elem_bytes == 1;
}

static bool place_content(struct value *v, struct err *err)
{
	struct value_source *s = v->source;
	size_t size = v->type->elem_bytes;

	if (s->proto.content.len % size || s->proto.content.len / size != v->count)
		return err_at(err, ERR_FORMAT, v->path, s->proto.content.off,
		              "%" PRIu64 " byte%s of content for %" PRIu64 " element%s of %zu",
		              s->proto.content.len, plural(s->proto.content.len), v->count,
		              plural(v->count), size);
	s->place = IN_CONTENT;
	s->content = s->proto.content;
	s->stored = v->count;
	return true;
}

/*
 * Strings as content: their lengths, then their bytes, nothing between.
 * Source: tensorflow/core/platform/tensor_coding.cc.
 */
static bool place_packed(struct value *v, struct err *err)
{
	struct value_source *s = v->source;
	struct span content = s->proto.content;
	struct field lengths = { .type = WIRE_BYTES, .bytes = content };
	uint64_t at = 0, len, left;

	if (v->count > content.len)
		return err_at(err, ERR_FORMAT, v->path, content.off,
		              "%" PRIu64 " byte%s for %" PRIu64 " strings", content.len,
		              plural(content.len), v->count);
	s->string_off = mem_try((size_t)(v->count + 1) * sizeof *s->string_off);
	if (!s->string_off)
		return err_at(err, ERR_LIMIT, v->path, content.off,
		              "no memory for the places of %" PRIu64 " strings", v->count);
	/* First their lengths, which become places when all are known. */
	for (uint64_t i = 0; i < v->count; i++) {
		if (!wire_value(&s->file, &lengths, WIRE_VARINT, &at, &len, err))
			return err->code ? false : err_at(err, ERR_FORMAT, v->path, content.off,
			                                  "fewer lengths than strings");
		s->string_off[i] = len;
	}
	left = content.len - at;
	for (uint64_t i = 0; i < v->count; i++) {
		len = s->string_off[i];
		s->string_off[i] = content.off + content.len - left;
		if (len > left)
			return err_at(err, ERR_FORMAT, v->path, content.off,
			              "a string of %" PRIu64 " byte%s, %" PRIu64 " are left", len,
			              plural(len), left);
		left -= len;
	}
	s->string_off[v->count] = content.off + content.len;
	s->place = IN_CONTENT;
	s->stored = v->count;
	return !left || err_at(err, ERR_FORMAT, v->path, content.off,
	                       "%" PRIu64 " byte%s behind the last string", left, plural(left));
}

static bool place_strings(struct value *v, bool typed, struct err *err)
{
	struct value_source *s = v->source;

	if (s->proto.content.len && typed)
		return place_packed(v, err);
	if (s->proto.content.len)
		return err_at(err, ERR_FORMAT, v->path, s->proto.content.off,
		              "%" PRIu64 " byte%s of content in a tensor of strings",
		              s->proto.content.len, plural(s->proto.content.len));
	s->place = IN_FIELD;
	s->stored = s->proto.strings.count;
	return true;
}

static bool place_typed(struct value *v, struct err *err)
{
	struct value_source *s = v->source;

	if (is_float8(v)) {
		s->place = IN_CONTENT;
		s->content = s->proto.float8;
		s->stored = s->content.len;
		return true;
	}
	s->place = IN_FIELD;
	repeated_start(&s->field, &s->file, s->proto.piece, s->proto.n_pieces, v->type->field,
	               wire_type_of(v->type));
	if (!repeated_index(&s->field, err))
		return false;
	if (is_complex(v) && s->field.count % 2)
		return err_at(err, ERR_FORMAT, v->path, s->proto.piece[0].off,
		              "%" PRIu64 " numbers are no whole number of complex values",
		              s->field.count);
	s->stored = s->field.count / (is_complex(v) ? 2 : 1);
	return true;
}

static bool place_elements(struct value *v, bool typed, struct err *err)
{
	struct value_source *s = v->source;
	bool ok;

	if (v->type->kind == KIND_STRING)
		ok = place_strings(v, typed, err);
	else if (s->proto.content.len)
		ok = place_content(v, err);
	else
		ok = place_typed(v, err);
	if (!ok)
		return false;
	v->is_vast = v->count > VALUE_VAST && s->stored < v->count;
	return s->stored <= v->count ||
	       err_at(err, ERR_FORMAT, v->path, s->proto.piece[0].off,
	              "%" PRIu64 " value%s for %" PRIu64 " element%s", s->stored,
	              plural(s->stored), v->count, plural(v->count));
}

/*
 * tfdbg's decision in load_tensor_from_event; typed fields are content only if the caller says so.
 */
static bool decide(struct value *v, bool typed, struct err *err)
{
	const struct tensor_proto *proto = &v->source->proto;
	uint64_t count;

	v->type = dtype_on_wire(proto->dtype);
	if (!v->type)
		return err_at(err, ERR_FORMAT, v->path, proto->dtype_off, "unknown dtype %" PRIu64,
		              proto->dtype);
	v->shape = proto->shape;
	if (!shape_count(&v->shape, &count))
		return err_at(err, ERR_FORMAT, v->path, proto->shape_off,
		              "a dimension is negative or too large");
	if (!typed && count && !proto->content.len && !proto->strings.count) {
		v->state = VALUE_UNINITIALISED;
		return true;
	}
	if (v->type->kind == KIND_OPAQUE) {
		v->state = VALUE_OPAQUE;
		return true;
	}
	v->state = VALUE_ARRAY;
	v->count = count;
	return place_elements(v, typed, err);
}

static struct value *value_or_close(struct value *v, bool ok)
{
	if (ok)
		return v;
	value_close(v);
	return NULL;
}

struct value *value_open_event(const char *path, struct err *err)
{
	struct value *v = value_new(path);
	struct value_source *s = v->source;
	struct err own = {0};
	bool ok;

	if (!err)
		err = &own;
	ok = file_open(&s->file, s->path, err) &&
	     tensor_proto_of_event(&s->file, &s->proto, err) &&
	     tensor_proto_read(&s->file, &s->proto, err) && decide(v, false, err);
	return value_or_close(v, ok);
}

static bool set_piece(struct value *v, uint64_t off, uint64_t len, struct err *err)
{
	struct value_source *s = v->source;

	if (off > s->file.size || len > s->file.size - off)
		return err_damaged(err, DAMAGE_CUT, v->path, off,
		                   "%" PRIu64 " byte%s expected here, the file has %" PRIu64
		                   " in all", len, plural(len), s->file.size);
	s->proto.piece[0] = (struct span){ off, len };
	s->proto.n_pieces = 1;
	return true;
}

struct value *value_open_proto(const char *path, uint64_t off, uint64_t len, bool typed,
                               struct err *err)
{
	struct value *v = value_new(path);
	struct value_source *s = v->source;
	struct err own = {0};
	bool ok;

	if (!err)
		err = &own;
	ok = file_open(&s->file, s->path, err) && set_piece(v, off, len, err) &&
	     tensor_proto_read(&s->file, &s->proto, err) && decide(v, typed, err);
	return value_or_close(v, ok);
}

/* Are the elements in [off, off + len) of the file? */
static bool place_raw(struct value *v, uint64_t off, uint64_t len, struct err *err)
{
	uint64_t size = v->source->file.size, left = off < size ? size - off : 0, need;

	if (!shape_count(&v->shape, &v->count) ||
	    __builtin_mul_overflow(v->count, v->type->elem_bytes, &need) || need > INT64_MAX)
		return err_at(err, ERR_FORMAT, v->path, 0, "impossible shape");
	if (len > left)
		len = left;
	if (need > len)
		return err_damaged(err, need > left ? DAMAGE_CUT : DAMAGE_ANY, v->path, off,
		                   "%" PRIu64 " of %" PRIu64 " bytes of data are there", len, need);
	v->source->place = IN_CONTENT;
	v->source->content = (struct span){ off, need };
	v->source->stored = v->count;
	return true;
}

struct value *value_open_raw(const char *path, uint64_t off, uint64_t len, enum dtype dtype,
                             bool big_endian, const struct shape *shape, struct err *err)
{
	struct value *v = value_new(path);
	struct err own = {0};

	if (!err)
		err = &own;
	v->type = dtype_info(dtype);
	assert(v->type && v->type->elem_bytes);
	v->shape = *shape;
	v->source->swap = big_endian != HOST_IS_BIG_ENDIAN;
	v->source->any_byte = dtype == DTYPE_BOOL;
	return value_or_close(v, file_open(&v->source->file, v->path, err) &&
	                                 place_raw(v, off, len, err));
}

static bool count_elements(struct value *v, const struct shape *shape, struct err *err)
{
	v->shape = *shape;
	return shape_count(shape, &v->count)
	       || err_at(err, ERR_FORMAT, v->path, 0, "impossible shape");
}

/* A torch.Tensor.expand of six numbers may have 2^58 elements. */
static void look_at_axes(struct value *v, const struct value_layout *layout)
{
	for (uint32_t d = 0; layout->stride && v->count && d < v->shape.rank; d++)
		if (!layout->stride[d] && v->shape.dim[d] > 1)
			v->flat_axes |= UINT32_C(1) << d;
	v->is_vast = v->count > VALUE_VAST && v->count > value_input_distinct(v->source->input);
}

struct value *value_open_input(struct input *input, const struct shape *shape,
                               const struct value_layout *layout, struct err *err)
{
	struct value *v = value_new(input->path);
	struct value_source *s = v->source;
	struct err own = {0};

	if (!err)
		err = &own;
	v->type = dtype_info(layout->dtype);
	s->swap = layout->big_endian != HOST_IS_BIG_ENDIAN;
	s->any_byte = layout->dtype == DTYPE_BOOL;
	s->place = IN_INPUT;
	if (count_elements(v, shape, err))
		s->input = value_input_new(input, shape, v->count,
		                           v->type->elem_bytes ? v->type->elem_bytes
		                                               : layout->text_bytes,
		                           layout, err);
	input_release(input);
	s->stored = v->count;
	if (s->input)
		look_at_axes(v, layout);
	return value_or_close(v, s->input);
}

void value_narrow(struct value *value, bool narrow)
{
	struct shape shape = value->shape;

	for (uint32_t d = 0; narrow && d < shape.rank; d++)
		if (value->flat_axes >> d & 1)
			shape.dim[d] = 1;
	if (value->flat_axes)
		value_input_reshape(value->source->input, &shape);
}

struct value *value_open_texts(const char *path, const struct shape *shape,
                               const struct value_texts *texts, struct err *err)
{
	struct value *v = value_new(path);

	v->type = dtype_info(DTYPE_STRING);
	v->source->place = FROM_OWNER;
	v->source->texts = *texts;
	if (!count_elements(v, shape, err))
		return value_or_close(v, false);
	v->source->stored = v->count;
	return v;
}

struct value *value_of_memory(enum dtype dtype, const struct shape *shape, const void *elems,
                              size_t bytes)
{
	struct value *v = value_new("");
	bool counted;

	v->type = dtype_info(dtype);
	v->shape = *shape;
	counted = shape_count(shape, &v->count);
	assert(v->type && v->type->elem_bytes && counted &&
	       bytes / v->type->elem_bytes >= v->count);
	(void)counted;
	(void)bytes;
	v->source->place = IN_MEMORY;
	v->source->memory = elems;
	v->source->stored = v->count;
	return v;
}

struct value *value_of_texts(const struct shape *shape, const struct value_text *elems)
{
	struct value *v = value_new("");
	bool counted;

	v->type = dtype_info(DTYPE_STRING);
	v->shape = *shape;
	counted = shape_count(shape, &v->count);
	assert(counted);
	(void)counted;
	v->source->place = IN_MEMORY;
	v->source->memory = (const void *)elems;
	v->source->stored = v->count;
	return v;
}

struct value *value_open_known(const char *path, enum dtype dtype, const struct shape *shape,
                               enum value_state state, struct value_known *known,
                               struct err *err)
{
	struct value *v = value_new(path);
	bool ok = true;

	v->type = dtype_info(dtype);
	v->state = state;
	v->shape = *shape;
	v->known = v->source->known = known;
	v->source->place = NOT_KEPT;
	if (state == VALUE_ARRAY)
		ok = count_elements(v, shape, err);
	v->source->stored = v->count;
	return value_or_close(v, ok);
}

static bool not_kept(const struct value *v, struct err *err)
{
	return err_at(err, ERR_MISSING, v->path, 0, "Only a summary was kept, no elements.");
}

/* Numbers of a file into host order. Complex elements are two numbers each. */
static void to_host(const struct value *v, unsigned char *at, size_t n)
{
	size_t size = v->type->elem_bytes / (is_complex(v) ? 2 : 1);

	for (size_t i = 0; v->source->any_byte && i < n; i++)
		at[i] = at[i] != 0;
	if (!v->source->swap)
		return;
	for (size_t left = n * v->type->elem_bytes / size; left > 0; left--, at += size) {
		for (size_t i = 0; i < size / 2; i++) {
			unsigned char low = at[i];

			at[i] = at[size - 1 - i];
			at[size - 1 - i] = low;
		}
	}
}

static bool read_content(struct value *v, uint64_t first, size_t n, unsigned char *out,
                         struct err *err)
{
	struct value_source *s = v->source;
	size_t len = n * v->type->elem_bytes;
	uint64_t from = first * v->type->elem_bytes;
	bool near = from >= s->read_to && from - s->read_to < NEAR_BYTES;

	s->read_to = from + len;
	if (len >= DIRECT_BYTES || !near) {
		if (!file_read(&s->file, s->content.off + from, len, out, err))
			return false;
	} else {
		const void *bytes = file_bytes(&s->file, s->content.off + from, len, err);

		if (!bytes)
			return false;
		memcpy(out, bytes, len);
	}
	to_host(v, out, n);
	return true;
}

/* A wire number as an element, truncated to its width. */
static void store(const struct dtype_info *type, uint64_t number, void *out)
{
	uint8_t one = (uint8_t)(type->kind == KIND_BOOL ? number != 0 : number);
	uint16_t two = (uint16_t)number;
	uint32_t four = (uint32_t)number;

	switch (type->elem_bytes) {
	case 1:
		memcpy(out, &one, 1);
		break;
	case 2:
		memcpy(out, &two, 2);
		break;
	case 4:
		memcpy(out, &four, 4);
		break;
	default:
		memcpy(out, &number, 8);
		break;
	}
}

static bool read_field(struct value *v, uint64_t first, size_t n, unsigned char *out,
                       struct err *err)
{
	struct repeated *field = &v->source->field;
	size_t each = is_complex(v) ? 2 : 1;

	if (!repeated_seek(field, first * each, err))
		return false;
	if (field->type != WIRE_VARINT) {
		if (!repeated_fixed(field, n * each, out, err))
			return false;
		to_host(v, out, n);
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t number;

		if (!repeated_number(field, &number, err))
			return false;
		store(v->type, number, out + i * v->type->elem_bytes);
	}
	return true;
}

static bool read_stored(struct value *v, uint64_t first, size_t n, void *out, struct err *err)
{
	switch (v->source->place) {
	case IN_CONTENT:
		return read_content(v, first, n, out, err);
	case IN_FIELD:
		return read_field(v, first, n, out, err);
	case IN_INPUT:
		if (!value_input_read(v->source->input, first, n, out, err))
			return false;
		to_host(v, out, n);
		return true;
	case FROM_OWNER:
		return false;    /* strings */
	case NOT_KEPT:
		return not_kept(v, err);
	case IN_MEMORY:
		memcpy(out, v->source->memory + first * v->type->elem_bytes,
		       n * v->type->elem_bytes);
		return true;
	}
	return false;
}

/* The elements beyond the stored ones: all are the last one, or zero. */
static bool fill_rest(struct value *v, size_t n, unsigned char *out, struct err *err)
{
	size_t size = v->type->elem_bytes;

	if (!v->source->stored) {
		memset(out, 0, n * size);
		return true;
	}
	if (!read_stored(v, v->source->stored - 1, 1, out, err))
		return false;
	for (size_t i = 1; i < n; i++)
		memcpy(out + i * size, out, size);
	return true;
}

bool value_read(struct value *value, uint64_t first, size_t n, void *out, struct err *err)
{
	uint64_t left = first < value->source->stored ? value->source->stored - first : 0;
	size_t stored = n < left ? n : (size_t)left;
	struct err own;

	assert(first <= value->count && n <= value->count - first && value->type->elem_bytes);
	if (!err) {
		own.code = ERR_NONE;
		err = &own;
	}
	if (stored && !read_stored(value, first, stored, out, err))
		return false;
	out = (unsigned char *)out + stored * value->type->elem_bytes;
	return stored == n || fill_rest(value, n - stored, out, err);
}

bool value_string(struct value *value, uint64_t i, const char **text, size_t *len, struct err *err)
{
	struct value_source *s = value->source;
	struct repeated *strings = &s->proto.strings;
	struct err own = {0};
	struct span span;

	assert(i < value->count && value->type->kind == KIND_STRING);
	if (!err)
		err = &own;
	if (!s->stored) {
		*text = "";
		*len = 0;
		return true;
	}
	if (s->place == IN_MEMORY) {
		*text = ((const struct value_text *)(const void *)s->memory)[i].text;
		*len = ((const struct value_text *)(const void *)s->memory)[i].len;
		return true;
	}
	if (s->place == NOT_KEPT)
		return not_kept(value, err);
	if (s->place == IN_INPUT)
		return value_input_text(s->input, i, text, len, err);
	if (s->place == FROM_OWNER)
		return s->texts.text(s->texts.owner, i, text, len, err);
	if (i >= s->stored)
		i = s->stored - 1;
	if (s->place == IN_CONTENT)
		span = (struct span){ s->string_off[i], s->string_off[i + 1] - s->string_off[i] };
	else if (!repeated_seek(strings, i, err) || !repeated_span(strings, &span, err))
		return false;
	*text = wire_text(&s->file, span, STRING_LIMIT, err);
	*len = *text ? (size_t)span.len : 0;
	return *text;
}

bool value_proto_text(struct value *value, struct str *out, struct err *err)
{
	struct value_source *s = value->source;

	if (s->place == NOT_KEPT)
		return not_kept(value, err);
	if (s->proto.n_pieces != 1)
		return err_at(err, ERR_LIMIT, value->path, 0,
		              "a tensor in %zu pieces can't be shown as a message",
		              s->proto.n_pieces);
	return decode_text(MESSAGE_TENSOR, &s->file, s->proto.piece[0], out, err);
}

bool value_place(const struct value *v, uint64_t i, uint64_t *off, uint64_t *len)
{
	const struct value_source *s = v->source;

	if (v->state != VALUE_ARRAY || s->place != IN_CONTENT || i >= v->count || !s->stored ||
	    s->string_off)
		return false;
	*len = v->type->elem_bytes;
	*off = s->content.off + (i < s->stored ? i : s->stored - 1) * *len;
	return true;
}

bool value_message(const struct value *v, uint64_t *off, uint64_t *len)
{
	const struct value_source *s = v->source;

	if (!s->proto.n_pieces)
		return false;
	*off = s->proto.piece[0].off;
	*len = s->proto.piece[0].len;
	return true;
}
