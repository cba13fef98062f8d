#ifndef DUMP_GRAPH_ATTR_H
#define DUMP_GRAPH_ATTR_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/str.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"
#include "dump/model/graph.h"

/*
 * Single attributes of many nodes of a graph, taken from its file one after the other; graph_attrs
 * is for all of one node, as text. One reader serves one thread, and as long as the graph.
 * Source: AttrValue, tensorflow/core/framework/attr_value.proto.
 */
struct attr_reader {
	const struct graph *graph;
	struct file file;        /* fd -1: it could not be opened; then there are no attributes */
	struct str scratch;
	struct err fault;        /* the first that kept an attribute from being read */
};

bool attr_reader_open(struct attr_reader *reader, const struct graph *graph, struct err *err);
void attr_reader_close(struct attr_reader *reader);

/* False: the node has no such attribute, it is of another kind, or it is damaged. */
bool attr_find_text(struct attr_reader *reader, uint32_t node, const char *key, struct str *out);
bool attr_find_type(struct attr_reader *reader, uint32_t node, const char *key, uint64_t *wire);
/* A TensorProto: where it lies in the graph's file. */
bool attr_find_tensor(struct attr_reader *reader, uint32_t node, const char *key,
                      struct span *out);

#endif
