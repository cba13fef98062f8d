#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include <stdbool.h>

#include "dump/base/str.h"

/*
 * A program run to its end without a terminal. Standard input is empty unless input says otherwise.
 * status is the exit status, or 128 + the signal that ended it, or 127 if it could not be run.
 */
struct program_run {
	struct str out, err;
	int status;
};

/* dir: where it runs, and its HOME; NULL: here. Release with program_release. */
void program_run(const char *const *argv, const char *dir, const char *input,
                 struct program_run *ran);
void program_release(struct program_run *ran);

/* $TENSORDBG, or else build/tensordbg; an absolute path. */
const char *program_path(void);

/*
 * From now on permissions hold for this process and those that it begins, though it may be root's.
 * False: they can't be made to.
 */
bool permissions_hold(void);

/* A new empty directory, whose name the caller frees; and its end, with all that is in it. */
char *scratch_new(void);
char *scratch_in(const char *base);      /* below this directory */
void scratch_remove(char *dir);

/* The whole of a file; false if it can't be read. */
bool read_whole(const char *path, struct str *out);

#endif
