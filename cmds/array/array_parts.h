#ifndef CMDS_ARRAY_PARTS_H
#define CMDS_ARRAY_PARTS_H

#include "cmds/array/array.h"
#include "cmds/array/field.h"
#include "dump/base/vec.h"

/*
 * Shared by array.c, which writes lines, and array_layout.c, which finds them, and private to them.
 */

#define EDGE 3
#define PREFIX_LEN 6
#define READ_ELEMS 4096         /* of a line, at once */

struct axis {
	uint64_t dim;
	uint64_t shown;          /* entries shown, not counting the dots */
	bool cut;
	uint64_t height;         /* lines of one entry, if all elements have one width */
	uint64_t gap;            /* blank lines between entries */
};

/* A line that begins with an item, an element of a row or the dots. Counts shown rows only. */
struct spot {
	uint64_t line, row, item;
};

struct place {
	enum { PLACE_ITEMS, PLACE_DOTS, PLACE_BLANK } kind;
	uint32_t axis;           /* PLACE_DOTS: the axis that is cut */
	struct spot spot;        /* of the line; between rows, of the row before */
};

/* What an element covers of its line. */
struct cell {
	size_t begin, end;
};

struct array {
	struct body body;
	struct value *value;
	struct view view;
	struct array_style style;
	struct field field;
	uint32_t rank;
	bool flat;               /* no rows: rank 0, or no elements */
	struct axis axis[SHAPE_MAX_RANK];
	uint64_t n_rows, n_items;        /* items: of each row, with its dots */
	uint64_t n_lines;                /* without the line of the dtype */
	struct str dtype;                /* "dtype=float32)"; empty where numpy leaves it out */
	bool dtype_below;                /* on a line of its own */
	VEC(struct spot) spots;          /* checkpoints */
	struct spot last;                /* the last one found */
	VEC(struct cell) cells;          /* of the line being made */
	struct str text;                 /* scratch */
	unsigned char *elems;            /* scratch: READ_ELEMS of them */
};

static inline struct array *array_of(struct body *body)
{
	return (struct array *)body;
}

/* The innermost axis. */
static inline const struct axis *row_axis(const struct array *a)
{
	return &a->axis[a->rank - 1];
}

static inline bool is_dots(const struct array *a, uint64_t item)
{
	return item == EDGE && row_axis(a)->cut;
}

/* The index along its axis of the nth shown entry, or of an item of a row, not the dots. */
static inline uint64_t entry_index(const struct axis *axis, uint64_t entry)
{
	return axis->cut && entry >= EDGE ? axis->dim - 2 * EDGE + entry : entry;
}

static inline uint64_t item_index(const struct array *a, uint64_t item)
{
	const struct axis *axis = row_axis(a);

	return axis->cut && item > EDGE ? axis->dim - 2 * EDGE - 1 + item : item;
}

/* Reads an element and appends its text. */
bool array_put_element(struct array *a, uint64_t at, struct str *out, struct err *err);
/* The first element of a row: its index, and its position in the view. */
void array_row_index(const struct array *a, uint64_t row, int64_t *index);
uint64_t array_row_start(const struct array *a, uint64_t row);
/* The first item after the line that begins with `item`. */
bool array_line_end(struct array *a, uint64_t row, uint64_t item, uint64_t *end, struct err *err);
/* What is on a line. */
bool array_place(struct array *a, uint64_t line, struct place *place, struct err *err);
/* The line that shows an element, a find of struct body_kind. */
bool array_find(struct body *body, const int64_t *index, uint32_t rank, uint64_t *found);

/* To lay out: set the axes; when the field is settled and there are rows, count the lines. */
void array_set_axes(struct array *a);
bool array_count_lines(struct array *a, struct progress *progress, struct err *err);

#endif
