#ifndef DUMP_SLICE_KEY_H
#define DUMP_SLICE_KEY_H

#include <stdint.h>

#include "dump/base/str.h"
#include "dump/base/text.h"

/*
 * The key under which a checkpoint keeps a part of a tensor: its name, and for each axis where the
 * part starts and how long it is, in a coding whose bytes sort as what they stand for.
 * Source  tensorflow/core/util/saved_tensor_slice_util.cc, core/lib/strings/ordered_code.cc.
 */
#define SLICE_WHOLE INT64_C(-1)          /* as a length: the whole axis */

void put_slice_key(struct str *out, struct text name, uint32_t rank, const int64_t *start,
                   const int64_t *length);

#endif
