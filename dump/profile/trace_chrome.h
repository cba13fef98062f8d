#ifndef DUMP_TRACE_CHROME_H
#define DUMP_TRACE_CHROME_H

#include "dump/profile/trace_source.h"

/*
 * Chrome trace JSON, as PyTorch (Kineto), JAX, TensorFlow, onnxruntime and rocprof write it, plain
 * or packed with gzip. A file that is cut or wrong somewhere gives what was read before.
 */
extern const struct trace_source chrome_source;

#endif
