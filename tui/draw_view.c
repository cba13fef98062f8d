/*
 * Each byte of a piece gets a look: of its text, its segments, its matches, the cursor; runs of one
 * look are painted.
 */
#include "tui/draw_view.h"

#include <inttypes.h>
#include <string.h>

#include <curses.h>

#include "dump/base/utf8.h"
#include "tui/dull.h"
#include "tui/glyphs.h"
#include "tui/names.h"
#include "tui/paint.h"
#include "tui/status.h"

enum { BADGE_GAP = 1 };

/* pair: of a place on a scale, beyond those that attr can hold; 0: attr has all. */
struct ink {
	attr_t attr;
	int pair;
};
typedef VEC(struct ink) ink_list;

static void look_at(ink_list *looks, const struct piece *piece, size_t begin, size_t end,
                    attr_t attr, int pair)
{
	for (size_t i = begin < piece->begin ? piece->begin : begin; i < end && i < piece->end; i++)
		looks->at[i - piece->begin] = (struct ink){ attr, pair };
}

static attr_t seg_look(const struct seg *seg)
{
	if (seg->ink || seg->ground)
		return theme_has_scales() ? 0 : theme(LOOK_TEXT);
	if (seg->link == NO_LINK)
		return theme((int)seg->role);
	return seg->role == ROLE_PLAIN ? theme(LOOK_LINK) : theme((int)seg->role) | A_UNDERLINE;
}

/* In our style links are underlined only where a key follows them, and scopes of names are dim. */
static void look_at_link(ink_list *looks, const struct piece *piece, const struct seg *seg,
                         bool under_cursor)
{
	attr_t line = under_cursor ? A_UNDERLINE : 0;
	attr_t look = seg->role == ROLE_PLAIN ? theme(LOOK_LINK) : theme((int)seg->role);
	size_t leaf = seg->begin + names_leaf(str_text(&piece->line->text) + seg->begin,
	                                      seg->end - seg->begin);

	look_at(looks, piece, seg->begin, leaf, theme(LOOK_SCOPE) | line, 0);
	look_at(looks, piece, leaf, seg->end, (look & ~(attr_t)A_UNDERLINE) | line, 0);
}

/* The column that is chosen to sort by is marked in the heading, behind what the line has. */
static void look_at_heading(ink_list *looks, const struct pane *pane, const struct piece *piece)
{
	size_t i = pane->shown.sort.column == NO_COLUMN ? 0 : piece->line->segs.len;

	look_at(looks, piece, piece->begin, piece->end, theme(LOOK_HEADING), 0);
	while (i-- > 0) {
		const struct seg *seg = &piece->line->segs.at[i];

		if (seg->role != ROLE_STRONG || seg->link != NO_LINK)
			continue;
		look_at(looks, piece, seg->begin, seg->end, theme(LOOK_HEADING) | A_REVERSE, 0);
		break;
	}
}

/* In a grid only the cell is marked, in a stage the item. */
static void mark_cursor(struct pane *pane, const struct piece *piece, ink_list *looks)
{
	struct span cell = { piece->begin, piece->end };

	if (pane_has_item(pane) && !pane_item_span(pane, piece->line, &cell))
		return;
	for (size_t i = cell.begin; i < cell.end && i < piece->end; i++) {
		struct ink *ink = &looks->at[i - piece->begin];

		/* On a picture two colours changed for each other might look the same. */
		if (ink->pair && !pane_is_grid(pane))
			*ink = (struct ink){ theme(LOOK_TEXT), 0 };
		ink->attr |= A_REVERSE;
	}
}

static bool is_cursor(const struct pane *pane, const struct piece *piece)
{
	return pane->focus && piece->at.row == pane->cursor.row &&
	       piece->at.piece == pane->cursor.piece;
}

static void look_at_bad(ink_list *looks, const struct piece *piece)
{
	for (size_t i = 0; i < piece->bad->len; i++)
		look_at(looks, piece, piece->bad->at[i].begin, piece->bad->at[i].end,
		        theme(ROLE_BAD), 0);
}

