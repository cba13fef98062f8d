#ifndef TUI_APP_H
#define TUI_APP_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/session/shell.h"
#include "dump/base/err.h"
#include "tui/keys.h"

/* The curses screen. */
struct app_options {
	bool colour;
	bool ascii;              /* no sign beyond ASCII of our own */
	bool no_mouse;           /* not before "mouse on" */
	bool slow;               /* --slow */
	bool follow, look;       /* PATH grows; by looking, without events (dump/follow.h) */
	enum style style;        /* STYLE_BOTH: as it is set */
	char *const *lines;      /* commands to run at the start, before the keyboard is heard */
	size_t n_lines;
};

enum app_end { APP_LEFT, APP_NO_TERMINAL, APP_NOT_LOADED };

/*
 * Runs until the user leaves. The shell is open but not loaded. *status takes the exit status of
 * each of lines. A signal that ends the program is raised again here, after the terminal is back.
 */
enum app_end app_run(struct shell *shell, const struct app_options *options, int *status,
                     struct err *err);

#endif
