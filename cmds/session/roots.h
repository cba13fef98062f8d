#ifndef CMDS_ROOTS_H
#define CMDS_ROOTS_H

#include "cmds/session/session.h"

/*
 * Where PATH holds no dump but several lie below it (dump/target.h): a list of these roots, of
 * which one at a time is open. Before the first is opened there is no run and no profile.
 */
bool roots_are_several(const struct shell *shell);
void roots_list(struct call *call);
/* Opens a root and answers with its first screen, or with why it can't. */
void roots_open(struct call *call, const char *word);

/*
 * In cmds/session/opening.c: opens a root and sets aside what was open. On false, with *err,
 * nothing has changed.
 */
bool shell_enter_root(struct shell *shell, const struct target_root *root,
                      struct progress *progress, struct err *err);

#endif