/* In our style a pane without the focus shows where its cursor was. */
static bool rests_here(const struct pane *pane, const struct piece *piece)
{
	return pane->modern && !pane->focus && piece->at.row == pane->cursor.row &&
	       piece->at.piece == pane->cursor.piece && !pane_has_item(pane) &&
	       !pane_is_heading(pane, piece->at.row);
}

static void looks_of(struct pane *pane, const struct piece *piece, ink_list *looks,
                     span_list *matches)
{
	const struct line *line = piece->line;

	looks->len = 0;
	for (size_t i = piece->begin; i < piece->end; i++)
		vec_push(looks, ((struct ink){ theme(LOOK_TEXT), 0 }));
	for (size_t i = 0; i < line->segs.len; i++) {
		const struct seg *seg = &line->segs.at[i];

		if (pane->modern && seg->link != NO_LINK)
			look_at_link(looks, piece, seg, is_cursor(pane, piece));
		else
			look_at(looks, piece, seg->begin, seg->end, seg_look(seg),
			        theme_scale(seg->role, seg->ink, seg->ground));
	}
	if (pane->modern && pane_is_heading(pane, piece->at.row))
		look_at_heading(looks, pane, piece);
	else if (pane->modern && dull_row(pane, piece->at.row))
		look_at(looks, piece, piece->begin, piece->end, theme(LOOK_DIM), 0);
	if (pane->modern)
		look_at_bad(looks, piece);
	pane_matches(pane, line, matches);
	for (size_t i = 0; i < matches->len; i++)
		look_at(looks, piece, matches->at[i].begin, matches->at[i].end, theme(LOOK_MATCH),
		        0);
	if (rests_here(pane, piece))
		look_at(looks, piece, piece->begin, piece->end, theme(LOOK_RESTING_CURSOR), 0);
	if (is_cursor(pane, piece))
		mark_cursor(pane, piece, looks);
	if (pane->focus && piece->at.row == pane->cursor.row && pane->link < line->segs.len)
		look_at(looks, piece, line->segs.at[pane->link].begin,
		        line->segs.at[pane->link].end, theme(LOOK_CHOSEN), 0);
}

static bool same_ink(const struct ink *a, const struct ink *b)
{
	return a->attr == b->attr && a->pair == b->pair;
}

static int paint_ink(int row, int col, int cols, const struct ink *ink, const char *text,
                     size_t len)
{
	if (ink->pair)
		return paint_pair(row, col, cols, ink->attr, ink->pair, text, len);
	return paint_text(row, col, cols, ink->attr, text, len);
}

static void draw_piece(struct pane *pane, const struct piece *piece, int row, int col, int cols)
{
	ink_list looks = {0};
	span_list matches = {0};
	const char *text = str_text(&piece->line->text) + piece->begin;
	size_t len = piece->end - piece->begin, begin = 0;
	int used = 0;

	looks_of(pane, piece, &looks, &matches);
	while (begin < len) {
		size_t end = begin + 1;

		while (end < len && same_ink(&looks.at[end], &looks.at[begin]))
			end++;
		used += paint_ink(row, col + used, cols - used, &looks.at[begin], text + begin,
		                  end - begin);
		begin = end;
	}
	if ((is_cursor(pane, piece) || rests_here(pane, piece)) && !pane_has_item(pane))
		paint_fill(row, col + used, cols - used,
		           theme(pane->focus ? LOOK_CURSOR : LOOK_RESTING_CURSOR), ' ');
	if (piece->cut)
		paint_text(row, col + cols - 1, 1, theme(LOOK_CUT_MARK), ">", 1);
	vec_release(&looks);
	vec_release(&matches);
}

