/*
 * Hidden edges are found once for each graph, in one pass over its nodes: a table of writers,
 * sorted by variable; tables of what is put into arrays and stacks, and of what is sent, sorted by
 * number. Walks follow one input of each node, or all of them with a mark on each node that was
 * met; nothing here calls itself.
 */
#include "dump/model/origin_graph.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/origin_value.h"

enum { NESTED_MOST = 64 };       /* arrays of gradients of arrays of gradients ... */

/* Tables. */

static int by_variable(const void *a, const void *b)
{
	const struct origin_writer *x = a, *y = b;

	if (x->variable != y->variable)
		return x->variable < y->variable ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static int by_key(const void *a, const void *b)
{
	const struct origin_user *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Of a graph that can't be read any more there are none, and its fault says why. */
static struct edges edges_of(const struct origin_graph *g, uint32_t node, enum edge_kind kind)
{
	struct edges edges = {0};
	struct err err = {0};

	if (!graph_edges(g->graph, node, kind, &edges, &err) && !g->fault.code)
		((struct origin_graph *)g)->fault = err;
	return edges;
}

struct edges origin_inputs(const struct origin_graph *g, uint32_t node)
{
	return edges_of(g, node, EDGE_INPUT);
}

struct edges origin_recipients(const struct origin_graph *g, uint32_t node)
{
	return edges_of(g, node, EDGE_RECIPIENT);
}

/* The node at input 0; GRAPH_NONE: there is none. */
static uint32_t first_input(const struct origin_graph *g, uint32_t node)
{
	struct edges in = origin_inputs(g, node);

	return in.len ? in.at[0].node : GRAPH_NONE;
}

/* Walks begin with it: no node is marked then. */
static void unmark(struct origin_graph *g)
{
	if (++g->marked == 0) {
		memset(g->mark, 0, graph_len(g->graph) * sizeof *g->mark);
		g->marked = 1;
	}
}

/* False: it was marked before. */
static bool mark(struct origin_graph *g, uint32_t node)
{
	bool fresh = g->mark[node] != g->marked;

	g->mark[node] = g->marked;
	return fresh;
}

uint32_t origin_variable(struct origin_graph *g, uint32_t node)
{
	unmark(g);
	while (node != GRAPH_NONE && mark(g, node)) {
		if (g->traits[node] & (OP_VARIABLE | OP_HANDLE))
			return node;
		if (!(g->traits[node] & OP_LEADS))
			return GRAPH_NONE;
		node = first_input(g, node);
	}
	return GRAPH_NONE;
}

/* What made the handle that this node takes; GRAPH_NONE: it has no input. */
static uint32_t handle_of(struct origin_graph *g, uint32_t node)
{
	uint32_t next;

	unmark(g);
	node = first_input(g, node);
	while (node != GRAPH_NONE && (g->traits[node] & OP_CARRIES) && mark(g, node)) {
		next = first_input(g, node);
		if (next == GRAPH_NONE)
			break;
		node = next;
	}
	return node;
}

/* An array of gradients is that of its forward array, and by whom it is asked for. */
static bool put_store(struct origin_graph *g, uint32_t node, struct str *out)
{
	struct str source = {0};
	uint32_t handle = handle_of(g, node);

	str_reset(out);
	for (int i = 0; i < NESTED_MOST && handle != GRAPH_NONE &&
	     (g->traits[handle] & OP_ARRAY_GRAD); i++) {
		attr_find_text(&g->attrs, handle, "source", &source);
		str_fmt(out, "%s\n", str_text(&source));
		handle = handle_of(g, handle);
	}
	str_release(&source);
	if (handle != GRAPH_NONE)
		str_puts(out, graph_name(g->graph, handle));
	return handle != GRAPH_NONE;
}

const struct origin_user *origin_users(const struct origin_user *users, size_t len, uint32_t key,
                                       size_t *n)
{
	size_t low = 0, high = len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (users[mid].key < key)
			low = mid + 1;
		else
			high = mid;
	}
	for (*n = 0; low + *n < len && users[low + *n].key == key; ++*n)
		;
	return users + low;
}

const struct origin_user *origin_puts(struct origin_graph *g, uint32_t node, size_t *n)
{
	struct str store = {0};
	uint32_t key = MAP_NONE;

	*n = 0;
	if (put_store(g, node, &store))
		key = map_find(&g->stores, store.text, store.len);
	str_release(&store);
	return key == MAP_NONE ? NULL : origin_users(g->puts.at, g->puts.len, key, n);
}

const struct origin_writer *origin_writers(const struct origin_graph *g, uint32_t variable,
                                           size_t *n)
{
	size_t low = 0, high = g->writers.len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (g->writers.at[mid].variable < variable)
			low = mid + 1;
		else
			high = mid;
	}
	for (*n = 0; low + *n < g->writers.len && g->writers.at[low + *n].variable == variable;
	     ++*n)
		;
	return g->writers.at + low;
}

