/*
 * What depends on all records: which graph is inside which, the order of tensors, who uses what.
 * It is all made again each time. Lists by owner (such as the ops of each graph) are one array,
 * sorted by owner in two passes, with the position where each owner's part begins.
 */
#include "dump/model/program_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- order of records */

int program_order_places(const struct program_place *a, const struct program_place *b)
{
	if (a->set != b->set)
		return a->set < b->set ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->off > b->off) - (a->off < b->off);
}

static struct program_place place_of_trace(const struct program_trace *trace)
{
	return (struct program_place){ trace->off, trace->set, (uint8_t)trace->file };
}

static int order_traces(const void *a, const void *b)
{
	struct program_place x = place_of_trace(a), y = place_of_trace(b);

	return program_order_places(&x, &y);
}

#define ORDER_BY_PLACE(name, type) \
	static int name(const void *a, const void *b) \
	{ \
		return program_order_places(&((const type *)a)->at, &((const type *)b)->at); \
	}
ORDER_BY_PLACE(order_steps, struct program_step)
ORDER_BY_PLACE(order_ops, struct program_op)
ORDER_BY_PLACE(order_sources, struct program_source)
ORDER_BY_PLACE(order_damage, struct program_damage)

/* Sorts n elements; true if they were not in order. */
static bool sort(void *at, size_t n, size_t size, int (*order)(const void *, const void *))
{
	const char *bytes = at;
	size_t i = 1;

	while (i < n && order(bytes + (i - 1) * size, bytes + i * size) <= 0)
		i++;
	if (i >= n)
		return false;
	qsort(at, n, size, order);
	return true;
}

#define SORT(list, order) sort((list).at, (list).len, sizeof *(list).at, order)

/* ---- lists by owner */

/* Where each owner's part begins: counts at owner + 1 become positions. */
static void add_up(uint32_t *first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		first[i + 1] += first[i];
}

struct parts {
	uint32_t *all, *first;
};

/* Sorts 0..n by owner_of, leaving out PROGRAM_NONE; the order within an owner stays. */
static struct parts parts_by(const struct program *program, size_t n, size_t n_owners,
                             uint32_t (*owner_of)(const struct program *program, size_t i))
{
	struct parts parts = { NULL, mem_alloc((n_owners + 2) * sizeof(uint32_t)) };
	uint32_t *next = parts.first + 1, owner;

	for (size_t i = 0; i < n; i++)
		if ((owner = owner_of(program, i)) != PROGRAM_NONE)
			next[owner + 1]++;
	add_up(next, n_owners);
	parts.all = mem_alloc(next[n_owners] * sizeof *parts.all);
	for (size_t i = 0; i < n; i++)
		if ((owner = owner_of(program, i)) != PROGRAM_NONE)
			parts.all[next[owner]++] = (uint32_t)i;
	return parts;
}

static void keep(struct parts parts, uint32_t **all, uint32_t **first)
{
	free(*all);
	free(*first);
	*all = parts.all;
	*first = parts.first;
}

/* ---- all records in order */

static uint32_t set_of_device(const struct program *program, size_t i)
{
	return program->devices.at[i].set;
}

static void sort_devices(struct program *program)
{
	size_t n = program->devices.len;
	struct parts by_set = parts_by(program, n, program->sets.len, set_of_device);
	struct program_device *sorted = mem_alloc(n * sizeof *sorted);

	for (size_t i = 0; i < n; i++)
		sorted[i] = program->devices.at[by_set.all[i]];
	for (size_t i = 0; i < n; i++)
		program->devices.at[i] = sorted[i];
	free(sorted);
	free(by_set.all);
	free(by_set.first);
}

bool program_sort(struct program *program)
{
	bool changed = SORT(program->traces, order_traces);

	changed |= SORT(program->steps, order_steps);
	changed |= SORT(program->sources, order_sources);
	SORT(program->damage, order_damage);
	sort_devices(program);
	if (SORT(program->ops, order_ops)) {
		changed = true;
		for (size_t i = 0; i < program->ops.len; i++)
			program->nodes.at[program->ops.at[i].node].op = (uint32_t)i;
	}
	return changed;
}

/* ---- graphs */

static bool is_digits(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return n && !text[n];
}

