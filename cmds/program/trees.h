#ifndef CMDS_PROGRAM_TREES_H
#define CMDS_PROGRAM_TREES_H

#include <inttypes.h>

#include "cmds/graph/tree.h"
#include "dump/model/program.h"

/*
 * Trees of a recorded program. Ops are connected by the names of their inputs, within one graph;
 * steps by the ids of the tensors that they use and produce.
 */
/* step: whose tensors are told of beside the ops; PROGRAM_NONE: of all. */
struct tree_source *op_tree(const struct program *program, uint32_t node, uint32_t step,
                            const struct tree_way *way);
struct tree_source *step_tree(const struct program *program, uint32_t step,
                              const struct tree_way *way);

#define NO_CONTROL_EDGES "Control edges are not recorded in v2 dumps."

#define TAKES_OUTPUT "takes output %" PRId32

/* The typed keys of a neighbour: which output of it, or of what it takes; its op; its input. */
#define USE_KEYS "node,slot,op,input"

#endif
