/*
 * Edges, from a second pass over the inputs of all nodes: first of the copy nodes, to know what
 * they copy, then of the rest. Both directions are lists behind one another with the start of each
 * node's list; recipients are the inputs counted and dealt out again, so they come in graph order
 * by themselves.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/graph_parts.h"

#define STEP_NODES 1024          /* between two looks at a cancel */
enum { NEAR = 4096 };            /* a power of two */

typedef VEC(struct edge) edge_vec;

/* What is needed while the edges are read. */
struct reading {
	struct graph *graph;
	struct progress *progress;
	struct file file;
	struct str scratch;
	/* damage: left out, as the first pass has told it; the file is the same */
	struct err found;
	struct arena mem;
	struct map copies;               /* names of copy nodes */
	VEC(const char *) copied;        /* the first data input of each; NULL: none */
	unsigned char *from_copy;        /* of each node: it has a copy node as input */
	/*
	 * By the hashes of their names, nodes that came last, + 1: most inputs come from there, and
	 * of millions of nodes the map of names is in no cache.
	 */
	uint32_t near[NEAR];
	edge_vec data, control;
};

/* What the second pass could not read, and the first could: without it there are no edges. */
static bool was_read(const struct reading *r, struct err *err)
{
	if (!err_of_reading(&r->found))
		return true;
	if (err)
		*err = r->found;
	return false;
}

/* Calls take(r, node, text) for each input of a NodeDef; what is damaged is left out. */
typedef void input_sink(struct reading *r, uint32_t node, const struct name *text);

static void each_input(struct reading *r, uint32_t node, const struct place *place,
                       input_sink *take)
{
	struct field field;
	struct wire wire;
	struct name text;

	wire_start(&wire, &r->file, (struct span){ place->off, place->len });
	r->found.code = ERR_NONE;
	while (wire_next(&wire, &field, &r->found))
		if (field.number == NODE_INPUT && field.type == WIRE_BYTES
		    && wire_name(&r->file, field.bytes, &r->scratch, &text, &r->found))
			take(r, node, &text);
}

/* The name of a NodeDef: the last one, as in the first pass. */
static bool read_name(struct reading *r, const struct place *place, struct name *name)
{
	struct span span = {0};
	struct field field;
	struct wire wire;

	r->found.code = ERR_NONE;
	wire_start(&wire, &r->file, (struct span){ place->off, place->len });
	while (wire_next(&wire, &field, &r->found))
		if (field.number == NODE_NAME && field.type == WIRE_BYTES)
			span = field.bytes;
	return wire_name(&r->file, span, &r->scratch, name, &r->found);
}

static void take_copied(struct reading *r, uint32_t id, const struct name *text)
{
	if (!r->copied.at[id] && (!text->len || text->text[0] != '^'))
		r->copied.at[id] = arena_copy(&r->mem, text->text, text->len);
}

static bool goes_on(const struct reading *r, size_t n, struct err *err)
{
	return n % STEP_NODES || !progress_cancelled(r->progress) ||
	       err_at(err, ERR_CANCELLED, r->graph->path, 0, "stopped");
}

static bool read_copies(struct reading *r, struct err *err)
{
	for (size_t i = 0; i < r->graph->copies.len; i++) {
		const struct place *place = &r->graph->copies.at[i];
		struct name name;
		bool has_name;
		uint32_t id;

		if (!goes_on(r, i, err))
			return false;
		has_name = read_name(r, place, &name);
		if (!was_read(r, err))
			return false;
		if (!has_name)
			continue;
		id = map_add(&r->copies, &r->mem, name.text, name.len);
		if (id < r->copied.len)
			continue;
		vec_push(&r->copied, NULL);
		each_input(r, id, place, take_copied);
		if (!was_read(r, err))
			return false;
	}
	return true;
}

/*
 * Splits "name:slot". A slot is decimal; "name:" has none. False: the text is no plain form of its
 * parts.
 */
static bool split_slot(const struct name *text, size_t *name_len, int32_t *slot)
{
	const char *colon = memrchr(text->text, ':', text->len);
	size_t digits = colon ? (size_t)(text->text + text->len - colon) - 1 : 0;
	int64_t value = 0;

	*name_len = text->len;
	*slot = -1;
	if (!colon)
		return true;
	for (size_t i = 0; i < digits; i++) {
		if (colon[1 + i] < '0' || colon[1 + i] > '9' || value > INT32_MAX / 10)
			return false;
		value = value * 10 + (colon[1 + i] - '0');
	}
	if (value > INT32_MAX)
		return false;
	*name_len = (size_t)(colon - text->text);
	if (digits)
		*slot = (int32_t)value;
	return digits == 1 || (digits && colon[1] != '0');
}

