/*
 * A graph is read twice: first the nodes, which keep their numbers, with their shapes; then, once
 * the steps have added nodes of their own, the inputs, whose names can only then be looked up.
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

bool tfprof_read_entry(struct tfprof_builder *b, struct span span, char key[TFPROF_KEY_MAX],
                       struct span *value)
{
	struct wire wire;
	struct field field;

	*key = '\0';
	*value = (struct span){0};
	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found)) {
		struct name name;

		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == MAP_VALUE)
			*value = field.bytes;
		if (field.number != MAP_KEY)
			continue;
		if (!tfprof_read_text(b, &b->file, field.bytes, &name))
			return false;
		if (name.len >= TFPROF_KEY_MAX)
			name.len = 0;
		memcpy(key, name.text, name.len);
		key[name.len] = '\0';
	}
	return !b->found.code;
}

/* Damage within a node is noted and ends the reading of this one only. */
static void read_node(struct tfprof_builder *b, uint32_t n, struct span span)
{
	struct tfprof *t = b->tfprof;
	const char *name = graph_name(b->files->graph, n), *op = graph_op(b->files->graph, n);
	struct tfprof_node node = { .device = TFPROF_NONE, .exec = TFPROF_NONE };
	char key[TFPROF_KEY_MAX];
	struct span value;
	struct wire wire;
	struct field field;

	map_add_lasting(&t->names, name, strlen(name));
	node.op = map_add(&t->texts, &t->mem, op, strlen(op));
	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found))
		if (field.number == NODE_ATTR && field.type == WIRE_BYTES
		    && !(tfprof_read_entry(b, field.bytes, key, &value)
		         && tfprof_read_attr(b, &b->file, &node, key, value)))
			break;
	vec_push(&t->nodes, node);
	tfprof_note_damage(b);
}

bool tfprof_for_nodes(struct tfprof_builder *b,
                      void (*read)(struct tfprof_builder *, uint32_t, struct span))
{
	const struct graph *graph = b->files->graph;
	bool ok = file_open_again(&b->file, graph->path, &graph->stamp, &b->found);

	for (uint32_t n = 0; ok && n < graph_len(graph); n++) {
		struct span span;

		graph_place(graph, n, &span.off, &span.len);
		if (n % STEP_NODES == 0 && !progress_step(b->progress, span.off, b->file.size))
			ok = err_at(&b->found, ERR_CANCELLED, graph->path, span.off, "cancelled");
		else
			read(b, n, span);
	}
	file_close(&b->file);
	return ok;
}

bool tfprof_read_graph(struct tfprof_builder *b)
{
	return tfprof_for_nodes(b, read_node);
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

static void read_node_inputs(struct tfprof_builder *b, uint32_t n, struct span span)
{
	struct tfprof *t = b->tfprof;
	struct tfprof_node *node = &t->nodes.at[n];
	struct wire wire;
	struct field field;

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

bool tfprof_read_inputs(struct tfprof_builder *b)
{
	return tfprof_for_nodes(b, read_node_inputs);
}
