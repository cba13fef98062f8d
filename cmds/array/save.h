#ifndef CMDS_SAVE_H
#define CMDS_SAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/value.h"

/*
 * Saves an array, or what a slice leaves of it, in the format that the path's ending names:
 *   .csv  text, the last axis across and the others down, each element as in CSV answers
 *   .bin  the elements alone, row by row, the lowest byte of each number first
 *   else  a .npy file, as numpy.save writes it
 * It streams, so the array may be larger than memory. The file is written as dump/base/writer.h
 * has it: a failure leaves an old one as it was. *size_bytes is the file's size.
 * Errors  ERR_TYPE for elements the format can't hold (.bin: strings; .npy: all that numpy would
 *         pickle), ERR_IO with the path in msg if the file can't be written, ERR_CANCELLED, and
 *         what reading the view gives.
 */
bool save_view(const char *path, struct view *view, uint64_t *size_bytes,
               struct progress *progress, struct err *err);

#endif
