/*
 * A bad tensor has as parents the bad ones among what went into it. One without parents is an
 * origin, unless it is a variable that an earlier run left bad. What is to be known of a run's
 * graph is asked here, while the run is open; origin_rows.c needs only what is kept.
 */
#include "dump/model/origin_finder.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/model/origin_parts.h"

#define STEP_BAD 256             /* between two looks at a cancel */
#define RULE_INPUTS 8            /* so many inputs the rules look at, at most */
#define GRAPHS_KEPT 16

/* A run that is being added. */
struct adding {
	struct origin_finder *finder;
	struct origin_run run;
	struct origin_graph **graphs;    /* by device */
	uint32_t position;
	uint32_t *bad_of;                /* of each tensor: in finder->bad; BAD_NONE */
	uint32_t **const_of;             /* by device, of each node: the same, from 1; or NULL */
	struct origin_feeds feeds;
	struct origin_ends ends;
	struct str text;
};

struct origin_finder *origin_finder_new(bool single)
{
	struct origin_finder *finder = mem_alloc(sizeof *finder);

	finder->single = single;
	return finder;
}

static void release_found(struct found *found)
{
	origin_row_release(&found->row);
	vec_release(&found->members);
	vec_release(&found->forwards);
}

void origin_finder_free(struct origin_finder *finder)
{
	if (!finder)
		return;
	for (size_t i = 0; i < finder->found.len; i++)
		release_found(&finder->found.at[i]);
	for (size_t i = 0; i < finder->variables.len; i++) {
		vec_release(&finder->variables.at[i].writers);
		vec_release(&finder->variables.at[i].unread);
	}
	for (size_t i = 0; i < finder->graphs.len; i++)
		origin_graph_free(finder->graphs.at[i]);
	vec_release(&finder->found);
	vec_release(&finder->variables);
	vec_release(&finder->graphs);
	vec_release(&finder->bad);
	vec_release(&finder->parents);
	vec_release(&finder->absorbers);
	map_release(&finder->names);
	map_release(&finder->found_of);
	map_release(&finder->variable_of);
	map_release(&finder->unjudged);
	arena_release(&finder->mem);
	free(finder);
}

static uint32_t name_id(struct origin_finder *finder, const char *name)
{
	return map_add(&finder->names, &finder->mem, name, strlen(name));
}

static const char *name_at(const struct origin_finder *finder, uint32_t id)
{
	return finder->names.key[id];
}

/* ---- variables, from run to run */

static struct variable_state *variable_of(struct origin_finder *finder, const char *name)
{
	uint32_t id = map_add(&finder->variable_of, &finder->mem, name, strlen(name));

	if (id == finder->variables.len)
		vec_add(&finder->variables)->bad = BAD_NONE;
	return &finder->variables.at[id];
}

static void leave_bad(struct variable_state *v, uint32_t bad)
{
	if (v->bad == BAD_NONE)
		v->bad = bad;
}

/* A bad dump of this output leaves the variable bad. */
static void leave_dumps(struct adding *a, uint16_t device, uint32_t node, uint32_t slot,
                        struct variable_state *v)
{
	const struct run *run = a->run.run;
	uint32_t id = a->run.devices[device].dumps_of[node];
	const uint32_t *at;
	size_t n;

	if (!id || v->bad != BAD_NONE)
		return;
	at = run_node_tensors(run, id - 1, &n);
	for (size_t i = 0; i < n; i++) {
		const struct tensor *t = &run->tensors.at[at[i]];

		if (t->device == device && t->slot == slot && a->bad_of[at[i]] != BAD_NONE)
			leave_bad(v, a->bad_of[at[i]]);
	}
}

/*
 * What a writer leaves: its output is the variable at input 0. Of another variable, or if the
 * output was not dumped, what went in has to do.
 */
