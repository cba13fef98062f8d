#include "dump/format/unpack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/format/gzip.h"
#include "dump/format/zstd.h"

#define UNPACK_CHUNK (1 << 18)

uint64_t temp_most = UINT64_C(8) << 30;

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

bool temp_exceeded(const char *path, uint64_t most, struct err *err)
{
	return err_at(err, ERR_LIMIT, path, 0,
	              "more than %" PRIu64 " bytes come out: --max-temp allows more", most);
}

bool room_put(struct room *room, const void *bytes, size_t len, struct err *err)
{
	room->used += len;
	if (room->used > room->most)
		return temp_exceeded(room->path, room->most, err);
	if (room->fd < 0)
		room->fd = file_nameless_on_disk();
	return (room->fd >= 0 && write_all(room->fd, bytes, len))
	       || err_at(err, ERR_IO, room->path, 0, "no room for what is unpacked: %s",
	                 strerror(errno));
}

/* What a file has, unpacked piece by piece; of the first two one or both are NULL. */
struct source {
	struct gunzip *gunzip;
	struct unzstd *unzstd;
	struct file *file;
	uint64_t taken;          /* of that */
};

static bool is_zstd(struct file *file)
{
	size_t len = strlen(ZSTD_SIGN);
	const void *at = file->size >= len ? file_bytes(file, 0, len, NULL) : NULL;

	return at && !memcmp(at, ZSTD_SIGN, len);
}

static size_t read_plain(struct source *s, void *out, size_t cap, struct err *err)
{
	uint64_t left = s->file->size - s->taken;
	size_t n = left < cap ? (size_t)left : cap;

	return n && file_read(s->file, s->taken, n, out, err) ? n : 0;
}

static size_t read_some(struct source *s, void *out, size_t cap, struct err *err)
{
	size_t n;

	if (s->gunzip) {
		n = gunzip_read(s->gunzip, out, cap, err);
		s->taken = gunzip_packed(s->gunzip);
	} else if (s->unzstd) {
		n = unzstd_read(s->unzstd, out, cap, err);
		s->taken = unzstd_packed(s->unzstd);
	} else {
		n = read_plain(s, out, cap, err);
		s->taken += n;
	}
	return n;
}

bool room_unpack(struct room *room, struct file *packed, struct progress *progress,
                 struct err *damage, struct err *err)
{
	struct source s = { .file = packed };
	char *chunk = mem_alloc(UNPACK_CHUNK);
	bool ok = true;
	size_t n;

	if (file_is_packed(packed))
		s.gunzip = gunzip_new(packed);
	else if (is_zstd(packed))
		s.unzstd = unzstd_new(packed);
	while (ok && (n = read_some(&s, chunk, UNPACK_CHUNK, damage)))
		ok = room_put(room, chunk, n, err)
		     && (progress_step(progress, s.taken, packed->size)
		         || err_at(err, ERR_CANCELLED, packed->path, 0, "stopped"));
	free(chunk);
	gunzip_free(s.gunzip);
	unzstd_free(s.unzstd);
	return ok;
}

int unpack(struct file *packed, struct progress *progress, struct err *damage, struct err *err)
{
	struct room room = { .path = packed->path, .fd = file_nameless(), .most = UINT64_MAX };

	if (room.fd < 0) {
		err_fill(err, ERR_IO, packed->path, 0, "no file for what is unpacked: %s",
		         strerror(errno));
		return -1;
	}
	if (room_unpack(&room, packed, progress, damage, err))
		return room.fd;
	close(room.fd);
	return -1;
}
