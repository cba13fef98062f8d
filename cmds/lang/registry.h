#ifndef CMDS_REGISTRY_H
#define CMDS_REGISTRY_H

#include <stddef.h>

#include "cmds/lang/cmd.h"

/*
 * The commands by name. Their table (cmds/table.h) is above whatever looks a command up, so main()
 * hands it down once, before anything else: rows of it are data from then on.
 */

/*
 * A word of the language and the commands that answer it: cmd, of_profile when only a profile is
 * open (NULL: cmd does), and of_program about a recorded program (NULL: cmd does). cmd is NULL if
 * the command does not work on dumps of runs.
 */
enum cmd_group {
	GROUP_LOOK, GROUP_WALK, GROUP_COMPARE, GROUP_PROFILE, GROUP_SCREEN, N_CMD_GROUPS
};
struct registered {
	const struct cmd *cmd, *of_profile, *of_program;
	enum cmd_group group;    /* what it is for; an overview has it under this */
};
/* OF_MODULE: a compiled program without a profile, as OF_RUNS and what only a profile has. */
enum registry_of { OF_RUNS, OF_PROFILE, OF_PROGRAM, OF_MODULE };

/* Sorted by name; they stay the caller's. */
void registry_set(const struct registered *rows, size_t n);
size_t registry_len(void);
const struct cmd *registry_at(size_t i);
/* What answers there; NULL: nothing. */
const struct cmd *registry_of(size_t i, enum registry_of what);
enum cmd_group registry_group(size_t i);

/* By name or alias, whatever is open; NULL: none. */
const struct cmd *cmd_find(const char *word);
const struct cmd *cmd_find_of(const char *word, enum registry_of what);

#endif
