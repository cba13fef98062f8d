/* Where the view is and what it shows; how it moves depends on the document (tui/pane_kind.h). */
#include "tui/pane.h"

#include <string.h>

#include "tui/bad_elements.h"
#include "tui/pane_kind.h"
#include "tui/wrap.h"

enum { LEAST_BELOW = 3 };        /* rows below a frozen heading */

void pane_release(struct pane *pane)
{
	pattern_free(pane->search.pattern);
	rows_release(&pane->shown);
	vec_release(&pane->count.before);
	for (size_t i = 0; i < pane->held.cap; i++) {
		line_release(&pane->held.at[i].line);
		vec_release(&pane->held.at[i].bad);
	}
	vec_release(&pane->held);
	vec_release(&pane->pieces);
	vec_release(&pane->first);
	line_release(&pane->scratch);
	*pane = (struct pane){0};
}

struct doc *pane_doc(const struct pane *pane)
{
	return pane->shown.doc;
}

const struct pane_kind *pane_kind(const struct pane *pane)
{
	const struct doc *doc = pane_doc(pane);

	if (doc && doc_cells(doc))
		return &pane_of_cells;
	return doc && doc_stage(doc) ? &pane_of_stage : &pane_of_text;
}

/* Rows above those of a table or a tree; of what is neither all rows are alike. */
uint64_t pane_first_row(const struct pane *pane)
{
	const struct doc *doc = pane_doc(pane);
	struct body *body = doc ? doc_get_body(doc) : NULL;

	if (!body || body->kind->cells || body->kind->stage ||
	    !(body->kind->columns_of || body->kind->depth))
		return 0;
	return doc_body_row(doc);
}

/* The number of row `row` behind a head of so many, of n that have one. */
static uint64_t numbered(uint64_t head, uint64_t row, uint64_t n)
{
	if (!head)
		return row + 1;
	return row < head || row - head >= n ? 0 : row - head + 1;
}

uint64_t pane_row_number(const struct pane *pane, uint64_t row)
{
	uint64_t all;

	rows_kept(&pane->shown, &all);
	return numbered(pane_first_row(pane), row, all);
}

uint64_t pane_cursor_number(const struct pane *pane)
{
	uint64_t all;

	return numbered(pane_first_row(pane), pane->cursor.row, rows_kept(&pane->shown, &all));
}

uint64_t pane_row_numbers(const struct pane *pane, uint64_t *all)
{
	uint64_t kept;

	if (pane_first_row(pane))
		return rows_kept(&pane->shown, all);
	kept = rows_count(&pane->shown);
	*all = pane_doc(pane) ? doc_rows(pane_doc(pane)) : 0;
	return kept;
}

/* The head line of a table, which is the last line before its body; NO_ROW: it has none. */
static uint64_t heading_row(const struct pane *pane)
{
	uint64_t first = pane_first_row(pane);

	return first && doc_get_body(pane_doc(pane))->kind->columns_of ? first - 1 : NO_ROW;
}

bool pane_is_heading(const struct pane *pane, uint64_t row)
{
	return row != NO_ROW && row == heading_row(pane);
}

/* The heading that stays on top when it would have scrolled away; NO_ROW: none does. */
static uint64_t sticky_row(const struct pane *pane)
{
	return pane->modern && rows_count(&pane->shown) > (uint64_t)pane->rows ? heading_row(pane)
	                                                                      : NO_ROW;
}

/* All of the heading; in a low pane the labels; nothing where that would take the last rows. */
int pane_frozen(const struct pane *pane)
{
	uint64_t heading = pane_top_row(pane);

	if (pane->rows >= LEAST_BELOW && sticky_row(pane) != NO_ROW)
		return 1;
	if (!heading || pane->rows < LEAST_BELOW)
		return 0;
	return heading + LEAST_BELOW <= (uint64_t)pane->rows ? (int)heading : 1;
}

int pane_frozen_now(const struct pane *pane)
{
	uint64_t sticky = sticky_row(pane);

	return sticky != NO_ROW && pane->top.row <= sticky ? 0 : pane_frozen(pane);
}

int pane_scroll_rows(const struct pane *pane)
{
	int rows = pane->rows - pane_frozen(pane);

	return rows > 1 ? rows : 1;
}

/* Places. */

