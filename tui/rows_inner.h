#ifndef TUI_ROWS_INNER_H
#define TUI_ROWS_INNER_H

#include "tui/rows.h"

/* Shared by rows.c, rows_filter.c, rows_folds.c and rows_sort.c, and private to them. */

uint64_t rows_head(const struct rows *rows);     /* rows before the body */
uint64_t rows_of_body(const struct rows *rows);
bool rows_narrowed(const struct rows *rows);     /* does anything keep rows from showing? */
/* After a change of the filters or folds. */
void rows_start_over(struct rows *rows);

/* Filters. NULL, "" or "!": none; false: *err says what is wrong with the pattern. */
bool row_filter_make(struct row_filter *filter, const char *text, enum regex_case how,
                     struct err *err);
void row_filter_release(struct row_filter *filter);
/* Looks at up to max rows more. */
void rows_filter_some(struct rows *rows, uint64_t max);

/* Folds. Is the row below one that is folded? Asked of one row after the other, from the first. */
bool rows_folded_away(struct rows *rows, uint64_t body_row);
/* " [+3]" behind a row whose subtree of three rows doesn't show. */
void rows_put_folded(const struct rows *rows, uint64_t row, struct line *line);

/* Sorting. */
void rows_start_sort(struct rows *rows);
void rows_stop_sort(struct rows *rows);
void rows_sort_some(struct rows *rows, uint64_t max);
/* The chosen column's heading is strong, that of the sorted one has an arrow. */
void rows_mark_heading(const struct rows *rows, struct line *line);

#endif
