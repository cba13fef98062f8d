/*
 * Float operations where no op log tells them: the formulas of dump/profile/flops.h over the shapes
 * of the graph. Attributes that only formulas need are read here, in a pass of their own, and only
 * if the graph has shapes at all.
 */
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/graph_parts.h"
#include "dump/profile/flops.h"
#include "dump/tfprof/tfprof_parts.h"

enum { ATTR_LIST = 1, ATTR_S = 2, ATTR_B = 5, LIST_I = 3 };
enum { NUMBERS_MAX = 8 };

struct attributes {
	bool transpose_a, nhwc;
	int64_t ksize[NUMBERS_MAX], strides[NUMBERS_MAX];
	size_t n_ksize, n_strides;
};

/* An AttrValue.ListValue of whole numbers. */
static void read_numbers(struct tfprof_builder *b, struct span list, int64_t *numbers, size_t *n)
{
	struct wire wire;
	struct field field;

	*n = 0;
	wire_start(&wire, &b->file, list);
	while (wire_next(&wire, &field, &b->found)) {
		uint64_t at = 0, value;

		while (field.number == LIST_I && *n < NUMBERS_MAX
		       && wire_value(&b->file, &field, WIRE_VARINT, &at, &value, &b->found))
			numbers[(*n)++] = (int64_t)value;
	}
}

static void read_value(struct tfprof_builder *b, const char *key, struct span value,
                       struct attributes *attributes)
{
	struct wire wire;
	struct field field;
	struct name name;

	wire_start(&wire, &b->file, value);
	while (wire_next(&wire, &field, &b->found)) {
		if (field.number == ATTR_B && !strcmp(key, "transpose_a"))
			attributes->transpose_a = field.number_value != 0;
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == ATTR_LIST && !strcmp(key, "ksize"))
			read_numbers(b, field.bytes, attributes->ksize, &attributes->n_ksize);
		if (field.number == ATTR_LIST && !strcmp(key, "strides"))
			read_numbers(b, field.bytes, attributes->strides, &attributes->n_strides);
		if (field.number == ATTR_S && !strcmp(key, "data_format")
		    && tfprof_read_text(b, &b->file, field.bytes, &name))
			attributes->nhwc = name.len == 4 && !memcmp(name.text, "NHWC", 4);
	}
}

static struct flops_shape shape_of(const struct tfprof *t, uint32_t shape)
{
	const struct tfprof_shape *at = &t->shapes.at[shape];

	return (struct flops_shape){ at->n ? t->dims.at + at->first : NULL, at->n };
}

/* Formulas use at most two inputs, and the number of inputs. */
static void apply(struct tfprof *t, struct tfprof_node *node, const struct attributes *attributes)
{
	struct flops_shape in[2] = { 0 };
	struct flops_op op = {
		.type = tfprof_text(t, node->op), .in = in, .n_in = node->n_inputs,
		.out = shape_of(t, tfprof_output_shape(t, node, 0)),
		.transpose_a = attributes->transpose_a, .nhwc = attributes->nhwc,
		.ksize = attributes->ksize, .n_ksize = attributes->n_ksize,
		.strides = attributes->strides, .n_strides = attributes->n_strides,
	};
	int64_t flops;

	for (uint32_t i = 0; i < 2 && i < node->n_inputs; i++)
		in[i] = shape_of(t, tfprof_input_shape(t, node, i));
	if (flops_of(&op, &flops))
		node->float_ops = flops;
}

static void read_node(struct tfprof_builder *b, uint32_t n, struct span span)
{
	struct attributes attributes = { .nhwc = true };
	struct tfprof *t = b->tfprof;
	char key[TFPROF_KEY_MAX];
	struct span value;
	struct wire wire;
	struct field field;

	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found))
		if (field.number == NODE_ATTR && field.type == WIRE_BYTES
		    && tfprof_read_entry(b, field.bytes, key, &value))
			read_value(b, key, value, &attributes);
	tfprof_note_damage(b);
	if (!t->nodes.at[n].float_ops)
		apply(t, &t->nodes.at[n], &attributes);
}

/* Shapes of the first step stand in for those that the graph leaves open, but only here. */
bool tfprof_find_float_ops(struct tfprof_builder *b, const struct tfprof_files *files)
{
	struct tfprof *t = b->tfprof;
	size_t size = t->outputs.len * sizeof *t->outputs.at;
	struct tfprof_output *kept;
	bool ok;

	if (!size)
		return true;
	kept = mem_alloc(size);
	memcpy(kept, t->outputs.at, size);
	ok = (!files->n_steps || tfprof_fill_shapes(b, &files->steps[0])) &&
	     tfprof_for_nodes(b, read_node);
	memcpy(t->outputs.at, kept, size);
	free(kept);
	return ok;
}
