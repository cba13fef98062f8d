#ifndef CMDS_CUT_NAMES_H
#define CMDS_CUT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/str.h"

/*
 * The names of a table's rows, cut to fit a column of at least CUT_LEAST columns. A name that is
 * too long loses its end, or its start; different names that would then look the same lose some of
 * their middle instead. No two different names ever look the same.
 */
enum { CUT_LEAST = 12 };

struct cut_names;

/*
 * What a name loses first: its end; its start, where the end tells more; the middle, where a name
 * is scopes and a leaf: what is before its first slash stays, as far as a third of the room.
 */
enum cut_first { CUT_END, CUT_START, CUT_MIDDLE };
/* fine: one sign where something was cut, for a terminal with more signs than ASCII has. */
struct cut_names *cut_names_new(size_t columns, enum cut_first first, bool fine);
void cut_names_free(struct cut_names *names);            /* NULL is fine */
void cut_names_add(struct cut_names *names, const char *name);   /* all before the first put */
/* Appends the name as it shows in the column. */
void cut_names_put(struct cut_names *names, const char *name, struct str *out);

#endif
