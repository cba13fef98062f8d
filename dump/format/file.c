#include "dump/format/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/mount.h"
#include "dump/base/str.h"

#ifndef READ_CHUNK
#define READ_CHUNK (64 * 1024)
#endif

static int64_t change_ns(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* A member of an archive changes when the archive does. */
static bool open_member(struct file *file, enum mount_kind kind, const struct mount_file *member,
                        struct err *err)
{
	struct stat st;

	if (kind == MOUNT_FILE && member->fd >= 0 && !fstat(member->fd, &st)) {
		file->fd = member->fd;
		file->is_part = true;
		file->start = member->off;
		file->size = member->size;
		file->changed_ns = change_ns(&st);
		return true;
	}
	return err_at(err, ERR_IO, file->path, 0, "%s",
	              kind == MOUNT_DIR ? "not a regular file"
	              : strerror(kind == MOUNT_NOTHING ? ENOENT : errno));
}

bool file_open(struct file *file, const char *path, struct err *err)
{
	struct mount_file member;
	enum mount_kind kind = mount_open(path, &member);
	struct stat st;

	*file = (struct file){ .path = path, .fd = -1 };
	if (kind != MOUNT_OUTSIDE)
		return open_member(file, kind, &member, err);
	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0)
		return err_at(err, ERR_IO, path, 0, "%s", strerror(errno));
	if (fstat(file->fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		file_close(file);
		return err_at(err, ERR_IO, path, 0, "not a regular file");
	}
	file->size = (uint64_t)st.st_size;
	file->changed_ns = change_ns(&st);
	return true;
}

bool file_stat(const char *path, struct stat *st)
{
	struct mount_file member = {0};
	enum mount_kind kind = mount_look(path, &member);

	if (kind == MOUNT_OUTSIDE)
		return !stat(path, st);
	*st = (struct stat){
		.st_mode = kind == MOUNT_DIR ? S_IFDIR | 0555 : S_IFREG | 0444,
		.st_size = (off_t)member.size,
		.st_mtim = { member.mtime_ns / 1000000000, member.mtime_ns % 1000000000 },
	};
	errno = ENOENT;
	return kind != MOUNT_NOTHING;
}

bool file_is_there(const char *path)
{
	struct stat st;

	return file_stat(path, &st);
}

bool file_is_dir(const char *path)
{
	struct stat st;

	return file_stat(path, &st) && S_ISDIR(st.st_mode);
}

struct file_stamp file_stamp(const struct file *file)
{
	return (struct file_stamp){ file->size, file->changed_ns };
}

bool file_is_as(const struct file *file, const struct file_stamp *stamp, struct err *err)
{
	uint64_t size = file->size;
	struct stat st;

	if (fstat(file->fd, &st) < 0)
		return err_at(err, ERR_IO, file->path, 0, "%s", strerror(errno));
	if (!file->is_part)
		size = (uint64_t)st.st_size;
	if (size != stamp->size)
		return err_at(err, ERR_FORMAT, file->path, 0,
		              "the file has changed since it was read: %" PRIu64
		              " bytes then, %" PRIu64 " now", stamp->size, size);
	return change_ns(&st) == stamp->changed_ns ||
	       err_at(err, ERR_FORMAT, file->path, 0,
	              "the file was written again since it was read");
}

bool file_open_again(struct file *file, const char *path, const struct file_stamp *stamp,
                     struct err *err)
{
	if (!file_open(file, path, err))
		return false;
	if (file_is_as(file, stamp, err))
		return true;
	file_close(file);
	return false;
}

char *file_real_path(const char *path)
{
	char *real = realpath(path, NULL);

	return real || mount_look(path, NULL) < MOUNT_FILE ? real : mem_copy(path, strlen(path));
}

/* Some file systems have no files without a name: then it loses the one it is made with. */
int file_nameless_on_disk(void)
{
	const char *dir = getenv("TMPDIR");
	struct str name = {0};
	int fd;

	if (!dir || !*dir)
		dir = "/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
		str_fmt(&name, "%s/tensordbg-XXXXXX", dir);
		fd = mkostemp(name.text, O_CLOEXEC);
		if (fd >= 0)
			unlink(name.text);
		str_release(&name);
	}
	return fd;
}

