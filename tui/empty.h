#ifndef TUI_EMPTY_H
#define TUI_EMPTY_H

#include "tui/state.h"

/*
 * Why a view shows no rows, and what to do about it, in a line that is not escaped yet. Nothing: it
 * shows some, or it may still come to some.
 */
void empty_put(struct app *app, int view, struct str *out);

#endif
