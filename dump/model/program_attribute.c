/*
 * Which step a trace belongs to is not recorded. The time of a step is when it finished, those of
 * its traces are while it ran. So the traces of a set since the step before belong to a step if
 * they are of its graph or one inside of that. Traces that fit no step are grouped into passes:
 * calls whose step was not recorded. A set without steps (a remote worker) has another clock:
 * there the n-th pass through a graph is taken for the n-th call of it.
 */
#include "dump/model/program_parts.h"

#include <stdlib.h>
#include <string.h>

struct attribution {
	struct program *program;
	uint32_t *seen;          /* by key: the part in which it was last seen */
	uint32_t part;           /* the part being filled */
	VEC(uint32_t) loose;     /* traces of the window that belong to no step, by time */
};

static uint32_t graph_of(const struct program *program, uint32_t trace)
{
	return program->nodes.at[program->keys.at[program->traces.at[trace].key].node].graph;
}

static void give(struct program *program, uint32_t trace, uint32_t owner,
                 enum program_attribution how)
{
	program->traces.at[trace].owner = owner;
	program->traces.at[trace].attribution = how;
}

/* Does this trace begin a new part? A part ends before a key it has already, if `counts`. */
static bool begins_part(struct attribution *a, uint32_t trace, bool counts, bool first)
{
	uint32_t *seen = &a->seen[a->program->traces.at[trace].key];
	bool begins = first || (counts && *seen == a->part);

	a->part += begins;
	*seen = a->part;
	return begins;
}

/* Groups the loose traces into passes: a tensor outside of loops that comes again begins one. */
static void make_passes(struct attribution *a)
{
	struct program *program = a->program;

	for (size_t i = 0; i < a->loose.len; i++) {
		uint32_t trace = a->loose.at[i];
		bool counts = !program->graphs.at[graph_of(program, trace)].in_loop;

		program->n_passes += begins_part(a, trace, counts, i == 0);
		give(program, trace, program->n_passes - 1, PROGRAM_UNATTRIBUTED);
	}
	a->loose.len = 0;
}

/* Traces of the last pass through a call's graph are its own: the first of these, or n. */
static size_t own_from(struct attribution *a, uint32_t own, const uint32_t *at, size_t n)
{
	struct program *program = a->program;
	size_t from = n;

	for (size_t i = 0; i < n; i++) {
		uint32_t graph = graph_of(program, at[i]);

		if (program_is_within(program, graph, own) &&
		    begins_part(a, at[i], graph == own, from == n))
			from = i;
	}
	return from;
}

static bool is_background(const struct program *program, uint32_t graph)
{
	return !strncmp(program->graphs.at[graph].name, "Dataset_", 8);
}

/* Attributes the traces of one window, by time; step PROGRAM_NONE: after the last step. */
static void take_window(struct attribution *a, uint32_t step, const uint32_t *at, size_t n)
{
	struct program *program = a->program;
	const struct program_step *s = step == PROGRAM_NONE ? NULL : &program->steps.at[step];
	uint32_t own = s && s->is_function ? s->graph : PROGRAM_NONE;
	size_t from = own == PROGRAM_NONE ? 0 : own_from(a, own, at, n);

	for (size_t i = 0; i < n; i++) {
		uint32_t graph = graph_of(program, at[i]);
		bool inside = own != PROGRAM_NONE && program_is_within(program, graph, own);

		if (inside && i >= from)
			give(program, at[i], step, PROGRAM_SURE);
		else if (!inside && s && is_background(program, graph))
			give(program, at[i], step, PROGRAM_BACKGROUND);
		else if (!inside && s && s->is_function)
			give(program, at[i], step, PROGRAM_PROBABLE);
		else
			vec_push(&a->loose, at[i]);
	}
	make_passes(a);
}

/* Attributes the traces of a set with steps, or of the only set; both lists by time. */
static void take_set(struct attribution *a, const uint32_t *steps, size_t n_steps,
                     const uint32_t *at, size_t n)
{
	struct program *program = a->program;
	uint32_t before;
	size_t i = 0;

	for (size_t k = 0; k < n_steps && i < n; k++) {
		double until = program_order_time(program->steps.at[steps[k]].time);
		size_t first = i;

		while (i < n && program_order_time(program->traces.at[at[i]].time) <= until)
			i++;
		if (i > first)
			take_window(a, steps[k], at + first, i - first);
	}
	before = program->n_passes;
	if (i < n)
		take_window(a, PROGRAM_NONE, at + i, n - i);
	if (n_steps)
		program->n_open_passes += program->n_passes - before;
}

