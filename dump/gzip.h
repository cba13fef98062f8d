#ifndef DUMP_GZIP_H
#define DUMP_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/err.h"

/* Writes bytes as a gzip file, the same bytes each time: no name, no date. ERR_IO. */
bool gzip_write(const char *path, const void *bytes, size_t len, struct err *err);

#endif
