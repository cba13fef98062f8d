#ifndef DUMP_TRACE_KINDS_H
#define DUMP_TRACE_KINDS_H

#include <stdbool.h>

#include "dump/base/text.h"
#include "dump/model/device.h"

/* What the categories and processes of a Chrome trace stand for, whoever wrote it. */

/* By category. */
enum trace_class {
	CLASS_OTHER,             /* the process decides */
	CLASS_KERNEL, CLASS_COPY, CLASS_HOST, CLASS_NODE,
	CLASS_OP,                /* host too; kernels belong to it */
	CLASS_LAUNCH, CLASS_STEP, CLASS_FRAME,
	CLASS_NONE,              /* never a record */
};

/* By the name of a process. */
enum trace_place {
	PLACE_UNKNOWN, PLACE_OTHER, PLACE_KERNELS, PLACE_COPIES, PLACE_GPU, PLACE_HOST,
	PLACE_TIMELINE
};

/* Of a category as the file has it, "cpu_op" or "a,kernel"; letter case does not count. */
enum trace_class trace_class_of(const struct text *category);
enum trace_place trace_place_of(const struct text *process_name);

/*
 * A process of TensorFlow's own timeline (its classic form, and that of `timeline -o`): a device,
 * or a part of one, as RunMetadata has them. False: another process.
 */
struct timeline_process {
	enum lane_kind kind;
	char device[32];                 /* "GPU:0" */
	char number[16];                 /* "0" */
	char stream[16];                 /* "14"; "": that of each thread, if it has one */
	char copies[16];                 /* "MemcpyH2D": what the stream copies; "": not said */
};
bool timeline_process_of(const struct text *process_name, struct timeline_process *out);

bool text_begins(const struct text *text, const char *with);

#endif
