#ifndef DUMP_TRACE_PARTS_H
#define DUMP_TRACE_PARTS_H

#include "dump/profile/id_map.h"
#include "dump/profile/trace_source.h"

/* What trace.c and trace_link.c share while a trace is read; nobody else includes it. */

struct interval {
	int64_t start_ns, end_ns;
	uint32_t step;
};

/* Ids count within one file; its threads are those from the first on. */
struct file_ids {
	uint32_t first_thread;
	struct id_map by_correlation, by_external;       /* launches; places of ops in all.at */
};

struct file_step {
	int64_t number, start_ns, end_ns;
	const char *file;
};

struct slice_of_frame {
	int64_t start_ns, end_ns;
	uint32_t thread, name;
};

struct trace_making {
	VEC(struct launch) launches;
	VEC(struct file_ids) files;      /* one at least */
	VEC(struct file_step) file_steps;
	size_t n_decided;                /* of all.at: what earlier files have */
	VEC(uint32_t) ops;               /* records */
	VEC(struct interval) intervals;  /* of steps, in file order */
	struct id_map step_of;           /* by number */
	VEC(struct slice_of_frame) frames;
	bool frames_cut;                 /* there were too many */
	size_t n_undecided;
	struct map processes;
	int64_t total_ns, total_calls;   /* of all totals */
	VEC(uint32_t) full;              /* by name: a kernel's full name, + 1; 0: not yet asked */
	struct str scratch;
};

static inline struct file_ids *file_of_thread(const struct trace_making *m, uint32_t thread)
{
	size_t i = m->files.len - 1;

	while (i && m->files.at[i].first_thread > thread)
		i--;
	return &m->files.at[i];
}

/* Sums of an op, which stay within 64 bits (trace_more.c). */
void trace_add_op_memory(struct trace *trace, uint32_t record, int64_t bytes);
void trace_add_device_time(struct trace *trace, uint32_t record, int64_t len_ns);
void trace_set_frame(struct trace *trace, uint32_t record, uint32_t frame);
/* trace->frames, and the frames of host records, given as places in all.at by thread and start. */
void trace_find_frames(struct trace *trace, const uint32_t *host, size_t n);
/* trace->more.queue, from when records were launched (trace_more.c). */
void trace_find_queues(struct trace *trace);

/* Host ops within others, ops and launches of kernels, steps; in this order. False: a cancel. */
bool trace_link(struct trace *trace, struct progress *progress, struct err *err);

#endif
