#ifndef TUI_PANE_KIND_H
#define TUI_PANE_KIND_H

#include "tui/pane.h"

/*
 * What a pane does in its own way by the kind of its document: rows of text, a grid, a stage. Where
 * a function is NULL, the pane does nothing.
 * begin      another document shows, from a place on (NULL: its own); top and cursor are set
 * keep       the cursor is where it can be: after another width, or another row of the pane
 * went       the cursor's row was chosen
 * come_back  the rows are where they were, in another document of the kind
 * sideways   by columns or cells
 * reveal     byte `off` of the line in pane->scratch, whose text it is, shows
 * point      to this column of the pane's
 * span       bytes of what is less than a row and under the cursor; NULL: the cursor is a row
 * at         what a key that opens something is about; false: nothing is here
 * find_index, go_index   as pane_find_index and pane_go_index
 */
struct pane_kind {
	int stride;              /* that Left and Right go sideways; 0: half of the width */
	void (*begin)(struct pane *pane, const struct place *place);
	void (*put_place)(const struct pane *pane, struct place *place);
	void (*keep)(struct pane *pane);
	void (*went)(struct pane *pane);
	void (*come_back)(struct pane *pane, const struct stay *stay);
	void (*sideways)(struct pane *pane, int64_t cols);
	void (*reveal)(struct pane *pane, const struct str *text, size_t off);
	void (*point)(struct pane *pane, int col);
	bool (*span)(struct pane *pane, const struct line *line, struct span *out);
	bool (*at)(const struct pane *pane, struct doc_at *at);
	bool (*find_index)(struct pane *pane, const int64_t *index, uint32_t rank,
	                   struct cell_at *at, struct str *why);
	void (*go_index)(struct pane *pane, const struct cell_at *at);
	void (*put_ends)(struct pane *pane, struct str *first, struct str *last);
	void (*put_item)(struct pane *pane, struct str *out);
	/* The elements of a grid, where its rows don't show them all. */
	void (*seek_bad)(struct pane *pane, bool backward, uint64_t times);
	void (*search)(struct pane *pane);
};
extern const struct pane_kind pane_of_text, pane_of_cells, pane_of_stage;
const struct pane_kind *pane_kind(const struct pane *pane);

/* Spots (tui/pane_text.c). */
uint64_t pane_top_row(const struct pane *pane);          /* the first that scrolls */
bool pane_chops(const struct pane *pane);
const struct str *pane_fetch(struct pane *pane, uint64_t row);   /* into pane->scratch; its text */
bool pane_is_counted(struct pane *pane);
void pane_forget_count(struct pane *pane);
bool spot_before(struct spot a, struct spot b);
struct spot spot_last(struct pane *pane);
struct spot spot_counted(struct pane *pane, uint64_t index);  /* of a wrapped row, all counted */
struct spot spot_moved(struct pane *pane, struct spot at, int64_t n);    /* by n pieces, clamped */
struct spot spot_bottom_top(struct pane *pane);          /* with the last row at the bottom */
struct spot spot_clamped(struct pane *pane, struct spot at);

/* An index into a tensor; false: it has no such element, why says why. */
bool index_fits(const int64_t *index, uint32_t rank, const int64_t *dims, uint32_t actual,
                struct str *why);
/* Of a row, for `at` and `put_ends`. */
bool pane_row_at(const struct pane *pane, struct doc_at *at);
void pane_put_row_ends(struct pane *pane, struct str *first, struct str *last);

void pane_follow_cursor(struct pane *pane);              /* scrolls as little as needed */
struct place pane_place_of(struct pane *pane, struct spot at);
/* With the focus the cursor begins on the first row of data. */
void pane_cursor_on_top(struct pane *pane);

#endif
