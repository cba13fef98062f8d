#include "dump/arrays/checkpoint_array.h"
#include "dump/arrays/msprobe.h"
#include "dump/arrays/npy.h"
#include "dump/arrays/npz.h"
#include "dump/arrays/onnx.h"
#include "dump/arrays/safetensors.h"
#include "dump/arrays/torch_array.h"

const struct array_format *const array_formats[] = {
	&array_npy, &array_npz, &array_safetensors, &array_safetensors_index, &array_onnx,
	&array_torch, &array_checkpoint, &array_msprobe, NULL
};
