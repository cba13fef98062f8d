#ifndef DUMP_GZIP_H
#define DUMP_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/format/file.h"

/*
 * What is packed so well is made to fill memory or time. Deflate makes no more than 1032 bytes of
 * one, and of traces not 100. So much may come of nothing: 64 MiB.
 */
static inline bool unpacked_is_bomb(uint64_t unpacked, uint64_t packed)
{
	return unpacked > UINT64_C(64) << 20 && unpacked / 1000 > packed;
}

/* Writes a gzip file without name or date: the same bytes each time. Sets ERR_IO on failure. */
bool gzip_write(const char *path, const void *bytes, size_t len, struct err *err);

/*
 * Unpacks the beginning of a gzip file; how many bytes came out, at most cap. What is cut or
 * damaged ends there.
 */
size_t gzip_head(const void *bytes, size_t len, void *out, size_t cap);

/*
 * A gzip file unpacked piece by piece; several members are one text. Up to cap bytes go to out; 0
 * at the end, or where the file is cut or damaged: then *err says why (its offset is in the packed
 * file), and what was unpacked before is sound. Output that grows beyond all reason ends too
 * (ERR_LIMIT): above 64 GiB, and above 64 MiB if a byte became more than 1000.
 */
#define UNPACKED_MOST (UINT64_C(64) << 30)
struct gunzip;
struct gunzip *gunzip_new(struct file *file);            /* the file is borrowed */
/*
 * The same of [off, off + len) of a file, packed without the head of gzip, as in zip archives. It
 * serves what is read once, from its beginning to its end: members that go to a place of their own
 * (zip_read, archive.c). What is read at any place, and again, is an input_of_packed (input.h):
 * that unpacks with this and keeps what came out in a file, a copy the others have no use for.
 */
struct gunzip *gunzip_new_raw(struct file *file, uint64_t off, uint64_t len);
size_t gunzip_read(struct gunzip *gunzip, void *out, size_t cap, struct err *err);
uint64_t gunzip_packed(const struct gunzip *gunzip);     /* bytes of the file that were taken */
void gunzip_free(struct gunzip *gunzip);                 /* NULL: nothing */

#endif
