#ifndef TUI_DRAWN_H
#define TUI_DRAWN_H

#include "tui/state.h"

/*
 * Grids and pictures: each key rewrites the command line of what it is about, which then runs
 * again. In a grid whose picture shows, the keys that say how something is drawn are about the
 * picture.
 */
bool drawn_act(struct app *app, enum action action);     /* false: the action is none of these */
void drawn_key(struct app *app, const struct doc_key *key, int64_t n);
bool drawn_is_picture(const struct doc *doc);            /* doc may be NULL */

/* Goes to a cell of another slice of the grid with the focus. */
void drawn_go_cell(struct app *app, const struct cell_at *cell);

/* Between two events: pictures follow the size of their panes and the grid they are of. */
void drawn_follow(struct app *app);

#endif
