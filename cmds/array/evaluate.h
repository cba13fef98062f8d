#ifndef CMDS_EVALUATE_H
#define CMDS_EVALUATE_H

#include "cmds/array/expr.h"
#include "cmds/array/ndarray.h"

/*
 * Computes an expression as Python with numpy 1 would. What Python or numpy would raise comes back
 * as an error with its class and text; what they can do and we cannot is ERR_UNSUPPORTED,
 * "Unsupported expression: ...". load gives the i-th tensor of the expression; the caller of load
 * frees it.
 */
typedef struct ndarray *tensor_load(void *context, struct workspace *ws, size_t i);

struct ndarray *evaluate(const struct expr *expr, struct workspace *ws, tensor_load *load,
                         void *context);

#endif
