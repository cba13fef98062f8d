#ifndef CMDS_FOLLOWING_H
#define CMDS_FOLLOWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/session/shell.h"

/*
 * What a program writes into PATH while it is open here. News are taken only while no command runs, and by the thread that
 * draws: the list of runs may grow then, and what was known of a run that changed is forgotten. Nothing but names is read.
 */

/* What is new; pointers are good until the next time. */
struct news {
	bool any;                /* the rest says what */
	size_t came;             /* runs */
	const void *const *changed;      /* runs, as doc_title has them, of which answers would be others by now */
	size_t n_changed;
	const char *gone;        /* the current run was deleted: a line that says so; NULL: it is there */
	bool settled;            /* in the run that changed last nothing happens any more */
	bool went;               /* PATH itself is not there any more */
};

/* look: without events (dump/follow.h). False: PATH is no directory of a dump. */
bool shell_start_following(struct shell *shell, bool look);
void shell_stop_following(struct shell *shell);
bool shell_follows(const struct shell *shell);
int shell_following_fd(const struct shell *shell);       /* readable when there are news; -1: it never is */
int64_t shell_following_sleep_ms(const struct shell *shell);     /* so long may be slept without; -1: for good */
const char *shell_following_note(const struct shell *shell);     /* why events are not enough; NULL: they are */
void shell_take_news(struct shell *shell, struct news *out);

/* One that shell_open would open, or several to choose from. */
bool dump_is_at(const char *path);
/* Sleeps until one is. */
void wait_for_dump(const char *path, bool look);

/*
 * For commands. Without a screen: sleeps until there are news, takes them, and is false after a cancel or at until_ms (of
 * clock_ms; -1: no such time).
 */
struct call;
bool call_await_news(struct call *call, int64_t until_ms);

#endif
