#ifndef CMDS_MEMORY_TRACE_H
#define CMDS_MEMORY_TRACE_H

#include "cmds/session/session.h"

/*
 * The answer of `memory` for a trace, if it tells allocations: the peak of each device; or each of
 * them, of one device or of all (NULL).
 */
void memory_put_trace(struct call *call, const char *device, bool events);

#endif
