#ifndef DUMP_V2_INDEX_H
#define DUMP_V2_INDEX_H

#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/model/program_parts.h"
#include "dump/v2/event.h"
#include "dump/v2/parts.h"

/* The last name of a kind, as most names are the same as the one before. */
struct last_name {
	struct str text;
	uint32_t number;
};

struct indexing {
	struct program *program;
	struct v2_reading *reading;
	struct program_place at;         /* the record being read */
	uint64_t len;                    /* of its payload */
	struct file *file;
	struct err err;                  /* why index_event returned false */
	struct str scratch;
	struct last_name graph, device;
	uint32_t last_key;               /* of the trace before */
	VEC(uint32_t) next_key;          /* by key: the key that last came after it */
	struct event_op op;
	struct event_execution execution;
	struct event_location location;
};

/*
 * Adds the content of an event to the program. False, with nothing added except names: it is not
 * what its tag says, or it can't be read (x->err).
 */
bool index_event(struct indexing *x, const struct event *event);
void index_release(struct indexing *x);

#endif
