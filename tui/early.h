#ifndef TUI_EARLY_H
#define TUI_EARLY_H

#include "tui/input.h"
#include "tui/state.h"

/*
 * In our style, keys typed before the answer shows are held and act on the answer: before anything
 * shows, behind a line that waits for PATH to be read, and behind a line whose answer is about to
 * come. Behind a line that takes long, keys act on what is there. Esc, Ctrl-C and the keys that
 * leave drop the keys that are held.
 */
/* True: the event is a key that is held. */
bool early_hold(struct app *app, const struct event *ev);
/* Is there something to be played now? */
bool early_ready(struct app *app);
void early_play(struct app *app);        /* as far as it can act */

#endif
