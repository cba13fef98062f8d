/*
 * Elements are raw, or values of a field for their type; these are read where they are, one after
 * the other, and become elements of the type's width.
 */
#include "dump/arrays/onnx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/utf8.h"
#include "dump/format/file.h"
#include "dump/format/repeated.h"
#include "dump/format/wire.h"

enum { DIMS = 1, DATA_TYPE = 2, FLOATS = 4, INT32S = 5, STRINGS = 6, INT64S = 7, NAME = 8,
       RAW = 9, DOUBLES = 10, UINT64S = 11, EXTERNAL = 13, LOCATION = 14 };
#define TEXT_MOST ((size_t)256 << 20)

/* each: numbers in the field that make an element. */
static const struct type { uint64_t number; enum dtype dtype; uint32_t field; unsigned each; }
types[] = {
	{ 1, DTYPE_FLOAT32, FLOATS, 1 }, { 2, DTYPE_UINT8, INT32S, 1 },
	{ 3, DTYPE_INT8, INT32S, 1 }, { 4, DTYPE_UINT16, INT32S, 1 },
	{ 5, DTYPE_INT16, INT32S, 1 }, { 6, DTYPE_INT32, INT32S, 1 },
	{ 7, DTYPE_INT64, INT64S, 1 }, { 8, DTYPE_STRING, STRINGS, 1 },
	{ 9, DTYPE_BOOL, INT32S, 1 }, { 10, DTYPE_FLOAT16, INT32S, 1 },
	{ 11, DTYPE_FLOAT64, DOUBLES, 1 }, { 12, DTYPE_UINT32, UINT64S, 1 },
	{ 13, DTYPE_UINT64, UINT64S, 1 }, { 14, DTYPE_COMPLEX64, FLOATS, 2 },
	{ 15, DTYPE_COMPLEX128, DOUBLES, 2 }, { 16, DTYPE_BFLOAT16, INT32S, 1 },
	{ 17, DTYPE_FLOAT8_E4M3FN, INT32S, 1 }, { 18, DTYPE_FLOAT8_E4M3FNUZ, INT32S, 1 },
	{ 19, DTYPE_FLOAT8_E5M2, INT32S, 1 }, { 20, DTYPE_FLOAT8_E5M2FNUZ, INT32S, 1 },
	{ 24, DTYPE_FLOAT8_E8M0FNU, INT32S, 1 },
};

static const struct type *type_of(uint64_t number)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i].number == number)
			return &types[i];
	return NULL;
}

static enum wire_type wire_type_of(uint32_t field)
{
	return field == FLOATS    ? WIRE_FIXED32
	       : field == DOUBLES ? WIRE_FIXED64
	       : field == STRINGS ? WIRE_BYTES
	                          : WIRE_VARINT;
}

/* The message. */
struct tensor_head {
	struct shape shape;
	uint64_t type;
	struct span name, raw;
	bool has_raw, is_elsewhere;
};

static bool read_dims(struct file *file, const struct field *field, struct shape *shape,
                      struct err *err)
{
	uint64_t at = 0, dim;

	while (wire_value(file, field, WIRE_VARINT, &at, &dim, err)) {
		if (shape->rank == SHAPE_MAX_RANK)
			return err_at(err, ERR_FORMAT, file->path, field->key_off,
			              "more than 32 dimensions");
		shape->dim[shape->rank++] = (int64_t)dim;
	}
	return !err->code;
}

static bool read_head(struct file *file, struct tensor_head *head, struct err *err)
{
	struct field field;
	struct wire wire;

	*head = (struct tensor_head){0};
	wire_start(&wire, file, (struct span){ 0, file->size });
	while (wire_next(&wire, &field, err)) {
		switch (field.number) {
		case DIMS:
			if (!read_dims(file, &field, &head->shape, err))
				return false;
			break;
		case DATA_TYPE: head->type = field.number_value; break;
		case NAME: head->name = field.bytes; break;
		case RAW:
			head->raw = field.bytes;
			head->has_raw = field.type == WIRE_BYTES;
			break;
		case EXTERNAL: head->is_elsewhere = true; break;
		case LOCATION: head->is_elsewhere = field.number_value == 1; break;
		default: break;
		}
	}
	return !err->code;
}

/* Values of a field as elements. */

struct values {
	struct file file;
	struct span message;
	struct repeated field;
	const struct type *type;
	size_t elem_bytes;
	char path[];
};

static void free_values(void *owner)
{
	struct values *v = owner;

	repeated_release(&v->field);
	file_close(&v->file);
	free(v);
}

static struct values *open_values(const struct array *array, struct err *err)
{
	const struct type *type = array->own;
	size_t len = strlen(array->file);
	struct values *v = mem_alloc(sizeof *v + len + 1);

	memcpy(v->path, array->file, len + 1);
	v->type = type;
	v->elem_bytes = dtype_info(type->dtype)->elem_bytes;
	if (!file_open(&v->file, v->path, err)) {
		free(v);
		return NULL;
	}
	v->message = (struct span){ 0, v->file.size };
	repeated_start(&v->field, &v->file, &v->message, 1, type->field,
	               wire_type_of(type->field));
	if (repeated_index(&v->field, err))
		return v;
	free_values(v);
	return NULL;
}

