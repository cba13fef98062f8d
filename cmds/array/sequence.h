#ifndef CMDS_SEQUENCE_H
#define CMDS_SEQUENCE_H

#include "cmds/array/ndarray.h"

/*
 * Python's lists and tuples. Either each item is a value of its own (`items`), or they are the
 * elements of an array, nested if it has several axes, so that x.tolist() needs no more memory than
 * x. The elements are then Python's: int64, float64, complex128, bool, strings.
 */
#define SEQUENCE_MAX_ITEMS 100000     /* of a list that holds its items one by one */

bool sequence_is(const struct ndarray *a);
size_t sequence_len(const struct ndarray *a);
/* The i-th item, which the caller frees; of an array, along its first axis. */
struct ndarray *sequence_at(struct workspace *ws, const struct ndarray *a, size_t i);
/* Turns a new array into nested lists, or one of rank 0 into a Python number or bytes. */
struct ndarray *sequence_as_python(struct ndarray *a);

/*
 * As np.asarray; the caller frees the result. ERR_VALUE if items have different shapes, or only
 * some are strings. Other values stay as they are.
 */
struct ndarray *sequence_to_array(struct workspace *ws, const struct ndarray *a);

/* Its items begin:end:step; parts not given are INDEX_NONE. */
struct ndarray *sequence_slice(struct workspace *ws, const struct ndarray *a,
                               const struct index_item *range);
struct ndarray *sequence_join(struct workspace *ws, const struct ndarray *a,
                              const struct ndarray *b);

#endif
