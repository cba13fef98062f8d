#ifndef TUI_ACTIONS_H
#define TUI_ACTIONS_H

#include "tui/input.h"
#include "tui/state.h"

/* Events, but for the mouse's (tui/mouse.h): they change the state. */
void actions_event(struct app *app, struct event *ev);
void actions_late_tab(struct app *app);  /* Tab was pressed while a command ran */
void actions_key(struct app *app, int key);      /* as if typed; a pair is two; 0: none */
/* Enter in the view: the link, else the row's only one, else the prompt */
void actions_follow(struct app *app);

#endif
