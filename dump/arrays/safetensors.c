#include "dump/arrays/safetensors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/bytes.h"
#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/utf8.h"
#include "dump/format/file.h"
#include "dump/format/json.h"

enum { LENGTH_BYTES = 8, HEADER_MOST = 100 * 1000 * 1000 };

struct header {
	const char *path;
	struct array_list *out;
	size_t first;            /* in it: what comes from this header */
	struct json json;
	uint64_t data;           /* where the header ends */
	uint64_t size;           /* of the file */
	struct map names;        /* of the arrays from first on; of equal ones the last counts */
};

/* An array that is read, and what was said of it. */
struct entry {
	struct array *array;     /* own: its struct type */
	bool has_type, has_shape, has_offsets;
};

/* Frequent ones first. bits: of an element; those without a dtype are smaller than a byte. Only
   this program's recorders write C128. */
static const struct type { const char *name; enum dtype dtype; unsigned bits; } types[] = {
	{ "F32", DTYPE_FLOAT32, 32 }, { "BF16", DTYPE_BFLOAT16, 16 },
	{ "F16", DTYPE_FLOAT16, 16 }, { "I64", DTYPE_INT64, 64 }, { "BOOL", DTYPE_BOOL, 8 },
	{ "U8", DTYPE_UINT8, 8 }, { "I8", DTYPE_INT8, 8 }, { "I16", DTYPE_INT16, 16 },
	{ "U16", DTYPE_UINT16, 16 }, { "I32", DTYPE_INT32, 32 }, { "U32", DTYPE_UINT32, 32 },
	{ "U64", DTYPE_UINT64, 64 }, { "F64", DTYPE_FLOAT64, 64 },
	{ "C64", DTYPE_COMPLEX64, 64 }, { "C128", DTYPE_COMPLEX128, 128 },
	{ "F8_E4M3", DTYPE_FLOAT8_E4M3FN, 8 },
	{ "F8_E5M2", DTYPE_FLOAT8_E5M2, 8 }, { "F8_E8M0", DTYPE_FLOAT8_E8M0FNU, 8 },
	{ "F8_E4M3FNUZ", DTYPE_FLOAT8_E4M3FNUZ, 8 },
	{ "F8_E5M2FNUZ", DTYPE_FLOAT8_E5M2FNUZ, 8 }, { "F4", DTYPE_INVALID, 4 },
	{ "F6_E2M3", DTYPE_INVALID, 6 }, { "F6_E3M2", DTYPE_INVALID, 6 },
};
enum { N_TYPES = sizeof types / sizeof *types };

