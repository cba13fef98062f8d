#ifndef CMDS_FUNCTION_H
#define CMDS_FUNCTION_H

#include "cmds/ndarray.h"

/*
 * The functions of numpy that expressions may call, as np.name(x, ...) or, some of them, as
 * x.name(...).
 */
struct function;

#define FUNCTION_MAX_ARGS (SHAPE_MAX_RANK + 1)

struct arguments {
	uint32_t n;
	struct ndarray *at[FUNCTION_MAX_ARGS];   /* of a method the first is the array itself */
	struct ndarray *axis, *keepdims, *axes;  /* given by keyword; NULL: not */
};

/* NULL: no such function here. */
const struct function *function_find(const char *name, bool is_method);
struct ndarray *function_call(struct workspace *ws, const struct function *function,
                              const struct arguments *args);

/*
 * Does numpy itself have a function, or an ndarray an attribute, of this name, although we don't?
 */
bool function_exists_in_numpy(const char *name);
bool attribute_exists_in_numpy(const char *name);

/* The element type of this name: "float32", "int"; false: none. */
bool function_dtype(const char *name, enum dtype *dtype);

#endif
