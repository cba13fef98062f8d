/*
 * A GraphDef is read twice: first the nodes with their shapes; then, once the steps have added
 * nodes of their own, the inputs, whose names can only then be looked up.
 */
#include "dump/base/str.h"
#include "dump/model/graph_parts.h"
#include "dump/tfprof/tfprof_parts.h"

#include <string.h>

#define STEP_NODES 4096          /* between two looks at progress */

enum { ATTR_LIST = 1, ATTR_S = 2, ATTR_SHAPE = 7 };
enum { LIST_SHAPE = 7 };
enum { SHAPE_DIM = 2, SHAPE_UNKNOWN_RANK = 3, DIM_SIZE = 1 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };

static bool read_dim(struct tfprof_builder *b, struct file *file, struct span span)
{
	struct wire wire;
	struct field field;
	int64_t size = 0;

	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, &b->found))
		if (field.number == DIM_SIZE)
			size = tfprof_number(&field);
	vec_push(&b->dims, size);
	return !b->found.code;
}

/* A TensorShapeProto. */
static bool read_shape(struct tfprof_builder *b, struct file *file, struct span span,
                       uint32_t *shape)
{
	struct wire wire;
	struct field field;
	bool unknown = false;

	b->dims.len = 0;
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, &b->found)) {
		if (field.number == SHAPE_DIM && field.type == WIRE_BYTES &&
		    !read_dim(b, file, field.bytes))
			return false;
		if (field.number == SHAPE_UNKNOWN_RANK)
			unknown = tfprof_number(&field) != 0;
	}
	if (b->found.code)
		return false;
	if (unknown)
		b->dims.len = 0;
	else if (!b->dims.len)
		vec_push(&b->dims, 1);
	*shape = tfprof_add_shape(b);
	return true;
}

/* A list of shapes: the outputs. */
static bool read_outputs(struct tfprof_builder *b, struct file *file, struct tfprof_node *node,
                         struct span list)
{
	struct tfprof *t = b->tfprof;
	struct wire wire;
	struct field field;

	node->first_output = (uint32_t)t->outputs.len;
	wire_start(&wire, file, list);
	while (wire_next(&wire, &field, &b->found)) {
		struct tfprof_output output = { .slot = (int32_t)(t->outputs.len -
		                                                  node->first_output) };

		if (field.number != LIST_SHAPE || field.type != WIRE_BYTES)
			continue;
		if (!read_shape(b, file, field.bytes, &output.shape))
			return false;
		vec_push(&t->outputs, output);
	}
	node->n_outputs = (uint32_t)t->outputs.len - node->first_output;
	return !b->found.code;
}

bool tfprof_read_attr(struct tfprof_builder *b, struct file *file, struct tfprof_node *node,
                      const char *key, struct span value)
{
	bool is_shape = !strcmp(key, "shape"), is_outputs = !strcmp(key, "_output_shapes");
	bool is_layout = !strcmp(key, "data_format");
	struct wire wire;
	struct field field;

	wire_start(&wire, file, value);
	while ((is_shape || is_outputs || is_layout) && wire_next(&wire, &field, &b->found)) {
		struct name name;

		if (field.type != WIRE_BYTES)
			continue;
		if (is_shape && field.number == ATTR_SHAPE &&
		    !read_shape(b, file, field.bytes, &node->shape))
			return false;
		if (is_outputs && field.number == ATTR_LIST &&
		    !read_outputs(b, file, node, field.bytes))
			return false;
		if (is_layout && field.number == ATTR_S) {
			if (!tfprof_read_text(b, file, field.bytes, &name))
				return false;
			node->nhwc = name.len == 4 && !memcmp(name.text, "NHWC", 4);
		}
	}
	return !b->found.code;
}

/* An entry of the map of attributes. */
static bool read_entry(struct tfprof_builder *b, struct tfprof_node *node, struct span span)
{
	struct wire wire;
	struct field field;
	struct span value = {0};
	char key[16] = "";

	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found)) {
		struct name name;

		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == MAP_VALUE)
			value = field.bytes;
		if (field.number != MAP_KEY)
			continue;
		if (!tfprof_read_text(b, &b->file, field.bytes, &name))
			return false;
		memcpy(key, name.text, name.len < sizeof key ? name.len : 0);
		key[name.len < sizeof key ? name.len : 0] = '\0';
	}
	return !b->found.code && tfprof_read_attr(b, &b->file, node, key, value);
}

