/*
 * A grid's cursor: a row of the pane and a column of the grid. Cells have one width, so where a
 * column stands on the screen is arithmetic.
 */
#include "tui/pane.h"

#include <string.h>

static struct body *body_of(const struct pane *pane)
{
	return doc_get_body(pane_doc(pane));
}

bool pane_has_cells(const struct pane *pane)
{
	return pane_doc(pane) && doc_cells(pane_doc(pane));
}

static uint64_t n_columns(const struct pane *pane)
{
	return doc_cells(pane_doc(pane))->n_columns(body_of(pane));
}

/* Whole cells that fit beside the labels, at least one. */
static uint64_t fit(const struct pane *pane)
{
	int label, cell, room;

	doc_cells(pane_doc(pane))->widths(body_of(pane), &label, &cell);
	room = (pane->cols - label) / (cell + 1);
	return room > 1 ? (uint64_t)room : 1;
}

static uint64_t last_column(const struct pane *pane)
{
	uint64_t n = n_columns(pane);

	return n ? n - 1 : 0;
}

void pane_cell_keep(struct pane *pane)
{
	uint64_t last, most;

	if (!pane_has_cells(pane))
		return;
	last = last_column(pane);
	most = last + 1 > fit(pane) ? last + 1 - fit(pane) : 0;
	if (pane->column > last)
		pane->column = last;
	if (pane->shown.column > pane->column)
		pane->shown.column = pane->column;
	if (pane->column - pane->shown.column >= fit(pane))
		pane->shown.column = pane->column - fit(pane) + 1;
	if (pane->shown.column > most)
		pane->shown.column = most;
}

void pane_cell_move(struct pane *pane, int64_t columns)
{
	uint64_t last = last_column(pane),
		 by = columns < 0 ? 0 - (uint64_t)columns : (uint64_t)columns;

	if (columns < 0)
		pane->column = by > pane->column ? 0 : pane->column - by;
	else
		pane->column = by > last - pane->column ? last : pane->column + by;
	pane_cell_keep(pane);
}

void pane_cell_to(struct pane *pane, uint64_t row, uint64_t column)
{
	pane->column = column;
	pane_cell_keep(pane);
	pane_cursor_to(pane, doc_body_row(pane_doc(pane)) + 1 + row);
	if (!pane->focus)
		pane->top = pane->cursor;
}

/* The grid's row that a row of the document is; false: none. */
static bool grid_row(const struct pane *pane, uint64_t at, uint64_t *row)
{
	uint64_t heading = doc_body_row(pane_doc(pane)) + 1, in_doc;

	if (at >= rows_count(&pane->shown))
		return false;
	in_doc = rows_row(&pane->shown, at);
	if (in_doc < heading || in_doc >= heading - 1 + body_of(pane)->kind->rows(body_of(pane)))
		return false;
	*row = in_doc - heading;
	return true;
}

bool pane_cell_at(struct pane *pane, uint64_t *row, uint64_t *column)
{
	if (!pane_has_cells(pane) || !n_columns(pane) || !grid_row(pane, pane->cursor.row, row))
		return false;
	*column = pane->column;
	return true;
}

bool pane_cell_span(struct pane *pane, const struct line *line, struct span *out)
{
	int label, cell;

	if (!pane_has_cells(pane) || pane->column < pane->shown.column)
		return false;
	doc_cells(pane_doc(pane))->widths(body_of(pane), &label, &cell);
	out->begin = (size_t)label +
	             (size_t)(pane->column - pane->shown.column) * (size_t)(cell + 1) + 1;
	out->end = out->begin + (size_t)cell;
	if (out->end > line->text.len)
		out->end = line->text.len;
	return out->begin < out->end;
}

bool pane_cell_column(struct pane *pane, int col, uint64_t *column)
{
	int label, cell;

	doc_cells(pane_doc(pane))->widths(body_of(pane), &label, &cell);
	if (col <= label)
		return false;
	*column = pane->shown.column + (uint64_t)((col - label - 1) / (cell + 1));
	return *column < n_columns(pane);
}

void pane_put_corners(struct pane *pane, struct str *first, struct str *last)
{
	const struct cells_kind *kind = doc_cells(pane_doc(pane));
	uint64_t top, bottom, right = pane->shown.column + fit(pane) - 1;
	size_t n;
	const struct piece *pieces = pane_pieces(pane, &n);

	if (!n || !n_columns(pane) || !grid_row(pane, pane->top.row, &top) ||
	    !grid_row(pane, pieces[n - 1].at.row, &bottom))
		return;
	if (right > last_column(pane))
		right = last_column(pane);
	kind->label(body_of(pane), top, pane->shown.column, first);
	kind->label(body_of(pane), bottom, right, last);
}

void pane_put_cell(struct pane *pane, struct str *label, struct str *value)
{
	const struct cells_kind *kind = doc_cells(pane_doc(pane));
	struct err err = {0};
	uint64_t row, column;

	if (!pane_cell_at(pane, &row, &column))
		return;
	kind->label(body_of(pane), row, column, label);
	if (!kind->value(body_of(pane), row, column, value, &err)) {
		str_reset(value);
		str_puts(value, "?");
	}
}
