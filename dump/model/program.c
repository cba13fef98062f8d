/* Questions about a joined program. */
#include "dump/model/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/vec.h"
#include "dump/model/program_parts.h"

const char *const program_file_suffix[PROGRAM_FILE_KINDS] = {
#define X(id, suffix) suffix,
	PROGRAM_FILES(X)
#undef X
};

const char *const program_damage_name[PROGRAM_UNREADABLE + 1] = {
	"length_checksum", "payload_checksum", "not_an_event", "truncated", "missing", "empty",
	"unreadable",
};

const char *program_mode_name(int64_t mode)
{
	static const char *const names[] = {
		"UNSPECIFIED", "NO_TENSOR", "CURT_HEALTH", "CONCISE_HEALTH", "FULL_HEALTH",
		"SHAPE", "FULL_NUMERICS", "FULL_TENSOR", "REDUCE_INF_NAN_THREE_SLOTS",
	};

	return mode >= 0 && mode < (int64_t)(sizeof names / sizeof *names) ? names[mode] : NULL;
}

/* ---- the whole */

static void release_joins(struct program_join *join)
{
	void *made[] = {
		join->order, join->grouped, join->group_first, join->step_order, join->rows,
		join->within, join->graph_walk, join->inner, join->inner_first, join->graph_ops,
		join->graph_ops_first, join->holders, join->holders_first, join->uses,
		join->uses_first, join->made, join->taken,
	};

	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		free(made[i]);
	map_release(&join->texts);
	map_release(&join->graph_ids);
	map_release(&join->frame_ids);
	triples_release(&join->nodes);
	triples_release(&join->keys);
	triples_release(&join->sources);
	triples_release(&join->stacks);
	vec_release(&join->inputs);
	vec_release(&join->frame_of);
	free(join);
}

void program_close(struct program *program)
{
	if (!program)
		return;
	program->reader->close(program);
	release_joins(program->join);
	vec_release(&program->sets);
	vec_release(&program->damage);
	vec_release(&program->devices);
	vec_release(&program->graphs);
	vec_release(&program->nodes);
	vec_release(&program->ops);
	vec_release(&program->steps);
	vec_release(&program->entries);
	vec_release(&program->traces);
	vec_release(&program->keys);
	vec_release(&program->sources);
	vec_release(&program->batches);
	vec_release(&program->frames);
	vec_release(&program->stacks);
	vec_release(&program->stack_frames);
	vec_release(&program->ids);
	vec_release(&program->modes);
	vec_release(&program->graph_order);
	vec_release(&program->frame_order);
	arena_release(&program->mem);
	free(program);
}

/* ---- answered by the reader */

struct program *program_look_beside(const struct program *program, enum program_news *news,
                                    struct progress *progress, struct err *err)
{
	struct err own = {0};

	*news = PROGRAM_SAME;
	return program->reader->look_beside(program, news, progress, err ? err : &own);
}

struct program *program_read_beside(const struct program *program, struct progress *progress,
                                    struct err *err)
{
	struct err own = {0};

	return program->reader->read_beside(program, progress, err ? err : &own);
}

enum program_news program_look_again(struct program *program, struct progress *progress,
                                     struct err *err)
{
	enum program_news news;
	struct program *now = program_look_beside(program, &news, progress, err);

	if (now)
		program_take(program, now);
	return news;
}

bool program_scan(struct program *program, uint64_t max_bytes, struct progress *progress,
                  struct err *err)
{
	struct err own = {0};

	return program->reader->scan(program, max_bytes, progress, err ? err : &own);
}

bool program_health(struct program_reads *reads, const struct program_tensor *tensor,
                    struct health *health, struct progress *progress, struct err *err)
{
	*health = (struct health){0};
	return reads->program->reader->health(reads, tensor, health, progress, err);
}

struct value *program_value(struct program_reads *reads, const struct program_tensor *tensor,
                            struct err *err)
{
	struct err own = {0};

	return reads->program->reader->value(reads, tensor, err ? err : &own);
}

bool program_source_lines(struct program_reads *reads, uint32_t source, uint32_t first,
                          program_line_sink *sink, void *owner, struct err *err)
{
	struct err own = {0};

	return reads->program->reader->source_lines(reads, source, first, sink, owner,
	                                            err ? err : &own);
}

