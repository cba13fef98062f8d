#ifndef DUMP_TORCH_ARRAY_H
#define DUMP_TORCH_ARRAY_H

#include "dump/arrays/array.h"

/* The tensors of a file of torch.save (dump/arrays/torch.h) as arrays. */
extern const struct array_format array_torch;

#endif
