#ifndef DUMP_CHECKPOINT_H
#define DUMP_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/format/dtype.h"
#include "dump/format/sstable.h"
#include "dump/format/wire.h"

/*
 * The tensors of a TensorFlow checkpoint of version 2, as its table (PREFIX.index) lists them.
 * Their bytes are in shards, PREFIX.data-00000-of-00001 and so on, of which none is opened here. A
 * tensor that was saved in slices has its parts in the order it names them.
 * Source  tensorflow/core/protobuf/tensor_bundle.proto, core/util/saved_tensor_slice_util.cc.
 */

/* A part of a tensor: along each axis from start on, of this length. */
struct checkpoint_part {
	const int64_t *start, *length;   /* rank of the tensor each */
	uint32_t shard;
	uint64_t off, size_bytes;
	uint32_t sum;            /* masked CRC-32C of these bytes */
};

struct checkpoint_tensor {
	const char *name;        /* the key, without what variables of TensorFlow 2 end in */
	const char *full_name;   /* the variable's own (checkpoint_names.h); NULL: not known */
	uint64_t dtype;          /* as it is stored */
	const struct dtype_info *type;   /* NULL: it is not known */
	uint32_t rank;
	const int64_t *dim;
	uint64_t size_bytes;     /* as it is stored, of all parts */
	uint32_t shard;
	uint64_t off;            /* of its bytes in the shard, if it has no parts */
	uint32_t sum;            /* of these bytes; strings have a sum of their own kind */
	const struct checkpoint_part *part;      /* NULL: it is in one piece */
	uint32_t n_parts;
	const char *why;         /* a sentence: no value can be had; NULL: it can */
};

struct checkpoint {
	uint32_t n_shards;
	bool big_endian;
	VEC(struct checkpoint_tensor) tensors;   /* in the order of their keys */
	struct checkpoint_tensor objects;        /* the graph of objects, no tensor of these */
	bool has_objects;
	struct arena mem;
};

/*
 * Start with {0}; checkpoint_release either way. The file is that of the table, borrowed.
 * ERR_UNSUPPORTED: a checkpoint of version 1, or of a later one; ERR_FORMAT, ERR_LIMIT,
 * ERR_CANCELLED.
 */
bool checkpoint_open(struct checkpoint *checkpoint, struct file *file, struct progress *progress,
                     struct err *err);
void checkpoint_release(struct checkpoint *checkpoint);

/* Of a key, without what keys of variables of TensorFlow 2 end in. */
size_t checkpoint_name_len(const char *key, size_t len);

#endif
