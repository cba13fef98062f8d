#ifndef CMDS_EVALUATE_PARTS_H
#define CMDS_EVALUATE_PARTS_H

#include "cmds/array/evaluate.h"

/* What evaluate.c and evaluate_index.c share. */
struct evaluation {
	struct workspace *ws;
	tensor_load *load;
	void *context;
	int depth;
};

/* The caller frees the result; NULL: the workspace has the error. */
struct ndarray *evaluate_node(struct evaluation *e, const struct expr *x);
/* x[...] */
struct ndarray *evaluate_index(struct evaluation *e, const struct expr *x);

#endif