/* Does it end in while_body or while_cond, followed by "_" and numbers? */
static bool is_loop_name(const char *name)
{
	size_t len = strlen(name);
	const char *end;

	for (;;) {
		const char *low = memrchr(name, '_', len);
		char digits[24];
		size_t n;

		if (!low || (n = (size_t)(name + len - low) - 1) == 0 || n >= sizeof digits)
			break;
		memcpy(digits, low + 1, n);
		digits[n] = '\0';
		if (!is_digits(digits))
			break;
		len = (size_t)(low - name);
	}
	if (len < 10)
		return false;
	end = name + len - 10;
	return (!memcmp(end, "while_body", 10) || !memcmp(end, "while_cond", 10)) &&
	       (end == name || end[-1] == '_');
}

enum { NOT_SEEN, SEEN, SETTLED };

/* Settles the graphs of a cycle, which all are inside each other. */
static void settle_cycle(struct program *program, const uint32_t *path, size_t n)
{
	struct program_graph *graphs = program->graphs.at;
	bool in_loop = false;

	for (size_t i = 0; i < n; i++)
		in_loop |= is_loop_name(graphs[path[i]].name);
	for (size_t i = 0; i < n; i++) {
		graphs[path[i]].depth = (uint32_t)n - 1;
		graphs[path[i]].in_loop = in_loop;
		program->join->within[path[i]].in_cycle = true;
		program->join->within[path[i]].cycle = path[0];
	}
}

/* Finds depth, loop and cycle of a graph and of those around it. path: room for all graphs. */
static void settle(struct program *program, uint32_t graph, uint8_t *state, uint32_t *path)
{
	struct program_graph *graphs = program->graphs.at;
	struct program_span *within = program->join->within;
	size_t n = 0, i;

	for (; graph != PROGRAM_NONE && state[graph] == NOT_SEEN; graph = graphs[graph].outer) {
		state[graph] = SEEN;
		path[n++] = graph;
	}
	if (graph != PROGRAM_NONE && state[graph] == SEEN) {
		for (i = n; path[--i] != graph;)
			;
		settle_cycle(program, path + i, n - i);
		while (n > i)
			state[path[--n]] = SETTLED;
	}
	while (n > 0) {
		struct program_graph *inner = &graphs[path[--n]];

		inner->in_loop = is_loop_name(inner->name);
		inner->depth = 0;
		within[path[n]].cycle = PROGRAM_NONE;
		if (inner->outer != PROGRAM_NONE) {
			inner->in_loop |= graphs[inner->outer].in_loop;
			inner->depth = graphs[inner->outer].depth + 1;
			within[path[n]].cycle = within[inner->outer].cycle;
		}
		state[path[n]] = SETTLED;
	}
}

static uint32_t outer_of(const struct program *program, size_t i)
{
	return program->join->within[i].in_cycle ? PROGRAM_NONE : program->graphs.at[i].outer;
}

/* Orders graphs so that those inside of one follow it without a gap. */
static void span_graphs(struct program *program)
{
	struct program_join *join = program->join;
	size_t n = program->graphs.len, depth = 0;
	struct parts in = parts_by(program, n, n, outer_of);
	uint32_t *open = mem_alloc(n * sizeof *open), *next = mem_alloc(n * sizeof *next), at = 0;

	if (n)
		memcpy(next, in.first, n * sizeof *next);
	free(join->graph_walk);
	join->graph_walk = mem_alloc(n * sizeof *join->graph_walk);
	for (size_t root = 0; root < n; root++) {
		if (outer_of(program, root) != PROGRAM_NONE)
			continue;
		open[depth++] = (uint32_t)root;
		join->within[root].first = at;
		join->graph_walk[at++] = (uint32_t)root;
		while (depth) {
			uint32_t graph = open[depth - 1];

			if (next[graph] == in.first[graph + 1]) {
				join->within[graph].last = at;
				depth--;
				continue;
			}
			open[depth] = in.all[next[graph]++];
			join->within[open[depth]].first = at;
			join->graph_walk[at++] = open[depth++];
		}
	}
	free(open);
	free(next);
	free(in.all);
	free(in.first);
}

static int order_graphs(const void *a, const void *b, void *graphs)
{
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct program_graph *x = (struct program_graph *)graphs + i;
	const struct program_graph *y = (struct program_graph *)graphs + k;

	if (x->recorded != y->recorded)
		return x->recorded ? -1 : 1;
	if (x->recorded)
		return program_order_places(&x->at, &y->at);
	return (i > k) - (i < k);
}

static int order_ids_of_graphs(const void *a, const void *b, void *graphs)
{
	const struct program_graph *all = graphs;

	return strcmp(all[*(const uint32_t *)a].id, all[*(const uint32_t *)b].id);
}

