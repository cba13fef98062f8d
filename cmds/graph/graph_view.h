#ifndef CMDS_GRAPH_VIEW_H
#define CMDS_GRAPH_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "cmds/doc/again.h"
#include "cmds/graph/graph_boxes.h"

/*
 * The nodes near a node as a stage (cmds/doc/doc.h). Each number of edges from the node has a
 * column of boxes, inputs to the left, outputs to the right; of the edges, those of the box under
 * the cursor are drawn (graph_boxes.h has which there are). The stage's row is the column, its item
 * the box in it.
 */
struct graph_view_query {
	struct graph_boxes_query near;
	bool fine;               /* boxes and edges are drawn in lines, not in ASCII */
	int rows;                /* of the pane for the body: boxes have frames if they then fit */
	const struct cmd *cmd;   /* links are command lines of it */
	struct args args;        /* the command's arguments; they outlive the body */
};

/* NULL after a cancel, or if the edges can't be read: *err says so. */
struct body *graph_view(const struct graph_view_query *query, struct progress *progress,
                        struct err *err);

/* Has a pane of this width room for all columns, and for all boxes with frames? */
bool graph_view_fits(struct body *view, int width);

/* The keys that open something about a box; their context is the body. */
extern const struct doc_keys graph_view_keys;
doc_put_key graph_view_put_key;

#endif
