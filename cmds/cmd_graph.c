/*
 * A body of kind "graph": the trees of a node's inputs and outputs, one after the other, as lines; typed, the nodes and
 * edges near it.
 */
#include <stdlib.h>
#include <string.h>

#include "cmds/figure.h"
#include "cmds/neighbourhood.h"
#include "cmds/steps.h"
#include "cmds/tree.h"
#include "dump/base/mem.h"

enum { DEPTH, CONTROL };
static const struct opt options[] = {
	[DEPTH] = { OPT_INT, "d", "depth", "so many edges from the node" },
	[CONTROL] = { OPT_FLAG, "c", "control", "control edges too" },
};
static const struct pos positionals[] = {
	{ "node_name", "the node in the middle", false },
};

struct graph_body {
	struct body body;
	struct doc *inputs, *outputs;
	struct neighbourhood near;
};

static struct graph_body *of_body(struct body *body)
{
	return (struct graph_body *)body;
}

static uint64_t graph_rows(struct body *body)
{
	return doc_rows(of_body(body)->inputs) + doc_rows(of_body(body)->outputs);
}

static bool graph_line(struct body *body, uint64_t row, int width, struct line *line, struct err *err)
{
	struct graph_body *g = of_body(body);
	uint64_t n = doc_rows(g->inputs);

	(void)err;
	return row < n ? doc_line(g->inputs, row, width, line) : doc_line(g->outputs, row - n, width, line);
}

static enum body_state graph_work(struct body *body, struct progress *progress)
{
	struct graph_body *g = of_body(body);

	if (doc_work(g->inputs, progress) == BODY_WORKING)
		return BODY_WORKING;
	return doc_work(g->outputs, progress);
}

static void graph_free(struct body *body)
{
	struct graph_body *g = of_body(body);

	doc_free(g->inputs);
	doc_free(g->outputs);
	neighbourhood_release(&g->near);
	free(g);
}

static const struct body_kind graph_kind = {
	.name = "graph", .rows = graph_rows, .line = graph_line, .work = graph_work, .free = graph_free,
};

struct edge_writing {
	struct data *data;
	const struct graph *graph;
};

static bool write_edge(void *context, const struct near_edge *edge)
{
	const struct edge_writing *w = context;

	data_object(w->data);
	key_str(w->data, "from", edge->from);
	key_int(w->data, "slot", edge->slot);
	key_str(w->data, "to", graph_name(w->graph, edge->to_node));
	data_key(w->data, "control");
	data_bool(w->data, edge->control);
	data_end(w->data);
	return true;
}

static bool put_value(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct graph_body *g = context;
	struct edge_writing writing = { data, g->near.graph };
	bool ok;

	(void)progress;
	data_object(data);
	key_str(data, "node", graph_name(g->near.graph, g->near.node));
	data_key(data, "nodes");
	data_list(data);
	for (uint32_t i = 0; i < graph_len(g->near.graph); i++) {
		if (!g->near.kept[i])
			continue;
		data_object(data);
		key_str(data, "node", graph_name(g->near.graph, i));
		key_str(data, "op", graph_op(g->near.graph, i));
		data_end(data);
	}
	data_end(data);
	data_key(data, "edges");
	data_list(data);
	ok = neighbourhood_edges(&g->near, write_edge, &writing, err);
	data_end(data);
	data_end(data);
	return ok;
}

/* The answer of li or lo. NULL: it failed, and is the answer of this command too. */
static struct doc *tree_of(struct call *call, const struct tree_way *way)
{
	struct call tree = *call;

	tree.args = (struct args){ .pos = { call->args.pos[0] } };
	tree.args.opt[TREE_DEPTH] = call->args.opt[DEPTH];
	tree.args.opt[TREE_CONTROL] = call->args.opt[CONTROL];
	tree.out = doc_new();
	tree_exec(&tree, way);
	if (!tree.failed && !tree.err.code)
		return tree.out;
	doc_free(call->out);
	call->out = tree.out;
	call->failed = tree.failed;
	call->err = tree.err;
	return NULL;
}

static bool find_near(struct call *call, struct graph_body *g)
{
	const struct opt_value *opt = call->args.opt;
	const char *node = call->args.pos[0];
	size_t n;
	struct graph *const *graphs = graphs_of(call, &n);

	for (size_t i = 0; i < n; i++) {
		uint32_t at = graph_find(graphs[i], node, strlen(node));

		if (at != GRAPH_NONE)
			return neighbourhood_of(graphs[i], at, opt[DEPTH].given ? opt[DEPTH].number : 1, true, true,
			                        opt[CONTROL].given, call->progress, &g->near, &call->err);
	}
	return true;
}

static void graph_exec(struct call *call)
{
	static const struct tree_way inputs = { EDGE_INPUT, EDGE_CONTROL, "Inputs to", "inputs", "li -c -r", MENU_NONE };
	static const struct tree_way outputs = { EDGE_RECIPIENT, EDGE_CONTROL_RECIPIENT, "Recipients of", "recipients",
	                                         "lo -c -r", MENU_NONE };
	struct graph_body *g = mem_alloc(sizeof *g);

	g->body.kind = &graph_kind;
	g->inputs = tree_of(call, &inputs);
	g->outputs = g->inputs ? tree_of(call, &outputs) : NULL;
	if (!g->outputs || !find_near(call, g)) {
		graph_free(&g->body);
		return;
	}
	doc_body(call->out, &g->body);
	if (g->near.graph)
		doc_typed(call->out, DATA_VALUE, put_value, g);
	doc_typed_as(call->out, "graph", NULL);
}

const struct cmd cmd_graph = {
	.name = "graph", .summary = "A node with what feeds it and what it feeds",
	OPTS(options), POSITIONALS(positionals), .whole_words = true, .exec = graph_exec,
};
