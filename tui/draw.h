#ifndef TUI_DRAW_H
#define TUI_DRAW_H

#include "tui/state.h"

/* The whole screen, as one refresh; curses sends what changed. */
void draw(struct app *app);

#endif
