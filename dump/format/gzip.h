#ifndef DUMP_GZIP_H
#define DUMP_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/err.h"

/* Writes bytes as a gzip file, the same bytes each time: no name, no date. ERR_IO. */
bool gzip_write(const char *path, const void *bytes, size_t len, struct err *err);

/*
 * Unpacks the beginning of a gzip file; how many bytes came out, at most cap. What is cut or
 * damaged ends there.
 */
size_t gzip_head(const void *bytes, size_t len, void *out, size_t cap);

#endif
