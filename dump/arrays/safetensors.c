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

/* A tensor as the header has it; offsets from the header's end. */
struct entry {
	const char *name;
	uint64_t begin, end;
	const int64_t *dim;
	uint32_t rank;
	uint8_t type;            /* its row in `types` */
	bool has_type, has_shape, has_offsets;
};

struct header {
	const char *path;
	struct array_list *out;
	struct json json;
	uint64_t data;           /* where the header ends */
	uint64_t size;           /* of the file */
	VEC(struct entry) entries;
	struct map names;        /* of them: of equal names the last counts */
};

/* bits: of an element; those without a dtype here are smaller than a byte, or unknown to it. */
static const struct { const char *name; enum dtype dtype; unsigned bits; } types[] = {
	{ "BOOL", DTYPE_BOOL, 8 }, { "U8", DTYPE_UINT8, 8 }, { "I8", DTYPE_INT8, 8 },
	{ "I16", DTYPE_INT16, 16 }, { "U16", DTYPE_UINT16, 16 }, { "I32", DTYPE_INT32, 32 },
	{ "U32", DTYPE_UINT32, 32 }, { "I64", DTYPE_INT64, 64 }, { "U64", DTYPE_UINT64, 64 },
	{ "F16", DTYPE_FLOAT16, 16 }, { "BF16", DTYPE_BFLOAT16, 16 },
	{ "F32", DTYPE_FLOAT32, 32 }, { "F64", DTYPE_FLOAT64, 64 },
	{ "C64", DTYPE_COMPLEX64, 64 }, { "F8_E4M3", DTYPE_FLOAT8_E4M3FN, 8 },
	{ "F8_E5M2", DTYPE_FLOAT8_E5M2, 8 }, { "F8_E8M0", DTYPE_FLOAT8_E8M0FNU, 8 },
	{ "F8_E4M3FNUZ", DTYPE_FLOAT8_E4M3FNUZ, 8 },
	{ "F8_E5M2FNUZ", DTYPE_FLOAT8_E5M2FNUZ, 8 }, { "F4", DTYPE_INVALID, 4 },
	{ "F6_E2M3", DTYPE_INVALID, 6 }, { "F6_E3M2", DTYPE_INVALID, 6 },
};
enum { N_TYPES = sizeof types / sizeof *types };

/* The number of a type; N_TYPES: there is none of this name. */
static size_t type_named(const char *name)
{
	size_t i = 0;

	while (i < N_TYPES && strcmp(types[i].name, name) != 0)
		i++;
	return i;
}

/* A text of the header as a name, where names end with NUL. */
static const char *keep_text(struct header *h, const struct str *text)
{
	struct str name = {0};
	const char *kept;

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
	if (!json_string(json))
		return false;
	e->type = (uint8_t)type_named(str_text(&json->text));
	if (e->type == N_TYPES)
		return json_refuse(json, "no dtype of safetensors: %.20s", str_text(&json->text));
	return e->has_type = true;
}

static bool read_shape(struct json *json, struct arena *mem, struct entry *e)
{
	int64_t dims[SHAPE_MAX_RANK], *kept;

	e->rank = 0;
	if (!json_array(json))
		return false;
	while (json_more(json)) {
		uint64_t dim;

		if (!read_whole(json, &dim))
			return false;
		if (e->rank == SHAPE_MAX_RANK)
			return json_refuse(json, "more than 32 dimensions");
		dims[e->rank++] = (int64_t)dim;
	}
	kept = arena_alloc(mem, e->rank * sizeof *kept);
	memcpy(kept, dims, e->rank * sizeof *kept);
	e->dim = kept;
	return e->has_shape = !json->failed;
}

static bool read_offsets(struct json *json, struct entry *e)
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
	e->begin = at[0];
	e->end = at[1];
	return e->has_offsets = true;
}

static bool read_field(struct json *json, struct arena *mem, struct entry *e)
{
	const char *key = str_text(&json->key);
	bool is_type = !strcmp(key, "dtype"), is_shape = !strcmp(key, "shape");
	bool is_offsets = !strcmp(key, "data_offsets");

	if ((is_type && e->has_type) || (is_shape && e->has_shape)
	    || (is_offsets && e->has_offsets))
		return json_refuse(json, "a second %s", key);
	return is_type      ? read_type(json, e)
	       : is_shape   ? read_shape(json, mem, e)
	       : is_offsets ? read_offsets(json, e)
	                    : json_skip(json);
}

