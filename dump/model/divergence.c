/*
 * The nodes of all graphs are numbered through, device after device. Each output that differs
 * floods the nodes behind it, the earliest first, and stops at nodes with dumps: what such a node
 * put out after the flood came is explained, the rest is not. A node without dumps is passed at
 * most twice, by floods from two different nodes: of two one is always somebody else's, and that is
 * what counts where a loop leads back to its origin.
 *
 * Back edges (NextIteration into Merge) would leave no order; they count for floods only. Consumers
 * of Enter and NextIteration don't wait for the dumps of these, so that times say nothing about
 * them: in loops floods pass them too.
 */
#include "dump/model/divergence.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

#define NO_NODE UINT32_MAX
#define NEVER INT64_MAX
#define AT_THE_END (INT64_MAX - 1)
#define CONTROL (-1)

enum {
	STEP_EVERY = 4096,       /* nodes between two looks at progress */
	INPUTS_MAX = 64,         /* of a divergence that are told */
	SEARCHED_MAX = 1000,     /* nodes looked at for them */
};

struct arc {
	uint32_t from, to;
	int32_t slot;            /* of from; CONTROL */
};

/* What a loop consists of. */
enum node_kind { NODE_OTHER, NODE_MERGE, NODE_ENTER, NODE_NEXT };

/* An output with dumps. */
struct outlet {
	uint32_t node, slot;
	uint32_t position; /* in the new run, of its first dump; DIFF_NONE: none of this run */
	bool repeats;            /* dumped more than once */
	bool told;               /* as a divergence */
	int64_t differs_us;      /* since when; INT64_MIN: always, NEVER */
};

struct search {
	const struct run_diff *diff;
	const struct run *run;   /* whose graph it is */
	uint32_t *base;          /* of each device: its first node; at the end how many there are */
	uint32_t n_nodes;
	unsigned char *kind;     /* of each node: enum node_kind */
	uint32_t *pair_node;     /* of each pair; NO_NODE: no graph has it */
	VEC(struct arc) arcs;    /* by `to`, in the order of its inputs */
	uint32_t *in_start;      /* of node n: arcs [in_start[n], in_start[n + 1]) */
	uint32_t *out, *out_start;       /* numbers of arcs by from and slot */
	VEC(struct outlet) outlets;      /* by node and slot */
	uint32_t *outlet_start;
	int64_t *reached_us;     /* of each node: when a flood first came; NEVER */
	uint32_t *passed_by[2];  /* of each node: where the floods that passed it came from */
	bool *flooded;           /* of each node: a flood began there */
	VEC(uint32_t) stack;     /* nodes to go on from; for what is near it is a queue */
	uint32_t *rank;          /* of each node in topological order */
	struct arena mem;
};

/* Nodes. */

static enum node_kind kind_of(const char *op)
{
	op += strncmp(op, "Ref", 3) ? 0 : 3;
	return !strcmp(op, "Merge")           ? NODE_MERGE
	       : !strcmp(op, "Enter")         ? NODE_ENTER
	       : !strcmp(op, "NextIteration") ? NODE_NEXT
	                                      : NODE_OTHER;
}

static void number_nodes(struct search *s)
{
	const struct run *run = s->run;

	s->base = mem_alloc((run->devices.len + 1) * sizeof *s->base);
	for (size_t i = 0; i < run->devices.len; i++) {
		const struct graph *graph = run->devices.at[i].graph;

		s->base[i + 1] = s->base[i] + (graph ? graph_len(graph) : 0);
	}
	s->n_nodes = s->base[run->devices.len];
	s->kind = mem_alloc(s->n_nodes * sizeof *s->kind);
	for (size_t i = 0; i < run->devices.len; i++)
		for (uint32_t n = s->base[i]; n < s->base[i + 1]; n++)
			s->kind[n] = (unsigned char)kind_of(
				graph_op(run->devices.at[i].graph, n - s->base[i]));
}

/* The node of a name, of this device first. */
static uint32_t find_node(const struct search *s, size_t device, const char *name)
{
	const struct run *run = s->run;
	struct node_ref ref;
	size_t len = strlen(name);

	if (!run_find_node(run, name, len, (int)device, &ref, 1) &&
	    !run_find_node(run, name, len, -1, &ref, 1))
		return NO_NODE;
	return s->base[ref.device] + ref.node;
}

