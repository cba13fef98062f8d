/* Cells have one width, so where one stands in the whole row is arithmetic. */
#include "tui/row_parts.h"

static void widths(const struct doc *doc, size_t *label, size_t *cell)
{
	int l, c;

	doc_cells(doc)->widths(doc_get_body(doc), &l, &c);
	*label = (size_t)l;
	*cell = (size_t)c + 1;
}

uint64_t row_parts(const struct doc *doc)
{
	uint64_t n = doc_cells(doc) ? doc_cells(doc)->n_columns(doc_get_body(doc)) : 0;

	n = n < ROW_MOST_CELLS ? n : ROW_MOST_CELLS;
	return n ? (n - 1) / ROW_PART_CELLS + 1 : 1;
}

void row_part(const struct doc *doc, uint64_t row, uint64_t part, struct line *line, size_t *skip,
              size_t *before)
{
	uint64_t first = doc_body_row(doc), rows = doc_get_body(doc)->kind->rows(doc_get_body(doc));
	size_t label, cell;

	*skip = *before = 0;
	if (row < first || row - first >= rows) {
		line_reset(line);
		if (!part)
			doc_line(doc, row, 0, line);
		return;
	}
	widths(doc, &label, &cell);
	doc_line_from(doc, row, part * ROW_PART_CELLS, (int)(label + ROW_PART_CELLS * cell), line);
	*skip = part ? label : 0;
	*before = (size_t)part * ROW_PART_CELLS * cell;
}

uint64_t row_part_column(const struct doc *doc, size_t off)
{
	size_t label, cell;

	widths(doc, &label, &cell);
	return off > label ? (off - label - 1) / cell : 0;
}

uint64_t row_part_at(const struct doc *doc, size_t off)
{
	return row_part_column(doc, off) / ROW_PART_CELLS;
}
