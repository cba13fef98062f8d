#ifndef DUMP_FOLLOW_H
#define DUMP_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What happens in a session root, or in a dump, while a program writes it: which runs came, went and changed.
 * Nothing is read but names and sizes, and nothing is ever written, locked or waited for.
 *
 * Events come from inotify: of the root, and of the runs that changed last. Where they do not come (the system's
 * limit of watches is reached, or the files are on another machine) directories are looked at once a second.
 * A path that is not there yet is waited for.
 *
 * Files that go are no news: what was known of them is still worth more than nothing.
 *
 * Times are the caller's: milliseconds of a clock that never goes back.
 */
struct follow;
struct reader;

#define FOLLOW_LOOK_MS 1000      /* between looks where events don't come */

/* What is new since the last time it was asked; the names are good until the next time. */
struct follow_news {
	bool any;                /* the rest says what */
	bool came;               /* PATH is there now */
	bool went;               /* PATH is not there any more; it is waited for */
	bool runs;               /* runs came or went */
	const char *const *changed;      /* runs in which files came or were written; "." is the root itself */
	size_t n_changed;
};

/*
 * The reader knows which directories are runs; NULL: nothing is a run yet. `look`: without events,
 * as if they never came.
 */
struct follow *follow_start(const char *path, const struct reader *reader, bool look, int64_t now_ms);
void follow_free(struct follow *follow);

int follow_fd(const struct follow *follow);      /* readable when something happened; -1: nothing ever is */
/* How long a caller may sleep if nothing becomes readable; -1: for good. */
int64_t follow_sleep_ms(const struct follow *follow, int64_t now_ms);
void follow_read(struct follow *follow, int64_t now_ms, struct follow_news *news);

/* When something last happened in this run, a file that grew included; -1: nothing was seen. */
int64_t follow_last_ms(const struct follow *follow, const char *run);
/* "Looking once a second: ...": why events are not enough; NULL if they are. */
const char *follow_note(const struct follow *follow);

#endif
