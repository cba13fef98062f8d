#ifndef TUI_COMPLETING_H
#define TUI_COMPLETING_H

#include "tui/state.h"

/*
 * Tab: inserts what all candidates have in common; more than one: lists them. Waits while a command
 * runs.
 */
void completing_tab(struct app *app);

/*
 * In our style the palette opens as a command is typed. Tab and the arrows choose: the line shows
 * what is chosen, Enter runs it, or goes on if the command needs another word. Esc closes the
 * palette and leaves what was typed.
 */
/* Before the prompt gets it; true: it was for the palette. */
bool completing_key(struct app *app, int key);
/* The mouse over the open palette: a click chooses, the wheel goes on. True: it was for that. */
bool completing_mouse(struct app *app, const struct event *ev);
void completing_typed(struct app *app, int key);         /* after it; 0: something else was typed */
bool completing_work(struct app *app);   /* a slice; true: there is more */

#endif
