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

/* "[cpu 0.5MB] a/b = MatMul(x, y:1)": op and inputs as timeline.py's greedy regex finds them. */
struct op_label {
	struct text op;
	struct text inputs;      /* "x, y:1"; at NULL: none */
};
bool label_op(const char *label, size_t len, struct op_label *out);

/* Takes the next input. False: none is left. */
bool label_input(struct text *inputs, struct text *input);

/* "KERNEL regs:32 shm:0 grid:1,1,1 block:64,1,1@@node:Op": what a GPU ran. */
struct gpu_label {
	struct text activity;    /* before the last "@@": kernel, or copy, with its figures */
	struct text kernel;      /* the activity, cut at its last " regs:" */
	struct text name;        /* the same, cut at " bytes:" too: "MemcpyH2D" */
	struct text launch;      /* "regs:32 shm:0 grid:1,1,1 block:64,1,1"; empty: not said */
};
void label_gpu(const char *label, size_t len, struct gpu_label *out);

/* The value of a key in a launch: "1,1,1" of "grid:"; at NULL: it says none. */
struct text launch_value(const char *launch, const char *key);

/*
 * Node and op of a kernel or copy as timeline.py has them, from the "@@node:Op#" of its label or
 * else its name; op "unknown".
 */
void label_kernel(const char *label, size_t len, const char *name, struct text *node,
                  struct text *op);
/* Node, op and inputs of any other record, likewise. */
void label_node(const char *label, size_t len, const char *name, struct text *node, struct text *op,
                struct text *inputs);

/*
 * The nodes that the name of a kernel's or copy's record may stand for, the likeliest first:
 * "edge_22_a/_1:MatMul" may be "edge_22_a/_1", "a/_1", "edge_22_a", "a". Returns their number.
 */
#define NODE_GUESSES 4
size_t node_guesses(struct text name, struct text guess[NODE_GUESSES]);

/* Bytes of a copy: "... bytes:256" or "[256B] ..."; 0 if it doesn't say. */
int64_t label_copy_bytes(struct text activity);

/*
 * Puts the direction of a copy, "H2D" and so on, into way (4 bytes). It is read from its activity
 * and from what follows ":" in its record's name; "D2D" if neither says.
 */
void label_copy_way(struct text activity, struct text op, char *way);

#endif
