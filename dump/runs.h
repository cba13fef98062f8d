#ifndef DUMP_RUNS_H
#define DUMP_RUNS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/vec.h"
#include "dump/follow.h"
#include "dump/model/reader.h"
#include "dump/model/run_info.h"

/*
 * The runs of what was opened: those in a root (a directory of runs), else the one dump. The list
 * is made from names alone, which the reader can read. An entry never moves, so the list may grow
 * while entries are held. What is kept about a run is published once and then read by any thread.
 */
struct run_entry {
	struct runs *runs;       /* the list it is in */
	const char *name;        /* of the directory; "." for files that lie in the root itself */
	const char *path;
	size_t position;         /* from 1; changes when runs come in between */
	int64_t time_us;         /* in the name; -1: none */
	const char *suffix;      /* what follows it; NULL: another name */
	int64_t counter;         /* the suffix as a number; -1: it is none */
	uint32_t writer;         /* from 1; 0: not known */
	atomic_bool gone;        /* deleted since; what is known about it stays */
	int64_t from_us, to_us;  /* its part of a directory of several runs; to_us 0: all */
	int64_t step;            /* of arrays, the step they are of; -1: none, or all */
	_Atomic(struct run_info *) info[RUN_HEAD + 1];  /* by how much was read; NULL: not yet */
};

struct runs {
	const struct reader *reader;
	const char *path;        /* that of the root, or of the dump */
	bool is_root;            /* else the path itself is the dump */
	bool of_arrays;
	struct counted *kept;       /* what the reader keeps for all of them; NULL: nothing */
	VEC(const char *) workers;               /* who told of them, sorted; of most dumps none */
	const char *worker;      /* only what this one told is of interest; NULL: all */
	const char *lacks;       /* what is missing: "shards 1, 3 of 8"; NULL: nothing */
	VEC(struct run_entry *) list;            /* in order */
	VEC(struct problem) problems;            /* of the list; those of a run are the run's */
	VEC(struct run_part) mixed;              /* where several runs lie in one directory */
	bool has_parts;          /* it was split */
	VEC(struct run_info *) infos;            /* all there are, in no order */
	pthread_mutex_t lock;                    /* guards publishing */
	struct map names;                /* of the list, in order of arrival */
	bool clock_told;
	struct follow *follow;           /* what happens there; NULL: nobody looks */
	int64_t settle_ms;               /* so long nothing happens in a run that is quiet */
	struct arena mem;
};

/* Of what a reader found at a place (readers_look, dump/readers.h). Keeps nothing of the place. */
struct runs *runs_of(const struct reader *reader, const struct place *place);
void runs_close(struct runs *runs);

/*
 * From now on only what this worker told is there; before anything else knows the list. ERR_VALUE:
 * nobody of that name told of them.
 */
bool runs_narrow(struct runs *runs, const char *worker, struct err *err);
/* Did this worker tell of the run? */
bool run_entry_is_of(const struct run_entry *entry, const char *worker);

/* Is what is there a step of arrays, or several? More may come, each a run. */
bool runs_are_steps(const struct runs *runs);

/*
 * Reads the names in a root again; returns how many runs came. A deleted run stays in the list,
 * marked as gone. A dump that was the only step of arrays makes a root with the next one. Only
 * while no other thread reads the list.
 */
size_t runs_look_again(struct runs *runs);

/* The run of an entry, to be loaded. NULL with ERR_IO: the only one is not there any more. */
struct run *runs_open_run(struct runs *runs, const struct run_entry *entry, struct err *err);

/*
 * Is a directory one of the runs of a root, so that what lies above it is of the same program? Of
 * any other it may be anyone's.
 */
bool runs_is_in_root(const struct runs *runs, const char *path);
/* left_out_read of a dump, and of the root that its only run is in. runs may be NULL. */
void runs_left_out(const struct runs *runs, const char *path, void *owner,
                   void (*take)(void *owner, const struct problem *problem));

/*
 * Splits a directory in which several runs are mixed, by the times of their starts: a guess. The
 * parts take the place of the one entry, which stays valid. False if there is nothing to split, or
 * no longer (has_parts).
 */
bool runs_split(struct runs *runs);

struct run_entry *runs_at(const struct runs *runs, size_t position);     /* NULL: there is none */

/* The entry at this address. */
struct run_entry *runs_entry(const struct runs *runs, const void *entry);

/* What is known about a run, of at least this depth; NULL: nothing yet. Any thread. */
const struct run_info *run_entry_info(struct run_entry *entry, enum run_depth depth);
/* The same, reading what is not known. NULL after ERR_CANCELLED and ERR_IO. Any thread. */
const struct run_info *runs_info(struct runs *runs, struct run_entry *entry, enum run_depth depth,
                                 struct progress *progress, struct err *err);
/* Forgets what was read of a run that has changed. Whoever holds it may go on using it. */
void runs_forget(struct run_entry *entry);
/* Keeps what came from somewhere else, or frees it if the same is known already. */
const struct run_info *runs_keep_info(struct runs *runs, struct run_entry *entry,
                                      enum run_depth depth, struct run_info *info);

/*
 * The state of a run: the first that fits. DUMPING and QUIET only in a followed root that grows.
 *   X(id, name)
 */
#define RUN_STATUSES(X) \
	X(GONE, "gone")              /* deleted */ \
	X(EMPTY, "empty")            /* a directory without files */ \
	X(UNREADABLE, "unreadable")  /* no tensor of it could be listed, and there may be some */ \
	X(PARTIAL, "partial")        /* looks as if it had been cut short */ \
	X(COMPLETE, "complete")      /* a later run exists, or it has more than a start writes */ \
	X(STARTED, "started")        /* no core metadata yet */ \
	X(DUMPING, "dumping")        /* files arrive */ \
	X(QUIET, "quiet")            /* none has for a while */

enum run_status {
#define X(id, name) RUN_##id,
	RUN_STATUSES(X)
#undef X
	N_RUN_STATUSES
};
extern const char *const run_status_names[N_RUN_STATUSES];
/* In a followed root: how long until a run counts as quiet; 0: it does. */
int64_t runs_settles_ms(const struct runs *runs, const struct run_entry *entry,
                        const struct run_info *info);
enum run_status runs_status(const struct runs *runs, const struct run_entry *entry,
                            const struct run_info *info);

#endif
