/*
 * A walk from a node back to what was dumped. Things to look at wait on a stack: a node whose
 * inputs count (feed), or one output of a node. An output with a dump in time ends the way; through
 * others it goes on, and each node is gone through once.
 */
#include "dump/model/origin_run.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/model/origins.h"
#include "dump/model/run_names.h"

#ifndef FEW_BAD
#define FEW_BAD 8                /* so many bad dumps of an output are taken one by one */
#endif

struct origin_step {
	uint32_t node, slot;
	uint16_t device;
	bool feeds;              /* its inputs count, not its output */
	bool every;              /* all dumps in time, not the newest */
};

struct walk {
	struct origin_run *r;
	uint32_t at;             /* the dump it is about: only what is not later counts */
	int64_t time_us;
	struct origin_feeds *out;
};

/* ---- the run */

/* "node" is output 0, as everywhere. */
static void take_fetched(struct origin_run *r, const char *name)
{
	const char *colon = strrchr(name, ':');
	bool has_slot = colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
	struct str full = {0};

	str_fmt(&full, has_slot ? "%s" : "%s:0", name);
	map_add(&r->fetched, &r->mem, full.text, full.len);
	str_release(&full);
}

static bool is_fetched(const struct origin_run *r, const char *node, uint32_t slot)
{
	struct str full = {0};
	uint32_t id;

	origin_put_name(&full, node, slot);
	id = map_find(&r->fetched, full.text, full.len);
	str_release(&full);
	return id != MAP_NONE;
}

static void find_fetched(struct origin_run *r)
{
	struct arena mem = {0};

	for (size_t i = 0; i < r->run->metadata.len; i++) {
		struct core_metadata metadata;

		core_metadata_read(r->run->metadata.at[i], &mem, &metadata);
		for (size_t k = 0; k < metadata.outputs.list.len; k++)
			take_fetched(r, metadata.outputs.list.at[k]);
		core_metadata_release(&metadata);
	}
	arena_release(&mem);
}

static void init_device(struct origin_run *r, struct origin_device *d)
{
	const struct map *nodes = &r->run->nodes;
	size_t n = d->graph ? graph_len(d->graph->graph) : 0;

	d->dumps_of = mem_alloc((n + 1) * sizeof *d->dumps_of);
	d->node_of = mem_alloc((nodes->len + 1) * sizeof *d->node_of);
	d->has_bad = mem_alloc(n + 1);
	d->seen[0] = mem_alloc((n + 1) * sizeof *d->seen[0]);
	d->seen[1] = mem_alloc((n + 1) * sizeof *d->seen[1]);
	d->pool_of = mem_alloc((n + 1) * sizeof *d->pool_of);
	for (uint32_t id = 0; id < nodes->len; id++) {
		uint32_t node = d->graph ? graph_find(d->graph->graph, nodes->key[id],
		                                      strlen(nodes->key[id])) : GRAPH_NONE;

		d->node_of[id] = node;
		if (node != GRAPH_NONE)
			d->dumps_of[node] = id + 1;
	}
}

void origin_run_init(struct origin_run *r, const struct run *run,
                     const struct origin_health *health, struct origin_graph **graphs)
{
	*r = (struct origin_run){ .run = run, .health = health, .n_devices = run->devices.len };
	r->devices = mem_alloc((r->n_devices + 1) * sizeof *r->devices);
	for (size_t d = 0; d < r->n_devices; d++) {
		r->devices[d].graph = graphs[d];
		init_device(r, &r->devices[d]);
	}
	find_fetched(r);
	for (uint32_t at = 0; at < run->tensors.len; at++) {
		uint32_t node = origin_node_of(r, at);

		if (node != GRAPH_NONE && origin_is_bad(r, at))
			r->devices[run->tensors.at[at].device].has_bad[node] = 1;
	}
}

static void release_pools(struct origin_device *d)
{
	size_t n = d->graph ? graph_len(d->graph->graph) : 0;

	for (size_t node = 0; node < n; node++)
		for (struct origin_pool *pool = d->pool_of[node]; pool; pool = pool->next)
			vec_release(&pool->sums);
	free(d->pool_of);
}

