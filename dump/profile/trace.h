#ifndef DUMP_TRACE_H
#define DUMP_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/profile/activity.h"
#include "dump/profile/busy.h"
#include "dump/profile/time_parts.h"

/*
 * A trace of another program than TensorFlow: PyTorch, JAX, a profiler of GPUs. It knows kernels,
 * copies and host ops, but neither the executor's records nor tensors, so it is no struct step; its
 * records are activities from the start. One file may hold several steps, and records outside all
 * of them. What reads a kind of trace is a trace_source (dump/profile/trace_source.h).
 */

/*
 * What the file calls the op of a record: nothing, the activity's node, its op (a type), or told,
 * where the node is only a part of what is told.
 */
enum trace_op { TRACE_OP_NONE, TRACE_OP_NODE, TRACE_OP_TYPE, TRACE_OP_TOLD };
#define TRACE_OUTSIDE (UINT32_C(0xfffffff))      /* no step has it */
#define TRACE_NO_ID INT64_MAX
/* What an activity has no room for; trace->records.at[activity->record]. 24 bytes. */
struct trace_record {
	int64_t correlation, external;   /* trace_put_id writes them; TRACE_NO_ID: none */
	union {
		uint32_t thread;         /* where it ran, if it is of the host */
		uint32_t told;           /* all.names.key[], if it is not */
	};
	uint32_t step : 28;              /* trace->steps.at[step], or TRACE_OUTSIDE */
	uint32_t untimed : 1;            /* the file doesn't say when it started */
	uint32_t has_bytes : 1;
	uint32_t op : 2;                 /* enum trace_op: what the file calls its op */
};

/* What a record stands for, where a file has all times that a node ran in a step together. */
struct trace_sum {
	uint64_t calls;
	int64_t min_ns, max_ns;          /* of a call; -1: not said */
};

/* A stream as the file has it; its number is that of all.streams, where the process may be too. */
struct trace_stream {
	const char *text;
	const char *process;             /* NULL: there is only one, or none is said */
};

/* What a file says of all runs of a kernel or copy together, where it says nothing of each. */
struct trace_total {
	enum activity_kind kind;
	uint32_t kernel, raw;            /* all.names.key[] */
	int64_t calls, total_ns, mean_ns;
	int64_t min_ns, max_ns;          /* -1: not said */
};

/* Intervals of one step are as in the file: end_ns is outside. */
struct trace_step {
	int64_t number;
	const char *label;
	int64_t start_ns, end_ns;        /* over all its intervals */
	size_t n;                        /* how many records it has */
	const char *file;                /* that it is all of; NULL: it is marked in one */
	int64_t sync_ns;                 /* of waits, if trace->steps_apart */
	const struct breakdown *parts;   /* of a summary: where its time went; NULL: not kept */
	/* Of a summary. */
	bool unread;                     /* its file could not be read whole */
	bool no_span;                    /* its length is not known, and end_ns is made up */
};

/* Of one device or allocator, from records of allocations. */
struct trace_memory {
	const char *device;              /* "CPU", "CUDA:0", "GPU_0_bfc" */
	int64_t peak_bytes, peak_at_ns;
	uint64_t n_allocated;
};

/* Memory was taken or given back. */
#define TRACE_UNSAID INT64_MIN
struct trace_memory_event {
	int64_t at_ns;
	int64_t bytes;                   /* negative: given back */
	int64_t address, allocated, reserved;    /* after that; TRACE_UNSAID: not recorded */
	double fragmentation;            /* 1 - largest free / free; negative: not recorded */
	uint32_t device;                 /* trace->memory.at[] */
	uint32_t thread;
	uint32_t op, dtype, shape;       /* all.names; MAP_NONE: not recorded */
};

struct trace_frame {
	uint32_t name;                   /* all.names: "train.py(12): step", "nn.Module: Net_0" */
	uint32_t above;                  /* trace->frames; MAP_NONE: none */
};

/* What a device can do in a second; 0: not recorded. */
struct trace_peak {
	double flops, bytes;
};

/*
 * What only some traces tell of their records, by record. A list is empty if the trace tells
 * nothing of the kind, and may end before the last record.
 */
struct trace_more {
	VEC(uint32_t) shape;             /* all.names: of the inputs, "[[2,3],[3]]"; or MAP_NONE */
	VEC(uint32_t) frame;             /* trace->frames: the innermost around it; or MAP_NONE */
	VEC(double) flops, bytes;        /* float operations; bytes read and written; or -1 */
	VEC(int64_t) memory;             /* of ops: bytes taken less given back, in it alone */
	VEC(int64_t) device_ns;          /* of ops: of what was launched in it and in ops within */
	VEC(struct trace_sum) sums;
	/*
	 * How many of its stream were launched and had not begun when it was launched, itself
	 * among them; 0: not known.
	 */
	VEC(uint32_t) queue;
};

