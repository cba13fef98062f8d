#ifndef CMDS_NP_ORDER_H
#define CMDS_NP_ORDER_H

#include "cmds/array/np.h"

/*
 * The last axis in order, nan last; equal elements stay as they are. Results are kept, as np.h has
 * it.
 */
struct ndarray *np_sorted(struct workspace *ws, const struct ndarray *a);
/* Where each of v belongs in a vector that is sorted; right: behind its equals. */
struct ndarray *np_search(struct workspace *ws, const struct ndarray *a, const struct ndarray *v,
                          bool right);

#endif