/* Sorted, those that begin alike are neighbours. */
static void find_like(struct program *program)
{
	enum { ID_SHORT = 8 };
	size_t n = program->graphs.len;
	uint32_t *by_id = mem_alloc((n + 1) * sizeof *by_id);

	for (size_t i = 0; i < n; i++) {
		by_id[i] = (uint32_t)i;
		program->graphs.at[i].is_like = false;
	}
	if (n)
		qsort_r(by_id, n, sizeof *by_id, order_ids_of_graphs, program->graphs.at);
	for (size_t i = 1; i < n; i++) {
		struct program_graph *a = &program->graphs.at[by_id[i - 1]];
		struct program_graph *b = &program->graphs.at[by_id[i]];

		if (!strncmp(a->id, b->id, ID_SHORT))
			a->is_like = b->is_like = true;
	}
	free(by_id);
}

static uint32_t inner_of(const struct program *program, size_t i)
{
	return program->graphs.at[program->graph_order.at[i]].recorded
	       ? program->graphs.at[program->graph_order.at[i]].outer : PROGRAM_NONE;
}

static void settle_graphs(struct program *program)
{
	struct program_join *join = program->join;
	size_t n = program->graphs.len;
	uint8_t *state = mem_alloc(n);
	uint32_t *path = mem_alloc(n * sizeof *path);
	struct parts inner;

	free(join->within);
	join->within = mem_alloc(n * sizeof *join->within);
	program->graph_order.len = 0;
	for (size_t i = 0; i < n; i++) {
		settle(program, (uint32_t)i, state, path);
		vec_push(&program->graph_order, (uint32_t)i);
	}
	if (n)
		qsort_r(program->graph_order.at, n, sizeof *program->graph_order.at, order_graphs,
		        program->graphs.at);
	find_like(program);
	span_graphs(program);
	inner = parts_by(program, n, n, inner_of);
	for (size_t i = 0; i < n; i++)
		program->graphs.at[i].n_inner = inner.first[i + 1] - inner.first[i];
	for (size_t i = 0; i < inner.first[n]; i++)
		inner.all[i] = program->graph_order.at[inner.all[i]];
	keep(inner, &join->inner, &join->inner_first);
	free(state);
	free(path);
}

/* ---- ops */

static void find_shared(struct program *program)
{
	const struct program_join *join = program->join;
	uint32_t *n_of = mem_alloc((join->texts.len + 1) * sizeof *n_of);

	for (size_t i = 0; i < program->nodes.len; i++)
		n_of[join->nodes.at[i].b]++;
	for (size_t i = 0; i < program->nodes.len; i++)
		program->nodes.at[i].is_shared = n_of[join->nodes.at[i].b] > 1;
	free(n_of);
}

static uint32_t graph_of_op(const struct program *program, size_t i)
{
	return program->nodes.at[program->ops.at[i].node].graph;
}

static uint32_t graph_of_holder(const struct program *program, size_t i)
{
	return strcmp(program->ops.at[i].type, "Placeholder") ? PROGRAM_NONE
	                                                       : graph_of_op(program, i);
}

static void join_ops(struct program *program)
{
	struct program_join *join = program->join;
	size_t n = program->ops.len, n_graphs = program->graphs.len;

	keep(parts_by(program, n, n_graphs, graph_of_op), &join->graph_ops,
	     &join->graph_ops_first);
	keep(parts_by(program, n, n_graphs, graph_of_holder), &join->holders,
	     &join->holders_first);
	find_shared(program);
	for (size_t i = 0; i < n_graphs; i++)
		program->graphs.at[i].n_ops =
			join->graph_ops_first[i + 1] - join->graph_ops_first[i];
	for (size_t i = 0; i < program->nodes.len; i++)
		program->graphs.at[program->nodes.at[i].graph].n_ops -= program->nodes.at[i].n_same;
}

static void join_uses(struct program *program)
{
	struct program_join *join = program->join;
	size_t n = program->nodes.len;
	uint32_t *first = mem_alloc((n + 2) * sizeof *first), *next = first + 1;

	for (size_t i = 0; i < join->inputs.len; i++)
		next[join->inputs.at[i].node + 1]++;
	add_up(next, n);
	free(join->uses);
	join->uses = mem_alloc(join->inputs.len * sizeof *join->uses);
	for (uint32_t op = 0; op < program->ops.len; op++)
		for (uint32_t i = 0; i < program->ops.at[op].n_inputs; i++) {
			struct program_input *in =
				&join->inputs.at[program->ops.at[op].first_input + i];

			join->uses[next[in->node]++] = (struct program_use){
				in->node, in->slot == PROGRAM_BARE ? 0 : in->slot, op, i };
		}
	free(join->uses_first);
	join->uses_first = first;
}

