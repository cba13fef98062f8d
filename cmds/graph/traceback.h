#ifndef CMDS_TRACEBACK_H
#define CMDS_TRACEBACK_H

#include "cmds/doc/call.h"
#include "dump/model/stacks.h"

/* The section of `ni -t`: the frames that made the node, outermost first, or why unknown. */
void traceback_put(struct call *call, const char *node);

/* The same as typed data: a list of file, line, function, text, or null. stacks may be NULL. */
void traceback_put_data(const struct stacks *stacks, const char *node, struct data *data);

#endif
