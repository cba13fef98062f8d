#include <inttypes.h>
#include <stdlib.h>

#include "cmds/doc/figure.h"
#include "cmds/program/held.h"
#include "cmds/program/op_node.h"
#include "cmds/program/tensor_rows.h"
#include "cmds/program/trees.h"
#include "dump/base/mem.h"

struct ops {
	struct tree_source source;
	const struct program *program;
	uint32_t root;
	bool to_recipients;
	struct held *held;
};

struct op_child {
	struct tree_child child;
	uint32_t node;
	int32_t slot;
	uint32_t input;
	bool of_several;         /* the producer has further outputs */
};

static const struct ops *of_source(const struct tree_source *source)
{
	return (const struct ops *)source;
}

static void add_child(struct tree_children *out, uint32_t node, int32_t slot, uint32_t input,
                      bool of_several)
{
	struct op_child *child = tree_children_add(out);

	*child = (struct op_child){ { slot == PROGRAM_CONTROL }, node, slot, input, of_several };
}

/* Adds inputs along data edges or, if `control`, along control edges. */
static void add_inputs(const struct program *program, uint32_t node, bool control,
                       struct tree_children *out)
{
	uint32_t op = program->nodes.at[node].op;
	const struct program_input *inputs;

	if (op == PROGRAM_NONE)
		return;
	inputs = program_op_inputs(program, op);
	for (uint32_t i = 0; i < program->ops.at[op].n_inputs; i++)
		if ((inputs[i].slot == PROGRAM_CONTROL) == control)
			add_child(out, inputs[i].node, inputs[i].slot, i, false);
}

static void add_recipients(const struct program *program, uint32_t node, bool control,
                           struct tree_children *out)
{
	size_t n;
	const struct program_use *uses = program_uses(program, node, &n);
	uint32_t op = program->nodes.at[node].op;
	bool several = op != PROGRAM_NONE && program->ops.at[op].n_outputs > 1;

	for (size_t i = 0; i < n; i++)
		if ((uses[i].slot == PROGRAM_CONTROL) == control)
			add_child(out, program->ops.at[uses[i].op].node, uses[i].slot,
			          uses[i].input, several);
}

static bool list_children(struct tree_source *source, const void *of, bool control,
                          struct tree_children *out, struct err *err)
{
	const struct ops *ops = of_source(source);
	const struct op_child *child = of;
	uint32_t node = child ? child->node : ops->root;

	(void)err;
	for (int pass = 0; pass <= control; pass++) {
		if (ops->to_recipients)
			add_recipients(ops->program, node, pass, out);
		else
			add_inputs(ops->program, node, pass, out);
	}
	return true;
}

static void put_name(const struct tree_source *source, const void *of, struct str *out)
{
	const struct ops *ops = of_source(source);
	const struct op_child *child = of;

	str_puts(out, ops->program->nodes.at[child->node].name);
	if (!ops->to_recipients && child->slot > 0)
		str_fmt(out, ":%" PRId32, child->slot);
}

static const char *op_of(const struct tree_source *source, const void *of)
{
	const char *op = node_op(of_source(source)->program, ((const struct op_child *)of)->node);

	return op ? op : "?";
}

static void put_keys(const struct tree_source *source, const void *of, struct data *data)
{
	const struct program *program = of_source(source)->program;
	const struct op_child *child = of;

	key_str(data, "node", program->nodes.at[child->node].name);
	data_key(data, "slot");
	data_int_or_null(data, child->slot == PROGRAM_BARE ? 0 : child->slot);
	key_str(data, "op", node_op(program, child->node));
	key_int(data, "input", child->input);
}

static void put_link(const struct tree_source *source, const void *of, struct str *out)
{
	node_put_words(of_source(source)->program, ((const struct op_child *)of)->node, out);
}

static void put_note(const struct tree_source *source, const void *of, struct str *out)
{
	const struct op_child *child = of;
	const char *note = node_note(of_source(source)->program, child->node);

	if (child->of_several && child->slot != PROGRAM_CONTROL)
		str_fmt(out, TAKES_OUTPUT "%s", child->slot < 0 ? 0 : child->slot,
		        note ? ", " : "");
	str_puts(out, note ? note : "");
}

static enum row_sign sign_of(const struct tree_source *source, const void *of, bool look)
{
	const struct ops *ops = of_source(source);
	struct program_tensor tensor;

	(void)look;
	return held_by_node(ops->held, ((const struct op_child *)of)->node, &tensor)
	               ? tensor_sign(ops->program, &tensor) : SIGN_NONE;
}

static enum role put_held(const struct tree_source *source, const void *of, bool fine,
                          struct str *out)
{
	const struct ops *ops = of_source(source);
	struct program_tensor tensor;

	(void)fine;
	return held_by_node(ops->held, ((const struct op_child *)of)->node, &tensor)
	               ? held_put(ops->program, &tensor, out) : ROLE_PLAIN;
}

static void ops_free(struct tree_source *source)
{
	held_free(of_source(source)->held);
	free(source);
}

static const struct tree_kind ops_kind = {
	.child_size = sizeof(struct op_child), .keys = USE_KEYS, .no_control = NO_CONTROL_EDGES,
	.children = list_children, .put_name = put_name, .op = op_of, .put_keys = put_keys,
	.put_link = put_link, .put_note = put_note, .put_held = put_held,
	.sign = sign_of, .free = ops_free,
};

struct tree_source *op_tree(const struct program *program, uint32_t node, uint32_t step,
                            const struct tree_way *way)
{
	struct ops *ops = mem_alloc(sizeof *ops);

	*ops = (struct ops){ { &ops_kind }, program, node, way->to_recipients,
	                     held_new(program, step) };
	return &ops->source;
}
