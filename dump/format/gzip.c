/* The only file that knows zlib. */
#include "dump/format/gzip.h"

#include <stdio.h>

#include <zlib.h>

#include "dump/base/writer.h"

enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8, CHUNK = 64 * 1024 };

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