static void leave_written(struct adding *a, uint16_t device, const struct origin_writer *writer,
                          struct variable_state *v)
{
	const struct origin_graph *g = a->graphs[device];
	bool dumped = origin_has_dumps(&a->run, device, writer->node, 0);
	struct edges in = origin_inputs(g, writer->node);

	leave_dumps(a, device, writer->node, 0, v);
	if (dumped && !writer->input)
		return;
	vec_push(&v->writers, name_id(a->finder, graph_name(g->graph, writer->node)));
	if (origin_is_unread(&a->run, device, graph_name(g->graph, writer->node)))
		vec_push(&v->unread, *vec_last(&v->writers));
	for (size_t i = 1; i < in.len; i++)
		if (in.at[i].node != GRAPH_NONE)
			leave_dumps(a, device, in.at[i].node, edge_slot(&in.at[i]), v);
}

/* The variables' states when the run is over, for the runs after it. */
static void leave_variables(struct adding *a)
{
	const struct run *run = a->run.run;

	for (uint16_t d = 0; d < run->devices.len; d++) {
		const struct origin_graph *g = a->graphs[d];
		uint32_t last = GRAPH_NONE;

		for (size_t i = 0; g && i < g->writers.len; i++) {
			const struct origin_writer *writer = &g->writers.at[i];
			struct variable_state *v =
				variable_of(a->finder, graph_name(g->graph, writer->variable));

			if (writer->variable != last)
				v->writers.len = v->unread.len = 0;
			v->known = true;
			last = writer->variable;
			leave_written(a, d, writer, v);
		}
	}
	for (uint32_t at = 0; at < run->tensors.len; at++) {
		uint32_t node = a->bad_of[at] == BAD_NONE ? GRAPH_NONE
		                                          : origin_node_of(&a->run, at);

		if (node != GRAPH_NONE &&
		    a->graphs[run->tensors.at[at].device]->traits[node] & OP_VARIABLE)
			leave_bad(variable_of(a->finder, run->tensors.at[at].node), a->bad_of[at]);
	}
}

/* The variable whose value a node puts out; NULL: it does not. */
static const char *variable_name(struct adding *a, uint16_t device, uint32_t node)
{
	struct origin_graph *g = a->graphs[device];
	struct edges in = origin_inputs(g, node);
	uint32_t variable = GRAPH_NONE;

	if (g->traits[node] & OP_VARIABLE)
		variable = node;
	else if ((g->traits[node] & OP_READS) && in.len && in.at[0].node != GRAPH_NONE)
		variable = origin_variable(g, in.at[0].node);
	return variable == GRAPH_NONE ? NULL : graph_name(g->graph, variable);
}

/* ---- bad tensors */

static void add_parent(struct adding *a, uint32_t bad, uint32_t parent)
{
	struct origin_finder *finder = a->finder;

	vec_push(&finder->parents, parent);
	finder->bad.at[bad].n_parents++;
}

static void keep_ends(struct adding *a, uint32_t bad)
{
	struct origin_finder *finder = a->finder;
	struct bad *b = &finder->bad.at[bad];

	b->reach = a->ends.reach;
	b->absorbers = (uint32_t)finder->absorbers.len;
	b->n_absorbers = (uint32_t)a->ends.absorbers.len;
	for (size_t i = 0; i < a->ends.absorbers.len; i++) {
		const struct origin_end *end = &a->ends.absorbers.at[i];
		const struct origin_graph *g = a->graphs[end->device];

		vec_push(&finder->absorbers, ((struct absorber){
			name_id(finder, graph_name(g->graph, end->node)),
			g->traits[end->node] & OP_MASKS }));
	}
}

