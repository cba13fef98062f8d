#ifndef DUMP_V2_TALLY_H
#define DUMP_V2_TALLY_H

#include <stddef.h>

#include "dump/format/dtype.h"
#include "dump/model/program.h"

/*
 * Adds n elements, in host byte order and of any alignment, to the counts of *health. Negative and
 * positive elements are finite. A complex number is zero if both parts are, NaN or infinite if a
 * part is, and never negative or positive. Not for bools, strings and opaque types.
 */
void tally(const struct dtype_info *type, const void *elems, size_t n, struct health *health);

#endif
