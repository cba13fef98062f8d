/*
 * Binary kinds all begin with field 1 and differ in what is in it:
 *
 *   RunMetadata   { { device "/...", ... } }       StepStats      { device "/...", ... }
 *   GraphDef      { name, op, ... }                OpLogProto     { name, float_ops or types or code }
 *   ProfileProto  { number, { name, ... } }        XSpace         { number, name, ... }
 *
 * A device begins with a slash; the name of a node can't.
 */
#include "dump/recognise.h"

#include <ctype.h>
#include <string.h>

#include "dump/wire.h"

enum { HEAD = 64 * 1024, FIELDS_SEEN = 64, NAME_SEEN = 4096 };

const char *file_kind_name(enum file_kind kind)
{
	static const char *const names[] = {
#define X(id, name, answer) name,
		FILE_KINDS(X)
#undef X
	};

	return names[kind];
}

const char *file_kind_answer(enum file_kind kind)
{
	static const char *const answers[] = {
#define X(id, name, answer) answer,
		FILE_KINDS(X)
#undef X
	};

	return answers[kind];
}

/* Binary. */

/* The first field of a message; false: it has none, or is no message. */
static bool first_field(struct file *file, struct span span, struct field *field)
{
	struct wire wire;

	wire_start(&wire, file, span);
	return span.len && wire_next(&wire, field, NULL);
}

/* Is it the text of a name: without control characters? */
static bool is_name(struct file *file, struct span span)
{
	struct err err = {0};
	const unsigned char *text = span.len && span.len <= NAME_SEEN
		? file_bytes(file, span.off, (size_t)span.len, &err) : NULL;

	for (uint64_t i = 0; text && i < span.len; i++)
		if (text[i] < 0x20 || text[i] == 0x7f)
			return false;
	return text;
}

static bool is_device(struct file *file, struct span span)
{
	const char *text = is_name(file, span) ? file_bytes(file, span.off, 1, NULL) : NULL;

	return text && *text == '/';
}

/* DeviceStepStats: its device comes first. */
static bool is_device_stats(struct file *file, struct span span)
{
	struct field field;

	return first_field(file, span, &field) && field.number == 1 && field.type == WIRE_BYTES
	       && is_device(file, field.bytes);
}

/* What the first element of a list in field 1 has, by field number. */
struct element {
	bool has_number[8], has_bytes[8];
	struct span bytes[8];
};

static void look_into(struct file *file, struct span span, struct element *out)
{
	struct field field;
	struct wire wire;
	int n = 0;

	*out = (struct element){0};
	wire_start(&wire, file, span);
	while (n++ < FIELDS_SEEN && wire.off < file->size && wire_next(&wire, &field, NULL)) {
		if (field.number >= 8)
			continue;
		if (field.type == WIRE_VARINT)
			out->has_number[field.number] = true;
		if (field.type == WIRE_BYTES && !out->has_bytes[field.number]) {
			out->has_bytes[field.number] = true;
			out->bytes[field.number] = field.bytes;
		}
	}
}

static enum file_kind kind_of_element(struct file *file, struct span span)
{
	struct element e;
	struct field inner;

	look_into(file, span, &e);
	if (e.has_bytes[1] && is_device_stats(file, e.bytes[1]))
		return FILE_RUN_METADATA;
	if (e.has_bytes[1] && is_device(file, e.bytes[1]))
		return FILE_STEP_STATS;
	if (e.has_bytes[1] && is_name(file, e.bytes[1])) {
		if (e.has_bytes[2])
			return is_name(file, e.bytes[2]) ? FILE_GRAPH : FILE_NONE;
		return e.has_number[2] || e.has_bytes[3] || e.has_bytes[4] ? FILE_OP_LOG : FILE_NONE;
	}
	if (e.has_bytes[1] || !e.has_bytes[2])
		return FILE_NONE;
	if (first_field(file, e.bytes[2], &inner) && inner.number == 1 && inner.type == WIRE_BYTES)
		return FILE_PROFILE_PROTO;
	return is_name(file, e.bytes[2]) ? FILE_XSPACE : FILE_NONE;
}

