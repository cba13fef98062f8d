#ifndef DUMP_PROFILE_OP_H
#define DUMP_PROFILE_OP_H

#include <stddef.h>

#include "dump/model/graph.h"
#include "dump/profile/profile_proto.h"

/* The op type of a node, from tfprof's file, else from the graphs. NULL: not known. */
const char *profile_op(const struct profile_proto *proto, struct graph *const *graphs,
                       size_t n_graphs, const char *node);

#endif