void program_reads_release(struct program_reads *reads)
{
	if (reads->path)
		file_close(&reads->file);
	free(reads->path);
	*reads = (struct program_reads){ .program = reads->program };
}

/* ---- times */

bool program_us(double time, int64_t *us)
{
	double whole, part;

	/* In microseconds these times and their differences fit 64 bits. */
	if (!(fabs(time) < 1e12))
		return false;
	part = modf(time, &whole);
	*us = (int64_t)whole * 1000000 + (int64_t)rint(part * 1e6);
	return true;
}

bool program_time_us(const struct program *program, double time, int64_t *us)
{
	if (!program_us(time, us))
		return false;
	*us -= program->t0_us;
	return true;
}

/* ---- graphs and ops */

size_t program_find_graphs(const struct program *program, const char *text, uint32_t *found,
                           size_t max)
{
	size_t len = strlen(text), n = 0;
	uint32_t exact = map_find(&program->join->graph_ids, text, len);

	if (exact != MAP_NONE) {
		if (max)
			found[0] = exact;
		return 1;
	}
	for (int by_name = 0; by_name < 2 && !n; by_name++)
		for (size_t i = 0; i < program->graph_order.len; i++) {
			uint32_t g = program->graph_order.at[i];
			const struct program_graph *graph = &program->graphs.at[g];

			if (by_name ? !*text || strcmp(graph->name, text)
			            : len < 8 || strncmp(graph->id, text, len))
				continue;
			if (n < max)
				found[n] = g;
			n++;
		}
	return n;
}

uint32_t program_find_node(const struct program *program, uint32_t graph, const char *name,
                           size_t len)
{
	uint32_t text = map_find(&program->join->texts, name, len);

	return text == MAP_NONE ? PROGRAM_NONE
	                        : triples_find(&program->join->nodes,
	                                       (struct triple){ graph, text, 0 });
}

size_t program_find_nodes(const struct program *program, const char *name, size_t len,
                          uint32_t *found, size_t max)
{
	uint32_t text = map_find(&program->join->texts, name, len);
	size_t n = 0;

	if (text == MAP_NONE)
		return 0;
	for (size_t i = 0; i < program->graph_order.len; i++) {
		struct triple triple = { program->graph_order.at[i], text, 0 };
		uint32_t node = triples_find(&program->join->nodes, triple);

		if (node == PROGRAM_NONE)
			continue;
		if (n < max)
			found[n] = node;
		n++;
	}
	return n;
}

size_t program_chain(const struct program *program, uint32_t graph, uint32_t *chain, size_t max)
{
	size_t n = (size_t)program->graphs.at[graph].depth + 1;

	for (size_t i = n; i-- > 0; graph = program->graphs.at[graph].outer)
		if (i < max)
			chain[i] = graph;
	return n;
}

bool program_is_within(const struct program *program, uint32_t graph, uint32_t outer)
{
	const struct program_span *in = &program->join->within[graph];
	const struct program_span *out = &program->join->within[outer];

	if (out->in_cycle)
		return in->cycle == out->cycle;
	return in->first >= out->first && in->first < out->last;
}

static const uint32_t *part_of(const uint32_t *all, const uint32_t *first, size_t i, size_t *n)
{
	*n = first[i + 1] - first[i];
	return all + first[i];
}

const uint32_t *program_inner(const struct program *program, uint32_t graph, size_t *n)
{
	return part_of(program->join->inner, program->join->inner_first, graph, n);
}

const uint32_t *program_graph_ops(const struct program *program, uint32_t graph, size_t *n)
{
	return part_of(program->join->graph_ops, program->join->graph_ops_first, graph, n);
}

const struct program_input *program_op_inputs(const struct program *program, uint32_t op)
{
	return vec_from(&program->join->inputs, program->ops.at[op].first_input);
}

void program_put_input(const struct program *program, const struct program_input *input,
                       struct str *out)
{
	if (input->slot == PROGRAM_CONTROL)
		str_putc(out, '^');
	str_puts(out, program->nodes.at[input->node].name);
	if (input->slot >= 0)
		str_fmt(out, ":%" PRId32, input->slot);
}

