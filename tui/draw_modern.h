#ifndef TUI_DRAW_MODERN_H
#define TUI_DRAW_MODERN_H

#include "tui/state.h"

/* Our style: what stands around the panes. Those and what lies over them tui/draw.c draws. */
void draw_modern_top(struct app *app);           /* title, arrows and command */
void draw_modern_frame(struct app *app, int view);       /* above a pane, where there are several */
void draw_modern_strip(struct app *app, int view);       /* above the lines of a tensor */
void draw_modern_empty(struct app *app, int view);   /* why it shows no rows */
void draw_modern_bottom(struct app *app);        /* about the row, keys */

#endif
