/* A row that is wrapped has its sign beside its first line. */
#include "tui/gutter.h"

#include <string.h>

#include "tui/glyphs.h"
#include "tui/marks.h"
#include "tui/paint.h"
#include "tui/tags.h"

enum { TAG = '+' };

struct mark_of_sign { const char *text; int look; };

static struct mark_of_sign mark_of(enum row_sign sign)
{
	switch (sign) {
	case SIGN_BAD: return (struct mark_of_sign){ glyph(GLYPH_BAD), ROLE_BAD };
	case SIGN_ORIGIN: return (struct mark_of_sign){ glyph(GLYPH_ORIGIN), ROLE_BAD };
	case SIGN_HARMLESS: return (struct mark_of_sign){ glyph(GLYPH_HARMLESS), LOOK_DIM };
	case SIGN_DAMAGED: return (struct mark_of_sign){ glyph(GLYPH_DAMAGED), ROLE_DAMAGED };
	case SIGN_UNKNOWN: return (struct mark_of_sign){ glyph(GLYPH_UNKNOWN), LOOK_DIM };
	case SIGN_CANT_TELL: return (struct mark_of_sign){ "?", LOOK_DIM };
	case SIGN_NONE: break;
	}
	return (struct mark_of_sign){ " ", LOOK_TEXT };
}

/* The gravest of what the roles of a line say. */
static struct mark_of_sign mark_of_line(const struct line *line)
{
	struct mark_of_sign mark = mark_of(SIGN_NONE);

	for (size_t i = 0; i < line->segs.len; i++)
		switch (line->segs.at[i].role) {
		case ROLE_BAD: return mark_of(SIGN_BAD);
		case ROLE_DAMAGED: mark = mark_of(SIGN_DAMAGED); break;
		case ROLE_DIFFERS:
			if (mark.look == LOOK_TEXT)
				mark = (struct mark_of_sign){ glyph(GLYPH_DIFFERS), ROLE_DIFFERS };
			break;
		default: break;
		}
	return mark;
}

static void draw_row(struct app *app, int view, const struct piece *piece, int row, int col)
{
	const struct pane *pane = &app->view[view].pane;
	const struct doc *doc = pane_doc(pane);
	uint64_t doc_row = rows_row(&pane->shown, piece->at.row);
	struct mark_of_sign mark = doc_has_signs(doc) ? mark_of(doc_sign(doc, doc_row, true))
	                                              : mark_of_line(piece->line);
	bool has_sign = mark.look != LOOK_TEXT;
	char letter = tags_has(app, piece->line) ? TAG : marks_letter(app, view, doc_row);

	if (!has_sign && piece->bad->len) {
		mark = mark_of(SIGN_BAD);
		has_sign = true;
	}
	if (has_sign || !letter)
		paint_text(row, col, 1, theme(mark.look), mark.text, strlen(mark.text));
	if (letter)
		paint_text(row, col + has_sign, 1, theme(ROLE_ITEM), &letter, 1);
}

void gutter_draw(struct app *app, int view)
{
	const struct rect *gutter = &app->layout.pane[view].gutter;
	struct pane *pane = &app->view[view].pane;
	const struct piece *pieces;
	size_t n;

	if (!gutter->cols || !pane_doc(pane))
		return;
	pieces = pane_pieces(pane, &n);
	for (size_t i = 0; i < n && i < (size_t)gutter->rows; i++)
		if (!pieces[i].at.piece)
			draw_row(app, view, &pieces[i], gutter->row + (int)i, gutter->col);
}

void gutter_begin(struct view *view)
{
	const struct doc *doc = pane_doc(&view->pane);

	if (doc)
		doc_signs_go_on(doc, &view->signs_told);
}

bool gutter_waits(struct view *view)
{
	const struct doc *doc = pane_doc(&view->pane);
	uint64_t told = view->signs_told;

	return doc && doc_signs_go_on(doc, &told);
}
