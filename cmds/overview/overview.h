#ifndef CMDS_OVERVIEW_H
#define CMDS_OVERVIEW_H

#include "cmds/doc/call.h"
#include "cmds/overview/findings.h"
#include "cmds/profile/kernel_table.h"

/*
 * What `overview` says of whatever is open, part by part; each is read by itself, and may have
 * nothing to say. Start with {0}. Texts live as long as the document.
 */

/* What it is. A number is -1 where it is not recorded, or has no meaning here. */
struct overview_head {
	bool v1, v2, profile, graph, arrays;     /* what is open: one or more of them */
	const char *writer, *version;    /* NULL: not recorded */
	const char *mode;                /* of a recorded program: what it recorded of tensors */
	int64_t span_us;                 /* from the first to the last time */
	int64_t runs, steps, tensors, nodes, devices, hosts, bytes, graphs, graph_nodes;
};

/* What is known without reading a run. */
void overview_start_head(const struct shell *shell, struct overview_head *out);
/* Reads the names and sizes of all runs. False: call->err says why. */
bool overview_count_runs(struct call *call, struct overview_head *out);

/* What an operation or a kernel cost; share is of all of its kind, in percent. */
struct overview_cost {
	const char *name;
	int64_t self_ns;
	double share;
};
enum { OVERVIEW_TOP = 3 };

/* Where the time of the current step went. */
struct overview_time {
	const char *step;                /* its label; NULL: there is no step */
	bool whole;                      /* it is all of a trace without steps */
	const char *device;              /* whose time it is: the busiest GPU, else the host's */
	int64_t span_ns, busy_ns;        /* of that device; span 0: not recorded */
	struct overview_cost op[OVERVIEW_TOP], kernel[OVERVIEW_TOP];
	size_t n_ops, n_kernels;
	struct device_gap gap[OVERVIEW_TOP];     /* the longest first */
	size_t n_gaps;
	const char *verdict;             /* a sentence; NULL: nothing stands out */
};

/* What an allocator held at its peak. */
struct overview_memory {
	const char *allocator;
	int64_t peak_bytes, at_us;       /* after the step's start */
	const char *top[OVERVIEW_TOP];   /* the largest tensors then */
	size_t n_top;
};
typedef VEC(struct overview_memory) overview_memories;

/* What is wrong with the dump, counted. */
struct overview_dump {
	uint64_t damaged, missing, partial;      /* findings; tensors; runs cut short */
	uint64_t left_out;               /* entries of recorders */
	char *problem[OVERVIEW_TOP];     /* the gravest */
	size_t n_problems;
};

/* Whoever has looked at all of it notes what there is; the session keeps that until it changes. */
void overview_note_dump(struct shell *shell, const struct findings *findings);
/* NULL: nobody has looked. Good until the next note. */
const struct overview_dump *overview_known_dump(const struct shell *shell);

/* False: call->err says why. Without a profile nothing is put. */
bool overview_read_time(struct call *call, struct overview_time *out);
bool overview_read_memory(struct call *call, overview_memories *out);

#endif
