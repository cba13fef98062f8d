#ifndef CMDS_REPR_H
#define CMDS_REPR_H

#include "cmds/array/ndarray.h"

/*
 * repr() of the result of an expression, with tfdbg's print options (see array.h); width 0: 75
 * columns. ERR_LIMIT beyond 16 MiB, which a tuple of many arrays may reach.
 */
bool repr_put(struct workspace *ws, const struct ndarray *a, int width, struct str *out);

#endif
