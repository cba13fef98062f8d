/*
 * Three ways to know where we are. Chopped rows are one piece each. A small document is counted:
 * `first` holds the wrapped rows before each of its rows, and a move is arithmetic. A large one is
 * not: a move walks over the pieces it passes, and the place in the whole is that of the row.
 */
#include <inttypes.h>
#include <limits.h>

#include "dump/base/utf8.h"
#include "tui/pane_kind.h"
#include "tui/status.h"
#include "tui/wrap.h"

enum { WALK_REACH = 4096 };      /* pieces that are walked over one by one */

uint64_t pane_top_row(const struct pane *pane)
{
	uint64_t heading = pane_doc(pane) ? doc_heading(pane_doc(pane)) : 0;

	return heading ? doc_body_row(pane_doc(pane)) + heading : 0;
}

bool pane_chops(const struct pane *pane)
{
	struct body *body = pane_doc(pane) ? doc_get_body(pane_doc(pane)) : NULL;

	return pane->chop || (body && body->kind->chopped) ||
	       (pane->modern && body && body->kind->columns_of);
}

int pane_wrap_cols(const struct pane *pane)
{
	return pane_chops(pane) ? INT_MAX : pane->cols;
}

const struct str *pane_fetch(struct pane *pane, uint64_t row)
{
	rows_line(&pane->shown, row, pane->cols, &pane->scratch);
	return &pane->scratch.text;
}

/* Fills `first` if the document is small and has not been counted at this width. */
static void count(struct pane *pane)
{
	uint64_t rows = rows_count(&pane->shown), total = 0;
	size_t bytes = 0;

	if (pane->counted_rows == rows && pane->counted_version == pane->shown.version)
		return;
	pane->counted_rows = rows;
	pane->counted_version = pane->shown.version;
	pane->first.len = 0;
	if (rows > PANE_SMALL)
		return;
	vec_push(&pane->first, 0);
	for (uint64_t row = 0; row < rows; row++) {
		const struct str *text = pane_fetch(pane, row);

		bytes += text->len;
		if (bytes > PANE_SMALL_BYTES) {
			pane->first.len = 0;
			return;
		}
		total += wrap_pieces(str_text(text), text->len, pane->cols);
		vec_push(&pane->first, total);
	}
}

bool pane_is_counted(struct pane *pane)
{
	if (pane_chops(pane))
		return false;
	count(pane);
	return pane->first.len > 0;
}

void pane_forget_count(struct pane *pane)
{
	pane->first.len = 0;
	pane->counted_rows = UINT64_MAX;
}

static uint32_t pieces_of(struct pane *pane, uint64_t row)
{
	const struct str *text;

	if (pane_chops(pane))
		return 1;
	if (pane_is_counted(pane))
		return (uint32_t)(pane->first.at[row + 1] - pane->first.at[row]);
	text = pane_fetch(pane, row);
	return wrap_pieces(str_text(text), text->len, pane->cols);
}

bool spot_before(struct spot a, struct spot b)
{
	return a.row < b.row || (a.row == b.row && a.piece < b.piece);
}

struct spot spot_last(struct pane *pane)
{
	uint64_t rows = rows_count(&pane->shown);

	return rows ? (struct spot){ rows - 1, pieces_of(pane, rows - 1) - 1 } : (struct spot){0};
}

struct spot spot_counted(struct pane *pane, uint64_t index)
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
	uint64_t rows = rows_count(&pane->shown);

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

/* index + n, from 0 to last. */
static uint64_t stepped(uint64_t index, uint64_t last, int64_t n)
{
	uint64_t by = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

	if (n < 0)
		return by > index ? 0 : index - by;
	return by > last - index ? last : index + by;
}

/* Of a long way only the last pieces are walked; before that a row counts as one. */
static struct spot walked(struct pane *pane, struct spot at, int64_t n)
{
	uint64_t far = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

	if (far > WALK_REACH) {
		int64_t leap = n < 0 ? n + WALK_REACH : n - WALK_REACH;

		far = WALK_REACH;
		at = (struct spot){ stepped(at.row, rows_count(&pane->shown) - 1, leap), 0 };
	}
	return n < 0 ? walk_up(pane, at, far) : walk_down(pane, at, far);
}

