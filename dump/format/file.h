#ifndef DUMP_FILE_H
#define DUMP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "dump/base/err.h"

/*
 * A file read in windows with pread, never mapped: a file that is cut under a mapping kills the
 * process, here it is an err. One window is kept; asking within it costs nothing. One file serves
 * one thread.
 */
struct file {
	const char *path;        /* borrowed */
	int fd;                  /* -1: closed */
	uint64_t size;           /* when it was opened */
	bool is_part;            /* of what fd has, a member of an archive: it begins at start */
	uint64_t start;
	int64_t changed_ns;      /* the same: time of its last change, since 1970 */
	unsigned char *window;
	uint64_t off;            /* of the window */
	size_t len, cap;
};

/* ERR_IO, also for anything but a regular file. The path may lead into an archive (mount.h). */
bool file_open(struct file *file, const char *path, struct err *err);
void file_close(struct file *file);

/* As stat and access; of what is in an archive only st_mode, st_size and st_mtim are filled in. */
bool file_stat(const char *path, struct stat *st);
bool file_is_there(const char *path);
bool file_is_dir(const char *path);
/* As realpath, on the heap; in an archive the path itself. NULL: there is nothing. */
char *file_real_path(const char *path);

/*
 * A new file without a name, open for writing; it is opened again as /proc/self/fd/N. In the
 * directory for such files ($TMPDIR) or, if there is none, in memory. -1: errno says why.
 */
int file_nameless(void);
int file_nameless_on_disk(void);         /* never in memory */

/* What a file was like when offsets in it were kept, to know whether they are still good. */
struct file_stamp {
	uint64_t size;
	int64_t changed_ns;
};
struct file_stamp file_stamp(const struct file *file);

/* As file_open, for a file that was read before: ERR_FORMAT if it has changed since. */
bool file_open_again(struct file *file, const char *path, const struct file_stamp *stamp,
                     struct err *err);
/* Is it still so, after it was read? The same error. */
bool file_is_as(const struct file *file, const struct file_stamp *stamp, struct err *err);

/*
 * The bytes [off, off + len) in one piece; good until the next call. len must be small enough to
 * hold. NULL with ERR_FORMAT if the file ends before, ERR_IO if it can't be read or is shorter now
 * than when it was opened, ERR_LIMIT if there is no memory.
 */
const void *file_bytes(struct file *file, uint64_t off, size_t len, struct err *err);

/*
 * At least one byte and whatever else the window holds from off on; *len says how many. NULL at
 * the end (err untouched) or with *err.
 */
const void *file_some(struct file *file, uint64_t off, size_t *len, struct err *err);

/* Straight into out, past the window: for large blocks. Same errors as file_bytes. */
bool file_read(struct file *file, uint64_t off, size_t len, void *out, struct err *err);

#endif
