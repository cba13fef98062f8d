#ifndef DUMP_NPY_H
#define DUMP_NPY_H

#include "dump/arrays/array.h"

/* One array, called as its file is: a head (npy_head.h), then the elements up to the file's end. */
extern const struct array_format array_npy;

#endif