const struct program_use *program_uses(const struct program *program, uint32_t node, size_t *n)
{
	const uint32_t *first = program->join->uses_first + node;

	*n = first[1] - first[0];
	return program->join->uses + first[0];
}

/* ---- steps */

bool program_function_name(const char *op, struct text *name)
{
	static const char *const begins[] = { "__inference_", "__forward_", "__backward_" };
	const char *end = strrchr(op, '_');

	if (!end || !end[1] || end[1 + strspn(end + 1, "0123456789")])
		return false;
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
		const char *from = op + strlen(begins[i]);

		if (strncmp(op, begins[i], strlen(begins[i])) || end < from)
			continue;
		*name = (struct text){ from, (size_t)(end - from) };
		return true;
	}
	return false;
}

bool program_same_function(const struct program *program, uint32_t step, uint32_t other)
{
	const char *a = program->steps.at[step].op, *b = program->steps.at[other].op;
	struct text x, y;
	size_t len;

	if (!program_function_name(a, &x) || !program_function_name(b, &y))
		return false;
	len = (size_t)(x.at - a) + x.len;
	return len == (size_t)(y.at - b) + y.len && !memcmp(a, b, len);
}

uint32_t program_probable_graph(const struct program *program, uint32_t step)
{
	const struct program_step *s = &program->steps.at[step];
	uint32_t found = PROGRAM_NONE;
	struct text name;

	if (s->graph != PROGRAM_NONE || !program_function_name(s->op, &name))
		return s->graph;
	for (size_t i = 0; i < program->graphs.len; i++) {
		const char *graph = program->graphs.at[i].name;

		if (strncmp(graph, name.at, name.len) || graph[name.len] || !name.len)
			continue;
		if (found != PROGRAM_NONE)
			return PROGRAM_NONE;
		found = (uint32_t)i;
	}
	return found;
}

uint32_t program_step_rows(const struct program_step *step)
{
	return step->n_outputs > step->n_entries ? step->n_outputs : step->n_entries;
}

uint32_t program_placeholder(const struct program *program, uint32_t step, uint32_t input)
{
	const struct program_step *s = &program->steps.at[step];
	const uint32_t *holders;
	size_t n;

	if (s->graph == PROGRAM_NONE)
		return PROGRAM_NONE;
	holders = part_of(program->join->holders, program->join->holders_first, s->graph, &n);
	return n == s->n_input_ids && input < n ? holders[input] : PROGRAM_NONE;
}

/* The first of the sorted ids that is not before this id and step. */
static size_t first_id(const struct program_id *at, size_t n, int64_t id, uint32_t step)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (at[mid].id < id || (at[mid].id == id && at[mid].step < step))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

bool program_producer(const struct program *program, uint32_t step, uint32_t input,
                      struct program_producer *from)
{
	const struct program_join *join = program->join;
	int64_t id = program->ids.at[program->steps.at[step].first_id + input];
	size_t at = first_id(join->made, join->n_made, id, step);

	if (!at || join->made[at - 1].id != id)
		return false;
	*from = (struct program_producer){ join->made[at - 1].step, join->made[at - 1].position };
	return true;
}

static int order_uses(const void *a, const void *b)
{
	const struct program_step_use *x = a, *y = b;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->input != y->input)
		return x->input < y->input ? -1 : 1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

size_t program_step_uses(const struct program *program, uint32_t step,
                         struct program_step_use **uses)
{
	const struct program_join *join = program->join;
	const struct program_step *s = &program->steps.at[step];
	VEC(struct program_step_use) all = {0};

	for (uint32_t slot = 0; slot < s->n_output_ids; slot++) {
		int64_t id = program->ids.at[s->first_id + s->n_input_ids + slot];
		size_t next = first_id(join->made, join->n_made, id, step + 1);
		uint32_t until = next < join->n_made && join->made[next].id == id
			? join->made[next].step : PROGRAM_NONE;
		size_t at = first_id(join->taken, join->n_taken, id, step + 1);

		/* If a step has an id twice, the last place counts. */
		if (join->made[next - 1].position != slot)
			continue;
		for (; at < join->n_taken && join->taken[at].id == id &&
		       join->taken[at].step <= until; at++)
			vec_push(&all, ((struct program_step_use){
				slot, join->taken[at].step, join->taken[at].position }));
	}
	if (all.len)
		qsort(all.at, all.len, sizeof *all.at, order_uses);
	*uses = all.at;
	return all.len;
}

