#include "dump/files/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/writer.h"
#include "dump/format/input.h"
#include "dump/format/tar.h"
#include "dump/format/zip.h"

enum { FILES_MOST = 1000 * 1000, AT_ONCE = 64 * 1024, DIRS_OPEN = 16 };

uint64_t archive_most = UINT64_C(16) << 30;

struct unpacking {
	const char *path;
	struct str *dir;
	struct str name;         /* of the file that is written */
	uint64_t bytes, files, passed_over;
	unsigned char block[AT_ONCE];
};

bool archive_is(enum file_kind kind)
{
	return kind == FILE_TAR || kind == FILE_TAR_GZIP || kind == FILE_ZIP;
}

/* Does each part of a name stay where it is? */
static bool stays_inside(const char *name)
{
	if (!*name || *name == '/')
		return false;
	while (*name) {
		size_t len = strcspn(name, "/");

		if (len == 2 && name[0] == '.' && name[1] == '.')
			return false;
		name += len + (name[len] == '/');
	}
	return true;
}

/* The directories above the file. */
static bool make_directories(struct unpacking *u, struct err *err)
{
	for (char *at = u->name.text + u->dir->len + 1; (at = strchr(at, '/')); at++) {
		bool ok;

		*at = '\0';
		ok = !mkdir(u->name.text, 0700) || errno == EEXIST
		     || err_at(err, ERR_IO, u->path, 0, "%s: %s", u->name.text,
		               strerror(errno));
		*at = '/';
		if (!ok)
			return false;
	}
	return true;
}

/* NULL: it has no place, or *err. */
static struct writer *open_member(struct unpacking *u, const char *name, struct err *err)
{
	struct err why = {0};
	struct writer *writer;

	if (!stays_inside(name) || name[strlen(name) - 1] == '/') {
		u->passed_over++;
		return NULL;
	}
	if (u->files++ == FILES_MOST) {
		err_fill(err, ERR_LIMIT, u->path, 0, "an archive of more than %d files",
		         FILES_MOST);
		return NULL;
	}
	str_reset(&u->name);
	str_fmt(&u->name, "%s/%s", u->dir->text, name);
	if (!make_directories(u, err))
		return NULL;
	writer = writer_open(u->name.text, WRITER_PRIVATE, &why);
	u->passed_over += !writer;       /* a directory is called so, or the name is too long */
	return writer;
}

static bool write_some(struct unpacking *u, struct writer *writer, size_t n, struct err *err)
{
	u->bytes += n;
	if (u->bytes > archive_most)
		return err_at(err, ERR_LIMIT, u->path, 0,
		              "more than %" PRIu64 " bytes come out: --max-temp allows more",
		              archive_most);
	return fwrite(u->block, 1, n, writer_stream(writer)) == n
	       || err_at(err, ERR_IO, u->path, 0, "%s: %s", u->dir->text, strerror(errno));
}

static bool unpack_member(struct unpacking *u, struct tar *tar, const struct tar_member *member,
                          struct err *err)
{
	struct timespec times[2] = { { 0, UTIME_OMIT },
	                             { member->mtime_ns / 1000000000,
	                               member->mtime_ns % 1000000000 } };
	struct writer *writer;
	bool ok = true;
	size_t n;

	if (!member->is_file) {
		u->passed_over += member->name[0] && member->name[strlen(member->name) - 1] != '/';
		return true;
	}
	writer = open_member(u, member->name, err);
	if (!writer)
		return !err->code;
	while (ok && (n = tar_read(tar, u->block, AT_ONCE, err)))
		ok = write_some(u, writer, n, err);
	ok = writer_close(writer, ok && !err->code, NULL, err) && !err->code;
	if (ok && member->mtime_ns >= 0)
		utimensat(AT_FDCWD, u->name.text, times, 0);
	return ok;
}

static bool unpack_tar(struct unpacking *u, struct file *file, bool packed, struct err *err)
{
	struct tar_member member;
	struct tar tar;
	bool ok = true;

	tar_start(&tar, file, packed);
	while (ok && tar_next(&tar, &member, err))
		ok = unpack_member(u, &tar, &member, err);
	tar_release(&tar);
	return ok && !err->code;
}

