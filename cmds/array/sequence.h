#ifndef CMDS_SEQUENCE_H
#define CMDS_SEQUENCE_H

#include "cmds/array/ndarray.h"

/*
 * Lists and tuples of Python. Either each item is a value of its own (items), or all are the
 * elements of an array, sequences of sequences where it has several axes: so x.tolist() needs no
 * more memory than x. Their elements are Python's numbers (int64, float64, complex128, bool,
 * strings).
 */
#define SEQUENCE_MAX_ITEMS 100000     /* of a list that holds its items one by one */

bool sequence_is(const struct ndarray *a);
size_t sequence_len(const struct ndarray *a);
/* The i-th item, of an array along its first axis; the caller frees it. */
struct ndarray *sequence_at(struct workspace *ws, const struct ndarray *a, size_t i);
/* An array that was just made, as lists in lists; of rank 0 as Python's number or bytes. */
struct ndarray *sequence_as_python(struct ndarray *a);

/*
 * As np.asarray: what is no sequence stays what it is; the caller frees the result. Items of
 * different shapes are ERR_VALUE. Strings only among themselves.
 */
struct ndarray *sequence_to_array(struct workspace *ws, const struct ndarray *a);

/* begin:end:step of it, parts not given are INDEX_NONE. */
struct ndarray *sequence_slice(struct workspace *ws, const struct ndarray *a,
                               const struct index_item *range);
struct ndarray *sequence_join(struct workspace *ws, const struct ndarray *a,
                              const struct ndarray *b);

#endif
