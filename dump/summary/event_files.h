#ifndef DUMP_SUMMARY_EVENT_FILES_H
#define DUMP_SUMMARY_EVENT_FILES_H

#include "dump/base/err.h"
#include "dump/base/mount.h"
#include "dump/base/progress.h"

/*
 * The events of a summary as the files they came from, for the reader of recorded programs: a
 * directory at the path `as`, where there is nothing. Of each set of files there are all, empty
 * where there is no event. Where several workers have files of one name, the worker follows the
 * host in it: "tfdbg_events.17.host@worker_3". Not NULL, worker leaves only what it told. NULL with
 * *err; ERR_VALUE: no such worker did.
 */
struct mount *summary_mount_events(const char *path, const char *as, const char *worker,
                                   struct progress *progress, struct err *err);

#endif