struct place pane_place_of(struct pane *pane, struct spot at)
{
	struct place place = { .row = rows_row(&pane->shown, at.row), .stage = pane->shown.stage };
	const struct str *text;

	if (!at.piece || at.row >= rows_count(&pane->shown))
		return place;
	text = pane_fetch(pane, at.row);
	place.off = wrap_begin(str_text(text), text->len, pane_wrap_cols(pane), at.piece);
	return place;
}

static struct spot spot_of(struct pane *pane, struct place place)
{
	struct spot at = { rows_at(&pane->shown, place.row), 0 };
	const struct str *text;

	if (!place.off || at.row >= rows_count(&pane->shown) || pane_kind(pane)->span)
		return spot_clamped(pane, at);
	text = pane_fetch(pane, at.row);
	at.piece = wrap_piece_at(str_text(text), text->len, pane_wrap_cols(pane), place.off);
	return at;
}

struct place pane_place(struct pane *pane)
{
	struct place place = pane_place_of(pane, pane->top);

	if (pane_kind(pane)->put_place)
		pane_kind(pane)->put_place(pane, &place);
	return place;
}

void pane_show(struct pane *pane, struct doc *doc, const struct place *place)
{
	struct place start = { .row = doc ? doc_start_row(doc) : 0 };

	pattern_free(pane->search.pattern);
	pane->search = (struct search){ .found_row = NO_ROW };
	rows_show(&pane->shown, doc);
	pane_forget_count(pane);
	pane->left = 0;
	pane->wanted = NO_ROW;
	pane->wanted_on_top = false;
	pane->top = spot_of(pane, place ? *place : start);
	pane->kept_top = pane->chosen_top = pane_place_of(pane, pane->top);
	pane->cursor = pane->top;
	if (pane_kind(pane)->begin)
		pane_kind(pane)->begin(pane, place);
	pane->link = NO_SEG;
}

static void keep(struct pane *pane)
{
	if (pane_kind(pane)->keep)
		pane_kind(pane)->keep(pane);
}

/* What is to be on top after a resize: what was before the last one, if nothing has moved since. */
static struct place top_to_keep(struct pane *pane)
{
	struct place top = pane_place_of(pane, pane->top);
	bool moved_since = top.row != pane->chosen_top.row || top.off != pane->chosen_top.off;

	return moved_since ? top : pane->kept_top;
}

/*
 * Another size, or wrapped in another way: the same text stays on top, as far as the cursor's row
 * stays in view and a page that was full stays so.
 */
static void keeping_place(struct pane *pane, int rows, int cols, bool chop)
{
	struct place top = top_to_keep(pane), cursor = pane_place_of(pane, pane->cursor);
	bool to_come = pane->focus && pane->cursor.row == pane_first_row(pane) &&
	               pane->cursor.row >= rows_count(&pane->shown);
	bool full = !spot_before(spot_bottom_top(pane), pane->top);

	pane->rows = rows;
	pane->cols = cols;
	pane->chop = chop;
	pane_forget_count(pane);
	pane->top = spot_of(pane, top);
	if (full && spot_before(spot_bottom_top(pane), pane->top))
		pane->top = spot_bottom_top(pane);
	pane->cursor = spot_of(pane, cursor);
	keep(pane);
	if (to_come)     /* on the first row that a filter will find */
		pane->cursor = (struct spot){ pane_first_row(pane), 0 };
	else if (pane->focus)
		pane_cursor_move(pane, 0);
	pane->kept_top = top;
	pane->chosen_top = pane_place_of(pane, pane->top);
}

void pane_resize(struct pane *pane, int rows, int cols)
{
	if (rows < 1 || cols < 1 || (rows == pane->rows && cols == pane->cols))
		return;
	if (!pane->cols)
		pane->cols = cols;
	keeping_place(pane, rows, cols, pane->chop);
}

/* Sideways. */

void pane_chop(struct pane *pane, bool chop)
{
	pane->left = 0;
	if (chop != pane->chop)
		keeping_place(pane, pane->rows, pane->cols, chop);
}

void pane_sideways(struct pane *pane, int64_t cols)
{
	if (pane_kind(pane)->sideways)
		pane_kind(pane)->sideways(pane, cols);
}

int pane_stride(const struct pane *pane)
{
	return pane_kind(pane)->stride ? pane_kind(pane)->stride : pane->cols / 2;
}