static bool is_back(const struct search *s, const struct arc *arc)
{
	return arc->slot != CONTROL && s->kind[arc->to] == NODE_MERGE &&
	       s->kind[arc->from] == NODE_NEXT;
}

/* Edges. */

static bool add_edges(struct search *s, size_t device, uint32_t number, enum edge_kind kind,
                      struct err *err)
{
	struct graph *graph = s->run->devices.at[device].graph;
	struct edges edges;

	if (!graph_edges(graph, number, kind, &edges, err))
		return false;
	for (size_t i = 0; i < edges.len; i++) {
		const struct edge *e = &edges.at[i];
		struct arc arc = { .to = s->base[device] + number, .slot = CONTROL };

		arc.from = e->node != GRAPH_NONE ? s->base[device] + e->node
		                                 : find_node(s, device, edge_node_name(graph, e));
		if (kind == EDGE_INPUT)
			arc.slot = e->slot < 0 ? 0 : e->slot;
		if (arc.from != NO_NODE)
			vec_push(&s->arcs, arc);
	}
	return true;
}

/* What a _Send and its _Recv have in common. */
static bool put_channel(struct graph *graph, uint32_t number, struct str *out, struct err *err)
{
	static const char *const keys[] = { "recv_device", "send_device", "tensor_name" };
	struct arena mem = {0};
	struct attr *attrs;
	size_t n;
	bool ok = graph_attrs(graph, number, &mem, &attrs, &n, err);

	str_reset(out);
	for (size_t i = 0; ok && i < n; i++)
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			if (!strcmp(attrs[i].key, keys[k]))
				str_fmt(out, "%s %s", keys[k], attrs[i].text);
	arena_release(&mem);
	return ok;
}

static bool is_transfer(const char *op, const char *what)
{
	return !strcmp(op + (*op == '_'), what) ||
	       (!strncmp(op, "_Host", 5) && !strcmp(op + 5, what));
}

/* The _Send nodes of all graphs by channel. */
struct channels {
	struct map names;
	VEC(uint32_t) sender;    /* of names.key[] */
};

/* Calls for each _Send: notes its channel. Damage in one node leaves only its channel unknown. */
static void note_senders(struct search *s, struct channels *channels)
{
	const struct run *run = s->run;
	struct str text = {0};

	for (size_t d = 0; d < run->devices.len; d++) {
		struct graph *graph = run->devices.at[d].graph;

		for (uint32_t i = 0; graph && i < graph_len(graph); i++) {
			struct err err = {0};

			if (!is_transfer(graph_op(graph, i), "Send") ||
			    !put_channel(graph, i, &text, &err))
				continue;
			if (map_add(&channels->names, &s->mem, str_text(&text), text.len) ==
			    channels->sender.len)
				vec_push(&channels->sender, s->base[d] + i);
		}
	}
	str_release(&text);
}

static void add_sender(struct search *s, const struct channels *channels, size_t device,
                       uint32_t number)
{
	struct graph *graph = s->run->devices.at[device].graph;
	struct str text = {0};
	struct err err = {0};
	uint32_t found = MAP_NONE;

	if (!channels->sender.len || !is_transfer(graph_op(graph, number), "Recv"))
		return;
	if (put_channel(graph, number, &text, &err))
		found = map_find(&channels->names, str_text(&text), text.len);
	if (found != MAP_NONE)
		vec_push(&s->arcs, ((struct arc){ channels->sender.at[found],
			                           s->base[device] + number, 0 }));
	str_release(&text);
}

static bool read_arcs(struct search *s, struct progress *progress, struct err *err)
{
	const struct run *run = s->run;
	struct channels channels = {0};
	bool ok = true;

	s->in_start = mem_alloc((s->n_nodes + 1) * sizeof *s->in_start);
	note_senders(s, &channels);
	for (size_t d = 0; d < run->devices.len && ok; d++) {
		for (uint32_t i = 0; i < s->base[d + 1] - s->base[d] && ok; i++) {
			uint32_t node = s->base[d] + i;

			s->in_start[node] = (uint32_t)s->arcs.len;
			if (!(node % STEP_EVERY) && !progress_step(progress, node, s->n_nodes))
				ok = err_at(err, ERR_CANCELLED, "command", 0, "stopped");
			ok = ok && add_edges(s, d, i, EDGE_INPUT, err) &&
			     add_edges(s, d, i, EDGE_CONTROL, err);
			if (ok)
				add_sender(s, &channels, d, i);
		}
	}
	s->in_start[s->n_nodes] = (uint32_t)s->arcs.len;
	map_release(&channels.names);
	vec_release(&channels.sender);
	return ok;
}

