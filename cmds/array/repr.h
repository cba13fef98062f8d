#ifndef CMDS_REPR_H
#define CMDS_REPR_H

#include "cmds/array/ndarray.h"

/*
 * repr() of what an expression gives, with the print options of tfdbg (see array.h); width 0: 75
 * columns. A tuple of 10^5 arrays would be as long as they are: ERR_LIMIT beyond 16 MiB.
 */
bool repr_put(struct workspace *ws, const struct ndarray *a, int width, struct str *out);

#endif
