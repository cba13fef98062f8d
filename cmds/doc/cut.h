#ifndef CMDS_CUT_H
#define CMDS_CUT_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/str.h"

/* Texts that have to fit into columns of the screen. All append. */

/* At most `most` columns of a text: its beginning, or its end. */
void put_cut(struct str *out, const char *text, size_t len, size_t most, bool end);
/* The same of a NUL-terminated text; "..." stands where something is missing, if it has room. */
void put_shortened(struct str *out, const char *text, size_t most, bool end);
/* Exactly `columns` columns: cut, or with blanks behind it. */
void put_padded(struct str *out, const char *text, size_t columns);

/*
 * A name and what else is to be said of it, most important last, a blank before each, for a status
 * line of this width: parts are left out from the first on until the name has room, and then it is
 * cut at its start. "" is no part.
 */
void put_parts(struct str *out, const char *name, const char *const *parts, size_t n, int width);

#endif
