#ifndef DUMP_COMPARE_FLOATS_H
#define DUMP_COMPARE_FLOATS_H

#include "dump/model/compare.h"

enum { COMPARE_FLOATS_MOST = 1024 };

/*
 * The differences of n (at most COMPARE_FLOATS_MOST) pairs of float32, all at once: *out is added
 * to as the comparison of single elements would, `at` being the number of the first one. False: one
 * is NaN or infinite, and nothing is added.
 */
bool compare_floats(const float *now, const float *before, size_t n,
                    const struct tolerance *tolerance, uint64_t at, struct compared *out);

#endif
