#include "dump/format/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/format/gzip.h"

#define UNPACK_CHUNK (1 << 18)

bool file_is_packed(struct file *file)
{
	const unsigned char *at = file->size >= 2 ? file_bytes(file, 0, 2, NULL) : NULL;

	return at && at[0] == 0x1f && at[1] == 0x8b;
}

static bool write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		text += n;
		len -= (size_t)n;
	}
	return true;
}

static bool unpack_into(int out, struct file *packed, struct progress *progress,
                        struct err *damage, struct err *err)
{
	struct gunzip *gunzip = gunzip_new(packed);
	char *chunk = mem_alloc(UNPACK_CHUNK);
	bool ok = true;
	size_t n;

	while (ok && (n = gunzip_read(gunzip, chunk, UNPACK_CHUNK, damage))) {
		if (!write_all(out, chunk, n))
			ok = err_at(err, ERR_IO, packed->path, 0,
			            "no room for what is unpacked: %s", strerror(errno));
		else if (!progress_step(progress, gunzip_packed(gunzip), packed->size))
			ok = err_at(err, ERR_CANCELLED, packed->path, 0, "stopped");
	}
	free(chunk);
	gunzip_free(gunzip);
	return ok;
}

int unpack(struct file *packed, struct progress *progress, struct err *damage, struct err *err)
{
	int fd = file_nameless();

	if (fd < 0) {
		err_fill(err, ERR_IO, packed->path, 0, "no file for what is unpacked: %s",
		         strerror(errno));
		return -1;
	}
	if (unpack_into(fd, packed, progress, damage, err))
		return fd;
	close(fd);
	return -1;
}
