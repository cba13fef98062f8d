#ifndef TUI_COPY_H
#define TUI_COPY_H

#include "tui/state.h"

/*
 * To the terminal's clipboard (OSC 52): the cursor's row, its cell or link, the command of the
 * screen.
 */
void copy_row(struct app *app);
void copy_cell(struct app *app);         /* of the chosen column; in no table: the link's text */
void copy_link(struct app *app);
void copy_command(struct app *app);

#endif
