#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>

#include "dump/base/err.h"

/* The terminal under curses: on, off, suspended. Main thread only. */

/* Can curses run on standard input and output (or on the controlling terminal)? */
enum term_kind { TERM_FULL, TERM_DUMB /* no cursor addressing, or none named */, TERM_UNKNOWN };
enum term_kind term_kind(void);

bool term_open(bool colour, struct err *err);
void term_close(void);  /* also before exit(); no harm if it is closed */
void term_size(int *rows, int *cols);
void term_mouse(bool on);                                /* reports of buttons and wheel */
void term_repaint(void);                                 /* everything anew at the next refresh */
void term_suspend(void);  /* gives the terminal back and stops; returns when continued */

#endif
