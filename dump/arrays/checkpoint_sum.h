#ifndef DUMP_CHECKPOINT_SUM_H
#define DUMP_CHECKPOINT_SUM_H

#include "dump/arrays/checkpoint.h"

/*
 * Are a tensor's bytes those that were saved? Reads all of them, in pieces. True also if they can't
 * be read, which its value will tell, or if there is no sum.
 */
bool checkpoint_is_sound(const char *prefix, uint32_t n_shards,
                         const struct checkpoint_tensor *tensor);

#endif
