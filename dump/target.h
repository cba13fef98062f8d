#ifndef DUMP_TARGET_H
#define DUMP_TARGET_H

#include "dump/base/mount.h"
#include "dump/profile/profile.h"
#include "dump/programs.h"
#include "dump/runs.h"

/*
 * What PATH is: a dump that one of the readers knows (dump/readers.h), a recorded program, a
 * profile, or a thing that TensorFlow or its neighbours leave behind and that is not opened. For
 * these a table in dump/target.c has what shows that a directory holds one; what to say instead is
 * said of each kind of file by dump/files/recognise.h.
 *
 * An archive is a directory (dump/files/archive.h), and PATH may lead into one; "-" is one that
 * comes on standard input.
 * A directory may hold several kinds: all that can be opened are. One that holds none itself is
 * looked below, in bounded work (dump/files/below.h): the only place there is opened, several are
 * listed, and the caller opens one of them by its path. That a bound was met is said.
 */

/* Somewhere below PATH. */
struct target_root {
	const char *path, *name; /* as it is opened; below PATH */
	const char *kind;        /* "tfdbg v1 dump" */
	size_t n_runs;           /* 0: it has none, or they are not counted */
	int64_t first_us, last_us;       /* of its runs; -1: their names tell none */
};

struct target {
	const char *path;        /* opened: PATH, a place below it, the dump around a file */
	const char *file;        /* of that dump, below path; NULL: PATH is no file of a dump */
	const char *note;        /* why something else than PATH is open, a line; NULL: it is not */
	struct mount *archive;   /* it is open for as long as the target; NULL: there is none */
	VEC(struct target_root) roots;   /* several: nothing is opened; in natural order */
	struct arena mem;
};

/* What was opened. */
struct opened {
	struct runs *runs;               /* NULL: no dump of runs */
	struct programs *programs;       /* NULL: no recorded program */
	struct profile *profile;         /* the caller's, never NULL; what was found is added */
	bool has_profile;                /* some were */
	const char *worker;              /* the caller's: of programs only what it told; or NULL */
	bool narrowed;                   /* that was possible */
	struct err profile_problem;      /* why there is none beside a dump */
};

/*
 * False, with nothing opened: ERR_IO (PATH can't be read), ERR_UNSUPPORTED (it is of a known kind;
 * msg says which and what to do) or ERR_MISSING (nothing known; msg says what was looked for).
 * target_release either way.
 */
bool target_open(const char *path, struct target *target, struct opened *out,
                 struct progress *progress, struct err *err);
void target_release(struct target *target);

#endif
