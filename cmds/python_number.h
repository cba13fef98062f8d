#ifndef CMDS_PYTHON_NUMBER_H
#define CMDS_PYTHON_NUMBER_H

#include "cmds/expr.h"
#include "cmds/ndarray.h"

/*
 * Arithmetic of Python's own int, float and bool (ORIGIN_PYTHON). Whole numbers beyond 64 bits and
 * complex results are ERR_UNSUPPORTED; otherwise errors are Python's.
 */
struct ndarray *python_unary(struct workspace *ws, enum expr_op op, const struct ndarray *a);
struct ndarray *python_binary(struct workspace *ws, enum expr_op op, const struct ndarray *a,
                              const struct ndarray *b);

/* What type(x).__name__ says in errors: "int", "tuple", "numpy.ndarray", "numpy.float32". */
void put_python_type(struct str *out, const struct ndarray *a);

#endif
