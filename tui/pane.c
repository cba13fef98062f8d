/*
 * Two ways to know where we are. A small document is counted: `first` holds the wrapped rows before each of its
 * rows, and a move is arithmetic. A large one is not: a move walks over the pieces it
 * passes, and the place in the whole is that of the document row.
 */
#include "tui/pane.h"

#include <string.h>

#include "dump/base/utf8.h"
#include "tui/wrap.h"

enum { LINK_REACH = 4096 };      /* rows looked at for the next link */

void pane_release(struct pane *pane)
{
	pattern_free(pane->search.pattern);
	for (size_t i = 0; i < pane->held.cap; i++)
		line_release(&pane->held.at[i].line);
	vec_release(&pane->held);
	vec_release(&pane->pieces);
	vec_release(&pane->first);
	line_release(&pane->scratch);
	*pane = (struct pane){0};
}

/* Wrapping. */

static uint64_t n_rows(const struct pane *pane)
{
	return pane->doc ? doc_rows(pane->doc) : 0;
}

static const struct str *fetch(struct pane *pane, uint64_t row)
{
	doc_line(pane->doc, row, pane->cols, &pane->scratch);
	return &pane->scratch.text;
}

/* Fills `first` if the document is small and has not been counted at this width. */
static void count(struct pane *pane)
{
	uint64_t rows = n_rows(pane), total = 0;
	size_t bytes = 0;

	if (pane->counted_rows == rows)
		return;
	pane->counted_rows = rows;
	pane->first.len = 0;
	if (rows > PANE_SMALL)
		return;
	vec_push(&pane->first, 0);
	for (uint64_t row = 0; row < rows; row++) {
		const struct str *text = fetch(pane, row);

		bytes += text->len;
		if (bytes > PANE_SMALL_BYTES) {
			pane->first.len = 0;
			return;
		}
		total += wrap_pieces(str_text(text), text->len, pane->cols);
		vec_push(&pane->first, total);
	}
}

static bool is_counted(struct pane *pane)
{
	count(pane);
	return pane->first.len > 0;
}

static void forget_count(struct pane *pane)
{
	pane->first.len = 0;
	pane->counted_rows = UINT64_MAX;
}

static uint32_t pieces_of(struct pane *pane, uint64_t row)
{
	const struct str *text;

	if (is_counted(pane))
		return (uint32_t)(pane->first.at[row + 1] - pane->first.at[row]);
	text = fetch(pane, row);
	return wrap_pieces(str_text(text), text->len, pane->cols);
}

static bool before(struct spot a, struct spot b)
{
	return a.row < b.row || (a.row == b.row && a.piece < b.piece);
}

static struct spot last_spot(struct pane *pane)
{
	uint64_t rows = n_rows(pane);

	return rows ? (struct spot){ rows - 1, pieces_of(pane, rows - 1) - 1 } : (struct spot){0};
}

/* The spot of the wrapped row `index` of a counted document. */
static struct spot counted_spot(struct pane *pane, uint64_t index)
{
	size_t low = 0, high = pane->first.len - 1;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		*(pane->first.at[middle] <= index ? &low : &high) = middle;
	}
	return (struct spot){ low, (uint32_t)(index - pane->first.at[low]) };
}

static struct spot walk_down(struct pane *pane, struct spot at, uint64_t n)
{
	uint64_t rows = n_rows(pane);

	while (n) {
		uint32_t left = pieces_of(pane, at.row) - 1 - at.piece;

		if (n <= left)
			return (struct spot){ at.row, at.piece + (uint32_t)n };
		if (at.row + 1 >= rows)
			return (struct spot){ at.row, at.piece + left };
		n -= left + 1;
		at = (struct spot){ at.row + 1, 0 };
	}
	return at;
}

static struct spot walk_up(struct pane *pane, struct spot at, uint64_t n)
{
	while (n > at.piece) {
		if (!at.row)
			return (struct spot){0};
		n -= at.piece + 1;
		at.row--;
		at.piece = pieces_of(pane, at.row) - 1;
	}
	at.piece -= (uint32_t)n;
	return at;
}

/* n pieces further, clamped to the document. */
static struct spot moved(struct pane *pane, struct spot at, int64_t n)
{
	if (!n_rows(pane))
		return (struct spot){0};
	if (is_counted(pane)) {
		uint64_t index = pane->first.at[at.row] + at.piece, last = *vec_last(&pane->first) - 1;
		uint64_t by = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

		if (n < 0)
			index = by > index ? 0 : index - by;
		else
			index = by > last - index ? last : index + by;
		return counted_spot(pane, index);
	}
	return n < 0 ? walk_up(pane, at, 0 - (uint64_t)n) : walk_down(pane, at, (uint64_t)n);
}

/* The top that shows the last row at the bottom. */
static struct spot bottom_top(struct pane *pane)
{
	return moved(pane, last_spot(pane), -(int64_t)(pane->rows - 1));
}

static struct spot clamped(struct pane *pane, struct spot at)
{
	struct spot last = last_spot(pane);
	uint32_t pieces;

