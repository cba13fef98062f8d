#include "cmds/graph/neighbourhood.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/vec.h"

struct search {
	struct neighbourhood *near;
	bool *seen;
	VEC(uint32_t) front, next;
	struct progress *progress;
	struct err *err;
};

static bool step_over(struct search *s, uint32_t node, enum edge_kind kind)
{
	struct edges edges;

	if (!graph_edges(s->near->graph, node, kind, &edges, s->err))
		return false;
	for (size_t i = 0; i < edges.len; i++) {
		uint32_t other = edges.at[i].node;

		if (other == GRAPH_NONE || s->seen[other])
			continue;
		s->seen[other] = true;
		vec_push(&s->next, other);
		if (!s->near->kept[other])
			s->near->n_nodes++;
		s->near->kept[other] = true;
	}
	return true;
}

static bool search_side(struct search *s, int64_t depth, enum edge_kind data,
                        enum edge_kind control)
{
	memset(s->seen, 0, graph_len(s->near->graph) + 1);
	s->front.len = 0;
	vec_push(&s->front, s->near->node);
	s->seen[s->near->node] = true;
	for (int64_t d = 0; d < depth && s->front.len; d++) {
		s->next.len = 0;
		for (size_t i = 0; i < s->front.len; i++) {
			if (!(i % 1024) && !progress_step(s->progress, s->near->n_nodes,
			                                  graph_len(s->near->graph)))
				return err_at(s->err, ERR_CANCELLED, "command", 0, "stopped");
			if (data == EDGE_INPUT)
				s->near->expanded[s->front.at[i]] = true;
			if (!step_over(s, s->front.at[i], data) ||
			    (s->near->control && !step_over(s, s->front.at[i], control)))
				return false;
		}
		s->front.len = 0;
		for (size_t i = 0; i < s->next.len; i++)
			vec_push(&s->front, s->next.at[i]);
	}
	return true;
}

bool neighbourhood_of(struct graph *graph, uint32_t node, int64_t depth, bool up, bool down,
                      bool control, struct progress *progress, struct neighbourhood *out,
                      struct err *err)
{
	size_t len = graph_len(graph);
	struct search s = { .near = out, .progress = progress, .err = err };
	bool ok = true;

	*out = (struct neighbourhood){ .graph = graph, .node = node, .control = control };
	out->kept = mem_alloc(len + 1);
	out->expanded = mem_alloc(len + 1);
	if (node == GRAPH_NONE) {
		memset(out->kept, 1, len);
		memset(out->expanded, 1, len);
		out->n_nodes = len;
		return true;
	}
	out->kept[node] = true;
	out->n_nodes = 1;
	s.seen = mem_alloc(len + 1);
	if (up)
		ok = search_side(&s, depth, EDGE_INPUT, EDGE_CONTROL);
	if (ok && down)
		ok = search_side(&s, depth, EDGE_RECIPIENT, EDGE_CONTROL_RECIPIENT);
	free(s.seen);
	vec_release(&s.front);
	vec_release(&s.next);
	return ok;
}

void neighbourhood_release(struct neighbourhood *n)
{
	free(n->kept);
	free(n->expanded);
	*n = (struct neighbourhood){0};
}

static bool edges_of(const struct neighbourhood *n, uint32_t node, enum edge_kind kind,
                     bool (*visit)(void *context, const struct near_edge *edge), void *context,
                     struct err *err)
{
	struct edges edges;

	if (!graph_edges(n->graph, node, kind, &edges, err))
		return false;
	for (size_t i = 0; i < edges.len; i++) {
		const struct edge *e = &edges.at[i];
		struct near_edge edge = { edge_node_name(n->graph, e), e->node, node,
		                          e->slot > 0 ? e->slot : 0, kind == EDGE_CONTROL };

		if ((e->node == GRAPH_NONE ? n->expanded[node] : n->kept[e->node]) &&
		    !visit(context, &edge))
			return false;
	}
	return true;
}

bool neighbourhood_edges(const struct neighbourhood *n,
                         bool (*visit)(void *context, const struct near_edge *edge), void *context,
                         struct err *err)
{
	for (uint32_t node = 0; node < graph_len(n->graph); node++)
		if (n->kept[node] &&
		    (!edges_of(n, node, EDGE_INPUT, visit, context, err) ||
		     (n->control && !edges_of(n, node, EDGE_CONTROL, visit, context, err))))
			return false;
	return true;
}
