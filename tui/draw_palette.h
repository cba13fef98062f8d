#ifndef TUI_DRAW_PALETTE_H
#define TUI_DRAW_PALETTE_H

#include "tui/state.h"

/* The palette over the last rows of the panes, if it is open. Below 5 rows of panes it has none. */
void draw_palette(struct app *app);

#endif
