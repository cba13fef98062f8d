#ifndef CMDS_PROGRAM_OP_NODE_H
#define CMDS_PROGRAM_OP_NODE_H

#include "cmds/program/choose.h"

/* What ni, li and lo are about: ops of graphs, and steps. */

/* An op's node, or a step. */
struct subject {
	uint32_t step;           /* PROGRAM_NONE: it is a node */
	uint32_t node;
};
/*
 * word: "#31", "Mul#31" or a name in a graph, with or without a slot; the graphs of the step `near`
 * are searched first. False: the answer says why.
 */
bool choose_subject(struct call *call, const char *word, const char *graph_word, uint32_t near,
                    struct subject *subject);

#define SUBJECT_POS { "node_name", "an op of a graph, or a step: Mul#31 or #31", false }
/* Words that name it: the name, with the graph if several graphs have it; or "Mul#31". */
void subject_put_words(const struct program *program, const struct subject *subject,
                       struct str *out);

/* "Mul#31" */
void put_step_name(struct str *out, const struct program *program, uint32_t step);

/* The op type of a node; NULL: not recorded. */
const char *node_op(const struct program *program, uint32_t node);
/*
 * Why it may have no recorded tensor: "function input", "never dumped", or that its creation is not
 * recorded; NULL: no reason.
 */
const char *node_note(const struct program *program, uint32_t node);
void node_put_words(const struct program *program, uint32_t node, struct str *out);

/*
 * Does the op run graphs that were created inside its own? Calls, loops and branches do; which
 * graphs they run is not recorded.
 */
bool node_runs_graphs(const struct program *program, uint32_t node);

#endif
