#ifndef DUMP_TRACE_WORKER_H
#define DUMP_TRACE_WORKER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whose Chrome trace a file is, where several processes wrote theirs into one directory: by its
 * name ("rank3", "HOST_PID.TIME.pt.trace.json"), else by the rank that PyTorch notes in it.
 */
struct trace_worker {
	char name[64];                   /* "rank3", "HOST_PID"; "": not known */
	int64_t at_ns;                   /* when it was written, by its name; -1: not said */
	bool from_inside;                /* the name does not tell */
};

void trace_worker_of(const char *path, struct trace_worker *out);

/* Files of one worker are its steps, one after another. */
bool trace_worker_is_same(const struct trace_worker *a, const struct trace_worker *b);
/* Did two workers record at the same time, as far as the names tell? */
bool trace_workers_are_together(const struct trace_worker *a, const struct trace_worker *b);

#endif
