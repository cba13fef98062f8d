#ifndef CMDS_GATHER_H
#define CMDS_GATHER_H

#include "cmds/summary/summarize.h"
#include "cmds/summary/worker.h"
#include "dump/profile/profile.h"
#include "dump/runs.h"
#include "dump/summary/rows.h"
#include "dump/summary/store.h"

/* What the parts of summarize share. Nobody else includes it. */

enum { GRAPHS_HELD = 8 };

struct gather {
	const struct summarize *what;
	const char *worker, *base;       /* paths are told as they are below base */
	struct summary_store *store;
	struct summarized *done;
	struct progress *progress;
	/* The graphs that came last, each with its hash: runs of one program share them. */
	struct { struct graph *graph; char hash[17]; } held[GRAPHS_HELD];
	size_t n_held;
	struct str key, value;           /* scratch */
};

/* A row, of the calling thread alone; g->value holds its value. */
void gather_put(struct gather *g, const struct summary_key *key);
/* The row of a graph, once; its hash. NULL: it has none, or *err after a cancel. */
const char *gather_graph(struct gather *g, struct graph *graph, struct err *err);
void gather_release(struct gather *g);

/* A file in a directory, below the base; file may be "". */
void gather_put_path(const struct gather *g, const char *directory, const char *file,
                     struct str *out);
/* Something that is not as it should be; path: where its file lies. */
void gather_problem(struct gather *g, const char *run, const char *path,
                    const struct problem *problem);

/* All runs. False with *err, as the next ones. */
bool gather_runs(struct gather *g, struct runs *runs, struct err *err);

/* The recorded programs in a directory, and the names of their devices. */
bool gather_programs(struct gather *g, const char *path, struct err *err);
bool gather_program_devices(struct gather *g, const char *path, struct worker_names *names,
                            struct err *err);

/* The steps of a profile that is loaded; alone: and its graph, as there is no dump. */
bool gather_profile(struct gather *g, struct profile *profile, bool alone, struct err *err);
void gather_profile_devices(const struct profile *profile, struct worker_names *names);

#endif
