#ifndef CMDS_WAYS_H
#define CMDS_WAYS_H

#include "cmds/array/scale.h"
#include "cmds/doc/call.h"

/*
 * The way a tensor was drawn last, scale and colours, kept by its name for as long as the session:
 * it is drawn so again, in whichever run or step, until a key or an option says otherwise. Only on
 * a screen in our style, and the line that shows then has the options.
 */

/* Where a command's options are; its colours are kept apart from those of other commands. */
struct ways_of {
	enum { WAYS_OF_GRID, WAYS_OF_PICTURE } command;
	size_t coloured, percentiles, log;
	enum colours otherwise;  /* the colours without the option */
};

/*
 * Adds to call->args what was not given, unless the line is one that a key has made, which says
 * all; then keeps what they are now. A scale is kept only of what has colours, or of a picture.
 */
void ways_apply(struct call *call, const struct ways_of *of);

#endif
