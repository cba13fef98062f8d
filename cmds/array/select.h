#ifndef CMDS_SELECT_H
#define CMDS_SELECT_H

#include "cmds/array/ndarray.h"

/*
 * Indexing as in numpy, also by integer arrays and boolean masks (INDEX_ARRAY items). A view if all
 * items are ranges and ints, else a copy.
 * Errors  numpy's: ERR_INDEX, ERR_VALUE.
 */
struct ndarray *select_index(struct workspace *ws, const struct ndarray *array,
                             const struct index_item *items, uint32_t n);

/*
 * The places where an array is not zero: an INT64 vector for each axis into `places`, which has
 * room for a pointer an axis. On false nothing is in it.
 */
bool select_nonzero(struct workspace *ws, const struct ndarray *array, struct ndarray **places);

/* Elements of an array where a mask of the same shape is true, in order. */
struct ndarray *select_masked(struct workspace *ws, const struct ndarray *array,
                              const struct ndarray *mask);

#endif
