#include "cmds/graph/graph_boxes.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/map.h"
#include "dump/base/mem.h"

enum { CHAIN_LEAST = 3, MAX_BOXES = 20000, MAX_DEPTH = 1000 };

struct side {
	struct graph_boxes *b;
	const struct graph_boxes_query *q;
	enum edge_kind data, control;
	int direction;           /* of the columns: -1, 1 */
	uint32_t *box_of;        /* by node: box + 1; 0: none yet */
	struct map scopes;
	VEC(uint32_t) scope_box;
	VEC(uint32_t) front, next;       /* nodes */
	struct err *err;
};

static uint32_t add_box(struct graph_boxes *b, uint32_t node, const char *name, uint32_t layer)
{
	uint32_t at = (uint32_t)b->boxes.len;

	vec_push(&b->boxes, ((struct box){ .node = node, .end = node, .n = 1, .name = name,
	                                   .layer = layer,
	                                   .row = (uint32_t)b->layers[layer].len }));
	vec_push(&b->layers[layer], at);
	return at;
}

/* The only neighbour of a kind; GRAPH_NONE: none, or several. */
static uint32_t only(struct side *s, uint32_t node, enum edge_kind kind)
{
	struct edges edges;

	if (!graph_edges(s->b->graph, node, kind, &edges, s->err) || edges.len != 1)
		return GRAPH_NONE;
	return edges.at[0].node;
}

static bool is_link(struct side *s, uint32_t node)
{
	return node != GRAPH_NONE && node != s->q->node && !s->box_of[node] &&
	       only(s, node, EDGE_INPUT) != GRAPH_NONE &&
	       only(s, node, EDGE_RECIPIENT) != GRAPH_NONE;
}

/* The chain that begins with this node, away from the middle. */
static void follow_chain(struct side *s, struct box *box)
{
	struct graph *graph = s->b->graph;
	uint32_t n = 1, end = box->node, at = box->node;

	if (!is_link(s, at))
		return;
	while (n < graph_len(graph)) {
		at = only(s, at, s->data);
		if (!is_link(s, at) || strcmp(graph_op(graph, at), graph_op(graph, box->node)))
			break;
		end = at;
		n++;
	}
	if (n < CHAIN_LEAST)
		return;
	box->n = n;
	box->end = end;
}

static size_t scope_len(const char *name, int64_t parts)
{
	const char *slash = name;

	for (int64_t i = 0; i < parts; i++) {
		slash = strchr(i ? slash + 1 : slash, '/');
		if (!slash)
			return 0;
	}
	return parts > 0 ? (size_t)(slash - name) : 0;
}

/* The box of its scope, if there is one already. */
static bool join_scope(struct side *s, uint32_t node, size_t len, uint32_t *box)
{
	const char *name = graph_name(s->b->graph, node);
	uint32_t id = len ? map_add(&s->scopes, &s->b->mem, name, len) : MAP_NONE;

	if (!len)
		return false;
	if (id == s->scope_box.len) {
		vec_push(&s->scope_box, (uint32_t)s->b->boxes.len);
		return false;
	}
	*box = s->scope_box.at[id];
	s->b->boxes.at[*box].n++;
	return true;
}

/* The box of a node that is reached for the first time. */
static uint32_t reach(struct side *s, uint32_t node, uint32_t layer)
{
	struct graph_boxes *b = s->b;
	const char *name = graph_name(b->graph, node);
	size_t len = scope_len(name, s->q->scopes);
	uint32_t at;

	if (!join_scope(s, node, len, &at)) {
		at = add_box(b, node, name, layer);
		b->boxes.at[at].scope_len = len;
		if (!len)
			follow_chain(s, &b->boxes.at[at]);
	}
	s->box_of[node] = at + 1;
	if (!len && b->boxes.at[at].n > 1)
		for (uint32_t k = b->boxes.at[at].n, n = node; k--; n = only(s, n, s->data))
			s->box_of[n] = at + 1;
	vec_push(&s->next, len ? node : b->boxes.at[at].end);
	return at;
}

static bool step_over(struct side *s, uint32_t node, enum edge_kind kind, uint32_t layer)
{
	struct graph_boxes *b = s->b;
	struct edges edges;

	if (!graph_edges(b->graph, node, kind, &edges, s->err))
		return false;
	for (size_t i = 0; i < edges.len; i++) {
		uint32_t other = edges.at[i].node, from = s->box_of[node] - 1, to;

		if (b->boxes.len >= MAX_BOXES && (other == GRAPH_NONE || !s->box_of[other])) {
			b->cut = true;
			continue;
		}
		if (other == GRAPH_NONE)
			to = add_box(b, GRAPH_NONE, edge_node_name(b->graph, &edges.at[i]),
			             layer);
		else
			to = s->box_of[other] ? s->box_of[other] - 1 : reach(s, other, layer);
		if (from != to)
			vec_push(&b->links, ((struct link){ from, to }));
	}
	return true;
}

