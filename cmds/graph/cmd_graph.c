/*
 * On the screen: boxes and edges (cmds/graph/graph_view.h). Elsewhere: a body of kind "graph",
 * whose lines are the trees of a node's inputs and outputs, one after the other. Typed: the nodes
 * and edges near it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/graph/graph_view.h"
#include "cmds/graph/neighbourhood.h"
#include "cmds/graph/node_tree.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"

extern const struct cmd cmd_graph;

enum { DEPTH, CONTROL, SCOPES };
static const struct opt options[] = {
	[DEPTH] = { OPT_INT, "d", "depth", "how many edges from the node" },
	[CONTROL] = { OPT_FLAG, "c", "control", "control edges too" },
	[SCOPES] = { OPT_INT, NULL, "scopes",
	             "on the screen: one box for each scope of this many parts" },
};
static const struct pos positionals[] = {
	{ "node_name", "the node in the middle; without it one that nothing else needs", true },
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

static bool graph_line(struct body *body, uint64_t row, int width, struct line *line,
                       struct err *err)
{
	struct graph_body *g = of_body(body);
	uint64_t n = doc_rows(g->inputs);

	(void)err;
	return row < n ? doc_line(g->inputs, row, width, line)
	               : doc_line(g->outputs, row - n, width, line);
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
	.name = "graph", .rows = graph_rows, .line = graph_line, .work = graph_work,
	.free = graph_free,
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
	node_tree_exec(&tree, way, MENU_NONE);
	if (!tree.failed && !tree.err.code)
		return tree.out;
	doc_free(call->out);
	call->out = tree.out;
	call->failed = tree.failed;
	call->err = tree.err;
	return NULL;
}

/* NULL: no graph has a node of this name. */
static struct graph *find_graph(struct call *call, uint32_t *node)
{
	const char *name = call->args.pos[0];
	size_t n;
	struct graph *const *graphs = graphs_of(call, &n);

	for (size_t i = 0; i < n; i++) {
		*node = graph_find(graphs[i], name, strlen(name));
		if (*node != GRAPH_NONE)
			return graphs[i];
	}
	return NULL;
}

static int64_t depth_of(const struct args *args)
{
	return args->opt[DEPTH].given ? args->opt[DEPTH].number : 1;
}

static bool find_near(struct call *call, struct graph_body *g)
{
	uint32_t at;
	struct graph *graph = find_graph(call, &at);

	return !graph || neighbourhood_of(graph, at, depth_of(&call->args), true, true,
	                                  call->args.opt[CONTROL].given, call->progress, &g->near,
	                                  &call->err);
}

/* Of the nodes that no other needs, the one with the most inputs, and the last of those. */
static const char *last_result(struct call *call)
{
	static const enum edge_kind after[] = { EDGE_RECIPIENT, EDGE_CONTROL_RECIPIENT };
	size_t n, most = 0;
	struct graph *const *graphs = graphs_of(call, &n);
	const char *found = NULL;
	struct edges edges;

	for (uint32_t i = n ? graph_len(graphs[0]) : 0; i-- > 0;) {
		size_t uses = 0;

		for (size_t k = 0; k < 2; k++)
			uses += !graph_edges(graphs[0], i, after[k], &edges, &call->err) ||
			        edges.len > 0;
		if (call->err.code || !graph_edges(graphs[0], i, EDGE_INPUT, &edges, &call->err))
			return NULL;
		if (!found || (!uses && edges.len > most)) {
			found = graph_name(graphs[0], i);
			most = uses ? 0 : edges.len;
		}
	}
	return found;
}

/* On the screen. */

enum { MOST_DEPTH = 8 };                 /* that is chosen by itself */

static const struct doc_key own_keys[] = {
	{ ',', .hint_keys = ", .", .hint = "depth", .way = KEY_REWRITES, .n = -1 },
	{ '.', .way = KEY_REWRITES, .n = 1 },
	{ 'C', "control edges, on, off", "C", "control", .way = KEY_REWRITES },
	{ 'B', "scopes as one box each, on, off", "B", "fold", .way = KEY_REWRITES },
};
const struct doc_keys graph_keys = { "In graphs", DOC_KEYS(own_keys) };

