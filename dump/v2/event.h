#ifndef DUMP_V2_EVENT_H
#define DUMP_V2_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/vec.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"

/*
 * The messages of tfdbg v2, read field by field from a range of a file: numbers as such, texts and
 * tensors as ranges, which are not read yet. An absent field is 0 or an empty range. If a field
 * comes again, the last one counts; unknown fields, and those of another wire type, are skipped.
 * Lists may be packed or not; elements after the first EVENT_LIST_MAX are skipped.
 * Errors  ERR_FORMAT: not such a message. err must not be NULL, nor have an error on entry.
 * Source  tensorflow/core/protobuf/debug_event.proto, graph_debug_info.proto.
 */
#define EVENT_LIST_MAX 65536

enum event_what {
	EVENT_NOTHING = 0, EVENT_METADATA = 3, EVENT_SOURCE = 4, EVENT_FRAME = 6, EVENT_OP = 7,
	EVENT_GRAPH = 8, EVENT_EXECUTION = 9, EVENT_TRACE = 10, EVENT_DEVICE = 12,
};

struct event {
	double time;             /* seconds since 1970 */
	enum event_what what;    /* NOTHING: no kind that is known */
	struct span body;        /* the message of that kind */
};
bool event_read(struct file *file, struct span span, struct event *event, struct err *err);

typedef VEC(struct span) event_spans;
typedef VEC(int64_t) event_numbers;

struct event_metadata {
	struct span tensorflow_version, file_version, run_id;
};
struct event_source {
	struct span path, host;
	uint32_t n_lines;
};
struct event_frame {
	struct span id, function;
	int32_t file_index, line;
};
struct event_graph {
	struct span id, name, outer;
};
struct event_device {
	struct span name;
	int32_t id;
};
struct event_op {
	struct span type, name, graph, location;
	int32_t n_outputs;
	event_spans inputs;
	event_numbers ids;
};
struct event_execution {
	struct span op, graph, location;
	int32_t n_outputs;
	int64_t mode;
	event_numbers inputs, outputs, devices;
	event_spans tensors;
};
struct event_trace {
	struct span graph, op, device, tensor;
	int32_t slot;
	int64_t mode;
};
struct event_location {
	struct span host;
	event_spans frames;
};

/* Lists in *out keep their memory for reuse: start with {0}, vec_release them at the end. */
bool event_metadata(struct file *file, struct span span, struct event_metadata *out,
                    struct err *err);
bool event_source(struct file *file, struct span span, struct event_source *out, struct err *err);
bool event_frame(struct file *file, struct span span, struct event_frame *out, struct err *err);
bool event_graph(struct file *file, struct span span, struct event_graph *out, struct err *err);
bool event_device(struct file *file, struct span span, struct event_device *out, struct err *err);
bool event_op(struct file *file, struct span span, struct event_op *out, struct err *err);
bool event_execution(struct file *file, struct span span, struct event_execution *out,
                     struct err *err);
bool event_trace(struct file *file, struct span span, struct event_trace *out, struct err *err);
bool event_location(struct file *file, struct span span, struct event_location *out,
                    struct err *err);

/* The next line of a source; wire starts over the source's body. False: the end, or *err. */
bool event_next_line(struct wire *wire, struct span *line, struct err *err);

/*
 * The summary of a tensor, a list of *n doubles in a TensorProto, into out[0..max). *n is 0 if it
 * is no such list, or a longer one.
 */
bool event_summary(struct file *file, struct span span, double *out, size_t max, size_t *n,
                   struct err *err);

#endif