	if (before(last, at))
		return last;
	if (!n_rows(pane))
		return (struct spot){0};
	pieces = pieces_of(pane, at.row);
	if (at.piece >= pieces)
		at.piece = pieces - 1;
	return at;
}

/* Places. */

static struct place place_of(struct pane *pane, struct spot at)
{
	const struct str *text;

	if (!at.piece || at.row >= n_rows(pane))
		return (struct place){ at.row, 0 };
	text = fetch(pane, at.row);
	return (struct place){ at.row, wrap_begin(str_text(text), text->len, pane->cols, at.piece) };
}

static struct spot spot_of(struct pane *pane, struct place place)
{
	const struct str *text;

	if (!place.off || place.row >= n_rows(pane))
		return clamped(pane, (struct spot){ place.row, 0 });
	text = fetch(pane, place.row);
	return (struct spot){ place.row, wrap_piece_at(str_text(text), text->len, pane->cols, place.off) };
}

struct place pane_place(struct pane *pane)
{
	return place_of(pane, pane->top);
}

void pane_show(struct pane *pane, struct doc *doc, const struct place *place)
{
	pattern_free(pane->search.pattern);
	pane->search = (struct search){0};
	pane->doc = doc;
	forget_count(pane);
	pane->top = spot_of(pane, place ? *place : (struct place){ doc ? doc_start_row(doc) : 0, 0 });
	pane->cursor = pane->top;
	pane->link = NO_SEG;
}

void pane_resize(struct pane *pane, int rows, int cols)
{
	struct place top, cursor;

	if (rows < 1 || cols < 1)
		return;
	if (rows == pane->rows && cols == pane->cols)
		return;
	if (!pane->cols)
		pane->cols = cols;
	top = place_of(pane, pane->top);
	cursor = place_of(pane, pane->cursor);
	pane->rows = rows;
	pane->cols = cols;
	forget_count(pane);
	pane->top = spot_of(pane, top);
	pane->cursor = spot_of(pane, cursor);
	if (pane->focus)
		pane_cursor_move(pane, 0);
}

/* What shows. */

static const struct line *hold(struct pane *pane, size_t k, uint64_t row)
{
	struct held_line *held = &pane->held.at[k];

	held->row = row;
	doc_line(pane->doc, row, pane->cols, &held->line);
	return &held->line;
}

/* Room for a line for every row of the screen; they must not move while pieces point at them. */
static void make_room(struct pane *pane)
{
	size_t had = pane->held.cap;

	vec_reserve(&pane->held, (size_t)pane->rows);
	memset(pane->held.at + had, 0, (pane->held.cap - had) * sizeof *pane->held.at);
}

const struct piece *pane_pieces(struct pane *pane, size_t *n)
{
	struct spot at = pane->top;
	uint64_t rows = n_rows(pane);
	size_t k = 0;

	pane->pieces.len = 0;
	make_room(pane);
	for (; at.row < rows && pane->pieces.len < (size_t)pane->rows; at = (struct spot){ at.row + 1, 0 }) {
		const struct line *line = hold(pane, k++, at.row);
		const char *text = str_text(&line->text);
		size_t begin = wrap_begin(text, line->text.len, pane->cols, at.piece), end;

		do {
			end = wrap_end(text, line->text.len, begin, pane->cols);
			vec_push(&pane->pieces, ((struct piece){ at, line, begin, end }));
			begin = end;
			at.piece++;
		} while (end < line->text.len && pane->pieces.len < (size_t)pane->rows);
	}
	*n = pane->pieces.len;
	return pane->pieces.at;
}

struct whereabouts pane_where(struct pane *pane)
{
	struct whereabouts where = {0};
	size_t n;
	const struct piece *pieces = pane_pieces(pane, &n);
	uint64_t rows = n_rows(pane);
	const struct piece *last = n ? &pieces[n - 1] : NULL;

	where.above = pane->top.row || pane->top.piece;
	where.below = last && (last->at.row + 1 < rows || last->end < last->line->text.len);
	where.scrolls = where.above || where.below;
	if (is_counted(pane) && *vec_last(&pane->first) > 1)
		where.fraction = (double)(pane->first.at[pane->top.row] + pane->top.piece) /
		                 (double)(*vec_last(&pane->first) - 1);
	else if (rows > 1)
		where.fraction = (double)pane->top.row / (double)(rows - 1);
	return where;
}

/* Moving the view. */

void pane_scroll(struct pane *pane, int64_t pieces)
{
	pane->top = moved(pane, pane->top, pieces);
}

void pane_page(struct pane *pane, int direction, int rows)
{
	struct spot stop = bottom_top(pane);

	if (direction < 0)
		pane->top = moved(pane, pane->top, -rows);
	else if (before(pane->top, stop)) {
		pane->top = moved(pane, pane->top, rows);
		if (before(stop, pane->top))
			pane->top = stop;
	}
}

void pane_home(struct pane *pane)
{
	pane->top = (struct spot){0};
}

void pane_end(struct pane *pane)
{
	pane->top = last_spot(pane);
}

