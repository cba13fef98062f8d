#ifndef TUI_THEME_FILE_H
#define TUI_THEME_FILE_H

#include "tui/looks.h"

/*
 * Lines of a theme: a role each (theme_read_line), # comments. *out is the theme that the rest is
 * taken from. A wrong line leaves its role alone and goes into *complaint, which is empty or one
 * line: "PATH:LINE: what was expected (and N more)".
 */
void theme_read(const char *path, const char *text, size_t len, struct theme *out,
                struct str *complaint);

/*
 * The theme of that name: the user's file (cmds/session/themes.h) on top of the shipped theme
 * `base`, else the shipped one. If there is none, or its file can't be read, it is `base`, and
 * *complaint says why.
 */
void theme_load(const char *name, const char *base, struct theme *out, struct str *complaint);

#endif