static bool search(struct side *s, struct progress *progress)
{
	struct graph_boxes *b = s->b;
	bool ok = true;

	s->box_of = mem_alloc((graph_len(b->graph) + 1) * sizeof *s->box_of);
	s->box_of[s->q->node] = 1;
	vec_push(&s->front, s->q->node);
	for (int64_t d = 1; ok && d <= s->q->depth; d++) {
		uint32_t layer = (uint32_t)((int64_t)b->middle + s->direction * d);

		s->next.len = 0;
		for (size_t i = 0; ok && i < s->front.len; i++) {
			if (!(i % 1024) && !progress_step(progress, b->boxes.len, MAX_BOXES))
				ok = err_at(s->err, ERR_CANCELLED, "command", 0, "stopped");
			ok = ok && step_over(s, s->front.at[i], s->data, layer) &&
			     (!s->q->control || step_over(s, s->front.at[i], s->control, layer));
		}
		s->front.len = 0;
		for (size_t i = 0; i < s->next.len; i++)
			vec_push(&s->front, s->next.at[i]);
	}
	free(s->box_of);
	vec_release(&s->front);
	vec_release(&s->next);
	vec_release(&s->scope_box);
	map_release(&s->scopes);
	return ok;
}

/* Drops empty columns at both ends. */
static void trim(struct graph_boxes *b)
{
	uint32_t first = 0, n = b->n_layers;

	while (!b->layers[first].len)
		first++;
	while (!b->layers[n - 1].len)
		n--;
	memmove(b->layers, b->layers + first, (n - first) * sizeof *b->layers);
	b->n_layers = n - first;
	b->middle -= first;
	for (size_t i = 0; i < b->boxes.len; i++) {
		b->boxes.at[i].layer -= first;
		if (b->boxes.at[i].row + 1 > b->most)
			b->most = b->boxes.at[i].row + 1;
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;

	return (p > q) - (p < q);
}

static void index_links(struct graph_boxes *b)
{
	size_t n = b->boxes.len, *end, kept = 0;

	b->first_link = mem_alloc((n + 2) * sizeof *b->first_link);
	b->linked = mem_alloc((2 * b->links.len + 1) * sizeof *b->linked);
	end = b->first_link + 1;
	for (size_t i = 0; i < b->links.len; i++) {
		end[b->links.at[i].near + 1]++;
		end[b->links.at[i].far + 1]++;
	}
	for (size_t i = 1; i <= n; i++)
		end[i] += end[i - 1];
	for (size_t i = 0; i < b->links.len; i++) {
		b->linked[end[b->links.at[i].near]++] = b->links.at[i].far;
		b->linked[end[b->links.at[i].far]++] = b->links.at[i].near;
	}
	for (size_t i = 0, begin = 0; i < n; i++) {
		size_t stop = b->first_link[i + 1];

		if (stop > begin)
			qsort(&b->linked[begin], stop - begin, sizeof *b->linked, by_number);
		b->first_link[i] = kept;
		for (size_t k = begin; k < stop; k++)
			if (k == begin || b->linked[k] != b->linked[k - 1])
				b->linked[kept++] = b->linked[k];
		begin = stop;
	}
	b->first_link[n] = kept;
}

bool graph_boxes_find(struct graph_boxes *b, const struct graph_boxes_query *query,
                      struct progress *progress, struct err *err)
{
	struct graph_boxes_query q = *query;
	struct side up = {
		.b = b, .q = &q, .data = EDGE_INPUT, .control = EDGE_CONTROL, .direction = -1,
		.err = err,
	};
	struct side down = {
		.b = b, .q = &q, .data = EDGE_RECIPIENT, .control = EDGE_CONTROL_RECIPIENT,
		.direction = 1, .err = err,
	};

	q.depth = q.depth < 0 ? 0 : q.depth > MAX_DEPTH ? MAX_DEPTH : q.depth;
	b->graph = q.graph;
	b->middle = (uint32_t)q.depth;
	b->n_layers = 2 * b->middle + 1;
	b->layers = mem_alloc(b->n_layers * sizeof *b->layers);
	add_box(b, q.node, graph_name(q.graph, q.node), b->middle);
	if (!search(&up, progress) || !search(&down, progress))
		return false;
	trim(b);
	index_links(b);
	return true;
}

void graph_boxes_release(struct graph_boxes *b)
{
	for (uint32_t i = 0; i < b->n_layers; i++)
		vec_release(&b->layers[i]);
	free(b->layers);
	free(b->first_link);
	free(b->linked);
	vec_release(&b->boxes);
	vec_release(&b->links);
	arena_release(&b->mem);
}

size_t graph_boxes_first_linked(const struct graph_boxes *b, uint32_t box, uint32_t layer)
{
	size_t first = b->layers[layer].len;

	for (size_t i = b->first_link[box]; i < b->first_link[box + 1]; i++) {
		const struct box *other = &b->boxes.at[b->linked[i]];

		if (other->layer == layer && other->row < first)
			first = other->row;
	}
	return first;
}

uint64_t graph_boxes_count_links(const struct graph_boxes *b, uint32_t box, bool up)
{
	uint32_t layer = b->boxes.at[box].layer;
	uint64_t n = 0;

	for (size_t i = b->first_link[box]; i < b->first_link[box + 1]; i++)
		n += up ? b->boxes.at[b->linked[i]].layer < layer
		        : b->boxes.at[b->linked[i]].layer > layer;
	return n;
}
