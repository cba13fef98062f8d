/*
 * Where something in a recorded program comes from: its record in a file of the dump, what lies in
 * that, the records of its inputs, and the line of source code.
 */
#include "cmds/tensor/explain.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/array/slice.h"
#include "cmds/program/source_files.h"
#include "cmds/program/step_row.h"
#include "dump/format/tfrecord.h"

static void add_record(struct call *call, const char *what, const char *name,
                       const struct program_place *place, uint64_t bytes, struct spots *spots)
{
	struct str file = {0};

	program_put_file(call->shell->program, place, &file);
	spots_add(spots, what, spot_keep(call, name), spot_keep(call, file.text),
	          place->off, bytes);
	str_release(&file);
}

static void add_tensor(struct call *call, const char *what, const struct program_tensor *tensor,
                       struct spots *spots)
{
	const struct program *program = call->shell->program;
	struct program_place place = program_where(program, tensor);
	uint64_t bytes = SPOT_UNKNOWN;
	struct str name = {0};

	if (tensor->trace != PROGRAM_NONE)
		bytes = program->traces.at[tensor->trace].len + (uint64_t)TFRECORD_FRAME;
	program_put_name(program, tensor, &name);
	add_record(call, what, name.text, &place, bytes, spots);
	str_release(&name);
}

/* The innermost frame outside TensorFlow, or the outermost if all are inside. */
static const struct program_frame *own_frame(const struct program *program, uint32_t stack)
{
	const struct program_stack *s = &program->stacks.at[stack];
	const struct program_frame *found = NULL;

	for (uint32_t i = s->n_frames; i-- > 0;) {
		const struct program_frame *frame =
			&program->frames.at[program->stack_frames.at[s->first + i]];

		if (!frame->recorded || frame->source == PROGRAM_NONE)
			continue;
		found = frame;
		if (!is_tensorflow_file(program->sources.at[frame->source].path))
			break;
	}
	return found;
}

static void add_made(struct call *call, const char *name, uint32_t stack, struct spots *spots)
{
	const struct program *program = call->shell->program;
	const struct program_frame *frame;
	struct str link = {0};
	const char *path;

	frame = stack == PROGRAM_NONE ? NULL : own_frame(program, stack);
	if (!frame)
		return;
	path = program->sources.at[frame->source].path;
	put_source_link(&link, program, frame->source, frame->line);
	spots_add_line(spots, spot_keep(call, name), path, (uint64_t)frame->line,
	               spot_keep(call, link.text));
	str_release(&link);
}

/* ---- steps and what they took */

static void add_step_inputs(struct call *call, uint32_t step, struct spots *spots)
{
	const struct program *program = call->shell->program;
	struct program_producer from;
	struct str name = {0};

	for (uint32_t i = 0; i < program->steps.at[step].n_input_ids; i++) {
		if (!program_producer(program, step, i, &from))
			continue;
		str_reset(&name);
		put_output_name(&name, program, from.step, from.slot);
		add_record(call, "input", name.text, &program->steps.at[from.step].at,
		           SPOT_UNKNOWN, spots);
	}
	str_release(&name);
}

static void add_step(struct call *call, uint32_t step, struct spots *spots)
{
	const struct program_step *s = &call->shell->program->steps.at[step];
	struct str name = {0};

	str_fmt(&name, "%s#%" PRIu32, s->op, step);
	if (!spots->at.len)
		add_record(call, "record", name.text, &s->at, SPOT_UNKNOWN, spots);
	add_step_inputs(call, step, spots);
	add_made(call, name.text, s->stack, spots);
	str_release(&name);
}

/* ---- ops and what they took */

/* The last dump of an input in a step, before a trace of it; PROGRAM_NONE: none. */
static uint32_t last_dump(const struct program *program, const struct program_input *input,
                          uint32_t step, uint32_t before)
{
	int64_t slot = input->slot < 0 ? 0 : input->slot;
	uint32_t found = PROGRAM_NONE;
	const uint32_t *traces;
	size_t n;

	traces = program_step_traces(program, step, &n);
	for (size_t i = 0; i < n && traces[i] != before; i++) {
		const struct program_key *key =
			&program->keys.at[program->traces.at[traces[i]].key];

		if (key->node == input->node && key->slot == slot)
			found = traces[i];
	}
	return found;
}