uint32_t graph_other(struct graph *graph, const char *text, size_t len, size_t name_len)
{
	uint32_t id = map_add(&graph->other_texts, &graph->mem, text, len);
	struct other *other;

	if (id < graph->others.len)
		return id;
	other = vec_add(&graph->others);
	other->text = graph->other_texts.key[id];
	other->name = name_len == len ? other->text : arena_copy(&graph->mem, text, name_len);
	return id;
}

static uint32_t *near_of(struct reading *r, uint32_t hash)
{
	return &r->near[hash % NEAR];
}

static uint32_t node_named(struct reading *r, const char *name, size_t len)
{
	const struct map *names = &r->graph->names;
	uint32_t hash = map_hash(name, len), near = *near_of(r, hash);

	return near && map_is(names, near - 1, hash, name, len) ? near - 1
	                                                        : map_find(names, name, len);
}

static struct edge edge_of(struct reading *r, const struct name *text, bool has_slot)
{
	struct edge edge = { GRAPH_NONE, -1, NO_OTHER };
	size_t name_len = text->len;
	bool plain = !has_slot || split_slot(text, &name_len, &edge.slot);

	edge.node = node_named(r, text->text, name_len);
	if (!plain || edge.node == GRAPH_NONE)
		edge.name = graph_other(r->graph, text->text, text->len, name_len);
	return edge;
}

/* What a copy node copies, in its place. */
static struct name spliced(struct reading *r, const struct name *text)
{
	uint32_t id;
	size_t len;
	int32_t slot;

	split_slot(text, &len, &slot);
	id = map_find(&r->copies, text->text, len);
	if (id == MAP_NONE || !r->copied.at[id])
		return *text;
	return (struct name){ r->copied.at[id], strlen(r->copied.at[id]) };
}

static void take_input(struct reading *r, uint32_t node, const struct name *text)
{
	struct name name = *text;

	if (name.len && name.text[0] == '^') {
		name.text++;
		name.len--;
		if (!name_is_debug(name.text, name.len))
			vec_push(&r->control, edge_of(r, &name, false));
		return;
	}
	if (name_is_copy(name.text, name.len)) {
		r->from_copy[node] = 1;
		name = spliced(r, &name);
	}
	vec_push(&r->data, edge_of(r, &name, true));
}

static bool read_inputs(struct reading *r, struct err *err)
{
	struct graph *graph = r->graph;
	uint32_t n = graph_len(graph);
	uint32_t *data_start = mem_alloc((n + 1) * sizeof *data_start);
	uint32_t *control_start = mem_alloc((n + 1) * sizeof *control_start);

	graph->edges[EDGE_INPUT].start = data_start;
	graph->edges[EDGE_CONTROL].start = control_start;
	r->from_copy = mem_alloc(n);
	for (uint32_t node = 0; node < n; node++) {
		if (!goes_on(r, node, err))
			return false;
		each_input(r, node, &graph->places.at[node], take_input);
		if (!was_read(r, err))
			return false;
		if (r->data.len > UINT32_MAX || r->control.len > UINT32_MAX)
			return err_at(err, ERR_LIMIT, graph->path, 0,
			              "more edges than 32 bits count");
		*near_of(r, graph->names.hash[node]) = node + 1;
		data_start[node + 1] = (uint32_t)r->data.len;
		if (r->control.len)      /* else not a page of it is touched */
			control_start[node + 1] = (uint32_t)r->control.len;
	}
	return true;
}

/* Takes the edges out of a vector that grew, without the room it had to grow. */
static struct edge *trimmed(edge_vec *edges)
{
	struct edge *at = mem_realloc(edges->at, edges->len * sizeof *at);

	*edges = (edge_vec){0};
	return at;
}

/* skip[n]: no recipients of n are kept; may be NULL. */
static void turn_round(const struct graph *graph, const struct edge_list *in,
                       const unsigned char *skip, struct edge_list *out)
{
	uint32_t n = graph_len(graph);
	uint32_t *start = mem_alloc(((size_t)n + 2) * sizeof *start);

	out->start = start;
	if (!in->start[n]) {
		out->at = mem_alloc(0);
		return;
	}
	for (uint32_t i = 0; i < in->start[n]; i++)
		if (in->at[i].node != GRAPH_NONE && !(skip && skip[in->at[i].node]))
			start[in->at[i].node + 2]++;
	for (uint32_t node = 0; node < n; node++)
		start[node + 2] += start[node + 1];
	out->at = mem_alloc_full(start[n + 1] * sizeof *out->at);
	for (uint32_t node = 0; node < n; node++) {
		for (uint32_t i = in->start[node]; i < in->start[node + 1]; i++) {
			uint32_t from = in->at[i].node;

			if (from != GRAPH_NONE && !(skip && skip[from]))
				out->at[start[from + 1]++] = (struct edge){ node, -1, NO_OTHER };
		}
	}
}