static int by_slot(const void *a, const void *b, void *context)
{
	const struct search *s = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	int32_t x = s->arcs.at[i].slot, y = s->arcs.at[k].slot;

	return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

/* Deals the arcs out to where they come from. */
static void turn_arcs(struct search *s)
{
	uint32_t *next = mem_alloc((s->n_nodes + 2) * sizeof *next);

	s->out = mem_alloc(s->arcs.len * sizeof *s->out);
	for (size_t i = 0; i < s->arcs.len; i++)
		next[s->arcs.at[i].from + 2]++;
	for (uint32_t n = 0; n < s->n_nodes; n++)
		next[n + 2] += next[n + 1];
	for (size_t i = 0; i < s->arcs.len; i++)
		s->out[next[s->arcs.at[i].from + 1]++] = (uint32_t)i;
	s->out_start = next;
	for (uint32_t n = 0; n < s->n_nodes; n++)
		qsort_r(s->out + next[n], next[n + 1] - next[n], sizeof *s->out, by_slot, s);
}

/* Dumps. */

/* Has the run whose graph it is the tensor? */
static bool has_graph(const struct search *s, const struct diff_pair *pair)
{
	return (s->run == s->diff->now ? pair->now : pair->before) != DIFF_NONE;
}

/* Of a pair that only one run has, the tensor of that. */
static const struct run *run_of(const struct search *s, const struct diff_pair *pair)
{
	const struct run_diff *diff = s->diff;

	return has_graph(s, pair) ? s->run : s->run == diff->now ? diff->before : diff->now;
}

static const struct tensor *tensor_of(const struct search *s, const struct diff_pair *pair)
{
	const struct run *run = run_of(s, pair);

	return &run->tensors.at[run == s->diff->now ? pair->now : pair->before];
}

static int64_t time_of(const struct search *s, const struct diff_pair *pair)
{
	return has_graph(s, pair) ? tensor_of(s, pair)->time_us : AT_THE_END;
}

static uint32_t find_pair_node(const struct search *s, const struct diff_pair *pair)
{
	const struct run *run = run_of(s, pair);
	const struct tensor *t = tensor_of(s, pair);
	const char *device = run->devices.at[t->device].name;
	size_t d = 0;

	if (s->diff->of_arrays && (pair->now == DIFF_NONE || pair->before == DIFF_NONE))
		return NO_NODE;
	while (d < s->run->devices.len && strcmp(s->run->devices.at[d].name, device))
		d++;
	return find_node(s, d, t->node);
}

static int by_output(const void *a, const void *b)
{
	const struct outlet *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

/* Outlets of the same output become one: the first, which is known as soon as it differs. */
static void merge_outlets(struct search *s)
{
	size_t kept = 0;

	if (s->outlets.len)
		qsort(s->outlets.at, s->outlets.len, sizeof *s->outlets.at, by_output);
	for (size_t i = 0; i < s->outlets.len; i++) {
		const struct outlet *o = &s->outlets.at[i];
		struct outlet *last = kept ? &s->outlets.at[kept - 1] : NULL;

		if (!last || last->node != o->node || last->slot != o->slot) {
			s->outlets.at[kept++] = *o;
			continue;
		}
		last->repeats |= o->repeats;
		if (o->differs_us < last->differs_us)
			last->differs_us = o->differs_us;
	}
	s->outlets.len = kept;
	for (size_t i = 0; i < kept; i++)
		if (s->outlets.at[i].differs_us != NEVER && !s->outlets.at[i].repeats)
			s->outlets.at[i].differs_us = INT64_MIN;
}

static void find_outlets(struct search *s)
{
	s->pair_node = mem_alloc(s->diff->pairs.len * sizeof *s->pair_node);
	for (size_t i = 0; i < s->diff->pairs.len; i++) {
		const struct diff_pair *pair = &s->diff->pairs.at[i];
		const struct tensor *t = tensor_of(s, pair);
		struct outlet outlet = { .node = find_pair_node(s, pair), .slot = t->slot,
			                 .position = pair->now, .repeats = t->number > 0 };

		s->pair_node[i] = outlet.node;
		outlet.differs_us = pair->status == DIFF_SAME ? NEVER : time_of(s, pair);
		if (outlet.node != NO_NODE)
			vec_push(&s->outlets, outlet);
	}
	merge_outlets(s);
	s->outlet_start = mem_alloc((s->n_nodes + 2) * sizeof *s->outlet_start);
	for (size_t i = 0; i < s->outlets.len; i++)
		s->outlet_start[s->outlets.at[i].node + 1]++;
	for (uint32_t n = 0; n < s->n_nodes; n++)
		s->outlet_start[n + 1] += s->outlet_start[n];
}

static bool is_dumped(const struct search *s, uint32_t node)
{
	return s->outlet_start[node] < s->outlet_start[node + 1];
}

/* NULL: that output has no dumps. */
static struct outlet *outlet_of(const struct search *s, uint32_t node, int64_t slot)
{
	size_t low = s->outlet_start[node], high = s->outlet_start[node + 1], end = high;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->outlets.at[middle].slot < slot)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && s->outlets.at[low].slot == slot ? &s->outlets.at[low] : NULL;
}

/* Does a flood go on behind it? */
static bool is_passed(const struct search *s, uint32_t node)
{
	if (!is_dumped(s, node))
		return true;
	return s->outlets.at[s->outlet_start[node]].repeats &&
	       (s->kind[node] == NODE_ENTER || s->kind[node] == NODE_NEXT);
}

/* Floods. */

static void reach(struct search *s, uint32_t node, uint32_t origin, int64_t time_us)
{
	uint32_t **by = s->passed_by;

	if (node == origin)
		return;
	if (is_dumped(s, node) && s->reached_us[node] == NEVER)
		s->reached_us[node] = time_us;
	if (!is_passed(s, node) || by[0][node] == origin || by[1][node] != NO_NODE)
		return;
	by[by[0][node] != NO_NODE][node] = origin;
	vec_push(&s->stack, node);
}

/* Over arcs of outputs without dumps, and control edges: they are as the node's others are. */
static void flood_free(struct search *s, const struct outlet *outlet)
{
	uint32_t node = outlet->node;

	for (uint32_t i = s->out_start[node]; i < s->out_start[node + 1]; i++) {
		const struct arc *arc = &s->arcs.at[s->out[i]];

		if (arc->slot == CONTROL || !outlet_of(s, node, arc->slot))
			reach(s, arc->to, node, outlet->differs_us);
	}
}

/* Over the arcs of the output itself. */
static void flood_own(struct search *s, const struct outlet *outlet)
{
	uint32_t low = s->out_start[outlet->node], end = s->out_start[outlet->node + 1], high = end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->arcs.at[s->out[middle]].slot < (int64_t)outlet->slot)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < end && s->arcs.at[s->out[low]].slot == (int64_t)outlet->slot; low++)
		reach(s, s->arcs.at[s->out[low]].to, outlet->node, outlet->differs_us);
}

