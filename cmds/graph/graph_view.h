#ifndef CMDS_GRAPH_VIEW_H
#define CMDS_GRAPH_VIEW_H

#include <stdint.h>

#include "cmds/doc/again.h"
#include "dump/base/progress.h"
#include "dump/model/graph.h"

/*
 * What is near a node as a stage (cmds/doc/doc.h): a column of boxes for each number of edges from it, inputs on the left,
 * outputs on the right, and the edges of the box under the cursor. Three or more nodes in a row that are of one type and
 * have one input and one consumer each are one box and one edge. row is the column, item the box in it, from the first
 * column that shows.
 */
struct graph_view_query {
	struct graph *graph;
	uint32_t node;
	int64_t depth;
	bool control;
	int64_t scopes;          /* nodes of a scope of so many parts are one box; 0: they are not */
	const struct cmd *cmd;   /* links are its lines: */
	struct args args;        /* as asked; lives as long as the body */
};

/* NULL with *err: after a cancel, or if the edges can't be read. */
struct body *graph_view(const struct graph_view_query *query, struct progress *progress, struct err *err);

/* Its keys that open something about a box, with the body as their context. */
extern const struct doc_keys graph_view_keys;
doc_put_key graph_view_put_key;

#endif