struct graph_line {
	struct args args;
	int64_t depth;           /* that shows */
};

static bool put_key(void *context, const struct doc_at *at, struct str *out)
{
	const struct graph_line *line = context;
	struct args args = line->args;
	int64_t depth = line->depth + at->n;

	switch (at->key) {
	case ',':
	case '.':
		args.opt[DEPTH] = (struct opt_value){
			.given = true, .number = depth > 1 ? depth : 1,
		};
		break;
	case 'C': again_toggle(&args.opt[CONTROL]); break;
	case 'B':
		args.opt[SCOPES] = (struct opt_value){
			.given = !args.opt[SCOPES].given, .number = 1,
		};
		break;
	}
	again_put(&cmd_graph, &args, out);
	return true;
}

/* Where no depth was asked for, as deep as the pane has room for. */
static struct body *view_of(struct call *call, struct graph_view_query *query)
{
	struct body *body = graph_view(query, call->progress, &call->err), *deeper;
	bool free_depth = call->canvas.modern && !call->args.opt[DEPTH].given;

	while (free_depth && body && query->near.depth < MOST_DEPTH) {
		query->near.depth++;
		deeper = graph_view(query, call->progress, &call->err);
		if (deeper && graph_view_fits(deeper, call->cols)) {
			body->kind->free(body);
			body = deeper;
			continue;
		}
		if (deeper)
			deeper->kind->free(deeper);
		query->near.depth--;
		break;
	}
	return body;
}

/* False: the trees say what is wrong. */
static bool show(struct call *call)
{
	uint32_t node;
	struct graph_line *line = arena_alloc(doc_mem(call->out), sizeof *line);
	struct graph_boxes_query near = {
		.graph = find_graph(call, &node), .depth = depth_of(&call->args),
		.control = call->args.opt[CONTROL].given,
		.scopes = call->args.opt[SCOPES].given ? call->args.opt[SCOPES].number : 0,
	};
	struct graph_view_query query = { .cmd = &cmd_graph };
	struct body *body;

	if (!near.graph)
		return false;
	near.node = node;
	line->args = again_keep(call, doc_mem(call->out));
	query.near = near;
	query.args = line->args;
	query.fine = canvas_is_fine(&call->canvas);
	query.rows = call->canvas.rows - (int)doc_rows(call->out) - 1;
	body = view_of(call, &query);
	if (!body)
		return true;
	line->depth = query.near.depth;
	doc_line_put(call->out, ROLE_PLAIN, "graph: %" PRIu32 " node%s, depth %" PRId64 "%s%s",
	             graph_len(near.graph), plural(graph_len(near.graph)), query.near.depth,
	             near.control ? ", control edges" : "", near.scopes ? ", scopes folded" : "");
	doc_body(call->out, body);
	if (call->canvas.modern)
		doc_set_fitted(call->out);
	doc_bring_keys(call->out, &graph_view_keys, graph_view_put_key, body);
	doc_bring_keys(call->out, &graph_keys, put_key, line);
	return true;
}

static void graph_exec(struct call *call)
{
	struct graph_body *g;

	if (!call->args.pos[0]) {
		call->args.pos[0] = last_result(call);
		if (!call->args.pos[0] && !call->err.code)
			call_error(call, "ERROR: " NO_GRAPH);
		if (!call->args.pos[0])
			return;
	}
	if (call->on_screen && show(call))
		return;
	g = mem_alloc(sizeof *g);
	g->body.kind = &graph_kind;
	g->inputs = tree_of(call, &tree_inputs);
	g->outputs = g->inputs ? tree_of(call, &tree_recipients) : NULL;
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
	.name = "graph", .summary = "A node with its inputs and outputs",
	OPTS(options), POSITIONALS(positionals), .names = LINK_NODE, .whole_words = true,
	.exec = graph_exec,
};
