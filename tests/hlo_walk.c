#include "tests/hlo_walk.h"

#include <string.h>

#include "dump/model/module.h"
#include "tests/input.h"

enum { ATTR_NODES_MAX = 8 };     /* each opens the file again */

static void walk_edges(struct graph *graph, uint32_t node)
{
	const struct module *module = graph_module(graph);
	struct edges edges;

	for (enum edge_kind kind = EDGE_INPUT; kind <= EDGE_CONTROL_RECIPIENT; kind++) {
		MUST(graph_edges(graph, node, kind, &edges, NULL));
		for (size_t i = 0; i < edges.len; i++) {
			uint32_t other = edges.at[i].node;

			MUST(edge_node_name(graph, &edges.at[i]));
			MUST(other == GRAPH_NONE || other < graph_len(graph));
			MUST(other == GRAPH_NONE || module->instructions.at[other].computation ==
			                            module->instructions.at[node].computation);
		}
	}
}

static void walk_attrs(struct graph *graph, uint32_t node)
{
	struct arena mem = {0};
	struct attr *attrs;
	size_t n;

	if (graph_attrs(graph, node, &mem, &attrs, &n, NULL))
		for (size_t i = 0; i + 1 < n; i++)
			MUST(strcmp(attrs[i].key, attrs[i + 1].key) < 0);
	arena_release(&mem);
}

static void walk_computations(const struct module *module)
{
	uint32_t next = 0;

	for (size_t i = 0; i < module->computations.len; i++) {
		const struct computation *c = &module->computations.at[i];

		MUST(c->first == next && c->n_parameters <= c->n);
		MUST(c->n ? c->root - c->first < c->n : c->root == MODULE_NONE);
		MUST(c->n_callers <= module->instructions.len);
		next += c->n;
	}
	MUST(next == module->instructions.len);
}

void hlo_walk(struct graph *graph)
{
	const struct module *module = graph_module(graph);
	struct stacks *stacks = module_stacks(graph);

	MUST(module && module->instructions.len == graph_len(graph));
	walk_computations(module);
	for (uint32_t node = 0; node < graph_len(graph); node++) {
		const struct instruction *at = &module->instructions.at[node];
		const struct called *called;
		size_t n;

		MUST(graph_find(graph, graph_name(graph, node), strlen(graph_name(graph, node)))
		     == node);
		MUST(at->opcode && at->shape && at->frame <= module->frames.len);
		called = module_called(module, node, &n);
		for (size_t i = 0; i < n; i++)
			MUST(called[i].name && (called[i].computation == MODULE_NONE ||
			                        called[i].computation < module->computations.len));
		walk_edges(graph, node);
		if (node < ATTR_NODES_MAX)
			walk_attrs(graph, node);
	}
	for (size_t i = 0; stacks && i < stacks->stack.len; i++)
		MUST(stacks->stack.at[i] < stacks->frames.len);
	stacks_close(stacks);
}
