#ifndef CMDS_LANES_PARTS_H
#define CMDS_LANES_PARTS_H

#include "cmds/profile/lanes.h"
#include "cmds/profile/lanes_view.h"

/*
 * Shared by lanes_view.c, lanes_rows.c, lanes_paint.c and lanes_list.c, and private to them.
 *
 * Each drawing row has a list of slices in which both starts and ends rise, so what a column of the
 * screen shows is found by bisection. Slices too narrow for a box are not visited one by one: the
 * next one drawn is the first that begins after the column.
 */

enum {
	LANES_HEADING = 2,       /* the ruler's times, and its ticks */
	LANES_LIST_HEADING = 2,  /* a blank row, and the columns' names */
	LANES_WIDE = 60,         /* narrower screens have short labels, without shares */
};

struct row {
	uint32_t lane, number;   /* drawing row `number` of the lane */
	size_t begin, len;       /* its slices: lanes_view.slices[begin + item] */
};

struct lanes_view {
	struct body body;
	struct body *lanes;
	struct lanes_look look;
	struct row *rows;
	size_t n_rows;
	size_t *first_row;       /* by lane */
	uint32_t *slices;        /* numbers in the lane */
	int64_t span_ns;
	int64_t *busy_ns;        /* by place in slices: how long those before it took in all */
	size_t label_columns[2]; /* of the longest label: short, long */
	size_t free_rows;        /* below the lanes, for the list */
};

/* lanes_rows.c: rows, their slices and their labels. Items are numbers of slices in a row. */

/* Fill v->rows, slices, first_row; busy_ns; label_columns, in this order. */
void lanes_find_rows(struct lanes_view *v);
void lanes_add_up(struct lanes_view *v);
void lanes_measure_labels(struct lanes_view *v);

struct lane_slice lanes_slice_of(const struct lanes_view *v, const struct row *row, size_t item);
/* The first slice of a row, from `from` on, that begins at ns or later; the row's length: none. */
size_t lanes_first_from(const struct lanes_view *v, const struct row *row, size_t from, int64_t ns);
/* The slice of a row that is nearest to a time. */
size_t lanes_nearest(const struct lanes_view *v, const struct row *row, int64_t ns);
/* What the slices of a row, from `item` on, take of the time in [from, to). */
int64_t lanes_taken(const struct lanes_view *v, const struct row *row, size_t item, int64_t from,
                    int64_t to);
/* The n-th of all lanes by its start, of those that had not ended at `ns`. NULL: no such one. */
const struct row *lanes_nth_from(const struct lanes_view *v, int64_t ns, uint64_t n,
                                 struct lane_slice *out);

/* "GPU:0 stream 14/1", on narrow screens "GPU:0 s14/1". */
void lanes_put_name(const struct lanes_view *v, const struct row *row, int width, struct str *out);
/* Columns of labels, each followed by a blank; at most half of the width. */
int lanes_label_columns(const struct lanes_view *v, int width);
/* Name and share, in so many columns. */
void lanes_put_label(const struct lanes_view *v, const struct row *row, int width, int left,
                     struct str *out);

/* lanes_paint.c: the ruler and the slices of a row as boxes or blocks. */

struct window {
	int64_t from, span;
	int left, cells;         /* columns before the lane, and of it */
};

struct window lanes_window_of(const struct lanes_view *v, const struct stage *stage, int width);
/* The first time that is in a column. */
int64_t lanes_time_of(const struct window *w, int64_t column);

/* Columns [begin, end) of a slice, at least one; they may lie before or after the lane. */
struct columns { int64_t begin, end; };
struct columns lanes_extent_of(const struct window *w, const struct lane_slice *slice);

/* What was done, in one word: the kernel, or the node without its scope. */
void lanes_put_slice_name(struct str *out, const struct lane_slice *slice);
enum role lanes_work_of(const struct lane_slice *slice);
/* Its times, or its ticks. */
void lanes_put_ruler(const struct lanes_view *v, const struct window *w, bool ticks,
                     struct str *out);
/* Appends the slices of a row in sight. */
void lanes_paint(const struct lanes_view *v, const struct row *row, const struct window *w,
                 struct line *line);

/* lanes_list.c: line `row` of the list below the lanes: what ran from the chosen slice on. */
void lanes_list_line(const struct lanes_view *v, uint64_t row, const struct stage *stage, int width,
                     struct line *line);

#endif