struct spot spot_moved(struct pane *pane, struct spot at, int64_t n)
{
	if (!rows_count(&pane->shown))
		return (struct spot){0};
	if (pane_chops(pane)) {
		uint64_t row = stepped(at.row, rows_count(&pane->shown) - 1, n);

		return (struct spot){ row < pane_top_row(pane) ? pane_top_row(pane) : row, 0 };
	}
	if (pane_is_counted(pane))
		return spot_counted(pane, stepped(pane->first.at[at.row] + at.piece,
		                                  *vec_last(&pane->first) - 1, n));
	return walked(pane, at, n);
}

struct spot spot_bottom_top(struct pane *pane)
{
	return spot_moved(pane, spot_last(pane), -(int64_t)(pane_scroll_rows(pane) - 1));
}

struct spot spot_clamped(struct pane *pane, struct spot at)
{
	struct spot last = spot_last(pane);
	uint32_t pieces;

	if (at.row < pane_top_row(pane))
		return (struct spot){ pane_top_row(pane), 0 };
	if (spot_before(last, at))
		return last;
	if (!rows_count(&pane->shown))
		return (struct spot){0};
	pieces = pieces_of(pane, at.row);
	if (at.piece >= pieces)
		at.piece = pieces - 1;
	return at;
}

/* Rows of text. */

/* Columns of the longest row that shows, as long as it is, whatever was cut of it to be drawn. */
static int longest(struct pane *pane)
{
	size_t n, most = 0;
	const struct piece *pieces;

	pane_begin_frame(pane);
	pieces = pane_pieces(pane, &n);
	for (size_t i = 0; i < n; i++) {
		const struct str *text = &pieces[i].line->text;
		size_t columns = utf8_columns(str_text(text), text->len);

		most = columns > most ? columns : most;
	}
	return most < INT_MAX / 2 ? (int)most : INT_MAX / 2;
}

static void sideways(struct pane *pane, int64_t cols)
{
	int64_t last, left;

	if (!pane_chops(pane) && cols > 0)
		pane_chop(pane, true);
	last = longest(pane) - pane->cols;
	left = cols < last - pane->left ? pane->left + cols : last;
	if (left > 0 || pane->left > 0)
		pane->left = left > 0 ? (int)left : 0;
}

static void reveal(struct pane *pane, const struct str *text, size_t off)
{
	int col;

	if (!pane->chop)
		return;
	col = (int)utf8_columns(str_text(text), off);
	if (col < pane->left || col >= pane->left + pane->cols - 1)
		pane->left = col < pane->cols - 1 ? 0 : col - pane->cols / 2;
}

bool pane_row_at(const struct pane *pane, struct doc_at *at)
{
	const struct doc *doc = pane_doc(pane);
	struct body *body = doc_get_body(doc);

	at->row = pane_cursor_doc_row(pane) - doc_body_row(doc);
	at->in_body = body && at->row < body->kind->rows(body);
	return at->in_body;
}

bool index_fits(const int64_t *index, uint32_t rank, const int64_t *dims, uint32_t actual,
                struct str *why)
{
	if (rank != actual) {
		str_fmt(why, "Dimensions mismatch: requested: %" PRIu32 "; actual: %" PRIu32, rank,
		        actual);
		return false;
	}
	for (uint32_t i = 0; i < rank; i++)
		if (index[i] >= dims[i]) {
			str_puts(why, "Indices exceed tensor dimensions.");
			return false;
		}
	for (uint32_t i = 0; i < rank; i++)
		if (index[i] < 0) {
			str_puts(why, "Indices contain negative value(s).");
			return false;
		}
	return true;
}

static bool find_index(struct pane *pane, const int64_t *index, uint32_t rank, struct cell_at *at,
                       struct str *why)
{
	const struct doc_tensor *tensor = doc_get_tensor(pane_doc(pane));

	*at = (struct cell_at){ .here = true };
	return index_fits(index, rank, tensor->dim, tensor->rank, why) &&
	       doc_find_element(pane_doc(pane), index, rank, &at->row);
}

static void go_index(struct pane *pane, const struct cell_at *at)
{
	pane_go_row(pane, at->row);
}

/* The elements that the first and the last row on the screen begin with. */
void pane_put_row_ends(struct pane *pane, struct str *first, struct str *last)
{
	size_t n;
	const struct piece *pieces = pane_pieces(pane, &n);

	if (n && !pieces[0].at.piece)
		put_index(first, pieces[0].line);
	if (n > 1 && n == (size_t)pane->rows && !pieces[n - 1].at.piece)
		put_index(last, pieces[n - 1].line);
}

const struct pane_kind pane_of_text = {
	.sideways = sideways, .reveal = reveal, .at = pane_row_at, .put_ends = pane_put_row_ends,
	.find_index = find_index, .go_index = go_index,
};
