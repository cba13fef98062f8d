#ifndef CMDS_SUMMARIZE_H
#define CMDS_SUMMARIZE_H

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"

/* Problems of the files that are read: a line each, once. The caller releases both members. */
struct problem_lines {
	struct map lines;
	struct arena mem;
};

/* The summary of a dump (dump/summary/summary.h), or shard k of n of it. */
struct summarize {
	const char *path, *worker;       /* worker NULL: as the dump says, or the path */
	const char *out;                 /* the file; "-": standard output */
	uint32_t k, n;                   /* from 1; 1 of 1: all of it */
	struct problem_lines *problems;  /* to be filled; NULL: not wanted */
};

/* A line of what was written. */
struct summarized {
	uint64_t rows, values, bytes;
	uint64_t unread;                 /* values that could not be read */
	bool of_profile;                 /* there is no dump, only a profile */
};

/*
 * Reads each value once, on several threads, and writes the file. Nothing in the path is written:
 * a file there is refused. False with *err, and the file is as it was; what can't be read of the
 * dump is no error but a row that says so.
 */
bool summarize(const struct summarize *what, struct summarized *done, struct progress *progress,
               struct err *err);

#endif
