#ifndef CMDS_PROGRAM_OP_LIST_H
#define CMDS_PROGRAM_OP_LIST_H

#include "cmds/program/listed.h"

/* The table of created ops, of which the rows are numbers. stacks: typed rows have theirs. */
void op_list_put(struct call *call, struct listed *listed, bool stacks);

#endif
