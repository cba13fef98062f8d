#ifndef CMDS_DOC_TABLE_H
#define CMDS_DOC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/doc.h"
#include "cmds/doc/figure.h"

/*
 * A table has rows and columns. A column is declared once, in one row of a list. Everything comes
 * from that row: text and width, the value to sort by, the key in JSON and CSV, the word for
 * --columns with its help and completion. The list is a macro:
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
 * heading  NULL: the column is not shown, only typed
 * kind     what its cells hold and how they are written, see below
 * drop     on a narrow screen columns are dropped in this order, from 1 on, until the name (the
 *          last column) has TABLE_NAME_LEAST columns of the screen; 0: never dropped
 * typed    its place among the keys, from 1 on; 0: it is only shown
 * value    statements that fill *cell
 * ASK(key, heading, word, kind, drop, typed, value) declares a column that is shown only if
 * --columns asks for it by that word; if typed is TYPED_IF_ASKED or more, it is typed only then,
 * too. A list with such rows takes both macros as parameters.
 *
 * Rows are asked for when they are shown, and all of them once, in order, to find the widths: the
 * texts of all rows are never held.
 */
#define TABLE_NAME_LEAST 24
#define TYPED_IF_ASKED 1000

/*
 * X(kind, does it sort as a number?). The members of the cell that it uses, its text, its type:
 * TEXT     text: as it is
 * WORD     text: as it is, "-" if empty
 * FLAG     whole: "yes" or "-"; true or false
 * OWN      text: as it is; the row writes typed data itself
 * COUNT    whole: as it is
 * SIZE     whole, bytes: "2.70k"; an integer
 * TIME     whole, ns: "1.234us", in the table's unit; microseconds, as are all typed times
 * CHANGE   whole, ns: "+1.234us", "-835ns"
 * AFTER    whole, ns after the step's start: "+0"
 * AFTER_US whole, us after it
 * PERCENT  number: "12.3"; rounded to four decimals
 * SHARE    number: the same, but the text is made of the rounded number (put_share)
 * NUMBER   number, text: the text, "-" if empty; the number
 * OWN_NUMBER   number to sort by, text: as it is; the row writes typed data itself
 * BAR      number, a part from 0 to 1: a bar, at its longest as wide as the column; never typed
 * If the row has put a text, that is shown for any kind. A missing value is typed as null.
 */
#define COL_KINDS(X) \
	X(TEXT, 0) X(WORD, 0) X(FLAG, 0) X(OWN, 0) X(COUNT, 1) X(SIZE, 1) X(TIME, 1) X(CHANGE, 1) \
	X(AFTER, 1) X(AFTER_US, 1) X(PERCENT, 1) X(SHARE, 1) X(NUMBER, 1) X(OWN_NUMBER, 1) \
	X(BAR, 1)
enum col_kind {
#define X(kind, is_number) COL_##kind,
	COL_KINDS(X)
#undef X
};

struct col {
	const char *key, *heading, *word;
	enum col_kind kind;
	int drop, typed, id;
	int width;               /* of the text, in columns; negative: aligned left; 0: any */
	bool dropped;            /* it is not shown, but can be sorted by */
	bool as_typed;           /* what it shows is its typed value */
	/* Compares two rows, which it is sorted by then. NULL: it is sorted by its kind. */
	int (*order)(void *context, int id, uint64_t a, uint64_t b);
};

bool col_is_number(const struct col *col);       /* does it sort as one? */

