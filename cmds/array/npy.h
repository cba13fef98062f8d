#ifndef CMDS_NPY_H
#define CMDS_NPY_H

#include <stdbool.h>

#include "dump/base/str.h"
#include "dump/model/value.h"

/* Can a .npy file hold elements of this type without pickling? */
bool npy_holds(const struct dtype_info *type);

/*
 * Appends the header of a .npy file, format 1.0, for a type that npy_holds. The elements are to
 * follow it, in row-major order and little-endian.
 * Source: numpy/lib/format.py.
 */
void npy_put_header(struct str *out, const struct dtype_info *type, const struct shape *shape);

#endif
