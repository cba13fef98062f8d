#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/err.h"
#include "dump/base/str.h"

/* The terminal under curses: on, off, suspended. Main thread only. */

/* Can curses run on standard input and output (or on the controlling terminal)? */
enum term_kind { TERM_FULL, TERM_DUMB /* no cursor addressing, or none named */, TERM_UNKNOWN };
enum term_kind term_kind(void);

bool term_open(bool colour, struct err *err);
void term_close(void);  /* also before exit(); no harm if it is closed */
void term_size(int *rows, int *cols);
void term_mouse(bool on);                                /* reports of buttons, drags and wheel */
/* Into the terminal's clipboard (OSC 52), if it does that; false: it certainly doesn't. */
bool term_copy(const char *text, size_t len);
void term_escape_delay(int ms);  /* how long a lone Esc may be the begin of a key */
void term_repaint(void);                                 /* everything anew at the next refresh */
/*
 * Gives the terminal to the shell for a line, "" for as long as the user likes, and comes back once
 * it has ended; after a line only when a key was pressed. As outside_run (tui/outside.h).
 */
bool term_lend(const char *line, struct str *why);
/*
 * Gives the terminal back and stops; returns when continued. False: whoever started us ignores
 * that, as a shell without job control does, and nobody would wake us.
 */
bool term_suspend(void);

#endif
