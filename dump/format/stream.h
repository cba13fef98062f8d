#ifndef DUMP_STREAM_H
#define DUMP_STREAM_H

#include <archive.h>

#include "dump/format/file.h"

/* A file as libarchive reads it. Only tar.c and zstd.c include this. */
struct stream {
	struct file *file;       /* borrowed */
	uint64_t at;             /* what comes next */
	struct err *err;         /* why it can't be read; NULL: nobody asks */
	size_t some;             /* of the block; more the longer nothing was skipped */
	unsigned char block[128 * 1024];
};

/* At the beginning of the file, all of which has to be read. False: archive says why. */
bool stream_open(struct stream *stream, struct file *file, struct archive *archive);

#endif
