/*
 * Nodes are drawn as boxes: one for each node, for a chain of nodes of one type, or for a scope.
 * A folded box is named after its scope (with a slash, as a node may have the same name) or after
 * the first node of its chain. Edges between folded boxes are drawn once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/graph/neighbourhood.h"
#include "cmds/session/steps.h"
#include "cmds/session/suggest.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/base/writer.h"

#define SHOWN_NODES 2000
#define WRITE_AT (1 << 16)       /* bytes */
#define CHAIN_LEAST 3

enum { DEPTH, INPUTS, OUTPUTS, CONTROL, CHAINS, SCOPES, FILE_NAME };
static const struct opt options[] = {
	[DEPTH] = { OPT_INT, "d", "depth", "how many edges from the node (1)" },
	[INPUTS] = { OPT_FLAG, NULL, "inputs", "only what feeds the node" },
	[OUTPUTS] = { OPT_FLAG, NULL, "outputs", "only what the node feeds" },
	[CONTROL] = { OPT_FLAG, "c", "control", "control edges too, dashed" },
	[CHAINS] = { OPT_FLAG, NULL, "chains",
	             "one box for a chain of three or more nodes of one type" },
	[SCOPES] = { OPT_INT, NULL, "scopes", "one box for each scope of this many parts" },
	[FILE_NAME] = { OPT_WORD, "o", "output", "write it to this file" },
};
static const struct pos positionals[] = {
	{ "node_name", "the node; without it the whole graph", true },
};

struct drawing {
	struct call *call;
	struct neighbourhood near;
	struct str text;
	struct writer *writer;           /* NULL: all stays in text */
	bool failed;
	uint64_t n_nodes, n_edges;
	/* Boxes; only with --chains or --scopes. */
	uint32_t *box_of;                /* by node: the node that stands for its box */
	uint32_t *folded;                /* by such a node: nodes in its box; 0, 1: itself */
	bool *is_scope;                  /* by such a node */
	int64_t scope_parts;
	struct map drawn;                /* edges between boxes that were drawn */
	struct arena mem;
};

static void flush_text(struct drawing *d)
{
	if (!d->writer || d->text.len < WRITE_AT)
		return;
	d->failed |= fwrite(d->text.text, 1, d->text.len, writer_stream(d->writer)) != d->text.len;
	str_reset(&d->text);
}

/* Inside a quoted string. */
static void put_escaped(struct str *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len; ) {
		uint32_t cp;
		size_t n = utf8_next(text + at, len - at, &cp);

		if (cp == UTF8_BAD || cp < ' ' || cp == 0x7f)
			str_fmt(out, "\\\\x%02x", (unsigned char)text[at]);
		else if (utf8_is_hidden(cp))
			str_fmt(out, cp > 0xffff ? "\\\\U%08x" : "\\\\u%04x", (unsigned)cp);
		else if (cp == '"' || cp == '\\')
			str_fmt(out, "\\%c", text[at]);
		else
			str_put(out, text + at, n);
		at += n;
	}
}

/* Folding. */

static size_t scope_len(const char *name, int64_t parts)
{
	const char *slash = name;

	for (int64_t i = 0; i < parts; i++) {
		slash = strchr(i ? slash + 1 : slash, '/');
		if (!slash)
			return 0;
	}
	return (size_t)(slash - name);
}

static void fold_scopes(struct drawing *d)
{
	const struct graph *graph = d->near.graph;
	struct map scopes = {0};
	VEC(uint32_t) first = {0};

	for (uint32_t node = 0; node < graph_len(graph); node++) {
		const char *name = graph_name(graph, node);
		size_t len = d->near.kept[node] ? scope_len(name, d->scope_parts) : 0;
		uint32_t id;

		if (!len)
			continue;
		id = map_add(&scopes, &d->mem, name, len);
		if (id == first.len)
			vec_push(&first, node);
		d->box_of[node] = first.at[id];
		d->folded[first.at[id]]++;
		d->is_scope[first.at[id]] = true;
	}
	map_release(&scopes);
	vec_release(&first);
}

/* The only kept neighbour of a kind; GRAPH_NONE: none, or several. */
static uint32_t only(struct drawing *d, uint32_t node, enum edge_kind kind)
{
	struct edges edges;
	uint32_t found = GRAPH_NONE;

	if (!graph_edges(d->near.graph, node, kind, &edges, &d->call->err))
		return GRAPH_NONE;
	if (edges.len != 1 || (found = edges.at[0].node) == GRAPH_NONE || !d->near.kept[found])
		return GRAPH_NONE;
	return found;
}

static bool is_link(struct drawing *d, uint32_t node)
{
	return node != d->near.node && d->box_of[node] == node && !d->is_scope[node] &&
	       only(d, node, EDGE_INPUT) != GRAPH_NONE &&
	       only(d, node, EDGE_RECIPIENT) != GRAPH_NONE;
}

