/*
 * A grid's cursor: a row of the pane and a column of the grid. Cells have one width, so where a
 * column stands on the screen is arithmetic.
 */
#include "tui/pane_kind.h"

#include "dump/base/utf8.h"
#include "tui/row_parts.h"

enum { ELEMS_AT_ONCE = 1 << 15 };        /* that are looked at between two looks at the keys */

static struct body *body_of(const struct pane *pane)
{
	return doc_get_body(pane_doc(pane));
}

bool pane_is_grid(const struct pane *pane)
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

static void keep(struct pane *pane)
{
	uint64_t last, most;

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

static void sideways(struct pane *pane, int64_t columns)
{
	uint64_t last = last_column(pane),
		 by = columns < 0 ? 0 - (uint64_t)columns : (uint64_t)columns;

	if (columns < 0)
		pane->column = by > pane->column ? 0 : pane->column - by;
	else
		pane->column = by > last - pane->column ? last : pane->column + by;
	keep(pane);
}

void pane_cell_to(struct pane *pane, uint64_t row, uint64_t column)
{
	if (!pane_is_grid(pane))
		return;
	pane->column = column;
	keep(pane);
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
	if (!pane_is_grid(pane) || !n_columns(pane) || !grid_row(pane, pane->cursor.row, row))
		return false;
	*column = pane->column;
	return true;
}

static bool span(struct pane *pane, const struct line *line, struct span *out)
{
	int label, cell;

	if (pane->column < pane->shown.column)
		return false;
	doc_cells(pane_doc(pane))->widths(body_of(pane), &label, &cell);
	out->begin = (size_t)label +
	             (size_t)(pane->column - pane->shown.column) * (size_t)(cell + 1) + 1;
	out->end = out->begin + (size_t)cell;
	if (out->end > line->text.len)
		out->end = line->text.len;
	return out->begin < out->end;
}

static void point(struct pane *pane, int col)
{
	int label, cell;
	uint64_t column;

	doc_cells(pane_doc(pane))->widths(body_of(pane), &label, &cell);
	if (col <= label)
		return;
	column = pane->shown.column + (uint64_t)((col - label - 1) / (cell + 1));
	if (column < n_columns(pane))
		pane->column = column;
}

void pane_cell_reveal(struct pane *pane, size_t off)
{
	pane->column = row_part_column(pane_doc(pane), off);
	keep(pane);
}

/* To the cell that is chosen on the line, or to the first that differs. */
static void reveal(struct pane *pane, const struct str *text, size_t off)
{
	const struct line *line = &pane->scratch;

	(void)text;
	for (size_t i = line->segs.len; pane->search.seek == SEEK_DIFFERENCE && i-- > 0; )
		if (line->segs.at[i].role == ROLE_DIFFERS && line->segs.at[i].begin)
			off = line->segs.at[i].begin;
	point(pane, (int)off);
}

/* Labels of the first and the last cell that show. */
static void put_corners(struct pane *pane, struct str *first, struct str *last)
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

bool pane_put_cell(struct pane *pane, struct str *label, struct str *value)
{
	struct err err = {0};
	uint64_t row, column;

	if (!pane_is_grid(pane))
		return false;
	if (!pane_cell_at(pane, &row, &column))
		return true;
	doc_cells(pane_doc(pane))->label(body_of(pane), row, column, label);
	if (!doc_cells(pane_doc(pane))->value(body_of(pane), row, column, value, &err)) {
		str_reset(value);
		str_puts(value, "?");
	}
	return true;
}

/* "cell [2,1] nan" */
static void put_item(struct pane *pane, struct str *out)
{
	struct str label = {0}, value = {0};

	pane_put_cell(pane, &label, &value);
	if (label.len) {
		str_fmt(out, "cell %s ", label.text);
		utf8_escape(out, str_text(&value), value.len);
	}
	str_release(&label);
	str_release(&value);
}

/* Places. */

static void begin(struct pane *pane, const struct place *place)
{
	pane->shown.column = place ? place->off : doc_cells(pane_doc(pane))->first(body_of(pane));
	pane->column = pane->shown.column;
	keep(pane);
}

static void put_place(const struct pane *pane, struct place *place)
{
	place->off = (size_t)pane->shown.column;
}

static void come_back(struct pane *pane, const struct stay *stay)
{
	pane->shown.column = stay->left_column;
	pane->column = stay->column;
	keep(pane);
	if (pane->focus)
		pane_follow_cursor(pane);
}

/* One of the whole tensor, in whichever slice. */
static bool find_in_whole(struct pane *pane, const int64_t *index, uint32_t rank,
                          const int64_t *dims, struct cell_at *at, struct str *why)
{
	const struct cells_kind *kind = doc_cells(pane_doc(pane));
	uint64_t place;

	if (!index_fits(index, rank, dims, rank, why))
		return false;
	if (!kind->find_place(body_of(pane), index, rank, &place)) {
		str_puts(why, "The slice leaves this element out.");
		return false;
	}
	*at = kind->cell_at(body_of(pane), place);
	return true;
}

static bool find_index(struct pane *pane, const int64_t *index, uint32_t rank, struct cell_at *at,
                       struct str *why)
{
	const struct cells_kind *kind = doc_cells(pane_doc(pane));
	const struct doc_tensor *tensor = doc_get_tensor(pane_doc(pane));
	const int64_t *dims;

	if (rank != tensor->rank && rank == kind->whole(body_of(pane), &dims))
		return find_in_whole(pane, index, rank, dims, at, why);
	*at = (struct cell_at){ .here = true };
	return index_fits(index, rank, tensor->dim, tensor->rank, why) &&
	       kind->find(body_of(pane), index, rank, &at->row, &at->column);
}

static void go_index(struct pane *pane, const struct cell_at *at)
{
	pane_cell_to(pane, at->row, at->column);
}

/* Elements that are looked for: all of the tensor, also where it doesn't show. */

static void seek_bad(struct pane *pane, bool backward, uint64_t times)
{
	const struct cells_kind *kind = doc_cells(pane_doc(pane));
	struct body *body = doc_get_body(pane_doc(pane));
	uint64_t places = kind->places(body), row = 0, column = 0;

	pane->search.state = SEARCH_NOWHERE;
	if (!places)
		return;
	pane_cell_at(pane, &row, &column);
	pane->search.state = SEARCH_WORKING;
	pane->search.seek = SEEK_BAD;
	pane->search.backward = backward;
	pane->search.wrapped = false;
	pane->search.times = times ? times : 1;
	pane->search.places = pane->search.left = places;
	pane->search.place = kind->place_of(body, row, column) + (backward ? UINT64_MAX : 1);
}

/* One of several was found, or an end was reached: how it goes on. */
static void go_on(struct search *s, bool found)
{
	if (s->place >= s->places) {
		s->place = s->backward ? s->places - 1 : 0;
		s->wrapped = true;
	} else if (found) {
		s->place += s->backward ? UINT64_MAX : 1;
		s->left = s->left ? s->left - 1 : 0;
		s->times--;
	}
}

static void found_cell(struct pane *pane)
{
	struct search *s = &pane->search;

	s->cell = doc_cells(pane_doc(pane))->cell_at(doc_get_body(pane_doc(pane)), s->place);
	s->state = s->wrapped ? SEARCH_WRAPPED : SEARCH_FOUND;
	if (s->cell.here)
		pane_cell_to(pane, s->cell.row, s->cell.column);
}

static void search(struct pane *pane)
{
	struct search *s = &pane->search;
	const struct cells_kind *kind = doc_cells(pane_doc(pane));
	uint64_t from, looked;
	bool found = false;

	if (s->place >= s->places)
		go_on(s, false);
	from = s->place;
	if (!kind->find_bad(doc_get_body(pane_doc(pane)), &s->place, s->backward,
	                    s->left < ELEMS_AT_ONCE ? s->left : ELEMS_AT_ONCE, &found, &s->err)) {
		s->state = SEARCH_BROKEN;
		return;
	}
	looked = s->backward ? from - s->place : s->place - from;
	s->left -= looked < s->left ? looked : s->left;
	if (found && s->times == 1)
		found_cell(pane);
	else if (!s->left)
		s->state = SEARCH_NOWHERE;
	else if (found)
		go_on(s, true);
}

const struct pane_kind pane_of_cells = {
	.stride = 1,
	.begin = begin,
	.put_place = put_place,
	.keep = keep,
	.come_back = come_back,
	.sideways = sideways,
	.reveal = reveal,
	.point = point,
	.span = span,
	.at = pane_row_at,
	.find_index = find_index,
	.go_index = go_index,
	.put_ends = put_corners,
	.put_item = put_item,
	.seek_bad = seek_bad,
	.search = search,
};
