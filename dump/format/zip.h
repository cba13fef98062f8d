#ifndef DUMP_ZIP_H
#define DUMP_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"

/*
 * A zip archive: its list of members, read from its end, and the bytes of each. A member's name is
 * a name, never a path: nothing is opened or written by it.
 * Reads   stored and deflated members, zip64, something before the archive, a comment behind it.
 * Limits  10^6 members, 2^40 bytes each.
 * Source  PKWARE's APPNOTE 6.3.
 */
struct zip_member {
	const char *name;        /* UTF-8, cut at a NUL byte; the zip's */
	uint64_t head_off;       /* where it is said to begin */
	uint64_t packed, size;   /* bytes in the archive, and unpacked */
	uint32_t crc32;          /* of these, if it has_crc */
	uint16_t method;
	bool encrypted, is_link;
	bool has_crc;            /* not if it is 0: PyTorch can be told to leave it out */
	int64_t changed_s;       /* since 1970, in the time of wherever it was packed */
};

/* In the order of the list. Of members with one name the last counts, at the place of the first. */
struct zip {
	struct file *file;       /* borrowed */
	VEC(struct zip_member) members;
	struct map names;        /* the number of a name is that of its member */
	const char *repeated;    /* a name that several members have; NULL */
	struct arena mem;
};

/*
 * Start with {0}; zip_release either way. ERR_FORMAT for a damaged list, or no archive, ERR_LIMIT,
 * ERR_CANCELLED.
 */
bool zip_open(struct zip *zip, struct file *file, struct progress *progress, struct err *err);
void zip_release(struct zip *zip);

/* NULL: there is none of this name. */
const struct zip_member *zip_find(const struct zip *zip, const char *name);

/* Is it stored as it is? Then its place is that of its bytes. */
bool zip_is_stored(const struct zip_member *member);

/*
 * Where its packed bytes are. ERR_FORMAT: it is not there, or lies about its size; ERR_UNSUPPORTED:
 * encrypted, or packed in another way.
 */
bool zip_place(const struct zip *zip, const struct zip_member *member, struct span *span,
               struct err *err);

/*
 * The whole of a member that has to be held, at most limit bytes, compared with its checksum; the
 * caller frees it. NULL with *err. A NUL byte follows it.
 */
char *zip_read(const struct zip *zip, const struct zip_member *member, size_t limit,
               struct progress *progress, struct err *err);

#endif
