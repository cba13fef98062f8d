#ifndef BASE_MOUNT_H
#define BASE_MOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/str.h"

/*
 * An archive as a directory. While it is mounted, what it holds has paths below the archive's own
 * ("runs.tar/step0/x.npy"): whoever opens, lists or asks for a path looks here before the system
 * (dump/format/file.h, dump/files/walk.h). No file is made of a member: it is a part of the
 * archive, or of a file without a name that holds what was unpacked.
 * Limits   10^7 members, 2^40 bytes, names of MOUNT_NAME_MOST bytes.
 * Threads  a mount is built by one; all may look.
 */
struct mount;

#define MOUNT_NAME_MOST 4096

enum mount_kind {
	MOUNT_OUTSIDE,           /* the path leads into no archive: ask the system */
	MOUNT_NOTHING,           /* there is nothing of this name in it */
	MOUNT_FILE,
	MOUNT_DIR,
};

struct mount_file {
	int fd;
	uint64_t off, size;      /* its bytes in that */
	int64_t mtime_ns;        /* since 1970 */
};

/* Building. */

/* A mount for the path, empty, which nobody sees yet. */
struct mount *mount_new(const char *path);
/* From now on the mount's, which closes it. */
void mount_own(struct mount *mount, int fd);
/*
 * A member by the name that the archive has for it; of two with one name the last counts. file:
 * NULL for a directory. NULL, or why it is left out, a clause: "leads out of the archive".
 */
const char *mount_add(struct mount *mount, const char *name, const struct mount_file *file);
/* All were added: it is seen. */
void mount_show(struct mount *mount);

/* One holder more of the mount that this path leads to or into; NULL: it does not. */
struct mount *mount_hold(const char *path);
/* One holder less; after the last it is gone. NULL: nothing. */
void mount_release(struct mount *mount);

/* Looking. */

/* *file (may be NULL) is filled in for a file; its fd is borrowed and may be closed any time. */
enum mount_kind mount_look(const char *path, struct mount_file *file);
/* The same, but the fd is a new one. -1 there: errno says why. */
enum mount_kind mount_open(const char *path, struct mount_file *file);
/*
 * What is right in a directory, in bytewise order; size_bytes: -1 for a directory. Names last as
 * long as somebody holds the mount.
 */
enum mount_kind mount_list(const char *path, void *owner,
                           void (*each)(void *owner, const char *name, int64_t size_bytes));

/* A path as a person reads it: "runs.tar: step0/x.npy" inside an archive, else as it is. */
void mount_put_shown(struct str *out, const char *path);
/* What stands between the shown path of a directory and a name in it: ": " or "/". */
const char *mount_between(const char *path);

#endif