static bool copy_input(struct unpacking *u, struct input *input, struct writer *writer,
                       struct err *err)
{
	bool ok = true;

	for (uint64_t off = 0; ok && off < input->size; off += AT_ONCE) {
		size_t n = input->size - off < AT_ONCE ? (size_t)(input->size - off) : AT_ONCE;

		ok = input_read(input, off, n, u->block, err) && write_some(u, writer, n, err);
	}
	return ok;
}

/* One that can't be unpacked is passed over. */
static bool unpack_zip_member(struct unpacking *u, const struct zip *zip,
                              const struct zip_member *member, struct err *err)
{
	struct writer *writer;
	struct err why = {0};
	struct input input;
	struct span span;
	bool ok;

	if (!zip_place(zip, member, &span, &why)
	    || !(zip_is_stored(member)
	         ? input_of_file(&input, u->path, span.off, span.len, &why)
	         : input_of_packed(&input, u->path, span.off, span.len, member->size, &why))) {
		u->passed_over++;
		return true;
	}
	writer = open_member(u, member->name, err);
	ok = !err->code;
	if (writer)
		ok = writer_close(writer, copy_input(u, &input, writer, err), NULL, err)
		     && !err->code;
	input_release(&input);
	return ok;
}

static bool unpack_zip(struct unpacking *u, struct file *file, struct err *err)
{
	struct zip zip = {0};
	bool ok = zip_open(&zip, file, NULL, err);

	for (size_t i = 0; ok && i < zip.members.len; i++)
		ok = unpack_zip_member(u, &zip, &zip.members.at[i], err);
	zip_release(&zip);
	return ok;
}

static bool make_place(struct str *dir, const char *path, struct err *err)
{
	const char *above = getenv("TMPDIR");

	str_fmt(dir, "%s/tensordbg-XXXXXX", above && *above ? above : "/tmp");
	return mkdtemp(dir->text)
	       || err_at(err, ERR_IO, path, 0, "no place to unpack it: %s: %s", dir->text,
	                 strerror(errno));
}

bool archive_unpack(const char *path, enum file_kind kind, struct str *dir, uint64_t *passed_over,
            struct err *err)
{
	struct unpacking *u;
	struct file file;
	bool ok;

	if (!file_open(&file, path, err))
		return false;
	if (!make_place(dir, path, err)) {
		file_close(&file);
		return false;
	}
	writer_lend_directory(dir->text);
	u = mem_alloc(sizeof *u);
	u->path = path;
	u->dir = dir;
	ok = kind == FILE_ZIP ? unpack_zip(u, &file, err)
	                      : unpack_tar(u, &file, kind == FILE_TAR_GZIP, err);
	*passed_over = u->passed_over;
	str_release(&u->name);
	free(u);
	file_close(&file);
	if (!ok)
		archive_remove(dir->text);
	return ok;
}

int archive_of_standard_input(struct str *path, struct err *err)
{
	int fd = file_nameless();
	char *block = mem_alloc(AT_ONCE);
	uint64_t bytes = 0;
	ssize_t n = 0;
	bool ok = fd >= 0;

	while (ok && (n = read(STDIN_FILENO, block, AT_ONCE)) > 0) {
		bytes += (uint64_t)n;
		ok = bytes <= archive_most && write(fd, block, (size_t)n) == n;
	}
	free(block);
	if (ok && !n) {
		str_fmt(path, "/proc/self/fd/%d", fd);
		return fd;
	}
	if (bytes > archive_most)
		err_fill(err, ERR_LIMIT, "-", 0,
		         "more than %" PRIu64 " bytes: --max-temp allows more", archive_most);
	else
		err_fill(err, ERR_IO, "-", 0, "%s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	remove(path);
	return 0;
}

void archive_remove(const char *dir)
{
	nftw(dir, remove_one, DIRS_OPEN, FTW_DEPTH | FTW_PHYS);
	writer_lend_directory(NULL);
}
