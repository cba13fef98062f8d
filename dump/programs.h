#ifndef DUMP_PROGRAMS_H
#define DUMP_PROGRAMS_H

#include "dump/model/program.h"

/*
 * The recorded programs (dump/model/program.h) that lie in one place: a program that was run again
 * into the same directory left several. Which formats there are is known here alone.
 */
struct programs;
struct listing;           /* dump/files/walk.h */

#define PROGRAMS_KIND "tfdbg v2 dump"
#define PROGRAMS_SIGNS "tfdbg_events.*.metadata"         /* what shows that there is one */

/* Do the names of a directory show one? */
bool programs_are_in(const struct listing *list);

/*
 * What lies in a directory, or around one file of it. NULL with ERR_MISSING: nothing; with ERR_IO:
 * it can't be read. What is damaged is opened all the same.
 */
struct programs *programs_open(const char *path, struct err *err);
void programs_close(struct programs *programs);

/* What is missing of all of them: "shards 1, 3 of 8"; before one is loaded. */
void programs_set_lacks(struct programs *programs, const char *lacks);
const char *programs_lacks(const struct programs *programs);     /* NULL: nothing */

/* What whoever kept their records found damaged in the files: is copied; the i-th, or NULL. */
struct problem;           /* dump/model/run.h */
void programs_note_problem(struct programs *programs, const struct problem *problem);
const struct problem *programs_problem(const struct programs *programs, size_t i);

const char *programs_path(const struct programs *programs);      /* the directory */
size_t programs_len(const struct programs *programs);            /* at least 1; numbered from 0 */
size_t programs_chosen(const struct programs *programs);         /* the newest, or the file's */

/*
 * One of them, without reading its records; texts live as long as programs. Without metadata its
 * start is the time of its earliest record, known once it was loaded or counted.
 */
struct program_head {
	const char *run_id;              /* NULL: not recorded, like the next */
	const char *tensorflow_version;
	bool has_start;
	int64_t start_us;                /* since 1970 */
	size_t n_sets;
};
struct program_head programs_head(const struct programs *programs, size_t i);
/* The host of a set of it, as the name of its files says. */
const char *programs_host(const struct programs *programs, size_t i, size_t set);

/* Reads it, once: it stays until programs_close. NULL with ERR_CANCELLED. */
struct program *programs_load(struct programs *programs, size_t i, struct progress *progress,
                              struct err *err);
/*
 * The one that programs_load is reading, for its progress->tick alone: of the steps that are there
 * so far the time, the op and its kind are known, the rest is not. NULL: none.
 */
const struct program *programs_so_far(const struct programs *programs);
/*
 * How many executions and traces it has; if it was not loaded, its records are counted. False with
 * ERR_CANCELLED. What can't be read is left out: fault is then the first file that it is of, and
 * the next call counts again.
 */
struct programs_counts {
	uint64_t executions, traces;
	struct err fault;
};
bool programs_count(struct programs *programs, size_t i, struct programs_counts *counts,
                    struct progress *progress, struct err *err);

/*
 * Which sets belong together, and which is the newest, is known from their metadata. The i-th of
 * those whose metadata could not be read when they were looked for; NULL: there are fewer.
 */
const struct err *programs_fault(const struct programs *programs, size_t i);

/*
 * Runs and sets that came since, looked at while these are in use; NULL: none, or *err. They are
 * then taken: how many runs came. Those that were there keep their numbers, new ones follow. A set
 * without metadata is no run yet. To leave them, programs_drop_seen, which takes NULL too.
 */
struct programs_seen *programs_look_beside(const struct programs *programs, struct err *err);
size_t programs_take(struct programs *programs, struct programs_seen *seen);
void programs_drop_seen(struct programs_seen *seen);

#endif
