/*
 * What a view brings comes from its document (doc_key), what all have from the table here. An item
 * is there only where its key does something.
 */
#include "tui/keybar.h"

#include <string.h>

#include "dump/base/utf8.h"
#include "tui/about.h"
#include "tui/keys.h"
#include "tui/panes.h"

enum { FIRST_COL = 1, GAP = 2 };

static void put(struct keybar *bar, const char *keys, const char *what)
{
	struct keybar_item item = { .begin = bar->text.len };

	str_puts(&bar->text, keys);
	item.keys_end = bar->text.len;
	str_fmt(&bar->text, " %s", what);
	item.end = bar->text.len;
	vec_push(&bar->items, item);
}

/* The view's own. */

static bool has_keys(const struct keybar *bar, const char *keys)
{
	for (size_t i = 0; i < bar->items.len; i++) {
		const struct keybar_item *item = &bar->items.at[i];
		size_t len = item->keys_end - item->begin;

		if (len == strlen(keys) && !memcmp(bar->text.text + item->begin, keys, len))
			return true;
	}
	return false;
}

static void put_if_new(struct keybar *bar, const char *keys, const char *what)
{
	if (!has_keys(bar, keys))
		put(bar, keys, what);
}

/* A key that makes another line of the view's: does it do so now? */
static bool has_effect(const struct pane *pane, int typed)
{
	const struct doc_key *key = doc_find_key(pane_doc(pane), typed);
	struct str line = {0};
	bool effect;

	if (!key || key->way == KEY_HINT || key->way == KEY_MOVES)
		return true;
	effect = pane_put_key(pane, key, key->n, &line);
	if (key->way == KEY_OPENS)
		effect |= !line.len;     /* then the key is everybody's */
	str_release(&line);
	return effect;
}

/* Of those that an item names, which stand with a blank between two. */
static bool any_has_effect(const struct pane *pane, const char *keys)
{
	while (*keys) {
		size_t len = strcspn(keys, " ");

		if (has_effect(pane, key_read(keys, len)))
			return true;
		keys += len + (keys[len] == ' ');
	}
	return false;
}

static void put_brought(struct keybar *bar, const struct pane *pane, bool opens)
{
	const struct doc *doc = pane_doc(pane);
	const struct doc_keys *keys;

	for (size_t i = 0; (keys = doc_keys(doc, i)); i++)
		for (size_t k = 0; k < keys->n; k++)
			if (key_is_hint(doc, &keys->at[k], opens) &&
			    any_has_effect(pane, keys->at[k].hint_keys))
				put_if_new(bar, keys->at[k].hint_keys, keys->at[k].hint);
}

static bool is_drawn(const struct doc *doc)
{
	return doc_stage(doc) ||
	       (doc_get_body(doc) && doc_get_body(doc)->kind->drawn);
}

static void put_about(struct app *app, struct keybar *bar)
{
	const struct doc *doc = view_doc(app_view(app));
	struct link link = {0};
	bool about = about_row(app, app->focus, &link) != ABOUT_NOTHING;

	if (about && (app_detail(app) != NO_PANE || panes_have_room(app)))
		put_if_new(bar, "v", "detail");
	if (about && link.kind == LINK_TENSOR)
		put_if_new(bar, "p", "picture");
	if (about && !has_keys(bar, "o"))
		put(bar, "o", "node");
	if (app->has_others && ((about && link.kind == LINK_TENSOR) || doc_of_runs(doc)))
		put_if_new(bar, "d", "compare");
	link_release(&link);
}

static void put_view(struct app *app, struct keybar *bar)
{
	struct pane *pane = &app_view(app)->pane;
	const struct doc *doc = pane_doc(pane);
	bool opens = pane_opens(pane);

	if (opens && (!doc_find_key(doc, DOC_KEY_ENTER) ||
	              !doc_find_key(doc, DOC_KEY_ENTER)->hint))
		put(bar, "Enter", "open");
	put_brought(bar, pane, opens);
	put_about(app, bar);
	if (context_of(doc) == CONTEXT_TREE)
		put_if_new(bar, ", .", "fold");
	if (!is_drawn(doc)) {
		put_if_new(bar, "&", "filter");
		put_if_new(bar, "/", "search");
	}
	if (pane->search.pattern)
		put_if_new(bar, "n N", "next, previous");
	if (context_of(doc) == CONTEXT_TABLE && !has_keys(bar, "< > s"))
		put(bar, "s", "sort");
	if (app->arrangement.n_splits)
		put_if_new(bar, "w", "next pane");
	put_if_new(bar, "q", app_can_step(app, -1) ? "back" : "leave");
	put_if_new(bar, ":", "command");
}

