#ifndef DUMP_CELLS_H
#define DUMP_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/str.h"
#include "dump/base/text.h"

/*
 * A line of a table, cut into its cells: at commas, at runs of blanks, or where a rule below the
 * heading says. Cells point into a copy of the line, good until the next cut.
 */
#define CELLS_MOST 128

struct cells {
	struct text at[CELLS_MOST];
	size_t n;                        /* may be more than fit */
	bool open_quote;                 /* of a line cut at commas: the last cell has no end */
	struct str line;                 /* private */
};

/* Cells may stand in quotes, in which "" is one and commas are text. */
void cells_at_commas(struct cells *cells, struct text line);
/* At two blanks or more; the last of at most so many cells is the rest of the line. */
void cells_at_blanks(struct cells *cells, struct text line, size_t most);

/* "-----  --------  ---": where columns are. False: the line is no rule. */
struct cell_rule {
	struct { size_t from, to; } at[CELLS_MOST];
	size_t n;
};
bool cells_read_rule(struct cell_rule *rule, struct text line);
/* As a rule says; the last cell goes to the end of the line. Blanks around them are cut. */
void cells_at_rule(struct cells *cells, struct text line, const struct cell_rule *rule);
void cells_release(struct cells *cells);

/* Without blanks around it. */
struct text text_trimmed(struct text text);

#endif
