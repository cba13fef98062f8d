#ifndef CMDS_TRACEBACK_H
#define CMDS_TRACEBACK_H

#include "cmds/doc/call.h"
#include "dump/model/stacks.h"

/* The section of `ni -t`: where the program made the node, outermost frame first; or why that is not known. */
void traceback_put(struct call *call, const char *node);

/* The same typed: a list of file, line, function, text, or null. stacks may be NULL. */
void traceback_put_data(const struct stacks *stacks, const char *node, struct data *data);

#endif
