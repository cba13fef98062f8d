#ifndef TUI_PANE_H
#define TUI_PANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc.h"
#include "cmds/pattern.h"
#include "dump/base/err.h"
#include "dump/base/vec.h"

/*
 * A window on a document: which rows show, where the cursor is, what is searched for. No cell is drawn here.
 * A document row is wrapped into pieces; a spot is a piece. Only rows near the view are ever asked for, so
 * that a document may have 10^9 of them; in one of at most PANE_SMALL rows all pieces are counted.
 */
enum { PANE_SMALL = 4096, PANE_SMALL_BYTES = 4 << 20 };

struct spot {
	uint64_t row;
	uint32_t piece;
};

/* A place in a document that outlives a change of width: a document row and a byte of it. */
struct place {
	uint64_t row;
	size_t off;
};

/* One row of the screen: bytes [begin, end) of a document row. */
struct piece {
	struct spot at;
	const struct line *line;
	size_t begin, end;
};

/* A match in a line, bytes. */
struct span {
	size_t begin, end;
};
typedef VEC(struct span) span_list;

enum search_state { SEARCH_IDLE, SEARCH_WORKING, SEARCH_FOUND, SEARCH_WRAPPED /* found past the end */,
                    SEARCH_NOWHERE, SEARCH_GAVE_UP /* the pattern is too costly */ };

struct search {
	struct pattern *pattern; /* NULL: nothing was searched for yet */
	enum search_state state;
	bool backward, wrapped;
	uint64_t row, left;      /* where it is; rows still to look at */
	size_t off;  /* in that row: matches from here on (backward: before here) count */
};

struct held_line {
	uint64_t row;
	struct line line;
};

struct pane {
	struct doc *doc;         /* borrowed; NULL: nothing to show */
	int rows, cols;
	struct spot top;
	bool focus;              /* the cursor counts and shows */
	struct spot cursor;
	size_t link;             /* segment of the cursor's row that is chosen; NO_SEG: none */
	struct search search;
	/* kept for speed */
	VEC(uint64_t) first;  /* wrapped rows before document row i, and all; empty: not counted */
	uint64_t counted_rows;   /* document rows when it was counted, or found too many */
	VEC(struct held_line) held;      /* lines of the view */
	VEC(struct piece) pieces;
	struct line scratch;
};
#define NO_SEG SIZE_MAX

void pane_release(struct pane *pane);

/* Shows a document from a place on, NULL: from its own start row. The search is forgotten. */
void pane_show(struct pane *pane, struct doc *doc, const struct place *place);
void pane_resize(struct pane *pane, int rows, int cols); /* the same text stays on top */
struct place pane_place(struct pane *pane);

/* What shows, at most pane->rows; good until the pane or its document changes. Fewer at the document's end. */
const struct piece *pane_pieces(struct pane *pane, size_t *n);

/* How far down the view is. */
struct whereabouts {
	bool scrolls;            /* something is off the screen */
	bool above, below;       /* what is off the screen is above, below */
	double fraction;  /* of the way from the first to the last row, for the scroll bar */
};
struct whereabouts pane_where(struct pane *pane);

/* Moving the view. The last row may become the top one, except where it says so. */
void pane_scroll(struct pane *pane, int64_t pieces);
/* down stops with the last row at the bottom */
void pane_page(struct pane *pane, int direction, int rows);
void pane_home(struct pane *pane);
void pane_end(struct pane *pane);
void pane_go_fraction(struct pane *pane, double fraction);
void pane_go_row(struct pane *pane, uint64_t row);

/* With the focus: moving the cursor; the view follows and never leaves rows empty at the bottom. */
void pane_focus(struct pane *pane, bool focus);
void pane_cursor_move(struct pane *pane, int64_t pieces);
void pane_cursor_page(struct pane *pane, int direction, int rows);
void pane_cursor_row(struct pane *pane, uint64_t row);           /* clamped */
/* The next (1) or previous (-1) link from the cursor on; false if none is near. */
bool pane_next_link(struct pane *pane, int direction);
const char *pane_link(struct pane *pane);  /* the chosen one's command, else the row's only one */
/* The command behind a cell of the view, NULL: none. */
const char *pane_link_at(struct pane *pane, int row, int col);

/*
 * Search: start says what is looked for (NULL: the same again), work looks at up to max_rows document rows and moves
 * the view (or the cursor) when it found something. Begins at the view's top, a repeated one behind it.
 */
bool pane_search(struct pane *pane, const char *regex, bool backward, struct err *err);
enum search_state pane_search_work(struct pane *pane, uint64_t max_rows);
void pane_search_stop(struct pane *pane);
void pane_matches(struct pane *pane, const struct line *line, span_list *out);  /* all in a line */

#endif
