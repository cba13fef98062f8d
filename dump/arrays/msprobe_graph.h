#ifndef DUMP_MSPROBE_GRAPH_H
#define DUMP_MSPROBE_GRAPH_H

#include "dump/arrays/array.h"
#include "dump/model/graph.h"

/* What an array of a dump of msprobe is to its call; its `own`. */
struct call_part {
	const char *call;
	bool is_output;
};

/*
 * The graph of a dump of msprobe: its calls and what they took and gave are nodes. A call has what
 * it took as its inputs and is the input of what it gave. Which call was made within which other
 * one says construct.json, at `path`; it is a control input of that.
 *   {"Functional.relu.0.forward": "Module.act.ReLU.forward.0", "Module.act.ReLU.forward.0": null}
 */
struct graph *call_graph_read(const char *path, const struct array *const *arrays, size_t n,
                              struct progress *progress, struct err *err);

#endif
