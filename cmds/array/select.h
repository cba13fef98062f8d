#ifndef CMDS_SELECT_H
#define CMDS_SELECT_H

#include "cmds/array/ndarray.h"

/*
 * Indexing as numpy has it, also by arrays of whole numbers and by boolean masks (INDEX_ARRAY
 * items). A view where there are only ranges and ints, else a copy.
 * Errors  those of numpy: ERR_INDEX, ERR_VALUE.
 */
struct ndarray *select_index(struct workspace *ws, const struct ndarray *array,
                             const struct index_item *items, uint32_t n);

/*
 * The places where an array is not zero: for each axis an INT64 vector, put into `places`, which
 * has room for one an axis. False: none of them is there.
 */
bool select_nonzero(struct workspace *ws, const struct ndarray *array, struct ndarray **places);

/* Elements of an array where a mask of the same shape is true, in order. */
struct ndarray *select_masked(struct workspace *ws, const struct ndarray *array,
                              const struct ndarray *mask);

#endif
