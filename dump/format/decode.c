/*
 * protobuf-c copies every field, has no limit on nesting and grows a few bytes into kilobytes, so
 * nothing reaches it that the wire reader has not walked first: depth, wire types and the memory it
 * will take are known before it starts.
 * What it unpacks is written out by its descriptors, one function for any message, and dropped with
 * its arena.
 * A string with a NUL inside ends there: protobuf-c keeps no length.
 */
#include "dump/format/decode.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include "dump/base/arena.h"
#include "dump/proto/framework.pb-c.h"

#define SPAN_LIMIT ((size_t)64 << 20)
#define MEMORY_LIMIT ((uint64_t)256 << 20)
#define TEXT_LIMIT ((size_t)16 << 20)
#define DEPTH_LIMIT 100

/* What protobuf-c and the arena add to each field: its note of the place, rounding. */
#define FIELD_COST 64

static const ProtobufCMessageDescriptor *descriptor_of(enum message message)
{
	switch (message) {
	case MESSAGE_ATTR_VALUE:
		return &tf__attr_value__descriptor;
	case MESSAGE_TENSOR:
		return &tf__tensor_proto__descriptor;
	}
	return NULL;
}

/* Bytes of one value in protobuf-c's structures. */
static size_t value_size(ProtobufCType type)
{
	switch (type) {
	case PROTOBUF_C_TYPE_INT64:
	case PROTOBUF_C_TYPE_SINT64:
	case PROTOBUF_C_TYPE_UINT64:
	case PROTOBUF_C_TYPE_FIXED64:
	case PROTOBUF_C_TYPE_SFIXED64:
	case PROTOBUF_C_TYPE_DOUBLE:
		return 8;
	case PROTOBUF_C_TYPE_BOOL:
		return sizeof(protobuf_c_boolean);
	case PROTOBUF_C_TYPE_STRING:
	case PROTOBUF_C_TYPE_MESSAGE:
		return sizeof(void *);
	case PROTOBUF_C_TYPE_BYTES:
		return sizeof(ProtobufCBinaryData);
	default:
		return 4;
	}
}

static enum wire_type wire_type_of(ProtobufCType type)
{
	switch (type) {
	case PROTOBUF_C_TYPE_FIXED64:
	case PROTOBUF_C_TYPE_SFIXED64:
	case PROTOBUF_C_TYPE_DOUBLE:
		return WIRE_FIXED64;
	case PROTOBUF_C_TYPE_FIXED32:
	case PROTOBUF_C_TYPE_SFIXED32:
	case PROTOBUF_C_TYPE_FLOAT:
		return WIRE_FIXED32;
	case PROTOBUF_C_TYPE_STRING:
	case PROTOBUF_C_TYPE_BYTES:
	case PROTOBUF_C_TYPE_MESSAGE:
		return WIRE_BYTES;
	default:
		return WIRE_VARINT;
	}
}

static bool is_packed(const ProtobufCFieldDescriptor *known, const struct field *field)
{
	return known->label == PROTOBUF_C_LABEL_REPEATED && field->type == WIRE_BYTES &&
	       wire_type_of(known->type) != WIRE_BYTES;
}

/* The most that protobuf-c asks for to keep a field, sub-messages apart. */
static uint64_t field_cost(const ProtobufCFieldDescriptor *known, const struct field *field)
{
	uint64_t len = field->type == WIRE_BYTES ? field->bytes.len : 0;
	size_t size = known ? value_size(known->type) : 0;

	if (!known)
		return FIELD_COST + sizeof(ProtobufCMessageUnknownField) + len;
	if (is_packed(known, field))
		return FIELD_COST + len * (wire_type_of(known->type) == WIRE_VARINT ? size : 1);
	return FIELD_COST + size + (known->type == PROTOBUF_C_TYPE_MESSAGE ? 0 : len);
}

struct guard {
	struct file *file;
	uint64_t cost;           /* memory asked for so far */
};