void pane_reveal(struct pane *pane, const struct str *text, size_t off)
{
	if (pane_kind(pane)->reveal)
		pane_kind(pane)->reveal(pane, text, off);
}

/* What is less than a row. */

bool pane_has_item(const struct pane *pane)
{
	return pane_kind(pane)->span;
}

bool pane_item_span(struct pane *pane, const struct line *line, struct span *out)
{
	return pane_kind(pane)->span && pane_kind(pane)->span(pane, line, out);
}

void pane_put_item(struct pane *pane, struct str *out)
{
	if (pane_kind(pane)->put_item)
		pane_kind(pane)->put_item(pane, out);
}

bool pane_find_index(struct pane *pane, const int64_t *index, uint32_t rank, struct cell_at *at,
                     struct str *why)
{
	if (!pane_doc(pane) || !doc_get_tensor(pane_doc(pane))) {
		str_puts(why, "tensor_metadata is not available in annotations.");
		return false;
	}
	return pane_kind(pane)->find_index(pane, index, rank, at, why);
}

void pane_go_index(struct pane *pane, const struct cell_at *at)
{
	pane_kind(pane)->go_index(pane, at);
}

void pane_put_ends(struct pane *pane, struct str *first, struct str *last)
{
	pane_kind(pane)->put_ends(pane, first, last);
}

void pane_point(struct pane *pane, int col)
{
	if (pane_kind(pane)->point)
		pane_kind(pane)->point(pane, col);
}

/* What shows. */

static bool same_stage(const struct stage *a, const struct stage *b)
{
	return a->from == b->from && a->span == b->span && a->row == b->row && a->item == b->item;
}

static bool same_made(const struct held_for *a, const struct held_for *b)
{
	return a->row == b->row && a->column == b->column && a->version == b->version &&
	       a->frame == b->frame && a->cols == b->cols && same_stage(&a->stage, &b->stage);
}

static void find_bad(const struct pane *pane, uint64_t row, struct held_line *held)
{
	struct span bad = {0};

	held->bad.len = 0;
	if (!bad_elements_can_be(pane, row))
		return;
	while (bad_elements_next(&held->line, bad.end, &bad))
		vec_push(&held->bad, bad);
}

static const struct held_line *hold(struct pane *pane, size_t k, uint64_t row)
{
	struct held_line *held = &pane->held.at[k];
	struct held_for made = { row, pane->shown.column, pane->shown.version, pane->frame,
		                 pane->shown.stage, pane->cols };

	if (pane->frame && same_made(&held->made, &made))
		return held;
	held->made = made;
	rows_line(&pane->shown, row, pane->cols, &held->line);
	find_bad(pane, row, held);
	return held;
}

void pane_begin_frame(struct pane *pane)
{
	pane->frame++;
}

/* Room for a line for every row of the screen; they must not move while pieces point at them. */
static void make_room(struct pane *pane)
{
	size_t had = pane->held.cap;

	vec_reserve(&pane->held, (size_t)pane->rows);
	if (pane->held.cap > had)
		memset(pane->held.at + had, 0, (pane->held.cap - had) * sizeof *pane->held.at);
}

/*
 * The part of a row between the sides of the window; a mark takes the last column where there is
 * more.
 */
static struct piece chopped(const struct pane *pane, uint64_t row, const struct held_line *held)
{
	const struct line *line = &held->line;
	const char *text = str_text(&line->text);
	size_t len = line->text.len, begin = pane->left ? wrap_end(text, len, 0, pane->left) : 0;
	struct piece piece = { .at = { row, 0 }, .line = line, .begin = begin, .bad = &held->bad };

	piece.end = wrap_end(text, len, begin, pane->cols);
	piece.cut = piece.end < len;
	if (piece.cut && pane->cols > 1)
		piece.end = wrap_end(text, len, begin, pane->cols - 1);
	return piece;
}

/* The pieces of a row from at.piece on, while there is room. */
static void put_wrapped(struct pane *pane, struct spot at, const struct held_line *held)
{
	const struct line *line = &held->line;
	const char *text = str_text(&line->text);
	size_t begin = wrap_begin(text, line->text.len, pane->cols, at.piece), end;

	do {
		end = wrap_end(text, line->text.len, begin, pane->cols);
		vec_push(&pane->pieces,
		         ((struct piece){ at, line, begin, end, false, &held->bad }));
		begin = end;
		at.piece++;
	} while (end < line->text.len && pane->pieces.len < (size_t)pane->rows);
}

