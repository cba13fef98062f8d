#ifndef DUMP_NPZ_H
#define DUMP_NPZ_H

#include "dump/arrays/array.h"

/*
 * A zip archive of .npy files, as numpy.savez writes it. An array is called as its member, which is
 * a name and never a path. What no .npy file is has no row.
 */
extern const struct array_format array_npz;

#endif
