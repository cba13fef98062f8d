#ifndef DUMP_ARRAYS_H
#define DUMP_ARRAYS_H

#include "dump/model/reader.h"

/* Files of arrays as a dump: dump/arrays/array.h. */
extern const struct reader reader_arrays;

#endif
