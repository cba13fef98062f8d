#ifndef DUMP_DIVERGENCE_H
#define DUMP_DIVERGENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/model/run_diff.h"

/*
 * Where two runs part: tensors that are not the same although all that they are computed from is.
 * The nearest dumped ancestors decide: over data and control edges, from device to device, through
 * nodes without dumps. Of an output that was dumped more than once (a loop) only what was dumped
 * before counts; so in a loop it is the first round that parts, not what the round came back to.
 *
 * The graph is that of the new run. Of arrays, which often have none, it may be that of the old
 * one; and what only one of two programs has says nothing about where they part.
 */
struct divergence {
	uint32_t pair;           /* in diff->pairs: of an output's dumps the first that parts */
	bool source;             /* a feed, a variable, a constant */
	/* positions in the new run: a dump of each nearest dumped ancestor */
	const uint32_t *inputs;
	size_t n_inputs;
	bool more;               /* there are more inputs than these */
};

struct divergences {
	bool known;              /* there is a graph */
	VEC(struct divergence) list; /* topological order of the graph, ties in graph order */
	struct arena mem;
};

/*
 * Reads all edges of the run's graphs. False with *err after a cancel or if a graph can't be
 * read again; *out is empty then. Time: a little more than linear in nodes, edges and tensors.
 */
bool divergences_find(const struct run_diff *diff, struct divergences *out,
                      struct progress *progress, struct err *err);
void divergences_release(struct divergences *divergences);

#endif
