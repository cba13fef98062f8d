/*
 * The file is written under a name of its own in the same folder and renamed when it is whole, so
 * whoever looks at the path sees the old file or the new one. Source: numpy/lib/format.py, version
 * 1.0.
 */
#include "cmds/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/array.h"
#include "dump/base/mem.h"

#define MAGIC "\x93NUMPY\x01"   /* and a 0, then the length of the header in 2 bytes */
#define MAGIC_LEN 8
#define ALIGN 64
#define HOST_ORDER (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>')
#define BLOCK_BYTES (1024 * 1024)

static char kind_letter(const struct dtype_info *type)
{
	switch (type->kind) {
	case KIND_FLOAT:
		return 'f';
	case KIND_COMPLEX:
		return 'c';
	case KIND_BOOL:
		return 'b';
	case KIND_INT:
		return type->dtype == DTYPE_INT4 || type->dtype == DTYPE_INT2 ? 0 : 'i';
	case KIND_UINT:
		return type->dtype == DTYPE_UINT4 || type->dtype == DTYPE_UINT2 ? 0 : 'u';
	default:
		return 0;
	}
}

static void put_header(struct str *out, const struct dtype_info *type, const struct shape *shape)
{
	char order = type->elem_bytes == 1 ? '|' : HOST_ORDER;
	size_t len;

	str_put(out, MAGIC "\0\0", MAGIC_LEN + 2);
	str_fmt(out, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': ", order,
	        kind_letter(type), type->elem_bytes);
	put_shape(out, shape);
	str_puts(out, ", }");
	str_fill(out, ' ', ALIGN - 1 - out->len % ALIGN);
	str_putc(out, '\n');
	len = out->len - MAGIC_LEN - 2;
	out->text[MAGIC_LEN] = (char)(len & 0xff);
	out->text[MAGIC_LEN + 1] = (char)(len >> 8);
}

static bool failed(const char *path, struct err *err)
{
	return err_at(err, ERR_IO, path, 0, "%s", strerror(errno));
}

static bool write_all(int fd, const char *path, const void *bytes, size_t len, struct err *err)
{
	const char *at = bytes;

	while (len) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno != EINTR)
			return failed(path, err);
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
	}
	return true;
}

static bool write_elems(int fd, const char *path, struct view *view, struct progress *progress,
                        struct err *err)
{
	size_t bytes = view->value->type->elem_bytes, room = BLOCK_BYTES / bytes;
	unsigned char *block = mem_alloc(BLOCK_BYTES);
	bool ok = true;

	for (uint64_t done = 0; ok && done < view->count; done += room) {
		size_t n = view->count - done < room ? (size_t)(view->count - done) : room;

		ok = view_read(view, done, n, block, err) &&
		     write_all(fd, path, block, n * bytes, err);
		if (ok && !progress_step(progress, done + n, view->count))
			ok = err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
	}
	free(block);
	return ok;
}

/* An open new file beside path, its name in *beside; -1 with *err. */
static int open_beside(const char *path, struct str *beside, struct err *err)
{
	struct stat old;
	mode_t mode = 0666;
	int fd;

	if (stat(path, &old) == 0) {
		if (!S_ISREG(old.st_mode)) {
			err_fill(err, ERR_IO, path, 0, "not a regular file");
			return -1;
		}
		mode = old.st_mode & 0777;
	}
	str_fmt(beside, "%s.%ld.part", path, (long)getpid());
	fd = open(beside->text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		failed(path, err);
	return fd;
}

bool npy_write(const char *path, struct view *view, uint64_t *size_bytes,
               struct progress *progress, struct err *err)
{
	const struct dtype_info *type = view->value->type;
	struct str header = { 0 }, beside = { 0 };
	bool ok = false;
	int fd;

	if (!kind_letter(type))
		return err_at(err, ERR_TYPE, path, 0,
		              "a .npy file cannot hold elements of type %s", type->name);
	fd = open_beside(path, &beside, err);
	if (fd < 0)
		goto out;
	put_header(&header, type, &view->shape);
	*size_bytes = header.len + view->count * type->elem_bytes;
	ok = write_all(fd, path, header.text, header.len, err) &&
	     write_elems(fd, path, view, progress, err);
	if (close(fd) < 0 && ok)
		ok = failed(path, err);
	if (ok && rename(beside.text, path) < 0)
		ok = failed(path, err);
	if (!ok)
		unlink(beside.text);
out:
	str_release(&header);
	str_release(&beside);
	return ok;
}
