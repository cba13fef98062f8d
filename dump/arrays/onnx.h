#ifndef DUMP_ONNX_H
#define DUMP_ONNX_H

#include "dump/arrays/array.h"

/*
 * A file of one ONNX TensorProto: the inputs and outputs of a model's test data
 * (test_data_set_N/input_K.pb), and what onnxruntime dumps of nodes (*.tensorproto).
 * Source: github.com/onnx/onnx, onnx/onnx.proto.
 */
extern const struct array_format array_onnx;

#endif
