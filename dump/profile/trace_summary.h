#ifndef DUMP_TRACE_SUMMARY_H
#define DUMP_TRACE_SUMMARY_H

#include "dump/profile/trace_source.h"

/*
 * The steps in a summary (dump/summary/summary.h), as a trace: what a node did in a step, all times
 * together, is a record, of which only the sum and the ends are known (struct trace_sum).
 */
extern const struct trace_source summary_source;

#endif
