#ifndef TUI_HERE_H
#define TUI_HERE_H

#include <stdbool.h>

#include "tui/state.h"

/*
 * Lines that the screen answers itself: prev, next, /regex, ?regex, &regex, @index, mouse,
 * messages, marks, and what concerns panes: layout, split, focus, resize, zoom, close. False: it is
 * none of them, and nothing was done.
 */
bool here_answer(struct app *app, const char *line);
void here_heed(struct app *app, const char *setting);    /* a command gave it a value */

void here_start_mouse(struct app *app);          /* as the settings say */
void here_toggle_mouse(struct app *app);         /* as a key does: may be forbidden */

#endif
