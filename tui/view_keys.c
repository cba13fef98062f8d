#include "tui/view_keys.h"

#include <stdlib.h>

#include "tui/drawn.h"

static const struct { enum action action; enum stage_move move; } moves[] = {
	{ ACTION_LEFT, STAGE_LEFT }, { ACTION_RIGHT, STAGE_RIGHT },
	{ ACTION_LEFTMOST, STAGE_LEFTMOST }, { ACTION_RIGHTMOST, STAGE_RIGHTMOST },
	{ ACTION_NEXT_LINK, STAGE_NEXT }, { ACTION_PREV_LINK, STAGE_PREV },
	{ ACTION_LESS, STAGE_LESS }, { ACTION_MORE, STAGE_MORE },
};

static int64_t times(const struct app *app)
{
	return app->typed_count > 0 && app->typed_count < INT32_MAX ? (int64_t)app->typed_count : 1;
}

bool view_stage_act(struct app *app, enum action action)
{
	for (size_t i = 0; pane_doc(app_pane(app)) && i < sizeof moves / sizeof *moves; i++)
		if (moves[i].action == action)
			return pane_stage_move(app_pane(app), moves[i].move, times(app));
	return false;
}

static bool opened(struct app *app, const struct doc_key *key)
{
	struct str line = {0};
	bool said;

	if (pane_put_key(app_pane(app), key, 0, &line))
		app_order(app, line.text);
	else if (line.len)
		app_toast(app, LOOK_ERROR_TOAST, "%s", line.text);
	said = line.len > 0;
	str_release(&line);
	return said;
}

static void tell(struct app *app, const struct doc_key *key)
{
	struct str line = {0};

	if (pane_put_key(app_pane(app), key, 0, &line))
		app_order_use(app, line.text, ORDER_TELL);
	else
		app_toast(app, LOOK_ERROR_TOAST, "%s", line.len ? line.text : NOTHING_CHANGES);
	str_release(&line);
}

static void go(struct app *app, const struct doc *doc, const struct doc_key *key)
{
	struct pane *pane = app_pane(app);
	struct str line = {0};

	if (pane_put_key(pane, key, key->n * times(app), &line)) {
		app_mark_place(app);
		pane_cursor_to(pane, doc_body_row(doc) + strtoull(line.text, NULL, 10));
	} else {
		app_toast(app, LOOK_ERROR_TOAST, "%s", line.len ? line.text : NOTHING_CHANGES);
	}
	str_release(&line);
}

static void ask(struct app *app, const struct doc *doc, const struct doc_key *key)
{
	struct doc_at at = { .key = key->key, .n = key->n * times(app) };
	struct str line = {0};

	if (doc_put_line(doc, &at, &line))
		app_order(app, line.text);
	else
		app_toast(app, LOOK_ERROR_TOAST, "%s", line.len ? line.text : NOTHING_CHANGES);
	str_release(&line);
}

bool view_key(struct app *app, int typed)
{
	const struct doc *doc = app->overlay ? NULL : view_doc(app_view(app));
	const struct doc_key *key = doc ? doc_find_key(doc, typed) : NULL;

	if (!key)
		return false;
	switch (key->way) {
	case KEY_HINT: return false;
	case KEY_OPENS: return opened(app, key);
	case KEY_ASKS: ask(app, doc, key); break;
	case KEY_TELLS: tell(app, key); break;
	case KEY_GOES: go(app, doc, key); break;
	case KEY_MOVES: return pane_stage_move(app_pane(app), (enum stage_move)key->n, times(app));
	case KEY_REWRITES: app_order_key(app, app->focus, typed, key->n * times(app)); break;
	case KEY_OF_GRID:
	case KEY_OF_PICTURE:
	case KEY_OF_PICTURE_ALONE: drawn_key(app, key, key->n * times(app)); break;
	}
	return true;
}