static uint32_t add_tensor(struct adding *a, uint32_t at)
{
	struct origin_finder *finder = a->finder;
	const struct tensor *t = &a->run.run->tensors.at[at];
	uint32_t node = origin_node_of(&a->run, at);
	const char *op = node == GRAPH_NONE ? "?" : graph_op(a->graphs[t->device]->graph, node);
	struct bad *b = vec_add(&finder->bad);

	*b = (struct bad){ .time_us = t->time_us, .counts = a->run.health[at].counts,
	                   .run = a->position, .exec = t->number, .slot = t->slot,
	                   .node = name_id(finder, t->node), .op = name_id(finder, op) };
	b->device = name_id(finder, a->run.run->devices.at[t->device].name);
	finder->n_bad++;
	return (uint32_t)finder->bad.len - 1;
}

/* A bad Const that was not dumped is an origin of its own. */
static uint32_t const_bad(struct adding *a, uint16_t device, uint32_t node)
{
	struct origin_finder *finder = a->finder;
	struct origin_graph *g = a->graphs[device];
	struct found *found;
	struct bad *b;
	uint32_t id;

	if (!a->const_of[device])
		a->const_of[device] = mem_alloc((graph_len(g->graph) + 1) * sizeof(uint32_t));
	if (a->const_of[device][node])
		return a->const_of[device][node] - 1;
	b = vec_add(&finder->bad);
	id = (uint32_t)finder->bad.len - 1;
	*b = (struct bad){ .time_us = -1, .counts = origin_const(g, node)->counts,
	                   .run = a->position,
	                   .node = name_id(finder, graph_name(g->graph, node)),
	                   .op = name_id(finder, graph_op(g->graph, node)) };
	b->device = name_id(finder, a->run.run->devices.at[device].name);
	a->const_of[device][node] = id + 1;
	origin_ends_of(&a->run, device, node, 0, &a->ends);
	keep_ends(a, id);
	found = origin_found(finder, id);
	if (found) {
		found->row.reason = REASON_CONSTANT;
		found->row.exact = true;
		found->is_const = true;
	}
	return id;
}

/*
 * What stands for the first n bad dumps of an output: each sum is of the one before it and a
 * further dump, so that all of them together are no more than the dumps.
 */
static uint32_t sum_of(struct adding *a, struct origin_pool *pool, size_t n)
{
	struct origin_finder *finder = a->finder;

	while (pool->sums.len < n) {
		size_t i = pool->sums.len;
		uint32_t id = (uint32_t)finder->bad.len;

		*vec_add(&finder->bad) = (struct bad){
			.time_us = -1, .run = a->position, .is_sum = true,
			.parents = (uint32_t)finder->parents.len };
		if (i)
			add_parent(a, id, pool->sums.at[i - 1]);
		add_parent(a, id, a->bad_of[pool->at[i]]);
		vec_push(&pool->sums, id);
	}
	return pool->sums.at[n - 1];
}

/* ---- origins */

struct found *origin_found(struct origin_finder *finder, uint32_t bad)
{
	const struct bad *b = &finder->bad.at[bad];
	struct str key = {0};
	struct found *found;
	bool is_new;
	uint32_t id;

	str_fmt(&key, "%s\n%s", name_at(finder, b->device), name_at(finder, b->node));
	id = map_add(&finder->found_of, &finder->mem, key.text, key.len);
	str_release(&key);
	is_new = id == finder->found.len;
	found = is_new ? vec_add(&finder->found) : &finder->found.at[id];
	vec_push(&found->members, bad);
	if (!is_new)
		return NULL;
	found->time_us = b->time_us;
	found->is_flow = b->is_flow;
	found->row = (struct origin_row){
		.where = ORIGIN_OF_RUN, .node = name_at(finder, b->node), .slot = b->slot,
		.op = name_at(finder, b->op), .device = name_at(finder, b->device), .run = b->run,
		.exec = b->exec, .counts = b->counts, .execution = -1, .call = -1, .id = id,
	};
	return found;
}

static const char *keep_name(struct adding *a, const char *name)
{
	return name_at(a->finder, name_id(a->finder, name));
}

