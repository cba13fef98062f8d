#ifndef DUMP_SAFETENSORS_H
#define DUMP_SAFETENSORS_H

#include "dump/arrays/array.h"

/*
 * safetensors: the length of a JSON object, the object with type, shape and place of each tensor,
 * then the elements. An index (*.safetensors.index.json) names the files that hold the tensors of
 * one model: they are looked for in its own directory.
 * Source: github.com/huggingface/safetensors, README.
 */
extern const struct array_format array_safetensors;
extern const struct array_format array_safetensors_index;

/* Lists one file; device: NULL, or what its arrays are said to be on. */
bool safetensors_list(const char *path, const char *device, struct array_list *out,
                      struct err *err);

#endif