/* What sends a copied tensor away is put in by the debugger: nothing waits for it. */
static void keep_senders(struct reading *r)
{
	for (uint32_t node = 0; node < graph_len(r->graph); node++) {
		const char *op = graph_op(r->graph, node);

		r->from_copy[node] &= !strcmp(op, "_Send") || !strcmp(op, "_Retval");
	}
}

/* False after a cancel too. */
static bool read_edges(struct graph *graph, struct progress *progress, struct err *err)
{
	struct reading r = { .graph = graph, .progress = progress };
	struct edge_list *lists = graph->edges;
	bool ok;

	if (!file_open_again(&r.file, graph->path, &graph->stamp, err))
		return false;
	ok = read_copies(&r, err) && read_inputs(&r, err) &&
	     file_is_as(&r.file, &graph->stamp, err);
	lists[EDGE_INPUT].at = trimmed(&r.data);
	lists[EDGE_CONTROL].at = trimmed(&r.control);
	if (ok) {
		keep_senders(&r);
		turn_round(graph, &lists[EDGE_INPUT], NULL, &lists[EDGE_RECIPIENT]);
		turn_round(graph, &lists[EDGE_CONTROL], r.from_copy,
		           &lists[EDGE_CONTROL_RECIPIENT]);
	} else {
		graph_edges_free(graph);
	}
	free(r.from_copy);
	vec_release(&r.copied);
	map_release(&r.copies);
	arena_release(&r.mem);
	str_release(&r.scratch);
	file_close(&r.file);
	return ok;
}

void graph_set_edges(struct graph *graph, const struct edge_list *data,
                     const struct edge_list *control)
{
	struct edge_list *lists = graph->edges;

	lists[EDGE_INPUT] = *data;
	lists[EDGE_CONTROL] = *control;
	turn_round(graph, data, NULL, &lists[EDGE_RECIPIENT]);
	turn_round(graph, control, NULL, &lists[EDGE_CONTROL_RECIPIENT]);
	atomic_store(&graph->edges_stay, true);
	atomic_store(&graph->has_edges, true);
}

void graph_edges_free(struct graph *graph)
{
	for (size_t i = 0; i < sizeof graph->edges / sizeof *graph->edges; i++) {
		free(graph->edges[i].at);
		free(graph->edges[i].start);
		graph->edges[i] = (struct edge_list){0};
	}
	map_release(&graph->other_texts);
	vec_release(&graph->others);
}

bool graph_read_edges(struct graph *graph, struct progress *progress, struct err *err)
{
	bool ok = true;

	if (atomic_load(&graph->has_edges))
		return true;
	pthread_mutex_lock(&graph->lock);
	if (!atomic_load_explicit(&graph->has_edges, memory_order_relaxed)) {
		ok = read_edges(graph, progress, err);
		atomic_store_explicit(&graph->has_edges, ok, memory_order_release);
	}
	pthread_mutex_unlock(&graph->lock);
	return ok;
}

bool graph_look(struct graph *graph, uint32_t node, enum edge_kind kind, struct edges *out,
                struct err *err)
{
	const struct edge_list *list = &graph->edges[kind];

	if (!graph_read_edges(graph, NULL, err))
		return false;
	*out = (struct edges){ list->at + list->start[node],
	                       list->start[node + 1] - list->start[node] };
	return true;
}

/* Asks for them to stay before it looks for them; graph_drop_edges does so in reverse order. */
bool graph_edges(struct graph *graph, uint32_t node, enum edge_kind kind, struct edges *out,
                 struct err *err)
{
	if (!atomic_load_explicit(&graph->edges_stay, memory_order_relaxed))
		atomic_store(&graph->edges_stay, true);
	return graph_look(graph, node, kind, out, err);
}

void graph_drop_edges(struct graph *graph)
{
	pthread_mutex_lock(&graph->lock);
	if (atomic_exchange(&graph->has_edges, false)) {
		if (atomic_load(&graph->edges_stay))
			atomic_store(&graph->has_edges, true);
		else
			graph_edges_free(graph);
	}
	pthread_mutex_unlock(&graph->lock);
}

const char *edge_node_name(const struct graph *graph, const struct edge *edge)
{
	return edge->name == NO_OTHER ? graph->names.key[edge->node]
	                              : graph->others.at[edge->name].name;
}

void edge_text(const struct graph *graph, const struct edge *edge, struct str *out)
{
	if (edge->name != NO_OTHER)
		str_puts(out, graph->others.at[edge->name].text);
	else if (edge->slot < 0)
		str_puts(out, graph->names.key[edge->node]);
	else
		str_fmt(out, "%s:%" PRId32, graph->names.key[edge->node], edge->slot);
}
