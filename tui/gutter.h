#ifndef TUI_GUTTER_H
#define TUI_GUTTER_H

#include "tui/state.h"

/*
 * The signs beside the rows of a view that show, in our style: what holds NaN or Inf, what is
 * damaged, what is not known. Those that are unknown are looked at meanwhile, in the background,
 * and take their places as they come. Where a document brings no signs, the roles in a row tell: a
 * bad element, a difference. A tag (+), else the letter of a mark stands there too, behind a sign.
 */
void gutter_draw(struct app *app, int view);
/* Did signs change since it was last asked, or will they? Waits a little where they will. */
bool gutter_works(struct view *view);

#endif
