#ifndef TUI_ROWS_H
#define TUI_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/doc.h"
#include "cmds/lang/pattern.h"
#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tui/regex.h"

/*
 * Which rows of a document show, and in what order: its body, narrowed by patterns and sorted by a
 * column. What stands before and behind the body always shows; a document without a body is all
 * body here. `at` is a place among what shows, `row` one in the document. Start with {0}.
 *
 * Filtering and sorting are done in slices by rows_work. A filter shows at once what it has found
 * so far, and with a letter more it looks first at what it has left; a sort shows when it is done.
 * Nothing is listed, and nothing costs memory, until a filter or a sort asks for it; then it is 8
 * bytes a row that shows, of at most ROWS_MAX rows, 8 more while a filter narrows and 40 more while
 * sorting.
 */
enum { ROWS_MAX = 1 << 27 };
#define NO_COLUMN SIZE_MAX
#define NO_ROW UINT64_MAX

struct row_filter {
	struct pattern *pattern; /* NULL: none */
	bool invert;             /* rows without a match show */
	char *text;              /* as it was typed, and what capitals meant then */
	enum regex_case how;
};

/* Rows of a tree whose subtrees don't show: those in the list or, inverted, all others. */
struct folds {
	VEC(uint64_t) rows;      /* of the body, ascending */
	bool inverted;
};

struct sort_item {
	uint64_t row;
	/* text: where it begins in row_sort.texts; SIZE_MAX: none */
	union { double number; size_t text; } key;
};

struct row_sort {
	size_t column;           /* the chosen one, NO_COLUMN: none */
	bool on, reverse;        /* the rows are sorted, by column `by` */
	size_t by;
	uint64_t body_rows;      /* that were there when it began */
	/* while it works: the items, half sorted, and where the merge is */
	bool working;
	VEC(struct sort_item) items, merged;
	struct str texts;
	uint64_t taken;          /* items that have their keys */
	size_t width, begin, left, right;        /* runs' length; where two of them are merged */
};

struct rows {
	struct doc *doc;         /* borrowed; NULL: nothing shows */
	VEC(struct row_filter) filters;
	struct row_filter live;  /* the one that is being typed */
	struct folds folds;
	uint32_t below;          /* while looking at rows: deeper ones are folded away; 0: none */
	bool listed;             /* only what `list` names shows */
	VEC(uint64_t) list;      /* rows of the body, from its first */
	VEC(uint64_t) passed;    /* what a shorter filter left; seen again, from next_passed on */
	size_t next_passed;
	uint64_t looked_at;      /* rows of the body that the filters have seen */
	struct row_sort sort;
	uint64_t version;        /* another number whenever other rows show */
	uint64_t column;         /* of a grid: its cells show from this column on */
	struct stage stage;      /* of a stage: where one looks */
	struct line scratch;
};

void rows_show(struct rows *rows, struct doc *doc);      /* neither filtered nor sorted */
void rows_release(struct rows *rows);

uint64_t rows_count(const struct rows *rows);
/* of the body alone: show, and are there */
uint64_t rows_kept(const struct rows *rows, uint64_t *all);
uint64_t rows_row(const struct rows *rows, uint64_t at);
/* Where a row shows; of one that doesn't: where the next one does. */
uint64_t rows_at(const struct rows *rows, uint64_t row);
void rows_line(const struct rows *rows, uint64_t at, int width, struct line *line);

/*
 * The filter as it is typed, "!" first inverts; NULL or "": none. On false (ERR_REGEX) all stays.
 */
bool rows_filter_live(struct rows *rows, const char *text, enum regex_case how, struct err *err);
void rows_filter_keep(struct rows *rows);        /* what is typed goes on top of the others */
bool rows_filter_drop(struct rows *rows);        /* the last one; false: there was none */
bool rows_filtered(const struct rows *rows);
bool rows_filter_works(const struct rows *rows);  /* there are rows that it has not seen */

/* Trees (depth of struct body_kind). `row` is one of the document. */
bool rows_is_tree(const struct rows *rows);
/* Hides its subtree or, if it shows none, its parent's. The row folded now; NO_ROW: none. */
uint64_t rows_fold(struct rows *rows, uint64_t row);
void rows_unfold(struct rows *rows, uint64_t row);
/* The row that shows where this one was: itself, or what it is below. */
uint64_t rows_fold_all(struct rows *rows, bool fold, uint64_t row);

/* The table's columns; NULL: it is none. */
const struct col *rows_columns(const struct rows *rows, size_t *n);
bool rows_choose(struct rows *rows, int step);   /* the next or previous column; false: no table */
/*
 * By the chosen column, or the first; reversed: in the opposite of the present order.
 * False: no table.
 */
bool rows_sort(struct rows *rows, bool reversed);
/*
 * The same by the column whose heading stands in this row, of a window so wide, at this column of
 * its text; a second time: in reverse order. False: there is no heading.
 */
bool rows_sort_at(struct rows *rows, uint64_t at, int width, size_t text_col);

/* What was chosen of a document's rows, for when it or one like it shows. Start with {0}. */
struct filter_choice {
	char *text;
	enum regex_case how;
};
struct row_choice {
	VEC(struct filter_choice) filters;       /* those that were kept */
	size_t column;
	bool sorted, reverse;
	size_t by;
	struct folds folds;
};
void rows_choice(const struct rows *rows, struct row_choice *out);       /* out is released first */
/* After rows_show. What the document has no columns for is left out. */
void rows_choose_again(struct rows *rows, const struct row_choice *choice);
void row_choice_release(struct row_choice *choice);

/* Looks at up to max rows. True while there is more to do. */
bool rows_work(struct rows *rows, uint64_t max);

#endif
