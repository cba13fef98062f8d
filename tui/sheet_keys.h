#ifndef TUI_SHEET_KEYS_H
#define TUI_SHEET_KEYS_H

#include "tui/input.h"
#include "tui/state.h"

/* The sheet of keys on the screen: of what has the focus, the prompt or the view. */
void sheet_keys_open(struct app *app);
/*
 * While it is open all keys are its own, but for those that stop, suspend, repaint or leave: for
 * them this is false. *chosen: the key that is to be done now that it is closed; 0: none.
 */
bool sheet_keys_take(struct app *app, const struct event *ev, int *chosen);
void sheet_keys_mouse(struct app *app, const struct event *ev, int *chosen);

#endif