/* Calls of each graph, in reading order. */
struct calls {
	uint32_t *steps, *first;
	uint32_t *entry;         /* by graph: the outermost one around it that is called */
	uint32_t *part;          /* by entry: the number of its current pass, from 1 */
};

static struct calls calls_of(const struct program *program)
{
	size_t n = program->graphs.len;
	struct calls calls = {
		.steps = mem_alloc(program->steps.len * sizeof *calls.steps),
		.first = mem_alloc((n + 2) * sizeof *calls.first),
		.entry = mem_alloc(n * sizeof *calls.entry),
		.part = mem_alloc(n * sizeof *calls.part),
	};
	uint32_t *next = calls.first + 1;

	for (size_t i = 0; i < program->steps.len; i++)
		if (program->steps.at[i].graph != PROGRAM_NONE)
			next[program->steps.at[i].graph + 1]++;
	for (size_t i = 0; i < n; i++)
		next[i + 1] += next[i];
	for (uint32_t i = 0; i < program->steps.len; i++)
		if (program->steps.at[i].graph != PROGRAM_NONE)
			calls.steps[next[program->steps.at[i].graph]++] = i;
	for (size_t i = 0; i < n; i++) {
		uint32_t graph = program->join->graph_walk[i];
		uint32_t outer = program->join->within[graph].in_cycle
		                 ? PROGRAM_NONE : program->graphs.at[graph].outer;

		calls.entry[graph] = outer == PROGRAM_NONE ? PROGRAM_NONE : calls.entry[outer];
		if (calls.entry[graph] == PROGRAM_NONE &&
		    calls.first[graph + 1] > calls.first[graph])
			calls.entry[graph] = graph;
	}
	return calls;
}

static void take_remote(struct attribution *a, const uint32_t *at, size_t n)
{
	struct program *program = a->program;
	struct calls calls = calls_of(program);
	uint32_t *seen = mem_alloc(program->keys.len * sizeof *seen);

	for (size_t i = 0; i < n; i++) {
		uint32_t graph = graph_of(program, at[i]), entry = calls.entry[graph];
		uint32_t key = program->traces.at[at[i]].key, call;

		if (entry == PROGRAM_NONE) {
			vec_push(&a->loose, at[i]);
			continue;
		}
		if (!calls.part[entry] || (graph == entry && seen[key] == calls.part[entry]))
			calls.part[entry]++;
		seen[key] = calls.part[entry];
		call = calls.first[entry] + calls.part[entry] - 1;
		if (call < calls.first[entry + 1])
			give(program, at[i], calls.steps[call], PROGRAM_PROBABLE);
		else
			vec_push(&a->loose, at[i]);
	}
	make_passes(a);
	free(seen);
	free(calls.steps);
	free(calls.first);
	free(calls.entry);
	free(calls.part);
}

/* Sorts numbers in time order by set; first[set] is where each begins. The caller frees it. */
static uint32_t *by_set(const uint32_t *order, size_t n, size_t n_sets, uint32_t *first,
                        const struct program *program, bool steps)
{
	uint32_t *out = mem_alloc(n * sizeof *out), *next = first + 1;

#define SET_OF(i) (steps ? program->steps.at[i].at.set : program->traces.at[i].set)
	memset(first, 0, (n_sets + 2) * sizeof *first);
	for (size_t i = 0; i < n; i++)
		next[SET_OF(i) + 1]++;
	for (size_t i = 0; i < n_sets; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < n; i++)
		out[next[SET_OF(order[i])]++] = order[i];
#undef SET_OF
	return out;
}

