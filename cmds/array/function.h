#ifndef CMDS_FUNCTION_H
#define CMDS_FUNCTION_H

#include "cmds/array/ndarray.h"

/*
 * The functions that expressions may call: np.name(...), np.linalg.name(...), x.name(...) of an
 * array x, and Python's own name(...). They are in one table, which the man page lists.
 */
struct function;

/* Where a function may be called: what comes before its name. */
enum function_place {
	IN_NUMPY = 1, IN_LINALG = 2, IN_ARRAY = 4, IN_PYTHON = 8,
	IN_ATTRIBUTE = 16,       /* x.name without parentheses */
	IN_VALUE = 32,           /* the same if x is no array; no row has this */
};

#define FUNCTION_MAX_ARGS 64
#define FUNCTION_MAX_KEYWORDS 8

struct arguments {
	uint32_t n, n_keywords;
	struct ndarray *at[FUNCTION_MAX_ARGS];   /* of a method, the first is x */
	struct { const char *name; struct ndarray *value; } keyword[FUNCTION_MAX_KEYWORDS];
};

/* NULL: no such function here. */
const struct function *function_find(const char *name, enum function_place place);
struct ndarray *function_call(struct workspace *ws, const struct function *function,
                              const struct arguments *args);

/* The i-th row of the table: a name and the OR of its places; false: there is none. */
bool function_row(size_t i, const char **name, unsigned *places);

/*
 * Is this a name that numpy, its arrays or Python's builtins have, and we do not? Knows the names
 * of numpy 1.21 to 1.26, so that "no such name" is said only if none of these has it.
 */
bool function_known_elsewhere(const char *name, enum function_place place);

#endif