/* For each input a row: its dump in the same step, or else where its op was created. */
static void add_op_inputs(struct call *call, uint32_t op, const struct program_tensor *of,
                          struct spots *spots)
{
	const struct program *program = call->shell->program;
	const struct program_input *inputs = program_op_inputs(program, op);
	struct str name = {0};

	for (uint32_t i = 0; i < program->ops.at[op].n_inputs; i++) {
		struct program_tensor dump = { .trace = PROGRAM_NONE };
		uint32_t made_by = program->nodes.at[inputs[i].node].op;

		if (inputs[i].slot == PROGRAM_CONTROL)
			continue;
		if (of && of->step != PROGRAM_NONE)
			dump.trace = last_dump(program, &inputs[i], of->step, of->trace);
		str_reset(&name);
		program_put_input(program, &inputs[i], &name);
		if (dump.trace != PROGRAM_NONE)
			add_tensor(call, "input", &dump, spots);
		else if (made_by != PROGRAM_NONE)
			add_record(call, "input", name.text, &program->ops.at[made_by].at,
			           SPOT_UNKNOWN, spots);
	}
	str_release(&name);
}

/* of: the tensor of the node that is explained; NULL: none is. */
static void add_node(struct call *call, uint32_t node, const struct program_tensor *of,
                     struct spots *spots)
{
	const struct program *program = call->shell->program;
	uint32_t op = program->nodes.at[node].op;
	const char *name = program->nodes.at[node].name;

	if (op == PROGRAM_NONE)
		return;
	add_record(call, "node", name, &program->ops.at[op].at, SPOT_UNKNOWN, spots);
	add_op_inputs(call, op, of, spots);
	add_made(call, name, program->ops.at[op].stack, spots);
}

/* ---- what was typed */

static bool explain_tensor(struct call *call, const struct tensor_words *words,
                           const struct opt_value *element, struct spots *spots)
{
	const struct program *program = call->shell->program;
	struct request req;
	struct value *value;
	bool ok;

	if (!request_find(call, words, &req))
		return false;
	add_tensor(call, "record", &req.traced, spots);
	value = request_value(call, &req, &call->err);
	if (value) {
		ok = spots_add_value(call, &req, value, element, spots);
		value_close(value);
		if (!ok)
			return false;
	} else if (call->err.code != ERR_MISSING || element->given || req.slice) {
		return false;
	}
	call->err.code = ERR_NONE;
	if (req.traced.trace == PROGRAM_NONE)
		add_step(call, req.traced.step, spots);
	else
		add_node(call, program->keys.at[program->traces.at[req.traced.trace].key].node,
		         &req.traced, spots);
	return true;
}

/* Explains a node: where its op was created, and its dumps in the step. */
static bool explain_node(struct call *call, const struct tensor_words *words,
                         struct spots *spots)
{
	const struct program *program = call->shell->program;
	uint32_t step = call->shell->program_step, node;
	const uint32_t *traces = NULL;
	int64_t slot;
	size_t n = 0;

	if (words->step->given && !choose_step(call, words->step, &step))
		return false;
	if (!choose_node(call, words->word, words->graph->word, step, &node, &slot))
		return false;
	add_node(call, node, NULL, spots);
	if (step != PROGRAM_NONE)
		traces = program_step_traces(program, step, &n);
	for (size_t i = 0; i < n; i++)
		if (program->keys.at[program->traces.at[traces[i]].key].node == node) {
			struct program_tensor dump = { .trace = traces[i], .step = step };

			add_tensor(call, "record", &dump, spots);
		}
	if (!spots->at.len)
		call_error(call, "ERROR: The creation of \"%s\" was not recorded.", words->word);
	return spots->at.len;
}

/* Does the word end in a slot? */
static bool has_slot(const char *word)
{
	const char *colon = strrchr(word, ':');

	return colon && colon[1] && !colon[1 + (colon[1] == '?') +
	                                   strspn(colon + 1 + (colon[1] == '?'), "0123456789")];
}

bool traced_explain(struct call *call, const struct tensor_words *words,
                    const struct opt_value *element, struct spots *spots)
{
	const char *bare, *slice;
	struct step_name name;

	slice_cut(words->word ? words->word : "", call->mem, &bare, &slice);
	if (slice || words->trace->given || !*bare || has_slot(bare))
		return explain_tensor(call, words, element, spots);
	if (!step_name_read(call->shell->program, bare, &name))
		return explain_node(call, words, spots);
	add_step(call, name.step, spots);
	return true;
}
