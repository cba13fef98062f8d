#ifndef CMDS_READ_HEALTH_H
#define CMDS_READ_HEALTH_H

#include "cmds/session/session.h"
#include "dump/model/graph_store.h"
#include "dump/model/origin_finder.h"

/*
 * Is shown each of several runs of a search while it is open, so that it need not be opened again:
 * in order, one at a time, on any thread, with the lock of the search held; it must not call into
 * the search. run NULL: the session has the run open anyway, or it can't be read.
 */
struct run_viewer {
	void (*see)(void *owner, struct run_entry *entry, const struct run *run,
	            struct progress *progress);
	void *owner;
};

/*
 * Reads the tensors of all runs of a session, on several threads, and gives their counts to a
 * finder of origins, run after run. If that is interrupted it can be gone on with.
 */
struct health_search {
	struct origin_finder *finder;
	struct graph_store *graphs;
	size_t n_given;                  /* runs that the finder has, the first ones */
	bool spoiled;                    /* it has part of a run: it can't go on */
	const char *worker;              /* only what this one told; NULL: all there is */
	const struct run_viewer *viewer; /* borrowed, during read_health only; NULL: nobody sees */
	uint64_t unreadable;             /* tensors whose file can't be read */
	uint64_t unjudged;               /* tensors of debug ops that say nothing of NaN and Inf */
	VEC(const char *) broken;        /* runs that can't be read, and why; in mem */
	VEC(const char *) faults;        /* of runs that lack something, what; in mem */
	bool lacks_tensors;              /* some may be where nothing could be read */
	VEC(uint32_t) unjudged_runs;     /* positions, from 1, of runs with any of these */
	struct arena mem;
};

/* single: there is but one run. The worker's name is borrowed. */
struct health_search *health_search_new(bool single, const char *worker);
void health_search_free(void *search);           /* NULL: nothing */
/* False with *err, ERR_CANCELLED after a cancel. */
bool read_health(struct shell *shell, struct health_search *search, struct progress *progress,
                 struct err *err);

/*
 * The run of an entry, loaded as far as depth says, or what a worker told of it. NULL with *err.
 */
struct run *open_run_for(struct runs *runs, const struct run_entry *entry, const char *worker,
                         struct graph_store *graphs, enum run_depth depth,
                         struct progress *progress, struct err *err);

#endif
