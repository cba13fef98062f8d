#ifndef TUI_DRAW_SHEET_H
#define TUI_DRAW_SHEET_H

#include "tui/state.h"

/* The sheet of keys over the panes, if it is open. */
void draw_sheet(struct app *app);
/* Then the terminal's cursor stands behind what is typed there. */
void draw_sheet_cursor(struct app *app);

#endif
