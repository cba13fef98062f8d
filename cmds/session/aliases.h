#ifndef CMDS_ALIASES_H
#define CMDS_ALIASES_H

#include <stdbool.h>

#include "cmds/session/config.h"
#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/*
 * Names for the beginning of a command line: lines "alias NAME COMMAND" of the config file, and
 * what was said since. An alias never stands for a command of ours, nor for another alias.
 */
struct alias {
	char *name, *line;
	bool saved;              /* in the config file */
};
struct aliases {
	VEC(struct alias) list;  /* sorted by name */
};

/* Reads the file; what is wrong there is complained about and left out. */
void aliases_init(struct aliases *aliases, struct config_complaint *complaint);
void aliases_release(struct aliases *aliases);
const struct alias *aliases_find(const struct aliases *aliases, const char *name);
/*
 * ERR_VALUE: the name is a command's or can't be a name, there is no line; removing: there is none.
 * After ERR_IO it is done, but not saved. line: what follows the name, as typed.
 */
bool aliases_set(struct aliases *aliases, const char *name, const char *line, bool save,
                 struct err *err);
bool aliases_remove(struct aliases *aliases, const char *name, bool save, struct err *err);
/* The line that an alias at the beginning of this one makes of it; false: there is none. */
bool aliases_expand(const struct aliases *aliases, const char *line, struct str *out);

#endif
