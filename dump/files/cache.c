/*
 * A file: the head, the path it is about, what was put, and a seal: the CRC-32C of all before it.
 * Numbers are as this machine has them; the head says which machine that was. The file's name is a
 * hash of kind and path.
 */
#include "dump/files/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/vec.h"
#include "dump/base/version.h"
#include "dump/base/writer.h"
#include "dump/format/crc32c.h"

#ifndef CACHE_LEAST
#define CACHE_LEAST 100000
#endif
#define MAGIC "tensordbg cache\n"
#define FORMAT 1         /* another one for each change of what is put */
#define ENDING ".cache"
#define UNFINISHED ".part"       /* of a program that was killed, or is at work: the newest */
#define PIECE ((uint64_t)256 * 1024)     /* is summed while the processor has it at hand */

uint64_t cache_least = CACHE_LEAST;
int64_t cache_rest_ns = INT64_C(2000000000);

struct head {
	char magic[16], program[16], kind[16];
	uint32_t format, byte_order;
	uint64_t dev, ino, size;
	int64_t changed_ns, status_ns;
	uint64_t path_len;       /* the path follows */
};
enum { BYTE_ORDER_SIGN = 0x01020304 };

struct cache_reader {
	struct str path;         /* of the file */
	int fd;
	uint64_t left;
	uint32_t crc;
	bool failed;
};

struct cache_writer {
	struct writer *writer;
	char *path;
	uint32_t crc;
};

/* ---- what it is about, and where that is kept */

static int64_t in_ns(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

bool cache_of(struct cache_of *of, const char *kind, const char *path)
{
	struct stat st;

	*of = (struct cache_of){ .kind = kind, .path = realpath(path, NULL) };
	if (!of->path || stat(of->path, &st) != 0)
		return false;
	of->dev = st.st_dev;
	of->ino = st.st_ino;
	of->size = (uint64_t)st.st_size;
	of->changed_ns = in_ns(&st.st_mtim);
	of->status_ns = in_ns(&st.st_ctim);
	return true;
}

void cache_of_release(struct cache_of *of)
{
	free((char *)of->path);
	of->path = NULL;
}

bool cache_is_at_rest(const struct cache_of *of)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return in_ns(&now) - of->changed_ns >= cache_rest_ns &&
	       in_ns(&now) - of->status_ns >= cache_rest_ns;
}

static struct head head_of(const struct cache_of *of)
{
	struct head head = {
		.magic = MAGIC, .format = FORMAT, .byte_order = BYTE_ORDER_SIGN, .dev = of->dev,
		.ino = of->ino, .size = of->size, .changed_ns = of->changed_ns,
		.status_ns = of->status_ns, .path_len = strlen(of->path),
	};

	snprintf(head.program, sizeof head.program, "%s", TENSORDBG_VERSION);
	snprintf(head.kind, sizeof head.kind, "%s", of->kind);
	return head;
}

static bool put_base(struct str *out)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && cache[0] == '/')
		str_puts(out, cache);
	else if (home && home[0] == '/')
		str_fmt(out, "%s/.cache", home);
	else
		return false;
	return true;
}