/* The node before it in its chain; GRAPH_NONE: it is the first. */
static uint32_t link_before(struct drawing *d, uint32_t node)
{
	uint32_t before = only(d, node, EDGE_INPUT);

	if (before == GRAPH_NONE || before == node || !is_link(d, before) ||
	    strcmp(graph_op(d->near.graph, before), graph_op(d->near.graph, node)))
		return GRAPH_NONE;
	return before;
}

static uint32_t link_after(struct drawing *d, uint32_t node)
{
	uint32_t after = only(d, node, EDGE_RECIPIENT);

	if (after == GRAPH_NONE || !is_link(d, after) || link_before(d, after) != node)
		return GRAPH_NONE;
	return after;
}

static void fold_chains(struct drawing *d)
{
	for (uint32_t node = 0; node < graph_len(d->near.graph); node++) {
		uint32_t n = 1;

		if (!d->near.kept[node] || !is_link(d, node) || link_before(d, node) != GRAPH_NONE)
			continue;
		for (uint32_t at = link_after(d, node); at != GRAPH_NONE && at != node;
		     at = link_after(d, at))
			n++;
		if (n < CHAIN_LEAST)
			continue;
		for (uint32_t at = node, i = 0; i < n; i++) {
			uint32_t next = link_after(d, at);

			if (at != node)
				d->box_of[at] = node;
			at = next;
		}
		d->folded[node] = n;
	}
}

static bool fold(struct drawing *d)
{
	const struct opt_value *opt = d->call->args.opt;
	size_t len = graph_len(d->near.graph);

	if (!opt[CHAINS].given && !opt[SCOPES].given)
		return true;
	d->box_of = mem_alloc((len + 1) * sizeof *d->box_of);
	d->folded = mem_alloc((len + 1) * sizeof *d->folded);
	d->is_scope = mem_alloc(len + 1);
	for (uint32_t i = 0; i < len; i++)
		d->box_of[i] = i;
	d->scope_parts = opt[SCOPES].given ? opt[SCOPES].number : 0;
	if (d->scope_parts > 0)
		fold_scopes(d);
	if (opt[CHAINS].given)
		fold_chains(d);
	return !d->call->err.code;
}

/* Drawing. */

static uint32_t box_of(const struct drawing *d, uint32_t node)
{
	return d->box_of && node != GRAPH_NONE ? d->box_of[node] : node;
}

static bool is_folded(const struct drawing *d, uint32_t box)
{
	return d->folded && box != GRAPH_NONE && d->folded[box] > 0;
}

static void put_box_name(struct drawing *d, uint32_t box, const char *name)
{
	bool is_scope = d->is_scope && box != GRAPH_NONE && d->is_scope[box];
	size_t len = is_scope ? scope_len(name, d->scope_parts) : strlen(name);

	str_putc(&d->text, '"');
	put_escaped(&d->text, name, len);
	str_puts(&d->text, name[len] ? "/\"" : "\"");
}

static void put_node(struct drawing *d, uint32_t node)
{
	const char *name = graph_name(d->near.graph, node), *op = graph_op(d->near.graph, node);

	if (box_of(d, node) != node)
		return;
	str_puts(&d->text, "  ");
	put_box_name(d, node, name);
	str_puts(&d->text, " [label=\"");
	if (d->is_scope && d->is_scope[node]) {
		put_escaped(&d->text, name, scope_len(name, d->scope_parts));
		str_fmt(&d->text, "\\n%u node%s", d->folded[node], d->folded[node] > 1 ? "s" : "");
	} else if (is_folded(d, node)) {
		str_fmt(&d->text, "\xe2\x80\xa6 %u ", d->folded[node]);
		put_escaped(&d->text, op, strlen(op));
	} else {
		put_escaped(&d->text, name, strlen(name));
		str_puts(&d->text, "\\n");
		put_escaped(&d->text, op, strlen(op));
	}
	str_puts(&d->text, node == d->near.node ? "\", style=bold];\n" : "\"];\n");
	d->n_nodes++;
	flush_text(d);
}

/* If one of two boxes is folded, an edge between them is drawn once. */
static bool was_drawn(struct drawing *d, uint32_t from, const char *from_name, uint32_t to,
                      bool control)
{
	struct str key = {0};
	size_t before = d->drawn.len;

	if (!is_folded(d, from) && !is_folded(d, to))
		return false;
	if (from == GRAPH_NONE)
		str_fmt(&key, "%u%d %s", to, control, from_name);
	else
		str_fmt(&key, "%u%d>%u", to, control, from);
	map_add(&d->drawn, &d->mem, key.text, key.len);
	str_release(&key);
	return d->drawn.len == before;
}

static bool put_edge(void *context, const struct near_edge *edge)
{
	struct drawing *d = context;
	uint32_t from = box_of(d, edge->from_node), to = box_of(d, edge->to_node);
	bool folded = is_folded(d, from) || is_folded(d, to);

	if ((folded && from == to) || was_drawn(d, from, edge->from, to, edge->control))
		return true;
	str_puts(&d->text, "  ");
	put_box_name(d, from, from == GRAPH_NONE ? edge->from : graph_name(d->near.graph, from));
	str_puts(&d->text, " -> ");
	put_box_name(d, to, graph_name(d->near.graph, to));
	if (edge->control)
		str_puts(&d->text, " [style=dashed]");
	else if (edge->slot && !folded)
		str_fmt(&d->text, " [label=\":%d\"]", edge->slot);
	str_puts(&d->text, ";\n");
	d->n_edges++;
	flush_text(d);
	return !d->failed;
}

