#ifndef TUI_ROW_PARTS_H
#define TUI_ROW_PARTS_H

#include "cmds/doc/doc.h"

/*
 * All cells of a grid's row, for patterns, whatever of it shows: a few at a time, so that a row of
 * any length takes little memory. Of a very long row only the first cells are looked at.
 */
enum { ROW_PART_CELLS = 500, ROW_MOST_CELLS = 1 << 20 };

/* Of the rows of a document: 1, or more if it is a grid with many columns. */
uint64_t row_parts(const struct doc *doc);
/*
 * Part `part` of a row of the document. Its bytes from *skip on are those from *skip + *before on
 * of the row as one line: each part begins with the row's label, which counts only in the first.
 */
void row_part(const struct doc *doc, uint64_t row, uint64_t part, struct line *line, size_t *skip,
              size_t *before);
/* The part that byte `off` of the whole row is in, and the column of its cell. */
uint64_t row_part_at(const struct doc *doc, size_t off);
uint64_t row_part_column(const struct doc *doc, size_t off);

#endif
