#ifndef TUI_MOUSE_H
#define TUI_MOUSE_H

#include "tui/input.h"
#include "tui/state.h"

/* Clicks, drags and the wheel: on links, rows, scroll bars and the rules between panes. */
void mouse_event(struct app *app, const struct event *ev);
void mouse_hold(struct app *app);        /* the scroll bar's end while the button is down */

#endif
