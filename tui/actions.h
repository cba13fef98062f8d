#ifndef TUI_ACTIONS_H
#define TUI_ACTIONS_H

#include "tui/keys.h"
#include "tui/state.h"

/* What keys are bound to. */
void actions_do(struct app *app, enum action action);
/* Over the panes: only what moves, closes or leaves makes sense there. */
void actions_do_in_overlay(struct app *app, enum action action);
/* Enter in the view: the link, else the row's only one, else the prompt */
void actions_follow(struct app *app);
void actions_suspend(struct app *app);   /* as job control has it */

#endif