static void flood(struct search *s, const struct outlet *outlet)
{
	if (!s->flooded[outlet->node])
		flood_free(s, outlet);
	s->flooded[outlet->node] = true;
	flood_own(s, outlet);
	while (s->stack.len) {
		uint32_t node = s->stack.at[--s->stack.len];

		for (uint32_t i = s->out_start[node]; i < s->out_start[node + 1]; i++)
			reach(s, s->arcs.at[s->out[i]].to, outlet->node, outlet->differs_us);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct outlet *x = *(const struct outlet *const *)a;
	const struct outlet *y = *(const struct outlet *const *)b;

	if (x->differs_us != y->differs_us)
		return x->differs_us < y->differs_us ? -1 : 1;
	return by_output(x, y);
}

static void flood_all(struct search *s)
{
	const struct outlet **order = mem_alloc(s->outlets.len * sizeof *order);
	size_t n = 0;

	s->flooded = mem_alloc(s->n_nodes * sizeof *s->flooded);
	s->reached_us = mem_alloc(s->n_nodes * sizeof *s->reached_us);
	for (int i = 0; i < 2; i++)
		s->passed_by[i] = mem_alloc(s->n_nodes * sizeof *s->passed_by[i]);
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		s->reached_us[i] = NEVER;
		s->passed_by[0][i] = s->passed_by[1][i] = NO_NODE;
	}
	for (size_t i = 0; i < s->outlets.len; i++)
		if (s->outlets.at[i].differs_us != NEVER)
			order[n++] = &s->outlets.at[i];
	qsort(order, n, sizeof *order, by_time);
	for (size_t i = 0; i < n; i++)
		flood(s, order[i]);
	free(order);
}

