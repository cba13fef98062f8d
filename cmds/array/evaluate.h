#ifndef CMDS_EVALUATE_H
#define CMDS_EVALUATE_H

#include "cmds/array/expr.h"
#include "cmds/array/ndarray.h"

/*
 * Computes an expression as Python with numpy 1 would. Where they would raise an exception, the
 * error has its class and text; ERR_UNSUPPORTED, "Unsupported expression: ...", is what they can do
 * and we cannot. load returns the i-th tensor of the expression, and evaluate frees it. The caller
 * frees the result.
 */
typedef struct ndarray *tensor_load(void *context, struct workspace *ws, size_t i);

struct ndarray *evaluate(const struct expr *expr, struct workspace *ws, tensor_load *load,
                         void *context);

#endif
