#include "dump/format/wire.h"

#include <inttypes.h>
#include <string.h>

#include "dump/base/bytes.h"

#define VARINT_MAX 10
#define GROUP_MAX 100    /* nesting of the groups that are skipped */

enum { GROUP_START = 3, GROUP_END = 4 };

void wire_start(struct wire *wire, struct file *file, struct span span)
{
	*wire = (struct wire){ file, span.off, span.off + span.len };
	if (wire->end < span.off)
		wire->end = UINT64_MAX;
}

static bool damaged(struct wire *wire, uint64_t off, const char *what, struct err *err)
{
	return err_at(err, ERR_FORMAT, wire->file->path, off, "%s", what);
}

/* The message should go on: so should the file, if it ends where the message does. */
static bool is_cut(struct wire *wire, struct err *err)
{
	return err_set_damage(err, wire->end >= wire->file->size ? DAMAGE_CUT : DAMAGE_ANY);
}

/* Up to `most` bytes at the cursor, fewer only at the end of message or file; NULL: see *err. */
static const unsigned char *peek(struct wire *wire, size_t most, size_t *n, struct err *err)
{
	const unsigned char *at;
	uint64_t left = wire->end - wire->off;
	size_t have;

	if (most > left)
		most = (size_t)left;
	at = most ? file_some(wire->file, wire->off, &have, err) : NULL;
	if (at && have < most) {
		uint64_t in_file = wire->file->size - wire->off;

		if (wire->file->size > wire->off && in_file < most)
			most = (size_t)in_file;
		if (have < most)
			at = file_bytes(wire->file, wire->off, most, err);
	}
	if (!at && (!err || !err->code)) {
		damaged(wire, wire->off, "the message goes on here, but nothing is left", err);
		is_cut(wire, err);
	}
	*n = most;
	return at;
}

static bool read_varint(struct wire *wire, uint64_t *value, struct err *err)
{
	size_t n;
	const unsigned char *at = peek(wire, VARINT_MAX, &n, err);
	uint64_t v = 0;

	if (!at)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (i == VARINT_MAX - 1 && at[i] > 1)
			return damaged(wire, wire->off, "a number of more than 64 bits", err);
		v |= (uint64_t)(at[i] & 0x7f) << (7 * i);
		if (at[i] < 0x80) {
			wire->off += i + 1;
			*value = v;
			return true;
		}
	}
	if (n == VARINT_MAX)
		return damaged(wire, wire->off, "a number of more than 10 bytes", err);
	damaged(wire, wire->off, "a number that is cut off", err);
	return is_cut(wire, err);
}

static bool read_fixed(struct wire *wire, size_t size, uint64_t *value, struct err *err)
{
	size_t n;
	const unsigned char *at = peek(wire, size, &n, err);

	if (!at)
		return false;
	if (n < size) {
		damaged(wire, wire->off, "a number that is cut off", err);
		return is_cut(wire, err);
	}
	*value = little_endian(at, size);
	wire->off += size;
	return true;
}

static bool read_span(struct wire *wire, struct span *span, struct err *err)
{
	uint64_t at = wire->off, len;

	if (!read_varint(wire, &len, err))
		return false;
	if (len > wire->end - wire->off) {
		err_fill(err, ERR_FORMAT, wire->file->path, at,
		         "a length of %" PRIu64 " byte%s, %" PRIu64 " are left", len, plural(len),
		         wire->end - wire->off);
		return is_cut(wire, err);
	}
	*span = (struct span){ wire->off, len };
	wire->off += len;
	return true;
}

static bool read_key(struct wire *wire, uint32_t *number, unsigned *type, struct err *err)
{
	uint64_t at = wire->off, key;

	if (!read_varint(wire, &key, err))
		return false;
	if (key >> 3 == 0 || key > UINT32_MAX)
		return damaged(wire, at, "a field number out of range", err);
	*number = (uint32_t)(key >> 3);
	*type = key & 7;
	return true;
}

