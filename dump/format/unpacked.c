/*
 * Unpacking goes only forward: what has come out is kept in a file without a name, and reads come
 * from there. The beginning is kept in memory, as often no more than a head is asked for. What had
 * such a file is kept after its release: whoever opens the same again goes on from there.
 */
#include "dump/format/input.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/progress.h"
#include "dump/format/file.h"
#include "dump/format/gzip.h"
#include "dump/format/unpack.h"

enum { CHUNK = 64 * 1024, KEPT_MOST = 64 };

struct unpacked {
	struct file file;        /* closed when all has come out */
	struct file_stamp stamp; /* of that */
	uint64_t off, packed;    /* what is unpacked of it */
	struct gunzip *gunzip;
	uint64_t have, size;     /* bytes that have come out, and that will */
	int fd;                  /* what came out behind the head; -1: nothing yet */
	bool in_memory;          /* that has no place on a disk */
	bool failed;
	unsigned char head[CHUNK];
	char path[];
};

static void free_unpacked(struct unpacked *u)
{
	gunzip_free(u->gunzip);
	file_close(&u->file);
	if (u->fd >= 0)
		close(u->fd);
	free(u);
}

/* Those that nobody reads, the one released last at the end. They take temp_most bytes at most. */

static struct {
	struct unpacked *at[KEPT_MOST];
	size_t n;
	uint64_t bytes;
} kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* With the lock. */
static struct unpacked *take(size_t i)
{
	struct unpacked *u = kept.at[i];

	kept.n--;
	kept.bytes -= u->have;
	memmove(&kept.at[i], &kept.at[i + 1], (kept.n - i) * sizeof *kept.at);
	return u;
}

static void keep(struct unpacked *u)
{
	pthread_mutex_lock(&lock);
	while (kept.n && (kept.n == KEPT_MOST || kept.bytes + u->have > temp_most))
		free_unpacked(take(0));
	kept.at[kept.n++] = u;
	kept.bytes += u->have;
	pthread_mutex_unlock(&lock);
}

static bool is_same(const struct unpacked *a, const struct unpacked *b)
{
	return a->off == b->off && a->packed == b->packed && a->size == b->size
	       && a->stamp.size == b->stamp.size && a->stamp.changed_ns == b->stamp.changed_ns
	       && !strcmp(a->path, b->path);
}

/* One that is kept of the same bytes; NULL: there is none. */
static struct unpacked *find(const struct unpacked *wanted)
{
	struct unpacked *found = NULL;

	pthread_mutex_lock(&lock);
	for (size_t i = kept.n; i-- > 0 && !found; )
		if (is_same(kept.at[i], wanted))
			found = take(i);
	pthread_mutex_unlock(&lock);
	return found;
}

/* Reading. */

static bool open_room(struct unpacked *u)
{
	if (u->fd < 0)
		u->fd = file_nameless_on_disk();
	if (u->fd < 0) {
		u->fd = file_nameless();
		u->in_memory = true;
	}
	return u->fd >= 0;
}

static bool write_all(struct unpacked *u, const unsigned char *bytes, size_t len, uint64_t off,
                      struct err *err)
{
	bool is_open = open_room(u);

	while (len) {
		ssize_t n = is_open ? pwrite(u->fd, bytes, len, (off_t)off) : -1;

		if (n < 0 && errno == EINTR && is_open)
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
	unsigned char chunk[CHUNK];
	bool is_head = u->have < CHUNK;
	unsigned char *out = is_head ? u->head + u->have : chunk;
	uint64_t room = is_head ? CHUNK - u->have : CHUNK;
	size_t got;

	if (room > u->size - u->have)
		room = u->size - u->have;
	if (!is_head && u->have + room > temp_most)
		return temp_exceeded(u->path, temp_most, err);
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

/* Until so many bytes have come out. After a cancel it can go on from there. */
static bool unpack_to(struct unpacked *u, uint64_t end, struct err *err)
{
	while (u->have < end) {
		if (progress_here_cancelled())
			return err_at(err, ERR_CANCELLED, u->path, 0, "stopped");
		if (!unpack_some(u, err)) {
			u->failed = true;
			return false;
		}
	}
	if (u->have == u->size) {
		gunzip_free(u->gunzip);
		u->gunzip = NULL;
		file_close(&u->file);
	}
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

	if (!unpack_to(u, off + len, err ? err : &own))
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

	if (u->fd < 0 || u->in_memory || u->failed)
		free_unpacked(u);
	else
		keep(u);
}

bool input_of_packed(struct input *input, const char *path, uint64_t off, uint64_t packed,
                     uint64_t len, struct err *err)
{
	size_t path_len = strlen(path);
	struct unpacked *u = mem_alloc(sizeof *u + path_len + 1), *before;

	*input = (struct input){0};
	memcpy(u->path, path, path_len + 1);
	u->fd = -1;
	u->off = off;
	u->packed = packed;
	u->size = len;
	if (!file_open(&u->file, u->path, err)) {
		free(u);
		return false;
	}
	if (off > u->file.size || packed > u->file.size - off) {
		err_damaged(err, DAMAGE_CUT, path, off,
		            "%" PRIu64 " bytes expected here, the file has %" PRIu64 " in all",
		            packed, u->file.size);
		free_unpacked(u);
		return false;
	}
	u->stamp = file_stamp(&u->file);
	before = find(u);
	if (before) {
		free_unpacked(u);
		u = before;
	} else {
		u->gunzip = gunzip_new_raw(&u->file, off, packed);
	}
	*input = (struct input){ u->path, len, u, read_unpacked, release_unpacked };
	return true;
}
