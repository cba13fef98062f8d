#ifndef TESTS_ASKING_H
#define TESTS_ASKING_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/session/shell.h"
#include "dump/base/str.h"

/*
 * Every command over a dump, a root, a profile, for sweeps that disturb it. What a command writes
 * lies in the working directory, which is to be the test's own: files "out...".
 */
struct question {
	const char *path;        /* in the repository */
	const char *before;      /* a command that goes before it in the session; NULL: none */
	const char *line;
};

extern const struct question questions[];
extern const size_t n_questions;

struct said {
	struct str text;         /* the answer, and the files it wrote, which are gone then */
	struct str told;         /* complaints, errors, warnings of the answer */
	bool failed;
};

/* Runs a line and adds to *said. False if it failed, or its writing was cancelled. */
bool ask(struct shell *shell, const char *line, struct progress *progress, struct said *said);
void said_reset(struct said *said);
void said_release(struct said *said);

bool str_same(const struct str *a, const struct str *b);

#endif