static bool read_body(struct wire *wire, unsigned type, struct field *field, struct err *err)
{
	switch (type) {
	case WIRE_VARINT:
		return read_varint(wire, &field->number_value, err);
	case WIRE_FIXED64:
		return read_fixed(wire, 8, &field->number_value, err);
	case WIRE_FIXED32:
		return read_fixed(wire, 4, &field->number_value, err);
	case WIRE_BYTES:
		return read_span(wire, &field->bytes, err);
	}
	return damaged(wire, field->key_off, "an unknown wire type", err);
}

/* Groups went out of use before TensorFlow; one is passed over whole. */
static bool skip_group(struct wire *wire, uint32_t number, struct err *err)
{
	uint32_t open[GROUP_MAX];
	size_t depth = 0;

	open[depth++] = number;
	while (depth) {
		struct field inner = { .key_off = wire->off };
		unsigned type;

		if (!read_key(wire, &inner.number, &type, err))
			return false;
		if (type == GROUP_START && depth == GROUP_MAX)
			return damaged(wire, inner.key_off, "groups nested too deeply", err);
		if (type == GROUP_START)
			open[depth++] = inner.number;
		else if (type == GROUP_END && open[--depth] != inner.number)
			return damaged(wire, inner.key_off, "the end of another group", err);
		else if (type != GROUP_END && !read_body(wire, type, &inner, err))
			return false;
	}
	return true;
}

bool wire_next(struct wire *wire, struct field *field, struct err *err)
{
	struct err own;

	if (wire_near(wire, field))
		return true;
	if (!err) {
		own.code = ERR_NONE;
		err = &own;
	}
	while (wire->off < wire->end) {
		unsigned type;

		*field = (struct field){ .key_off = wire->off };
		if (!read_key(wire, &field->number, &type, err))
			return false;
		if (type == GROUP_START) {
			if (!skip_group(wire, field->number, err))
				return false;
			continue;
		}
		if (!read_body(wire, type, field, err))
			return false;
		field->type = (enum wire_type)type;
		return true;
	}
	return false;
}

bool wire_value(struct file *file, const struct field *field, enum wire_type type, uint64_t *at,
                uint64_t *value, struct err *err)
{
	struct wire wire;

	if (field->type != WIRE_BYTES) {
		if (*at)
			return false;
		if (field->type != type)
			return err_at(err, ERR_FORMAT, file->path, field->key_off,
			              "another wire type than the field has");
		*value = field->number_value;
		*at = 1;
		return true;
	}
	if (*at >= field->bytes.len)
		return false;
	wire_start(&wire, file, (struct span){ field->bytes.off + *at, field->bytes.len - *at });
	if (type == WIRE_VARINT ? !read_varint(&wire, value, err)
	                        : !read_fixed(&wire, type == WIRE_FIXED64 ? 8 : 4, value, err))
		return false;
	*at = wire.off - field->bytes.off;
	return true;
}

const char *wire_text(struct file *file, struct span span, size_t limit, struct err *err)
{
	if (span.len > limit) {
		err_fill(err, ERR_LIMIT, file->path, span.off,
		         "%" PRIu64 " bytes, at most %zu are read at once", span.len, limit);
		return NULL;
	}
	return file_bytes(file, span.off, (size_t)span.len, err);
}

bool wire_name(struct file *file, struct span span, struct str *scratch, struct name *name,
               struct err *err)
{
	size_t len = span.len < WIRE_NAME_MAX ? (size_t)span.len : WIRE_NAME_MAX;
	const char *text = file_bytes(file, span.off, len, err);

	if (!text)
		return false;
	if (memchr(text, '\0', len)) {
		str_reset(scratch);
		str_put(scratch, text, len);
		for (size_t i = 0; i < len; i++)
			if (!scratch->text[i])
				scratch->text[i] = '?';
		text = scratch->text;
	}
	*name = (struct name){ text, len };
	return true;
}
