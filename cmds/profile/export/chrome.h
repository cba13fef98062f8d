#ifndef CMDS_CHROME_H
#define CMDS_CHROME_H

#include <stdbool.h>
#include <stdio.h>

#include "dump/base/progress.h"
#include "dump/profile/step.h"

/*
 * A step as a Chrome trace. Classic: byte for byte what TensorFlow's timeline writes. Modern: each
 * activity once, real streams as threads, sorted by time, in ns after the first event; tensors only
 * as arrows and counters.
 * Source: tensorflow/python/client/timeline.py; Perfetto's reader of JSON traces for what the
 * modern style avoids.
 */
enum op_time { OP_TIME_SCHEDULE, OP_TIME_GPU, OP_TIME_ALL };

struct chrome_style {
	enum op_time op_time;    /* GPU ops: as recorded, with their kernels, or both */
	bool memory;             /* tensors, and counters of the allocators */
	bool no_flow;            /* no arrows from producer to consumer */
	bool compact;            /* no blanks and newlines */
	bool modern;
};

/*
 * False with *err: a cancel, or the step's file can't be read; false without *err: out can't be
 * written. *damage describes the first record that is written only in part.
 */
bool chrome_write(const struct step *step, const struct chrome_style *style, FILE *out,
                  struct progress *progress, struct err *damage, struct err *err);
bool chrome_write_modern(const struct step *step, const struct chrome_style *style, FILE *out,
                         struct progress *progress, struct err *damage, struct err *err);

#endif