static void draw_number(const struct pane *pane, const struct piece *piece, int row, int col,
                        int cols)
{
	struct str text = {0};
	uint64_t number = pane_row_number(pane, rows_row(&pane->shown, piece->at.row));

	if (cols && !piece->at.piece && number)
		str_fmt(&text, "%*" PRIu64 " ", cols - 1, number);
	else
		str_fill(&text, ' ', (size_t)cols);
	paint_text(row, col, cols, theme(LOOK_NUMBER), str_text(&text), text.len);
	str_release(&text);
}

/* "@[1,0]" over the leading blanks of a row, where they hold it and a gap. */
static void draw_badge(const struct piece *piece, int row, int col, int cols)
{
	struct str badge = {0};
	const char *text = str_text(&piece->line->text);

	if (piece->begin)
		return;
	str_putc(&badge, '@');
	put_index(&badge, piece->line);
	if (badge.len > 1 && strspn(text, " ") >= badge.len + BADGE_GAP)
		paint_text(row, col, cols, theme(LOOK_BADGE), badge.text, badge.len);
	str_release(&badge);
}

/* One column, and no ends. */
static void draw_thumb(const struct rect *r, const struct whereabouts *where)
{
	const char *sign = glyph(GLYPH_THUMB);

	paint_text(r->row + (int)(where->fraction * (r->rows - 1)), r->col, 1, theme(LOOK_RULE),
	           sign, strlen(sign));
}

static void draw_bar(const struct rect *r, const struct whereabouts *where)
{
	attr_t look = theme(LOOK_BAR);

	if (!where->scrolls || r->rows < 2)
		return;
	if (r->cols == 1) {
		draw_thumb(r, where);
		return;
	}
	paint_string(r, 0, look, "UP");
	paint_text(r->row + r->rows - 1, r->col, r->cols, look, "DN", 2);
	if (r->rows >= 3)
		paint_fill(r->row + 1 + (int)(where->fraction * (r->rows - 3)), r->col, r->cols,
		           look, ' ');
}

void draw_view(struct pane *pane, int gutter, const struct pane_box *box)
{
	const struct rect *r = &box->text;
	int col = r->col + gutter, cols = r->cols - gutter;
	struct whereabouts where;
	size_t n;
	const struct piece *pieces;

	for (int i = 0; i < r->rows; i++)
		paint_fill(r->row + i, r->col, r->cols - 1, theme(LOOK_TEXT), ' ');
	if (!pane_doc(pane))
		return;
	pieces = pane_pieces(pane, &n);
	names_cut(pane);
	for (size_t i = 0; i < n && i < (size_t)r->rows; i++) {
		draw_number(pane, &pieces[i], r->row + (int)i, r->col, gutter);
		draw_piece(pane, &pieces[i], r->row + (int)i, col, cols);
	}
	if (n && !pane_has_item(pane))
		draw_badge(&pieces[0], r->row, col, cols);
	if (n == (size_t)r->rows && n > 1 && !pane_has_item(pane))
		draw_badge(&pieces[n - 1], r->row + (int)n - 1, col, cols);
	where = pane_where(pane);
	draw_bar(&box->bar, &where);
}

bool draw_cursor_cell(struct pane *pane, int gutter, const struct pane_box *box, int *row, int *col)
{
	size_t n;
	const struct piece *pieces;

	if (!pane->focus || !pane_doc(pane))
		return false;
	pieces = pane_pieces(pane, &n);
	for (size_t i = 0; i < n; i++) {
		const struct piece *p = &pieces[i];
		struct span cell;
		size_t off = p->begin;

		if (!is_cursor(pane, p))
			continue;
		if (pane_item_span(pane, p->line, &cell))
			off = cell.begin;
		else if (pane->link < p->line->segs.len && p->line->segs.at[pane->link].begin > off)
			off = p->line->segs.at[pane->link].begin;
		if (off > p->end)
			off = p->end;
		*row = box->text.row + (int)i;
		*col = box->text.col + gutter +
		       (int)utf8_columns(str_text(&p->line->text) + p->begin, off - p->begin);
		return true;
	}
	return false;
}
