#ifndef CMDS_STOPPED_H
#define CMDS_STOPPED_H

#include "cmds/doc/call.h"

/*
 * After ERR_CANCELLED in call->err: the answer says so, in a line before what was found by then,
 * and the command has failed. Else it does nothing.
 */
void call_put_stopped(struct call *call);

#endif