/* The frozen rows: the last ones of the heading, so that the labels are among them. */
static size_t put_frozen(struct pane *pane)
{
	uint64_t sticky = sticky_row(pane), end = pane_top_row(pane);
	size_t n = (size_t)pane_frozen_now(pane);

	end = sticky == NO_ROW ? end : sticky + 1;
	for (size_t k = 0; k < n; k++)
		vec_push(&pane->pieces,
		         chopped(pane, end - n + k, hold(pane, k, end - n + k)));
	return n;
}

const struct piece *pane_pieces(struct pane *pane, size_t *n)
{
	struct spot at = pane->top;
	uint64_t rows = rows_count(&pane->shown);
	size_t k;

	pane->pieces.len = 0;
	make_room(pane);
	k = put_frozen(pane);
	for (; at.row < rows && pane->pieces.len < (size_t)pane->rows;
	     at = (struct spot){ at.row + 1, 0 }) {
		const struct held_line *held = hold(pane, k++, at.row);

		if (pane_chops(pane))
			vec_push(&pane->pieces, chopped(pane, at.row, held));
		else
			put_wrapped(pane, at, held);
	}
	*n = pane->pieces.len;
	return pane->pieces.at;
}

struct whereabouts pane_where(struct pane *pane)
{
	struct whereabouts where = {0};
	size_t n;
	const struct piece *pieces = pane_pieces(pane, &n);
	uint64_t rows = rows_count(&pane->shown), first = pane_top_row(pane);
	const struct piece *last = n ? &pieces[n - 1] : NULL;

	where.above = pane->top.row > first || pane->top.piece;
	where.below = last && (last->at.row + 1 < rows ||
	                       (!pane_chops(pane) && last->end < last->line->text.len));
	where.scrolls = where.above || where.below;
	if (pane_is_counted(pane) && *vec_last(&pane->first) > 1)
		where.fraction = (double)(pane->first.at[pane->top.row] + pane->top.piece) /
		                 (double)(*vec_last(&pane->first) - 1);
	else if (rows > first + 1)
		where.fraction = (double)(pane->top.row - first) / (double)(rows - 1 - first);
	return where;
}

/* Moving the view. */

void pane_scroll(struct pane *pane, int64_t pieces)
{
	pane->top = spot_moved(pane, pane->top, pieces);
}

void pane_page(struct pane *pane, int direction, int64_t rows)
{
	struct spot stop = spot_bottom_top(pane);

	if (direction < 0)
		pane->top = spot_moved(pane, pane->top, -rows);
	else if (spot_before(pane->top, stop)) {
		pane->top = spot_moved(pane, pane->top, rows);
		if (spot_before(stop, pane->top))
			pane->top = stop;
	}
}

void pane_home(struct pane *pane)
{
	pane->top = spot_clamped(pane, (struct spot){0});
}

void pane_end(struct pane *pane)
{
	pane->top = spot_last(pane);
}

static void went(struct pane *pane)
{
	if (pane_kind(pane)->went)
		pane_kind(pane)->went(pane);
}

void pane_follow_cursor(struct pane *pane)
{
	struct spot least = spot_moved(pane, pane->cursor, -(int64_t)(pane_scroll_rows(pane) - 1));
	struct spot stop;

	went(pane);
	if (spot_before(pane->cursor, pane->top))
		pane->top = pane->cursor;
	else if (spot_before(pane->top, least))
		pane->top = least;
	else
		return;
	stop = spot_bottom_top(pane);
	if (spot_before(stop, pane->top))
		pane->top = stop;
}

void pane_cursor_on_top(struct pane *pane)
{
	pane->cursor = pane->top;
	pane->link = NO_SEG;
	if (pane->focus && pane->top.row < pane_first_row(pane)) {
		pane->cursor = (struct spot){ pane_first_row(pane), 0 };
		pane_follow_cursor(pane);
	}
}

void pane_go_row(struct pane *pane, uint64_t row)
{
	pane->top = spot_of(pane, (struct place){ .row = row });
	pane_cursor_on_top(pane);
}

