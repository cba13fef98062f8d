/*
 * Binary protobuf. Most kinds begin with field 1 and differ in what is in it:
 *
 *   RunMetadata   { { device "/...", ... } }       StepStats     { device "/...", ... }
 *   GraphDef      { name, op, ... }                OpLogProto    { name, float_ops or types }
 *   ProfileProto  { number, { name, ... } }        XSpace        { number, name, ... }
 *   HloProto      { name, name, { name, ... } }    MetaGraphDef  { ... }, a GraphDef in field 2
 *
 * A device begins with a slash; the name of a node can't. The rest begins with a number in field
 * 1: SavedModel, then the MetaGraphDef; an ONNX model, with its graph in 7; an ONNX tensor, with
 * its data; an Event, with its time.
 */
#include <string.h>

#include "dump/files/recognise_parts.h"
#include "dump/format/wire.h"

enum { FIELDS_SEEN = 64, NAME_SEEN = 4096 };

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

/*
 * A computation, a message that begins with its name, is where a node has an input, which is a
 * name.
 */
static bool is_hlo(struct file *file, const struct element *e)
{
	struct field field;

	return e->has_bytes[3] && !is_name(file, e->bytes[3])
	       && first_field(file, e->bytes[3], &field) && field.number == 1
	       && field.type == WIRE_BYTES && is_name(file, field.bytes);
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
		if (e.has_bytes[2] && is_name(file, e.bytes[2]))
			return is_hlo(file, &e) ? FILE_HLO_PROTO : FILE_GRAPH;
		if (e.has_bytes[2])
			return FILE_NONE;
		return e.has_number[2] || e.has_bytes[3] || e.has_bytes[4] ? FILE_OP_LOG
		                                                           : FILE_NONE;
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

static bool is_meta_graph(struct file *file, struct span span)
{
	struct element e;

	look_into(file, span, &e);
	return e.has_bytes[2] && is_graph(file, e.bytes[2]);
}

/* All there is at the top, by number. */
struct top {
	uint32_t numbers, bytes, others; /* bit n: field n is there, as this; others: fixed ones */
	struct span first[8];            /* of each field's first bytes */
	uint64_t number_2;
	bool whole;                      /* nothing but sound fields, as far as looked */
};

static uint32_t *set_of(struct top *top, enum wire_type type)
{
	return type == WIRE_VARINT ? &top->numbers :
	       type == WIRE_BYTES ? &top->bytes : &top->others;
}

static void look_at_top(struct file *file, struct top *out)
{
	struct err err = {0};
	struct field field;
	struct wire wire;
	int n = 0;

	*out = (struct top){0};
	wire_start(&wire, file, (struct span){ 0, UINT64_MAX });
	while (n++ < FIELDS_SEEN && wire.off < file->size && wire_next(&wire, &field, &err)) {
		uint32_t bit = field.number < 32 ? 1u << field.number : 1;

		if (field.type == WIRE_BYTES && field.number < 8 && !(out->bytes & bit))
			out->first[field.number] = field.bytes;
		if (field.type == WIRE_VARINT && field.number == 2)
			out->number_2 = field.number_value;
		*set_of(out, field.type) |= bit;
	}
	out->whole = !err.code && n > 1;
}

#define BIT(n) (1u << (n))

/* An ONNX tensor: dimensions, a type, one field of data, perhaps a name; nothing else. */
static bool is_onnx_tensor(const struct top *top)
{
	uint32_t data =
		BIT(4) | BIT(5) | BIT(6) | BIT(7) | BIT(9) | BIT(10) | BIT(11) | BIT(13) | BIT(14);

	return top->whole && top->numbers & BIT(2) && top->number_2 && top->number_2 < 32
	       && top->bytes & data && !(top->others & ~data)
	       && !(top->numbers & ~(BIT(1) | BIT(2) | BIT(14) | data))
	       && !(top->bytes & ~(BIT(1) | BIT(8) | BIT(12) | BIT(3) | data));
}

/* An Event of a dump: its time, then a graph, values or a message. */
static bool is_event(const struct top *top)
{
	uint32_t what = BIT(4) | BIT(5) | BIT(6);

	return top->whole && top->others == BIT(1) && top->bytes & what
	       && !(top->bytes & ~(what | BIT(3)));
}

static enum file_kind kind_of_top(struct file *file, const struct top *top)
{
	if (top->numbers & BIT(1) && top->bytes & BIT(2) && is_meta_graph(file, top->first[2]))
		return FILE_SAVED_MODEL;
	if (top->bytes & BIT(1) && top->bytes & BIT(2) && is_graph(file, top->first[2]))
		return FILE_META_GRAPH;
	if (top->numbers & BIT(1) && top->bytes & BIT(7) && !(top->numbers & BIT(2))
	    && !top->others && !(top->bytes & BIT(1)))
		return FILE_ONNX;
	return is_event(top) ? FILE_DUMP_FILE : FILE_NONE;
}

/* What is in a HloProto, alone. */
static bool is_module(struct file *file)
{
	struct element e;

	look_into(file, (struct span){ 0, UINT64_MAX }, &e);
	return e.has_bytes[1] && e.has_bytes[2] && is_name(file, e.bytes[1])
	       && is_name(file, e.bytes[2]) && is_hlo(file, &e);
}

/* By the first element of the list in field 1, or the graphs in field 3. */
static enum file_kind kind_of_lists(struct file *file)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, file, (struct span){ 0, UINT64_MAX });
	for (int n = 0; n < FIELDS_SEEN && wire.off < file->size && wire_next(&wire, &field, NULL);
	     n++) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == 1 && field.bytes.len)
			return kind_of_element(file, field.bytes);
		if (field.number == 3)
			return is_graph(file, field.bytes) ? FILE_RUN_METADATA : FILE_NONE;
	}
	return FILE_NONE;
}

enum file_kind kind_by_message(const struct head *head)
{
	enum file_kind kind;
	struct top top;

	look_at_top(head->file, &top);
	kind = kind_of_top(head->file, &top);
	if (kind == FILE_NONE && is_module(head->file))
		return FILE_HLO_PROTO;
	if (kind == FILE_NONE)
		kind = kind_of_lists(head->file);
	return kind == FILE_NONE && is_onnx_tensor(&top) ? FILE_ONNX_TENSOR : kind;
}
