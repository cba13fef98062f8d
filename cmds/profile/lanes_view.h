#ifndef CMDS_LANES_VIEW_H
#define CMDS_LANES_VIEW_H

#include "cmds/doc/doc.h"

/*
 * Lanes as a stage (cmds/doc/doc.h): a row for each drawing row of a lane, what was done in it as boxes from `from` on for
 * `span` ns; row is the drawing row, item the number of a slice in it. A frame costs the logarithm of the number of
 * slices for each column of the screen, however many there are.
 */

/* Takes over what lanes_body made. step: its label, kept by the caller; named: the links are about this step by name. */
struct body *lanes_view(struct body *lanes, const char *step, bool named);

/* With the body as their context. */
extern const struct doc_keys lanes_view_keys;
doc_put_key lanes_view_put_key;

#endif