/* What may follow a first key, in as few words as its help begins with. */
static void put_second(void *bar, int second, const char *help)
{
	struct str label = {0}, what = {0};

	key_label(&label, second);
	str_put(&what, help, strcspn(help, ";,:"));
	put(bar, str_text(&label), str_text(&what));
	str_release(&label);
	str_release(&what);
}

static void put_palette(struct app *app, struct keybar *bar)
{
	const struct palette_row *row = palette_chosen(&app->palette);

	put(bar, "Enter", row && row->wants_more ? "go on" : row ? "run it" : "run what is typed");
	if (app->palette.rows.len)
		put(bar, "Tab", row ? "next" : "choose");
	put(bar, "Esc", row ? "as it was typed" : "close");
	put(bar, "F1", "keys");
}

/* A question, a key that waits for another, the prompt. */
static bool put_urgent(struct app *app, struct keybar *bar)
{
	if (app->asks_to_leave) {
		put(bar, "y", "leave");
		put(bar, "n", "stay");
	} else if (app->sheet.open) {
		put(bar, "Enter", "do it");
		put(bar, "a-z", "narrow");
		put(bar, "Up Down", "choose");
		put(bar, "Esc", "close");
	} else if (app->hints.len) {
		put(bar, "a-z", "follow a link");
		put(bar, "Esc", "close");
	} else if (app->first_key) {
		key_each_second(app_scope(app), view_doc(app_view(app)), app->first_key,
		                put_second, bar);
		put(bar, "Esc", "cancel");
	} else if (app->overlay) {
		put(bar, "Esc", "close");
		put(bar, "Space", "page down");
		put(bar, "b", "page up");
	} else if (app->palette.open && !app_in_view(app)) {
		put_palette(app, bar);
	} else if (!app_in_view(app)) {
		put(bar, "Esc", "view");
		put(bar, "Tab", "complete");
		put(bar, "F1", "keys");
		put(bar, "^C", "stop");
	} else {
		return false;
	}
	return true;
}

/* Fitting. */

static int width_of(const struct keybar *bar, size_t i)
{
	const struct keybar_item *item = &bar->items.at[i];

	return (int)utf8_columns(bar->text.text + item->begin, item->end - item->begin);
}

/* Of all but the last as many as leave it room. */
static void fit(struct keybar *bar, int cols)
{
	size_t n = bar->items.len, kept = 0;
	int col = FIRST_COL, last = n ? width_of(bar, n - 1) : 0;

	for (size_t i = 0; i < n; i++) {
		int width = width_of(bar, i);

		if (i + 1 < n && col + width + GAP + last > cols)
			continue;
		bar->items.at[i].col = col;
		bar->items.at[i].cols = width;
		bar->items.at[kept++] = bar->items.at[i];
		col += width + GAP;
	}
	bar->items.len = kept;
}

void keybar_make(struct app *app, int cols, struct keybar *out)
{
	out->items.len = 0;
	str_reset(&out->text);
	if (!put_urgent(app, out) && pane_doc(&app_view(app)->pane)) {
		put_view(app, out);
		put(out, "?", "keys");
	}
	fit(out, cols);
}

void keybar_release(struct keybar *bar)
{
	vec_release(&bar->items);
	str_release(&bar->text);
}

/* Clicks. */

static int key_of_item(const struct keybar *bar, const struct keybar_item *item, int col)
{
	const char *keys = bar->text.text + item->begin, *end = bar->text.text + item->keys_end;
	const char *at = keys;

	/* names of keys are plain ASCII here, but for what may be bound */
	while (at < end && (int)utf8_columns(keys, (size_t)(at - keys)) < col - item->col)
		at++;
	if (at >= end)
		at = keys;
	while (at > keys && at[-1] != ' ')
		at--;
	at += *at == ' ';
	return key_read(at, (size_t)(end - at));
}

int keybar_key_at(struct app *app, int col)
{
	const struct rect *r = &app->layout.keys;
	struct keybar bar = {0};
	int key = 0;

	keybar_make(app, r->cols, &bar);
	for (size_t i = 0; i < bar.items.len; i++) {
		const struct keybar_item *item = &bar.items.at[i];

		if (col >= r->col + item->col && col < r->col + item->col + item->cols)
			key = key_of_item(&bar, item, col - r->col);
	}
	keybar_release(&bar);
	return key;
}