/* A RunMetadata may have graphs and no, or empty, step stats. */
static bool is_graph(struct file *file, struct span span)
{
	struct field field;

	return first_field(file, span, &field) && field.number == 1 && field.type == WIRE_BYTES
	       && kind_of_element(file, field.bytes) == FILE_GRAPH;
}

static enum file_kind binary_kind(struct file *file)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, file, (struct span){ 0, UINT64_MAX });
	for (int n = 0; n < FIELDS_SEEN && wire.off < file->size && wire_next(&wire, &field, NULL); n++) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == 1 && field.bytes.len)
			return kind_of_element(file, field.bytes);
		if (field.number == 3)
			return is_graph(file, field.bytes) ? FILE_RUN_METADATA : FILE_NONE;
	}
	return FILE_NONE;
}

/* Text. */

static const struct { const char *field; enum file_kind kind; } text_fields[] = {
	{ "node", FILE_GRAPH_TEXT }, { "versions", FILE_GRAPH_TEXT }, { "library", FILE_GRAPH_TEXT },
	{ "step_stats", FILE_RUN_METADATA_TEXT }, { "cost_graph", FILE_RUN_METADATA_TEXT },
	{ "partition_graphs", FILE_RUN_METADATA_TEXT }, { "function_graphs", FILE_RUN_METADATA_TEXT },
	{ "dev_stats", FILE_STEP_STATS_TEXT },
};

/* Past blanks and comments. */
static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (isspace((unsigned char)*at) || *at == '#')) {
		if (*at == '#')
			while (at < end && *at != '\n')
				at++;
		else
			at++;
	}
	return at;
}

static bool begins(const char *at, const char *end, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(end - at) >= n && !memcmp(at, with, n);
}

/* A first field of protobuf text format: NAME { or NAME: { or NAME <. */
static enum file_kind text_kind(const char *at, const char *end)
{
	for (size_t i = 0; i < sizeof text_fields / sizeof *text_fields; i++) {
		const char *after;

		if (!begins(at, end, text_fields[i].field))
			continue;
		after = skip_blanks(at + strlen(text_fields[i].field), end);
		if (after < end && *after == ':')
			after = skip_blanks(after + 1, end);
		if (after < end && (*after == '{' || *after == '<' || *after == '['))
			return text_fields[i].kind;
	}
	return FILE_NONE;
}

static enum file_kind head_kind(const char *head, size_t len)
{
	static const char riegeli[] = "\x83\xaf\x70\xd1\x0d\x88\x4a\x3f";
	const char *end = head + len, *at = skip_blanks(head, end);

	if (len >= 2 && !memcmp(head, "\x1f\x8b", 2))
		return FILE_GZIP;
	if (begins(head, end, riegeli))
		return FILE_RIEGELI;
	if (begins(at, end, "HloModule "))
		return FILE_HLO;
	if (at < end && *at == '{')
		return memmem(at, (size_t)(end - at), "\"traceEvents\"", strlen("\"traceEvents\"")) ? FILE_TRACE : FILE_NONE;
	if (at < end && *at == '[') {
		at = skip_blanks(at + 1, end);
		return at < end && *at == '{' && memmem(at, (size_t)(end - at), "\"ph\"", strlen("\"ph\""))
		       ? FILE_TRACE : FILE_NONE;
	}
	return text_kind(at, end);
}

bool recognise(const char *path, enum file_kind *kind, struct err *err)
{
	struct file file;
	const char *head;
	size_t len;

	*kind = FILE_NONE;
	if (!file_open(&file, path, err))
		return false;
	len = file.size < HEAD ? (size_t)file.size : HEAD;
	head = file_bytes(&file, 0, len, err);
	if (head) {
		*kind = head_kind(head, len);
		if (*kind == FILE_NONE)
			*kind = binary_kind(&file);
	}
	file_close(&file);
	return head;
}
