#ifndef CMDS_GRID_H
#define CMDS_GRID_H

#include "cmds/array/axes.h"
#include "cmds/array/scale.h"
#include "cmds/doc/doc.h"
#include "dump/model/compare.h"
#include "dump/model/value.h"

/*
 * A slice of two axes as a body of kind "grid": a line with the labels of the columns, then a line
 * for each row, with its label and its elements in cells of equal width; NaN and infinities are
 * ROLE_BAD. A line reads only the elements that it shows, so the slice may be of any size.
 */
#define GRID_FORMS(X) \
	X(SHORT, "short")            /* floats with four digits */ \
	X(FULL, "full")              /* the shortest digits that read back */ \
	X(HEX, "hex")                /* the bits */

enum grid_form {
#define X(id, name) GRID_##id,
	GRID_FORMS(X)
#undef X
	N_GRID_FORMS
};

/*
 * What the cells are compared with: those that differ are ROLE_DIFFERS, and so are the labels of
 * their rows.
 */
struct grid_against {
	struct view view;        /* of the same dtype and shape */
	struct tolerance tolerance;
};

struct grid_style {
	enum grid_form form;
	struct axes axes;                /* how rows and columns are numbered; which slice */
	struct scale scale;              /* how cells are coloured */
	uint64_t column;                 /* the first one to show */
	int whole_width;                 /* of the widest integer; 0: what the dtype may need */
	struct grid_against *against;    /* lives as long as the body; NULL: nothing */
	int width;                       /* where the asker names none; 0: what fits GRID_UNCUT */
};

/* Columns of the array in a line of unlimited width; "..." follows if there are more. */
#define GRID_UNCUT 1000

/* The body takes value over; *view, of rank 2, is copied. */
struct body *grid_body(struct value *value, const struct view *view,
                       const struct grid_style *style);

/* Appends an element as in a cell, for headings. Not for strings. */
void grid_put_elem(struct str *out, enum grid_form form, const struct dtype_info *type,
                   const void *elem);

#endif
