#ifndef TUI_PANE_H
#define TUI_PANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/doc.h"
#include "cmds/lang/pattern.h"
#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tui/regex.h"
#include "tui/rows.h"

/*
 * A window on a document: which rows show (tui/rows.h), where the cursor is, what is searched for.
 * No cell is drawn here. A row is wrapped into pieces, or chopped: then it is one piece, cut at
 * both sides of the window. A spot is a piece. Only rows near the view are ever asked for, so that
 * a document may have 10^9 of them; in one of at most PANE_SMALL rows all pieces are counted. Rows
 * are counted as they show, from 0; places and what is said to be a document row are numbers of the
 * document.
 *
 * A grid (doc_cells) is chopped always; its head and the labels of its columns stay on top, frozen,
 * while the rows below scroll, and it goes sideways by whole columns. Its cursor is a cell. A stage
 * (doc_stage) is alike, but that it says itself what there is sideways; its cursor is an item.
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
	struct stage stage;      /* of a stage; its span is 0: where that begins */
};

/* A part of a line, bytes: a match, an element. */
struct span {
	size_t begin, end;
};
typedef VEC(struct span) span_list;

/* One row of the screen: bytes [begin, end) of a document row. */
struct piece {
	struct spot at;
	const struct line *line;
	size_t begin, end;
	bool cut;                /* chopped: there is more on the right */
	const span_list *bad;    /* elements of a tensor's text that are NaN or infinite */
};

enum search_state {
	SEARCH_IDLE, SEARCH_WORKING, SEARCH_FOUND,
	SEARCH_WRAPPED,          /* found past the end */
	SEARCH_NOWHERE,
	SEARCH_GAVE_UP,          /* the pattern is too costly */
	SEARCH_BROKEN,           /* what is looked at can't be read: err */
};

/*
 * What is looked for: the pattern, elements that are NaN or infinite, rows that are an error, or
 * that are not as in another run.
 */
enum seek { SEEK_MATCH, SEEK_BAD, SEEK_ERROR, SEEK_DIFFERENCE, SEEK_ROW /* by search.wants */ };
typedef bool pane_wants(void *context, const struct doc *doc, uint64_t doc_row,
                        const struct line *line);

struct search {
	struct pattern *pattern; /* NULL: nothing was searched for yet */
	enum seek seek;
	pane_wants *wants;       /* with its context, for SEEK_ROW */
	void *context;
	enum search_state state;
	bool backward, wrapped;
	uint64_t times;          /* stop at this one of those found, from 1 */
	uint64_t row, left;      /* where it is; rows still to look at */
	size_t off;  /* in that row: matches from here on (backward: before here) count */
	/* in a grid, where elements are searched, not rows: how many (0: no grid), the next one */
	uint64_t places, place;
	struct cell_at cell;     /* that was found; not `here`: in another slice */
	struct err err;
	uint64_t found_row;      /* the match of the pattern that was found; NO_ROW: none */
	size_t found_off, found_end;
};

/* How many matches there are before each MATCH_BLOCK rows; counted a slice at a time. */
enum { MATCH_BLOCK = 256, MATCH_ROWS_MAX = 1 << 22 };
struct match_count {
	VEC(uint64_t) before;
	uint64_t rows, total;    /* looked at so far, and found in them */
	uint64_t version;        /* of the rows that were counted */
	uint64_t row;            /* the one that `number` was found for */
	size_t off;
	uint64_t number;         /* of the match found, from 1; 0: not known */
};

/* What a line was made for: it is made once for all that a frame asks. */
struct held_for {
	uint64_t row, column, version, frame;
	struct stage stage;
	int cols;
};
struct held_line {
	struct held_for made;
	struct line line;
	span_list bad;
};

struct pane {
	struct rows shown;
	int rows, cols;
	bool chop;
	bool modern;             /* our style: head lines of tables stay, their rows are chopped */
	int left;                /* chopped: columns that are off the screen on the left */
	struct spot top;
	bool focus;              /* the cursor counts and shows */
	struct spot cursor;
	uint64_t column;         /* of a grid: the one the cursor is in */
	size_t link;             /* segment of the cursor's row that is chosen; NO_SEG: none */
	uint64_t wanted;         /* document row to go to when the rows are known; NO_ROW: none */
	bool wanted_on_top;      /* of the view, the cursor with it */
	/* the top before a resize, which counts until the view moves away from the one it chose */
	struct place kept_top, chosen_top;
	struct place unfiltered; /* where the cursor was before a filter was typed */
	enum regex_case regex_case;
	struct search search;
	struct match_count count;
	/* kept for speed */
	VEC(uint64_t) first;     /* wrapped rows before row i, and all; empty: not counted */
	uint64_t counted_rows, counted_version;  /* when it was counted, or found too many */
	VEC(struct held_line) held;      /* lines of the view */
	uint64_t frame;          /* counts the frames that were drawn */
	VEC(struct piece) pieces;
	struct line scratch;
};
#define NO_SEG SIZE_MAX

