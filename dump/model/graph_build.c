/* Edges are kept as they come, and put in the order of their consumers at the end. */
#include "dump/model/graph_build.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/graph_parts.h"

struct pair {
	uint32_t consumer, producer;
};

struct graph_build {
	struct graph *graph;
	VEC(struct pair) pairs[2];       /* EDGE_INPUT, EDGE_CONTROL */
};

struct graph_build *graph_build_new(const struct file *file)
{
	struct graph_build *b = mem_alloc(sizeof *b);

	b->graph = graph_new(file->path);
	b->graph->stamp = file_stamp(file);
	return b;
}

uint32_t graph_build_node(struct graph_build *b, const char *name, const char *op)
{
	struct graph *graph = b->graph;
	uint32_t node = map_add(&graph->names, &graph->mem, name, strlen(name));

	if (node == graph->places.len) {
		vec_push(&graph->places, ((struct place){
			.op = map_add(&graph->ops, &graph->mem, op, strlen(op)) }));
		vec_push(&graph->device_of, 0);
	}
	return node;
}

void graph_build_edge(struct graph_build *b, enum edge_kind kind, uint32_t consumer,
                      uint32_t producer)
{
	if (b->pairs[kind].len < UINT32_MAX)
		vec_push(&b->pairs[kind], ((struct pair){ consumer, producer }));
}

static struct edge_list list_of(const struct graph_build *b, int kind)
{
	size_t n_nodes = b->graph->places.len, n = b->pairs[kind].len;
	struct edge_list list = { mem_alloc((n + 1) * sizeof *list.at),
	                          mem_alloc((n_nodes + 2) * sizeof *list.start) };
	uint32_t *next = list.start + 1; /* of a node: where its next edge goes */

	for (size_t i = 0; i < n; i++)
		next[b->pairs[kind].at[i].consumer + 1]++;
	for (size_t k = 1; k <= n_nodes; k++)
		next[k] += next[k - 1];
	for (size_t i = 0; i < n; i++) {
		const struct pair *pair = &b->pairs[kind].at[i];

		list.at[next[pair->consumer]++] = (struct edge){ pair->producer, -1, NO_OTHER };
	}
	return list;
}

static void release(struct graph_build *b)
{
	for (int kind = EDGE_INPUT; kind <= EDGE_CONTROL; kind++)
		vec_release(&b->pairs[kind]);
	free(b);
}

struct graph *graph_build_end(struct graph_build *b)
{
	struct graph *graph = b->graph;
	struct edge_list data = list_of(b, EDGE_INPUT), control = list_of(b, EDGE_CONTROL);

	graph_set_edges(graph, &data, &control);
	release(b);
	return graph;
}

void graph_build_drop(struct graph_build *b)
{
	graph_close(b->graph);
	release(b);
}
