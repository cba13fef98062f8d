#ifndef CMDS_PYTHON_NUMBER_H
#define CMDS_PYTHON_NUMBER_H

#include "cmds/array/expr.h"
#include "cmds/array/ndarray.h"

/*
 * Arithmetic of Python's own int, float, complex and bool (ORIGIN_PYTHON). Integers beyond 64
 * bits and complex powers are ERR_UNSUPPORTED; all other errors are Python's.
 */
struct ndarray *python_unary(struct workspace *ws, enum expr_op op, const struct ndarray *a);
struct ndarray *python_binary(struct workspace *ws, enum expr_op op, const struct ndarray *a,
                              const struct ndarray *b);

/* The TypeError of an operator that does not take these operands; b NULL: it is unary. */
struct ndarray *python_refuse(struct workspace *ws, enum expr_op op, const struct ndarray *a,
                              const struct ndarray *b);

#endif
