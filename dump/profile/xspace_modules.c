#include "dump/profile/xspace_modules.h"

#include <stdlib.h>
#include <string.h>

#define PLANE "/host:metadata"
#define STAT "Hlo Proto"

enum { SPACE_PLANE = 1, PLANE_NAME = 2, PLANE_EVENT_NAMES = 4, PLANE_STAT_NAMES = 5 };
enum { ENTRY_VALUE = 2, NAME_ID = 1, NAME_NAME = 2, NAME_STATS = 5, STAT_ID = 1, STAT_BYTES = 6 };

/* Where the next fault goes. The first that the system is to blame for stays. */
static struct err *unless_unread(struct err *err)
{
	return err->code == ERR_IO ? NULL : err;
}

/* Is a field this text? */
static bool is_text(struct file *file, const struct field *field, const char *wanted,
                    struct err *err)
{
	size_t len = strlen(wanted);
	const char *text = field->type == WIRE_BYTES && field->bytes.len == len
		? file_bytes(file, field->bytes.off, len, unless_unread(err)) : NULL;

	return text && !memcmp(text, wanted, len);
}

/* The next field of this number that is a message. */
static bool next_message(struct wire *wire, uint32_t number, struct field *field,
                         struct err *err)
{
	while (wire_next(wire, field, unless_unread(err)))
		if (field->number == number && field->type == WIRE_BYTES)
			return true;
	return false;
}

static bool is_named(struct file *file, struct span plane, struct err *err)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, file, plane);
	return next_message(&wire, PLANE_NAME, &field, err) && is_text(file, &field, PLANE, err);
}

/* The number that the stat has in this plane. False: none has that name. */
static bool find_stat(struct file *file, struct span plane, uint64_t *id, struct err *err)
{
	struct wire wire, entry, name;
	struct field field, value, part;

	wire_start(&wire, file, plane);
	while (next_message(&wire, PLANE_STAT_NAMES, &field, err)) {
		bool found = false;

		wire_start(&entry, file, field.bytes);
		if (!next_message(&entry, ENTRY_VALUE, &value, err))
			continue;
		*id = 0;
		wire_start(&name, file, value.bytes);
		while (wire_next(&name, &part, unless_unread(err))) {
			if (part.number == NAME_ID)
				*id = part.number_value;
			found |= part.number == NAME_NAME && is_text(file, &part, STAT, err);
		}
		if (found)
			return true;
	}
	return false;
}

/* The bytes of a stat, if it is the one. */
static void take_stat(struct file *file, struct span stat, uint64_t id, module_spans *out,
                      struct err *err)
{
	struct span bytes = {0};
	struct field field;
	struct wire wire;
	bool is = false;

	wire_start(&wire, file, stat);
	while (wire_next(&wire, &field, unless_unread(err))) {
		is |= field.number == STAT_ID && field.number_value == id;
		if (field.number == STAT_BYTES && field.type == WIRE_BYTES)
			bytes = field.bytes;
	}
	if (is && bytes.len)
		vec_push(out, bytes);
}

static void take_plane(struct file *file, struct span plane, module_spans *out, struct err *err)
{
	struct field field, value, stat;
	struct wire wire, entry, name;
	uint64_t id;

	if (!find_stat(file, plane, &id, err))
		return;
	wire_start(&wire, file, plane);
	while (next_message(&wire, PLANE_EVENT_NAMES, &field, err)) {
		wire_start(&entry, file, field.bytes);
		if (!next_message(&entry, ENTRY_VALUE, &value, err))
			continue;
		wire_start(&name, file, value.bytes);
		while (next_message(&name, NAME_STATS, &stat, err))
			take_stat(file, stat.bytes, id, out, err);
	}
}

static int by_size(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? 1 : -1;
	return (x->off > y->off) - (x->off < y->off);
}

void xspace_modules(struct file *file, size_t max, module_spans *out, struct err *err)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, file, (struct span){ 0, UINT64_MAX });
	while (wire.off < file->size && next_message(&wire, SPACE_PLANE, &field, err))
		if (is_named(file, field.bytes, err))
			take_plane(file, field.bytes, out, err);
	if (out->len)
		qsort(out->at, out->len, sizeof *out->at, by_size);
	if (out->len > max)
		out->len = max;
}
