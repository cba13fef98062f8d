#ifndef CMDS_NPY_H
#define CMDS_NPY_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/value.h"

/*
 * Writes a view as a .npy file, format 1.0, streaming; *size_bytes is the file's size. Written beside and renamed,
 * so a failure leaves an old file as it was. ERR_TYPE for types .npy can't hold without pickling.
 */
bool npy_write(const char *path, struct view *view, uint64_t *size_bytes, struct progress *progress, struct err *err);

#endif