/* ---- ids of steps */

static int order_ids(const void *a, const void *b)
{
	const struct program_id *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

static struct program_id *sorted_ids(const struct program *program, bool made, size_t *n)
{
	VEC(struct program_id) all = {0};

	for (uint32_t step = 0; step < program->steps.len; step++) {
		const struct program_step *s = &program->steps.at[step];
		size_t first = s->first_id + (made ? s->n_input_ids : 0);
		uint32_t len = made ? s->n_output_ids : s->n_input_ids;

		for (uint32_t i = 0; i < len; i++)
			vec_push(&all, ((struct program_id){
				program->ids.at[first + i], step, i }));
	}
	SORT(all, order_ids);
	*n = all.len;
	return all.at;
}

static void join_ids(struct program *program)
{
	struct program_join *join = program->join;

	free(join->made);
	free(join->taken);
	join->made = sorted_ids(program, true, &join->n_made);
	join->taken = sorted_ids(program, false, &join->n_taken);
}

/* ---- order in time */

/* The elements of a list, which begin with their times, and their size in bytes. */
_Static_assert(!offsetof(struct program_trace, time) && !offsetof(struct program_step, time), "");
struct times {
	const void *first;
	size_t stride;
};

static double time_of(const struct times *times, uint32_t i)
{
	double time;

	memcpy(&time, (const char *)times->first + i * times->stride, sizeof time);
	return program_order_time(time);
}

/* The end of the run in order that begins at `at`. */
static size_t run_end(const uint32_t *order, size_t at, size_t n, const struct times *times)
{
	if (at < n)
		at++;
	while (at < n && time_of(times, order[at - 1]) <= time_of(times, order[at]))
		at++;
	return at;
}

/* Merges neighbouring runs in one pass; false: there is only one. */
static bool merge_runs(const uint32_t *from, uint32_t *to, size_t n, const struct times *times)
{
	bool merged = false;

	for (size_t at = 0; at < n;) {
		size_t a = at, middle, b, end;

		b = middle = run_end(from, a, n, times);
		end = run_end(from, b, n, times);
		merged |= b < end;
		for (; a < middle && b < end; at++) {
			bool second = time_of(times, from[b]) < time_of(times, from[a]);

			to[at] = from[second ? b++ : a++];
		}
		while (a < middle)
			to[at++] = from[a++];
		while (b < end)
			to[at++] = from[b++];
	}
	return merged;
}

/* The numbers 0..n by time, equal ones in order. */
static uint32_t *by_time(struct times times, size_t n)
{
	uint32_t *order = mem_alloc(n * sizeof *order), *other = mem_alloc(n * sizeof *other), *t;

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	while (merge_runs(order, other, n, &times)) {
		t = order;
		order = other;
		other = t;
	}
	free(other);
	return order;
}

static void order_tensors(struct program *program)
{
	struct program_join *join = program->join;

	free(join->order);
	free(join->step_order);
	join->order = by_time((struct times){ program->traces.at, sizeof *program->traces.at },
	                      program->traces.len);
	join->step_order = by_time((struct times){ program->steps.at, sizeof *program->steps.at },
	                           program->steps.len);
}

/* Where the outputs of each step come among all tensors. */
static void order_rows(struct program *program)
{
	struct program_join *join = program->join;
	uint64_t n_rows = 0;
	size_t t = 0;

	free(join->rows);
	join->rows = mem_alloc(program->steps.len * sizeof *join->rows);
	for (size_t k = 0; k < program->steps.len; k++) {
		const struct program_step *step = &program->steps.at[join->step_order[k]];

		while (t < program->traces.len &&
		       program_order_time(program->traces.at[join->order[t]].time) <=
		       program_order_time(step->time))
			t++;
		join->rows[k] = (struct program_rows){ t + n_rows, n_rows };
		n_rows += program_step_rows(step);
	}
	program->n_tensors = program->traces.len + n_rows;
}

/* ---- sources and frames */

struct set_sources {
	uint32_t first, n;
};

static int order_frames(const void *a, const void *b, void *frames)
{
	const struct program_frame *x = (struct program_frame *)frames + *(const uint32_t *)a;
	const struct program_frame *y = (struct program_frame *)frames + *(const uint32_t *)b;

	return program_order_places(&x->at, &y->at);
}

static void join_frames(struct program *program)
{
	struct set_sources *of = mem_alloc((program->sets.len + 1) * sizeof *of);
	size_t n;

	for (uint32_t i = 0; i < program->sources.len; i++) {
		struct set_sources *mine = &of[program->sources.at[i].at.set];

		if (!mine->n)
			mine->first = i;
		program->sources.at[i].index = mine->n++;
	}
	program->frame_order.len = 0;
	for (uint32_t i = 0; i < program->frames.len; i++) {
		struct program_frame *frame = &program->frames.at[i];
		const struct set_sources *mine = &of[frame->at.set];

		if (!frame->recorded)
			continue;
		vec_push(&program->frame_order, i);
		frame->source = frame->file_index >= 0 && frame->file_index < mine->n
		                ? mine->first + (uint32_t)frame->file_index : PROGRAM_NONE;
	}
	n = program->frame_order.len;
	if (n)
		qsort_r(program->frame_order.at, n, sizeof *program->frame_order.at, order_frames,
		        program->frames.at);
	free(of);
}

static void find_unresolved(struct program *program)
{
	struct program_unresolved *u = &program->unresolved;
	uint8_t *wanted = mem_alloc(program->nodes.len);

	*u = (struct program_unresolved){0};
	for (size_t i = 0; i < program->graphs.len; i++)
		u->graphs += !program->graphs.at[i].recorded;
	for (size_t i = 0; i < program->keys.len; i++)
		wanted[program->keys.at[i].node] = 1;
	for (size_t i = 0; i < program->nodes.len; i++)
		u->ops += wanted[i] && program->nodes.at[i].op == PROGRAM_NONE;
	for (size_t i = 0; i < program->frames.len; i++) {
		const struct program_frame *frame = &program->frames.at[i];

		u->frames += !frame->recorded;
		u->sources += frame->recorded && frame->source == PROGRAM_NONE;
	}
	free(wanted);
}

/* Records are stamped before it is their turn: neighbours of several threads may change places. */
static void find_late(struct program *program)
{
	struct program_late *late = &program->late;
	double latest = 0;

	*late = (struct program_late){0};
	for (size_t i = 0; i < program->traces.len; i++) {
		const struct program_trace *trace = &program->traces.at[i];
		double time = program_order_time(trace->time);

		if (!i || trace[-1].set != trace->set || trace[-1].file != trace->file)
			latest = time;
		if (time < latest && !late->traces++)
			late->first = place_of_trace(trace);
		latest = time > latest ? time : latest;
	}
}

/* ---- all of it */

static void count_one(struct program *program, struct program_step *step, unsigned bad)
{
	program->n_flagged += bad == PROGRAM_BAD;
	program->n_unscanned += bad == PROGRAM_UNSCANNED;
	if (step) {
		step->n_flagged += bad == PROGRAM_BAD;
		step->n_unknown += bad == PROGRAM_CANT_TELL || bad == PROGRAM_UNSCANNED;
		step->n_unscanned += bad == PROGRAM_UNSCANNED;
	}
}

void program_count(struct program *program)
{
	program->n_flagged = 0;
	program->n_unscanned = 0;
	for (size_t i = 0; i < program->steps.len; i++) {
		struct program_step *step = &program->steps.at[i];

		step->n_sure = step->n_probable = step->n_background = 0;
		step->n_flagged = step->n_unscanned = 0;
		step->n_unknown = program_step_rows(step) - step->n_entries;
		for (uint32_t k = 0; k < step->n_entries; k++)
			count_one(program, step, program->entries.at[step->first_entry + k].bad);
	}
	for (size_t i = 0; i < program->traces.len; i++) {
		const struct program_trace *t = &program->traces.at[i];
		bool loose = t->attribution == PROGRAM_UNATTRIBUTED;
		struct program_step *step = loose ? NULL : &program->steps.at[t->owner];

		count_one(program, step, t->bad);
		if (step) {
			step->n_sure += t->attribution == PROGRAM_SURE;
			step->n_probable += t->attribution == PROGRAM_PROBABLE;
			step->n_background += t->attribution == PROGRAM_BACKGROUND;
		}
	}
}

/* Gives back unused memory of the lists, if it is worth it. */
static void trim(struct program *program)
{
	if (program->traces.cap > program->traces.len + 1024) {
		program->traces.cap = program->traces.len + 1024;
		program->traces.at = mem_realloc(program->traces.at,
		                                 program->traces.cap * sizeof *program->traces.at);
	}
}

void program_join(struct program *program)
{
	trim(program);
	settle_graphs(program);
	join_ops(program);
	join_uses(program);
	join_ids(program);
	order_tensors(program);
	order_rows(program);
	program_attribute(program);
	program_count(program);
	join_frames(program);
	find_unresolved(program);
	find_late(program);
}