const char *program_device_name(const struct program *program, uint16_t set, int64_t id)
{
	for (size_t i = 0; i < program->devices.len; i++)
		if (program->devices.at[i].set == set && program->devices.at[i].id == id)
			return program->devices.at[i].name;
	return NULL;
}

/* ---- tensors */

const uint32_t *program_step_traces(const struct program *program, uint32_t step, size_t *n)
{
	return part_of(program->join->grouped, program->join->group_first, step, n);
}

static const uint32_t *pass_traces(const struct program *program, uint32_t pass, size_t *n)
{
	return part_of(program->join->grouped, program->join->group_first,
	               program->steps.len + pass, n);
}

uint32_t program_trace_before(const struct program *program, uint32_t trace, uint32_t node,
                              int32_t slot)
{
	const struct program_trace *t = &program->traces.at[trace];
	uint32_t found = PROGRAM_NONE;
	const uint32_t *at;
	size_t n;

	at = t->attribution == PROGRAM_UNATTRIBUTED ? pass_traces(program, t->owner, &n)
	                                            : program_step_traces(program, t->owner, &n);
	for (size_t i = 0; i < n && at[i] != trace; i++) {
		const struct program_key *key = &program->keys.at[program->traces.at[at[i]].key];

		if (key->node == node && key->slot == slot)
			found = at[i];
	}
	return found;
}

uint64_t program_n_tensors(const struct program *program, uint32_t of)
{
	size_t n;

	if (of == PROGRAM_NONE)
		return program->n_tensors;
	program_step_traces(program, of, &n);
	return n + program_step_rows(&program->steps.at[of]);
}

static struct program_tensor trace_tensor(const struct program *program, uint32_t trace)
{
	const struct program_trace *t = &program->traces.at[trace];

	return (struct program_tensor){
		.trace = trace,
		.step = t->attribution == PROGRAM_UNATTRIBUTED ? PROGRAM_NONE : t->owner,
	};
}

static struct program_tensor output_tensor(uint32_t step, uint32_t row)
{
	return (struct program_tensor){ .trace = PROGRAM_NONE, .step = step, .row = row };
}

static struct program_tensor tensor_of_all(const struct program *program, uint64_t i)
{
	const struct program_join *join = program->join;
	size_t low = 0, high = program->steps.len;
	const struct program_rows *rows;
	uint32_t step;

