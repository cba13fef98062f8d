#ifndef CMDS_NEIGHBOURHOOD_H
#define CMDS_NEIGHBOURHOOD_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/graph.h"

/*
 * The nodes of a graph near one of them: those at most so many edges upwards and, counted
 * separately, downwards. node GRAPH_NONE: the whole graph.
 */
struct neighbourhood {
	struct graph *graph;
	uint32_t node;
	uint64_t n_nodes;
	bool *kept;              /* by node */
	bool *expanded;          /* by node: its inputs count too, even those the graph lacks */
	bool control;            /* control edges count too */
};

/* False with *err after a cancel, or if the edges can't be read. */
bool neighbourhood_of(struct graph *graph, uint32_t node, int64_t depth, bool up, bool down,
                      bool control, struct progress *progress, struct neighbourhood *out,
                      struct err *err);
void neighbourhood_release(struct neighbourhood *n);

/* Visits edges by consumer and input order, data before control, until visit returns false. */
struct near_edge {
	const char *from;
	uint32_t from_node;      /* GRAPH_NONE: the graph doesn't have it */
	uint32_t to_node;
	int32_t slot;            /* output slot; 0 if the edge names none */
	bool control;
};
bool neighbourhood_edges(const struct neighbourhood *n,
                         bool (*visit)(void *context, const struct near_edge *edge), void *context,
                         struct err *err);

#endif
