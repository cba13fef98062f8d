#ifndef DUMP_PROFILE_CHROME_PARTS_H
#define DUMP_PROFILE_CHROME_PARTS_H

#include "dump/base/arena.h"
#include "dump/base/map.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/format/json_pull.h"
#include "dump/profile/trace_event.h"
#include "dump/profile/trace_kinds.h"
#include "dump/profile/trace_source.h"

/* Shared by trace_chrome.c and the files chrome_*.c, and private to them. */

struct waiting {                 /* a beginning */
	struct waiting *below;
	int64_t start_ns;
	uint32_t len;
	char text[];
};

struct thread {
	uint32_t process;
	bool is_stream;          /* named "Stream #..." */
	uint32_t stream;         /* named "stream 14": 14; else TRACE_NO_NAME */
	struct waiting *open;    /* the innermost */
};

struct chrome {
	struct trace *trace;
	struct pull pull;
	struct progress *progress;
	struct arena mem;
	struct map categories;
	VEC(uint8_t) class_of;   /* enum trace_class, by category */
	struct map processes;    /* by pid */
	VEC(uint8_t) place_of;   /* enum trace_place, by process */
	/* Of TensorFlow's timeline, by process; others are all zero. */
	VEC(struct timeline_process) timeline;
	struct map thread_names; /* "LENGTH-OF-PID:PIDTID" */
	VEC(struct thread) threads;
	uint32_t first_thread;   /* the number of threads.at[0] in the trace */
	uint64_t first_event;    /* how many there were before this file */
	bool has_base;
	int64_t base_ns;
	/* The thread of the event before, to be found without looking. */
	struct str last_key;
	uint32_t last_thread;
	VEC(uint32_t) undecided; /* by order: enum unsure bits */
	size_t n_decided;
	size_t n_open;
	struct str key, text, shape;
};

/* chrome_threads.c: what events name. */

/* A value with its escapes resolved, "" of none or a list; good until the next call. */
struct text chrome_text(const struct event_value *value, struct str *out);
/* A number in the trace's names. */
uint32_t chrome_name(struct chrome *c, const struct event_value *value);
/* false: there is no such number; *out is as before. */
bool chrome_ns(const struct event_value *value, int64_t *out);             /* microseconds, as ns */
bool chrome_whole(const struct event_value *value, int64_t *out);
int64_t chrome_id(struct chrome *c, const struct event_value *value);      /* TRACE_NO_ID: none */
bool chrome_is_text(const struct event_value *value, const char *text);

uint8_t chrome_category(struct chrome *c, const struct event_value *value); /* enum trace_class */
/* A number in c->threads. */
uint32_t chrome_thread(struct chrome *c, const struct trace_event *event);
/* "process_name" and "thread_name": who is called how. */
void chrome_take_metadata(struct chrome *c, const struct trace_event *event);

/* Devices of the trace; of several hosts "HOST/GPU:0" and "HOST/CPU". */
uint32_t chrome_host_device(struct chrome *c, const char *text, size_t len);
uint32_t chrome_gpu_device(struct chrome *c, const char *text, size_t len);

/* chrome_records.c: slices of PyTorch, JAX and others as records. */

/* The kind of a slice; -1: it is no record. */
int chrome_kind(struct chrome *c, const struct trace_event *event, uint8_t class, uint32_t thread);
void chrome_add_record(struct chrome *c, const struct trace_event *event, uint8_t class, int kind,
                       const struct activity *times, uint32_t thread);
/* For trace_decide, in the order in which undecided records were added. */
void chrome_decide_late(void *context, struct activity *a);

/* chrome_timeline.c: a slice of a process of TensorFlow's timeline. */
void chrome_add_timeline(struct chrome *c, const struct trace_event *event,
                         const struct activity *times, uint32_t thread);

#endif
