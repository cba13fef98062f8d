#ifndef DUMP_RUN_NAMES_H
#define DUMP_RUN_NAMES_H

#include <stdbool.h>

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
	bool callable;           /* a runner of Session.make_callable(): no names are recorded */
};

/* Names in mem; run_names_release gives the lists back. */
void run_names_read(const struct run *run, struct arena *mem, struct run_names *out);
void run_names_release(struct run_names *names);

#endif
