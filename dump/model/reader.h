#ifndef DUMP_READER_H
#define DUMP_READER_H

#include "dump/model/run.h"

/*
 * What reads one kind of dump. run.c asks each in turn; the first that takes the path fills the
 * run.
 */
struct run_reader {
	const char *name;        /* "tfdbg v1" */
	const char *looks_for;   /* what a path must hold, for the message when nothing is found */

	/*
	 * Is run->path (a directory) one of its dumps? It may put a better path there (the run in a
	 * directory of runs) and record problems. False with *err set: it is, but can't be read.
	 */
	bool (*probe)(struct run *run, struct err *err);

	/*
	 * Fills devices, tensors (in the order of the directory walk, number unset), nodes,
	 * debug_ops, fetches, feeds, metadata. False after a cancel or if the directory can't be
	 * read.
	 */
	bool (*load)(struct run *run, struct progress *progress, struct err *err);

	/*
	 * The text tensors are ordered by; it begins with time_us in decimal. NULL: by time_us
	 * alone.
	 */
	const char *(*stamp)(const struct tensor *tensor);

	struct value *(*value)(const struct run *run, const struct tensor *tensor, struct err *err);
	void (*tensor_file)(const struct run *run, const struct tensor *tensor, struct str *out);
};

extern const struct run_reader run_v1;

/* Records a problem. After the first thousand they are only counted. */
/* The same of a file that can't be read, or not all of it. */
void run_unread(struct run *run, const char *file, uint64_t off, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void run_problem(struct run *run, const char *file, uint64_t off, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A copy in run->mem. */
const char *run_text(struct run *run, const char *text);

#endif
