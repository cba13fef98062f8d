#ifndef CMDS_PROGRAM_CHOOSE_H
#define CMDS_PROGRAM_CHOOSE_H

#include "cmds/session/program.h"

/* Finds the step, graph, node or tensor of the open program that typed words mean. */

#define STEP_OPT { OPT_INT, NULL, "step", "another step than the current one, by its number" }
#define GRAPH_OPT { OPT_WORD, "g", "graph", \
	"the graph: its id, 8 characters or more of it, or its name" }
#define FILTER_OPT { OPT_WORD, "f", "tensor_filter", \
	"keep what passes this filter: has_inf_or_nan, has_nan, has_inf, has_zero, has_negative, " \
	"dtype:D, rank:N, \"size>N\", or one that \"filter add\" made" }
#define HOST_OPT { OPT_WORD, NULL, "host", "only what this host wrote" }
#define ON_DEVICE_OPT { OPT_WORD, "D", "device", \
	"only what is on this device, or on one whose name has this part" }

/* The step of --step, else the current one. False: the answer says why there is none. */
bool choose_step(struct call *call, const struct opt_value *opt, uint32_t *step);

/* The only graph that a word names; PROGRAM_NONE if it is NULL. False: the answer says why. */
bool choose_graph(struct call *call, const char *word, uint32_t *graph);

/* Each once, sorted, in mem: the hosts of sets; the devices in records and traces. */
const char **program_hosts(const struct program *program, struct arena *mem, size_t *n);
const char **program_device_names(const struct program *program, struct arena *mem, size_t *n);

/* The host and device to look at, from --host and -D; NULL: any. */
struct whereabouts {
	const char *host, *device;
};
/* False: there is no such host or device, and the answer lists them. */
bool choose_whereabouts(struct call *call, const char *host, const char *device,
                        struct whereabouts *out);
bool tensor_is_there(const struct program *program, const struct whereabouts *there,
                     const struct program_tensor *tensor);
/* A step is there if one of its outputs is on the device. */
bool step_is_there(const struct program *program, const struct whereabouts *there, uint32_t step);

/*
 * The name of a step or of one of its outputs: "Mul#31:0", "Mul#31:?0", "Mul#31", "#31". False:
 * none of these; it may be the name of a node.
 */
struct step_name {
	uint32_t step;
	int64_t slot;            /* -1: none was typed */
	bool is_row;             /* slot is a row of unknown slot: ":?0" */
};
bool step_name_read(const struct program *program, const char *word, struct step_name *out);

/*
 * The node of "name" or "name:slot"; *slot -1: none was typed. Without a graph_word the graphs of
 * the step (PROGRAM_NONE: no step) are searched first, then all. False: the answer says why, and if
 * there are several, lists their graphs.
 */
bool choose_node(struct call *call, const char *word, const char *graph_word, uint32_t step,
                 uint32_t *node, int64_t *slot);

/*
 * Makes sure that all tensors were scanned for NaN and Inf: reads those whose records do not say
 * so. False: call->err is ERR_CANCELLED. On a screen it reads about 256 MiB, or until a cancel, and
 * returns true: then some may be left, which put_unscanned says.
 */
bool need_scan(struct call *call);
/* A warning, if tensors could not be read when they were scanned; need_scan gives it too. */
void warn_unread(struct call *call);
/* A line at the end of the answer, if tensors are left that need_scan did not read. */
void put_unscanned(struct call *call);

/*
 * Is everything recorded that was computed since the start? "cut" if there are calls without an
 * execution, or with fewer tensors than another call: a circular buffer dropped them, or they are
 * lost by damage. Else "complete"; NULL: not known.
 */
const char *program_window(const struct program *program);
/* Is some of it gone that came before what is here, and not only what the last calls became? */
bool program_lacks_beginning(const struct program *program);

/*
 * Puts "(mode SHAPE)" or "(modes NO_TENSOR, SHAPE)", and a note if the first records of the program
 * are missing.
 */
void put_modes(const struct program *program, struct str *out);

#endif
