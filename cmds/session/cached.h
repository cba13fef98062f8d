#ifndef CMDS_CACHED_H
#define CMDS_CACHED_H

#include "cmds/session/shell.h"

/*
 * The only run of PATH, taken from the cache (dump/model/run_cache.h) if one is looking at a
 * screen: shell->opening is read then. False: it has to be read from the directory; or *err, after
 * a cancel. shell->opening is as it was in both cases.
 */
bool cached_load(struct shell *shell, struct progress *progress, struct err *err);

#endif
