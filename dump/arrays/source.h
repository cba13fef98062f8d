#ifndef DUMP_SOURCE_H
#define DUMP_SOURCE_H

#include "dump/arrays/array.h"
#include "dump/files/walk.h"
#include "dump/model/reader.h"

/*
 * The sources of arrays in a PATH, by names alone: a file, or all below a directory, in the natural
 * order of their paths.
 */
struct array_source {
	const char *path;        /* below PATH; "": it is PATH itself */
	const char *name;        /* what an array is called that is called as its source */
	const char *device;      /* NULL: no part of the path says it */
	const struct array_format *format;
	int64_t step;            /* -1: none */
};

struct array_sources {
	VEC(struct array_source) at;
	VEC(struct run_step) steps;      /* there are, by number; empty: none, or not the same */
	bool cut;                        /* there are more files than are looked at */
	/* Set by the caller: they are known to be of steps, though the last may not be whole. */
	bool of_steps;
	struct arena mem;
};

/*
 * most: so many files are looked at. skipped gets what could not be: as in struct walk_sink. False:
 * *err says why PATH can't be read.
 */
bool array_sources_of(const char *path, uint64_t most, void *owner,
                      void (*skipped)(void *owner, enum walk_skip what, const char *path,
                                      const char *why),
                      struct array_sources *out, struct err *err);
void array_sources_release(struct array_sources *sources);

/* The format of a file in a directory, or of one that PATH names; NULL: none. */
const struct array_format *array_format_named(const char *name);
const struct array_format *array_format_of(const char *path);

#endif
