#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <stdbool.h>

#include "cmds/doc/doc.h"

/* What the screen draws beside the roles of a document; a look below N_ROLES is a role. */
enum look {
	LOOK_TEXT = N_ROLES,     /* plain output: tfdbg's white */
	LOOK_LINK,               /* a link without a role */
	LOOK_TITLE, LOOK_TITLE_START, LOOK_TITLE_ALARM,
	LOOK_CURRENT,            /* command of the newest screen */
	LOOK_OLDER, LOOK_BAR, LOOK_STATUS, LOOK_BADGE, LOOK_RULE, LOOK_FOCUSED_RULE, LOOK_NUMBER,
	LOOK_HINT, LOOK_CUT_MARK, LOOK_MATCH, LOOK_PROMPT, LOOK_CANDIDATE, LOOK_CURSOR, LOOK_CHOSEN,
	LOOK_ERROR_TOAST, LOOK_INFO_TOAST, LOOK_BUSY_TOAST,
	N_LOOKS
};

/*
 * After newterm. Without colour (or on a terminal without it) meaning is left to bold, underline,
 * reverse. No more colours are used than most_colours. light: the terminal's background is.
 */
void theme_start(bool colour, int most_colours, bool light);
unsigned theme(int look);                                 /* attributes as curses has them */

/* Are there colours for scales? If so, the pair for a place; ink 0: one readable on the ground. */
bool theme_has_scales(void);
int theme_scale(enum role scale, int ink, int ground);

#endif
