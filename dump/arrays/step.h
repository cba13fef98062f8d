#ifndef DUMP_STEP_H
#define DUMP_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/str.h"

/*
 * What the path of a file of arrays says besides their names: the step they are of (step_10,
 * iter=10, epoch10, model.ckpt-10) and the device (rank0, proc4711).
 */
struct path_parts {
	int64_t step;            /* -1: none */
	bool is_bare;            /* only a number at the end says so, which may mean anything */
	struct str step_text;    /* "step_10" */
	struct str device;       /* "rank0"; empty: none */
	struct str name;         /* the path without the device */
	struct str stepless;     /* and without the step */
};

/*
 * Of a path without the ending of its file. bare: the sign before a number at its end that counts
 * as a step too; 0: none does. Start with {0}; it may be used for one path after the other.
 */
void path_parts_read(struct path_parts *parts, const char *path, char bare);
void path_parts_release(struct path_parts *parts);
/* Does a directory of this name hold a step, as those of recorders do: "step_10"? */
bool name_is_of_step(const char *name);

#endif
