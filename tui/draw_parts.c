#include "tui/draw_parts.h"

#include "tui/bars.h"
#include "tui/glyphs.h"
#include "tui/paint.h"

unsigned draw_title_attributes(struct app *app)
{
	static const int looks[] = { [TITLE_PLAIN] = LOOK_TITLE, [TITLE_START] = LOOK_TITLE_START,
	                             [TITLE_ALARM] = LOOK_TITLE_ALARM };

	return theme(looks[app_title(app).look]);
}

int draw_bar(struct app *app, const struct rect *row)
{
	struct bars bars = {0};
	int used = 0;

	bars_make(app, &bars);
	for (size_t i = 0; i < bars.items.len; i++) {
		const struct bar_item *item = &bars.items.at[i];

		if (item->row == row->row)
			used = item->col + paint_text(item->row, item->col, row->cols - item->col,
			                              theme((int)item->look),
			                              bars.texts.text + item->begin,
			                              item->end - item->begin);
	}
	bars_release(&bars);
	return used;
}

void draw_put_brief(struct view *view, int cols, struct str *out)
{
	struct doc *doc = view_doc(view);
	struct body *body = doc ? doc_get_body(doc) : NULL;

	if (body && body->kind->brief && cols > 0)
		body->kind->brief(body, cols, glyphs_fine(), out);
}
