#ifndef TUI_BARS_H
#define TUI_BARS_H

#include "tui/state.h"

/* What the navigation bar and the menu show, piece by piece. Start with {0}. */
struct bar_item {
	int row, col;
	size_t begin, end;       /* in texts */
	enum look look;
	const char *command;     /* what a click runs, NULL: nothing; the document's */
};
struct bars {
	VEC(struct bar_item) items;
	struct str texts;
};

void bars_make(struct app *app, struct bars *out);
void bars_release(struct bars *bars);
/* The command behind a cell, NULL: none. */
const char *bars_command_at(struct app *app, int row, int col);

#endif
