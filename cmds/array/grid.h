#ifndef CMDS_GRID_H
#define CMDS_GRID_H

#include "cmds/array/axes.h"
#include "cmds/array/scale.h"
#include "cmds/doc/doc.h"
#include "dump/model/compare.h"
#include "dump/model/value.h"

/*
 * A slice of two axes as a body of kind "grid": the labels of the columns, then a line for each
 * row: its label, then its elements in cells of one width, NaN and infinities as ROLE_BAD. A line
 * reads the elements that it shows and no others, so the slice may be of any size.
 */
#define GRID_FORMS(X) \
	X(SHORT, "short")            /* floats in four digits */ \
	X(FULL, "full")              /* the shortest digits that read back */ \
	X(HEX, "hex")                /* the bits */

enum grid_form {
#define X(id, name) GRID_##id,
	GRID_FORMS(X)
#undef X
	N_GRID_FORMS
};

/*
 * What the cells are held against: those that differ are ROLE_DIFFERS, and the label of a row with
 * one is too.
 */
struct grid_against {
	struct view view;        /* of the same type and shape */
	struct tolerance tolerance;
};

struct grid_style {
	enum grid_form form;
	struct axes axes;                /* how rows and columns are numbered, which slice it is */
	struct scale scale;              /* how cells are coloured */
	uint64_t column;                 /* the first one to show */
	int whole_width;                 /* of the widest integer; 0: what its type may need */
	struct grid_against *against;    /* lives as long as the body; NULL: nothing */
	int width;                       /* where the asker names none; 0: what fits GRID_UNCUT */
};

/* Columns of the array in a line without a width; after them "..." says that there are more. */
#define GRID_UNCUT 1000

/* The body takes value over; *view has rank 2 and is copied. */
struct body *grid_body(struct value *value, const struct view *view,
                       const struct grid_style *style);

/* An element as a cell has it, for heads. Not for strings. */
void grid_put_elem(struct str *out, enum grid_form form, const struct dtype_info *type,
                   const void *elem);

#endif
