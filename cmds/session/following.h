#ifndef CMDS_FOLLOWING_H
#define CMDS_FOLLOWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/session/shell.h"

/*
 * What a program writes into PATH while it is open here. News is taken only while no command runs,
 * by the thread that draws: then the list of runs may grow, and what was known about a changed run
 * is forgotten. Only names are read; what a recorded program has written is read by another thread,
 * and taken when that is done.
 */

/* What is new; pointers are valid until the next call. */
struct news {
	bool any;                /* the rest says what */
	size_t came;             /* runs */
	size_t steps;            /* executions of a recorded program */
	/* Its numbers mean something else now: every answer must go at once. */
	bool anew;
	bool all;                /* every answer is outdated */
	const void *const *changed;      /* runs (as in doc_title) whose answers are outdated */
	size_t n_changed;
	const char *gone;        /* a line saying that the current run was deleted; or NULL */
	bool settled;            /* the run that changed last is quiet now */
	bool went;               /* PATH itself is gone */
	bool unread;             /* the rest is known after shell_read_news */
};

/* look: without events (dump/follow.h). False: PATH is no directory of a dump. */
bool shell_start_following(struct shell *shell, bool look);
void shell_stop_following(struct shell *shell);
bool shell_follows(const struct shell *shell);
/* Readable when there is news; -1: it never is. */
int shell_following_fd(const struct shell *shell);
/* How long to wait before looking for news without an event; -1: for ever. */
int64_t shell_following_sleep_ms(const struct shell *shell);
/* Why events are not enough; NULL: they are. */
const char *shell_following_note(const struct shell *shell);
void shell_take_news(struct shell *shell, struct news *out);
/* On any thread, while no command runs; then, on the one that draws, take what was read. */
void shell_read_news(struct shell *shell, struct progress *progress);
void shell_take_read_news(struct shell *shell, struct news *out);

/*
 * Is there a dump that shell_open would open, or several to choose from? *is_other: there is
 * something else, a profile or a file, that never becomes one.
 */
bool dump_is_at(const char *path, bool *is_other);
/* Sleeps until there is one or the other. */
void wait_for_dump(const char *path, bool look);

/*
 * For commands without a screen: sleeps until there is news and takes it. False after a cancel, or
 * at until_ms (of clock_ms; -1: no limit).
 */
struct call;
bool call_await_news(struct call *call, int64_t until_ms);

#endif
