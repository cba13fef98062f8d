#ifndef DUMP_ZSTD_H
#define DUMP_ZSTD_H

#include "dump/format/file.h"

#define ZSTD_SIGN "\x28\xb5\x2f\xfd"

/* A file packed with zstd; as of gzip (gzip.h), also its limits. */
struct unzstd;
struct unzstd *unzstd_new(struct file *file);            /* the file is borrowed */
size_t unzstd_read(struct unzstd *unzstd, void *out, size_t cap, struct err *err);
uint64_t unzstd_packed(const struct unzstd *unzstd);     /* bytes of the file that were taken */
void unzstd_free(struct unzstd *unzstd);                 /* NULL: nothing */

#endif
