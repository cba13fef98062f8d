#ifndef TUI_DRAW_VIEW_H
#define TUI_DRAW_VIEW_H

#include <stdbool.h>

#include "tui/state.h"

/* What a pane shows, into a box: rows, row numbers, scroll bar. */
void draw_view(struct pane *pane, int gutter, const struct pane_box *box);
/* The cell of the cursor; false: it doesn't show. */
bool draw_cursor_cell(struct pane *pane, int gutter, const struct pane_box *box, int *row,
                      int *col);

#endif
