#ifndef DUMP_UNPACK_H
#define DUMP_UNPACK_H

#include "dump/base/progress.h"
#include "dump/format/file.h"

/* Does it begin as gzip does? */
bool file_is_packed(struct file *file);

/*
 * Unpacks a gzip file (what is not packed is copied) into a new one without a name (file_nameless),
 * for what has to be found again and again; that one's descriptor, which the caller closes. Where
 * the packed one is cut or damaged *damage says why, and what came before is there. -1: *err, of
 * the system, or after a cancel.
 */
int unpack(struct file *packed, struct progress *progress, struct err *damage, struct err *err);

extern uint64_t temp_most;       /* --max-temp; 8 GiB if it isn't given */

/*
 * As much of a disk as was allowed may be filled, in pieces: what is unpacked of one archive, or
 * comes on standard input.
 */
struct room {
	const char *path;        /* of what is unpacked, for errors; borrowed */
	int fd;                  /* a file without a name; -1: nothing was written yet */
	uint64_t used, most;
};

/* More than that: the error that says so. */
bool temp_exceeded(const char *path, uint64_t most, struct err *err);
/* Behind what is there. False: *err, of the system, or it is more than was allowed. */
bool room_put(struct room *room, const void *bytes, size_t len, struct err *err);
/* All that comes out of a file packed with gzip or zstd, or all of one that is not; as unpack. */
bool room_unpack(struct room *room, struct file *packed, struct progress *progress,
                 struct err *damage, struct err *err);

#endif
