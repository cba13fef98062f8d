#ifndef TUI_THEMING_H
#define TUI_THEMING_H

#include "tui/state.h"

/*
 * Which theme shows: the one that is set, or while the cursor is on a row that would set another
 * one (`config themes`) that one.
 */

/* Takes it from the settings; anew: its file is read again even if it shows already. */
void theming_take(struct app *app, bool anew);
/* After each key: what the cursor's row would set. */
void theming_follow(struct app *app);

#endif
