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
	struct rect gutter;      /* signs of the rows, in our style; else not there */
	struct rect strip;       /* a line about the whole of it, in our style; else not there */
	struct rect text;        /* what commands get as their width */
	struct rect bar;         /* the scroll bar, one column in our style, else two */
	/* its frame above, where panes share the screen; in tfdbg's style the rule above it, where
	   another pane is above; else not there */
	struct rect title;
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
	bool modern;             /* our style */
	bool framed;             /* its panes have frames: there are several */
	bool too_small;  /* only the notice in `title` and, from two rows on, a prompt row */
	/* nav: the arrows and the command. In tfdbg's style the last two end a column before the
	   output does; in ours the menu is where the keys are, and shows in their place. */
	struct rect title, nav, menu;
	struct rect output;      /* all panes; in tfdbg's style without the last two columns */
	struct pane_box pane[MAX_PANES];
	struct rule rule[MAX_PANES - 1];
	int n_rules;
	int n_panes, n_hidden;
	struct rect status;
	struct rect prompt;      /* one or two rows; in our style not there if `keys` has its row */
	struct rect keys;        /* what keys work, in our style */
};

/* What is asked of a layout beside its size. */
struct wish {
	bool modern;             /* our style */
	int prompt_rows;         /* that the line at the prompt fills, in our style; at least 1 */
	bool types;              /* the prompt has the focus */
	bool menu;               /* the document has one */
	struct arrangement arrangement;
	int focus;               /* the pane that is never hidden */
	bool zoom;               /* all others are */
	unsigned strips;         /* the panes that have one, a bit each, where there is room */
};

/*
 * Where everything is on a terminal of this size; any size from 1x1 up. Source: tfdbg's geometry;
 * what small terminals give up, in this order: the second prompt row (below 10 rows), the menu (9),
 * the navigation bar (8), the status line (7), all of it (below 20x6). A pane is at least 3 rows of
 * 20 columns, scroll bar included; panes that don't fit are hidden, the last one first.
 *
 * In our style the bottom has the status line, the prompt and the keys. What gives way there: the
 * row of the keys (below 10 rows), that of the prompt: while nothing is typed the keys have it (9),
 * the arrows and the command (8), the title (7), the status line: it has the last row while nothing
 * is typed (6), all of it (below 20x4). With more panes than one each has a row for its frame.
 */
struct layout layout_of(int rows, int cols, const struct wish *wish);

#endif
