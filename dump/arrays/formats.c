#include "dump/arrays/checkpoint_array.h"
#include "dump/arrays/msprobe.h"
#include "dump/arrays/npy.h"
#include "dump/arrays/torch_array.h"

const struct array_format *const array_formats[] = {
	&array_npy, &array_torch, &array_checkpoint, &array_msprobe, NULL
};