static bool check_message(struct guard *g, const ProtobufCMessageDescriptor *desc,
                          struct span span, int depth, struct err *err);

static bool check_field(struct guard *g, const ProtobufCMessageDescriptor *desc,
                        const struct field *field, int depth, struct err *err)
{
	const ProtobufCFieldDescriptor *known =
		protobuf_c_message_descriptor_get_field(desc, field->number);

	g->cost += field_cost(known, field);
	if (g->cost > MEMORY_LIMIT)
		return err_at(err, ERR_LIMIT, g->file->path, field->key_off,
		              "a message that takes more than %" PRIu64 " MiB of memory",
		              MEMORY_LIMIT >> 20);
	if (!known)
		return true;
	if (field->type != wire_type_of(known->type) && !is_packed(known, field))
		return err_at(err, ERR_FORMAT, g->file->path, field->key_off,
		              "wire type %d for the field %s", (int)field->type, known->name);
	return known->type != PROTOBUF_C_TYPE_MESSAGE ||
	       check_message(g, known->descriptor, field->bytes, depth + 1, err);
}

static bool check_message(struct guard *g, const ProtobufCMessageDescriptor *desc,
                          struct span span, int depth, struct err *err)
{
	struct wire wire;
	struct field field;

	if (depth > DEPTH_LIMIT)
		return err_at(err, ERR_LIMIT, g->file->path, span.off,
		              "messages nested more than %d deep", DEPTH_LIMIT);
	g->cost += desc->sizeof_message;
	wire_start(&wire, g->file, span);
	while (wire_next(&wire, &field, err)) {
		if (!check_field(g, desc, &field, depth, err))
			return false;
	}
	return !err->code;
}

/* Where protobuf-c takes memory from. */
struct room {
	struct arena *mem;
	bool is_out;             /* there was none */
};

static void *take(void *owner, size_t size)
{
	struct room *room = owner;
	void *block = arena_try(room->mem, size);

	room->is_out |= !block;
	return block;
}

static void give(void *mem, void *at)
{
	(void)mem;
	(void)at;
}

/* The only way to protobuf-c. The message is in mem. */
static ProtobufCMessage *unpack(const ProtobufCMessageDescriptor *desc, struct file *file,
                                struct span span, struct arena *mem, struct err *err)
{
	struct room room = { .mem = mem };
	ProtobufCAllocator allocator = { take, give, &room };
	struct guard guard = { file, 0 };
	ProtobufCMessage *message;
	const char *bytes;

	/* Held in one piece from here on: the check stays within it. */
	if (!wire_text(file, span, SPAN_LIMIT, err) || !check_message(&guard, desc, span, 1, err))
		return NULL;
	bytes = wire_text(file, span, SPAN_LIMIT, err);
	if (!bytes)
		return NULL;
	message = protobuf_c_message_unpack(desc, &allocator, (size_t)span.len,
	                                    (const uint8_t *)bytes);
	if (!message && room.is_out)
		err_fill(err, ERR_LIMIT, file->path, span.off,
		         "no memory for a message of %" PRIu64 " bytes", span.len);
	else if (!message)
		err_fill(err, ERR_FORMAT, file->path, span.off, "no message of the type %s",
		         desc->short_name);
	return message;
}

struct text {
	struct str *out;
	size_t limit;            /* of out->len */
	size_t depth;
	struct arena *mem;
};

static bool put_message(struct text *t, const ProtobufCMessage *message);

static bool has_room(const struct text *t)
{
	return t->out->len <= t->limit;
}

/* In quotes. Bytes from 0x80 on stay as they are in a string, and are octal in a bytes field. */
static void put_quoted(struct text *t, const void *bytes, size_t len, bool is_string)
{
	static const char escaped[] = "\n\r\t\"'\\", letter[] = "nrt\"'\\";
	const unsigned char *b = bytes;

	str_putc(t->out, '"');
	for (size_t i = 0; i < len && has_room(t); i++) {
		const char *known = b[i] ? strchr(escaped, b[i]) : NULL;

		if (known)
			str_fmt(t->out, "\\%c", letter[known - escaped]);
		else if (b[i] < 0x20 || b[i] == 0x7f || (b[i] >= 0x80 && !is_string))
			str_fmt(t->out, "\\%03o", (unsigned)b[i]);
		else
			str_putc(t->out, (char)b[i]);
	}
	str_putc(t->out, '"');
}

