#ifndef TESTS_MESSAGE_H
#define TESTS_MESSAGE_H

#include <stdint.h>

#include "dump/base/str.h"

/* Protocol buffers written by hand, and files that hold them. */
void put_varint(struct str *out, uint64_t value);
void put_fixed(struct str *out, uint64_t value,
               int size);               /* the lowest byte first */
void put_number(struct str *out, uint32_t field, uint64_t value);        /* as a varint */
void put_bytes(struct str *out, uint32_t field, const void *bytes, size_t len);
void put_message(struct str *out, uint32_t field, const struct str *message);

/* A record of a TFRecord file around these bytes, with its checksums. */
void put_tfrecord(struct str *out, const void *payload, size_t len);

/* A NodeDef as a node of a GraphDef; inputs are separated by spaces, device may be "". */
void put_node_def(struct str *out, const char *name, const char *op, const char *inputs,
                  const char *device);
/* A TensorProto's dtype and shape. */
void put_tensor_head(struct str *out, uint64_t dtype, uint32_t rank, const int64_t *dim);
/* The Event of a dumped tensor around a TensorProto. */
void put_event(struct str *out, const struct str *tensor);

/* A file with these bytes, the same one each time; it goes when the process ends. */
const char *file_of(const void *bytes, size_t len);

#endif