int file_nameless(void)
{
	int fd = file_nameless_on_disk();

	return fd >= 0 ? fd : memfd_create("tensordbg", MFD_CLOEXEC);
}

void file_close(struct file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->window);
	*file = (struct file){ .path = file->path, .fd = -1 };
}

static size_t least(size_t len, uint64_t left)
{
	return len < left ? len : (size_t)left;
}

/* As much of [off, off + len) as there is; -1 after an error. */
static ssize_t read_upto(struct file *file, uint64_t off, size_t len, void *out)
{
	size_t got = 0;

	if (file->is_part)       /* what follows it is another's */
		len = off >= file->size ? 0 : least(len, file->size - off);
	while (got < len) {
		ssize_t n = pread(file->fd, (char *)out + got, len - got,
		                  (off_t)(file->start + off + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

static bool ends_early(struct file *file, uint64_t off, uint64_t wanted, uint64_t got,
                       struct err *err)
{
	return err_damaged(err, DAMAGE_CUT, file->path, off,
	                   "%" PRIu64 " byte%s expected here, the file ends after %" PRIu64,
	                   wanted, plural(wanted), got);
}

/* Within the size that it was opened with: no damage, but a file that changes under us. */
static bool was_cut(struct file *file, uint64_t end, struct err *err)
{
	return err_at(err, ERR_IO, file->path, end,
	              "the file ends here: it had %" PRIu64 " bytes when it was opened",
	              file->size);
}

bool file_read(struct file *file, uint64_t off, size_t len, void *out, struct err *err)
{
	ssize_t got = read_upto(file, off, len, out);

	if (got < 0)
		return err_at(err, ERR_IO, file->path, off, "%s", strerror(errno));
	if ((size_t)got == len)
		return true;
	if (off + (uint64_t)got < file->size)
		return was_cut(file, off + (uint64_t)got, err);
	return ends_early(file, off, len, (uint64_t)got, err);
}

/* Makes the window begin at off and hold at least len bytes, if the file has them. */
static bool move_window(struct file *file, uint64_t off, size_t len, struct err *err)
{
	size_t want = len > READ_CHUNK ? len : READ_CHUNK;
	ssize_t got;

	if (off >= file->size)
		want = 1;
	else if (want > file->size - off)
		want = (size_t)(file->size - off);
	if (want > file->cap) {
		unsigned char *larger = mem_try(want);

		if (!larger)
			return err_at(err, ERR_LIMIT, file->path, off, "no memory for %zu bytes",
			              want);
		free(file->window);
		file->window = larger;
		file->cap = want;
	}
	got = read_upto(file, off, want, file->window);
	file->off = off;
	file->len = got < 0 ? 0 : (size_t)got;
	return got >= 0 || err_at(err, ERR_IO, file->path, off, "%s", strerror(errno));
}

static bool in_window(const struct file *file, uint64_t off, size_t len)
{
	return off >= file->off && off - file->off <= file->len &&
	       file->len - (off - file->off) >= len;
}

const void *file_bytes(struct file *file, uint64_t off, size_t len, struct err *err)
{
	uint64_t left = off < file->size ? file->size - off : 0;

	if (!len)
		return "";       /* the window stays where it is */
	if (in_window(file, off, len))
		return file->window + (off - file->off);
	if (len > left) {
		ends_early(file, off, len, left, err);
		return NULL;
	}
	if (!move_window(file, off, len, err))
		return NULL;
	if (file->len < len) {
		was_cut(file, off + file->len, err);
		return NULL;
	}
	return file->window;
}

const void *file_some(struct file *file, uint64_t off, size_t *len, struct err *err)
{
	if (!in_window(file, off, 1) && !move_window(file, off, 1, err))
		return NULL;
	if (!in_window(file, off, 1)) {
		if (off < file->size)
			was_cut(file, off, err);
		return NULL;
	}
	*len = file->len - (size_t)(off - file->off);
	return file->window + (off - file->off);
}
