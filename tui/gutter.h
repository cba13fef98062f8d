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
/* A frame is drawn now: what is known of signs so far will be in it. */
void gutter_begin(struct view *view);
/* Did signs change since then, or will they? */
bool gutter_waits(struct view *view);

#endif
