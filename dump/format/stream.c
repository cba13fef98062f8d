#include "dump/format/stream.h"

#include <errno.h>

enum { SOME_LEAST = 16 * 1024 };

static la_ssize_t read_some(struct archive *archive, void *owner, const void **out)
{
	struct stream *s = owner;
	uint64_t left = s->at < s->file->size ? s->file->size - s->at : 0;
	size_t n = left < s->some ? (size_t)left : s->some;

	if (n && !file_read(s->file, s->at, n, s->block, s->err)) {
		archive_set_error(archive, EIO, "%s", "it can't be read");
		return -1;
	}
	s->at += n;
	if (s->some < sizeof s->block)
		s->some *= 2;
	*out = s->block;
	return (la_ssize_t)n;
}

static la_int64_t skip(struct archive *archive, void *owner, la_int64_t wanted)
{
	struct stream *s = owner;
	uint64_t left = s->at < s->file->size ? s->file->size - s->at : 0;
	uint64_t n = (uint64_t)wanted < left ? (uint64_t)wanted : left;

	(void)archive;
	s->at += n;
	s->some = SOME_LEAST;
	return (la_int64_t)n;
}

bool stream_open(struct stream *stream, struct file *file, struct archive *archive)
{
	stream->file = file;
	stream->at = 0;
	stream->some = SOME_LEAST;
	return archive_read_open2(archive, stream, NULL, read_some, skip, NULL) == ARCHIVE_OK;
}
