#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include <stdbool.h>

#include "tui/arrangement.h"

/* Cells of the screen, from 0. A rect with rows 0 is not there. */
struct rect {
	int row, col, rows, cols;
};

bool rect_holds(const struct rect *rect, int row, int col);

/* Where a pane is; text.rows 0: hidden. */
struct pane_box {
	struct rect text;        /* without the scroll bar: what commands get as their width */
	struct rect bar;         /* the scroll bar, two columns */
	struct rect title;  /* the rule above it, where another pane is above; else not there */
};

/*
 * A rule between the two parts of a split, and what they share: moving it changes the split's
 * share.
 */
struct rule {
	struct rect rect, parts;
	int split;
};

struct layout {
	int rows, cols;          /* of the terminal */
	bool too_small;  /* only the notice in `title` and, from two rows on, a prompt row */
	struct rect title, nav, menu;    /* the last two end a column before the output does */
	struct rect output;      /* all panes, without the last two columns */
	struct pane_box pane[MAX_PANES];
	struct rule rule[MAX_PANES - 1];
	int n_rules;
	int n_panes, n_hidden;
	struct rect status;
	struct rect prompt;      /* one or two rows */
};

/* What is asked of a layout beside its size. */
struct wish {
	bool menu;               /* the document has one */
	struct arrangement arrangement;
	int focus;               /* the pane that is never hidden */
	bool zoom;               /* all others are */
};

/*
 * Where everything is on a terminal of this size; any size from 1x1 up. Source: tfdbg's geometry;
 * what small terminals give up, in this order: the second prompt row (below 10 rows), the menu (9),
 * the navigation bar (8), the status line (7), all of it (below 20x6). A pane is at least 3 rows of
 * 20 columns, scroll bar included; panes that don't fit are hidden, the last one first.
 */
struct layout layout_of(int rows, int cols, const struct wish *wish);

#endif
