#ifndef TUI_HINTS_H
#define TUI_HINTS_H

#include <stdbool.h>

#include "tui/state.h"

/*
 * A letter, or two where there are many, on every link that shows: in all panes, the menu, the
 * navigation bar.
 */
void hints_open(struct app *app);
/*
 * A key while they show: goes on, or closes them and orders the command of the one that was typed.
 */
void hints_key(struct app *app, int key);
bool hint_fits(const struct app *app, const struct hint *hint);  /* begins with what was typed */

#endif
