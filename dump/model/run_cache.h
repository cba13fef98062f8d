#ifndef DUMP_RUN_CACHE_H
#define DUMP_RUN_CACHE_H

#include "dump/base/str.h"
#include "dump/model/run.h"

/*
 * The index of a run in the cache (dump/files/cache.h): what run_load finds out by names and sizes.
 * It may be another one by now: whoever takes it reads the directory again beside, and compares.
 */

/* Is it kept? Only what is large, whole and without a problem is, of readers that say so. */
bool run_is_kept(const struct run *run);
/* Keeps it; false: cancelled, or *err says why not. */
bool run_keep(const struct run *run, struct progress *progress, struct err *err);

/*
 * As run_load, of a new run, from the cache. False: nothing is kept, it can't be used (*unusable
 * says why), or cancelled (*err); the run is of no use then.
 */
bool run_load_kept(struct run *run, struct progress *progress, struct err *unusable,
                   struct err *err);

/*
 * Holds a run that was taken from the cache against the same one, read with RUN_NAMES. False: it
 * is another one, and what differs goes to out: "2 tensors came, 1 is gone, 1 has another size".
 */
bool run_is_as_kept(const struct run *kept, const struct run *now, struct str *out);

#endif