/* Order: of the nodes that nothing holds back the one that comes first in the graph is next. */

struct heap {
	uint32_t *at;
	uint32_t len;
};

static void heap_push(struct heap *heap, uint32_t node)
{
	uint32_t i = heap->len++;

	for (; i && heap->at[(i - 1) / 2] > node; i = (i - 1) / 2)
		heap->at[i] = heap->at[(i - 1) / 2];
	heap->at[i] = node;
}

static uint32_t heap_pop(struct heap *heap)
{
	uint32_t first = heap->at[0], last = heap->at[--heap->len], i = 0, child;

	while ((child = 2 * i + 1) < heap->len) {
		if (child + 1 < heap->len && heap->at[child + 1] < heap->at[child])
			child++;
		if (heap->at[child] >= last)
			break;
		heap->at[i] = heap->at[child];
		i = child;
	}
	heap->at[i] = last;
	return first;
}

/* Nodes on a loop that is none of Merge come last. */
static void rank_nodes(struct search *s)
{
	uint32_t *awaited = mem_alloc(s->n_nodes * sizeof *awaited), done = 0;
	struct heap heap = { .at = mem_alloc(s->n_nodes * sizeof *heap.at) };

	s->rank = mem_alloc(s->n_nodes * sizeof *s->rank);
	for (size_t i = 0; i < s->arcs.len; i++)
		awaited[s->arcs.at[i].to] += !is_back(s, &s->arcs.at[i]);
	for (uint32_t n = 0; n < s->n_nodes; n++) {
		s->rank[n] = NO_NODE;
		if (!awaited[n])
			heap_push(&heap, n);
	}
	while (heap.len) {
		uint32_t node = heap_pop(&heap);

		s->rank[node] = done++;
		for (uint32_t i = s->out_start[node]; i < s->out_start[node + 1]; i++) {
			const struct arc *arc = &s->arcs.at[s->out[i]];

			if (!is_back(s, arc) && !--awaited[arc->to])
				heap_push(&heap, arc->to);
		}
	}
	for (uint32_t n = 0; n < s->n_nodes; n++)
		if (s->rank[n] == NO_NODE)
			s->rank[n] = done++;
	free(heap.at);
	free(awaited);
}

/* Answers. */

static const char *op_of(const struct search *s, uint32_t node)
{
	size_t device = 0;

	while (s->base[device + 1] <= node)
		device++;
	return graph_op(s->run->devices.at[device].graph, node - s->base[device]);
}

static bool is_source(const struct search *s, uint32_t node)
{
	static const char *const ops[] = {
		"Placeholder", "PlaceholderV2", "PlaceholderWithDefault", "_Arg", "Const",
		"HostConst", "Variable", "VariableV2", "TemporaryVariable", "AutoReloadVariable",
		"VarHandleOp", "_VarHandlesOp", "ReadVariableOp", "_ReadVariablesOp",
	};
	const char *op = op_of(s, node);

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (!strcmp(op, ops[i]))
			return true;
	/* of a feed: nobody sends it */
	return is_transfer(op, "Recv") && s->in_start[node] == s->in_start[node + 1];
}

/* What is near a node, while it is looked for. */
struct near {
	uint32_t node;
	uint32_t inputs[INPUTS_MAX];
	size_t n;
	bool more;
	uint32_t *seen;          /* of each node: the last one it was seen for, + 1 */
};

static void add_input(const struct search *s, struct near *near, const struct outlet *outlet)
{
	if (outlet->position == DIFF_NONE || outlet->node == near->node)
		return;
	for (size_t i = 0; i < near->n; i++) {
		const struct tensor *t = &s->diff->now->tensors.at[near->inputs[i]];
		const struct tensor *u = &s->diff->now->tensors.at[outlet->position];

		if (t->node_id == u->node_id && t->slot == u->slot && t->device == u->device)
			return;
	}
	if (near->n == INPUTS_MAX)
		near->more = true;
	else
		near->inputs[near->n++] = outlet->position;
}

