#ifndef CMDS_GRAPH_PAINT_H
#define CMDS_GRAPH_PAINT_H

#include "cmds/doc/doc.h"
#include "cmds/graph/graph_boxes.h"

/*
 * Boxes and edges as text. Only edges between neighbouring columns are drawn, and only those of the
 * box under the cursor: so each gap has room for them, however many there are.
 */

enum { GRAPH_GAP = 4 };          /* columns of the screen between two layers */

struct graph_paint {
	const struct graph_boxes *b;
	uint64_t high;           /* lines of a box: 1, 3 with a frame */
	bool fine;               /* boxes and edges are drawn in lines, not in ASCII */
};

/* "conv1/Relu", "conv1/" for a scope, and "… 5 Relu" for a chain; the op, or how many nodes. */
void graph_paint_name(const struct graph_boxes *b, const struct box *box, struct str *out);
void graph_paint_op(const struct graph_boxes *b, const struct box *box, struct str *out);
/* "inputs 2 (14)" */
void graph_paint_layer(const struct graph_boxes *b, uint32_t layer, struct str *out);

/* Line `part` of the box in a row of a layer, or blanks. */
void graph_paint_box(const struct graph_paint *p, uint32_t layer, uint64_t row, uint64_t part,
                     size_t columns, struct str *out);
/*
 * The gap after a layer in a row: lines from the linked boxes on one side to the cursor's box on
 * the other. All edges meet in one vertical line.
 */
void graph_paint_gap(const struct graph_paint *p, const struct stage *stage, uint32_t layer,
                     uint64_t row, uint64_t part, struct str *out);

#endif
