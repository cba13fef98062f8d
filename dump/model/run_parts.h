#ifndef DUMP_RUN_PARTS_H
#define DUMP_RUN_PARTS_H

#include "dump/model/run.h"

/* What run.c and run_cache.c share; nobody else includes it. */

/* Node -> its tensors: positions behind one another, with the start of each node's list. */
struct run_index {
	uint32_t *start;         /* of node n: [start[n], start[n + 1]) in positions */
	uint32_t *positions;
	uint32_t *rank;          /* of each tensor: its place in the walk */
	uint64_t problems_left;  /* that were not recorded one by one */
	bool dirs_left;          /* some of them were of directories that can't be read */
};

#endif
