#ifndef DUMP_GRAPH_BUILD_H
#define DUMP_GRAPH_BUILD_H

#include "dump/format/file.h"
#include "dump/model/graph.h"

/*
 * A graph that is written node by node, of a file that is no GraphDef: its nodes have a name and an
 * op, and neither device nor attributes.
 */
struct graph_build;

struct graph_build *graph_build_new(const struct file *file);
/* Its number: of a name that is there already, of that one, whose op stays. */
uint32_t graph_build_node(struct graph_build *build, const char *name, const char *op);
/* kind: EDGE_INPUT or EDGE_CONTROL. Both are numbers of nodes. */
void graph_build_edge(struct graph_build *build, enum edge_kind kind, uint32_t consumer,
                      uint32_t producer);
/* What was built; the builder is gone. */
struct graph *graph_build_end(struct graph_build *build);
void graph_build_drop(struct graph_build *build);

#endif
