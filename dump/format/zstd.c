#include "dump/format/zstd.h"

#include <stdlib.h>
#include <string.h>

#include <archive_entry.h>

#include "dump/base/mem.h"
#include "dump/format/gzip.h"
#include "dump/format/stream.h"

struct unzstd {
	struct archive *archive;
	struct file *file;
	struct stream stream;
	const char *block;       /* what came out and was not taken */
	size_t left;
	uint64_t unpacked;
	bool started, ended;
};

struct unzstd *unzstd_new(struct file *file)
{
	struct unzstd *u = mem_alloc(sizeof *u);

	u->file = file;
	u->archive = archive_read_new();
	if (u->archive) {
		archive_read_support_format_raw(u->archive);
		archive_read_support_filter_zstd(u->archive);
	}
	return u;
}

void unzstd_free(struct unzstd *u)
{
	if (!u)
		return;
	archive_read_free(u->archive);
	free(u);
}

uint64_t unzstd_packed(const struct unzstd *u)
{
	return u->stream.at;
}

static size_t stop(struct unzstd *u, enum err_code code, const char *msg, struct err *err)
{
	u->ended = true;
	if (!err->code)
		err_fill(err, code, u->file->path, unzstd_packed(u), "%s",
		         msg ? msg : "damaged");
	return 0;
}

/*
 * What libarchive knows nothing of is a member for it. False at the end, which is told, or after an
 * error.
 */
static bool next_block(struct unzstd *u)
{
	struct archive_entry *entry;
	la_int64_t off;
	const void *block;
	int state = ARCHIVE_OK;

	if (!u->started)
		state = !stream_open(&u->stream, u->file, u->archive)
		        ? ARCHIVE_FATAL : archive_read_next_header(u->archive, &entry);
	u->started = true;
	while (state == ARCHIVE_OK && !u->left) {
		state = archive_read_data_block(u->archive, &block, &u->left, &off);
		u->block = block;
	}
	u->ended = state == ARCHIVE_EOF;
	return u->left;
}

size_t unzstd_read(struct unzstd *u, void *out, size_t cap, struct err *err)
{
	size_t n;

	if (u->ended && !u->left)
		return 0;
	if (!u->archive)
		return stop(u, ERR_LIMIT, "no memory to unpack it", err);
	u->stream.err = err;
	if (!u->left && !next_block(u))
		return u->ended ? 0
		                : stop(u, ERR_FORMAT, archive_error_string(u->archive), err);
	n = u->left < cap ? u->left : cap;
	memcpy(out, u->block, n);
	u->block += n;
	u->left -= n;
	u->unpacked += n;
	if (u->unpacked > UNPACKED_MOST || unpacked_is_bomb(u->unpacked, unzstd_packed(u)))
		return stop(u, ERR_LIMIT, "more comes out than is read", err);
	return n;
}