	/* The number of steps whose outputs begin at or before i. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (join->rows[mid].before <= i)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return trace_tensor(program, join->order[i]);
	rows = &join->rows[low - 1];
	step = join->step_order[low - 1];
	i -= rows->before;
	if (i < program_step_rows(&program->steps.at[step]))
		return output_tensor(step, (uint32_t)i);
	i -= program_step_rows(&program->steps.at[step]);
	return trace_tensor(program, join->order[rows->before - rows->rows + i]);
}

struct program_tensor program_tensor(const struct program *program, uint32_t of, uint64_t i)
{
	const struct program_step *step;
	size_t n, low = 0, high;
	const uint32_t *traces;
	uint32_t rows;

	if (of == PROGRAM_NONE)
		return tensor_of_all(program, i);
	traces = program_step_traces(program, of, &n);
	step = &program->steps.at[of];
	rows = program_step_rows(step);
	high = n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		double time = program->traces.at[traces[mid]].time;

		if (program_order_time(time) <= program_order_time(step->time))
			low = mid + 1;
		else
			high = mid;
	}
	if (i < low)
		return trace_tensor(program, traces[i]);
	if (i - low < rows)
		return output_tensor(of, (uint32_t)(i - low));
	return trace_tensor(program, traces[i - rows]);
}

const struct program_entry *program_entry(const struct program *program,
                                          const struct program_tensor *tensor)
{
	const struct program_step *step = &program->steps.at[tensor->step];

	return tensor->row < step->n_entries ? &program->entries.at[step->first_entry + tensor->row]
	                                     : NULL;
}

static bool is_trace(const struct program_tensor *tensor)
{
	return tensor->trace != PROGRAM_NONE;
}

int64_t program_slot(const struct program *program, const struct program_tensor *tensor)
{
	const struct program_step *step;

	if (is_trace(tensor))
		return program->keys.at[program->traces.at[tensor->trace].key].slot;
	step = &program->steps.at[tensor->step];
	if (step->n_entries && step->n_entries != step->n_outputs)
		return -1;
	return tensor->row;
}

double program_tensor_time(const struct program *program, const struct program_tensor *tensor)
{
	return is_trace(tensor) ? program->traces.at[tensor->trace].time
	                        : program->steps.at[tensor->step].time;
}

int64_t program_mode(const struct program *program, const struct program_tensor *tensor)
{
	return program->modes.at[is_trace(tensor) ? program->traces.at[tensor->trace].mode
	                                          : program->steps.at[tensor->step].mode];
}

uint32_t program_size_bytes(const struct program *program, const struct program_tensor *tensor)
{
	const struct program_entry *entry;

	if (is_trace(tensor))
		return program->traces.at[tensor->trace].size_bytes;
	entry = program_entry(program, tensor);
	return entry ? entry->size_bytes : 0;
}

struct program_place program_where(const struct program *program,
                                   const struct program_tensor *tensor)
{
	const struct program_trace *trace;

	if (!is_trace(tensor))
		return program->steps.at[tensor->step].at;
	trace = &program->traces.at[tensor->trace];
	return (struct program_place){ trace->off, trace->set, (uint8_t)trace->file };
}

enum program_bad program_bad(const struct program *program, const struct program_tensor *tensor)
{
	const struct program_entry *entry;

	if (is_trace(tensor))
		return (enum program_bad)program->traces.at[tensor->trace].bad;
	entry = program_entry(program, tensor);
	return entry ? (enum program_bad)entry->bad : PROGRAM_CANT_TELL;
}

unsigned program_kinds(const struct program *program, const struct program_tensor *tensor)
{
	const struct program_entry *entry;

	if (is_trace(tensor))
		return program->traces.at[tensor->trace].kinds;
	entry = program_entry(program, tensor);
	return entry ? entry->kinds : 0;
}

void program_put_name(const struct program *program, const struct program_tensor *tensor,
                      struct str *out)
{
	int64_t slot = program_slot(program, tensor);

	if (is_trace(tensor)) {
		uint32_t key = program->traces.at[tensor->trace].key;

		str_puts(out, program->nodes.at[program->keys.at[key].node].name);
		str_fmt(out, ":%" PRId64, slot);
		return;
	}
	str_puts(out, program->steps.at[tensor->step].op);
	str_fmt(out, "#%" PRIu32 ":%s%" PRIu32, tensor->step, slot < 0 ? "?" : "", tensor->row);
}

/* ---- frames */

void program_frame_uses(const struct program *program, struct program_frame_use *uses)
{
	struct program_frame_use *stack = mem_alloc(program->stacks.len * sizeof *stack);
	uint32_t *seen = mem_alloc(program->frames.len * sizeof *seen);

	memset(uses, 0, program->frames.len * sizeof *uses);
	for (size_t i = 0; i < program->ops.len; i++)
		stack[program->ops.at[i].stack].n_ops++;
	for (size_t i = 0; i < program->steps.len; i++)
		stack[program->steps.at[i].stack].n_steps++;
	for (size_t i = 0; i < program->stacks.len; i++)
		for (uint32_t k = 0; k < program->stacks.at[i].n_frames; k++) {
			uint32_t f = program->stack_frames.at[program->stacks.at[i].first + k];

			if (seen[f] == i + 1)
				continue;
			seen[f] = (uint32_t)i + 1;
			uses[f].n_ops += stack[i].n_ops;
			uses[f].n_steps += stack[i].n_steps;
		}
	free(stack);
	free(seen);
}
