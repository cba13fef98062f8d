#ifndef CMDS_CUT_H
#define CMDS_CUT_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/str.h"

/* Texts cut to fit into columns of the screen. All of these append to out. */

/* At most `most` columns of a text: its start or, if `end`, its end. */
void put_cut(struct str *out, const char *text, size_t len, size_t most, bool end);
/* The same with a NUL-terminated text and "..." for what is cut, if there is room for that. */
void put_shortened(struct str *out, const char *text, size_t most, bool end);
/* Exactly `columns` columns: cut, or filled up with spaces. */
void put_padded(struct str *out, const char *text, size_t columns);

/*
 * For a status line of this width: a name, then n parts with a space before each, the most
 * important one last. To make room for the name parts are left out, the first one first; if that
 * is not enough, the name loses its start. Empty parts are skipped.
 */
void put_parts(struct str *out, const char *name, const char *const *parts, size_t n, int width);

#endif