bool cache_path(const struct cache_of *of, struct str *out)
{
	uint64_t hash = 0xcbf29ce484222325u;

	if (!put_base(out))
		return false;
	for (const char *at = of->kind; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
	for (const char *at = of->path; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
	str_fmt(out, "/tensordbg/%016llx" ENDING, (unsigned long long)hash);
	return true;
}

/* ---- reading */

static bool refuse(struct cache_reader *reader, struct err *err, const char *why)
{
	reader->failed = true;
	return err_at(err, ERR_FORMAT, reader->path.text, 0, "%s", why);
}

bool cache_get(struct cache_reader *reader, void *out, uint64_t len)
{
	char *to = out;

	if (reader->failed || len > reader->left) {
		reader->failed = true;
		return false;
	}
	reader->left -= len;
	while (len) {
		ssize_t n = read(reader->fd, to, len < PIECE ? len : PIECE);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			reader->failed = true;
			return false;
		}
		reader->crc = crc32c(reader->crc, to, (size_t)n);
		to += n;
		len -= (uint64_t)n;
	}
	return true;
}

uint64_t cache_left(const struct cache_reader *reader)
{
	return reader->left;
}

static bool read_path(struct cache_reader *reader, const struct cache_of *of)
{
	size_t len = strlen(of->path);
	char *path = mem_alloc(len + 1);
	bool same = cache_get(reader, path, len) && !memcmp(path, of->path, len);

	free(path);
	return same;
}

static bool read_head(struct cache_reader *reader, const struct cache_of *of, struct err *err)
{
	struct head head, wanted = head_of(of);
	struct stat st;

	if (fstat(reader->fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 022))
		return refuse(reader, err, "it is no file that only its owner can write");
	reader->left = (uint64_t)st.st_size;
	if (!cache_get(reader, &head, sizeof head) ||
	    memcmp(head.magic, wanted.magic, sizeof head.magic))
		return refuse(reader, err, "it is cut, or no file of the cache");
	if (head.format != wanted.format || head.byte_order != wanted.byte_order ||
	    memcmp(head.program, wanted.program, sizeof head.program) ||
	    memcmp(head.kind, wanted.kind, sizeof head.kind))
		return refuse(reader, err, "another version of the program wrote it");
	if (head.dev != of->dev || head.ino != of->ino || head.size != of->size ||
	    head.changed_ns != of->changed_ns || head.status_ns != of->status_ns ||
	    head.path_len != wanted.path_len ||
	    !read_path(reader, of))
		return refuse(reader, err, "what it is about has changed since");
	return true;
}

static void reader_free(struct cache_reader *reader)
{
	close(reader->fd);
	str_release(&reader->path);
	free(reader);
}

struct cache_reader *cache_open(const struct cache_of *of, struct err *err)
{
	struct cache_reader *reader;
	struct str path = {0};
	int fd = -1;

	if (cache_least != UINT64_MAX && cache_path(of, &path))
		fd = open(path.text, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0) {
		str_release(&path);
		return NULL;
	}
	reader = mem_alloc(sizeof *reader);
	*reader = (struct cache_reader){ .path = path, .fd = fd };
	if (read_head(reader, of, err))
		return reader;
	reader_free(reader);
	return NULL;
}

bool cache_sealed(struct cache_reader *reader)
{
	uint32_t crc = reader->crc, stored;

	if (!cache_get(reader, &stored, sizeof stored) || stored != crc)
		reader->failed = true;
	return !reader->failed;
}

bool cache_end(struct cache_reader *reader, struct err *err)
{
	bool ok = cache_sealed(reader) && !reader->left;

	if (!ok)
		refuse(reader, err, "it is damaged");
	reader_free(reader);
	return ok;
}

/* ---- writing */

/* The directory of a path, and the one above it: no more is made. */
static bool make_directory(const char *path)
{
	char *copy = mem_copy(path, strlen(path)), *below, *above;
	bool ok;

	below = strrchr(copy, '/');
	*below = '\0';
	above = strrchr(copy, '/');
	*above = '\0';
	mkdir(copy, 0700);
	*above = '/';
	ok = mkdir(copy, 0700) == 0 || errno == EEXIST;
	free(copy);
	return ok;
}

struct cache_writer *cache_create(const struct cache_of *of, struct err *err)
{
	struct cache_writer *writer = NULL;
	struct head head = head_of(of);
	struct writer *out = NULL;
	struct str path = {0};

	if (!cache_path(of, &path))
		err_fill(err, ERR_IO, "", 0, "neither XDG_CACHE_HOME nor HOME is set");
	else if (!make_directory(path.text))
		err_fill(err, ERR_IO, path.text, 0, "%s: %s", path.text, strerror(errno));
	else
		out = writer_open(path.text, WRITER_PRIVATE, err);
	if (out) {
		writer = mem_alloc(sizeof *writer);
		*writer = (struct cache_writer){ .writer = out, .path = path.text };
		cache_put(writer, &head, sizeof head);
		cache_put(writer, of->path, head.path_len);
		return writer;
	}
	str_release(&path);
	return NULL;
}

void cache_put(struct cache_writer *writer, const void *bytes, uint64_t len)
{
	const char *from = bytes;

	while (len) {
		size_t n = len < PIECE ? (size_t)len : PIECE;

		writer->crc = crc32c(writer->crc, from, n);
		fwrite(from, 1, n, writer_stream(writer->writer));
		from += n;
		len -= n;
	}
}

void cache_seal(struct cache_writer *writer)
{
	uint32_t crc = writer->crc;

	cache_put(writer, &crc, sizeof crc);
}

/* A file of the cache, while there is too much. */
struct old_file {
	struct str path;
	uint64_t size;
	struct timespec changed;
};

static int by_age(const void *a, const void *b)
{
	const struct timespec *x = &((const struct old_file *)a)->changed;
	const struct timespec *y = &((const struct old_file *)b)->changed;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

void cache_trim(const char *dir, uint64_t most)
{
	VEC(struct old_file) files = {0};
	const struct dirent *entry;
	DIR *list = opendir(dir);
	uint64_t sum = 0;
	struct stat st;

	while (list && (entry = readdir(list))) {
		struct str path = {0};

		str_fmt(&path, "%s/%s", dir, entry->d_name);
		if ((!text_ends(entry->d_name, ENDING) && !text_ends(entry->d_name, UNFINISHED)) ||
		    lstat(path.text, &st) != 0 || !S_ISREG(st.st_mode)) {
			str_release(&path);
			continue;
		}
		vec_push(&files, ((struct old_file){ path, (uint64_t)st.st_size, st.st_mtim }));
		sum += (uint64_t)st.st_size;
	}
	if (list)
		closedir(list);
	if (files.len)
		qsort(files.at, files.len, sizeof *files.at, by_age);
	for (size_t i = 0; i < files.len; i++) {
		if (sum > most && unlink(files.at[i].path.text) == 0)
			sum -= files.at[i].size;
		str_release(&files.at[i].path);
	}
	vec_release(&files);
}

bool cache_close(struct cache_writer *writer, bool keep, struct err *err)
{
	cache_seal(writer);
	keep = writer_close(writer->writer, keep, NULL, err);
	if (keep) {
		*strrchr(writer->path, '/') = '\0';
		cache_trim(writer->path, CACHE_MOST);
	}
	free(writer->path);
	free(writer);
	return keep;
}
