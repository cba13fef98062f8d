#ifndef CMDS_LANES_VIEW_H
#define CMDS_LANES_VIEW_H

#include "cmds/doc/doc.h"

/*
 * Lanes as a stage (cmds/doc/doc.h): each drawing row of a lane has a row, with its slices as
 * boxes, from `from` on for `span` ns; `item` is the number of a slice in it. A frame takes, for
 * each column of the screen, time logarithmic in the number of slices.
 */

/* Takes over a lanes_body. step: its label, kept by the caller; named: links name this step. */
struct body *lanes_view(struct body *lanes, const char *step, bool named);

/* Their context is the body. */
extern const struct doc_keys lanes_view_keys;
doc_put_key lanes_view_put_key;

#endif
