#ifndef DUMP_TRACE_EVENT_H
#define DUMP_TRACE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/text.h"
#include "dump/format/json_pull.h"

/*
 * One event of a Chrome trace: what is used of it, as it stands in the file. Source: "Trace Event
 * Format" of the catapult project, and what PyTorch, JAX, TensorFlow, onnxruntime and rocprof put
 * into its args. Of equal keys the last counts; args are compared without regard to case.
 */
#define EVENT_KEYS(X) \
	X(PH, "ph") X(CAT, "cat") X(NAME, "name") X(PID, "pid") X(TID, "tid") X(TS, "ts") \
	X(DUR, "dur")

#define EVENT_ARGS(X) \
	X(DEVICE, "device") X(DEV_ID, "dev-id") X(STREAM, "stream") X(STREAM_ID, "stream-id") \
	X(CORRELATION, "correlation") X(EXTERNAL_ID, "external id") X(BYTES, "bytes") \
	X(SIZE, "size") X(GRID, "grid") X(BLOCK, "block") X(REGS, "registers per thread") \
	X(SMEM, "shared memory") X(PARENT_NAME, "parent_name") X(OP_NAME, "op_name") \
	X(TF_OP, "tf_op") X(HLO_OP, "hlo_op") X(BEGIN_NS, "beginns") X(END_NS, "endns") \
	X(MEMCPY, "memcpy_details") X(MEMSET, "memset_details") X(PROVIDER, "provider") \
	X(ARG_NAME, "name") X(ARG_OP, "op") X(ARG_KERNEL, "kernel") \
	X(TOTAL, "total allocated") X(DEVICE_TYPE, "device type") \
	X(DEVICE_ID, "device id") X(ADDRESS, "addr") X(RESERVED, "total reserved") \
	X(INPUT_DIMS, "input dims") X(OCCUPANCY, "est. achieved occupancy %")

enum trace_event_field {
#define X(id, key) EVENT_##id,
	EVENT_KEYS(X)
	EVENT_ARGS(X)
#undef X
	N_EVENT_FIELDS,
	EVENT_FIRST_ARG = EVENT_DEVICE
};

struct event_value {
	const char *at;
	uint32_t len;
	uint8_t kind;            /* enum pull_kind */
	bool coded;
};

struct trace_event {
	uint64_t has;            /* bits, by field */
	bool has_args;
	struct event_value field[N_EVENT_FIELDS];
	const char *begin;       /* all of it */
	uint32_t len;
};

/*
 * The insides of an object of which value is the head, kept by pull_keep: values point into what is
 * kept. False: it is broken off.
 */
bool trace_event_read(struct pull *pull, const struct pull_value *value, struct trace_event *event);

/* NULL: there is none, or a null. */
static inline const struct event_value *
trace_event_get(const struct trace_event *event, enum trace_event_field field)
{
	const struct event_value *value = &event->field[field];

	return event->has >> field & 1 && value->kind != PULL_NULL ? value : NULL;
}

/* The same of the first of two fields that is there. */
static inline const struct event_value *
trace_event_first(const struct trace_event *event, enum trace_event_field a,
                  enum trace_event_field b)
{
	return event->has >> a & 1 ? trace_event_get(event, a) : trace_event_get(event, b);
}

#endif
