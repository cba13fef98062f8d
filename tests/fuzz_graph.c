/* A GraphDef: nodes, edges in both directions, attributes. */
#include "dump/model/graph.h"

#include <string.h>

#include "tests/input.h"

#define ATTR_NODES_MAX 64

static void read_edges(struct graph *graph, uint32_t node, enum edge_kind kind, struct str *text)
{
	struct edges edges;

	if (!graph_edges(graph, node, kind, &edges, NULL))
		return;
	for (size_t i = 0; i < edges.len; i++) {
		const struct edge *edge = &edges.at[i];

		MUST(edge->node < graph_len(graph) || edge->node == GRAPH_NONE);
		MUST(edge->slot == -1 || kind == EDGE_INPUT || kind == EDGE_CONTROL);
		MUST(edge_node_name(graph, edge));
		str_reset(text);
		edge_text(graph, edge, text);
	}
}

static void read_attrs(struct graph *graph, uint32_t node)
{
	struct arena mem = {0};
	struct attr *attrs;
	size_t n;

	if (graph_attrs(graph, node, &mem, &attrs, &n, NULL))
		for (size_t i = 0; i + 1 < n; i++)
			MUST(strcmp(attrs[i].key, attrs[i + 1].key) < 0);
	arena_release(&mem);
}

static void examine(struct graph *graph)
{
	const char *const *devices;
	struct str text = {0};

	for (uint32_t node = 0; node < graph_len(graph); node++) {
		const char *name = graph_name(graph, node);

		MUST(graph_find(graph, name, strlen(name)) == node);
		MUST(graph_op(graph, node) && graph_device(graph, node));
		for (enum edge_kind kind = EDGE_INPUT; kind <= EDGE_CONTROL_RECIPIENT; kind++)
			read_edges(graph, node, kind, &text);
		if (node < ATTR_NODES_MAX)
			read_attrs(graph, node);
	}
	MUST(graph_devices(graph, &devices) || !*graph_first_device(graph));
	str_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err damage = {0}, err = {0};
	struct graph *graph =
		graph_open(input_file(data, size), 0, UINT64_MAX, NULL, &damage, &err);

	MUST(graph || err.code);
	if (graph)
		examine(graph);
	graph_close(graph);
	return 0;
}
