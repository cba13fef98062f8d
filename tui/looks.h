#ifndef TUI_LOOKS_H
#define TUI_LOOKS_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/doc/doc.h"

/*
 * What the screen draws beside the roles of a document; a look below N_ROLES is one of those. What
 * a look is drawn like is a theme's business. The names that themes call them by are in looks.c.
 */
enum look {
	LOOK_TEXT = N_ROLES,     /* plain output */
	LOOK_LINK,               /* a link without a role */
	LOOK_TITLE, LOOK_TITLE_START, LOOK_TITLE_ALARM,
	LOOK_CURRENT,            /* command of the newest screen */
	LOOK_OLDER, LOOK_BAR, LOOK_STATUS, LOOK_BADGE, LOOK_RULE, LOOK_FOCUSED_RULE, LOOK_NUMBER,
	LOOK_HINT, LOOK_CUT_MARK, LOOK_MATCH, LOOK_PROMPT, LOOK_CANDIDATE, LOOK_CURSOR, LOOK_CHOSEN,
	LOOK_ERROR_TOAST, LOOK_INFO_TOAST, LOOK_BUSY_TOAST,
	LOOK_HEADING,            /* of a table */
	LOOK_SCOPE,              /* the part of a name before its leaf */
	LOOK_DIM,                /* what matters less */
	LOOK_WARNING,
	LOOK_KEY,                /* a key in the bar of keys */
	LOOK_KEY_TEXT,           /* what it does */
	LOOK_RESTING_CURSOR,     /* the row of a pane without the focus */
	N_LOOKS
};

/*
 * colour: as tui/colour.h numbers it. few: the one that takes its place where there are only 8 or
 * 16. A ground that is left out is the one of text.
 */
enum { GROUND_OF_TEXT = -2 };
struct tint { int colour, few; };

enum { PAINT_BOLD = 1, PAINT_DIM = 2, PAINT_UNDERLINE = 4, PAINT_REVERSE = 8, PAINT_BLINK = 16 };
struct paint {
	struct tint text, ground;
	unsigned signs;          /* PAINT_* */
};

struct theme { struct paint look[N_LOOKS]; };

/* False: no theme of that name is shipped (cmds/session/themes.h). */
bool theme_shipped(const char *name, struct theme *out);

/* "bad", "frame"; NULL: the look has none, it is drawn like text. */
const char *look_name(int look);

/*
 * One or more looks of a theme, as a line of a theme says it: ROLE FOREGROUND [BACKGROUND] [SIGN]…
 * A colour may be followed by a slash and the one that takes its place where there are few.
 * False: *expected says what should have been where, without the place; the theme is unchanged.
 */
bool theme_read_line(struct theme *theme, const char *line, size_t len, struct str *expected);

#endif