#define COL_ID(key, ...) COL_##key,
#define ASK_ROW(key, heading, word, kind, drop, typed, value) \
	{ #key, heading, word, COL_##kind, drop, typed, COL_##key, 0, false, false, NULL },
#define COL_ROW(key, heading, ...) ASK_ROW(key, heading, NULL, __VA_ARGS__)
#define ASK_CASE(key, heading, word, kind, drop, typed, value) case COL_##key: value; break;
#define COL_CASE(key, heading, ...) ASK_CASE(key, heading, NULL, __VA_ARGS__)

/*
 * A word of -s and what it means: the columns to sort by, the most important first, as RISES(key)
 * or FALLS(key), with 0 behind the last. Without a column the rows keep the order that they have.
 */
struct sort_word {
	const char *word;
	int by[4];
};
#define RISES(key) (COL_##key + 1)
#define FALLS(key) (-(COL_##key + 1))
struct table_sorts {
	/* The first is the default; the word behind the last is NULL. NULL: there are none. */
	const struct sort_word *words;
	/*
	 * The error about a word that is neither one of these nor a key. It contains %s once, for
	 * the word. It is an Error block, as in tfdbg, unless it begins with "ERROR: ". NULL:
	 * "There is no column".
	 */
	const char *refusal;
	bool turns;              /* -r reverses the whole order of a word, equal rows too */
	bool missing_first;      /* what is missing is less than all else; else it is last */
};

/*
 * The options of every command whose answer is a table. table_arrange finds them by name. whole:
 * the option was added later and must be typed in full, so that abbreviations of older ones stay
 * unique.
 */
#define SORT_OPT(help, whole) { OPT_WORD, "s", "sort_by", help, NULL, "sort", whole }
#define REVERSE_OPT(whole) { OPT_FLAG, "r", "reverse", "in reverse order", NULL, NULL, whole }
#define LIMIT_OPT(whole) { OPT_INT, "l", "limit", "how many rows (0: all)", NULL, "max", whole }
#define SKIP_OPT(whole) { OPT_INT, NULL, "skip", "how many rows to skip at the beginning", NULL, \
                          NULL, whole }
#define COLUMNS_OPT { OPT_WORD, NULL, "columns", "the keys, as in JSON, of the columns to show", \
                      NULL, NULL, true }
#define SORT_KEY_OPT SORT_OPT("the key of a column, as in JSON", true)
#define TABLE_OPTS SORT_KEY_OPT, REVERSE_OPT(true), LIMIT_OPT(true), SKIP_OPT(true), COLUMNS_OPT
/* Where --skip and --max were the only ones. */
#define MAX_OPT { OPT_INT, "l", "max", "how many rows at most (0: all)", NULL, "limit", false }
#define PAGE_OPTS SKIP_OPT(false), MAX_OPT, SORT_KEY_OPT, REVERSE_OPT(true), COLUMNS_OPT

/* One row and column, all zero before the row fills it. */
struct cell {
	bool missing;            /* not known: "-" unless there is a text; null; sorts at one end */
	bool none;               /* shown as "-", but written as 0 in JSON and CSV */
	bool empty;              /* shown as nothing, not even "-" */
	bool look;               /* set by the caller: for a line; the text may be shortened */
	int64_t whole;
	double number;
	struct str text;
	struct data *data;       /* set by the caller for typed data: OWN kinds write to it */
};

static inline void cell_str(struct cell *cell, const char *text)
{
	str_puts(&cell->text, text);
}

/* NULL: there is none */
static inline void cell_or_none(struct cell *cell, const char *text)
{
	cell->missing = !text;
	cell_str(cell, text ? text : "");
}

static inline void cell_known(struct cell *cell, bool known, int64_t whole)
{
	cell->missing = !known;
	cell->whole = whole;
}

/* Without a value the cell is missing and shown as nothing. */
static inline bool cell_has(struct cell *cell, bool has)
{
	cell->missing = cell->empty = !has;
	return has;
}

/* A number that is shown as "-" if it is 0. */
static inline void cell_some(struct cell *cell, int64_t whole)
{
	cell->none = !whole;
	cell->whole = whole;
}

/* For a FLAG shown as "*" or nothing. */
static inline void cell_mark(struct cell *cell, bool on)
{
	cell->whole = on;
	cell->empty = !on;
	str_puts(&cell->text, on ? "*" : "");
}

typedef void table_get(void *context, uint64_t row, int id, struct cell *cell);

