#ifndef CMDS_GRAPH_BOXES_H
#define CMDS_GRAPH_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/model/graph.h"

/*
 * The nodes near a node, as boxes in layers: layer `middle` has the node itself, those before it
 * the inputs by their number of edges from it, those behind it the outputs. Inputs and outputs are
 * searched separately; a node that is both gets two boxes. Three or more nodes of one type in a
 * row, each with one input and one consumer, are one box; so are those of a scope, if asked.
 */

struct box {
	uint32_t node;           /* the first in the box; GRAPH_NONE: the graph doesn't have it */
	uint32_t end;            /* of a chain: the last, from which the search goes on */
	uint32_t n;              /* nodes */
	size_t scope_len;        /* how much of the node's name is the scope; 0: it is none */
	const char *name;
	uint32_t layer, row;     /* column, and place in it */
};

struct link {
	uint32_t near, far;      /* boxes; far is at least as far from the middle as near */
};

typedef VEC(uint32_t) box_list;

struct graph_boxes {
	struct graph *graph;
	VEC(struct box) boxes;   /* the first is the node's */
	VEC(struct link) links;
	size_t *first_link;      /* by box: its part of linked, the boxes it has edges to */
	uint32_t *linked;
	box_list *layers;
	uint32_t n_layers, middle;
	uint64_t most;           /* boxes in a layer */
	bool cut;                /* there are more than are kept */
	struct arena mem;
};

struct graph_boxes_query {
	struct graph *graph;
	uint32_t node;
	int64_t depth;           /* edges to go, each way */
	bool control;            /* control edges too */
	int64_t scopes;          /* one box for each scope of so many name parts; 0: no folding */
};

/* Fills *b, which is empty. false after a cancel, or if the edges can't be read: *err says so. */
bool graph_boxes_find(struct graph_boxes *b, const struct graph_boxes_query *query,
                      struct progress *progress, struct err *err);
void graph_boxes_release(struct graph_boxes *b);

/* The first box of a layer with an edge to this one; the layer's length if none has. */
size_t graph_boxes_first_linked(const struct graph_boxes *b, uint32_t box, uint32_t layer);
/* How many boxes with an edge to this one are in layers before it (up), or behind it. */
uint64_t graph_boxes_count_links(const struct graph_boxes *b, uint32_t box, bool up);

#endif
