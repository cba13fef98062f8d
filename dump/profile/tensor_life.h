#ifndef DUMP_TENSOR_LIFE_H
#define DUMP_TENSOR_LIFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/map.h"
#include "dump/base/str.h"
#include "dump/base/text.h"
#include "dump/base/vec.h"
#include "dump/profile/step.h"

/*
 * How long the tensors of a step lived: from where they were made to their last use. Start with
 * {0}. A name made again replaces the earlier tensor, at the same index.
 * Source: tensorflow/python/client/timeline.py, _TensorTracker and _show_memory_counters.
 */
struct tensor_life {
	int64_t from_us, to_us;          /* to: the latest unref */
	int64_t bytes;                   /* requested */
	uint32_t allocator;              /* allocators.key[] */
	uint32_t lane, row;              /* its maker's */
	int64_t made_us;                 /* when its maker ended */
	uint64_t object;                 /* its number: names before it */
};

struct tensor_lives {
	struct map names;                /* of a tensor: "node", "node:1" */
	VEC(struct tensor_life) at;      /* by name */
	struct map allocators;           /* in the order they were first seen; "": not recorded */
	struct arena mem;
	struct str scratch;
};

/*
 * Adds output i of a record of this node: *life without its bytes and allocator. Add all makers
 * before all takers; which records are which is up to the caller.
 */
uint32_t life_made(struct tensor_lives *lives, const char *node, bool node_stays, size_t i,
                   const struct node_output *output, const struct tensor_life *life);
/* The next of a label's inputs that is known, taken until end_us. False: none is left. */
bool life_taken(struct tensor_lives *lives, struct text *inputs, int64_t end_us, uint32_t *tensor);

/* name_stays: the name outlives these, and is not copied. */
uint32_t life_begin(struct tensor_lives *lives, const char *name, size_t len, bool name_stays,
                    const struct tensor_life *life, const char *allocator);
/*
 * The tensor that an input takes, by its name or the part before its last "/_"; MAP_NONE: unknown.
 */
uint32_t life_use(struct tensor_lives *lives, const char *input, size_t len, int64_t end_us);
void lives_release(struct tensor_lives *lives);

/* What happened to one allocator, by time, then bytes, then name: frees come first. */
struct life_event {
	int64_t us, bytes;
	uint32_t tensor;
};
struct life_events {
	VEC(struct life_event) at;
};
/* *first is where the events of each allocator begin, allocators.len + 1 numbers on the heap. */
void life_events_of(const struct tensor_lives *lives, struct life_events *out, size_t **first);

#endif
