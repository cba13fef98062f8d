#ifndef DUMP_ORIGINS_H
#define DUMP_ORIGINS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/vec.h"
#include "dump/model/origin_rules.h"

/*
 * Where NaN and Inf begin: the answer, of dumps of any format. Those who find it fill in rows, in
 * the order of time, and call origins_rank. An origin is a tensor with NaN or Inf of whose inputs
 * none had any.
 */

/*
 * Origins that do no harm. The first that holds counts; those that a user's list names come last.
 *   X(id, name)
 */
#define BENIGN_CLASSES(X) \
	X(NO, "") \
	X(FLOW, "flow")              /* the flow of a TensorArray: nobody computes with it */ \
	X(UNUSED, "unused")          /* nobody takes it */ \
	X(CONSTANT, "constant")      /* a constant, and what took it came out clean */ \
	X(MASK, "mask")              /* -Inf before a softmax */ \
	X(ABSORBED, "absorbed")      /* what took it came out clean */ \
	X(IGNORED, "ignored")        /* the user said so */

enum benign {
#define X(id, name) BENIGN_##id,
	BENIGN_CLASSES(X)
#undef X
	N_BENIGN_CLASSES
};
extern const char *const benign_names[N_BENIGN_CLASSES];

/* How far it gets, as bits; 0: what took it came out clean. In the order in which it is told. */
#define ORIGIN_REACHES(X) \
	X(FETCH, "fetch") \
	X(OUTPUT, "output")          /* v2: out of a function, or into what was not traced */ \
	X(UNDUMPED, "undumped")      /* into an operation or a device that was not dumped */ \
	X(VARIABLE, "variable") \
	X(UNREAD, "unreadable")      /* into an operation whose dump may be there, unreadable */

enum {
#define X(id, name) REACH_AT_##id,
	ORIGIN_REACHES(X)
#undef X
	N_REACHES,
#define X(id, name) REACH_##id = 1 << REACH_AT_##id,
	ORIGIN_REACHES(X)
#undef X
};
extern const char *const reach_names[N_REACHES];

/* What the row is about. */
enum origin_where { ORIGIN_OF_RUN, ORIGIN_OF_TRACE, ORIGIN_OF_EXECUTION };

/* A tensor elsewhere; node NULL: none. */
struct origin_tensor {
	const char *node;
	uint32_t slot, run, exec;        /* run from 1, exec from 0 */
	enum origin_where where;
	uint64_t record;                 /* of a program, as in a row */
	const char *link;                /* a command that shows it; NULL: pt NODE:SLOT */
};

/* On the way from an origin to what it reaches. */
struct walk_step {
	struct origin_tensor tensor;
	const char *op;
	struct bad_counts counts;        /* as in a row */
	int64_t execution;               /* of a program: the step; -1: none */
};

typedef VEC(const char *) origin_names;

/*
 * One origin. All texts live as long as the report; a NULL or an empty list is nothing to tell.
 * Runs count from 1; exec, call and execution from 0.
 */
struct origin_row {
	enum origin_where where;
	const char *node, *op;
	uint32_t slot;
	const char *device;              /* of a run */
	const char *worker;              /* who told of it; NULL: the dump tells of none */
	uint32_t run, exec;
	VEC(uint32_t) runs;              /* of a run: all in which it was an origin */
	const char *graph;               /* of a trace: the name of its graph */
	int64_t execution, call;         /* of a program: the step; which of that function; -1 */
	const char *step_text;           /* "step #12 (batch 4)", of a step of a program; or NULL */
	const struct program_batch *batch;       /* of that step; NULL: not known */
	uint64_t record;                 /* of a program: the number of the record */
	const char *link;                /* a command that shows it; NULL: pt NODE:SLOT */
	const char *beside;              /* what commands about other nodes end in; or NULL */
	struct bad_counts counts;        /* all 0: it is only known to be bad */
	uint64_t times;                  /* how often it was an origin, this one counted */
	enum origin_reason reason;
	enum benign benign;
	unsigned reach;
	uint64_t spread;                 /* bad tensors that come of it, not those of its own */
	bool exact;                      /* else one of `gap` may be it */
	origin_names gap;                /* operations that were not dumped, sorted; of an
	                                  * execution, in words what is missing */
	origin_names suspects;           /* of them: those whose input proves the reason */
	origin_names unread;             /* of gap and writers: may be dumped, but unreadable */
	origin_names writers;            /* of a variable: who may have written it */
	uint32_t between[2];             /* written between these runs; 0: no */
	bool before_dump;                /* it was bad before the first run */
	bool before_window;              /* it began before what the dump still holds */
	const char *fed;                 /* what the user fed: "x:0" */
	origin_names absorbed_by;        /* if reach is 0 */
	struct origin_tensor first_nan;  /* if it has no NaN itself */
	VEC(struct origin_tensor) also;  /* rows that were folded into this one */
	/* The shortest way from it to what it reaches, both included. */
	VEC(struct walk_step) walk;
	const char *unordered;           /* why it can't be said what came first */
	size_t id;                       /* the finder's own */
};

