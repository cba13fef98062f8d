#include "dump/model/graph_attr.h"

#include <string.h>

#include "dump/model/graph_parts.h"

enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };
enum { VALUE_TEXT = 2, VALUE_TYPE = 6, VALUE_TENSOR = 8 };

bool attr_reader_open(struct attr_reader *reader, const struct graph *graph, struct err *err)
{
	*reader = (struct attr_reader){ .graph = graph };
	if (file_open_again(&reader->file, graph->path, &graph->stamp, err))
		return true;
	reader->file.fd = -1;
	reader->fault = *err;
	return false;
}

void attr_reader_close(struct attr_reader *reader)
{
	if (reader->file.fd >= 0)
		file_close(&reader->file);
	str_release(&reader->scratch);
}

/* The graph reports damage; a read that fails only now is the fault of this reader. */
static void note_fault(struct attr_reader *reader, const struct err *err)
{
	if (err->code == ERR_IO && !reader->fault.code)
		reader->fault = *err;
}

/* Is the entry of this key? Then *value is where its value lies. */
static bool is_entry(struct attr_reader *reader, struct span entry, const char *key,
                     struct span *value)
{
	struct err damage = {0};
	struct field field;
	struct wire wire;
	struct name name;
	bool is_it = false;

	wire_start(&wire, &reader->file, entry);
	while (wire_next(&wire, &field, &damage)) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == ENTRY_KEY)
			is_it = wire_name(&reader->file, field.bytes, &reader->scratch, &name,
			                  &damage) &&
			        name.len == strlen(key) && !memcmp(name.text, key, name.len);
		else if (field.number == ENTRY_VALUE)
			*value = field.bytes;
	}
	note_fault(reader, &damage);
	return is_it && value->len;
}

/* Of several entries with one key the last one counts. */
static bool find_value(struct attr_reader *reader, uint32_t node, const char *key,
                       struct span *value)
{
	struct err damage = {0};
	struct field field;
	struct wire wire;
	uint64_t off, len;
	bool found = false;

	if (reader->file.fd < 0)
		return false;
	graph_place(reader->graph, node, &off, &len);
	wire_start(&wire, &reader->file, (struct span){ off, len });
	while (wire_next(&wire, &field, &damage)) {
		struct span own = {0};

		if (field.number == NODE_ATTR && field.type == WIRE_BYTES &&
		    is_entry(reader, field.bytes, key, &own)) {
			*value = own;
			found = true;
		}
	}
	note_fault(reader, &damage);
	return found;
}

/* The last field of this number and type. */
static bool find_field(struct attr_reader *reader, uint32_t node, const char *key, uint32_t number,
                       enum wire_type type, struct field *out)
{
	struct err damage = {0};
	struct span value;
	struct field field;
	struct wire wire;
	bool found = false;

	if (!find_value(reader, node, key, &value))
		return false;
	wire_start(&wire, &reader->file, value);
	while (wire_next(&wire, &field, &damage))
		if (field.number == number && field.type == type) {
			*out = field;
			found = true;
		}
	note_fault(reader, &damage);
	return found;
}

bool attr_find_text(struct attr_reader *reader, uint32_t node, const char *key, struct str *out)
{
	struct err damage = {0};
	struct field field;
	struct name name;

	str_reset(out);
	if (!find_field(reader, node, key, VALUE_TEXT, WIRE_BYTES, &field))
		return false;
	if (!wire_name(&reader->file, field.bytes, &reader->scratch, &name, &damage)) {
		note_fault(reader, &damage);
		return false;
	}
	str_put(out, name.text, name.len);
	return true;
}

bool attr_find_type(struct attr_reader *reader, uint32_t node, const char *key, uint64_t *wire)
{
	struct field field;

	if (!find_field(reader, node, key, VALUE_TYPE, WIRE_VARINT, &field))
		return false;
	*wire = field.number_value;
	return true;
}

bool attr_find_tensor(struct attr_reader *reader, uint32_t node, const char *key,
                      struct span *out)
{
	struct field field;

	if (!find_field(reader, node, key, VALUE_TENSOR, WIRE_BYTES, &field))
		return false;
	*out = field.bytes;
	return true;
}