static void take_each_set(struct attribution *a, size_t n_sets)
{
	struct program *program = a->program;
	uint32_t *first_trace = mem_alloc((n_sets + 2) * sizeof *first_trace);
	uint32_t *first_step = mem_alloc((n_sets + 2) * sizeof *first_step);
	uint32_t *traces = by_set(program->join->order, program->traces.len, n_sets, first_trace,
	                          program, false);
	uint32_t *steps = by_set(program->join->step_order, program->steps.len, n_sets, first_step,
	                         program, true);

	for (size_t s = 0; s < n_sets; s++) {
		size_t n = first_trace[s + 1] - first_trace[s];
		size_t n_steps = first_step[s + 1] - first_step[s];

		if (!n_steps && program->steps.len)
			take_remote(a, traces + first_trace[s], n);
		else
			take_set(a, steps + first_step[s], n_steps, traces + first_trace[s], n);
	}
	free(traces);
	free(steps);
	free(first_trace);
	free(first_step);
}

static void take_sets(struct attribution *a)
{
	struct program *program = a->program;
	size_t n_sets = program->sets.len;

	if (n_sets == 1)
		take_set(a, program->join->step_order, program->steps.len, program->join->order,
		         program->traces.len);
	else
		take_each_set(a, n_sets);
}

static size_t group_of(const struct program *program, const struct program_trace *trace)
{
	return trace->owner +
	       (trace->attribution == PROGRAM_UNATTRIBUTED ? program->steps.len : 0);
}

/* Sorts traces by step or pass, then time, and counts the occurrences of each key there. */
static void group(struct attribution *a)
{
	struct program *program = a->program;
	struct program_join *join = program->join;
	size_t n = program->traces.len, n_groups = program->steps.len + program->n_passes;
	uint32_t *next, *count = mem_alloc(program->keys.len * sizeof *count);

	free(join->grouped);
	free(join->group_first);
	join->grouped = mem_alloc(n * sizeof *join->grouped);
	join->group_first = mem_alloc((n_groups + 2) * sizeof *join->group_first);
	next = join->group_first + 1;
	for (size_t i = 0; i < n; i++)
		next[group_of(program, &program->traces.at[i]) + 1]++;
	for (size_t i = 0; i < n_groups; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < n; i++)
		join->grouped[next[group_of(program, &program->traces.at[join->order[i]])]++] =
			join->order[i];
	memset(a->seen, 0, program->keys.len * sizeof *a->seen);
	for (size_t i = 0; i < n; i++) {
		struct program_trace *trace = &program->traces.at[join->grouped[i]];
		uint32_t here = (uint32_t)group_of(program, trace) + 1;

		if (a->seen[trace->key] != here)
			count[trace->key] = 0;
		a->seen[trace->key] = here;
		trace->dump = count[trace->key]++;
	}
	free(count);
}

/*
 * Finds calls that are cut: those with fewer tensors of their own graph than another call of it, or
 * with none where another has some. Graphs inside are not compared, as a branch may not have been
 * taken, or a loop repeated less often.
 */
static void find_cut(struct program *program)
{
	uint32_t *own = mem_alloc(program->steps.len * sizeof *own);
	uint32_t *most = mem_alloc(program->graphs.len * sizeof *most);
	bool *has = mem_alloc(program->steps.len * sizeof *has);
	bool *any = mem_alloc(program->graphs.len * sizeof *any);

	for (uint32_t i = 0; i < program->traces.len; i++) {
		const struct program_trace *t = &program->traces.at[i];

		if (t->attribution == PROGRAM_UNATTRIBUTED)
			continue;
		has[t->owner] = true;
		own[t->owner] += graph_of(program, i) == program->steps.at[t->owner].graph;
	}
	for (size_t i = 0; i < program->steps.len; i++) {
		const struct program_step *step = &program->steps.at[i];

		if (step->graph == PROGRAM_NONE)
			continue;
		if (own[i] > most[step->graph])
			most[step->graph] = own[i];
		any[step->graph] |= has[i];
	}
	for (size_t i = 0; i < program->steps.len; i++) {
		struct program_step *step = &program->steps.at[i];

		step->is_cut = step->graph != PROGRAM_NONE &&
		               (own[i] < most[step->graph] ||
		                (any[step->graph] && !has[i]));
	}
	free(own);
	free(most);
	free(has);
	free(any);
}

void program_attribute(struct program *program)
{
	struct attribution a = {
		.program = program,
		.seen = mem_alloc(program->keys.len * sizeof *a.seen),
	};

	program->n_passes = program->n_open_passes = 0;
	take_sets(&a);
	group(&a);
	find_cut(program);
	free(a.seen);
	vec_release(&a.loose);
}