/*
 * A table of figures has columns aligned to the right, two spaces apart, and the name last; columns
 * without a value in any row are left out. Set members between table_new and table_show.
 *
 * A list looks different: its maker sets the widths of columns, headings may link to the same list
 * in another order, and any column may be the one with the link.
 */
struct table {
	struct body body;
	void *context;           /* for the functions below; lives as long as the table */
	uint64_t n_rows;
	uint64_t n_foot;         /* rows below the others, in the same columns, from n_rows on */
	table_get *get;
	/* Why some row could not be told in full; NULL: all could. May be NULL itself. */
	const struct err *(*fault)(void *context);
	/* Puts the command that the name of a row links to, or nothing. NULL: no links. */
	void (*link)(void *context, uint64_t row, struct str *out);
	enum figure_unit unit;
	bool cut_start;          /* cut long names at their start, the end tells more */
	bool heads_nothing;      /* CSV has a heading even without rows */
	bool fine;               /* bars in blocks, else in ASCII */
	bool bars_grow;          /* the bar takes the room that the names leave */
	/* Of lists. */
	bool list;
	int name;                /* the column that is cut and has the link */
	size_t gap;              /* spaces between columns */
	bool trim;               /* no spaces at the end of a line */
	enum role (*role)(void *context, uint64_t row, int id);  /* NULL: all cells are plain */
	bool (*bad)(void *context, uint64_t row);        /* as is_bad of a body; or NULL */
	const char *sort_line;   /* headings link to this and "-s WORD"; NULL: no links */
	const char *sorted;      /* the WORD it is sorted by; its heading reverses the order */
	bool reverse;
	/* Of all. */
	const struct table_sorts *sorts; /* NULL: -s takes keys of columns alone */
	/*
	 * The depth of a row, from 1 on. The rows below it in the tree follow it. Siblings are
	 * sorted among themselves. NULL: the table is no tree.
	 */
	uint64_t (*level)(void *context, uint64_t row);
	/*
	 * For a list of several blocks: the number behind the last row of the block that begins
	 * with this row. Rows are sorted among those of their block. NULL: there is one block.
	 */
	uint64_t (*block_end)(void *context, uint64_t row);
	/*
	 * Gives the rank of a row by a column, if the maker keeps ranks by that column: rows are
	 * then sorted by them. False: there are none. May be NULL.
	 */
	bool (*rank)(void *context, int id, uint64_t row, uint64_t *rank);
	struct col *cols;        /* a copy, which may be changed: heading NULL, typed 0 */
	size_t n_cols;
	size_t name_width;       /* names are cut to this even if they then look the same; or 0 */
	/* Set by table_arrange. */
	bool chosen;             /* --columns is the whole list of columns */
	uint32_t *order;         /* all rows as sorted; NULL: as they were */
	uint64_t n_left_out;     /* rows that are not shown */
	uint64_t n_skipped;      /* of these, the ones before the first shown row */
	/* Private. */
	size_t n_shown;          /* so many columns, the first ones, are shown */
	size_t *typed;           /* indexes of the typed columns, in order */
	size_t n_typed;
	struct cut_names *names; /* NULL: names may look the same, or none is cut */
	struct str shown_name;
	struct cell cell;
};

/* The document frees it. */
struct table *table_new(struct doc *doc, const struct col *cols, size_t n, table_get *get,
                        void *context);
#define TABLE_OF(doc, cols, get, context) \
	table_new((doc), (cols), sizeof (cols) / sizeof *(cols), (get), (context))
struct col *table_col(struct table *table, int id);
void table_hide(struct table *table, int id);            /* it stays typed */
void table_move_first(struct table *table, int id);
/* Makes it a list with the link in column `name`; table_show aligns its texts left. */
void table_list(struct table *table, int name);

/* Is the word among those that --columns was given ("min,P95"; NULL: none)? */
bool table_asks(const char *asked, const char *word);
/* The first asked word, up to its comma, that is not in the list; NULL: all are. */
const char *table_unknown_word(const char *asked, const char *const *words);
/* The first that is neither the key of a typed column nor its word; NULL: all are. */
const char *table_unknown_column(const char *asked, const struct col *cols, size_t n);

