#ifndef DUMP_CACHE_H
#define DUMP_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"

/*
 * What was found out about something large, kept for the next time: a file for each in
 * $XDG_CACHE_HOME/tensordbg, else ~/.cache/tensordbg, for its owner alone; never in PATH. All of
 * them together have at most CACHE_MOST bytes, the oldest go first.
 * A file is taken only if it was written whole, by this version of the program on a machine like
 * this one, and about what is still there (struct cache_of). It is a way to begin sooner, and
 * nothing depends on it.
 */
#define CACHE_MOST (UINT64_C(2) << 30)

/* Of less than so many items nothing is kept. UINT64_MAX: nothing is taken or kept at all. */
extern uint64_t cache_least;

/* What it is about: at this path is this file or directory, as it was when it was changed last. */
struct cache_of {
	const char *kind;        /* "run": what the rest of the file is, and how it is laid out */
	const char *path;        /* without links; the heap's */
	uint64_t dev, ino, size;
	int64_t changed_ns, status_ns;   /* the latter nobody can set back */
};
/* Of what is there now. False: there is nothing. cache_of_release either way. */
bool cache_of(struct cache_of *of, const char *kind, const char *path);
void cache_of_release(struct cache_of *of);

/*
 * Has it been left alone for a while? What was changed just now may change again without another
 * time: of a file that is not read again to find that out, nothing is kept.
 */
extern int64_t cache_rest_ns;
bool cache_is_at_rest(const struct cache_of *of);

/* Where that is kept; false: there is no place, neither XDG_CACHE_HOME nor HOME. */
bool cache_path(const struct cache_of *of, struct str *out);

/*
 * Reading. Each cache_get takes the next bytes; false after the end, and from then on. Only what
 * stands before a cache_sealed that is true, or a cache_end, is known to be what had been put.
 */
struct cache_reader;
/* NULL: there is nothing. *err says so if there is, and it can't be used. */
struct cache_reader *cache_open(const struct cache_of *of, struct err *err);
bool cache_get(struct cache_reader *reader, void *out, uint64_t len);
bool cache_sealed(struct cache_reader *reader);          /* where cache_seal was called */
uint64_t cache_left(const struct cache_reader *reader);  /* bytes: no list is longer */
bool cache_end(struct cache_reader *reader, struct err *err);

/* Writing: whoever reads meanwhile has the old file, or none. */
struct cache_writer;
struct cache_writer *cache_create(const struct cache_of *of, struct err *err);
void cache_put(struct cache_writer *writer, const void *bytes, uint64_t len);
void cache_seal(struct cache_writer *writer);
/* keep false: nothing is kept. True: the file is there; too old ones are gone. */
bool cache_close(struct cache_writer *writer, bool keep, struct err *err);
/* Removes the oldest files of a cache's directory until the rest has at most so many bytes. */
void cache_trim(const char *dir, uint64_t most);

#endif