static bool draw(struct drawing *d)
{
	bool ok = fold(d);

	for (uint32_t node = 0; ok && node < graph_len(d->near.graph); node++)
		if (d->near.kept[node])
			put_node(d, node);
	return ok && (neighbourhood_edges(&d->near, put_edge, d, &d->call->err) ||
	              (d->failed && !d->call->err.code));
}

static void end_graph(struct drawing *d)
{
	neighbourhood_release(&d->near);
	free(d->box_of);
	free(d->folded);
	free(d->is_scope);
	map_release(&d->drawn);
	d->box_of = d->folded = NULL;
	d->is_scope = NULL;
}

/* One graph, or all of them if no node was named. */
static bool draw_graphs(struct drawing *d, struct graph *const *graphs, size_t n)
{
	const struct opt_value *opt = d->call->args.opt;
	const char *name = d->call->args.pos[0];
	bool up = opt[INPUTS].given || !opt[OUTPUTS].given;
	bool down = opt[OUTPUTS].given || !opt[INPUTS].given, ok = true;
	int64_t depth = opt[DEPTH].given ? opt[DEPTH].number : 1;

	for (size_t i = 0; ok && i < n; i++) {
		uint32_t node = name ? graph_find(graphs[i], name, strlen(name)) : GRAPH_NONE;

		if (name && node == GRAPH_NONE)
			continue;
		ok = neighbourhood_of(graphs[i], node, depth, up, down, opt[CONTROL].given,
		                      d->call->progress, &d->near, &d->call->err) && draw(d);
		end_graph(d);
		if (name)
			return ok;
	}
	if (name && ok) {
		call_error(d->call, "ERROR: There is no node named \"%s\" in the graph.", name);
		suggest_in_graphs(d->call, graphs, n, name);
	}
	return ok && !name;
}

static bool put_value(void *context, struct data *data, struct progress *progress, struct err *err)
{
	(void)progress, (void)err;
	data_str(data, context);
	return true;
}

static void show(struct drawing *d)
{
	const char *text = arena_copy(doc_mem(d->call->out), d->text.text, d->text.len);

	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		doc_put_text(d->call->out, ROLE_PLAIN, line, (size_t)(end - line));
		doc_newline(d->call->out);
	}
	doc_typed(d->call->out, DATA_VALUE, put_value, (void *)text);
	doc_typed_as(d->call->out, "dot", NULL);
}

/* Writes the remaining text and closes the file. ok: all of it was drawn. */
static void end_file(struct drawing *d, const char *path, bool ok)
{
	struct err err = {0};

	fwrite(str_text(&d->text), 1, d->text.len, writer_stream(d->writer));
	if (writer_close(d->writer, ok, NULL, &err))
		doc_line_put(d->call->out, ROLE_PLAIN,
		             "Graph written to %s (%llu node%s, %llu edge%s).", path,
		             (unsigned long long)d->n_nodes, plural(d->n_nodes),
		             (unsigned long long)d->n_edges, plural(d->n_edges));
	else if (err.code)
		d->call->err = err;
}

/* Is it small enough to be shown? */
static bool fits(struct call *call, struct graph *const *graphs, size_t n)
{
	const struct opt_value *opt = call->args.opt;
	uint64_t nodes = 0;

	for (size_t i = 0; i < n; i++)
		nodes += graph_len(graphs[i]);
	if (call->args.pos[0] || opt[FILE_NAME].given || opt[SCOPES].given || nodes <= SHOWN_NODES)
		return true;
	call_error(call, "ERROR: The graph has %llu nodes: name one, or use -o FILE or --scopes N.",
	           (unsigned long long)nodes);
	return false;
}

static void dot_exec(struct call *call)
{
	const char *path = call->args.opt[FILE_NAME].word;
	struct drawing d = { .call = call };
	size_t n;
	struct graph *const *graphs = graphs_of(call, &n);
	bool ok;

	if (!n) {
		call_error(call, "ERROR: " NO_GRAPH);
		return;
	}
	if (!fits(call, graphs, n))
		return;
	d.writer = path ? writer_open(path, WRITER_REPLACE, &call->err) : NULL;
	if (path && !d.writer)
		return;
	str_puts(&d.text, "digraph tensordbg {\n  node [shape=box];\n");
	ok = draw_graphs(&d, graphs, n);
	str_puts(&d.text, "}\n");
	if (d.writer)
		end_file(&d, path, ok);
	else if (ok)
		show(&d);
	str_release(&d.text);
	arena_release(&d.mem);
}

const struct cmd cmd_dot = {
	.name = "dot", .summary = "The graph, or what is near a node, as Graphviz text",
	OPTS(options), POSITIONALS(positionals), .whole_words = true, .exec = dot_exec,
};
