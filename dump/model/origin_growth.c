#include "dump/model/origin_growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/model/origin_rules.h"

enum { LEAST_RUNS = 3, TENFOLD = 10 };

struct grown {
	const char *node;
	uint32_t slot;
	VEC(double) max;
};

struct origin_growing {
	const char *device;
	VEC(struct grown) left;
	size_t n_runs;
	struct arena mem;
};

static void add_name(struct origin_growing *g, const char *node, uint32_t slot)
{
	for (size_t i = 0; i < g->left.len; i++)
		if (g->left.at[i].slot == slot && !strcmp(g->left.at[i].node, node))
			return;
	*vec_add(&g->left) = (struct grown){ .node = arena_copy(&g->mem, node, strlen(node)),
	                                     .slot = slot };
}

static void add_inputs(struct origin_growing *g, struct graph *graph, const char *node)
{
	uint32_t at = graph_find(graph, node, strlen(node));
	struct edges in = {0};
	struct err unread;

	if (at == GRAPH_NONE || !graph_edges(graph, at, EDGE_INPUT, &in, &unread))
		return;
	for (size_t i = 0; i < in.len; i++)
		add_name(g, edge_node_name(graph, &in.at[i]),
		         in.at[i].slot < 0 ? 0 : (uint32_t)in.at[i].slot);
}

struct origin_growing *origin_growing_new(const struct run *run, const struct origin_row *row)
{
	struct origin_growing *g = mem_alloc(sizeof *g);

	g->device = arena_copy(&g->mem, row->device, strlen(row->device));
	for (size_t d = 0; d < run->devices.len; d++) {
		struct graph *graph = run->devices.at[d].graph;

		if (!graph || strcmp(run->devices.at[d].name, row->device) != 0)
			continue;
		add_inputs(g, graph, row->node);
		for (uint32_t node = 0; node < graph_len(graph); node++)
			if (op_traits(graph_op(graph, node)) & OP_VARIABLE)
				add_name(g, graph_name(graph, node), 0);
	}
	return g;
}

void origin_growing_free(struct origin_growing *growing)
{
	if (!growing)
		return;
	for (size_t i = 0; i < growing->left.len; i++)
		vec_release(&growing->left.at[i].max);
	vec_release(&growing->left);
	arena_release(&growing->mem);
	free(growing);
}

/* The first dump of a name in a run; UINT32_MAX: there is none. */
static uint32_t find_dump(const struct origin_growing *g, const struct run *run,
                          const struct grown *grown)
{
	uint32_t id = map_find(&run->nodes, grown->node, strlen(grown->node));
	const uint32_t *at;
	size_t n;

	if (id == MAP_NONE)
		return UINT32_MAX;
	at = run_node_tensors(run, id, &n);
	for (size_t i = 0; i < n; i++) {
		const struct tensor *t = &run->tensors.at[at[i]];

		if (t->slot == grown->slot && !strcmp(run->devices.at[t->device].name, g->device))
			return at[i];
	}
	return UINT32_MAX;
}

bool origin_growing_add(struct origin_growing *growing, const struct run *run,
                        origin_magnitude *magnitude, void *context)
{
	size_t n = 0;

	for (size_t i = 0; i < growing->left.len; i++) {
		struct grown *grown = &growing->left.at[i];
		uint32_t at = find_dump(growing, run, grown);
		double max = at == UINT32_MAX ? NAN : magnitude(context, at);

		if (max > 0 && (!grown->max.len || max > TENFOLD * *vec_last(&grown->max))) {
			vec_push(&grown->max, max);
			growing->left.at[n++] = *grown;
		} else {
			vec_release(&grown->max);
		}
	}
	growing->left.len = n;
	growing->n_runs++;
	return n;
}

static int by_tensor(const void *a, const void *b)
{
	return strcmp(((const struct origin_growth *)a)->tensor,
	              ((const struct origin_growth *)b)->tensor);
}

void origin_growing_put(struct origin_growing *growing, struct origins_report *report)
{
	struct str name = {0};

	for (size_t i = 0; growing->n_runs >= LEAST_RUNS && i < growing->left.len; i++) {
		struct grown *grown = &growing->left.at[i];

		str_reset(&name);
		origin_put_name(&name, grown->node, grown->slot);
		vec_push(&report->growth, ((struct origin_growth){
			arena_copy(&report->mem, name.text, name.len), grown->max.at,
			grown->max.len }));
		grown->max.at = NULL;
		grown->max.len = grown->max.cap = 0;
	}
	str_release(&name);
	if (report->growth.len)
		qsort(report->growth.at, report->growth.len, sizeof *report->growth.at, by_tensor);
}
