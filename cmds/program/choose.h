#ifndef CMDS_PROGRAM_CHOOSE_H
#define CMDS_PROGRAM_CHOOSE_H

#include "cmds/session/program.h"

/* From what was typed to a step, a graph, a node or a tensor of the program that is open. */

#define STEP_OPT { OPT_INT, NULL, "step", "another step than the current one, by its number" }
#define GRAPH_OPT { OPT_WORD, "g", "graph", \
	"the graph: its id, 8 characters or more of it, or its name" }
#define FILTER_OPT { OPT_WORD, "f", "tensor_filter", \
	"keep what passes this filter: has_inf_or_nan, has_nan, has_inf, has_zero, has_negative, " \
	"dtype:D, rank:N, \"size>N\", or one that \"filter add\" made" }
#define HOST_OPT { OPT_WORD, NULL, "host", "what this host wrote" }
#define ON_DEVICE_OPT { OPT_WORD, "D", "device", \
	"what is on this device, or on one whose name has this part" }
#define SKIP_OPT { OPT_INT, NULL, "skip", "leave out so many rows at the beginning" }
#define MAX_OPT { OPT_INT, NULL, "max", "no more rows than so many" }

/* The step of --step, else the current one. False: the answer says why there is none. */
bool choose_step(struct call *call, const struct opt_value *opt, uint32_t *step);

/* The only graph that a word names; PROGRAM_NONE if it is NULL. False: the answer says why. */
bool choose_graph(struct call *call, const char *word, uint32_t *graph);

/* Each once, sorted, in mem: hosts of the sets; devices of their records and of traces. */
const char **program_hosts(const struct program *program, struct arena *mem, size_t *n);
const char **program_device_names(const struct program *program, struct arena *mem, size_t *n);

/* Where to look: by --host and -D; NULL: everywhere. */
struct whereabouts {
	const char *host, *device;
};
/* False: the answer says that there is no such host or device, and which there are. */
bool choose_whereabouts(struct call *call, const char *host, const char *device,
                        struct whereabouts *out);
bool tensor_is_there(const struct program *program, const struct whereabouts *there,
                     const struct program_tensor *tensor);
/* Of a step one output on the device is enough. */
bool step_is_there(const struct program *program, const struct whereabouts *there, uint32_t step);

/*
 * "Mul#31:0", "Mul#31:?0", "Mul#31", "#31": the name of a step or of an output of it. False: it is
 * none of these; then it may be a node's name.
 */
struct step_name {
	uint32_t step;
	int64_t slot;            /* -1: none was typed */
	bool is_row;             /* slot is a row of unknown slot: ":?0" */
};
bool step_name_read(const struct program *program, const char *word, struct step_name *out);

/*
 * The node of "name" or "name:slot"; *slot -1: none was typed. Without a graph it is looked for
 * among the graphs of the step (PROGRAM_NONE: of none), then in all. False: the answer says why,
 * and lists them if there are several.
 */
bool choose_node(struct call *call, const char *word, const char *graph_word, uint32_t step,
                 uint32_t *node, int64_t *slot);

/* What --skip and --max leave of n rows: [*from, *to). */
void choose_rows(const struct opt_value *skip, const struct opt_value *max, uint64_t n,
                 uint64_t *from, uint64_t *to);
/* Keeps only those; returns how many are left. */
size_t keep_rows(const struct opt_value *skip, const struct opt_value *max, uint32_t *rows,
                 size_t n);

/*
 * Knows of each tensor whether it has NaN or Inf, where its record does not say so: values are read
 * for that. False: call->err is ERR_CANCELLED.
 */
bool need_scan(struct call *call);

/*
 * Is there all that was computed since the start? "cut": there are calls without an execution, or
 * with fewer tensors than another call had, as a circular buffer dropped them, or damage took them.
 * Else "complete"; NULL: nothing tells.
 */
const char *program_window(const struct program *program);

/*
 * "(mode SHAPE)", of several modes "(modes NO_TENSOR, SHAPE)"; with a word where what is first here
 * was not the first.
 */
void put_modes(const struct program *program, struct str *out);

#endif