void pane_release(struct pane *pane);

/*
 * Shows a document from a place on, NULL: from its own start row. Search, filters and sort are
 * forgotten.
 */
void pane_show(struct pane *pane, struct doc *doc, const struct place *place);
/* After pane_show: rows as chosen before; the view goes to the place once its row is known. */
void pane_choose_again(struct pane *pane, const struct row_choice *choice, struct place place);
struct doc *pane_doc(const struct pane *pane);   /* borrowed; NULL: nothing to show */
void pane_resize(struct pane *pane, int rows, int cols); /* the same text stays on top */
struct place pane_place(struct pane *pane);
int pane_wrap_cols(const struct pane *pane);     /* the columns at which rows are wrapped */

/* Rows on top that do not scroll; those below that do, at least 1. */
int pane_frozen(const struct pane *pane);
int pane_frozen_now(const struct pane *pane);    /* fewer, while they are in their place */
bool pane_is_heading(const struct pane *pane, uint64_t row);  /* of those that show: a table's */
int pane_scroll_rows(const struct pane *pane);

/* Of grids (tui/pane_grid.c); of anything else they do nothing. */
bool pane_is_grid(const struct pane *pane);
void pane_cell_to(struct pane *pane, uint64_t row, uint64_t column);     /* of the grid; clamped */
bool pane_cell_at(struct pane *pane, uint64_t *row, uint64_t *column);  /* the cursor's */
/* The cell at this byte of the cursor's row, as row_part counts them, shows. */
void pane_cell_reveal(struct pane *pane, size_t off);
bool pane_put_cell(struct pane *pane, struct str *label, struct str *value);  /* false: no grid */
/* Of stages (tui/pane_stage.c). False: it means nothing here. */
bool pane_stage_move(struct pane *pane, enum stage_move move, int64_t n);
bool pane_is_stage(const struct pane *pane);
/* To the item at a cell of the view; false: there is none. *same: the cursor was there already. */
bool pane_stage_point(struct pane *pane, int row, int col, bool *same);
bool pane_stage_scroll(struct pane *pane, int64_t n);    /* as the wheel does */

/*
 * Where the element with this index is: a row of the document, or a cell; of a grid also one of the
 * whole tensor, which may be in another slice. False: there is none; why says why, or nothing.
 */
bool pane_find_index(struct pane *pane, const int64_t *index, uint32_t rank, struct cell_at *at,
                     struct str *why);
void pane_go_index(struct pane *pane, const struct cell_at *at);

/* A cursor that is less than a row: a cell, an item. */
bool pane_has_item(const struct pane *pane);
/* false: a row */
bool pane_item_span(struct pane *pane, const struct line *line, struct span *out);
void pane_put_item(struct pane *pane, struct str *out);  /* about it */
void pane_point(struct pane *pane, int col);  /* to this column of the pane, in the cursor's row */
/* Where the first and the last row that show begin, as the element's index. */
void pane_put_ends(struct pane *pane, struct str *first, struct str *last);

/*
 * What was read before may have changed. Before the first frame nothing that was read is kept.
 */
void pane_begin_frame(struct pane *pane);
/*
 * What shows, at most pane->rows; good until the pane or its document changes. Fewer at the
 * document's end.
 */
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
void pane_page(struct pane *pane, int direction, int64_t rows);
void pane_home(struct pane *pane);
void pane_end(struct pane *pane);
void pane_go_fraction(struct pane *pane, double fraction);
void pane_go_row(struct pane *pane, uint64_t row);       /* a document row */

/* Sideways, by columns (rows are chopped from then on) or cells; INT64_MIN, INT64_MAX: to an end */
void pane_chop(struct pane *pane, bool chop);
void pane_sideways(struct pane *pane, int64_t cols);
int pane_stride(const struct pane *pane);        /* by which Left and Right go */
/* This byte of the line in pane->scratch, whose text it is, shows. */
void pane_reveal(struct pane *pane, const struct str *text, size_t off);

