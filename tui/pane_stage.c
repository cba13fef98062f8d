/* A stage's cursor is an item: the pane's row follows it, and it follows when the row is moved. */
#include "tui/pane_kind.h"
#include "tui/wrap.h"

static struct body *body_of(const struct pane *pane)
{
	return doc_get_body(pane_doc(pane));
}

static const struct stage_kind *kind_of(const struct pane *pane)
{
	return doc_stage(pane_doc(pane));
}

/* Has it an item at all? */
static bool has_items(const struct pane *pane)
{
	struct body *body = body_of(pane);

	return body->kind->rows(body) > kind_of(pane)->n_heading(body);
}

static void keep(struct pane *pane)
{
	uint64_t row;
	int begin, end;

	if (!has_items(pane))
		return;
	kind_of(pane)->spot(body_of(pane), &pane->shown.stage, pane->cols, &row, &begin, &end);
	row = rows_at(&pane->shown, doc_body_row(pane_doc(pane)) + row);
	pane->cursor = (struct spot){ row, 0 };
}

static void begin(struct pane *pane, const struct place *place)
{
	if (place && place->stage.span)
		pane->shown.stage = place->stage;
	else
		kind_of(pane)->begin(body_of(pane), pane->cols, &pane->shown.stage);
	keep(pane);
}

static void come_back(struct pane *pane, const struct stay *stay)
{
	if (stay->stage.span && has_items(pane)) {
		pane->shown.stage = stay->stage;
		kind_of(pane)->fit(body_of(pane), &pane->shown.stage);
	}
	keep(pane);
}

static void went(struct pane *pane)
{
	uint64_t row, before, rows;

	if (!has_items(pane))
		return;
	row = rows_row(&pane->shown, pane->cursor.row);
	before = doc_body_row(pane_doc(pane));
	rows = body_of(pane)->kind->rows(body_of(pane));
	if (row >= before + rows)
		row = before + rows - 1;
	if (row >= before)
		kind_of(pane)->go_row(body_of(pane), row - before, pane->cols, &pane->shown.stage);
	if (!rows_filtered(&pane->shown))
		keep(pane);
}

bool pane_stage_move(struct pane *pane, enum stage_move move, int64_t n)
{
	if (!doc_stage(pane_doc(pane)) || !has_items(pane) ||
	    !kind_of(pane)->move(body_of(pane), move, n, pane->cols, &pane->shown.stage))
		return false;
	keep(pane);
	pane_cursor_move(pane, 0);
	return true;
}

bool pane_is_stage(const struct pane *pane)
{
	return pane_doc(pane) && doc_stage(pane_doc(pane));
}

static bool same_item(const struct stage *a, const struct stage *b)
{
	return a->row == b->row && a->item == b->item;
}

bool pane_stage_point(struct pane *pane, int row, int col, bool *same)
{
	struct stage before = pane->shown.stage;
	uint64_t first = doc_body_row(pane_doc(pane)), at;
	const struct piece *pieces;
	size_t n;

	pieces = pane_pieces(pane, &n);
	if (row < 0 || (size_t)row >= n || !has_items(pane))
		return false;
	at = rows_row(&pane->shown, pieces[row].at.row);
	if (at < first || at - first >= body_of(pane)->kind->rows(body_of(pane)) ||
	    !kind_of(pane)->point(body_of(pane), at - first, col, pane->cols,
	                          &pane->shown.stage))
		return false;
	*same = same_item(&before, &pane->shown.stage);
	keep(pane);
	pane_cursor_move(pane, 0);
	return true;
}

bool pane_stage_scroll(struct pane *pane, int64_t n)
{
	if (!pane_is_stage(pane) || !has_items(pane) || !kind_of(pane)->scroll ||
	    !kind_of(pane)->scroll(body_of(pane), n, &pane->shown.stage))
		return false;
	keep(pane);
	return true;
}

static bool span(struct pane *pane, const struct line *line, struct span *out)
{
	uint64_t row;
	int begin, end;

	if (!has_items(pane))
		return false;
	kind_of(pane)->spot(body_of(pane), &pane->shown.stage, pane->cols, &row, &begin, &end);
	if (begin >= end || begin < 0)
		return false;
	out->begin = begin ? wrap_end(str_text(&line->text), line->text.len, 0, begin) : 0;
	out->end = wrap_end(str_text(&line->text), line->text.len, 0, end);
	return out->begin < out->end;
}

static void put_item(struct pane *pane, struct str *out)
{
	if (has_items(pane))
		kind_of(pane)->put_item(body_of(pane), &pane->shown.stage, pane->cols, out);
}

static bool at(const struct pane *pane, struct doc_at *out)
{
	out->stage = &pane->shown.stage;
	return has_items(pane);
}

const struct pane_kind pane_of_stage = {
	.begin = begin, .keep = keep, .went = went, .come_back = come_back, .span = span, .at = at,
	.put_ends = pane_put_row_ends, .put_item = put_item,
};
