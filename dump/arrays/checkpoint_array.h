#ifndef DUMP_CHECKPOINT_ARRAY_H
#define DUMP_CHECKPOINT_ARRAY_H

#include "dump/arrays/array.h"

/* The tensors of a checkpoint (dump/arrays/checkpoint.h) as arrays. */
extern const struct array_format array_checkpoint;

#endif
