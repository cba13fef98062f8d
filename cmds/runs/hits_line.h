#ifndef CMDS_HITS_LINE_H
#define CMDS_HITS_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/session/hits.h"
#include "dump/base/str.h"

/*
 * What the last filter found over these runs, a sign for each or for some that follow one another
 * (then the most that one of them has): "nan/inf in runs 1-20 ............#       ". A blank: not
 * tested; the first sign of the ramp: nothing found; the others: parts of the most in any run.
 * fine: blocks instead of ASCII. Puts nothing if no run was tested, or if cols columns have no room
 * for four signs.
 */
void hits_put_line(struct hits *hits, struct run_entry *const *runs, size_t n, int cols, bool fine,
                   struct str *out);

#endif
