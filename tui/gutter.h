#ifndef TUI_GUTTER_H
#define TUI_GUTTER_H

#include "tui/state.h"

/*
 * The signs beside the rows of a view that show, in our style: what holds NaN or Inf, what is
 * damaged, what is not known. Those that are unknown are looked at meanwhile, in the background,
 * and take their places as they come.
 */
void gutter_draw(struct view *view, const struct rect *gutter);
/* Did signs change since it was last asked, or will they? Waits a little where they will. */
bool gutter_works(struct view *view);

#endif
