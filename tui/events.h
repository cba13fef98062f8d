#ifndef TUI_EVENTS_H
#define TUI_EVENTS_H

#include "tui/input.h"
#include "tui/state.h"

/* What is typed, and what else happens, but for the mouse's (tui/mouse.h): it changes the state. */
void events_take(struct app *app, struct event *ev);
void events_late_tab(struct app *app);   /* Tab was pressed while a command ran */
void events_key(struct app *app, int key);       /* as if typed; a pair is two; 0: none */

#endif