struct trace {
	const struct trace_source *source;
	struct activities all;           /* of the whole trace */
	const char **devices;            /* as the file has all.devices.key[]; NULL: of the host */
	VEC(struct trace_stream) streams;
	VEC(struct trace_record) records;
	VEC(struct trace_total) totals;  /* by kernel; only where there are no records */
	VEC(struct trace_step) steps;    /* by start; none: the trace is one */
	VEC(struct trace_memory) memory;
	VEC(struct trace_memory_event) memory_events;    /* by time */
	struct trace_more more;
	VEC(struct trace_frame) frames;  /* of Python; each way from the outermost is there once */
	VEC(struct trace_peak) peaks;    /* by device; may end before the last */
	struct busy host_time[N_TIME_PARTS];     /* of the program, besides the records; by part */
	uint64_t n_events;               /* elements that were read */
	uint64_t n_left_out;             /* times that can't be used, ends without a beginning */
	uint64_t n_unclosed;             /* beginnings without end */
	bool untimed;                    /* no record has a start: they follow each other */
	int64_t span_ns;                 /* of a summary without steps: of all; 0: not known */
	const struct breakdown *parts;   /* the same; NULL: not kept */
	/* Of a summary: who told of it, sorted. Of several devices say whose: "worker/3/GPU:0". */
	VEC(const char *) workers;
	bool steps_apart;                /* each was recorded by itself, as TensorFlow's are */
	int64_t begin_ns;                /* of the first record that is possible; 0: none */
	bool has_base;
	int64_t base_ns;                 /* what all times count from, since 1970 */
	VEC(const char *) warnings;
	VEC(const char *) damage;        /* those of them about what could not be read */
	struct arena mem;
	/* For sources: whose file is read, if there are several; NULL: the only one. */
	const char *host;
	const char *worker;              /* as in struct trace_file */
	uint32_t n_threads;              /* private: numbers given to threads */
	struct trace_making *making;     /* private: while it is read */
};

/*
 * NULL with *err if it can't be read, is no trace, or after a cancel. *so_far, if not NULL, points
 * to the trace while it is read: the progress tick may look at all.at and all.names then.
 */
struct trace *trace_load(const char *path, const struct trace_source *source,
                         const struct trace **so_far, struct progress *progress, struct err *err);
/*
 * The same of several files of one kind, what one machine or process recorded each: they are one
 * trace. Where none of them marks steps, those with a number are steps.
 */
struct trace_file {
	const char *path;
	const char *name;                /* in warnings */
	const char *host;                /* the machine, in the names of its devices; NULL: none */
	int64_t step;                    /* -1: it is none */
	const char *worker;              /* of a summary: only what this one told; NULL: all */
};
struct trace *trace_load_hosts(const struct trace_file *files, size_t n,
                               const struct trace_source *source, const struct trace **so_far,
                               struct progress *progress, struct err *err);
void trace_free(struct trace *trace);    /* NULL: nothing */

/* What belongs to a step, or to the whole trace; good as long as the trace. */
#define TRACE_WHOLE UINT32_MAX
void trace_activities(const struct trace *trace, uint32_t step, struct activities *out);

/* A device of a step or a trace as its file names it; NULL: the trace's host. */
static inline const char *device_in_file(const struct activities *acts, uint32_t device)
{
	return acts->trace ? acts->trace->devices[device] : acts->devices.key[device];
}

/*
 * Is it known where an activity lies among the others? Not in a file in which only some records
 * have a start. trace may be NULL.
 */
static inline bool trace_has_place(const struct trace *trace, const struct activity *activity)
{
	return !trace || trace->untimed || !trace->records.at[activity->record].untimed;
}

/* NULL: the record stands for itself. trace may be NULL. */
static inline const struct trace_sum *trace_sum_of(const struct trace *trace, uint32_t record)
{
	return trace && record < trace->more.sums.len ? &trace->more.sums.at[record] : NULL;
}
static inline bool trace_has_only_totals(const struct trace *trace)
{
	return trace->totals.len || trace->more.sums.len;
}

/* The innermost frame around a record; MAP_NONE: none is recorded. */
static inline uint32_t trace_frame_around(const struct trace *trace, uint32_t record)
{
	return trace && record < trace->more.frame.len ? trace->more.frame.at[record] : MAP_NONE;
}

/* "17", or the text that the file has there. */
void trace_put_id(const struct trace *trace, int64_t id, struct str *out);

#endif
