#ifndef TESTS_EXPRESSIONS_H
#define TESTS_EXPRESSIONS_H

#include "cmds/array/evaluate.h"

/* Expressions over arrays that are called by a letter. */
struct named_array {
	char name;
	enum dtype dtype;
	struct shape shape;
	const void *elems;       /* NULL: none */
};

struct named_arrays {
	const struct named_array *at;
	size_t n;
	const char *text;        /* the expression */
};

/* What the expression gives; ws->texts must be there for strings. NULL with *ws->err. */
struct ndarray *expression_value(struct workspace *ws, const struct named_arrays *arrays);

#endif
