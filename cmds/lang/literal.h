#ifndef CMDS_LITERAL_H
#define CMDS_LITERAL_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/wide.h"

/* Python literals: numbers, strings, True, False, None, lists and tuples of them. */
enum literal_kind {
	LITERAL_INT, LITERAL_FLOAT, LITERAL_COMPLEX, LITERAL_BOOL, LITERAL_NONE, LITERAL_STR,
	LITERAL_LIST, LITERAL_TUPLE,
};

struct literal {
	enum literal_kind kind;
	wide_int whole;          /* INT and BOOL; clamped to +-2^100 */
	double real;             /* the nearest double; of a COMPLEX its imaginary part */
	size_t len;              /* items of a LIST or TUPLE, characters of a STR */
	struct literal *first;   /* the items */
	struct literal *next;    /* in the list this one is in */
};

/*
 * Source: ast.literal_eval. ERR_SYNTAX for what is no expression, ERR_VALUE ("malformed node or
 * string") for what is one but no literal; the wording is ours. ERR_SYNTAX too for brackets nested
 * deeper than 64.
 */
struct literal *literal_read(const char *text, struct arena *mem, struct err *err);

/* "int", "list", "NoneType". */
const char *literal_type(const struct literal *literal);

#endif
