#ifndef DUMP_WALK_PARTS_H
#define DUMP_WALK_PARTS_H

#include "dump/files/walk.h"

/* What walk.c and walk_ahead.c share; nobody else includes it. */

/* A directory with sub-directories to come. */
struct level {
	int fd;                  /* -1: closed for now */
	size_t dir_len;          /* of its path in walk.dir */
	/* its list in walk.subdirs: where it begins, the next one, its end */
	size_t names, next, end;
	struct errand *errands;  /* what comes after the end of the list, in order; usually none */
};

struct walk {
	const struct walk_sink *sink;
	struct listing list;
	struct str dir;
	struct str subdirs;      /* names, each with its NUL */
	VEC(struct level) levels;
	int start_fd;
};

/* Into the last level's next directory, or back from it. False if the sink ended the walk. */
bool walk_step(struct walk *walk);
void walk_release(struct walk *walk);    /* start_fd stays open */

/*
 * A second thread that walks some of the sub-directories that are still to come and notes what it
 * finds there: an errand, which hangs at the level they were taken from.
 */
struct ahead;
struct ahead *ahead_new(void);           /* NULL: there is no thread to be had */
void ahead_free(struct ahead *ahead);    /* stops it; may be NULL. Errands are still the walk's */
/* If it has nothing to do: sends it away with the later half of some list. */
void ahead_send(struct ahead *ahead, struct walk *walk);
/*
 * The list of the last level is at its end: the first errand there is stopped, what it found goes
 * to the sink, and the walk goes on where it was. False if the sink ended the walk.
 */
bool ahead_take(struct ahead *ahead, struct walk *walk);
void errands_free(struct errand *first);

#endif
