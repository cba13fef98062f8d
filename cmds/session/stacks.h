#ifndef CMDS_STACKS_H
#define CMDS_STACKS_H

#include "cmds/session/shell.h"
#include "dump/model/stacks.h"

/* A session's knowledge of where the program made its nodes and where its files are now. */

/* Takes the stacks in or beside the dump if none were named. False only after a cancel. */
bool stacks_find_beside(struct shell *shell, struct progress *progress, struct err *err);
/*
 * Takes those of the step that is open, where each has its own: before they are asked. What one
 * says that has none is taken from the step before. False only after a cancel.
 */
bool stacks_of_position(struct shell *shell, struct progress *progress, struct err *err);
void stacks_forget(struct shell *shell);         /* and the source maps */

#endif
