#ifndef CMDS_SERIES_H
#define CMDS_SERIES_H

#include "cmds/session/session.h"
#include "dump/base/map.h"

/*
 * How large tensors are, run by run: the largest |x| of the finite elements of all dumps of a
 * tensor in a run, of complex numbers the modulus. A tensor is a node's slot on a device. Where
 * there is one run alone, it is instead execution by execution; of a recorded program, call by call
 * of the function that computed it.
 */
enum series_by { SERIES_BY_RUN, SERIES_BY_EXECUTION, SERIES_BY_CALL };

struct size_at {
	double size;             /* NAN: nothing finite was recorded */
	bool bad;                /* there is NaN or Inf */
};

struct series {
	const char *tensor;      /* "hidden/weights:0" */
	const char *op;          /* NULL: not known */
	const char *device;      /* NULL: not recorded */
	const char *worker;      /* NULL: the dump tells of none */
	struct size_at *at;      /* n of them */
	size_t n;
	const uint32_t *steps;   /* by call: the step of each; else NULL */
};

struct series_list {
	enum series_by by;
	VEC(struct series) list; /* in the order of their first dumps */
	size_t n_runs;           /* that were read; of a program its calls of functions */
	uint64_t n_unread;       /* tensors that could not be read, */
	struct err first_unread; /* and why the first could not */
	struct arena mem;
	struct map names;        /* private */
};

void series_release(struct series_list *list);

/*
 * Reads all tensors of all runs, each once a session. False with ERR_CANCELLED ("stopped after 3 of
 * 7 runs"), and the list is of what was read by then; or with the error of a run that can't be
 * loaded.
 */
bool series_of_runs(struct series_list *list, struct shell *shell, struct progress *progress,
                    struct err *err);
/* Reads the tensors of a run that is open, for a series of all runs later. False with *err. */
bool series_read_run(struct shell *shell, struct run_entry *entry, const struct run *run,
                     struct progress *progress, struct err *err);
/* ERR_MISSING: no values were recorded. */
bool series_of_program(struct series_list *list, const struct program *program,
                       struct progress *progress, struct err *err);

#endif
