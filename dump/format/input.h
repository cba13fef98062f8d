#ifndef DUMP_INPUT_H
#define DUMP_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"

/*
 * Bytes that can be read at any place, wherever they are: a part of a file, or what comes out of
 * one as it is unpacked. None is ever held whole. One input serves one thread.
 */
struct input {
	const char *path;        /* the file, for errors; borrowed */
	uint64_t size;
	void *owner;
	/* [off, off + len) is within the size. */
	bool (*read)(void *owner, uint64_t off, size_t len, void *out, struct err *err);
	void (*release)(void *owner);
};

/* [off, off + len) of a file; it has to be there. */
bool input_of_file(struct input *input, const char *path, uint64_t off, uint64_t len,
                   struct err *err);

/* All of a file. */
bool input_of_whole(struct input *input, const char *path, struct err *err);

/*
 * What [off, off + packed) of a file is unpacked to (raw deflate), which has to be len bytes. It is
 * unpacked as far as it is asked for, into a file without a name of temp_most bytes (unpack.h), and
 * only once while it is asked for again and again. ERR_LIMIT: it is more; reads also give
 * ERR_CANCELLED, when the work of the thread is cancelled (progress_enter).
 */
bool input_of_packed(struct input *input, const char *path, uint64_t off, uint64_t packed,
                     uint64_t len, struct err *err);

/* ERR_FORMAT for what goes beyond the end, and the errors of reading. */
bool input_read(struct input *input, uint64_t off, size_t len, void *out, struct err *err);

/* The CRC-32 of all of it. */
bool input_crc32(struct input *input, uint32_t *crc, struct err *err);

void input_release(struct input *input);         /* {0}, or released: nothing */

#endif
