#ifndef TUI_SHEET_H
#define TUI_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/doc/doc.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tui/keys.h"

/*
 * The keys that work at a place, in groups, in columns; letters that are typed narrow them, and one
 * of them is chosen. A model: what keys do to it is tui/sheet_keys.h's, cells are
 * tui/draw_sheet.h's. Start with {0}.
 */
struct sheet_item {
	enum key_group group;
	enum action action;      /* ACTION_NONE: the document's */
	int key;                 /* the first of its keys */
	struct str keys;         /* all: "j, Down" */
	const char *help;
};

/* A line of the sheet: an item that shows, or the heading of its group. */
struct sheet_line {
	size_t item;             /* of a heading the first of its group */
	bool heading;
	int row, col;            /* col: which column */
};

struct sheet {
	bool open;
	struct str typed;
	VEC(struct sheet_item) items;
	VEC(struct sheet_line) lines;
	size_t chosen;           /* of lines; not a heading. lines.len: nothing fits */
	int rows, cols;          /* of the screen, for the lines */
	int n_columns, column_rows;
	int top;                 /* the first row that shows */
};

/* doc: what the view shows, NULL: nothing; its keys count only in a view. */
void sheet_open(struct sheet *sheet, struct key_scope scope, const struct doc *doc);
/*
 * Of an open one: a key that the user has bound, before all others; what it did otherwise goes.
 * command lives as long as it is open.
 */
void sheet_bind(struct sheet *sheet, int key, const char *command);
void sheet_close(struct sheet *sheet);
void sheet_release(struct sheet *sheet);
void sheet_resize(struct sheet *sheet, int rows, int cols);

/* What shows has a word that begins like this among its keys or in what they do, in any case. */
void sheet_narrow(struct sheet *sheet, const char *typed);
/* So many items on; to the item beside it in another column. */
void sheet_move(struct sheet *sheet, int items);
void sheet_move_column(struct sheet *sheet, int columns);
void sheet_choose(struct sheet *sheet, size_t line);     /* that is no heading */
const struct sheet_item *sheet_chosen(const struct sheet *sheet);        /* NULL: none */
/* The line at a place of the sheet as it is scrolled; lines.len: none. */
size_t sheet_line_at(const struct sheet *sheet, int row, int col);
int sheet_column_cols(const struct sheet *sheet);

#endif
