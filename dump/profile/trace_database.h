#ifndef DUMP_TRACE_DATABASE_H
#define DUMP_TRACE_DATABASE_H

#include "dump/profile/trace_source.h"

/*
 * Databases of GPU profilers: what nsys exports, what nvprof -o writes (also for the Visual
 * Profiler), and rocpd of rocprofv3. Which it is the names of its tables say; the trace's source is
 * that of the tool from then on. The table's columns differ from version to version: what a table
 * lacks is not known.
 */
extern const struct trace_source database_source;

#endif