uint32_t origin_tensor_key(struct origin_graph *g, uint32_t node)
{
	struct str name = {0};
	uint32_t key = MAP_NONE;

	if (attr_find_text(&g->attrs, node, "tensor_name", &name))
		key = map_add(&g->tensors, &g->mem, str_text(&name), name.len);
	str_release(&name);
	return key;
}

/* The pass over the nodes. */

static void add_writer(struct origin_graph *g, uint32_t node)
{
	struct edges in = origin_inputs(g, node);

	for (uint32_t i = 0; i < in.len; i++) {
		uint32_t variable = in.at[i].node == GRAPH_NONE
		                            ? GRAPH_NONE : origin_variable(g, in.at[i].node);

		if (variable != GRAPH_NONE)
			vec_push(&g->writers, ((struct origin_writer){ variable, node, i }));
	}
}

static void add_put(struct origin_graph *g, uint32_t node)
{
	struct str store = {0};

	if (put_store(g, node, &store))
		vec_push(&g->puts, ((struct origin_user){
			map_add(&g->stores, &g->mem, store.text, store.len), node }));
	str_release(&store);
}

static void add_nodes(struct origin_graph *g)
{
	for (uint32_t node = 0; node < graph_len(g->graph); node++) {
		uint32_t traits = g->traits[node];
		struct origin_user user = { MAP_NONE, node };

		if (op_is_writer(graph_op(g->graph, node)))
			add_writer(g, node);
		if (traits & (OP_ARRAY_WRITE | OP_PUSH))
			add_put(g, node);
		if (!(traits & (OP_SENDS | OP_RECEIVES)))
			continue;
		user.key = origin_tensor_key(g, node);
		if (user.key != MAP_NONE && traits & OP_SENDS)
			vec_push(&g->sends, user);
		else if (user.key != MAP_NONE)
			vec_push(&g->receives, user);
	}
	if (g->writers.len)
		qsort(g->writers.at, g->writers.len, sizeof *g->writers.at, by_variable);
	if (g->puts.len)
		qsort(g->puts.at, g->puts.len, sizeof *g->puts.at, by_key);
	if (g->sends.len)
		qsort(g->sends.at, g->sends.len, sizeof *g->sends.at, by_key);
	if (g->receives.len)
		qsort(g->receives.at, g->receives.len, sizeof *g->receives.at, by_key);
}

struct origin_graph *origin_graph_new(struct graph *graph, struct err *err)
{
	struct origin_graph *g;
	struct err unread = {0};

	if (!graph_read_edges(graph, NULL, err))
		return NULL;
	g = mem_alloc(sizeof *g);
	g->graph = graph_keep(graph);
	attr_reader_open(&g->attrs, graph, &unread);
	g->traits = mem_alloc((graph_len(graph) + 1) * sizeof *g->traits);
	g->may_be_bad = mem_alloc(graph_len(graph) + 1);
	g->mark = mem_alloc((graph_len(graph) + 1) * sizeof *g->mark);
	g->const_of = mem_alloc((graph_len(graph) + 1) * sizeof *g->const_of);
	for (uint32_t node = 0; node < graph_len(graph); node++) {
		g->traits[node] = op_traits(graph_op(graph, node));
		g->has_flow |= g->traits[node] & (OP_FLOW_OUT_0 | OP_FLOW_OUT_1);
	}
	add_nodes(g);
	return g;
}

