#ifndef CMDS_MEMORY_EVENTS_H
#define CMDS_MEMORY_EVENTS_H

#include "cmds/profile/memory_peaks.h"
#include "cmds/session/session.h"

/*
 * memory --events: every time memory was taken or given back, of one device or allocator or of
 * all (NULL). Of a step the tensors' lifetimes stand for them; the peaks stay as long as the
 * answer.
 */
void memory_put_trace_events(struct call *call, const char *device);
void memory_put_step_events(struct call *call, const struct memory_peaks *peaks,
                            const char *allocator);

#endif