static bool read_entry(struct json *json, struct arena *mem, struct entry *e)
{
	if (!json_object(json))
		return false;
	while (json_more(json))
		if (!read_field(json, mem, e))
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
	struct entry e = { .name = keep_text(h, &h->json.key) };
	uint32_t id;

	if (!read_entry(&h->json, h->out->mem, &e))
		return false;
	id = map_add_lasting(&h->names, e.name, strlen(e.name));
	if (id == h->entries.len)
		vec_push(&h->entries, e);
	h->entries.at[id] = e;
	return true;
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
	text = mem_try((size_t)len + 1);
	if (!text)
		return err_at(err, ERR_LIMIT, h->path, 0, "no memory for the header");
	ok = file_read(file, LENGTH_BYTES, (size_t)len, text, err)
	     && read_json(h, text, (size_t)len, err);
	free(text);
	h->data = LENGTH_BYTES + len;
	return ok;
}

/* Places. */

static struct shape shape_of(const struct entry *e)
{
	struct shape shape = { .rank = e->rank };

	memcpy(shape.dim, e->dim, e->rank * sizeof *shape.dim);
	return shape;
}

static int by_offset(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* As most writers leave them. */
static bool is_sorted(const struct header *h)
{
	for (size_t i = 1; i < h->entries.len; i++)
		if (by_offset(&h->entries.at[i - 1], &h->entries.at[i]) > 0)
			return false;
	return true;
}

/* The bytes that a tensor needs. False: they are more than any file has, or end within one. */
static bool bytes_of(const struct entry *e, uint64_t *bytes)
{
	struct shape shape = shape_of(e);
	uint64_t count, bits;

	if (!shape_count(&shape, &count)
	    || __builtin_mul_overflow(count, types[e->type].bits, &bits))
		return false;
	*bytes = bits / 8;
	return bits % 8 == 0;
}

/* In the order of their places each begins where the one before ends, and the last at the end. */
static bool check_places(struct header *h, struct err *err)
{
	uint64_t at = 0, left = h->size - h->data, bytes;

	for (size_t i = 0; i < h->entries.len; i++) {
		const struct entry *e = &h->entries.at[i];

		if (e->begin != at || e->end < e->begin)
			return array_refuse(err, h->path, h->data,
			                    "invalid offset for tensor \"%.80s\".", e->name);
		if (!bytes_of(e, &bytes))
			return array_refuse(err, h->path, h->data,
			                    "impossible shape of tensor \"%.80s\".", e->name);
		if (bytes != e->end - e->begin)
			return array_refuse(err, h->path, h->data,
			                    "tensor \"%.80s\" needs %" PRIu64 " bytes and has %"
			                    PRIu64 ".", e->name, bytes, e->end - e->begin);
		at = e->end;
	}
	return at == left || array_refuse(err, h->path, h->data,
	                                  "%" PRIu64 " of %" PRIu64 " bytes of data are there.",
	                                  left, at);
}

static void add_entry(struct header *h, const struct entry *e, const char *device)
{
	struct shape shape = shape_of(e);
	struct array *array = array_add(h->out, e->name, &shape);

	array->dtype = types[e->type].dtype;
	array->type_name = types[e->type].name;
	array->size_bytes = e->end - e->begin;
	array->off = h->data + e->begin;
	array->len = e->end - e->begin;
	array->device = device;
	if (!array->dtype)
		array->why = "Elements that are smaller than a byte are not read.";
}

bool safetensors_list(const char *path, const char *device, struct array_list *out,
                      struct err *err)
{
	struct header h = { .path = path, .out = out };
	struct file file;
	bool ok;

	if (!file_open(&file, path, err))
		return false;
	h.size = file.size;
	ok = read_header(&h, &file, err);
	file_close(&file);
	if (ok && !is_sorted(&h))
		qsort(h.entries.at, h.entries.len, sizeof *h.entries.at, by_offset);
	ok = ok && check_places(&h, err);
	for (size_t i = 0; ok && i < h.entries.len; i++)
		add_entry(&h, &h.entries.at[i], device);
	vec_release(&h.entries);
	map_release(&h.names);
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
