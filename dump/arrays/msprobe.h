#ifndef DUMP_MSPROBE_H
#define DUMP_MSPROBE_H

#include "dump/arrays/array.h"

/*
 * A dump of msprobe (mindstudio-probe), as its dump.json lists it: the tensors that each call took
 * and gave, in the order of the calls, with what was recorded of each. Where values were stored too
 * they are in files beside it, dump_tensor_data/NAME, which are opened when a value is asked for.
 */
extern const struct array_format array_msprobe;

#endif
