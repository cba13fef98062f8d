#ifndef TUI_LEAVING_H
#define TUI_LEAVING_H

#include "tui/state.h"

/* Ctrl-C, Esc, q: what they stop and close, in this order, and how the program is left. */
void leaving_interrupt(struct app *app);         /* the key */
void leaving_signal(struct app *app);            /* SIGINT from outside */
void leaving_escape(struct app *app);            /* to the view; there: close what is innermost */
bool leaving_close_something(struct app *app);   /* what lies over the view; false: nothing did */
/* To the previous screen; at the first one it asks. */
void leaving_view(struct app *app);
void leaving_quit(struct app *app);              /* closes something, a pane, or asks */
void leaving_answer(struct app *app, int key);   /* to "Leave tensordbg? (y/n)" */

/* The line at the prompt is done with or given up: what it pushed aside comes back. */
void leaving_end_view_line(struct app *app);

#endif
