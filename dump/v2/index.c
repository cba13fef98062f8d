/*
 * Adds records to the model. Each record is parsed while it lies in the window of its file, and the
 * names in it are looked up at once. A trace costs its checksum, a dozen fields and a comparison
 * with the key that was expected.
 */
#include "dump/v2/index.h"

#include <string.h>

#define LOCATION_MAX (16 << 20)  /* bytes; longer stacks are not kept */
#define TRACES_MAX (UINT32_MAX - 1)
#define ROWS_MAX 65536           /* most outputs of a step if only their number is recorded */


/* ---- names */

static bool name_at(struct indexing *x, struct span span, struct name *name)
{
	return wire_name(x->file, span, &x->scratch, name, &x->err);
}

static bool text_at(struct indexing *x, struct span span, uint32_t *text)
{
	struct name name;

	if (!name_at(x, span, &name))
		return false;
	*text = program_add_text(x->program, name.text, name.len);
	return true;
}

/* Is the name at span the last one? False also if it can't be read. */
static bool same_as_last(struct indexing *x, const struct last_name *last, struct span span)
{
	const void *bytes;

	if (!last->text.text || last->text.len != span.len)
		return false;
	bytes = file_bytes(x->file, span.off, (size_t)span.len, NULL);
	return bytes && !memcmp(last->text.text, bytes, (size_t)span.len);
}

static void is_last(struct last_name *last, const struct name *name, uint32_t number)
{
	str_reset(&last->text);
	str_put(&last->text, name->text, name->len);
	last->number = number;
}

static bool graph_at(struct indexing *x, struct span span, uint32_t *graph)
{
	struct name name;

	if (!same_as_last(x, &x->graph, span)) {
		if (!name_at(x, span, &name))
			return false;
		is_last(&x->graph, &name, program_add_graph(x->program, name.text, name.len));
	}
	*graph = x->graph.number;
	return true;
}

static bool device_at(struct indexing *x, struct span span, uint32_t *device)
{
	struct name name;

	if (!same_as_last(x, &x->device, span)) {
		if (!name_at(x, span, &name))
			return false;
		is_last(&x->device, &name, program_add_text(x->program, name.text, name.len));
	}
	*device = x->device.number;
	return true;
}

/* PROGRAM_NONE if the name is empty. */
static bool graph_if_any(struct indexing *x, struct span span, uint32_t *graph)
{
	*graph = PROGRAM_NONE;
	return !span.len || graph_at(x, span, graph);
}

/* ---- stacks */