/* "x:0" of "_arg_x_0_3": the node and slot that the user fed. NULL: it is none. */
static const char *fed_name(struct adding *a, const char *node)
{
	const char *end = node + strlen(node), *slot_end;

	if (strncmp(node, "_arg_", 5))
		return NULL;
	node += 5;
	while (end > node && is_digit(end[-1]))
		end--;
	if (!*end || end == node || end[-1] != '_')
		return NULL;
	slot_end = --end;
	while (end > node && is_digit(end[-1]))
		end--;
	if (end == slot_end || end <= node + 1 || end[-1] != '_')
		return NULL;
	str_reset(&a->text);
	str_put(&a->text, node, (size_t)(end - node) - 1);
	str_putc(&a->text, ':');
	str_put(&a->text, end, (size_t)(slot_end - end));
	return keep_name(a, a->text.text);
}

/* Is the node of this name in a graph of the run? Which; the first one. */
static bool find_node(const struct adding *a, const char *name, size_t len, struct node_ref *ref)
{
	return run_find_node(a->run.run, name, len, -1, ref, 1);
}

/* If a name is of a gradient: the forward node that it is of, if there is one. */
static bool find_forward(const struct adding *a, const char *name, struct node_ref *ref)
{
	size_t len;
	const char *forward = name_of_forward(name, &len);

	return forward && find_node(a, forward, len, ref);
}

static void add_forward(struct adding *a, const char *name, struct found *found)
{
	struct node_ref ref;

	if (name_is_of_gradient(name) && find_forward(a, name, &ref))
		vec_push(&found->forwards,
		         name_id(a->finder,
		                 graph_name(a->run.run->devices.at[ref.device].graph, ref.node)));
}

/* Does a Select take the node's output as a value, and come out clean? */
static bool is_left_out(const struct adding *a, uint16_t device, uint32_t node)
{
	const struct origin_graph *g = a->graphs[device];
	struct edges to = g ? origin_recipients(g, node) : (struct edges){0};

	for (size_t i = 0; i < to.len; i++) {
		uint32_t select = to.at[i].node;
		struct edges in;

		if (!(g->traits[select] & OP_SELECTS) ||
		    name_is_of_gradient(graph_name(g->graph, select)) ||
		    a->run.devices[device].has_bad[select])
			continue;
		in = origin_inputs(g, select);
		for (size_t k = 1; k < in.len; k++)
			if (edge_is(&in.at[k], node, 0))
				return true;
	}
	return false;
}

/* Of a gradient: was its forward node left out by a Select? */
static bool is_of_left_out(const struct adding *a, const char *name)
{
	const struct run *run = a->run.run;
	struct node_ref first, ref;

	if (!find_forward(a, name, &first))
		return false;
	for (uint16_t d = 0; d < run->devices.len; d++) {
		const char *forward = graph_name(run->devices.at[first.device].graph, first.node);

		if (run_find_node(run, forward, strlen(forward), d, &ref, 1) &&
		    is_left_out(a, d, ref.node))
			return true;
	}
	return false;
}

static void add_gap(struct adding *a, uint16_t device, const char *node, struct found *found)
{
	vec_push(&found->row.gap, keep_name(a, node));
	if (origin_is_unread(&a->run, device, node))
		vec_push(&found->row.unread, keep_name(a, node));
}

/* A count of NaN says nothing of Inf in what went in. */
static void add_all_inputs(struct adding *a, uint16_t device, uint32_t node, struct found *found)
{
	struct origin_graph *g = a->graphs[device];
	struct edges in = origin_inputs(g, node);

	for (size_t i = 0; i < in.len; i++)
		if (in.at[i].node != GRAPH_NONE && !(g->traits[in.at[i].node] & OP_CONST) &&
		    origin_may_be_bad(g, in.at[i].node))
			add_gap(a, device, graph_name(g->graph, in.at[i].node), found);
}

