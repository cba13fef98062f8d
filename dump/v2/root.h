#ifndef DUMP_V2_ROOT_H
#define DUMP_V2_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/text.h"
#include "dump/base/vec.h"
#include "dump/model/program.h"

/*
 * A directory that TensorFlow 2's debugger dumped to (tf.debugging.experimental.
 * enable_dump_debug_info). Each process that wrote there left a set of six files,
 *
 *     tfdbg_events.SECONDS.HOST.SUFFIX
 *
 * HOST may have dots, so names are split from the right. Sets with the same run id are one run of a
 * program; a set without an id, or without metadata, is a run by itself.
 */

/* The parts of a file's name. False: it is not the name of a file of a set. */
struct v2_name {
	struct text prefix;      /* everything before ".SUFFIX" */
	struct text host;
	enum program_file_kind kind;
};
bool v2_name(const char *name, struct v2_name *out);

struct v2_set {
	const char *prefix, *host;
	const char *run_id, *tensorflow_version, *file_version; /* NULL: not recorded */
	bool has_start;
	double start;            /* time of the metadata record, in seconds since 1970 */
	const struct err *fault; /* NULL; or why its metadata could not be read to the end */
};

struct v2_run {
	const char *run_id;      /* NULL: not recorded */
	const char *tensorflow_version;
	bool has_start;
	double start;            /* the earliest of its sets */
	VEC(struct v2_set) sets; /* by start, those without one first */
};

/* Everything lives in mem until v2_root_close. */
struct v2_root {
	const char *path;        /* the directory */
	VEC(struct v2_run) runs; /* by start, those without one first; at least one */
	size_t chosen;           /* the newest, or the one with the file named by the path */
	struct arena mem;
};

/*
 * Finds the runs in a directory, or around one file of a set. Reads only metadata files. NULL with
 * ERR_IO, or with ERR_MISSING: there is no file of a set.
 */
struct v2_root *v2_root_open(const char *path, struct err *err);
void v2_root_close(struct v2_root *root);

/* What is in a run's records. */
struct v2_counts {
	uint64_t executions, traces;
	bool has_time;
	double first_time;       /* of the earliest record of any kind, in seconds since 1970 */
	struct err fault;        /* of the first file that could not be read to its end */
};
/* Reads all records of a run. False with ERR_CANCELLED; *counts is then of no use. */
bool v2_root_count(const struct v2_root *root, size_t run, struct v2_counts *counts,
                   struct progress *progress, struct err *err);

#endif
