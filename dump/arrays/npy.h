#ifndef DUMP_NPY_H
#define DUMP_NPY_H

#include "dump/model/reader.h"

/*
 * The array in a file. NULL with ERR_IO, ERR_FORMAT (damaged, or no such file), ERR_LIMIT, or
 * ERR_UNSUPPORTED (sound, but its elements are not read). *behind: so many bytes are left behind
 * them, which mean nothing.
 */
struct value *npy_open(const char *path, uint64_t *behind, struct err *err);

extern const struct reader reader_npy;

#endif
