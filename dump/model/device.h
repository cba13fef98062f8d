#ifndef DUMP_DEVICE_H
#define DUMP_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/str.h"
#include "dump/base/text.h"

/*
 * What the name of a device says, and of what a trace has beside ops: the streams, copies and waits
 * of a device, "/job:a/replica:0/task:1/device:GPU:0/stream:14<MemcpyH2D>". Letter case counts in
 * the task only.
 */
struct device_name {
	struct text task;        /* "/job:a/replica:0/task:1"; at NULL: there is no slash at all */
	struct text name;        /* "GPU:0", without "device:" */
	struct text type, number;        /* "GPU", "0"; empty without a number */
	struct text part;        /* "stream:14<MemcpyH2D>", "memcpy", "sync"; empty: all of it */
	struct text stream;      /* "14"; empty: it says none */
};
struct device_name device_parse(const char *text, size_t len);

/* "/job:a/device:CPU:0", "/job:a/cpu:0" and "/cpu:0": one device. No task fits all. */
bool device_is_same(const char *a, const char *b);
bool device_is_gpu(const char *text);    /* or of a GPU, or XLA's: it says so anywhere */

/* "GPU:0", if no other of the devices ends so; else the device. */
void put_short_device(struct str *out, const char *device, const char *const *devices, size_t n);

/* What a device string of a trace stands for. */
#define LANE_KINDS(X) \
	X(HOST)              /* "/host:CPU": the same ops once more, left out of totals */ \
	X(OP_CPU)            /* executor records of a CPU */ \
	X(OP_ACC)            /* executor records of a GPU: what the host needed to dispatch */ \
	X(GPU_ALL)           /* every kernel of a GPU */ \
	X(GPU_STREAM)        /* what one stream ran */ \
	X(GPU_STREAM_COPY)   /* copies of one stream and type */ \
	X(GPU_COPY_ALL)      /* every copy of a GPU */ \
	X(GPU_OTHER)         /* overhead */ \
	X(GPU_SYNC)          /* waits of the host */ \
	X(OTHER)             /* executor records of any other device */

enum lane_kind {
#define X(id) LANE_##id,
	LANE_KINDS(X)
#undef X
	N_LANE_KINDS
};

enum lane_kind lane_kind_of(const char *device);

static inline bool lane_is_executor(enum lane_kind kind)
{
	return kind == LANE_OP_CPU || kind == LANE_OP_ACC || kind == LANE_OTHER;
}

/* Does it hold what a GPU ran, of whatever stream? */
static inline bool lane_is_of_gpu(enum lane_kind kind)
{
	return kind >= LANE_GPU_ALL && kind <= LANE_GPU_OTHER;
}

#endif