void pane_go_fraction(struct pane *pane, double fraction)
{
	bool counted = pane_is_counted(pane);
	uint64_t all = counted ? *vec_last(&pane->first) : rows_count(&pane->shown), at;
	struct spot stop;

	if (!all)
		return;
	at = (uint64_t)(fraction * (double)(all - 1));
	pane->top = counted ? spot_counted(pane, at) : spot_clamped(pane, (struct spot){ at, 0 });
	if (!pane->focus)
		return;
	stop = spot_bottom_top(pane);
	if (spot_before(stop, pane->top))
		pane->top = stop;
	pane_focus(pane, true);
}

/* The cursor. */

/* Is the cursor on a row of data that shows? */
static bool cursor_shows(struct pane *pane)
{
	struct spot last = spot_moved(pane, pane->top, pane_scroll_rows(pane) - 1);

	return pane->cursor.row >= pane_first_row(pane) && !spot_before(pane->cursor, pane->top) &&
	       !spot_before(last, pane->cursor);
}

/* In our style the cursor stays where it was left, if that shows. */
void pane_focus(struct pane *pane, bool focus)
{
	bool stays = pane->modern && cursor_shows(pane);

	pane->focus = focus;
	if (!stays)
		pane_cursor_on_top(pane);
	keep(pane);
}

void pane_cursor_move(struct pane *pane, int64_t pieces)
{
	pane->cursor = spot_moved(pane, pane->cursor, pieces);
	if (pieces)
		pane->link = NO_SEG;
	pane_follow_cursor(pane);
}

void pane_cursor_page(struct pane *pane, int direction, int64_t rows)
{
	struct spot old = pane->top;

	pane_page(pane, direction, rows);
	if (old.row == pane->top.row && old.piece == pane->top.piece)
		pane->cursor = direction < 0 ? spot_clamped(pane, (struct spot){0})
		                             : spot_last(pane);
	else
		pane->cursor = spot_moved(pane, pane->cursor, direction * rows);
	pane->link = NO_SEG;
	pane_follow_cursor(pane);
}

void pane_scroll_under(struct pane *pane, int64_t pieces)
{
	struct spot last;

	pane_page(pane, pieces < 0 ? -1 : 1, pieces < 0 ? -pieces : pieces);
	last = spot_moved(pane, pane->top, pane_scroll_rows(pane) - 1);
	if (!spot_before(pane->cursor, pane->top) && !spot_before(last, pane->cursor))
		return;
	pane->cursor = spot_before(last, pane->cursor) ? last : pane->top;
	pane->link = NO_SEG;
	went(pane);
}

void pane_cursor_row(struct pane *pane, uint64_t row)
{
	pane->cursor = spot_clamped(pane, (struct spot){ row, 0 });
	pane->link = NO_SEG;
	pane_follow_cursor(pane);
}

void pane_cursor_to(struct pane *pane, uint64_t row)
{
	if (pane->wanted == NO_ROW)
		pane_cursor_row(pane, rows_at(&pane->shown, row));
	else
		pane->wanted = row;
	pane->wanted_on_top = false;
}

struct stay pane_stay(const struct pane *pane)
{
	return (struct stay){ pane->top.row, pane->cursor.row, pane->shown.column, pane->column,
		              pane->shown.stage };
}

uint64_t pane_shifted(uint64_t row, uint64_t body, int64_t shift)
{
	return row < body ? row : row + (uint64_t)shift;
}

void pane_come_back(struct pane *pane, const struct stay *stay, uint64_t body, int64_t shift)
{
	pane->top = spot_clamped(pane, (struct spot){ pane_shifted(stay->top, body, shift), 0 });
	pane->cursor = spot_clamped(pane, (struct spot){
		pane_shifted(stay->cursor, body, shift), 0 });
	if (pane_kind(pane)->come_back)
		pane_kind(pane)->come_back(pane, stay);
}

uint64_t pane_cursor_doc_row(const struct pane *pane)
{
	return rows_row(&pane->shown, pane->cursor.row);
}

const struct line *pane_cursor_line(struct pane *pane)
{
	if (pane->cursor.row >= rows_count(&pane->shown))
		return NULL;
	pane_fetch(pane, pane->cursor.row);
	return &pane->scratch;
}
