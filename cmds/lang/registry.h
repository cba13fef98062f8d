#ifndef CMDS_REGISTRY_H
#define CMDS_REGISTRY_H

#include <stddef.h>

#include "cmds/lang/cmd.h"

/*
 * The commands by name. Their table (cmds/table.h) is above whatever looks a command up, so main()
 * hands it down once, before anything else: rows of it are data from then on.
 */

/*
 * A word of the language: what answers, and what does when only a profile is open (NULL: the same).
 */
struct registered {
	const struct cmd *cmd, *of_profile;
};

/* Sorted by name; they stay the caller's. */
void registry_set(const struct registered *rows, size_t n);
size_t registry_len(void);
const struct cmd *registry_at(size_t i);

/* By name or alias; NULL: none. */
const struct cmd *cmd_find(const char *word);
/* The same when only a profile is open. */
const struct cmd *cmd_find_of_profile(const char *word);

#endif