void origin_graph_free(struct origin_graph *g)
{
	if (!g)
		return;
	attr_reader_close(&g->attrs);
	graph_close(g->graph);
	free(g->traits);
	free(g->may_be_bad);
	free(g->mark);
	free(g->const_of);
	vec_release(&g->stack);
	vec_release(&g->writers);
	vec_release(&g->puts);
	vec_release(&g->sends);
	vec_release(&g->receives);
	vec_release(&g->consts);
	map_release(&g->stores);
	map_release(&g->tensors);
	arena_release(&g->mem);
	free(g);
}

/* What single nodes are. */

static bool type_may_be_bad(struct origin_graph *g, uint32_t node)
{
	static const char *const keys[] = { "DstT", "dtype", "T" };
	uint64_t wire;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (attr_find_type(&g->attrs, node, keys[i], &wire))
			return dtype_may_be_bad(wire);
	return true;
}

bool origin_may_be_bad(struct origin_graph *g, uint32_t node)
{
	enum { NOT_ASKED, YES, NO };

	if (g->may_be_bad[node] == NOT_ASKED)
		g->may_be_bad[node] = !(g->traits[node] & OP_NO_FLOAT) && type_may_be_bad(g, node)
		                              ? YES : NO;
	return g->may_be_bad[node] == YES;
}

/* Puts the inputs of a node that hands one of them on, unless that was done. */
static void push_copied(struct origin_graph *g, uint32_t node, uint32_t slot)
{
	struct edges in = {0};

	if ((g->traits[node] & OP_COPIES) && !(slot && g->traits[node] & OP_MERGE) &&
	    mark(g, node))
		in = origin_inputs(g, node);
	for (size_t i = 0; i < in.len; i++) {
		vec_push(&g->stack, in.at[i].node);
		vec_push(&g->stack, edge_slot(&in.at[i]));
	}
}

bool origin_is_flow(struct origin_graph *g, uint32_t node, uint32_t slot)
{
	if (!g->has_flow)
		return false;
	unmark(g);
	g->stack.len = 0;
	vec_push(&g->stack, node);
	vec_push(&g->stack, slot);
	while (g->stack.len) {
		slot = g->stack.at[--g->stack.len];
		node = g->stack.at[--g->stack.len];
		if (node == GRAPH_NONE)
			continue;
		if ((slot == 0 && g->traits[node] & OP_FLOW_OUT_0) ||
		    (slot == 1 && g->traits[node] & OP_FLOW_OUT_1))
			return true;
		push_copied(g, node, slot);
	}
	return false;
}

static void read_const(struct origin_graph *g, uint32_t node, struct origin_const *out)
{
	struct origin_health health = {0};
	struct value *value = NULL;
	struct err err = {0};
	struct span span;

	*out = (struct origin_const){ .node = node };
	if (attr_find_tensor(&g->attrs, node, "value", &span))
		value = value_open_proto(graph_path(g->graph), span.off, span.len, true, &err);
	if (value && origin_health_of(value, &health, NULL, &err)) {
		out->counts = health.counts;
		out->input = (struct origin_input){ value->state == VALUE_ARRAY, health.has_zero,
		                                    health.has_negative };
	}
	value_close(value);
	if (err.code == ERR_IO && !g->fault.code)
		g->fault = err;
}

const struct origin_const *origin_const(struct origin_graph *g, uint32_t node)
{
	if (!g->const_of[node]) {
		struct origin_const made;

		read_const(g, node, &made);
		vec_push(&g->consts, made);
		g->const_of[node] = (uint32_t)g->consts.len;
	}
	return &g->consts.at[g->const_of[node] - 1];
}