/* A missing operation whose input proves the reason. */
struct suspect_of {
	const char *name;
	enum origin_reason reason;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct suspect_of *)a)->name, ((const struct suspect_of *)b)->name);
}

/* The reason of the first suspect, by name; false: there is none. feeds.gap has what is missing. */
static bool find_suspects(struct adding *a, uint32_t at, struct found *found,
                          enum origin_reason *reason)
{
	VEC(struct suspect_of) suspects = {0};
	bool any;

	for (size_t i = 0; i < a->feeds.gap.len; i++) {
		const struct origin_missing *m = &a->feeds.gap.at[i];
		struct origin_input in[RULE_INPUTS];
		struct suspect_of s = { .name = m->name };
		const char *op = m->node == GRAPH_NONE
		                         ? "" : graph_op(a->graphs[m->device]->graph, m->node);
		size_t n;

		if (!(op_traits(op) & OP_SHOWS))
			continue;
		n = origin_inputs_at(&a->run, m->device, m->node, at, in, RULE_INPUTS);
		if (origin_suspect(op, m->name, in, n, &s.reason))
			vec_push(&suspects, s);
	}
	any = suspects.len;
	if (any) {
		qsort(suspects.at, suspects.len, sizeof *suspects.at, by_name);
		*reason = suspects.at[0].reason;
	}
	for (size_t i = 0; i < suspects.len; i++)
		vec_push(&found->row.suspects, keep_name(a, suspects.at[i].name));
	vec_release(&suspects);
	return any;
}

/* Who may have written a variable that was clean in all earlier runs. */
static void tell_writers(struct adding *a, const char *variable, struct found *found)
{
	struct origin_finder *finder = a->finder;
	const struct variable_state *v = variable_of(finder, variable);

	for (size_t i = 0; i < v->writers.len; i++)
		vec_push(&found->row.writers, name_at(finder, v->writers.at[i]));
	for (size_t i = 0; i < v->unread.len; i++)
		vec_push(&found->row.unread, name_at(finder, v->unread.at[i]));
	origin_names_sort(&found->row.writers);
	origin_names_sort(&found->row.unread);
	if (found->row.writers.len)
		return;
	found->row.before_dump = !finder->last_run;
	if (finder->last_run) {
		found->row.between[0] = finder->last_run;
		found->row.between[1] = a->position;
	}
}

static enum origin_reason find_reason(struct adding *a, uint32_t at, uint32_t node,
                                      const char *variable, struct found *found)
{
	const struct tensor *t = &a->run.run->tensors.at[at];
	const struct origin_graph *g = a->graphs[t->device];
	const char *op = graph_op(g->graph, node);
	struct origin_input in[RULE_INPUTS];
	size_t n = origin_inputs_at(&a->run, t->device, node, at, in, RULE_INPUTS);
	enum origin_reason reason = origin_reason(op, t->node, in, n, &found->row.counts);

	if (a->run.health[at].known == KNOWN_NAN)
		reason = REASON_UNKNOWN;
	else if (!find_suspects(a, at, found, &reason) && found->row.gap.len && !variable &&
	         (reason == REASON_OVERFLOW || g->traits[node] & OP_CARRIES))
		reason = REASON_UNKNOWN;
	return is_of_left_out(a, t->node) ? REASON_WHERE_GRADIENT : reason;
}

/* Makes the row of an origin; feeds.gap has what is missing among its inputs. */
static void make_row(struct adding *a, uint32_t at, uint32_t node, const char *variable,
                     struct found *found)
{
	const struct tensor *t = &a->run.run->tensors.at[at];
	struct origin_graph *g = a->graphs[t->device];
	bool nan_only = a->run.health[at].known == KNOWN_NAN;

