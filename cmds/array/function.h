#ifndef CMDS_FUNCTION_H
#define CMDS_FUNCTION_H

#include "cmds/array/ndarray.h"

/*
 * The functions that expressions may call: np.name(...), np.linalg.name(...), x.name(...) of an
 * array, and name(...), Python's own. One table; the man page lists it.
 */
struct function;

/* Where a function may be called; the parts of a name are what stands before it. */
enum function_place {
	IN_NUMPY = 1, IN_LINALG = 2, IN_ARRAY = 4, IN_PYTHON = 8,
	IN_ATTRIBUTE = 16,       /* x.name, without brackets */
	IN_VALUE = 32,           /* the same of a value that is no array: in no row */
};

#define FUNCTION_MAX_ARGS 64
#define FUNCTION_MAX_KEYWORDS 8

struct arguments {
	uint32_t n, n_keywords;
	struct ndarray *at[FUNCTION_MAX_ARGS];   /* of a method the first is the array itself */
	struct { const char *name; struct ndarray *value; } keyword[FUNCTION_MAX_KEYWORDS];
};

/* NULL: no such function here. */
const struct function *function_find(const char *name, enum function_place place);
struct ndarray *function_call(struct workspace *ws, const struct function *function,
                              const struct arguments *args);

/* The i-th row: its name and its places, an OR of them; false: there are no more. */
bool function_row(size_t i, const char **name, unsigned *places);

/*
 * Is this a name that numpy, its arrays or Python's builtins have and we do not? The names are
 * those of numpy 1.21 to 1.26, so that "no such name" is said only of what none of them has.
 */
bool function_known_elsewhere(const char *name, enum function_place place);

#endif
