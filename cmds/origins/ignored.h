#ifndef CMDS_IGNORED_H
#define CMDS_IGNORED_H

#include "cmds/lang/pattern.h"
#include "cmds/session/session.h"

/*
 * Origins that the user knows of and does not want to be told again: nodes whose name one of these
 * regular expressions fits anywhere. They come from lines "origins_ignore REGEX" of the config
 * file, and from files "origins.ignore", a regex a line, in a directory that is opened or in its
 * root of runs. Empty lines and those that begin with # say nothing.
 */
struct ignored {
	VEC(struct pattern *) patterns;
	struct str by;           /* where they come from: "config and runs/origins.ignore" */
};

/* dir: what is opened; root: the root it is in, or NULL. What can't be read is warned of. */
void ignored_read(struct call *call, const char *dir, const char *root, struct ignored *out);
void ignored_release(struct ignored *ignored);
/* An origin_is_ignored (dump/model/origins.h). */
bool ignored_has(void *ignored, const char *node);

#endif
