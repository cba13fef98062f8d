#ifndef DUMP_PROGRAM_ORIGINS_PARTS_H
#define DUMP_PROGRAM_ORIGINS_PARTS_H

#include "dump/model/program_origins.h"
#include "dump/model/program_parts.h"

/*
 * Inside of the search for origins in a program.
 *
 * Calls are numbered like steps; one more, the last, is "no call": traces of no known call. Traces
 * are sorted by call, then time, and are then named by their position there. Bad tensors have
 * numbers in the same order; those of a call's outputs come after those of its traces, by row. The
 * outputs of a step share what they were made of: if one is bad because of something, all that are
 * bad are.
 */

struct bad_tensor {
	uint32_t at;             /* position of the trace; PROGRAM_NONE: an output of the step */
	uint32_t call;
	uint32_t row;            /* of an output */
	uint32_t origin;         /* in hunt->found; PROGRAM_NONE: it has it from another */
};

/* A bad tensor, and one that has it from there. */
struct inheritance {
	uint32_t from, to;
};

/* What went into a tensor. */
struct feeds {
	VEC(uint32_t) bad;               /* numbers of bad tensors, at most one of an input */
	VEC(struct program_tensor) in;   /* what is known of each input; step NONE: nothing */
	VEC(uint32_t) gap;               /* nodes that were not traced, and may be guilty */
	VEC(uint32_t) unmade;            /* inputs of an op step that no step made */
	bool has_no_traces;              /* it is of a call without traces */
	bool had_traces;                 /* of whose graph there are some elsewhere */
	bool is_read;                    /* of a variable: it was written unseen */
	bool is_seen_clean;              /* of a variable: it was clean before */
	bool is_of_unknown_op;           /* the creation of its op is not recorded */
};
void feeds_reset(struct feeds *feeds);
void feeds_release(struct feeds *feeds);
/* All but the bad ones. */
void feeds_copy(struct feeds *to, const struct feeds *from);

/* How far an origin got, and what kept it there. */
struct spread {
	uint64_t n;              /* bad tensors that grew from it */
	bool gets_out;
	bool is_taken;           /* by any op */
	bool has_mask;           /* of the ops that absorb it one is Softmax or Exp */
	VEC(uint32_t) absorbers; /* nodes, each once */
	/* If there are any, the bad tensors that have NaN, +Inf; may_: or don't say. */
	bool may_have_nan, may_have_pos_inf;
	uint32_t first_nan;      /* of those, a bad tensor; or PROGRAM_NONE */
	/* If it gets out: bad tensors on the shortest way to where it does, both included. */
	VEC(uint32_t) walk;
};

/* An origin: tensors that a node, or steps of one op, made bad out of clean ones. */
struct found {
	uint32_t first;          /* bad tensor: the first by time */
	uint32_t times;
	struct feeds feeds;      /* of the first */
	struct spread spread;
	enum benign benign;
	uint32_t host;           /* in hunt->found: it is one with that; or PROGRAM_NONE */
};

/* What is known of the latest bad traces of the call at hand. */
struct latest_bad {
	uint32_t call;
	uint32_t next;           /* the bad tensor that is not in it yet */
	uint32_t bad, other;     /* the latest, and that of another graph than its; or NONE */
	VEC(uint32_t) graphs;    /* those with one */
	uint32_t *of_graph;      /* the latest of each of these; + 1 */
};

struct hunt {
	const struct program *program;
	struct progress *progress;
	struct program_reads reads;
	uint64_t n_unread;               /* records that could not be read again, */
	struct err first_unread;         /* and why the first could not */
	uint32_t *traces, *call_first;   /* sorted by call; where each begins */
	uint32_t *by_key, *key_first;    /* positions of each key, rising */
	uint32_t *node_key, *next_key;   /* keys of a node: the first, the next after each; + 1 */
	bool *graph_is_traced;
	VEC(struct bad_tensor) bad;
	uint32_t *bad_at;                /* by position: number of the bad tensor + 1 */
	uint32_t *bad_first;             /* by call */
	uint32_t *call_graph;            /* by call, once asked for; + 2 */
	struct latest_bad latest;
	VEC(struct inheritance) inherited;
	VEC(struct found) found;
	uint32_t *found_of_node;         /* number + 1 */
	struct map found_of_op;          /* of steps: graph and op */
	VEC(uint32_t) found_at;          /* by found_of_op */
	struct arena mem;
	/* Scratch. */
	uint32_t *seen_node, stamp;
	VEC(struct program_input) todo;
	struct variable_use *uses;       /* by first place of an id among join->taken */
};

/* ---- in program_origins.c */

/* A record that was read before can't be now, and an answer lacks what it says. */
void hunt_note_unread(struct hunt *h, const struct err *err);
/* Counts at i + 1 become positions. */
void hunt_add_up(uint32_t *first, size_t n);
uint32_t hunt_no_call(const struct hunt *h);
struct program_tensor hunt_tensor(const struct hunt *h, uint32_t bad);
uint32_t hunt_node_at(const struct hunt *h, uint32_t at);
const char *hunt_op_type(const struct hunt *h, uint32_t node);   /* "": not recorded */
/* The number of this tensor among the bad ones; PROGRAM_NONE: it is not bad. */
uint32_t hunt_bad_output(const struct hunt *h, const struct program_tensor *output);
/* The health, if the tensor may have NaN and Inf at all. False: nothing is known of it. */
bool hunt_health(struct hunt *h, const struct program_tensor *tensor, struct health *health);
/* The positions of a key in [low, high): by_key[*from .. *to). */
void hunt_key_between(const struct hunt *h, uint32_t key, uint32_t low, uint32_t high,
                      uint32_t *from, uint32_t *to);
/* The Placeholder of a node is which one in its graph? False: it is none. */
bool hunt_holder(const struct hunt *h, uint32_t node, uint32_t *i, size_t *n);

/* Below 0: a is earlier. */
int hunt_order(const struct hunt *h, uint32_t a, uint32_t b);

/* ---- in program_origins_feeds.c */

/* What went into a bad tensor. Bad tensors are asked for in order. */
void hunt_feeds(struct hunt *h, uint32_t bad, struct feeds *feeds);
/*
 * A variable was read: *from_before, was it bad in an earlier step? Then nothing else is told.
 */
void hunt_variable(struct hunt *h, uint32_t bad, struct feeds *feeds, bool *from_before);

/* ---- in program_origins_reach.c */

struct spreading;
struct spreading *spreading_new(struct hunt *h);
void spreading_free(struct spreading *s);
/* Fills in its spread. False after a cancel. */
bool spreading_of(struct spreading *s, uint32_t found);
void spread_release(struct spread *spread);

/* ---- in program_origins_rows.c */

/* Writes all that was found. False after a cancel: ERR_CANCELLED. */
bool hunt_write(struct hunt *h, struct origins_report *report, struct err *err);

#endif
