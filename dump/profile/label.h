#ifndef DUMP_LABEL_H
#define DUMP_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/text.h"

/*
 * What the labels of records say. Nothing is copied: parts point into the label.
 * Sources: step_stats_collector.cc and device_tracer.cc write them, timeline.py reads them.
 */

/* "[cpu 0.5MB] a/b = MatMul(x, y:1)": op and inputs as timeline.py's greedy expression finds them. */
struct op_label {
	struct text op;
	struct text inputs;      /* "x, y:1"; at NULL: none */
};
bool label_op(const char *label, size_t len, struct op_label *out);

/* Takes the next input off. False: none is left. */
bool label_input(struct text *inputs, struct text *input);

/* "KERNEL regs:32 shm:0 grid:1,1,1 block:64,1,1@@node:Op": what a GPU ran. */
struct gpu_label {
	struct text activity;    /* before the last "@@": kernel, or copy, with its figures */
	struct text kernel;      /* the activity, cut at its last " regs:" */
	struct text launch;      /* "regs:32 shm:0 grid:1,1,1 block:64,1,1"; empty: not said */
};
void label_gpu(const char *label, size_t len, struct gpu_label *out);

/* Bytes of a copy: "... bytes:256" or "[256B] ..."; 0 if it doesn't say. */
int64_t label_copy_bytes(struct text activity);

/*
 * Which way a copy went, "H2D" and so on, into way (4 bytes), from its activity and what follows the ":" in its
 * record's name; "D2D" if neither says.
 */
void label_copy_way(struct text activity, struct text op, char *way);

#endif
