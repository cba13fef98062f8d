#ifndef CMDS_MATMUL_H
#define CMDS_MATMUL_H

#include "cmds/array/ndarray.h"

/*
 * Products of matrices, vectors and stacks of matrices: np.matmul (and @), np.dot. Sums of floats
 * are computed in double.
 */
struct ndarray *matmul(struct workspace *ws, const struct ndarray *a, const struct ndarray *b);
struct ndarray *matmul_dot(struct workspace *ws, const struct ndarray *a, const struct ndarray *b);

#endif
