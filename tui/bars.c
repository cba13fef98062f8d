/*
 * One list of pieces for drawing, clicks and hints: what is under the pointer is what was drawn
 * there.
 */
#include "tui/bars.h"

#include <string.h>

#include "dump/base/utf8.h"
#include "tui/glyphs.h"

/* Appends a piece behind the last one of its row; returns the column behind it. */
static int put(struct bars *bars, int row, int col, enum look look, const char *text,
               const char *command)
{
	size_t len = strlen(text);
	struct bar_item item = { row, col, bars->texts.len, bars->texts.len + len, look, command };

	str_put(&bars->texts, text, len);
	vec_push(&bars->items, item);
	return col + (int)utf8_columns(text, len);
}

static const char *arrow(const struct app *app, int step)
{
	if (app_is_modern(app))
		return glyph(step < 0 ? GLYPH_BACK : GLYPH_FORWARD);
	return step < 0 ? "<--" : "-->";
}

static int put_arrow(struct app *app, struct bars *bars, int row, int col, int step)
{
	bool can = app_can_step(app, step);

	return put(bars, row, col, can ? LOOK_LINK : LOOK_TEXT, arrow(app, step),
	           !can ? NULL : step < 0 ? "prev" : "next");
}

static enum look command_look(const struct app *app, bool older)
{
	if (app_is_modern(app))
		return (enum look)ROLE_STRONG;
	return older ? LOOK_OLDER : LOOK_CURRENT;
}

static void make_nav(struct app *app, struct bars *bars)
{
	struct view *view = app_view(app);
	size_t behind = view->loose ? 0 : screens_behind(&view->screens);
	int row = app->layout.nav.row, col;
	struct str text = {0};

	col = put(bars, row, 0, LOOK_TEXT, app_is_modern(app) ? " " : "| ", NULL);
	col = put_arrow(app, bars, row, col, -1);
	col = put(bars, row, col, LOOK_TEXT, " ", NULL);
	col = put_arrow(app, bars, row, col, 1);
	if (!view_doc(view))
		return;
	col = put(bars, row, col, LOOK_TEXT, app_is_modern(app) ? " " : " | ", NULL);
	if (behind)
		str_fmt(&text, "(-%zu) ", behind);
	view_put_command(view, &text);
	put(bars, row, col, command_look(app, behind > 0), str_text(&text), NULL);
	str_release(&text);
}

static void make_menu(struct app *app, struct bars *bars)
{
	int row = app->layout.menu.row, col;
	size_t n;
	const struct menu_item *items = doc_menu(view_doc(app_view(app)), &n);

	col = put(bars, row, 0, LOOK_TEXT, "| ", NULL);
	for (size_t i = 0; i < n; i++) {
		col = put(bars, row, col, items[i].on ? LOOK_LINK : LOOK_TEXT, items[i].caption,
		          items[i].on ? items[i].command : NULL);
		col = put(bars, row, col, LOOK_TEXT, i + 1 < n ? " | " : " |", NULL);
	}
}

void bars_make(struct app *app, struct bars *out)
{
	out->items.len = 0;
	str_reset(&out->texts);
	if (app->layout.nav.rows)
		make_nav(app, out);
	if (app->layout.menu.rows && (!app_is_modern(app) || app->names_links))
		make_menu(app, out);
}

void bars_release(struct bars *bars)
{
	vec_release(&bars->items);
	str_release(&bars->texts);
}

const char *bars_command_at(struct app *app, int row, int col)
{
	struct bars bars = {0};
	const char *command = NULL;

	if (!rect_holds(&app->layout.nav, row, col) && !rect_holds(&app->layout.menu, row, col))
		return NULL;
	bars_make(app, &bars);
	for (size_t i = 0; i < bars.items.len; i++) {
		const struct bar_item *item = &bars.items.at[i];
		int width =
			(int)utf8_columns(bars.texts.text + item->begin, item->end - item->begin);

		if (item->row == row && col >= item->col && col < item->col + width)
			command = item->command;
	}
	bars_release(&bars);
	return command;
}
