#ifndef CMDS_TFPROF_MEMORY_H
#define CMDS_TFPROF_MEMORY_H

#include "cmds/profile/tfprof/tfprof_trace.h"
#include "dump/tfprof/tfprof.h"

/*
 * Memory of accelerators over a step, for a timeline: what the allocator reports as in use, and
 * which nodes held most of it, from the record of their allocations.
 */
struct tfprof_memory;

struct tfprof_memory *tfprof_memory_new(const struct tfprof *tfprof);
void tfprof_memory_free(struct tfprof_memory *memory);
/* Adds a node whose memory is shown. */
void tfprof_memory_node(struct tfprof_memory *memory, uint32_t node);
/* `order`: if two nodes report on one moment, the one shown later counts. */
void tfprof_memory_in_use(struct tfprof_memory *memory, uint32_t node, uint32_t order, int64_t us,
                          int64_t bytes);
void tfprof_memory_allocation(struct tfprof_memory *memory, uint32_t node, int64_t us,
                              int64_t bytes);

/* Two processes for each device, from pid on; then their events. said: the peaks. */
void tfprof_memory_processes(struct tfprof_memory *memory, struct trace_writer *trace, int64_t pid);
void tfprof_memory_counters(struct tfprof_memory *memory, struct trace_writer *trace, int64_t pid,
                            struct str *said);

#endif
