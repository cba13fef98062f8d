/* Links: of the cursor's row, and at a place of the screen. */
#include "tui/pane.h"

#include "dump/base/utf8.h"
#include "tui/pane_kind.h"
#include "tui/wrap.h"

enum { LINK_REACH = 4096 };      /* rows looked at for the next link */

/* The link segment of the line after (before) segment `from`; NO_SEG: from its start (end). */
static size_t link_in_line(const struct line *line, size_t from, int direction)
{
	size_t n = line->segs.len;
	size_t i = direction > 0 ? (from == NO_SEG ? 0 : from + 1) : (from == NO_SEG ? n : from);

	for (; direction > 0 ? i < n : i > 0; i += direction > 0 ? 1 : -1) {
		size_t k = direction > 0 ? i : i - 1;

		if (seg_shows_link(&line->segs.at[k]))
			return k;
	}
	return NO_SEG;
}

bool pane_next_link(struct pane *pane, int direction)
{
	uint64_t rows = rows_count(&pane->shown), row = pane->cursor.row;
	size_t from = pane->link;

	for (int i = 0; i < LINK_REACH && row < rows; i++) {
		const struct str *text = pane_fetch(pane, row);
		/* without a chosen link, backward starts before the cursor's row */
		size_t found = !i && direction < 0 && from == NO_SEG ? NO_SEG :
		               link_in_line(&pane->scratch, from, direction);

		if (found != NO_SEG) {
			size_t off = pane->scratch.segs.at[found].begin;

			pane->cursor.row = row;
			pane->cursor.piece = wrap_piece_at(str_text(text), text->len,
			                                   pane_wrap_cols(pane), off);
			pane->link = found;
			if (!pane_has_item(pane))
				pane_reveal(pane, text, off);
			pane_follow_cursor(pane);
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

	if (pane->cursor.row >= rows_count(&pane->shown))
		return NULL;
	pane_fetch(pane, pane->cursor.row);
	if (seg == NO_SEG)
		seg = link_in_line(&pane->scratch, NO_SEG, 1);
	if (seg != pane->link && pane->cursor.row < pane_first_row(pane) &&
	    link_in_line(&pane->scratch, seg, 1) != NO_SEG)
		return NULL;
	return seg < pane->scratch.segs.len ? seg_link(&pane->scratch, &pane->scratch.segs.at[seg])
	                                    : NULL;
}

bool pane_has_links(struct pane *pane)
{
	const struct line *line = pane_cursor_line(pane);

	return line && link_in_line(line, NO_SEG, 1) != NO_SEG;
}

bool pane_put_key(const struct pane *pane, const struct doc_key *key, int64_t n, struct str *out)
{
	struct doc_at at = { .key = key->key, .n = n };

	return (pane_kind(pane)->at(pane, &at) || key->refusal) &&
	       doc_put_line(pane_doc(pane), &at, out);
}

bool pane_opens(struct pane *pane)
{
	const struct doc_key *enter = doc_find_key(pane_doc(pane), DOC_KEY_ENTER);
	struct str line = {0};
	bool opens;

	if (!enter || enter->way != KEY_OPENS)
		return pane_link(pane) != NULL;
	opens = pane_put_key(pane, enter, 0, &line);
	str_release(&line);
	return opens;
}

/* The piece in a row of the window; NULL: none. */
static const struct piece *piece_at(struct pane *pane, int row)
{
	size_t n;
	const struct piece *pieces = pane_pieces(pane, &n);

	return row >= 0 && (size_t)row < n ? &pieces[row] : NULL;
}

bool pane_sort_at(struct pane *pane, int row, int col)
{
	const struct piece *piece = piece_at(pane, row);

	return piece && col >= 0 &&
	       rows_sort_at(&pane->shown, piece->at.row, pane->cols,
	                    utf8_columns(str_text(&piece->line->text), piece->begin) +
	                            (size_t)col);
}

const char *pane_link_at(struct pane *pane, int row, int col)
{
	const struct piece *piece = piece_at(pane, row);
	size_t off;

	if (!piece || col < 0)
		return NULL;
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
