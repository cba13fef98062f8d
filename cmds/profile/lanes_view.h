#ifndef CMDS_LANES_VIEW_H
#define CMDS_LANES_VIEW_H

#include "cmds/doc/doc.h"

/*
 * Lanes as a stage (cmds/doc/doc.h): each drawing row of a lane has a row, with its slices as
 * boxes, from `from` on for `span` ns; `item` is the number of a slice in it. A frame takes, for
 * each column of the screen, time logarithmic in the number of slices.
 */

/*
 * pictures  a lane's label tells how busy it was, and rows that are free below the lanes list what
 *           ran from the slice under the cursor on
 * fine      slices and the ruler are drawn in blocks and lines; what is too narrow for a slice of
 *           its own shows how busy each column is
 * rows      of the pane for this body; 0: no limit
 */
struct lanes_look {
	const char *step;        /* its label, kept by the caller */
	bool named;              /* links name this step */
	bool pictures, fine;
	int rows;
};

/* Takes over a lanes_body. */
struct body *lanes_view(struct body *lanes, const struct lanes_look *look);

/* Their context is the body. */
extern const struct doc_keys lanes_view_keys;
doc_put_key lanes_view_put_key;

#endif
