#ifndef CMDS_READ_HEALTH_H
#define CMDS_READ_HEALTH_H

#include "cmds/session/session.h"
#include "dump/model/origin_finder.h"

/*
 * Reads the tensors of all runs of a session, on several threads, and gives their counts to a
 * finder of origins, run after run.
 */
struct health_reading {
	uint64_t unreadable;             /* tensors whose file can't be read */
	uint64_t unjudged;               /* tensors of debug ops that say nothing of NaN and Inf */
	VEC(const char *) broken;        /* runs that can't be read, and why; in mem */
	struct arena mem;
};

/* False with *err, ERR_CANCELLED after a cancel. Release *out even then. */
bool read_health(struct shell *shell, struct origin_finder *finder, struct graph_store *graphs,
                 struct progress *progress, struct health_reading *out, struct err *err);
void health_reading_release(struct health_reading *reading);

/* The run of an entry, loaded as far as depth says. NULL with *err. */
struct run *open_run_for(struct runs *runs, const struct run_entry *entry,
                         struct graph_store *graphs, enum run_depth depth,
                         struct progress *progress, struct err *err);

#endif
