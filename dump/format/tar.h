#ifndef DUMP_TAR_H
#define DUMP_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/format/file.h"
#include "dump/format/gzip.h"

/*
 * A tar archive read from its start, plain or with gzip: a member, then its bytes. Names are names,
 * nothing is opened by them.
 * Reads   ustar, the extended headers of POSIX (path, size, mtime), long names of GNU.
 * Source  POSIX.1-2017, pax, "ustar Interchange Format".
 */
#define TAR_MAGIC_AT 257
#define TAR_MAGIC "ustar"

struct tar_member {
	const char *name;        /* good until the next member */
	uint64_t size;
	int64_t mtime_ns;        /* since 1970 */
	bool is_file;            /* else a directory, a link, a device: its bytes are of no use */
};

struct tar {
	struct file *file;       /* borrowed */
	struct gunzip *gunzip;   /* NULL: it is not packed */
	uint64_t at;             /* bytes taken */
	uint64_t left, padding;  /* of the member: bytes that are not taken yet, and behind them */
	struct str name, next_name;      /* next_name: an extended header had it */
	uint64_t next_size;
	int64_t next_mtime_ns;
	bool has_size, has_mtime;
};

void tar_start(struct tar *tar, struct file *file, bool packed);
void tar_release(struct tar *tar);

/* The next one; what is left of the one before is passed over. False at the end, or with *err. */
bool tar_next(struct tar *tar, struct tar_member *member, struct err *err);
/* Up to cap bytes of the member; 0 at its end, or with *err. */
size_t tar_read(struct tar *tar, void *out, size_t cap, struct err *err);

#endif
