#ifndef CMDS_NP_ORDER_H
#define CMDS_NP_ORDER_H

#include "cmds/array/np.h"

/*
 * Sorts along the last axis, nan last; the sort is stable. Results are kept by the workspace
 * (np.h).
 */
struct ndarray *np_sorted(struct workspace *ws, const struct ndarray *a);
/* Where each element of v belongs in the sorted vector a; right: after equal ones. */
struct ndarray *np_search(struct workspace *ws, const struct ndarray *a, const struct ndarray *v,
                          bool right);

#endif
