#ifndef CMDS_PROGRAM_CHOOSE_TENSOR_H
#define CMDS_PROGRAM_CHOOSE_TENSOR_H

#include "cmds/program/choose.h"

/* Finds the tensor of the open program that typed words mean. */

#define TRACE_OPT { OPT_INT, NULL, "trace", \
                    "the trace of this number, from 0, whichever step it belongs to" }
#define AT_STEP_OPT { OPT_INT, NULL, "at-step", \
                      "another step than the current one, by its number" }

#define TRACED_POSITIONAL \
	{ "tensor_name", \
	  "the tensor, node:slot or op#step:slot, and a slice: net/w:0[0, :]", true }

/*
 * What was typed: "NODE[:SLOT]" for a tensor of a graph, in the step that is meant;
 * "OP#STEP[:SLOT]" or "OP#STEP:?ENTRY" for an output of a step. Options may be NULL.
 */
struct tensor_words {
	const char *word;        /* "" or NULL: only --trace says which */
	const struct opt_value *number;  /* which of its dumps in the step, from 0 */
	const struct opt_value *device, *graph, *trace, *step;
};

/*
 * False: the answer says why, or lists the dumps to choose from. *several: only -n tells it from
 * other dumps.
 */
bool choose_tensor(struct call *call, const struct tensor_words *words, struct program_tensor *out,
                   bool *several);

/* Appends why a value was not stored, as a sentence. */
void put_not_stored(struct str *out, const struct program *program,
                    const struct program_tensor *tensor);

#endif