/* Few digits if they read back to the same number, else as many as any number needs. */
static void put_float(struct str *out, float v)
{
	char digits[32];

	if (isnan(v)) {
		str_puts(out, "nan");
		return;
	}
	snprintf(digits, sizeof digits, "%.6g", (double)v);
	if (strtof(digits, NULL) != v)
		snprintf(digits, sizeof digits, "%.9g", (double)v);
	str_puts(out, digits);
}

static void put_double(struct str *out, double v)
{
	char digits[32];

	if (isnan(v)) {
		str_puts(out, "nan");
		return;
	}
	snprintf(digits, sizeof digits, "%.15g", v);
	if (strtod(digits, NULL) != v)
		snprintf(digits, sizeof digits, "%.17g", v);
	str_puts(out, digits);
}

static void put_enum(struct str *out, const ProtobufCEnumDescriptor *desc, int number)
{
	const ProtobufCEnumValue *value = protobuf_c_enum_descriptor_get_value(desc, number);

	if (value)
		str_puts(out, value->name);
	else
		str_fmt(out, "%d", number);
}

static void put_scalar(struct text *t, const ProtobufCFieldDescriptor *field, const void *value)
{
	const ProtobufCBinaryData *data = value;
	const char *string;

	switch (field->type) {
	case PROTOBUF_C_TYPE_STRING:
		string = *(const char *const *)value;
		put_quoted(t, string, string ? strlen(string) : 0, true);
		break;
	case PROTOBUF_C_TYPE_BYTES:
		put_quoted(t, data->data, data->len, false);
		break;
	case PROTOBUF_C_TYPE_FLOAT:
		put_float(t->out, *(const float *)value);
		break;
	case PROTOBUF_C_TYPE_DOUBLE:
		put_double(t->out, *(const double *)value);
		break;
	case PROTOBUF_C_TYPE_ENUM:
		put_enum(t->out, field->descriptor, *(const int *)value);
		break;
	case PROTOBUF_C_TYPE_BOOL:
		str_puts(t->out, *(const protobuf_c_boolean *)value ? "true" : "false");
		break;
	case PROTOBUF_C_TYPE_UINT32:
	case PROTOBUF_C_TYPE_FIXED32:
		str_fmt(t->out, "%" PRIu32, *(const uint32_t *)value);
		break;
	case PROTOBUF_C_TYPE_UINT64:
	case PROTOBUF_C_TYPE_FIXED64:
		str_fmt(t->out, "%" PRIu64, *(const uint64_t *)value);
		break;
	default:
		if (value_size(field->type) == 8)
			str_fmt(t->out, "%" PRId64, *(const int64_t *)value);
		else
			str_fmt(t->out, "%" PRId32, *(const int32_t *)value);
		break;
	}
}

static void put_indent(struct text *t)
{
	str_fill(t->out, ' ', 2 * t->depth);
}

static bool put_value(struct text *t, const ProtobufCFieldDescriptor *field, const void *value)
{
	const ProtobufCMessage *message;
	bool ok;

	put_indent(t);
	str_puts(t->out, field->name);
	if (field->type != PROTOBUF_C_TYPE_MESSAGE) {
		str_puts(t->out, ": ");
		put_scalar(t, field, value);
		str_putc(t->out, '\n');
		return has_room(t);
	}
	str_puts(t->out, " {\n");
	message = *(const ProtobufCMessage *const *)value;
	t->depth++;
	ok = !message || put_message(t, message);
	t->depth--;
	put_indent(t);
	str_puts(t->out, "}\n");
	return ok && has_room(t);
}

