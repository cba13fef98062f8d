#ifndef TUI_COMPLETING_H
#define TUI_COMPLETING_H

#include "tui/state.h"

/*
 * Tab: inserts what all candidates have in common; more than one: lists them. Waits while a command
 * runs.
 */
void completing_tab(struct app *app);

#endif
