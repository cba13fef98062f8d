#ifndef CMDS_NODE_FLOPS_H
#define CMDS_NODE_FLOPS_H

#include "cmds/session/steps.h"

/*
 * Float operations of nodes, as tfprof counts them: from an op log, else by formulas over shapes;
 * times the node's runs in the chosen steps. `steps` must outlive it. NULL: the answer says why.
 */
struct node_flops;
struct node_flops *node_flops_new(struct call *call, const struct step_choice *steps);
void node_flops_free(struct node_flops *flops);          /* NULL: nothing */
/* 0 if there is no formula, or a shape is not known. context: struct node_flops *. */
double node_flops_of(void *context, const char *node);

#endif
