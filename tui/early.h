#ifndef TUI_EARLY_H
#define TUI_EARLY_H

#include "tui/input.h"
#include "tui/state.h"

/*
 * In our style a key that is typed into the view before anything shows, behind a line that waits
 * for PATH to be read, or behind one whose answer is about to come, is held until then, and so is
 * what follows: what is typed ahead means what it means when one waits. Behind a line that takes
 * long, keys act on what is there. Esc, Ctrl-C and the keys that leave drop what is held.
 */
/* True: the event is a key that is held. */
bool early_hold(struct app *app, const struct event *ev);
/* Is there something to be played now? */
bool early_ready(struct app *app);
void early_play(struct app *app);        /* as far as it can act */

#endif
