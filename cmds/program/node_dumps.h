#ifndef CMDS_PROGRAM_NODE_DUMPS_H
#define CMDS_PROGRAM_NODE_DUMPS_H

#include "cmds/program/op_node.h"

/*
 * The recorded tensors of an op or a step, in time order: an op's traces in one step (PROGRAM_NONE:
 * all its traces), or the outputs of a step.
 */
struct node_dumps {
	VEC(struct program_tensor) list;
	uint64_t n_all;          /* how many there are, in any step or none */
};
void node_dumps_find(const struct program *program, const struct subject *subject, uint32_t step,
                     struct node_dumps *out);
void node_dumps_release(struct node_dumps *dumps);

/* The section of ni -d. *first: as tensor_put_keys says. */
void node_dumps_put(struct doc *doc, struct program_reads *reads, const struct node_dumps *dumps,
                    uint32_t step, struct err *first);
/* A list of typed rows of lt. */
void node_dumps_put_data(struct program_reads *reads, const struct node_dumps *dumps,
                         struct data *data, struct err *first);

#endif
