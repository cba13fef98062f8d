#ifndef DUMP_ARCHIVE_H
#define DUMP_ARCHIVE_H

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/files/recognise.h"

/*
 * The files of an archive (tar, tar with gzip, zip), in a directory of their own in $TMPDIR. Only
 * plain files with names that stay in it; what else the archive has is passed over.
 * Limits   10^6 files, and as many bytes as archive_most says.
 */
extern uint64_t archive_most;     /* --max-temp; 16 GiB if it isn't given */

bool archive_is(enum file_kind kind);

/*
 * *dir gets the path of the directory. False with *err, and nothing is left. *passed_over: so many
 * members had no place.
 */
bool archive_unpack(const char *path, enum file_kind kind, struct str *dir, uint64_t *passed_over,
            struct err *err);

/* All of standard input as a file without a name; its path goes to *path, -1 or what to close. */
int archive_of_standard_input(struct str *path, struct err *err);

/* The directory, with all that is in it. */
void archive_remove(const char *dir);

#endif
