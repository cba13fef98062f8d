#ifndef CMDS_SAVE_H
#define CMDS_SAVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/value.h"

/*
 * Saves an array, or what a slice leaves of it, in the format that the path's ending names:
 *   .csv  text, the last axis across and the others down, elements as in CSV answers
 *   .bin  only the elements, in row-major order, little-endian
 *   else  a .npy file, as numpy.save writes it
 * The array is streamed, so it may be larger than memory. The file is written with
 * dump/base/writer.h: on failure an old file stays as it was. *size_bytes is the new file's size.
 * Errors  ERR_TYPE if the format can't hold the elements (.bin: strings; .npy: what numpy would
 *         pickle), ERR_IO with the path in msg if the file can't be written, ERR_CANCELLED, and
 *         errors of reading the view.
 */
bool save_view(const char *path, struct view *view, uint64_t *size_bytes,
               struct progress *progress, struct err *err);
/*
 * As save_view, but the file stays beside its place until the caller ends *writer with
 * writer_place.
 */
struct writer;
bool save_view_beside(const char *path, struct view *view, struct writer **writer,
                      uint64_t *size_bytes, struct progress *progress, struct err *err);

/*
 * Only the elements, as .bin has them; not of strings. *crc, if it isn't NULL, is the CRC-32 of
 * what was written before and becomes that of all. False without *err: a write failed.
 */
bool save_elements(struct view *view, FILE *out, uint32_t *crc, struct progress *progress,
                   struct err *err);

#endif
