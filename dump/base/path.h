#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/arena.h"

/* Paths and names as text: nothing is looked up. */

const char *path_name(const char *path);         /* in it: what follows the last slash */
/* What comes before that, in mem: "." for a name alone, "/" for one in the root. */
const char *path_directory(struct arena *mem, const char *path);
bool text_ends(const char *text, const char *end);
bool span_ends(const char *text, size_t len, const char *end);
/*
 * Runs of digits compare as numbers, everything else by bytes; of equal numbers the one with fewer
 * zeros before it comes first.
 */
int natural_order(const char *a, const char *b);

#endif
