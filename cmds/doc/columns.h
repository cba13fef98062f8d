#ifndef CMDS_COLUMNS_H
#define CMDS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/doc.h"

/*
 * A table of figures: columns justified to the right, two blanks apart, the name last. Columns with nothing to say are
 * left out, others go in a given order when the name would have less than COLUMNS_NAME_LEAST of the width.
 * Cells are made when they are asked for; once for all rows, one after the other, to find the
 * widths.
 */
#define COLUMNS_NAME_LEAST 24

/* Where the rows come from. context lives as long as the body. */
struct columns_source {
	void *context;
	uint64_t n_rows;
	uint64_t n_foot;         /* rows n_rows, n_rows + 1, ... are under the table, in its columns */
	const struct column *columns;    /* the name is the last one */
	size_t n_columns;
	bool cut_start;          /* of names too long the end tells more (cmds/doc/cut_names.h) */
	const char *const *drop; /* headings that may go, first to last; NULL ends them */
	/* The text of a cell: "" for an empty one, "-" for nothing to say. */
	void (*put)(void *context, uint64_t row, size_t column, struct str *out);
	/* Its typed value; NULL: its text. False: missing. */
	bool (*number)(void *context, uint64_t row, size_t column, double *out);
	/* The command that the name of a row links to; nothing put, or NULL: no link. */
	void (*link)(void *context, uint64_t row, struct str *out);
};

/*
 * Puts the heading into the answer, gives it the body, and puts the foot rows, in the columns of the
 * call; 0: nothing is cut. On a screen names that are cut don't look alike; in recorded answers they may.
 */
struct call;
void columns_put(struct call *call, const struct columns_source *source);

#endif
