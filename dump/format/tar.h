#ifndef DUMP_TAR_H
#define DUMP_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/format/file.h"

/*
 * The members of a tar archive that is not packed, and where their bytes are. Names are names,
 * nothing is opened by them.
 * Reads   what libarchive reads as tar.
 */
#define TAR_MAGIC_AT 257
#define TAR_MAGIC "ustar"

enum tar_kind { TAR_FILE, TAR_DIR, TAR_LINK, TAR_SPARSE, TAR_OTHER };

struct tar_member {
	const char *name;        /* good until the next member */
	enum tar_kind kind;
	uint64_t off, size;      /* of its bytes; they may go beyond the file's end */
	int64_t mtime_ns;        /* since 1970 */
};

struct tar;

/* Never NULL. The file is borrowed. */
struct tar *tar_open(struct file *file);
void tar_close(struct tar *tar);                 /* NULL: nothing */
/*
 * The next one. What is no head of a member is passed over up to the next one: *damage says where
 * it was first; it is left alone if it has a code. False at the end, or with *err.
 */
bool tar_next(struct tar *tar, struct tar_member *member, struct err *damage, struct err *err);

#endif
