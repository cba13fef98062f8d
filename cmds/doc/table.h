#ifndef CMDS_DOC_TABLE_H
#define CMDS_DOC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/doc.h"
#include "cmds/doc/figure.h"

/*
 * A table is rows and columns. A column is told once, as one row of a list, and from that row come
 * its text and width, the value it sorts by, its key in JSON and CSV, its word for --columns, the
 * help and the completion of that. The list is a macro:
 *
 *	#define STEP_COLUMNS(COL) \
 *		COL(step, "Step", TEXT, 0, 1, cell_str(cell, step->label)) \
 *		COL(span_us, "Span", TIME, 0, 2, cell_known(cell, span_us >= 0, span_us * 1000))
 *
 *	enum { STEP_COLUMNS(COL_ID) };
 *	static const struct col step_cols[] = { STEP_COLUMNS(COL_ROW) };
 *
 *	static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
 *	{
 *		... step and span_us of the row
 *
 *		switch (id) {
 *		STEP_COLUMNS(COL_CASE)
 *		}
 *	}
 *
 * To add a column is to add a row: COL(key, heading, kind, drop, typed, value).
 * key      in JSON and CSV
 * heading  above the text; NULL: the column is only typed
 * kind     what its cells hold and how they are written, see below
 * drop     where it is too narrow, columns go in this order, from 1 on, until the name (the last
 *          one that shows) has TABLE_NAME_LEAST columns of the screen; 0: it stays
 * typed    its place among the keys, from 1 on; 0: it only shows
 * value    statements that fill *cell
 * ASK(key, heading, word, kind, drop, typed, value) is the same of a column that shows only if
 * --columns asks for it by that word; from TYPED_IF_ASKED on it is only typed then, too. A list
 * with such rows has both macros as parameters.
 *
 * Rows are asked for when they show, and all of them once, one after the other, to find the widths:
 * nothing holds the texts of all rows.
 */
#define TABLE_NAME_LEAST 24
#define TYPED_IF_ASKED 1000

/*
 * X(kind, does it sort as a number?). What counts in the cell, how it shows, how it is typed:
 * TEXT     text: as it is
 * WORD     the same, "-" if it is empty
 * FLAG     whole: "yes" or "-"; true or false
 * OWN      text; typed by the row itself
 * COUNT    whole: digits
 * SIZE     whole, bytes: "2.70k"; digits
 * TIME     whole, ns: "1.234us", in the table's unit; microseconds, as all times are typed
 * CHANGE   whole, ns: "+1.234us", "-835ns"
 * AFTER    whole, ns after the step's start: "+0"
 * AFTER_US the same in us
 * PERCENT  number: "12.3"; rounded to four decimals
 * SHARE    number: the same, of what is typed
 * NUMBER   number, text: the text, "-" if it is empty; the number
 * OWN_NUMBER   number to sort by, text; typed by the row itself
 * Text that the row has put itself is always what shows. What is missing is typed as null.
 */
#define COL_KINDS(X) \
	X(TEXT, 0) X(WORD, 0) X(FLAG, 0) X(OWN, 0) X(COUNT, 1) X(SIZE, 1) X(TIME, 1) X(CHANGE, 1) \
	X(AFTER, 1) X(AFTER_US, 1) X(PERCENT, 1) X(SHARE, 1) X(NUMBER, 1) X(OWN_NUMBER, 1)
enum col_kind {
#define X(kind, is_number) COL_##kind,
	COL_KINDS(X)
#undef X
};

struct col {
	const char *key, *heading, *word;
	enum col_kind kind;
	int drop, typed, id;
	int width;               /* of the text; negative: it stands left; 0: as it is */
	bool dropped;            /* it does not show, but can be sorted by */
};

bool col_is_number(const struct col *col);       /* does it sort as one? */

