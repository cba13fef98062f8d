#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include <stdbool.h>

/* Cells of the screen, from 0. A rect with rows 0 is not there. */
struct rect {
	int row, col, rows, cols;
};

struct layout {
	int rows, cols;          /* of the terminal */
	bool too_small;  /* only the notice in `title` and, from two rows on, a prompt row */
	struct rect title, nav, menu;    /* the last two end a column before the output does */
	struct rect output;      /* without the scroll bar: what commands get as their width */
	struct rect bar;         /* the scroll bar, two columns */
	struct rect status;
	struct rect prompt;      /* one or two rows */
};

/*
 * Where everything is on a terminal of this size; menu: the document has one. Any size from 1x1 up.
 * Source: tfdbg's geometry; what small terminals give up, in this order: the second prompt row (below 10
 * rows), the menu (9), the navigation bar (8), the status line (7), all of it (below 20x6).
 */
struct layout layout_of(int rows, int cols, bool menu);

#endif
