#ifndef DUMP_V1_PROBE_H
#define DUMP_V1_PROBE_H

#include "dump/base/vec.h"
#include "dump/files/walk.h"
#include "dump/model/run.h"

/*
 * Is run->path a tfdbg v1 dump, or the directory of one of its devices? Then run->path becomes the dump itself.
 * A directory of dumps is none.
 */
bool v1_probe(struct run *run, struct err *err);

/* What a directory is, by the names in it; all in mem. */
struct v1_place {
	const char *path;                /* the directory; that of a run, if it was one of a device's */
	bool is_run;                     /* it holds the files of a run itself */
	bool is_root;                    /* it has run_TIME_NAME directories */
	bool has_roots;                  /* it is neither run nor root, a directory in it is a root */
	bool cut;                        /* it has more directories than are looked into */
	VEC(const char *) runs;          /* directories in it that are runs, as they are sorted */
	VEC(const char *) metadata;      /* core metadata files of a run, by their time */
};

/*
 * False if it can't be read. Other directories than run_TIME_NAME count only where there is none of that name, and the files of a
 * run tell.
 */
bool v1_place_read(const char *path, struct arena *mem, struct v1_place *out, struct err *err);
void v1_place_release(struct v1_place *place);

/* Does a listing show the files of a run; how many run_TIME_NAME directories does it have? */
bool v1_has_signs(const struct listing *list);
size_t v1_count_runs(const struct listing *list);

/*
 * The dump that a file belongs to, in mem: the next directory above it that has the files of a
 * run; else those right above it that are dumps without signs, the topmost. NULL: there is none.
 * *below is the file's name below it.
 */
const char *v1_dump_around(const char *file, struct arena *mem, const char **below);

#endif