void pane_go_row(struct pane *pane, uint64_t row)
{
	pane->top = clamped(pane, (struct spot){ row, 0 });
	pane->cursor = pane->top;
	pane->link = NO_SEG;
}

void pane_go_fraction(struct pane *pane, double fraction)
{
	uint64_t rows = n_rows(pane);

	if (!rows)
		return;
	if (is_counted(pane))
		pane->top = counted_spot(pane, (uint64_t)(fraction * (double)(*vec_last(&pane->first) - 1)));
	else
		pane->top = clamped(pane, (struct spot){ (uint64_t)(fraction * (double)(rows - 1)), 0 });
}

/* The cursor. */

void pane_focus(struct pane *pane, bool focus)
{
	pane->focus = focus;
	pane->cursor = pane->top;
	pane->link = NO_SEG;
}

/* Scrolls as little as needed. */
static void follow_cursor(struct pane *pane)
{
	struct spot least = moved(pane, pane->cursor, -(int64_t)(pane->rows - 1)), stop;

	if (before(pane->cursor, pane->top))
		pane->top = pane->cursor;
	else if (before(pane->top, least))
		pane->top = least;
	else
		return;
	stop = bottom_top(pane);
	if (before(stop, pane->top))
		pane->top = stop;
}

void pane_cursor_move(struct pane *pane, int64_t pieces)
{
	pane->cursor = moved(pane, pane->cursor, pieces);
	if (pieces)
		pane->link = NO_SEG;
	follow_cursor(pane);
}

void pane_cursor_page(struct pane *pane, int direction, int rows)
{
	struct spot old = pane->top;

	pane_page(pane, direction, rows);
	if (old.row == pane->top.row && old.piece == pane->top.piece)
		pane->cursor = direction < 0 ? (struct spot){0} : last_spot(pane);
	else
		pane->cursor = moved(pane, pane->cursor, direction * rows);
	pane->link = NO_SEG;
	follow_cursor(pane);
}

void pane_cursor_row(struct pane *pane, uint64_t row)
{
	pane->cursor = clamped(pane, (struct spot){ row, 0 });
	pane->link = NO_SEG;
	follow_cursor(pane);
}

/* Links. */

/* The link segment of the line after (before) segment `from`; NO_SEG: from its start (end). */
static size_t link_in_line(const struct line *line, size_t from, int direction)
{
	size_t n = line->segs.len;
	size_t i = direction > 0 ? (from == NO_SEG ? 0 : from + 1) : (from == NO_SEG ? n : from);

	for (; direction > 0 ? i < n : i > 0; i += direction > 0 ? 1 : -1) {
		size_t k = direction > 0 ? i : i - 1;

		if (line->segs.at[k].link != NO_LINK)
			return k;
	}
	return NO_SEG;
}

bool pane_next_link(struct pane *pane, int direction)
{
	uint64_t rows = n_rows(pane), row = pane->cursor.row;
	size_t from = pane->link;

	for (int i = 0; i < LINK_REACH && row < rows; i++) {
		const struct str *text = fetch(pane, row);
		/* without a chosen link, backward starts before the cursor's row */
		size_t found = !i && direction < 0 && from == NO_SEG ? NO_SEG :
		               link_in_line(&pane->scratch, from, direction);

		if (found != NO_SEG) {
			pane->cursor = (struct spot){ row, wrap_piece_at(str_text(text), text->len, pane->cols,
			                                                 pane->scratch.segs.at[found].begin) };
			pane->link = found;
			follow_cursor(pane);
			return true;
		}
		from = NO_SEG;
		row += direction > 0 ? 1 : UINT64_MAX;
	}
	return false;
}

const char *pane_link(struct pane *pane)
{
	size_t seg = pane->link;

	if (pane->cursor.row >= n_rows(pane))
		return NULL;
	fetch(pane, pane->cursor.row);
	if (seg == NO_SEG) {
		seg = link_in_line(&pane->scratch, NO_SEG, 1);
		if (seg != NO_SEG && link_in_line(&pane->scratch, seg, 1) != NO_SEG)
			return NULL;
	}
	return seg < pane->scratch.segs.len ? seg_link(&pane->scratch, &pane->scratch.segs.at[seg]) : NULL;
}

const char *pane_link_at(struct pane *pane, int row, int col)
{
	size_t n;
	const struct piece *pieces = pane_pieces(pane, &n);
	const struct piece *piece;
	size_t off;

	if (row < 0 || (size_t)row >= n || col < 0)
		return NULL;
	piece = &pieces[row];
	off = wrap_end(str_text(&piece->line->text), piece->end, piece->begin, col + 1);
	if (off == piece->end && utf8_columns(str_text(&piece->line->text) + piece->begin,
	                                      piece->end - piece->begin) <= (size_t)col)
		return NULL;
	for (size_t i = 0; i < piece->line->segs.len; i++) {
		const struct seg *seg = &piece->line->segs.at[i];

		if (seg->link != NO_LINK && seg->begin < off && off <= seg->end)
			return seg_link(piece->line, seg);
	}
	return NULL;
}
