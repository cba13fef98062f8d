#ifndef TUI_STATUS_H
#define TUI_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/str.h"
#include "tui/pane.h"

/* What the line above the prompt says; the words are tfdbg's. */
struct status {
	struct whereabouts where;
	/* element index of the top and the bottom row: "[1,0]"; "": none */
	const char *first, *last;
	bool view;               /* view focus: row, hints */
	/* in a grid, in place of percentage and row: "cell [2,1] nan"; gives way to news */
	const char *cell;
	const char *hints;       /* keys that work here, two blanks between; NULL: none */
	uint64_t row, rows;      /* from 1, 0: none of them; of how many that show */
	bool filtered;
	uint64_t all;            /* of how many there are */
	const char *news;        /* in place of the hints or dashes; "": none */
	bool urgent;             /* the news are what the next key is about: they come first */
	bool mouse;
};

/* Printable, at most cols columns; a piece that doesn't fit is left out whole, the mouse first. */
void status_text(struct str *out, const struct status *status, int cols);
void put_index(struct str *out, const struct line *line);  /* "[1,0]", nothing without an index */

#endif