/* Whole elements, the lowest byte first. */
static bool read_values(void *owner, uint64_t off, size_t len, void *out, struct err *err)
{
	struct values *v = owner;
	size_t n = len / v->elem_bytes;
	unsigned char *at = out;
	struct err own = {0};

	err = err ? err : &own;
	if (!repeated_seek(&v->field, off / v->elem_bytes * v->type->each, err))
		return false;
	if (v->field.type != WIRE_VARINT)
		return repeated_fixed(&v->field, n * v->type->each, out, err);
	for (size_t i = 0; i < n; i++) {
		uint64_t number;

		if (!repeated_number(&v->field, &number, err))
			return false;
		for (size_t k = 0; k < v->elem_bytes; k++)
			*at++ = (unsigned char)(number >> 8 * k);
	}
	return true;
}

static bool read_text(void *owner, uint64_t i, const char **text, size_t *len, struct err *err)
{
	struct values *v = owner;
	struct span span;

	if (!repeated_seek(&v->field, i, err) || !repeated_span(&v->field, &span, err))
		return false;
	*text = wire_text(&v->file, span, TEXT_MOST, err);
	*len = *text ? (size_t)span.len : 0;
	return *text;
}

static struct value *value(const struct array *array, struct err *err)
{
	const struct type *type = array->own;
	struct shape shape = array_shape(array);
	struct value_layout layout = { .dtype = array->dtype };
	struct input input = {0};
	struct values *v;

	if (!type)
		return array_value(array, err);
	v = open_values(array, err);
	if (!v)
		return NULL;
	if (type->dtype == DTYPE_STRING)
		return value_open_texts(v->path, &shape,
		                        &(struct value_texts){ v, read_text, free_values }, err);
	input = (struct input){ v->path, v->field.count / type->each * v->elem_bytes, v,
	                        read_values, free_values };
	return value_open_input(&input, &shape, &layout, err);
}

/* Listing. */

/* How many values of its field there are, and the bytes of strings. */
static bool count_values(const struct array *array, uint64_t *count, uint64_t *bytes,
                         struct err *err)
{
	struct values *v = open_values(array, err);
	struct span span;
	bool ok = v;

	*bytes = 0;
	if (!v)
		return false;
	*count = v->field.count / v->type->each;
	for (uint64_t i = 0; ok && v->type->dtype == DTYPE_STRING && i < *count; i++) {
		ok = repeated_seek(&v->field, i, err) && repeated_span(&v->field, &span, err);
		*bytes += span.len;
	}
	free_values(v);
	return ok;
}

/* Where the elements are; false, with a sentence: not all are there. */
static bool place(const char *path, const struct tensor_head *head, const struct type *type,
                  struct array *array, struct err *err)
{
	uint64_t count, bytes = 0, there = 0, text_bytes = 0;
	size_t elem_bytes = dtype_info(type->dtype)->elem_bytes;

	if (!shape_count(&head->shape, &count) || !array_bytes(&head->shape, elem_bytes, &bytes))
		return array_refuse(err, path, 0, "impossible shape.");
	array->size_bytes = bytes;
	if (head->is_elsewhere) {
		array->why = "Its data are in another file, which is not read.";
		return true;
	}
	if (head->has_raw && elem_bytes) {
		array->off = head->raw.off;
		array->len = head->raw.len;
		return array->len >= bytes
		       || array_refuse(err, path, array->off,
		                       "%" PRIu64 " of %" PRIu64 " bytes of data are there.",
		                       array->len, bytes);
	}
	array->own = type;
	array->file = path;
	if (!count_values(array, &there, &text_bytes, err))
		return false;
	array->size_bytes = elem_bytes ? bytes : text_bytes;
	return there >= count || array_refuse(err, path, 0, "%" PRIu64 " of %" PRIu64
	                                      " elements are there.", there, count);
}

static bool list_open(struct file *file, struct array_list *out, struct err *err)
{
	const struct type *type;
	struct tensor_head head;
	struct str scratch = {0};
	struct array *array;
	struct name name;
	bool ok = read_head(file, &head, err) && wire_name(file, head.name, &scratch, &name, err);

	if (!ok)
		return false;
	type = type_of(head.type);
	if (type) {
		array = array_add(out, name.len ? arena_copy(out->mem, name.text, name.len) : NULL);
		array_set_shape(out, array, &head.shape);
		array->dtype = type->dtype;
		ok = place(file->path, &head, type, array, err);
	} else {
		ok = err_at(err, ERR_UNSUPPORTED, file->path, 0,
		            "elements of the ONNX type %" PRIu64 " are not read.", head.type);
	}
	str_release(&scratch);
	return ok;
}

static bool list(const char *path, struct array_list *out, struct err *err)
{
	struct err why = {0};
	struct file file;
	bool ok;

	if (!file_open(&file, path, err))
		return false;
	ok = list_open(&file, out, &why);
	file_close(&file);
	if (ok)
		return true;
	if (why.code == ERR_FORMAT && why.damage != DAMAGE_WHOLE)
		return array_refuse(err, path, why.off, "no ONNX tensor (offset %" PRIu64 ": %s).",
		                    why.off, why.msg);
	*err = why;
	return false;
}

/* "input_0.pb" */
static bool is_test_data(const char *name)
{
	const char *at = !strncmp(name, "input_", 6) ? name + 6
	                 : !strncmp(name, "output_", 7) ? name + 7 : "";
	size_t digits = strspn(at, "0123456789");

	return digits && !strcmp(at + digits, ".pb");
}

static bool is_named(const char *name)
{
	return is_test_data(name) || text_ends(name, ".tensorproto");
}

static bool is_kind(enum file_kind kind)
{
	return kind == FILE_ONNX_TENSOR;
}

const struct array_format array_onnx = {
	.op = "onnx",
	.looks_for = "*.tensorproto",
	.is_named = is_named,
	.is_kind = is_kind,
	.list = list,
	.value = value,
};