#define COL_ID(key, ...) COL_##key,
#define ASK_ROW(key, heading, word, kind, drop, typed, value) \
	{ #key, heading, word, COL_##kind, drop, typed, COL_##key, 0, false },
#define COL_ROW(key, heading, ...) ASK_ROW(key, heading, NULL, __VA_ARGS__)
#define ASK_CASE(key, heading, word, kind, drop, typed, value) case COL_##key: value; break;
#define COL_CASE(key, heading, ...) ASK_CASE(key, heading, NULL, __VA_ARGS__)

/* One row and column, all zero before the row fills it. */
struct cell {
	bool missing;            /* not known: "-" unless there is a text, sorted last, null */
	bool none;               /* "-" and sorted last too, but typed as it is */
	bool empty;              /* shows nothing at all */
	bool look;               /* asked for a line, whose text may be shorter than the value */
	int64_t whole;
	double number;
	struct str text;
	struct data *data;       /* asked for typed: where the OWN kinds write; else NULL */
};

static inline void cell_str(struct cell *cell, const char *text)
{
	str_puts(&cell->text, text);
}

static inline void cell_known(struct cell *cell, bool known, int64_t whole)
{
	cell->missing = !known;
	cell->whole = whole;
}

/* Without a value nothing at all shows. */
static inline bool cell_has(struct cell *cell, bool has)
{
	cell->missing = cell->empty = !has;
	return has;
}

/* A number of which 0 says nothing. */
static inline void cell_some(struct cell *cell, int64_t whole)
{
	cell->none = !whole;
	cell->whole = whole;
}

/* Of a FLAG: "*" or nothing. */
static inline void cell_mark(struct cell *cell, bool on)
{
	cell->whole = on;
	cell->empty = !on;
	str_puts(&cell->text, on ? "*" : "");
}

typedef void table_get(void *context, uint64_t row, int id, struct cell *cell);

/*
 * A table of figures: columns justified to the right, two blanks apart, the name last. Columns with
 * nothing to say in any row are left out. To be filled between table_new and table_show.
 *
 * A list differs in how it looks: its maker gives the columns their widths, the heading may link to
 * the same list in another order, and any column may be the one with the link.
 */
struct table {
	struct body body;
	void *context;           /* of the calls; lives as long as the table */
	uint64_t n_rows;
	uint64_t n_foot;         /* rows n_rows, n_rows + 1, ... are below, in the same columns */
	table_get *get;
	/* What kept some row from being told in full; NULL: nothing did. May be NULL. */
	const struct err *(*fault)(void *context);
	/* The command that the name of a row links to; nothing put, or NULL: no link. */
	void (*link)(void *context, uint64_t row, struct str *out);
	enum figure_unit unit;
	bool cut_start;          /* of names too long the end tells more (cmds/doc/cut_names.h) */
	bool heads_nothing;      /* CSV has a heading even if there is no row */
	/* Of lists. */
	bool list;
	int name;                /* the column that is cut and has the link */
	size_t gap;              /* blanks between columns */
	bool trim;               /* no blanks at the end of a line */
	enum role (*role)(void *context, uint64_t row, int id);  /* NULL: all cells are plain */
	bool (*bad)(void *context, uint64_t row);        /* as is_bad of a body; may be NULL */
	const char *sort_line;   /* a heading runs it with "-s WORD", its column's word; or NULL */
	const char *sorted;      /* the word it is sorted by; again turns the order round */
	bool reverse;
	/* Of all. */
	struct col *cols;        /* its own copy, to be changed: no heading, typed 0 */
	size_t n_cols;
	size_t name_width;       /* that names are cut to, whether they look alike or not; or 0 */
	/* Private. */
	size_t n_shown;          /* the first ones; the others are only typed */
	size_t *typed;           /* the typed ones, in order */
	size_t n_typed;
	struct cut_names *names; /* NULL: they may look alike, or none is cut */
	struct str shown_name;
	struct cell cell;
};

/* The document frees it. */
struct table *table_new(struct doc *doc, const struct col *cols, size_t n, table_get *get,
                        void *context);
#define TABLE_OF(doc, cols, get, context) \
	table_new((doc), (cols), sizeof (cols) / sizeof *(cols), (get), (context))
struct col *table_col(struct table *table, int id);
void table_hide(struct table *table, int id);            /* it is only typed */
void table_move_first(struct table *table, int id);

/* asked: the words that --columns was given, "min,P95"; NULL: none. */
bool table_asks(const char *asked, const char *word);
/* One that is not in the list, up to its comma; NULL: there is none. */
const char *table_unknown_word(const char *asked, const char *const *words);

struct call;
/*
 * Gives the answer its typed rows. table_show does that too, and puts the heading, the body and
 * the foot rows in the columns of the call; 0: nothing is cut. On a screen names that are cut don't
 * look alike; in recorded answers they may.
 */
void table_type(struct call *call, struct table *table);
void table_show(struct call *call, struct table *table);
/* The parts of that, for lists. */
void table_put_list(struct call *call, struct table *table);     /* all but the measuring */
/* From this column on; the last one too, or all but it. */
void table_measure(struct table *table, size_t first, bool with_last);
void table_cut_names(struct table *table, size_t width);
void table_put_heading(const struct table *table, struct line *line);
void table_put_row(struct table *table, uint64_t row, struct line *line);
uint64_t table_rows(struct body *body);
bool table_line(struct body *body, uint64_t row, int width, struct line *line, struct err *err);
/* The text of a cell, in a line or as a value; good until the next cell. */
const struct str *table_text(struct table *table, uint64_t row, const struct col *col, bool look);
/* The typed rows, a doc_put_data of the table, for an answer that adds to them. */
bool table_put_rows(void *table, struct data *data, struct progress *progress, struct err *err);
/* The typed cells of one row without a table, as keys into an open object. */
void table_put_typed(const struct col *cols, size_t n, table_get *get, void *context,
                     uint64_t row, struct data *data);
const struct col *table_columns(struct body *body, size_t *n);
bool table_cell_of(struct body *body, uint64_t row, size_t column, struct table_cell *out,
                   struct err *err);
void table_keep(struct body *body);      /* free of such a body: the document has the table */
/* For what stands beside typed rows (doc_typed_as): the context of the table that it is given. */
static inline void *table_context(void *table)
{
	return ((struct table *)table)->context;
}

#endif
