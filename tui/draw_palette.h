#ifndef TUI_DRAW_PALETTE_H
#define TUI_DRAW_PALETTE_H

#include "tui/state.h"

/* The palette over the last rows of the panes, if it is open. Below 5 rows of panes it has none. */
void draw_palette(struct app *app);
/* The palette's row at a row of the screen; NO_CHOICE: none. *in: it is within the palette. */
size_t draw_palette_row_at(const struct app *app, int row, bool *in);

#endif
