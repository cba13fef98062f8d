#ifndef CMDS_CUT_NAMES_H
#define CMDS_CUT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/str.h"

/*
 * The names of a table's rows in a column that is too narrow for some of them. One that is cut
 * loses its end, or its start; those that would look alike then, though they differ, lose some of
 * their middle in place of it. No two different names ever look alike. At least CUT_LEAST columns.
 */
enum { CUT_LEAST = 12 };

struct cut_names;

/* start: the end of a name tells more than its start. */
struct cut_names *cut_names_new(size_t columns, bool start);
void cut_names_free(struct cut_names *names);            /* NULL is fine */
void cut_names_add(struct cut_names *names, const char *name);   /* of all rows, before a put */
/* As it shows in the column. */
void cut_names_put(struct cut_names *names, const char *name, struct str *out);

#endif
