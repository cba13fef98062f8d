#ifndef CMDS_TFPROF_TRACE_H
#define CMDS_TFPROF_TRACE_H

#include "cmds/doc/data.h"
#include "dump/base/err.h"
#include "dump/base/writer.h"

/* Events of a Chrome trace as tfprof writes them: one line of JSON, keys sorted, no blanks. */
struct trace_writer {
	struct data data;
	struct writer *writer;
};

bool trace_open(struct trace_writer *trace, const char *path, struct err *err);
/* The file is there if keep is true; *size_bytes is its size. */
bool trace_close(struct trace_writer *trace, bool keep, uint64_t *size_bytes, struct err *err);

void trace_process(struct trace_writer *trace, int64_t pid, const char *name);
void trace_slice(struct trace_writer *trace, int64_t pid, int64_t tid, int64_t ts, int64_t dur,
                 const char *name, bool with_op);
/* One end of an arrow: 's' or 't'. */
void trace_flow(struct trace_writer *trace, char end, int64_t id, int64_t pid, int64_t tid,
                int64_t ts, const char *node);
/* Opens a counter's event. Put data_key and a value for each, by key; then trace_counter_end. */
void trace_counter(struct trace_writer *trace);
void trace_counter_end(struct trace_writer *trace, const char *name, int64_t pid, int64_t ts);

#endif
