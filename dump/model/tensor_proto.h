#ifndef DUMP_TENSOR_PROTO_H
#define DUMP_TENSOR_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/format/file.h"
#include "dump/format/repeated.h"
#include "dump/format/wire.h"
#include "dump/model/value.h"

/*
 * What the keys of a TensorProto tell: type, shape and where its content lies. The content itself
 * is not read.
 * A message that comes in pieces is read as protobuf merges them: the last number counts, lists are
 * joined.
 * Source: tensorflow/core/framework/tensor.proto, tensor_shape.proto;
 * tensorflow/core/util/event.proto.
 */
#define TENSOR_PIECES 16

struct tensor_proto {
	struct span piece[TENSOR_PIECES];
	size_t n_pieces;
	uint64_t dtype;          /* as on the wire; 0 if absent */
	uint64_t dtype_off;
	struct shape shape;      /* dimensions as written: they may be negative */
	uint64_t shape_off;
	struct span content;     /* tensor_content; len 0: none */
	struct span float8;      /* float8_val */
	struct repeated strings; /* string_val */
};

/*
 * The tensor of an Event's first value. Fills in the pieces. ERR_FORMAT: there is none;
 * ERR_LIMIT: more than TENSOR_PIECES of them.
 */
bool tensor_proto_of_event(struct file *file, struct tensor_proto *proto, struct err *err);

/* Reads the rest; then proto may not move. ERR_LIMIT: rank over SHAPE_MAX_RANK. err not NULL. */
bool tensor_proto_read(struct file *file, struct tensor_proto *proto, struct err *err);
void tensor_proto_release(struct tensor_proto *proto);

#endif
