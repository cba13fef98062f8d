#ifndef DUMP_RUN_NAMES_H
#define DUMP_RUN_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/vec.h"
#include "dump/model/run.h"

/*
 * What a run fetched and was fed, as names ("loss:0", "train"). They come from the text Python's
 * repr() gave of the fetches and feeds. Where that shows objects without their tensors (sparse
 * tensors, slices), and where a dump holds no such text, they come from its core metadata.
 */
struct names {
	VEC(const char *) list;
};

struct run_names {
	struct names fetches, feeds;
	/* as Session.run() was given them: an object that is several tensors is one */
	size_t n_fetches, n_feeds;
	struct names inputs;             /* every tensor that was fed, by the core metadata */
	bool known;              /* the dump says something of them */
	/* the fetch was a tensor, operation or variable alone, in no list, dictionary or tuple */
	bool single;
	bool callable; /* a runner of Session.make_callable(): only the core metadata has names */
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

/* The tensors in one name of a list, several if it is the text of an object. False: none. */
bool run_names_inside(const char *text, struct arena *mem, struct names *out);

#endif
