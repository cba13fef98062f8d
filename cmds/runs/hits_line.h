#ifndef CMDS_HITS_LINE_H
#define CMDS_HITS_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/session/hits.h"
#include "dump/base/str.h"

/*
 * What the last filter found in these runs: "nan/inf in runs 1-20 ............#       ". Each sign
 * stands for one run, or for several in a row and then for the one with most hits. A space: not
 * tested; the first sign of the ramp: no hits; the others: hits in proportion to the most that any
 * run has. fine: block characters instead of ASCII. Puts nothing if no run was tested, or if cols
 * columns have no room for four signs.
 */
void hits_put_line(struct hits *hits, struct run_entry *const *runs, size_t n, int cols, bool fine,
                   struct str *out);

#endif
