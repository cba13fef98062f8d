#ifndef DUMP_READER_H
#define DUMP_READER_H

#include "dump/base/counted.h"
#include "dump/files/recognise.h"
#include "dump/model/run.h"

/*
 * What reads one kind of dump. dump/readers.c has the table of them and asks each in turn; all
 * that a format has names for (directories, files, times in them) is known to its reader alone.
 */

struct listing;
struct origin_health;
struct stacks;

/* The first and last time of some runs: -1, their names tell none. */
struct times {
	int64_t first_us, last_us;
};

/* What the name of a run's directory says. */
struct run_name {
	int64_t time_us;         /* -1: none */
	const char *suffix;      /* in the name, what follows the time */
	int64_t counter;         /* the suffix as a number; -1: it is none */
};

/* One of several runs whose files are mixed in one directory. */
struct run_part {
	const char *name;
	int64_t time_us;         /* its start */
};

/* One of several runs that are no directories: a step of arrays, a run in a summary. */
struct run_step {
	const char *name;        /* as their paths have it: "step_10" */
	int64_t step;            /* -1: none */
};

/* What lies in a directory, by names; all in mem. */
struct place {
	const char *path; /* the directory; that of a run, if it was one of its parts */
	bool is_run;                     /* it holds the files of a run itself */
	bool has_roots; /* it is neither run nor root, a directory in it is a root */
	bool cut;                        /* it has more directories than are looked into */
	VEC(const char *) runs;          /* directories in it that are runs, as they are sorted */
	VEC(struct run_part) parts;      /* of the run, if it is several, by time */
	/* What lies in one file, or the same of arrays: a run each, in order; or the one. */
	VEC(struct run_step) steps;
	bool is_root;                    /* it is one, though there is a single run */
	bool of_arrays;
	VEC(const char *) workers;       /* who told of them, sorted; of most dumps none */
	const char *lacks;               /* what is missing of it: "shards 1, 3 of 8"; NULL */
	VEC(struct problem) problems;    /* that belong to no single run */
	struct counted *kept;               /* what the reader keeps for all runs; NULL: nothing */
};

void place_release(struct place *place);

struct reader {
	const char *name;        /* "tfdbg v1 dump" */
	/* What a path must hold, for the message when nothing is found; NULL: it is a file. */
	const char *looks_for;

	/*
	 * How many runs do these names of a directory show? 0: it is none of its dumps. Their times
	 * go to *times.
	 */
	size_t (*count)(const struct listing *list, struct times *times);

	/*
	 * What this directory is; *out is empty on entry. False: it can't be read, or it is one of
	 * its dumps that can't.
	 */
	bool (*look)(const char *path, struct arena *mem, struct place *out, struct err *err);

	/*
	 * The same, where all that was found below is of this reader: it may be one dump. NULL: it
	 * never is.
	 */
	bool (*look_below)(const char *path, struct arena *mem, struct place *out, struct err *err);

	/*
	 * The dump that a file belongs to, in mem; *below is the file's name below it, NULL if it
	 * is no tensor's place. NULL: to none, or with *err: it can't be read.
	 */
	const char *(*around)(const char *file, enum file_kind kind, struct arena *mem,
	                      const char **below, struct err *err);

	/* Is a directory of this name a run of the root it is in? NULL: there are no roots. */
	bool (*run_name)(const char *name, struct run_name *out);
	int (*run_order)(const char *a, const char *b);          /* of two names */

	/*
	 * Fills devices, tensors (in the order of the directory walk, number unset), nodes,
	 * debug_ops, fetches, feeds, metadata. False after a cancel or if the directory can't be
	 * read.
	 */
	bool (*load)(struct run *run, struct progress *progress, struct err *err);

	/*
	 * Opens the graphs of a run whose names came from the cache (dump/model/run_cache.h), by
	 * graph_file of its devices. NULL: its runs are not kept there.
	 */
	bool (*open_graphs)(struct run *run, struct progress *progress, struct err *err);

	/*
	 * The text tensors are ordered by; it begins with time_us in decimal. NULL: by time_us
	 * alone, those without a time as they were found.
	 */
	const char *(*stamp)(const struct tensor *tensor);

	struct value *(*value)(const struct run *run, const struct tensor *tensor, struct err *err);
	/* Did the worker tell of the run of this name? NULL: there are no workers. */
	bool (*is_of_worker)(const struct counted *kept, const char *name, const char *worker);

	/*
	 * What a debug op counted of a tensor whose own value was not kept. NULL: values are.
	 */
	void (*told)(const struct tensor *tensor, struct origin_health *out);
	/* NULL: its tensors are no arrays of files. */
	void (*array_facts)(const struct tensor *tensor, struct array_facts *out);
	/*
	 * Where the program made what is dumped at `path`, of which `run` (it may be NULL) is
	 * loaded. NULL: it does not say, or *err: that can't be read. The member may be NULL.
	 */
	struct stacks *(*stacks)(const char *path, const struct run *run,
	                         struct progress *progress, struct err *err);
	void (*tensor_file)(const struct run *run, const struct tensor *tensor, struct str *out);
};

/* For readers. */

/* Records a problem. After the first thousand they are only counted. */
void run_problem(struct run *run, enum problem_kind kind, const char *file, uint64_t off,
                 const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* The same of one that is filled in; its texts are copied. */
void run_add_problem(struct run *run, const struct problem *problem);
/* The same for a file that can't be read, or only in part. */
void run_unread(struct run *run, enum problem_kind kind, const char *file, uint64_t off,
                const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/*
 * Notes a directory that can't be read. Dumps of nodes whose names begin with `nodes` may lie in
 * it. The note names the directory without the "/" at its end.
 */
void run_unread_dir(struct run *run, const char *dir, const char *nodes, const char *why);

/* A copy in run->mem. */
const char *run_text(struct run *run, const char *text);

#endif
