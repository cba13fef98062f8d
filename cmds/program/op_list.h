#ifndef CMDS_PROGRAM_OP_LIST_H
#define CMDS_PROGRAM_OP_LIST_H

#include "cmds/program/listed.h"

/* Puts the table of created ops; rows are their numbers. stacks: typed rows have stacks. */
void op_list_put(struct call *call, struct listed *listed, bool stacks);

#endif
