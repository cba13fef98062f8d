#ifndef DUMP_SNAPPY_H
#define DUMP_SNAPPY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes packed with snappy, without its frames.
 * Source  google/snappy, format_description.txt.
 */

/* How many bytes come out, and where in the bytes the packed ones begin. False: it doesn't say. */
bool snappy_length(const void *bytes, size_t len, size_t *unpacked, size_t *begin);

/* Unpacks to just that many bytes. False: the bytes are damaged; out then holds anything. */
bool snappy_unpack(const void *bytes, size_t len, void *out, size_t unpacked);

#endif
