#ifndef DUMP_CHECKPOINT_NAMES_H
#define DUMP_CHECKPOINT_NAMES_H

#include "dump/arrays/checkpoint.h"

/*
 * Variables of TensorFlow 2 are saved by their place in the tree of the program's objects
 * ("net/layers/0/w"); the graph of objects that is saved beside them has the names that they have
 * themselves ("dense/kernel"), of which several may have the same. They become full_name, in the
 * checkpoint's memory. Nothing is done where there is no such graph, or its shard is not there.
 * False with *err: it is damaged, or ERR_CANCELLED.
 * Source  tensorflow/core/protobuf/trackable_object_graph.proto.
 */
bool checkpoint_read_names(const char *prefix, struct checkpoint *checkpoint,
                           struct progress *progress, struct err *err);

#endif