/* With the focus: moving the cursor; the view follows and never leaves rows empty at the bottom. */
void pane_focus(struct pane *pane, bool focus);
void pane_cursor_move(struct pane *pane, int64_t pieces);
void pane_cursor_page(struct pane *pane, int direction, int64_t rows);
void pane_cursor_row(struct pane *pane, uint64_t row);           /* clamped */
void pane_scroll_under(struct pane *pane, int64_t pieces);  /* the cursor stays while in sight */
void pane_cursor_to(struct pane *pane, uint64_t row);  /* a document row, once known */
/*
 * Where a pane is, to be there again in another document of the same kind. Its body began at row
 * `body` and begins `shift` rows later: what was in the head stays there.
 */
struct stay {
	uint64_t top, cursor, left_column, column;
	struct stage stage;      /* span 0: it begins anew */
};
struct stay pane_stay(const struct pane *pane);
void pane_come_back(struct pane *pane, const struct stay *stay, uint64_t body, int64_t shift);
uint64_t pane_shifted(uint64_t row, uint64_t body, int64_t shift);       /* such a row */
uint64_t pane_cursor_doc_row(const struct pane *pane);
/*
 * Rows as a person counts them: of a table or a tree those of data, from 1; what stands before and
 * behind them has the number 0. Of any other document all rows.
 */
uint64_t pane_row_number(const struct pane *pane, uint64_t doc_row);
uint64_t pane_cursor_number(const struct pane *pane);    /* among those that show */
uint64_t pane_row_numbers(const struct pane *pane, uint64_t *all);  /* that show; *all: in all */
uint64_t pane_first_row(const struct pane *pane);        /* where the row with number 1 shows */
/* NULL: none; good until the pane is asked again */
const struct line *pane_cursor_line(struct pane *pane);
/* The next (1) or previous (-1) link from the cursor on; false if none is near. */
bool pane_next_link(struct pane *pane, int direction);
/* The command of the chosen link, else of the row's first; of headings only of a chosen one. */
const char *pane_link(struct pane *pane);
bool pane_has_links(struct pane *pane);          /* in the cursor's row */
bool pane_opens(struct pane *pane);              /* Enter has something to open here */
/* What a key of its document (KEY_OPENS) runs at the cursor. False: nothing; out may say why. */
bool pane_put_key(const struct pane *pane, const struct doc_key *key, int64_t n,
                  struct str *out);
/* The command behind a cell of the view, NULL: none. */
const char *pane_link_at(struct pane *pane, int row, int col);

/* Filters and sorting: as rows_*, and the cursor goes where it belongs. */
bool pane_filter_live(struct pane *pane, const char *text, struct err *err);
void pane_filter_keep(struct pane *pane);
bool pane_filter_drop(struct pane *pane);
bool pane_is_tree(const struct pane *pane);
/* The subtree of the cursor's row; of all. */
void pane_fold(struct pane *pane, bool fold);
void pane_fold_all(struct pane *pane, bool fold);
bool pane_sort(struct pane *pane, bool reversed);
bool pane_sort_at(struct pane *pane, int row, int col);  /* by the heading at a cell of the view */

/*
 * What goes on between two events: filtering, sorting, counting matches; up to max rows. True while
 * there is more to do.
 */
bool pane_work(struct pane *pane, uint64_t max_rows);

/*
 * Search: start says what is looked for (NULL: the same again), work looks at up to max_rows rows
 * and moves the view (or the cursor) when it found something. Begins at the view's top, a repeated
 * one behind it.
 */
bool pane_search(struct pane *pane, const char *regex, bool backward, uint64_t times,
                 struct err *err);
void pane_seek(struct pane *pane, enum seek what, bool backward, uint64_t times);
/* The next row of which wants says true; context lives as long as the search goes on. */
void pane_seek_row(struct pane *pane, pane_wants *wants, void *context, bool backward,
                   uint64_t times);
enum search_state pane_search_work(struct pane *pane, uint64_t max_rows);
void pane_search_stop(struct pane *pane);
void pane_matches(struct pane *pane, const struct line *line, span_list *out);  /* all in a line */
/*
 * "match 3 of 41" if the cursor is on the match that was found last; "+" while they are being
 * counted.
 */
void pane_put_match(struct pane *pane, struct str *out);
bool pane_count_work(struct pane *pane, uint64_t max_rows);      /* part of pane_work */

#endif