void origin_run_release(struct origin_run *r)
{
	for (size_t d = 0; d < r->n_devices; d++) {
		release_pools(&r->devices[d]);
		free(r->devices[d].dumps_of);
		free(r->devices[d].node_of);
		free(r->devices[d].has_bad);
		free(r->devices[d].seen[0]);
		free(r->devices[d].seen[1]);
	}
	free(r->devices);
	vec_release(&r->stack);
	map_release(&r->fetched);
	arena_release(&r->mem);
}

void origin_feeds_release(struct origin_feeds *feeds)
{
	vec_release(&feeds->bad);
	vec_release(&feeds->many);
	vec_release(&feeds->gap);
}

uint32_t origin_node_of(const struct origin_run *r, uint32_t at)
{
	const struct tensor *t = &r->run->tensors.at[at];

	return r->devices[t->device].node_of[t->node_id];
}

/* The dumps of a node, of whichever output and device, in time order. */
static const uint32_t *dumps_of(const struct origin_run *r, uint16_t device, uint32_t node,
                                size_t *n)
{
	uint32_t id = r->devices[device].dumps_of[node];

	*n = 0;
	return id ? run_node_tensors(r->run, id - 1, n) : NULL;
}

/* Is it one of this output that something is known of? */
static bool is_dump(const struct origin_run *r, uint32_t at, uint16_t device, int64_t slot)
{
	const struct tensor *t = &r->run->tensors.at[at];

	return t->device == device && (slot < 0 || t->slot == slot) &&
	       r->health[at].known != KNOWN_NOTHING;
}

bool origin_has_dumps(const struct origin_run *r, uint16_t device, uint32_t node, int slot)
{
	size_t n;
	const uint32_t *at = dumps_of(r, device, node, &n);

	for (size_t i = 0; i < n; i++)
		if (is_dump(r, at[i], device, slot))
			return true;
	return false;
}

bool origin_is_unread(const struct origin_run *r, uint16_t device, const char *node)
{
	uint32_t id = map_find(&r->run->nodes, node, strlen(node));
	const uint32_t *at = NULL;
	size_t n = 0;

	if (id != MAP_NONE)
		at = run_node_tensors(r->run, id, &n);
	for (size_t i = 0; i < n; i++) {
		const struct tensor *t = &r->run->tensors.at[at[i]];
		struct err err = {0};

		if (t->device != device || r->health[at[i]].known != KNOWN_NOTHING
		    || origin_debug_of(r->run, t) == DEBUG_OTHER)
			continue;
		value_close(run_value(r->run, t, &err));
		if (err.code && err.code != ERR_MISSING)
			return true;
	}
	return run_may_hold(r->run, device, node);
}

/* The bad dumps of an output, collected once. */
static struct origin_pool *pool_of(struct origin_run *r, uint16_t device, uint32_t node,
                                   uint32_t slot)
{
	struct origin_pool **first = &r->devices[device].pool_of[node], *pool = *first;
	const uint32_t *at;
	size_t n;

	while (pool && pool->slot != slot)
		pool = pool->next;
	if (pool)
		return pool;
	at = dumps_of(r, device, node, &n);
	pool = arena_alloc(&r->mem, sizeof *pool);
	*pool = (struct origin_pool){ .slot = slot, .next = *first,
	                              .at = arena_alloc(&r->mem, n * sizeof *pool->at) };
	*first = pool;
	for (size_t i = 0; i < n; i++)
		if (is_dump(r, at[i], device, slot) && origin_is_bad(r, at[i]))
			pool->at[pool->n++] = at[i];
	return pool;
}