/* Largest finite magnitudes, run by run from the first on, of a tensor that grew and grew. */
struct origin_growth {
	const char *tensor;              /* "net/w:0" */
	double *max;
	size_t n;
};

/* A dump of a run that is more than bad: where it begins, or one of those that do no harm. */
struct origin_mark {
	const char *node, *device;
	uint32_t slot, run, exec;
	bool harmless;
};

struct origins_report {
	atomic_uint users;
	bool of_program;                 /* a recorded program: no runs */
	const char *dump;                /* the last part of its path */
	origin_names runs;               /* names of the run directories */
	VEC(int64_t) steps;              /* of runs of arrays the program's own; -1: not known */
	uint64_t tensors, bad_tensors;
	uint32_t first_bad_run;          /* 0: none */
	VEC(uint64_t) bad_by_run;        /* bad tensors of each run; of a program none */
	VEC(uint32_t) unjudged_runs;     /* positions of runs not all of which could be judged */
	VEC(struct origin_mark) marks;
	int64_t first_bad_execution;     /* -1: none */
	const char *first_step_text;     /* of it, like step_text; or NULL */
	const struct program_batch *first_batch; /* of it, like batch */
	bool has_batches;                /* the recorder says which batches its steps are */
	bool many_devices;               /* rows say on which they are */
	bool of_workers;                 /* of several: rows say of which */
	VEC(struct origin_row) rows;     /* ranked: those that are not benign first */
	size_t n_origins;                /* so many of them */
	VEC(struct origin_growth) growth;        /* sorted by name */
	uint64_t n_ignored;
	const char *ignored_by;          /* the file that says so */
	const char *refused;             /* why it can't be judged; then nothing else counts */
	bool unjudged;                   /* tensors or runs could not be judged */
	origin_names warnings;           /* what it does not cover, lines */
	struct arena mem;
};

/* Once it is filled in it changes no more; any thread may let go of it. */
struct origins_report *origins_report_new(void);
struct origins_report *origins_report_keep(struct origins_report *report);
void origins_report_free(void *report);          /* NULL: nothing. Once for each new and keep */

void origin_row_release(struct origin_row *row);

/* A new row, unfilled but for execution and call. Rows move when one is added. */
struct origin_row *origins_add(struct origins_report *report);
/* The row is one with that one: `also` of host; reach, spread and times stay the caller's. */
void origins_fold(struct origins_report *report, struct origin_row *host, struct origin_row *row);

/*
 * Calls a row that the user's list names ignored, unless it does no harm anyway. Then sorts: those
 * that do harm first; of them those that get out; by run; else as they are.
 */
typedef bool origin_is_ignored(void *context, const char *node);
void origins_rank(struct origins_report *report, origin_is_ignored *is_ignored, void *context);

/* All rows are what this worker told. */
void origins_name_worker(struct origins_report *report, const char *worker);
/* The program's own number of a run, which counts from 1; -1: not known. */
int64_t origins_step_of(const struct origins_report *report, uint32_t run);
/* Adds the report of another worker, which is freed, and ranks all rows again. */
void origins_join(struct origins_report *report, struct origins_report *other);

/* "NODE:SLOT" */
struct str;
void origin_put_name(struct str *out, const char *node, uint32_t slot);
/* Sorted by bytes, each once. */
void origin_names_sort(origin_names *names);

#endif
