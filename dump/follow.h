#ifndef DUMP_FOLLOW_H
#define DUMP_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Watches a session root, or a dump, while a program writes it: which runs came, went and changed.
 * Only names and sizes are read; nothing is ever written, locked or waited for.
 *
 * Events come from inotify: for the root, and for the runs that changed last. Where there are none
 * (the system's limit of watches is reached, or the files are on another machine) directories are
 * looked at once a second. A path that does not exist yet may still appear.
 *
 * Deleted files are no news: what was known about them is worth keeping.
 *
 * Times are the caller's: milliseconds of a clock that never goes back.
 */
struct follow;
struct reader;

#define FOLLOW_LOOK_MS 1000      /* between looks where events don't come */

/* What is new since the last call; the names are valid until the next. */
struct follow_news {
	bool any;                /* the rest says what */
	bool came;               /* PATH is there now */
	bool went;               /* PATH is gone; it may come back */
	bool runs;               /* runs came or went */
	const char *const *changed;      /* runs with new or written files; ".": the root */
	size_t n_changed;
};

/*
 * The reader knows which directories are runs; NULL: nothing is a run yet. `look`: without events,
 * as if they never came.
 */
struct follow *follow_start(const char *path, const struct reader *reader, bool look,
                            int64_t now_ms);
void follow_free(struct follow *follow);

int follow_fd(const struct follow *follow);      /* readable after an event; -1: there are none */
/* How long a caller may sleep if nothing becomes readable; -1: for ever. */
int64_t follow_sleep_ms(const struct follow *follow, int64_t now_ms);
void follow_read(struct follow *follow, int64_t now_ms, struct follow_news *news);

/* When something last happened in this run, a file that grew included; -1: nothing was seen. */
int64_t follow_last_ms(const struct follow *follow, const char *run);
/* "Looking once a second: ...": why events are not enough; NULL if they are. */
const char *follow_note(const struct follow *follow);

#endif
