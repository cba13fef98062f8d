#ifndef DUMP_CHECKPOINT_VALUE_H
#define DUMP_CHECKPOINT_VALUE_H

#include "dump/arrays/checkpoint.h"
#include "dump/model/value.h"

/* Values of a checkpoint that are more than elements one behind the other. */

/* "PREFIX.data-00000-of-00002" */
void put_shard_path(struct str *out, const char *prefix, uint32_t shard, uint32_t n_shards);

/* A tensor that was saved in parts, put together. What this is given has to stay. */
struct value *checkpoint_parts(const char *prefix, uint32_t n_shards, bool big_endian,
                               const struct checkpoint_tensor *tensor, struct err *err);

/*
 * The strings in [off, off + len) of a shard: the length of each, a checksum of these, and then
 * their bytes.
 * Source  tensorflow/core/util/tensor_bundle/tensor_bundle.cc, WriteStringTensor.
 */
struct value *checkpoint_texts(const char *path, uint64_t off, uint64_t len,
                               const struct shape *shape, struct err *err);

#endif