/* The name of a NodeDef, in b->key. */
static bool read_name(struct tfprof_builder *b, struct span span)
{
	struct wire wire;
	struct field field;
	struct name name;

	str_reset(&b->key);
	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found)) {
		if (field.number != NODE_NAME || field.type != WIRE_BYTES)
			continue;
		if (!tfprof_read_text(b, &b->file, field.bytes, &name))
			return false;
		str_reset(&b->key);
		str_put(&b->key, name.text, name.len);
		if (field.key_off == span.off)
			break;
	}
	return !b->found.code;
}

/* Damage within a node is noted and ends the reading of this one only. */
static void read_node(struct tfprof_builder *b, struct span span)
{
	struct tfprof *t = b->tfprof;
	struct tfprof_node node = { .device = TFPROF_NONE, .exec = TFPROF_NONE };
	struct wire wire;
	struct field field;
	bool ok = read_name(b, span), is_new = true;
	uint32_t id = 0;

	if (ok)
		id = tfprof_add_node(b, str_text(&b->key), b->key.len, &is_new);
	wire_start(&wire, &b->file, span);
	while (ok && is_new && wire_next(&wire, &field, &b->found)) {
		if (field.number == NODE_OP && field.type == WIRE_BYTES)
			ok = tfprof_read_id(b, field.bytes, &node.op);
		if (field.number == NODE_ATTR && field.type == WIRE_BYTES)
			ok = read_entry(b, &node, field.bytes);
	}
	if (is_new && id < t->nodes.len)
		t->nodes.at[id] = node;
	tfprof_note_damage(b);
}

/* False after a cancel or if the file can't be opened. */
bool tfprof_for_nodes(struct tfprof_builder *b, const char *path,
                      void (*read)(struct tfprof_builder *, struct span))
{
	struct wire wire;
	struct field field;
	size_t n = 0;
	bool ok = true;

	if (!file_open(&b->file, path, &b->found))
		return false;
	wire_start(&wire, &b->file, (struct span){ 0, b->file.size });
	while (ok && wire_next(&wire, &field, &b->found)) {
		if (n++ % STEP_NODES == 0 &&
		    !progress_step(b->progress, field.key_off, b->file.size))
			ok = err_at(&b->found, ERR_CANCELLED, path, field.key_off, "cancelled");
		if (ok && field.number == GRAPH_NODE && field.type == WIRE_BYTES)
			read(b, field.bytes);
	}
	if (ok)
		tfprof_note_damage(b);
	file_close(&b->file);
	return ok;
}

bool tfprof_read_graph(struct tfprof_builder *b, const char *path)
{
	return tfprof_for_nodes(b, path, read_node);
}

/* "^node:1": the node and the slot. */
static struct tfprof_input input_of(const struct tfprof *t, const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len);
	size_t skip = len && *text == '^';
	size_t name_len = colon ? (size_t)(colon - text) : len;
	struct tfprof_input input = {0};

	for (const char *p = colon ? colon + 1 : text + len; p < text + len && is_digit(*p); p++)
		input.slot = input.slot < INT32_MAX / 10 - 1 ? input.slot * 10 + (*p - '0')
		                                             : INT32_MAX;
	input.node = name_len < skip ? TFPROF_NONE
	                             : map_find(&t->names, text + skip, name_len - skip);
	return input;
}

uint32_t tfprof_find_node(struct tfprof_builder *b, struct span span)
{
	if (read_name(b, span))
		return map_find(&b->tfprof->names, str_text(&b->key), b->key.len);
	tfprof_note_damage(b);           /* told before, unless it is new */
	return TFPROF_NONE;
}

/* If several nodes have a name, only the first is in the table: it has no inputs yet. */
static void read_node_inputs(struct tfprof_builder *b, struct span span)
{
	struct tfprof *t = b->tfprof;
	struct tfprof_node *node;
	struct wire wire;
	struct field field;
	uint32_t id;

	id = tfprof_find_node(b, span);
	if (id == TFPROF_NONE || t->nodes.at[id].n_inputs)
		return;
	node = &t->nodes.at[id];
	node->first_input = (uint32_t)t->inputs.len;
	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found)) {
		struct tfprof_input input;
		struct name name;

		if (field.number != NODE_INPUT || field.type != WIRE_BYTES)
			continue;
		if (!tfprof_read_text(b, &b->file, field.bytes, &name))
			break;
		input = input_of(t, name.text, name.len);
		input.index = (int32_t)(t->inputs.len - node->first_input);
		vec_push(&t->inputs, input);
	}
	node->n_inputs = (uint32_t)t->inputs.len - node->first_input;
	tfprof_note_damage(b);
}

bool tfprof_read_inputs(struct tfprof_builder *b, const char *path)
{
	return tfprof_for_nodes(b, path, read_node_inputs);
}
