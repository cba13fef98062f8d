/* The only file that knows zlib. */
#include "dump/format/gzip.h"

#include <stdio.h>
#include <stdlib.h>

#include <zlib.h>

#include "dump/base/mem.h"
#include "dump/base/writer.h"

enum { GZIP_WINDOW = 15 + 16, RAW_WINDOW = -15, MEMORY_LEVEL = 8, CHUNK = 64 * 1024 };

static bool deflate_all(z_stream *z, FILE *out)
{
	unsigned char chunk[CHUNK];
	int state;

	do {
		size_t n;

		z->next_out = chunk;
		z->avail_out = sizeof chunk;
		state = deflate(z, Z_FINISH);
		n = sizeof chunk - z->avail_out;
		if (fwrite(chunk, 1, n, out) != n)
			return false;
	} while (state == Z_OK || state == Z_BUF_ERROR);
	return state == Z_STREAM_END;
}

static bool deflate_to(FILE *out, const void *bytes, size_t len)
{
	z_stream z = {0};
	bool ok = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
	                       Z_DEFAULT_STRATEGY) == Z_OK;

	if (ok) {
		z.next_in = (z_const Bytef *)bytes;
		z.avail_in = (uInt)len;
		ok = deflate_all(&z, out);
		deflateEnd(&z);
	}
	return ok;
}

bool gzip_write(const char *path, const void *bytes, size_t len, struct err *err)
{
	struct writer *writer;
	bool ok;

	if (len > UINT32_MAX)
		return err_at(err, ERR_LIMIT, "command", 0, "%s: more than 4 GiB", path);
	writer = writer_open(path, WRITER_REPLACE, err);
	if (!writer)
		return false;
	ok = deflate_to(writer_stream(writer), bytes, len);
	if (!ok)
		err_fill(err, ERR_LIMIT, "command", 0, "%s: can't be compressed", path);
	return writer_close(writer, ok, NULL, err);
}

size_t gzip_head(const void *bytes, size_t len, void *out, size_t cap)
{
	z_stream z = { .next_in = (z_const Bytef *)bytes, .avail_in = (uInt)len,
	               .next_out = out, .avail_out = (uInt)cap };

	if (len > UINT32_MAX || cap > UINT32_MAX || inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return 0;
	inflate(&z, Z_SYNC_FLUSH);
	inflateEnd(&z);
	return cap - z.avail_out;
}

/* Unpacking. */

struct gunzip {
	struct file *file;
	z_stream z;
	uint64_t off, end; /* of the packed bytes that are left to take */
	uint64_t unpacked;               /* how many came out */
	bool one_member;                 /* nothing follows it */
	bool ended;
};

static struct gunzip *start(struct file *file, uint64_t off, uint64_t end, int window)
{
	struct gunzip *g = mem_alloc(sizeof *g);

	g->file = file;
	g->off = off;
	g->end = end;
	g->one_member = window == RAW_WINDOW;
	if (inflateInit2(&g->z, window) != Z_OK)
		g->ended = true;
	return g;
}

struct gunzip *gunzip_new(struct file *file)
{
	return start(file, 0, UINT64_MAX, GZIP_WINDOW);
}

struct gunzip *gunzip_new_raw(struct file *file, uint64_t off, uint64_t len)
{
	return start(file, off, off + len, RAW_WINDOW);
}

void gunzip_free(struct gunzip *g)
{
	if (!g)
		return;
	inflateEnd(&g->z);
	free(g);
}

uint64_t gunzip_packed(const struct gunzip *g)
{
	return g->off - g->z.avail_in;
}

/* More of the packed bytes. False at their end, or with *err. */
static bool feed(struct gunzip *g, struct err *err)
{
	size_t len;
	const void *bytes = g->off < g->end ? file_some(g->file, g->off, &len, err) : NULL;

	if (!bytes)
		return false;
	if (len > g->end - g->off)
		len = (size_t)(g->end - g->off);
	if (len > UINT32_MAX)
		len = UINT32_MAX;
	g->z.next_in = (z_const Bytef *)bytes;
	g->z.avail_in = (uInt)len;
	g->off += len;
	return true;
}

static void stop(struct gunzip *g, enum err_code code, const char *msg, struct err *err)
{
	g->ended = true;
	if (!err->code)
		err_fill(err, code, g->file->path, gunzip_packed(g), "%s", msg);
}

/* After a member: is there one more? What else follows is no part of the text. */
static bool next_member(struct gunzip *g, struct err *err)
{
	if (g->one_member)
		return false;
	if (!g->z.avail_in && !feed(g, err))
		return false;
	return *g->z.next_in == 0x1f && inflateReset(&g->z) == Z_OK;
}

static bool is_bomb(const struct gunzip *g)
{
	return g->unpacked > UNPACKED_MOST
	       || (!g->one_member && unpacked_is_bomb(g->unpacked, gunzip_packed(g)));
}

size_t gunzip_read(struct gunzip *g, void *out, size_t cap, struct err *err)
{
	size_t got = 0;

	if (cap > UINT32_MAX)
		cap = UINT32_MAX;
	g->z.next_out = out;
	g->z.avail_out = (uInt)cap;
	while (!g->ended && !got) {
		int state;

		if (!g->z.avail_in && !feed(g, err)) {
			stop(g, ERR_FORMAT, "the compressed file is cut", err);
			break;
		}
		state = inflate(&g->z, Z_NO_FLUSH);
		got = cap - g->z.avail_out;
		if (state == Z_STREAM_END && !next_member(g, err))
			g->ended = true;
		else if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
			stop(g, ERR_FORMAT, g->z.msg ? g->z.msg : "damaged", err);
	}
	g->unpacked += got;
	if (is_bomb(g))
		stop(g, ERR_LIMIT, "more comes out than is read", err);
	return got;
}
