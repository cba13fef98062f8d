#ifndef TUI_EXPLAIN_H
#define TUI_EXPLAIN_H

#include "tui/state.h"

/* Where the cursor's row comes from. What is asked of a command is asked of "explain". */
void explain_row(struct app *app);       /* its answer as a screen */
void explain_where(struct app *app);     /* row, screen, run, file and offset, over the panes */
void explain_source(struct app *app);    /* the line of the program that made the row's node */
/* The answer to what explain_where and explain_source asked; borrowed, NULL: none. */
void explain_answered(struct app *app, enum order_use use, const struct doc *doc);

#endif