/* How many of them are no later than this dump. */
static size_t count_until(const struct origin_pool *pool, uint32_t last)
{
	size_t low = 0, n = pool->n;

	while (low < n) {
		size_t mid = low + (n - low) / 2;

		if (pool->at[mid] <= last)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

/* ---- the walk */

static void take(struct walk *w, struct origin_source source, bool bad)
{
	w->out->n++;
	w->out->last = source;
	if (bad)
		vec_push(&w->out->bad, source);
}

static void take_dump(struct walk *w, uint32_t at)
{
	take(w, (struct origin_source){ false, w->r->run->tensors.at[at].device, at },
	     origin_is_bad(w->r, at));
}

static void push(struct walk *w, struct origin_step step)
{
	vec_push(&w->r->stack, step);
}

static void push_output(struct walk *w, uint16_t device, const struct edge *edge, bool every)
{
	const struct graph *graph = w->r->devices[device].graph->graph;

	if (edge->node == GRAPH_NONE)
		vec_push(&w->out->gap, ((struct origin_missing){ edge_node_name(graph, edge),
		                                                 device, GRAPH_NONE }));
	else
		push(w, (struct origin_step){ edge->node, edge_slot(edge), device, false, every });
}

/* How many of the dumps, which are in time order, are no later than the walk's. */
static size_t count_in_time(const struct walk *w, const uint32_t *at, size_t n)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = low + (n - low) / 2;

		if (w->r->run->tensors.at[at[mid]].time_us <= w->time_us)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

/* The newest dump of an output in time; a dump never feeds itself. UINT32_MAX: there is none. */
static uint32_t newest(const struct walk *w, uint16_t device, uint32_t node, uint32_t slot)
{
	size_t n;
	const uint32_t *at = dumps_of(w->r, device, node, &n);

	for (size_t i = count_in_time(w, at, n); i > 0; i--)
		if (at[i - 1] != w->at && is_dump(w->r, at[i - 1], device, slot))
			return at[i - 1];
	return UINT32_MAX;
}

/* Of what a writer has left: a bad one rather than any, a newer one rather than an older. */
static void keep_newer(const struct walk *w, uint32_t at, uint32_t *best)
{
	const struct tensor *t = &w->r->run->tensors.at[at];
	bool bad = origin_is_bad(w->r, at), best_bad;

	if (t->time_us >= w->time_us)
		return;
	best_bad = *best != UINT32_MAX && origin_is_bad(w->r, *best);
	if (*best == UINT32_MAX || bad > best_bad ||
	    (bad == best_bad && t->time_us > w->r->run->tensors.at[*best].time_us))
		*best = at;
}

static void each_dump(const struct walk *w, uint16_t device, const struct edge *output,
                      bool only_bad, uint32_t *best)
{
	size_t n;
	const uint32_t *at = output->node == GRAPH_NONE
	                             ? NULL : dumps_of(w->r, device, output->node, &n);

	for (size_t i = 0; at && i < n; i++)
		if (is_dump(w->r, at[i], device, edge_slot(output)) &&
		    (!only_bad || origin_is_bad(w->r, at[i])))
			keep_newer(w, at[i], best);
}

/* Does its name say that it puts nothing out, or a reference that need not be dumped? */
static bool writes_silently(const struct origin_graph *g, uint32_t node)
{
	const char *op = graph_op(g->graph, node);

	return !strncmp(op, "Resource", 8) || !strncmp(op, "Assign", 6);
}

/* What the writers of a variable have left in it; UINT32_MAX: nothing that was dumped. */
static uint32_t written(const struct walk *w, uint16_t device, uint32_t variable)
{
	struct origin_graph *g = w->r->devices[device].graph;
	uint32_t best = UINT32_MAX;
	size_t n;
	const struct origin_writer *writer = origin_writers(g, variable, &n);

	for (size_t i = 0; i < n; i++, writer++) {
		struct edge output = { writer->node, 0, 0 };
		bool dumped = origin_has_dumps(w->r, device, writer->node, 0);
		struct edges in = origin_inputs(g, writer->node);

		if (dumped && writer->input == 0)
			each_dump(w, device, &output, false, &best);
		else if (!dumped && writes_silently(g, writer->node))
			for (size_t k = 1; k < in.len; k++)
				each_dump(w, device, &in.at[k], true, &best);
	}
	return best;
}

/* What an array or a stack may hold: all that was put into it in time. */
static void push_puts(struct walk *w, uint16_t device, uint32_t node)
{
	struct origin_graph *g = w->r->devices[device].graph;
	size_t n;
	const struct origin_user *put = origin_puts(g, node, &n);

	for (size_t i = 0; i < n; i++) {
		struct edges in = origin_inputs(g, put[i].node);
		bool of_stack = g->traits[put[i].node] & OP_PUSH;
		bool is_split = !strcmp(graph_op(g->graph, put[i].node), "TensorArraySplitV3");
		size_t value = of_stack || is_split ? 1 : 2;

		if (value < in.len)
			push_output(w, device, &in.at[value], true);
	}
}

/* Sends on whichever device, to a node that receives. */
static void push_senders(struct walk *w, uint16_t device, uint32_t node, bool every)
{
	struct origin_graph *own = w->r->devices[device].graph;
	uint32_t key = origin_tensor_key(own, node);

	for (uint16_t d = 0; key != MAP_NONE && d < w->r->n_devices; d++) {
		struct origin_graph *g = w->r->devices[d].graph;
		const char *name = own->tensors.key[key];
		uint32_t there = g ? map_find(&g->tensors, name, strlen(name)) : MAP_NONE;
		const struct origin_user *send;
		size_t n;

		if (there == MAP_NONE)
			continue;
		send = origin_users(g->sends.at, g->sends.len, there, &n);
		for (size_t i = 0; i < n; i++)
			push(w, (struct origin_step){ send[i].node, 0, d, true, every });
	}
}

static void take_written(struct walk *w, uint16_t device, uint32_t variable)
{
	uint32_t at = variable == GRAPH_NONE ? UINT32_MAX : written(w, device, variable);

	if (at != UINT32_MAX)
		take_dump(w, at);
}

/* A step to the inputs of a node. */
static void feed(struct walk *w, const struct origin_step *step)
{
	struct origin_device *d = &w->r->devices[step->device];
	struct origin_graph *g = d->graph;
	uint32_t traits = g->traits[step->node];
	struct edges in = origin_inputs(g, step->node);
	int flow = op_flow_input(traits);

	if (d->seen[step->every][step->node] == w->r->seen)
		return;
	d->seen[step->every][step->node] = w->r->seen;
	for (size_t i = 0; i < in.len; i++)
		if ((int)i != flow)
			push_output(w, step->device, &in.at[i], step->every);
	if (traits & (OP_ARRAY_READ | OP_POP))
		push_puts(w, step->device, step->node);
	if (traits & OP_RECEIVES)
		push_senders(w, step->device, step->node, step->every);
	if ((traits & OP_READS) && in.len && in.at[0].node != GRAPH_NONE)
		take_written(w, step->device, origin_variable(g, in.at[0].node));
}

static void take_bad(struct walk *w, uint16_t device, struct origin_pool *pool, size_t n)
{
	if (n && pool->at[n - 1] == w->at)
		n--;
	if (n > FEW_BAD) {
		vec_push(&w->out->many, ((struct origin_many){ pool, n }));
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (pool->at[i] != w->at)
			vec_push(&w->out->bad,
			         ((struct origin_source){ false, device, pool->at[i] }));
}

/*
 * Takes the first n dumps of a node that are of the output, but the walk's own. It matters which
 * are bad, and if there is but one: the others are not looked at. False: there is none.
 */
static bool take_first(struct walk *w, uint16_t device, uint32_t node, uint32_t slot, size_t n)
{
	struct origin_feeds *out = w->out;
	struct origin_pool *pool;
	size_t n_dumps, before = out->n;
	const uint32_t *at = dumps_of(w->r, device, node, &n_dumps);

	for (size_t i = n; i > 0 && out->n < before + 2; i--)
		if (at[i - 1] != w->at && is_dump(w->r, at[i - 1], device, slot)) {
			out->n++;
			out->last = (struct origin_source){ false, device, at[i - 1] };
		}
	if (out->n == before)
		return false;
	pool = pool_of(w->r, device, node, slot);
	take_bad(w, device, pool, count_until(pool, at[n - 1]));
	return true;
}

static bool take_every(struct walk *w, const struct origin_step *step)
{
	size_t n;
	const uint32_t *at = dumps_of(w->r, step->device, step->node, &n);

	return take_first(w, step->device, step->node, step->slot, count_in_time(w, at, n));
}

/* The newer one of a variable's own dumps and of what was written to it. */
static bool take_newest(struct walk *w, const struct origin_step *step)
{
	const struct tensor *tensors = w->r->run->tensors.at;
	uint32_t at = newest(w, step->device, step->node, step->slot);

	if (w->r->devices[step->device].graph->traits[step->node] & OP_VARIABLE) {
		uint32_t left = written(w, step->device, step->node);

		if (at == UINT32_MAX ||
		    (left != UINT32_MAX && tensors[left].time_us >= tensors[at].time_us))
			at = left;
	}
	if (at != UINT32_MAX)
		take_dump(w, at);
	return at != UINT32_MAX;
}

/*
 * Is an output that was not dumped clean? It is if an operation that always passes NaN and Inf on
 * came out clean.
 */
static bool is_cleared(const struct origin_run *r, const struct origin_step *step)
{
	const struct origin_graph *g = r->devices[step->device].graph;
	struct edges to = origin_recipients(g, step->node);

	for (size_t i = 0; i < to.len; i++) {
		size_t n, n_dumps = 0, k = 0;
		const uint32_t *at = dumps_of(r, step->device, to.at[i].node, &n);
		const struct origin_health *h = NULL;
		struct edges in = origin_inputs(g, to.at[i].node);

		if (!(g->traits[to.at[i].node] & OP_PASSES))
			continue;
		while (k < in.len && !edge_is(&in.at[k], step->node, step->slot))
			k++;
		for (size_t j = 0; j < n && n_dumps < 2; j++)
			if (is_dump(r, at[j], step->device, 0)) {
				h = &r->health[at[j]];
				n_dumps++;
			}
		if (k < in.len && n_dumps == 1 && !counts_are_bad(&h->counts) &&
		    h->known != KNOWN_NAN && h->counts.size > 0)
			return true;
	}
	return false;
}

static void take_const(struct walk *w, const struct origin_step *step)
{
	const struct origin_const *c = origin_const(w->r->devices[step->device].graph, step->node);

	take(w, (struct origin_source){ true, step->device, step->node },
	     counts_are_bad(&c->counts));
}

/* A step to an output of a node. */
static void visit(struct walk *w, const struct origin_step *step)
{
	struct origin_graph *g = w->r->devices[step->device].graph;
	uint32_t traits = g->traits[step->node];
	struct origin_step through = *step;

	through.feeds = true;
	if (origin_is_flow(g, step->node, step->slot))
		return;
	if (traits & OP_LOOKED) {
		push(w, through);
		return;
	}
	if (step->every ? take_every(w, step) : take_newest(w, step))
		return;
	if (traits & OP_CONST) {
		take_const(w, step);
		return;
	}
	if (!origin_may_be_bad(g, step->node) || is_cleared(w->r, step))
		return;
	if (!(traits & OP_CARRIES) || !origin_inputs(g, step->node).len)
		vec_push(&w->out->gap, ((struct origin_missing){ graph_name(g->graph, step->node),
		                                                 step->device, step->node }));
	push(w, through);
}

static struct walk walk_of(struct origin_run *r, uint32_t at, struct origin_feeds *out)
{
	out->bad.len = out->many.len = out->gap.len = out->n = 0;
	r->stack.len = 0;
	r->seen++;
	return (struct walk){ r, at, r->run->tensors.at[at].time_us, out };
}

static void go(struct walk *w)
{
	while (w->r->stack.len) {
		struct origin_step step = w->r->stack.at[--w->r->stack.len];

		if (step.feeds)
			feed(w, &step);
		else
			visit(w, &step);
	}
}

/* Flow comes of flow, whenever that was dumped. */
static void take_flow(struct walk *w, uint16_t device, uint32_t node)
{
	struct origin_graph *g = w->r->devices[device].graph;
	struct edges in = origin_inputs(g, node);

	for (size_t i = 0; i < in.len; i++) {
		uint32_t slot = edge_slot(&in.at[i]);
		size_t n;

		if (in.at[i].node == GRAPH_NONE || !origin_is_flow(g, in.at[i].node, slot))
			continue;
		dumps_of(w->r, device, in.at[i].node, &n);
		take_first(w, device, in.at[i].node, slot, n);
	}
}

void origin_feeds_of(struct origin_run *r, uint32_t at, struct origin_feeds *out)
{
	struct walk w = walk_of(r, at, out);
	uint16_t device = r->run->tensors.at[at].device;
	uint32_t node = origin_node_of(r, at);
	struct origin_graph *g = r->devices[device].graph;

	if (node == GRAPH_NONE)
		return;
	if (origin_is_flow(g, node, r->run->tensors.at[at].slot)) {
		take_flow(&w, device, node);
		return;
	}
	push(&w, (struct origin_step){ node, 0, device, true, false });
	go(&w);
	if (g->traits[node] & OP_VARIABLE)
		take_written(&w, device, node);
}

/* ---- inputs for the rules */

static struct origin_input input_of(const struct origin_run *r, const struct origin_feeds *feeds)
{
	const struct origin_health *h;

	if (feeds->n != 1)
		return (struct origin_input){0};
	if (feeds->last.is_const)
		return origin_const(r->devices[feeds->last.device].graph, feeds->last.at)->input;
	h = &r->health[feeds->last.at];
	return (struct origin_input){ h->known == KNOWN_ELEMENTS, h->has_zero, h->has_negative };
}

size_t origin_inputs_at(struct origin_run *r, uint16_t device, uint32_t node, uint32_t at,
                        struct origin_input *in, size_t max)
{
	struct edges edges = origin_inputs(r->devices[device].graph, node);
	size_t n = edges.len < max ? edges.len : max;
	struct origin_feeds feeds = {0};

	for (size_t i = 0; i < n; i++) {
		struct walk w = walk_of(r, at, &feeds);

		push_output(&w, device, &edges.at[i], false);
		go(&w);
		in[i] = input_of(r, &feeds);
	}
	origin_feeds_release(&feeds);
	return n;
}

/* ---- where it goes */

/* Is what a node sends dumped where it is received? */
static bool is_received(const struct origin_run *r, uint16_t device, uint32_t node)
{
	struct origin_graph *own = r->devices[device].graph;
	uint32_t key = origin_tensor_key(own, node);

	for (uint16_t d = 0; key != MAP_NONE && d < r->n_devices; d++) {
		struct origin_graph *g = r->devices[d].graph;
		const char *name = own->tensors.key[key];
		uint32_t there = g ? map_find(&g->tensors, name, strlen(name)) : MAP_NONE;
		const struct origin_user *receive;
		size_t n;

		if (there == MAP_NONE)
			continue;
		receive = origin_users(g->receives.at, g->receives.len, there, &n);
		for (size_t i = 0; i < n; i++)
			if (origin_has_dumps(r, d, receive[i].node, 0))
				return true;
	}
	return false;
}

/* A node takes the value. */
static void take_recipient(struct origin_run *r, uint16_t device, uint32_t node,
                           struct origin_ends *out)
{
	struct origin_graph *g = r->devices[device].graph;
	uint32_t traits = g->traits[node];

	if (op_is_writer(graph_op(g->graph, node)))
		out->reach |= REACH_VARIABLE;
	else if (traits & OP_RETURNS)
		out->reach |= REACH_FETCH;
	else if (traits & OP_SENDS)
		out->reach |= is_received(r, device, node) ? 0 : REACH_UNDUMPED;
	else if (!origin_has_dumps(r, device, node, -1))
		out->reach |= !origin_may_be_bad(g, node) ? 0
		              : origin_is_unread(r, device, graph_name(g->graph, node))
		              ? REACH_UNREAD : REACH_UNDUMPED;
	else if (!(traits & OP_LOOKED) && !r->devices[device].has_bad[node])
		vec_push(&out->absorbers, ((struct origin_end){ device, node }));
}

void origin_ends_of(struct origin_run *r, uint16_t device, uint32_t node, uint32_t slot,
                    struct origin_ends *out)
{
	struct origin_graph *g = r->devices[device].graph;
	struct edges to = origin_recipients(g, node);

	out->reach = 0;
	out->absorbers.len = 0;
	if (is_fetched(r, graph_name(g->graph, node), slot))
		out->reach |= REACH_FETCH;
	if ((g->traits[node] & OP_VARIABLE) || op_is_writer(graph_op(g->graph, node)))
		out->reach |= REACH_VARIABLE;
	for (size_t i = 0; i < to.len; i++) {
		struct edges in = origin_inputs(g, to.at[i].node);
		size_t k = 0;

		while (k < in.len && !edge_is(&in.at[k], node, slot))
			k++;
		if (k < in.len)
			take_recipient(r, device, to.at[i].node, out);
	}
}
