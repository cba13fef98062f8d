#include <inttypes.h>
#include <stdlib.h>

#include "cmds/doc/figure.h"
#include "cmds/program/held.h"
#include "cmds/program/op_node.h"
#include "cmds/program/tensor_rows.h"
#include "cmds/program/trees.h"
#include "dump/base/mem.h"

struct steps {
	struct tree_source source;
	const struct program *program;
	uint32_t root;
	bool to_recipients;
};

struct step_child {
	struct tree_child child;
	uint32_t step;           /* PROGRAM_NONE: what made the input is not recorded */
	uint32_t slot, input;
	bool of_several;         /* the producer has further outputs */
	int64_t id;              /* of the tensor, if the step is not known */
};

static const struct steps *of_source(const struct tree_source *source)
{
	return (const struct steps *)source;
}

static void add_inputs(const struct program *program, uint32_t step, struct tree_children *out)
{
	const struct program_step *s = &program->steps.at[step];

	for (uint32_t i = 0; i < s->n_input_ids; i++) {
		struct step_child *child = tree_children_add(out);
		struct program_producer from;

		child->input = i;
		child->id = program->ids.at[s->first_id + i];
		child->step = PROGRAM_NONE;
		if (program_producer(program, step, i, &from)) {
			child->step = from.step;
			child->slot = from.slot;
		}
	}
}

static void add_recipients(const struct program *program, uint32_t step, struct tree_children *out)
{
	struct program_step_use *uses;
	size_t n = program_step_uses(program, step, &uses);

	for (size_t i = 0; i < n; i++) {
		struct step_child *child = tree_children_add(out);

		child->step = uses[i].step;
		child->slot = uses[i].slot;
		child->input = uses[i].input;
		child->of_several = program->steps.at[step].n_outputs > 1;
	}
	free(uses);
}

static bool list_children(struct tree_source *source, const void *of, bool control,
                          struct tree_children *out, struct err *err)
{
	const struct steps *steps = of_source(source);
	const struct step_child *child = of;
	uint32_t step = child ? child->step : steps->root;

	(void)control, (void)err;
	if (step == PROGRAM_NONE)
		return true;
	if (steps->to_recipients)
		add_recipients(steps->program, step, out);
	else
		add_inputs(steps->program, step, out);
	return true;
}

static void put_name(const struct tree_source *source, const void *of, struct str *out)
{
	const struct steps *steps = of_source(source);
	const struct step_child *child = of;

	if (child->step == PROGRAM_NONE) {
		str_fmt(out, "tensor %" PRId64, child->id);
		return;
	}
	put_step_name(out, steps->program, child->step);
	if (!steps->to_recipients && child->slot)
		str_fmt(out, ":%" PRIu32, child->slot);
}

/* NULL: not known. */
static const char *op_or_null(const struct tree_source *source, const void *of)
{
	uint32_t step = ((const struct step_child *)of)->step;

	return step == PROGRAM_NONE ? NULL : of_source(source)->program->steps.at[step].op;
}

static const char *op_of(const struct tree_source *source, const void *of)
{
	const char *op = op_or_null(source, of);

	return op ? op : "?";
}

static void put_keys(const struct tree_source *source, const void *of, struct data *data)
{
	const struct step_child *child = of;
	bool known = child->step != PROGRAM_NONE;
	struct str name = {0};

	if (known)
		put_step_name(&name, of_source(source)->program, child->step);
	key_str(data, "node", known ? name.text : NULL);
	data_key(data, "slot");
	data_int_or_null(data, known ? (int64_t)child->slot : -1);
	key_str(data, "op", op_or_null(source, of));
	key_int(data, "input", child->input);
	str_release(&name);
}

static void put_link(const struct tree_source *source, const void *of, struct str *out)
{
	struct subject subject = { ((const struct step_child *)of)->step, PROGRAM_NONE };

	if (subject.step != PROGRAM_NONE)
		subject_put_words(of_source(source)->program, &subject, out);
}

static void put_note(const struct tree_source *source, const void *of, struct str *out)
{
	const struct step_child *child = of;

	(void)source;
	if (child->step == PROGRAM_NONE)
		str_puts(out, "no producer recorded");
	else if (child->of_several)
		str_fmt(out, TAKES_OUTPUT, (int32_t)child->slot);
}

/* Of a step that is used the output that is, of one that uses it all that it made. */
static bool find_held(const struct tree_source *source, const void *of, struct program_tensor *out)
{
	const struct steps *steps = of_source(source);
	const struct step_child *child = of;

	return child->step != PROGRAM_NONE &&
	       held_by_step(steps->program, child->step,
	                    steps->to_recipients ? -1 : (int64_t)child->slot, out);
}

static enum row_sign sign_of(const struct tree_source *source, const void *of, bool look)
{
	struct program_tensor tensor;

	(void)look;
	return find_held(source, of, &tensor) ? tensor_sign(of_source(source)->program, &tensor)
	                                      : SIGN_NONE;
}

static enum role put_held(const struct tree_source *source, const void *of, bool fine,
                          struct str *out)
{
	struct program_tensor tensor;

	(void)fine;
	return find_held(source, of, &tensor)
	               ? held_put(of_source(source)->program, &tensor, out) : ROLE_PLAIN;
}

static void steps_free(struct tree_source *source)
{
	free(source);
}

static const struct tree_kind steps_kind = {
	.child_size = sizeof(struct step_child), .keys = USE_KEYS, .no_control = NO_CONTROL_EDGES,
	.children = list_children, .put_name = put_name, .op = op_of, .put_keys = put_keys,
	.put_link = put_link, .put_note = put_note, .put_held = put_held, .sign = sign_of,
	.free = steps_free,
};

struct tree_source *step_tree(const struct program *program, uint32_t step,
                              const struct tree_way *way)
{
	struct steps *steps = mem_alloc(sizeof *steps);

	*steps = (struct steps){ { &steps_kind }, program, step, way->to_recipients };
	return &steps->source;
}
