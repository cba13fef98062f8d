#ifndef TUI_ABOUT_H
#define TUI_ABOUT_H

#include "cmds/doc/link.h"
#include "tui/state.h"

/* What the cursor's row is about: a tensor or a node. Release the link whatever these say. */
enum about {
	ABOUT_NOTHING,
	ABOUT_ROW,               /* a link of the row says so */
	ABOUT_SCREEN,            /* the command line that its screen answers */
};
/* Of the view's row: its chosen link, else its first that tells, else the screen. */
enum about about_row(struct app *app, int view, struct link *out);
bool about_line_links(const struct line *line, struct link *out);        /* a row's links alone */

#endif