/* The dumps behind an arc; false: it comes from a node without any. */
static bool add_inputs(const struct search *s, struct near *near, const struct arc *arc)
{
	const struct outlet *outlet = NULL;

	if (is_passed(s, arc->from))
		return false;
	if (arc->slot != CONTROL)
		outlet = outlet_of(s, arc->from, arc->slot);
	if (outlet) {
		add_input(s, near, outlet);
		return true;
	}
	for (uint32_t i = s->outlet_start[arc->from]; i < s->outlet_start[arc->from + 1]; i++)
		add_input(s, near, &s->outlets.at[i]);
	return true;
}

static void find_inputs(struct search *s, struct near *near, uint32_t node, uint32_t mark)
{
	near->node = node;
	near->n = 0;
	near->more = false;
	s->stack.len = 0;
	vec_push(&s->stack, node);
	near->seen[node] = mark;
	for (size_t next = 0; next < s->stack.len && !near->more; next++) {
		uint32_t at = s->stack.at[next];

		near->more = next == SEARCHED_MAX;
		for (uint32_t i = s->in_start[at]; i < s->in_start[at + 1]; i++) {
			const struct arc *arc = &s->arcs.at[i];

			if (add_inputs(s, near, arc) || near->seen[arc->from] == mark)
				continue;
			near->seen[arc->from] = mark;
			vec_push(&s->stack, arc->from);
		}
	}
	s->stack.len = 0;
}

/* A divergence while it is sorted. */
struct found {
	uint32_t rank, slot, node, pair;
};

static int by_rank(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

static void tell(struct search *s, struct divergences *out, const struct found *found, size_t n)
{
	struct near near = { .seen = mem_alloc(s->n_nodes * sizeof *near.seen) };

	for (size_t i = 0; i < n; i++) {
		struct divergence *d = vec_add(&out->list);
		uint32_t *inputs;

		find_inputs(s, &near, found[i].node, (uint32_t)i + 1);
		inputs = arena_alloc(&out->mem, near.n * sizeof *inputs);
		memcpy(inputs, near.inputs, near.n * sizeof *inputs);
		*d = (struct divergence){ .pair = found[i].pair, .inputs = inputs,
			                  .n_inputs = near.n, .more = near.more };
		d->source = is_source(s, found[i].node);
	}
	free(near.seen);
}

/* Pairs come in time order: the first of an output is the one to tell. */
static void gather(struct search *s, struct divergences *out)
{
	VEC(struct found) found = {0};

	for (size_t i = 0; i < s->diff->pairs.len; i++) {
		const struct diff_pair *pair = &s->diff->pairs.at[i];
		uint32_t node = pair->status == DIFF_SAME ? NO_NODE : s->pair_node[i];
		struct outlet *outlet;

		if (node == NO_NODE || s->reached_us[node] <= time_of(s, pair))
			continue;
		outlet = outlet_of(s, node, tensor_of(s, pair)->slot);
		if (outlet->told)
			continue;
		outlet->told = true;
		vec_push(&found, ((struct found){ s->rank[node], outlet->slot, node,
		                                  (uint32_t)i }));
	}
	if (found.len)
		qsort(found.at, found.len, sizeof *found.at, by_rank);
	tell(s, out, found.at, found.len);
	vec_release(&found);
}

static void search_release(struct search *s)
{
	free(s->base);
	free(s->kind);
	free(s->pair_node);
	vec_release(&s->arcs);
	free(s->in_start);
	free(s->out);
	free(s->out_start);
	vec_release(&s->outlets);
	free(s->outlet_start);
	free(s->reached_us);
	free(s->flooded);
	free(s->passed_by[0]);
	free(s->passed_by[1]);
	vec_release(&s->stack);
	free(s->rank);
	arena_release(&s->mem);
}

bool divergences_find(const struct run_diff *diff, struct divergences *out,
                      struct progress *progress, struct err *err)
{
	bool by_old = diff->of_arrays && !run_has_graph(diff->now);
	struct search s = { .diff = diff, .run = by_old ? diff->before : diff->now };
	bool ok = true;

	*out = (struct divergences){ .known = run_has_graph(s.run) };
	if (!out->known || diff->count[DIFF_SAME] == diff->pairs.len)
		return true;
	number_nodes(&s);
	ok = read_arcs(&s, progress, err);
	if (ok) {
		turn_arcs(&s);
		find_outlets(&s);
		flood_all(&s);
		rank_nodes(&s);
		gather(&s, out);
	}
	search_release(&s);
	return ok;
}

void divergences_release(struct divergences *divergences)
{
	vec_release(&divergences->list);
	arena_release(&divergences->mem);
}
