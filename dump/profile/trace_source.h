#ifndef DUMP_TRACE_SOURCE_H
#define DUMP_TRACE_SOURCE_H

#include "dump/base/text.h"
#include "dump/format/file.h"
#include "dump/profile/trace.h"

/*
 * Reads one kind of trace into the model of dump/profile/trace.h. Nothing else knows its bytes:
 * another kind is another file with one of these, and a row of the table in
 * dump/profile/profile_find.c.
 */
struct trace_source {
	const char *name;                /* "chrome" */
	const char *what;                /* "a Chrome trace" */
	/* By the calls below; sets the counts itself. False with *err: it is none, or a cancel. */
	bool (*load)(struct trace *trace, struct file *file, struct progress *progress,
	             struct err *err);
	bool counts_events;              /* elements of the file, of which records are some */
	bool of_several_runs;            /* so no time is impossible for being far from the rest */
};

struct launch {
	int64_t start_ns, len_ns, bytes;
	uint32_t thread;
	/* Private. */
	uint32_t op;                     /* the innermost op around it: its place in all.at */
	uint32_t first;                  /* the first record by start: its place in all.at */
};

/* For sources. Names may be known by their numbers in trace->all.names. */

/* The number of "". */
#define TRACE_NO_NAME 0

/* As the file has it: bytes that are no UTF-8 are replaced. */
uint32_t trace_name(struct trace *trace, const char *text, size_t len);
/* The number of a device or stream: "0" is shown as "GPU:0", "" as "GPU" or "?". */
uint32_t trace_device(struct trace *trace, const char *text, size_t len);
uint32_t trace_host_device(struct trace *trace, const char *text, size_t len);
uint32_t trace_stream(struct trace *trace, const char *text, size_t len);
/* Of a process, if the file may have several: then streams are shown as "PROCESS:STREAM". */
uint32_t trace_stream_of(struct trace *trace, struct text process, struct text stream);
/* A number, or any text; the same id if the texts are equal. */
int64_t trace_id(struct trace *trace, const char *text, size_t len);

/*
 * A record: its kind, times, device, stream, raw name, bytes and launch; of the host also its node
 * and op. Of a kernel or copy the node may be what stands for its op if nothing else tells, else
 * MAP_NONE. TRACE_UNDECIDED as its kind: trace_decide will say. Returns its number.
 */
enum { TRACE_UNDECIDED = 3 };
uint32_t trace_add(struct trace *trace, const struct activity *activity,
                   const struct trace_record *record);
/* A barrier: no table has it. */
void trace_add_wait(struct trace *trace, const struct activity *activity,
                    const struct trace_record *record);
/* The record is an op to which kernels with this id or launched within it belong. */
void trace_add_op(struct trace *trace, uint32_t record);
/*
 * A call on the host that launched what has this correlation; the first of several counts. Its
 * times, thread and bytes are set; bytes -1: not said.
 */
void trace_add_launch(struct trace *trace, int64_t correlation, const struct launch *launch);
/* A thread of the program was busy with this besides the records; impossible times are skipped. */
void trace_add_host_time(struct trace *trace, enum time_part part, int64_t start_ns,
                         int64_t len_ns);
/* A function of Python, or a module, that ran in a thread of the host. */
void trace_add_frame(struct trace *trace, uint32_t thread, int64_t start_ns, int64_t len_ns,
                     uint32_t name);
void trace_add_step(struct trace *trace, int64_t number, int64_t start_ns, int64_t len_ns);
/* All but the device of the event is set; if its op is not, it is that around it in its thread. */
void trace_add_memory(struct trace *trace, const char *device,
                      const struct trace_memory_event *event);
#define TRACE_MEMORY_UNSAID { \
	.address = TRACE_UNSAID, .allocated = TRACE_UNSAID, .reserved = TRACE_UNSAID, \
	.fragmentation = -1, .thread = MAP_NONE, .op = MAP_NONE, .dtype = MAP_NONE, \
	.shape = MAP_NONE }
/* More about a record; names as in trace->all.names. */
void trace_set_shape(struct trace *trace, uint32_t record, uint32_t shape);
/* The record stands for all calls of a node in its step. */
void trace_set_sum(struct trace *trace, uint32_t record, const struct trace_sum *sum);
void trace_set_work(struct trace *trace, uint32_t record, double flops, double bytes);
void trace_set_peak(struct trace *trace, uint32_t device, double flops, double bytes);
/* Its kernel and raw name are those of the name. False: no sum of times can be so large. */
bool trace_add_total(struct trace *trace, const char *name, size_t len,
                     const struct trace_total *total);
/* Why a file could not be read to its end, if so. */
void trace_warn_cut(struct trace *trace, const struct err *why);
/* Warns that the last line of a text does not end with a newline. off: bytes read. */
void trace_warn_no_end(struct trace *trace, uint64_t off);
void trace_warn(struct trace *trace, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A warning about what could not be read: the trace is damaged. */
void trace_warn_damage(struct trace *trace, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Each undecided activity once, before the trace is finished; it stays undecided: it is none. */
void trace_decide(struct trace *trace, void (*decide)(void *context, struct activity *activity),
                  void *context);

/*
 * Times, ns. False: the sum of a start and a length does not fit, which no record may be.
 */
static inline bool trace_end(int64_t start_ns, int64_t len_ns, int64_t *end_ns)
{
	return !__builtin_add_overflow(start_ns, len_ns, end_ns);
}

#endif
