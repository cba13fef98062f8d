/*
 * The attributes of an instruction, read again from its message and written as text has them. Those
 * that stand for themselves are here; what is a message of its own (windows, numbers of dimensions,
 * shardings, literals) is left out, metadata and what is called are told otherwise.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/format/wire.h"
#include "dump/hlo/hlo_proto.h"
#include "dump/model/graph_parts.h"

enum { LIST_MAX = 4096, TEXT_MAX = 1024 * 1024 };

struct found {
	VEC(struct attr) at;
	struct arena *mem;
	struct str text, scratch;
};

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct attr *)a)->key, ((const struct attr *)b)->key);
}

/* found->text as the value of a key: of several the last one counts. */
static void add(struct found *found, const char *key)
{
	struct attr *at = NULL;

	for (size_t i = 0; i < found->at.len && !at; i++)
		if (!strcmp(found->at.at[i].key, key))
			at = &found->at.at[i];
	if (!at)
		at = vec_add(&found->at);
	at->key = key;
	at->text = arena_copy(found->mem, str_text(&found->text), found->text.len);
}

static void add_number(struct found *found, const char *key, uint64_t number)
{
	str_reset(&found->text);
	str_fmt(&found->text, "%" PRId64, (int64_t)number);
	add(found, key);
}

static void add_text(struct found *found, const char *key, struct file *file, struct span span,
                     struct err *err)
{
	const char *text = wire_text(file, span, TEXT_MAX, err);

	str_reset(&found->text);
	for (uint64_t i = 0; text && i < span.len; i++)
		str_putc(&found->text, text[i] ? text[i] : '?');
	if (text)
		add(found, key);
}

/* "{0,1}" */
static void add_list(struct found *found, const char *key, struct file *file,
                     const struct field *field, struct err *err)
{
	uint64_t value, at = 0;

	str_reset(&found->text);
	for (int n = 0; n < LIST_MAX && wire_value(file, field, WIRE_VARINT, &at, &value, err); n++)
		str_fmt(&found->text, "%s%" PRId64, n ? "," : "{", (int64_t)value);
	if (!found->text.len)
		return;
	str_putc(&found->text, '}');
	add(found, key);
}

/* Numbers 1 to 3 of a message. */
static void read_three(struct file *file, struct span span, uint64_t number[4], struct err *err)
{
	struct field field;
	struct wire wire;

	memset(number, 0, 4 * sizeof *number);
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err))
		if (field.number < 4 && field.type == WIRE_VARINT)
			number[field.number] = field.number_value;
}

/* "[0:2]", "[0:8:2]": one of several. */
static void put_slice(struct str *out, struct file *file, struct span span, struct err *err)
{
	uint64_t n[4];

	read_three(file, span, n, err);
	str_fmt(out, "%s[%" PRId64 ":%" PRId64, out->len ? ", " : "{", (int64_t)n[1],
	        (int64_t)n[2]);
	if (n[3] > 1)
		str_fmt(out, ":%" PRId64, (int64_t)n[3]);
	str_putc(out, ']');
}

/* "1_1x0_0_2": for each dimension what is put before, behind and between. */
static void add_padding(struct found *found, struct file *file, struct span span, struct err *err)
{
	struct field field;
	struct wire wire;
	uint64_t n[4];

	str_reset(&found->text);
	wire_start(&wire, file, span);
	while (found->text.len < TEXT_MAX && wire_next(&wire, &field, err)) {
		if (field.number != 1 || field.type != WIRE_BYTES)
			continue;
		read_three(file, field.bytes, n, err);
		str_fmt(&found->text, "%s%" PRId64 "_%" PRId64, found->text.len ? "x" : "",
		        (int64_t)n[1], (int64_t)n[2]);
		if (n[3])
			str_fmt(&found->text, "_%" PRId64, (int64_t)n[3]);
	}
	add(found, "padding");
}

static void take_field(struct found *found, struct file *file, const struct field *field,
                       struct err *err)
{
	switch (field->number) {
	case INSTRUCTION_FUSION_KIND: add_text(found, "kind", file, field->bytes, err); break;
	case INSTRUCTION_TARGET:
		add_text(found, "custom_call_target", file, field->bytes, err);
		break;
	case INSTRUCTION_DIRECTION: add_text(found, "direction", file, field->bytes, err); break;
	case INSTRUCTION_BACKEND:
		if (field->bytes.len)
			add_text(found, "backend_config", file, field->bytes, err);
		break;
	case INSTRUCTION_DIMENSIONS: add_list(found, "dimensions", file, field, err); break;
	case INSTRUCTION_SLICES:
		if (found->scratch.len < TEXT_MAX)
			put_slice(&found->scratch, file, field->bytes, err);
		break;
	case INSTRUCTION_PADDING: add_padding(found, file, field->bytes, err); break;
	case INSTRUCTION_CHANNEL: add_number(found, "channel_id", field->number_value); break;
	case INSTRUCTION_PARAMETER: add_number(found, "parameter", field->number_value); break;
	case INSTRUCTION_INDEX: add_number(found, "index", field->number_value); break;
	}
}

/* Numbers that are 0 are not in the file. */
static void add_zeros(struct found *found, const char *opcode)
{
	if (!strcmp(opcode, "parameter"))
		add_number(found, "parameter", 0);
	if (!strcmp(opcode, "get-tuple-element"))
		add_number(found, "index", 0);
}

bool hlo_proto_attrs(struct graph *graph, uint32_t node, struct arena *mem, struct attr **attrs,
                     size_t *n, struct err *err)
{
	const struct instruction *at = &graph_module(graph)->instructions.at[node];
	struct found found = { .mem = mem };
	struct err own = {0};
	struct field field;
	struct file file;
	struct wire wire;

	if (!file_open_again(&file, graph->path, &graph->stamp, err))
		return false;
	add_zeros(&found, at->opcode);
	wire_start(&wire, &file, (struct span){ at->off, at->len });
	while (!own.code && wire_next(&wire, &field, &own))
		take_field(&found, &file, &field, &own);
	if (found.scratch.len) {
		str_reset(&found.text);
		str_fmt(&found.text, "%s}", found.scratch.text);
		add(&found, "slice");
	}
	if (found.at.len)
		qsort(found.at.at, found.at.len, sizeof *found.at.at, by_key);
	*n = found.at.len;
	*attrs = arena_alloc(mem, (*n + 1) * sizeof **attrs);
	if (*n)
		memcpy(*attrs, found.at.at, *n * sizeof **attrs);
	vec_release(&found.at);
	str_release(&found.text);
	str_release(&found.scratch);
	file_close(&file);
	if (own.code && err)
		*err = own;
	return !own.code;
}
