#ifndef DUMP_BELOW_H
#define DUMP_BELOW_H

#include "dump/files/walk.h"

/*
 * What lies below a directory, looked at level by level, and only so much of it that no PATH takes
 * long: so many names, so many directories, so deep, and so long. What lies nearest is seen first.
 * Links are not followed, names that begin with a dot are passed over.
 */
#define BELOW_NAMES 20000
#define BELOW_DIRS 2000
#define BELOW_DEPTH 8
#define BELOW_MS 800

struct below_dir {
	const char *path;        /* as it is opened */
	const char *name;        /* below the start: "a/b"; "" for the start itself */
	size_t depth;            /* 0: the start */
	const struct listing *list;
};

struct below_sink {
	void *owner;
	/* False: what is below it is of no interest. *stop may be set to end the walk. */
	bool (*dir)(void *owner, const struct below_dir *dir, bool *stop);
};

/* What was seen of it. */
struct below_seen {
	size_t names;
	bool whole;              /* no bound was met, and the sink did not end it */
	size_t unread;           /* directories below the start that could not be listed, */
	struct err first_unread; /* and why the first of them could not */
};
void below_walk(const char *path, const struct below_sink *sink, struct below_seen *seen);

#endif