	found->is_const = g->traits[node] & OP_CONST;
	found->row.fed = fed_name(a, t->node);
	for (size_t i = 0; i < a->feeds.gap.len; i++)
		add_gap(a, a->feeds.gap.at[i].device, a->feeds.gap.at[i].name, found);
	if (nan_only)
		add_all_inputs(a, t->device, node, found);
	found->row.reason = find_reason(a, at, node, variable, found);
	origin_names_sort(&found->row.gap);
	origin_names_sort(&found->row.suspects);
	origin_names_sort(&found->row.unread);
	found->row.exact = !found->row.gap.len && !variable && !nan_only &&
	                   found->row.reason != REASON_VARIABLE;
	if (variable)
		tell_writers(a, variable, found);
	found->of_gradient = name_is_of_gradient(t->node);
	add_forward(a, t->node, found);
	for (size_t i = 0; i < found->row.gap.len; i++)
		add_forward(a, found->row.gap.at[i], found);
}

/* A tensor of a node that no graph has: what went into it is not known. */
static void make_blind_row(struct adding *a, uint32_t at, struct found *found)
{
	const struct tensor *t = &a->run.run->tensors.at[at];

	found->is_blind = true;
	found->row.unordered = a->graphs[t->device] ? "the graph does not have this node"
	                                            : "no graph says what went into it";
}

/* Finds the parents of a bad tensor; one that has none is an origin. */
static void place(struct adding *a, uint32_t at)
{
	struct origin_finder *finder = a->finder;
	const struct tensor *t = &a->run.run->tensors.at[at];
	uint32_t node = origin_node_of(&a->run, at), bad = a->bad_of[at];
	const char *variable = NULL;
	struct found *found;

	if (node == GRAPH_NONE) {
		finder->bad.at[bad].parents = (uint32_t)finder->parents.len;
		found = origin_found(finder, bad);
		if (found)
			make_blind_row(a, at, found);
		return;
	}
	finder->bad.at[bad].is_flow = origin_is_flow(a->graphs[t->device], node, t->slot);
	origin_ends_of(&a->run, t->device, node, t->slot, &a->ends);
	keep_ends(a, bad);
	origin_feeds_of(&a->run, at, &a->feeds);
	for (size_t i = 0; i < a->feeds.many.len; i++)
		sum_of(a, a->feeds.many.at[i].pool, a->feeds.many.at[i].n);
	finder->bad.at[bad].parents = (uint32_t)finder->parents.len;
	for (size_t i = 0; i < a->feeds.bad.len; i++) {
		const struct origin_source *source = &a->feeds.bad.at[i];

		add_parent(a, bad, source->is_const ? const_bad(a, source->device, source->at)
		                                    : a->bad_of[source->at]);
	}
	for (size_t i = 0; i < a->feeds.many.len; i++)
		add_parent(a, bad, sum_of(a, a->feeds.many.at[i].pool, a->feeds.many.at[i].n));
	if (finder->bad.at[bad].n_parents)
		return;
	variable = variable_name(a, t->device, node);
	if (variable && variable_of(finder, variable)->bad != BAD_NONE) {
		add_parent(a, bad, variable_of(finder, variable)->bad);
		return;
	}
	found = origin_found(finder, bad);
	if (found)
		make_row(a, at, node, variable, found);
}

/* ---- a run */

/* What is known of a graph; the finder keeps it. NULL: nothing. */
static struct origin_graph *graph_of(struct origin_finder *finder, const struct device *device)
{
	struct origin_graph *g;
	struct err unread = {0};

	if (!device->graph)
		return NULL;
	for (size_t i = 0; i < finder->graphs.len; i++)
		if (finder->graphs.at[i]->graph == device->graph)
			return finder->graphs.at[i];
	g = origin_graph_new(device->graph, &unread);
	if (g)
		vec_push(&finder->graphs, g);
	else if (!finder->graph_fault.code)
		finder->graph_fault = unread;
	return g;
}

