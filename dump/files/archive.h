#ifndef DUMP_ARCHIVE_H
#define DUMP_ARCHIVE_H

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/mount.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/files/recognise.h"

/*
 * Archives: tar, plain or packed with gzip or zstd, and zip. They are mounted at their path
 * (dump/base/mount.h), so that what is in them opens as it does elsewhere. Members of a plain tar,
 * and those that a zip only stores, are read where they are; the rest is unpacked once, into a file
 * without a name in $TMPDIR. Links, and names that lead elsewhere, are left out.
 * Limits   those of mount.h; what is unpacked: temp_most, and 1000 bytes of one.
 */
bool archive_is(enum file_kind kind);

/* Of a path that leads into a file: that file, in mem. NULL: there is none. */
const char *archive_above(const char *path, struct arena *mem);

/*
 * Mounts the archive in the file at `path`, at the path `as`. *note gets a line about what was left
 * out and what is damaged; nothing if all is well. NULL with *err.
 */
struct mount *archive_mount(const char *path, const char *as, enum file_kind kind,
                            struct str *note, struct progress *progress, struct err *err);

/* All of standard input as a file without a name; its path goes to *path. -1 or what to close. */
int archive_of_standard_input(struct str *path, struct progress *progress, struct err *err);

#endif
