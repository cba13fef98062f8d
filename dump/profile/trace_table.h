#ifndef DUMP_TRACE_TABLE_H
#define DUMP_TRACE_TABLE_H

#include "dump/profile/trace_source.h"

/*
 * Tables of kernels that nvprof, nsys and rocprof print, as CSV or as text: one or several in a
 * file, among whatever a program prints. Which tool's they are the first heading says; the trace's
 * source is that of the tool from then on. Files with totals only have trace->totals and no
 * records.
 */
extern const struct trace_source table_source;

#endif
