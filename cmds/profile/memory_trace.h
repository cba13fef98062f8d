#ifndef CMDS_MEMORY_TRACE_H
#define CMDS_MEMORY_TRACE_H

#include "cmds/session/session.h"

/* The answer of `memory` for a trace: the peak of each device, if the trace tells allocations. */
void memory_put_trace(struct call *call);

#endif