/* Too many graphs are kept: those that this run did not need go. */
static void drop_graphs(struct adding *a)
{
	struct origin_finder *finder = a->finder;
	size_t n = 0;

	if (finder->graphs.len <= GRAPHS_KEPT)
		return;
	for (size_t i = 0; i < finder->graphs.len; i++) {
		bool needed = false;

		for (size_t d = 0; d < a->run.n_devices; d++)
			needed |= a->graphs[d] == finder->graphs.at[i];
		if (needed)
			finder->graphs.at[n++] = finder->graphs.at[i];
		else
			origin_graph_free(finder->graphs.at[i]);
	}
	finder->graphs.len = n;
}

static void adding_init(struct adding *a, struct origin_finder *finder, const struct run *run,
                        uint32_t position, const struct origin_health *health)
{
	*a = (struct adding){ .finder = finder, .position = position };
	a->graphs = mem_alloc((run->devices.len + 1) * sizeof *a->graphs);
	a->const_of = mem_alloc((run->devices.len + 1) * sizeof *a->const_of);
	a->bad_of = mem_alloc((run->tensors.len + 1) * sizeof *a->bad_of);
	for (size_t d = 0; d < run->devices.len; d++)
		a->graphs[d] = graph_of(finder, &run->devices.at[d]);
	origin_run_init(&a->run, run, health, a->graphs);
}

static void adding_release(struct adding *a)
{
	const struct run *run = a->run.run;

	for (size_t d = 0; d < run->devices.len; d++)
		free(a->const_of[d]);
	drop_graphs(a);
	origin_run_release(&a->run);
	origin_feeds_release(&a->feeds);
	vec_release(&a->ends.absorbers);
	str_release(&a->text);
	free(a->graphs);
	free(a->const_of);
	free(a->bad_of);
}

/* Counts the tensors; how many are bad. */
static uint64_t count(struct origin_finder *finder, const struct run *run,
                      const struct origin_health *health)
{
	uint64_t n_bad = 0;

	for (size_t at = 0; at < run->tensors.len; at++) {
		const struct tensor *t = &run->tensors.at[at];

		finder->judged += health[at].known != KNOWN_NOTHING;
		n_bad += counts_are_bad(&health[at].counts);
		if (origin_debug_of(run, t) == DEBUG_OTHER) {
			const char *op = run->debug_ops.key[t->debug_op];

			map_add(&finder->unjudged, &finder->mem, op, strlen(op));
		}
	}
	finder->tensors += run->tensors.len;
	finder->many_devices |= run->devices.len > 1;
	return n_bad;
}

/* False after a cancel. */
static bool place_all(struct adding *a, struct progress *progress, struct err *err)
{
	uint32_t n = (uint32_t)a->run.run->tensors.len;
	size_t n_placed = 0;

	for (uint32_t at = 0; at < n; at++)
		a->bad_of[at] = origin_is_bad(&a->run, at) ? add_tensor(a, at) : BAD_NONE;
	for (uint32_t at = 0; at < n; at++) {
		if (a->bad_of[at] == BAD_NONE)
			continue;
		if (n_placed++ % STEP_BAD == 0 && progress_cancelled(progress))
			return err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
		place(a, at);
	}
	return true;
}

bool origin_finder_add(struct origin_finder *finder, const struct run *run, uint32_t position,
                       const struct origin_health *health, struct progress *progress,
                       struct err *err)
{
	uint64_t n_bad = count(finder, run, health);
	struct adding a;
	bool ok;

	if (n_bad && !finder->first_bad_run)
		finder->first_bad_run = position;
	if (!n_bad && finder->single)
		return true;
	adding_init(&a, finder, run, position, health);
	ok = place_all(&a, progress, err);
	if (ok && !finder->single)
		leave_variables(&a);
	finder->last_run = position;
	for (size_t i = 0; i < finder->graphs.len && !finder->graph_fault.code; i++) {
		const struct origin_graph *g = finder->graphs.at[i];

		finder->graph_fault = g->fault.code ? g->fault : g->attrs.fault;
	}
	adding_release(&a);
	return ok;
}
