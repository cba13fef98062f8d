#ifndef DUMP_PART_NAMES_H
#define DUMP_PART_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/vec.h"

/*
 * The names in a directory that may be parts of a profile. If there are too many to examine, those
 * that look like parts come first.
 */
struct part_names {
	VEC(const char *) at;            /* in no order; all in mem */
	size_t n_all;                    /* without directories and hidden files */
};

bool part_names_read(const char *path, size_t max, struct arena *mem, struct part_names *out,
                     struct err *err);
void part_names_release(struct part_names *names);

/* Is it a name that profilers use: *.pb, *.pbtxt? */
bool part_name_is_usual(const char *name);
/*
 * Do two names differ by numbers only, as those of steps do: run_metadata.pb and
 * run_metadata_12.pb?
 */
bool part_names_are_alike(const char *a, const char *b);

#endif
