#ifndef DUMP_GRAPH_BRIEF_H
#define DUMP_GRAPH_BRIEF_H

#include "dump/model/graph.h"

/*
 * Appends a GraphDef that graph_open reads as this graph, with the debugger's own nodes: names,
 * ops, inputs and devices are as they were. Of attributes there are those that finding origins asks
 * for (dump/model/origin_graph.h). A large constant that is sound has a few elements in the place
 * of its own: its least, its largest, and a zero if it holds one. The same graph gives the same
 * bytes. False, with what was put by then, after a cancel, or if the file can't be read again.
 */
bool graph_put_brief(struct graph *graph, struct str *out, struct progress *progress,
                     struct err *err);

#endif