/* NULL: there is none of this name. */
static const struct type *type_named(const char *name)
{
	for (size_t i = 0; i < N_TYPES; i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

/* A text of the header as a name, where names end with NUL. */
static const char *keep_text(struct header *h, const struct str *text)
{
	struct str name = {0};
	const char *kept;

	if (!memchr(str_text(text), '\0', text->len))
		return arena_copy(h->out->mem, str_text(text), text->len);
	for (size_t i = 0; i < text->len; i++)
		if (text->text[i])
			str_putc(&name, text->text[i]);
		else
			str_puts(&name, UTF8_NUL);
	kept = arena_copy(h->out->mem, str_text(&name), name.len);
	str_release(&name);
	return kept;
}

/* The header's JSON. */

static bool read_whole(struct json *json, uint64_t *out)
{
	int64_t number;

	if (!json_whole(json, &number))
		return false;
	*out = (uint64_t)number;
	return number >= 0 || json_refuse(json, "a number below 0");
}

static bool read_type(struct json *json, struct entry *e)
{
	const struct type *type;

	if (!json_string(json))
		return false;
	type = type_named(str_text(&json->text));
	if (!type)
		return json_refuse(json, "no dtype of safetensors: %.20s", str_text(&json->text));
	e->array->own = type;
	return e->has_type = true;
}

static bool read_shape(struct json *json, struct array_list *out, struct entry *e)
{
	struct shape shape;

	shape.rank = 0;
	if (!json_array(json))
		return false;
	while (json_more(json)) {
		uint64_t dim;

		if (!read_whole(json, &dim))
			return false;
		if (shape.rank == SHAPE_MAX_RANK)
			return json_refuse(json, "more than 32 dimensions");
		shape.dim[shape.rank++] = (int64_t)dim;
	}
	array_set_shape(out, e->array, &shape);
	return e->has_shape = !json->failed;
}

/* From the end of the header; the second may be before the first. */
static bool read_offsets(struct json *json, uint64_t data, struct entry *e)
{
	uint64_t at[2];
	size_t n = 0;

	if (!json_array(json))
		return false;
	while (json_more(json)) {
		if (n == 2)
			return json_refuse(json, "more than two offsets");
		if (!read_whole(json, &at[n++]))
			return false;
	}
	if (json->failed || n != 2)
		return json->failed ? false : json_refuse(json, "two offsets were expected");
	e->array->off = data + at[0];
	e->array->len = at[1] - at[0];
	return e->has_offsets = true;
}

static bool read_field(struct header *h, struct entry *e)
{
	struct json *json = &h->json;
	const char *key = str_text(&json->key);
	bool is_type = !strcmp(key, "dtype"), is_shape = !strcmp(key, "shape");
	bool is_offsets = !strcmp(key, "data_offsets");

	if ((is_type && e->has_type) || (is_shape && e->has_shape)
	    || (is_offsets && e->has_offsets))
		return json_refuse(json, "a second %s", key);
	return is_type      ? read_type(json, e)
	       : is_shape   ? read_shape(json, h->out, e)
	       : is_offsets ? read_offsets(json, h->data, e)
	                    : json_skip(json);
}

static bool read_entry(struct header *h, struct entry *e)
{
	struct json *json = &h->json;

	if (!json_object(json))
		return false;
	while (json_more(json))
		if (!read_field(h, e))
			return false;
	if (json->failed)
		return false;
	return (e->has_type && e->has_shape && e->has_offsets)
	       || json_refuse(json, "a tensor without dtype, shape or data_offsets");
}

static bool read_metadata(struct header *h)
{
	struct json *json = &h->json;

	if (json_null(json))
		return true;
	if (!json_object(json))
		return false;
	while (json_more(json)) {
		struct run_fact fact = { .kind = FACT_METADATA, .is_text = true,
		                         .key = keep_text(h, &json->key) };

		if (!json_string(json))
			return false;
		fact.text = keep_text(h, &json->text);
		array_add_fact(h->out, &fact);
	}
	return !json->failed;
}

static bool read_tensor(struct header *h)
{
	const char *name = keep_text(h, &h->json.key);
	size_t at = h->first + map_add_lasting(&h->names, name, strlen(name));
	struct entry e = {0};

	e.array = at < h->out->at.len ? h->out->at.at[at] : array_add(h->out, name);
	return read_entry(h, &e);
}

/* Has a text only UTF-8? */
static bool is_utf8(const char *text, size_t len)
{
	if (utf8_is_plain(text, len))
		return true;
	for (size_t at = 0; at < len; ) {
		uint32_t cp;

		at += utf8_next(text + at, len - at, &cp);
		if (cp == UTF8_BAD)
			return false;
	}
	return true;
}

static bool read_json(struct header *h, const char *text, size_t len, struct err *err)
{
	struct err why = {0};
	uint64_t n = 0;
	bool ok = is_utf8(text, len);

	if (!ok)
		return array_refuse(err, h->path, LENGTH_BYTES, "the header is no UTF-8.");
	json_start_text(&h->json, text, len, &why);
	ok = json_object(&h->json);
	while (ok && json_more(&h->json)) {
		ok = strcmp(str_text(&h->json.key), "__metadata__") ? read_tensor(h)
		                                                     : read_metadata(h);
		ok = ok && array_goes_on(h->out, h->path, ++n, 0, err);
	}
	ok = ok && !h->json.failed && json_end(&h->json);
	json_release(&h->json);
	if (ok || err->code)
		return ok;
	return array_refuse(err, h->path, LENGTH_BYTES + why.off,
	                    "the header is wrong at offset %" PRIu64 ": %s.",
	                    LENGTH_BYTES + why.off, why.msg);
}

static bool read_header(struct header *h, struct file *file, struct err *err)
{
	const unsigned char *head;
	uint64_t len;
	char *text;
	bool ok;

	if (file->size < LENGTH_BYTES)
		return array_refuse(err, h->path, 0, "not a safetensors file (it has %" PRIu64
		                    " bytes).", file->size);
	head = file_bytes(file, 0, LENGTH_BYTES, err);
	if (!head)
		return false;
	len = little_endian(head, LENGTH_BYTES);
	if (len > HEADER_MOST)
		return array_refuse(err, h->path, 0, "not a safetensors file (a header of %" PRIu64
		                    " bytes).", len);
	if (len > file->size - LENGTH_BYTES)
		return array_refuse(err, h->path, 0,
		                    "the header has %" PRIu64 " bytes, the file %" PRIu64 ".", len,
		                    file->size);
	h->data = LENGTH_BYTES + len;
	text = mem_try((size_t)len + 1);
	if (!text)
		return err_at(err, ERR_LIMIT, h->path, 0, "no memory for the header");
	ok = file_read(file, LENGTH_BYTES, (size_t)len, text, err)
	     && read_json(h, text, (size_t)len, err);
	free(text);
	return ok;
}

/* Places. */

static uint64_t end_of(const struct array *array)
{
	return array->off + array->len;
}

static int by_offset(const void *a, const void *b)
{
	const struct array *x = *(const struct array *const *)a;
	const struct array *y = *(const struct array *const *)b;

	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	if (end_of(x) != end_of(y))
		return end_of(x) < end_of(y) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Most writers leave them so. */
static void sort(struct array **at, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (by_offset(&at[i - 1], &at[i]) > 0) {
			qsort(at, n, sizeof *at, by_offset);
			return;
		}
}

/* The bytes that an array needs. False: they are more than any file has, or end within one. */
static bool bytes_of(const struct array *array, uint64_t *bytes)
{
	const struct type *type = array->own;
	struct shape shape = array_shape(array);
	uint64_t count, bits;

	if (!shape_count(&shape, &count) || __builtin_mul_overflow(count, type->bits, &bits))
		return false;
	*bytes = bits / 8;
	return bits % 8 == 0;
}

/* In the order of their places each begins where the one before ends, and the last at the end. */
static bool check_places(const struct header *h, struct array *const *at, size_t n,
                         struct err *err)
{
	uint64_t end = h->data, bytes;

	for (size_t i = 0; i < n; i++) {
		const struct array *array = at[i];

		if (array->off != end || end_of(array) < end)
			return array_refuse(err, h->path, h->data,
			                    "invalid offset for tensor \"%.80s\".", array->name);
		if (!bytes_of(array, &bytes))
			return array_refuse(err, h->path, h->data,
			                    "impossible shape of tensor \"%.80s\".", array->name);
		if (bytes != array->len)
			return array_refuse(err, h->path, h->data,
			                    "tensor \"%.80s\" needs %" PRIu64 " bytes and has %"
			                    PRIu64 ".", array->name, bytes, array->len);
		end = end_of(array);
	}
	return end == h->size || array_refuse(err, h->path, h->data,
	                                      "%" PRIu64 " of %" PRIu64 " bytes of data are "
	                                      "there.", h->size - h->data, end - h->data);
}

static void finish(struct array *array, const char *device)
{
	const struct type *type = array->own;

	array->dtype = type->dtype;
	array->type_name = type->name;
	array->size_bytes = array->len;
	array->device = device;
	if (!array->dtype)
		array->why = "Elements that are smaller than a byte are not read.";
}

bool safetensors_list(const char *path, const char *device, struct array_list *out,
                      struct err *err)
{
	struct header h = { .path = path, .out = out, .first = out->at.len };
	struct array **at;
	struct file file;
	size_t n;
	bool ok;

	if (!file_open(&file, path, err))
		return false;
	h.size = file.size;
	ok = read_header(&h, &file, err);
	file_close(&file);
	map_release(&h.names);
	at = vec_from(&out->at, h.first);
	n = out->at.len - h.first;
	if (ok) {
		sort(at, n);
		ok = check_places(&h, at, n, err);
	}
	for (size_t i = 0; ok && i < n; i++)
		finish(at[i], device);
	if (!ok)
		out->at.len = h.first;
	return ok;
}

static bool is_named(const char *name)
{
	return text_ends(name, ".safetensors");
}

static bool is_kind(enum file_kind kind)
{
	return kind == FILE_SAFETENSORS;
}

static bool list(const char *path, struct array_list *out, struct err *err)
{
	return safetensors_list(path, NULL, out, err);
}

const struct array_format array_safetensors = {
	.op = "safetensors",
	.looks_for = "*.safetensors",
	.is_named = is_named,
	.is_kind = is_kind,
	.list = list,
	.by_device = true,
};
