#ifndef TUI_DRAW_PARTS_H
#define TUI_DRAW_PARTS_H

#include "tui/state.h"

/* What both styles draw alike. */
unsigned draw_title_attributes(struct app *app);
/* The navigation bar or the menu: what of both lies in this row. Returns the columns it takes. */
int draw_bar(struct app *app, const struct rect *row);
/* What the view's body has to say in brief, in at most so many columns. */
void draw_put_brief(struct view *view, int cols, struct str *out);

#endif
