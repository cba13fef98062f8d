#ifndef DUMP_WALK_H
#define DUMP_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/*
 * Directories of a dump, in archives that are mounted too (dump/base/mount.h). Links are never
 * followed, so a loop of them does no harm; what is neither a file nor a directory is only named.
 */
enum entry_kind { ENTRY_FILE, ENTRY_DIR, ENTRY_OTHER };

struct entry {
	const char *name;
	enum entry_kind kind;
};

/*
 * The names in one directory, sorted bytewise. Start with {0}; it may be used for one directory
 * after the other.
 */
struct listing {
	VEC(struct entry) entries;
	struct str names;        /* what entries point into */
	char *block;             /* private: as the system hands them out */
};

/* False, with *err, if the directory can't be read; what was read by then is listed. */
bool listing_of(struct listing *list, const char *path, struct err *err);
/*
 * At most about max names, in the order of the directory; *all: there are no more. False: it can't
 * be read.
 */
bool listing_upto(struct listing *list, const char *path, size_t max, bool *all);
void listing_release(struct listing *list);

/*
 * Opens a directory: by its path, or below another one and then never through a link. -1 and errno
 * if it can't.
 */
int dir_open(const char *path);
int dir_open_at(int parent_fd, const char *name);

#define WALK_PATH_MAX 65536      /* longer paths below the start are left out */

struct walk_file {
	const char *dir;         /* below the start, ending in '/'; "" for the start itself */
	size_t dir_len;
	const char *name;
	int64_t size_bytes;      /* -1: it went away */
};

/*
 * What a walk passed over: something that is neither a file nor a directory, or a directory that
 * could not be read, or only in part, so that files in it may be missing.
 */
enum walk_skip { SKIP_ODD, SKIP_UNREAD };

/* What a walk tells. Both may use the text only during the call. */
struct walk_sink {
	void *owner;
	bool (*file)(void *owner, const struct walk_file *file);        /* false ends the walk */
	/* May be NULL. */
	void (*skipped)(void *owner, enum walk_skip what, const char *path, const char *why);
};

/*
 * Every regular file below a directory: names in bytewise order, the files of a directory before
 * its sub-directories, depth first. False if the sink ended it. Needs neither stack nor descriptors
 * in proportion to the depth. A large tree is walked by two threads; the sink is only called on the
 * caller's. Two walks of different directories may run at once.
 */
bool walk_tree(int dir_fd, const struct walk_sink *sink);
/* The same by its path. False: it can't be opened, errno says why. */
bool walk_path(const char *path, const struct walk_sink *sink);

#endif