static bool is_zero(const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i])
			return false;
	}
	return true;
}

static bool is_set(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field)
{
	const char *base = (const char *)message;
	const void *value = base + field->offset;

	if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
		return *(const uint32_t *)(base + field->quantifier_offset) == field->id;
	if (field->type == PROTOBUF_C_TYPE_STRING)
		return *(const char *const *)value && **(const char *const *)value;
	if (field->type == PROTOBUF_C_TYPE_BYTES)
		return ((const ProtobufCBinaryData *)value)->len > 0;
	return !is_zero(value, value_size(field->type));
}

/* A map is a list of entries with a key and a value; only maps from strings are known here. */
static bool is_map(const ProtobufCFieldDescriptor *field)
{
	return field->type == PROTOBUF_C_TYPE_MESSAGE &&
	       field->descriptor == &tf__name_attr_list__attr_entry__descriptor;
}

struct entry {
	const Tf__NameAttrList__AttrEntry *at;
	size_t number;
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->at->key, y->at->key);

	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static bool put_entry(struct text *t, const char *name, const Tf__NameAttrList__AttrEntry *entry)
{
	const ProtobufCFieldDescriptor *fields = entry->base.descriptor->fields;
	bool ok;

	put_indent(t);
	str_fmt(t->out, "%s {\n", name);
	t->depth++;
	ok = put_value(t, &fields[0], &entry->key) && put_value(t, &fields[1], &entry->value);
	t->depth--;
	put_indent(t);
	str_puts(t->out, "}\n");
	return ok;
}

/* By key; of entries with the same key the last. */
static bool put_map(struct text *t, const char *name, Tf__NameAttrList__AttrEntry *const *at,
                    size_t n)
{
	struct entry *entries = n ? arena_try(t->mem, n * sizeof *entries) : NULL;

	if (n && !entries)
		return false;
	for (size_t i = 0; i < n; i++)
		entries[i] = (struct entry){ at[i], i };
	if (n)
		qsort(entries, n, sizeof *entries, compare_entries);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && !strcmp(entries[i].at->key, entries[i + 1].at->key))
			continue;
		if (!put_entry(t, name, entries[i].at))
			return false;
	}
	return true;
}

static bool put_repeated(struct text *t, const ProtobufCMessage *message,
                         const ProtobufCFieldDescriptor *field)
{
	const char *base = (const char *)message;
	size_t n = *(const size_t *)(base + field->quantifier_offset);
	size_t size = value_size(field->type);
	const char *values = *(const char *const *)(base + field->offset);

	if (is_map(field))
		return put_map(t, field->name,
		               (Tf__NameAttrList__AttrEntry *const *)(const void *)values, n);
	for (size_t i = 0; i < n; i++) {
		if (!put_value(t, field, values + i * size))
			return false;
	}
	return true;
}

static bool put_message(struct text *t, const ProtobufCMessage *message)
{
	for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
		bool ok = true;

		if (field->label == PROTOBUF_C_LABEL_REPEATED)
			ok = put_repeated(t, message, field);
		else if (is_set(message, field))
			ok = put_value(t, field, (const char *)message + field->offset);
		if (!ok)
			return false;
	}
	return true;
}

bool decode_text(enum message message, struct file *file, struct span span, struct str *out,
                 struct err *err)
{
	struct arena mem = {0};
	struct text text = { out, out->len + TEXT_LIMIT, 0, &mem };
	struct err own = {0};
	const ProtobufCMessage *root;
	size_t before = out->len;
	bool ok;

	if (!err)
		err = &own;
	root = unpack(descriptor_of(message), file, span, &mem, err);
	ok = root && put_message(&text, root);
	if (root && !ok)
		err_fill(err, ERR_LIMIT, file->path, span.off,
		         "a message of more than %zu MiB of text", TEXT_LIMIT >> 20);
	if (!ok)
		str_cut(out, before);
	arena_release(&mem);
	return ok;
}
