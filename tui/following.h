#ifndef TUI_FOLLOWING_H
#define TUI_FOLLOWING_H

#include "tui/state.h"

/*
 * A PATH that is followed while a program writes there: what shows is asked for again when it would
 * be another answer by now, and a command that waits for a run goes on when one comes.
 */
void following_start(struct app *app, bool look);        /* look: without events (dump/follow.h) */
void following_toggle(struct app *app);

/* For the key loop: what wakes it, how long it may sleep, and what to do then. */
int following_fd(const struct app *app);
int64_t following_wait_ms(const struct app *app);
void following_take(struct app *app);
void following_take_read(struct app *app);       /* what the worker has read */

/* The order that was answered waits. */
void following_wait(struct app *app, const struct answer *answer);
bool following_stop_waiting(struct app *app);    /* false: nothing waits */

#endif
