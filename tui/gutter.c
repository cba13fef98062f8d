/* A row that is wrapped has its sign beside its first line. */
#include "tui/gutter.h"

#include <string.h>

#include "tui/glyphs.h"
#include "tui/paint.h"

struct mark_of_sign { const char *text; int look; };

static struct mark_of_sign mark_of(enum row_sign sign)
{
	switch (sign) {
	case SIGN_BAD: return (struct mark_of_sign){ glyph(GLYPH_BAD), ROLE_BAD };
	case SIGN_DAMAGED: return (struct mark_of_sign){ glyph(GLYPH_DAMAGED), ROLE_DAMAGED };
	case SIGN_UNKNOWN: return (struct mark_of_sign){ glyph(GLYPH_UNKNOWN), LOOK_DIM };
	case SIGN_CANT_TELL: return (struct mark_of_sign){ "?", LOOK_DIM };
	case SIGN_NONE: break;
	}
	return (struct mark_of_sign){ " ", LOOK_TEXT };
}

void gutter_draw(struct view *view, const struct rect *gutter)
{
	struct pane *pane = &view->pane;
	const struct doc *doc = pane_doc(pane);
	const struct piece *pieces;
	size_t n;

	if (!gutter->cols || !doc || !doc_has_signs(doc))
		return;
	pieces = pane_pieces(pane, &n);
	for (size_t i = 0; i < n && i < (size_t)gutter->rows; i++) {
		uint64_t row = rows_row(&pane->shown, pieces[i].at.row);
		struct mark_of_sign mark;

		if (pieces[i].at.piece)
			continue;
		mark = mark_of(doc_sign(doc, row, true));
		paint_text(gutter->row + (int)i, gutter->col, 1, theme(mark.look), mark.text,
		           strlen(mark.text));
	}
}

bool gutter_works(struct view *view)
{
	const struct doc *doc = pane_doc(&view->pane);

	return doc && doc_signs_go_on(doc, &view->signs_told);
}
