#ifndef DUMP_SUMMARY_EVENT_FILES_H
#define DUMP_SUMMARY_EVENT_FILES_H

#include <stddef.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"

/*
 * Writes the events of a summary as the files they came from into a directory that is there, for
 * the reader of recorded programs. Of each set of files there are all, empty where there is no
 * event. Where several workers have files of one name, the worker follows the host in it:
 * "tfdbg_events.17.host@worker_3". *n is how many sets there were. False with *err: the summary
 * can't be read, or a file can't be written; some are there then.
 */
bool summary_put_event_files(const char *path, const char *dir, size_t *n,
                             struct progress *progress, struct err *err);

#endif