struct call;
/*
 * Sorts the rows, leaves some out and chooses columns, as --sort_by, --reverse, --limit, --skip and
 * --columns of the call say, for table_show and table_type. n_rows is then how many rows are shown;
 * the functions of the table are still given the numbers that rows had before. Columns of numbers
 * fall, except in lists; texts rise. Rows of the foot stay. Call it once, before table_show and
 * table_type. False: the call has the error.
 */
bool table_arrange(struct call *call, struct table *table);
/* Checks the word of --sort_by. False: the table won't know it, and the call has the error. */
bool table_can_sort(struct call *call, const struct table_sorts *sorts, const struct col *cols,
                    size_t n);
/*
 * Sorts by one column; equal rows keep the order that they have. False with ERR_CANCELLED, or with
 * ERR_LIMIT from 2^32 - 1 rows on; the order is then as before. Not after table_arrange.
 */
bool table_sort(struct table *table, int id, bool falls, struct progress *progress,
                struct err *err);
/*
 * Ranks the rows by one column, from 0 on: equal ones share a rank, and what is missing is less
 * than all else. False after a cancel.
 */
bool table_rank(struct table *table, int id, uint32_t *ranks, struct progress *progress,
                struct err *err);
/*
 * Does --sort_by or --columns name the column? For commands that have to find out its values
 * before there is a table.
 */
bool table_wants(const struct call *call, const struct col *col);
/* The number that the shown row, or row of the foot, had before. */
uint64_t table_source_row(const struct table *table, uint64_t row);
/*
 * table_type gives the answer its typed rows. table_show does so too, and puts the heading, the
 * body and the foot rows, fitted into call->cols columns (0: nothing is cut). On a screen no two
 * different names look the same when cut; elsewhere they may, as in recorded answers. Columns of a
 * list are as wide as their cells.
 */
void table_type(struct call *call, struct table *table);
void table_show(struct call *call, struct table *table);
/* Arranges the table, and shows it as a list (table_list) below "3 WHAT:". */
void table_put_counted(struct call *call, struct table *table, int name, const char *what);
/* The parts of table_show, for lists. */
void table_put_list(struct call *call, struct table *table);     /* all but measuring widths */
/* Finds the widths of the columns from `first` on, with or without the last. */
void table_measure(struct table *table, size_t first, bool with_last);
/* Aligns texts left, and measures all columns before if it is a list. */
void table_measure_all(struct table *table);
void table_cut_names(struct table *table, size_t width);
void table_put_heading(const struct table *table, struct line *line);
void table_put_row(struct table *table, uint64_t row, struct line *line);
uint64_t table_rows(struct body *body);
bool table_line(struct body *body, uint64_t row, int width, struct line *line, struct err *err);
/* The text of a cell, for a line (look) or in full; good until the next cell. */
const struct str *table_text(struct table *table, uint64_t row, const struct col *col, bool look);
/* The cell as the row fills it; good until the next one. data: of OWN kinds, or NULL. */
struct cell *table_fill_cell(struct table *table, uint64_t row, const struct col *col,
                             struct data *data, bool look);
/* Writes the typed value of a cell, without its key. */
void table_put_value(struct table *table, uint64_t row, const struct col *col, struct data *data);
/* A doc_put_data that writes the table's typed rows, for answers that add to them. */
bool table_put_rows(void *table, struct data *data, struct progress *progress, struct err *err);
/* Writes the typed cells of one row into an open object; needs no table. */
void table_put_typed(const struct col *cols, size_t n, table_get *get, void *context,
                     uint64_t row, struct data *data);
const struct col *table_columns(struct body *body, size_t *n);
bool table_cell_of(struct body *body, uint64_t row, size_t column, struct table_cell *out,
                   struct err *err);
void table_keep(struct body *body);      /* for `free` of the body: the document frees the table */
/* For the `beside` of doc_typed_as, which is given the table: the table's context. */
static inline void *table_context(void *table)
{
	return ((struct table *)table)->context;
}

#endif
