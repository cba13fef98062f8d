#ifndef CMDS_NPY_H
#define CMDS_NPY_H

#include <stdbool.h>

#include "dump/base/str.h"
#include "dump/model/value.h"

/* Can a .npy file hold elements of this type without pickling? */
bool npy_holds(const struct dtype_info *type);

/*
 * Appends what stands before the elements in a .npy file, format 1.0. The elements follow row by
 * row, the lowest byte of each number first. For a type that npy_holds.
 * Source: numpy/lib/format.py.
 */
void npy_put_header(struct str *out, const struct dtype_info *type, const struct shape *shape);

#endif
