#ifndef DUMP_RUN_NAMES_H
#define DUMP_RUN_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/vec.h"
#include "dump/run.h"

/*
 * What a run fetched and was fed, as names ("loss:0", "train"). They come from the text Python's repr() gave of the
 * fetches and feeds, or, where a dump holds no such text, from its core metadata.
 */
struct names {
	VEC(const char *) list;
};

struct run_names {
	struct names fetches, feeds;
	bool known;              /* the dump says something of them */
	bool single;             /* the fetch was an element alone, in no list, dictionary or tuple */
	bool callable;           /* a runner of Session.make_callable(): no names are recorded */
};

/* A core metadata file. */
struct core_metadata {
	bool readable;           /* else the rest is as little as could be read */
	int64_t global_step;     /* -1: none */
	int64_t session_run_index, executor_step_index;
	struct names inputs, outputs, targets;
};

/* Names in mem; core_metadata_release gives the lists back. */
void core_metadata_read(const char *text, struct arena *mem, struct core_metadata *out);
void core_metadata_release(struct core_metadata *metadata);

/* Names in mem; run_names_release gives the lists back. */
void run_names_read(const struct run *run, struct arena *mem, struct run_names *out);
void run_names_release(struct run_names *names);

#endif