static uint64_t hash_bytes(const unsigned char *bytes, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u ^ len;

	for (; len >= 8; len -= 8, bytes += 8) {
		uint64_t word;

		memcpy(&word, bytes, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 32;
	}
	while (len--)
		h = (h ^ *bytes++) * 0x100000001b3u;
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

static bool add_stack(struct indexing *x, struct span span)
{
	struct program *program = x->program;
	struct program_stack stack = { .first = program->stack_frames.len };
	struct name name;
	uint32_t host;

	if (!event_location(x->file, span, &x->location, &x->err) ||
	    !text_at(x, x->location.host, &host))
		return false;
	for (size_t i = 0; i < x->location.frames.len; i++) {
		uint32_t frame;

		if (!name_at(x, x->location.frames.at[i], &name))
			return false;
		frame = program_add_frame(program, name.text, name.len);
		vec_push(&program->stack_frames, frame);
	}
	stack.host = program_text(program, host);
	stack.n_frames = (uint32_t)x->location.frames.len;
	vec_push(&program->stacks, stack);
	return true;
}

/* Stacks with the same bytes are shared; they are compared by a 64-bit hash and their length. */
static bool stack_at(struct indexing *x, struct span span, uint32_t *stack)
{
	struct triples *known = &x->program->join->stacks;
	const unsigned char *bytes;
	struct triple triple;
	uint64_t hash;

	if (span.len > LOCATION_MAX)
		span.len = 0;
	bytes = file_bytes(x->file, span.off, (size_t)span.len, &x->err);
	if (!bytes)
		return false;
	hash = hash_bytes(bytes, (size_t)span.len);
	triple = (struct triple){ (uint32_t)(hash >> 32), (uint32_t)hash, (uint32_t)span.len };
	*stack = triples_find(known, triple);
	if (*stack != PROGRAM_NONE)
		return true;
	if (!add_stack(x, span))
		return false;
	*stack = triples_add(known, triple);
	return true;
}

/* ---- records */

static bool take_metadata(struct indexing *x, const struct event *event)
{
	struct program_set *set = &x->program->sets.at[x->at.set];
	struct v2_reading *reading = x->reading;
	struct event_metadata m;
	uint32_t version, file_version, run_id;

	if (!event_metadata(x->file, event->body, &m, &x->err) ||
	    !text_at(x, m.tensorflow_version, &version) ||
	    !text_at(x, m.file_version, &file_version) || !text_at(x, m.run_id, &run_id))
		return false;
	if (!reading->any_start || event->time < reading->first_start)
		reading->first_start = event->time;
	reading->any_start = true;
	if (set->has_start)
		return true;
	set->has_start = true;
	set->start = event->time;
	set->tensorflow_version = m.tensorflow_version.len ? program_text(x->program, version)
	                                                   : NULL;
	set->file_version = m.file_version.len ? program_text(x->program, file_version) : NULL;
	set->run_id = m.run_id.len ? program_text(x->program, run_id) : NULL;
	return true;
}

static bool take_source(struct indexing *x, const struct event *event)
{
	struct event_source s;
	uint32_t host, path, source;

	if (!event_source(x->file, event->body, &s, &x->err) || !text_at(x, s.host, &host) ||
	    !text_at(x, s.path, &path))
		return false;
	source = program_add_source(x->program, host, path, x->at);
	if (source != PROGRAM_NONE) {
		x->program->sources.at[source].n_lines = s.n_lines;
		x->program->sources.at[source].len = x->len;
	}
	return true;
}

static bool take_frame(struct indexing *x, const struct event *event)
{
	struct program_frame *frame;
	struct event_frame f;
	uint32_t function, number;
	struct name name;

	if (!event_frame(x->file, event->body, &f, &x->err) ||
	    !text_at(x, f.function, &function) || !name_at(x, f.id, &name))
		return false;
	number = program_add_frame(x->program, name.text, name.len);
	frame = &x->program->frames.at[number];
	if (frame->recorded) {
		struct program_frame again = *frame;

		vec_push(&x->program->frames, again);
		frame = vec_last(&x->program->frames);
	}
	frame->recorded = true;
	frame->function = program_text(x->program, function);
	frame->at = x->at;
	frame->file_index = f.file_index;
	frame->line = f.line;
	return true;
}

static bool take_device(struct indexing *x, const struct event *event)
{
	struct event_device d;
	uint32_t name;

	if (!event_device(x->file, event->body, &d, &x->err) || !text_at(x, d.name, &name))
		return false;
	vec_push(&x->program->devices, ((struct program_device){
		.set = x->at.set, .id = d.id, .name = program_text(x->program, name) }));
	return true;
}

static bool take_graph(struct indexing *x, const struct event *event)
{
	struct program_graph *graph;
	struct event_graph g;
	uint32_t number, outer, name;

	if (!event_graph(x->file, event->body, &g, &x->err) || !graph_at(x, g.id, &number) ||
	    !graph_if_any(x, g.outer, &outer) || !text_at(x, g.name, &name))
		return false;
	graph = &x->program->graphs.at[number];
	if (!graph->recorded) {
		graph->recorded = true;
		graph->at = x->at;
		graph->time = event->time;
	}
	graph->name = program_text(x->program, name);
	graph->outer = outer;
	return true;
}

/* "name:slot", "^name"; anything else is a name. */
static int32_t cut_input(struct name *name)
{
	const char *colon = memrchr(name->text, ':', name->len);
	size_t digits = colon ? (size_t)(name->text + name->len - colon) - 1 : 0;
	int32_t slot = 0;

	if (name->len && name->text[0] == '^') {
		*name = (struct name){ name->text + 1, name->len - 1 };
		return PROGRAM_CONTROL;
	}
	if (!digits || digits > 9 || (digits > 1 && colon[1] == '0'))
		return PROGRAM_BARE;
	for (size_t i = 1; i <= digits; i++) {
		if (!is_digit(colon[i]))
			return PROGRAM_BARE;
		slot = slot * 10 + (colon[i] - '0');
	}
	name->len = (size_t)(colon - name->text);
	return slot;
}

static void add_ids(struct program *program, const event_numbers *ids)
{
	for (size_t i = 0; i < ids->len; i++)
		vec_push(&program->ids, ids->at[i]);
}

static bool take_inputs(struct indexing *x, uint32_t graph)
{
	struct program *program = x->program;

	for (size_t i = 0; i < x->op.inputs.len; i++) {
		struct program_input input;
		struct name name;

		if (!name_at(x, x->op.inputs.at[i], &name))
			return false;
		input.slot = cut_input(&name);
		input.node = program_add_node(program, graph,
		                              program_add_text(program, name.text, name.len));
		vec_push(&program->join->inputs, input);
	}
	return true;
}

static bool take_op(struct indexing *x, const struct event *event)
{
	struct program *program = x->program;
	struct program_op op = { .time = event->time, .at = x->at };
	uint32_t graph, name, type;

	if (!event_op(x->file, event->body, &x->op, &x->err) || !graph_at(x, x->op.graph, &graph) ||
	    !text_at(x, x->op.name, &name) || !text_at(x, x->op.type, &type) ||
	    !stack_at(x, x->op.location, &op.stack))
		return false;
	op.first_input = program->join->inputs.len;
	if (!take_inputs(x, graph)) {
		program->join->inputs.len = op.first_input;
		return false;
	}
	op.type = program_text(program, type);
	op.n_outputs = x->op.n_outputs;
	op.n_inputs = (uint32_t)x->op.inputs.len;
	op.n_ids = (uint32_t)x->op.ids.len;
	op.first_id = program->ids.len;
	add_ids(program, &x->op.ids);
	op.node = program_add_op_node(program, graph, name);
	vec_push(&program->ops, op);
	return true;
}

/* Whether the tensor is bad, and how, if its record says so by itself. */
static bool bad_at(struct indexing *x, int64_t mode, struct span tensor, uint8_t *bad,
                   uint8_t *kinds)
{
	double number[V2_SUMMARY_MAX];
	size_t n;

	*bad = PROGRAM_CANT_TELL;
	*kinds = 0;
	if (!tensor.len)
		return true;
	if (mode == V2_FULL_TENSOR) {
		*bad = PROGRAM_UNSCANNED;
		return true;
	}
	if (mode != V2_CURT && mode != V2_CONCISE && mode != V2_FULL_HEALTH)
		return true;
	if (!event_summary(x->file, tensor, number, V2_SUMMARY_MAX, &n, &x->err))
		return false;
	*bad = (uint8_t)v2_summary_bad(mode, number, n, kinds);
	return true;
}

/* An absurd number of outputs is not believed without other signs of them. */
static uint32_t outputs_of(const struct event_execution *e)
{
	uint32_t told = (uint32_t)e->outputs.len;
	uint32_t n = e->n_outputs > 0 ? (uint32_t)e->n_outputs : 0;

	if (n > ROWS_MAX && n > told)
		n = told > ROWS_MAX ? told : ROWS_MAX;
	return n;
}

static bool take_entries(struct indexing *x)
{
	for (size_t i = 0; i < x->execution.tensors.len; i++) {
		struct span span = x->execution.tensors.at[i];
		struct program_entry entry = { .off = span.off, .size_bytes = (uint32_t)span.len };

		if (!bad_at(x, x->execution.mode, span, &entry.bad, &entry.kinds))
			return false;
		vec_push(&x->program->entries, entry);
	}
	return true;
}

static bool take_execution(struct indexing *x, const struct event *event)
{
	struct program *program = x->program;
	struct event_execution *e = &x->execution;
	struct program_step step = { .time = event->time, .at = x->at };
	struct text name;
	uint32_t op;

	if (program->steps.len == TRACES_MAX)
		return true;
	step.first_entry = program->entries.len;
	step.first_id = program->ids.len;
	if (!event_execution(x->file, event->body, e, &x->err) || !text_at(x, e->op, &op) ||
	    !graph_if_any(x, e->graph, &step.graph) || !stack_at(x, e->location, &step.stack))
		return false;
	if (!take_entries(x)) {
		program->entries.len = step.first_entry;
		return false;
	}
	step.op = program_text(program, op);
	step.is_function = step.graph != PROGRAM_NONE || program_function_name(step.op, &name);
	step.mode = program_add_mode(program, e->mode);
	step.n_outputs = outputs_of(e);
	step.n_entries = (uint32_t)e->tensors.len;
	step.n_input_ids = (uint32_t)e->inputs.len;
	step.n_output_ids = (uint32_t)e->outputs.len;
	step.n_device_ids = (uint32_t)e->devices.len;
	add_ids(program, &e->inputs);
	add_ids(program, &e->outputs);
	add_ids(program, &e->devices);
	vec_push(&program->steps, step);
	program->n_function_steps += step.is_function;
	return true;
}

/* Is this the key? */
static bool is_key(const struct program *program, uint32_t number, uint32_t graph,
                   const struct name *name, int32_t slot, uint32_t device)
{
	const struct program_key *key = &program->keys.at[number];
	const struct program_node *node = &program->nodes.at[key->node];

	return node->graph == graph && key->slot == slot &&
	       key->device == program_text(program, device) &&
	       !strncmp(node->name, name->text, name->len) && !node->name[name->len];
}

/* The key of a trace. Traces come in much the same order in each call: that is tried first. */
static bool key_at(struct indexing *x, const struct event_trace *t, uint32_t *key)
{
	struct program *program = x->program;
	uint32_t graph, device, *guess = NULL, node;
	struct name name;

	if (!graph_at(x, t->graph, &graph) || !device_at(x, t->device, &device) ||
	    !name_at(x, t->op, &name))
		return false;
	if (x->last_key < x->next_key.len)
		guess = &x->next_key.at[x->last_key];
	if (guess && *guess < program->keys.len &&
	    is_key(program, *guess, graph, &name, t->slot, device)) {
		*key = x->last_key = *guess;
		return true;
	}
	node = program_add_node(program, graph, program_add_text(program, name.text, name.len));
	*key = program_add_key(program, node, t->slot, device);
	if (guess)
		*guess = *key;
	while (x->next_key.len < program->keys.len)
		vec_push(&x->next_key, PROGRAM_NONE);
	x->last_key = *key;
	return true;
}

static bool take_trace(struct indexing *x, const struct event *event)
{
	struct program *program = x->program;
	struct event_trace t;
	uint32_t key;
	uint8_t bad, kinds;

	if (program->traces.len == TRACES_MAX)
		return true;
	if (!event_trace(x->file, event->body, &t, &x->err) ||
	    !bad_at(x, t.mode, t.tensor, &bad, &kinds) || !key_at(x, &t, &key))
		return false;
	vec_push(&program->traces, ((struct program_trace){
		.time = event->time, .off = x->at.off, .len = (uint32_t)x->len, .key = key,
		.size_bytes = (uint32_t)t.tensor.len, .set = x->at.set,
		.mode = program_add_mode(program, t.mode) & 63,
		.attribution = PROGRAM_UNATTRIBUTED, .bad = bad & 3, .file = x->at.file & 7,
		.kinds = kinds & 7 }));
	return true;
}

bool index_event(struct indexing *x, const struct event *event)
{
	switch (event->what) {
	case EVENT_METADATA:
		return take_metadata(x, event);
	case EVENT_SOURCE:
		return take_source(x, event);
	case EVENT_FRAME:
		return take_frame(x, event);
	case EVENT_OP:
		return take_op(x, event);
	case EVENT_GRAPH:
		return take_graph(x, event);
	case EVENT_EXECUTION:
		return take_execution(x, event);
	case EVENT_TRACE:
		return take_trace(x, event);
	case EVENT_DEVICE:
		return take_device(x, event);
	case EVENT_NOTHING:
		break;
	}
	return true;
}

void index_release(struct indexing *x)
{
	str_release(&x->scratch);
	str_release(&x->graph.text);
	str_release(&x->device.text);
	vec_release(&x->next_key);
	vec_release(&x->op.inputs);
	vec_release(&x->op.ids);
	vec_release(&x->execution.inputs);
	vec_release(&x->execution.outputs);
	vec_release(&x->execution.devices);
	vec_release(&x->execution.tensors);
	vec_release(&x->location.frames);
}
