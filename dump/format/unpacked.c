/*
 * Unpacking goes only forward: what has come out is kept in a file without a name, and reads come
 * from there. The beginning is kept in memory, as often no more than a head is asked for.
 */
#include "dump/format/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/format/file.h"
#include "dump/format/gzip.h"

enum { CHUNK = 64 * 1024 };

struct unpacked {
	struct file file;
	struct gunzip *gunzip;
	uint64_t have, size;     /* bytes that have come out, and that will */
	int fd;                  /* what came out behind the head; -1: nothing yet */
	unsigned char head[CHUNK], chunk[CHUNK];
	char path[];
};

static bool write_all(struct unpacked *u, const unsigned char *bytes, size_t len, uint64_t off,
                      struct err *err)
{
	if (u->fd < 0)
		u->fd = file_nameless();
	while (len) {
		ssize_t n = u->fd < 0 ? -1 : pwrite(u->fd, bytes, len, (off_t)off);

		if (n < 0 && errno == EINTR && u->fd >= 0)
			continue;
		if (n <= 0)
			return err_at(err, ERR_IO, u->path, gunzip_packed(u->gunzip),
			              "no room to unpack it: %s", strerror(errno));
		bytes += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return true;
}

/* The next bytes that come out, at most a chunk. */
static bool unpack_some(struct unpacked *u, struct err *err)
{
	bool is_head = u->have < CHUNK;
	unsigned char *out = is_head ? u->head + u->have : u->chunk;
	uint64_t room = is_head ? CHUNK - u->have : CHUNK;
	size_t got;

	if (room > u->size - u->have)
		room = u->size - u->have;
	got = gunzip_read(u->gunzip, out, (size_t)room, err);
	if (err->code)
		return false;
	if (!got)
		return err_damaged(err, DAMAGE_CUT, u->path, gunzip_packed(u->gunzip),
		                   "only %" PRIu64 " of %" PRIu64 " bytes come out", u->have,
		                   u->size);
	if (!is_head && !write_all(u, out, got, u->have, err))
		return false;
	u->have += got;
	return true;
}

static bool read_back(struct unpacked *u, uint64_t off, size_t len, unsigned char *out,
                      struct err *err)
{
	while (len) {
		ssize_t n = pread(u->fd, out, len, (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_at(err, ERR_IO, u->path, 0, "what was unpacked is gone: %s",
			              n ? strerror(errno) : "it was cut");
		out += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return true;
}

static bool read_unpacked(void *owner, uint64_t off, size_t len, void *out, struct err *err)
{
	struct unpacked *u = owner;
	struct err own = {0};
	size_t in_head = 0;

	if (!err)
		err = &own;
	while (u->have < off + len)
		if (!unpack_some(u, err))
			return false;
	if (off < CHUNK) {
		in_head = len < CHUNK - off ? len : (size_t)(CHUNK - off);
		memcpy(out, u->head + off, in_head);
	}
	return read_back(u, off + in_head, len - in_head, (unsigned char *)out + in_head, err);
}

static void release_unpacked(void *owner)
{
	struct unpacked *u = owner;

	gunzip_free(u->gunzip);
	file_close(&u->file);
	if (u->fd >= 0)
		close(u->fd);
	free(u);
}

bool input_of_packed(struct input *input, const char *path, uint64_t off, uint64_t packed,
                     uint64_t len, struct err *err)
{
	size_t path_len = strlen(path);
	struct unpacked *u = mem_alloc(sizeof *u + path_len + 1);

	*input = (struct input){0};
	memcpy(u->path, path, path_len + 1);
	u->fd = -1;
	u->size = len;
	if (!file_open(&u->file, u->path, err)) {
		free(u);
		return false;
	}
	if (off > u->file.size || packed > u->file.size - off) {
		err_damaged(err, DAMAGE_CUT, path, off,
		            "%" PRIu64 " bytes expected here, the file has %" PRIu64 " in all",
		            packed, u->file.size);
		release_unpacked(u);
		return false;
	}
	u->gunzip = gunzip_new_raw(&u->file, off, packed);
	*input = (struct input){ u->path, len, u, read_unpacked, release_unpacked };
	return true;
}
