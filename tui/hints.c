/* The letters are in the order of the fingers: home row first. All labels have the same length. */
#include "tui/hints.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/utf8.h"
#include "tui/bars.h"
#include "tui/keys.h"

static const char letters[] = "asdfghjklqwertyuiopzxcvbnm";
enum { N = sizeof letters - 1, MAX_HINTS = N * N };

static void add(struct app *app, int row, int col, const char *command)
{
	struct hint hint = { .row = row, .col = col };

	if (app->hints.len == MAX_HINTS)
		return;
	hint.command = mem_copy(command, strlen(command));
	vec_push(&app->hints, hint);
}

static void add_bars(struct app *app)
{
	struct bars bars = {0};

	bars_make(app, &bars);
	for (size_t i = 0; i < bars.items.len; i++) {
		const struct bar_item *item = &bars.items.at[i];

		if (item->command && item->col < app->layout.nav.cols)
			add(app, item->row, item->col, item->command);
	}
	bars_release(&bars);
}

static void add_pane(struct app *app, int view)
{
	struct pane *pane = &app->view[view].pane;
	const struct rect *text = &app->layout.pane[view].text;
	int left = text->col + view_gutter(&app->view[view]);
	size_t n;
	const struct piece *pieces = pane_pieces(pane, &n);

	for (size_t i = 0; i < n && i < (size_t)text->rows; i++) {
		const struct piece *p = &pieces[i];

		for (size_t k = 0; k < p->line->segs.len; k++) {
			const struct seg *seg = &p->line->segs.at[k];

			if (!seg_shows_link(seg) || seg->begin < p->begin || seg->begin >= p->end)
				continue;
			add(app, text->row + (int)i,
			    left + (int)utf8_columns(p->line->text.text + p->begin,
			                             seg->begin - p->begin),
			    seg_link(p->line, seg));
		}
	}
}

void hints_open(struct app *app)
{
	app_close_hints(app);
	app->names_links = true;
	add_bars(app);
	for (int i = 0; i < MAX_PANES; i++)
		if (!app_is_hidden(app, i) && pane_doc(&app->view[i].pane))
			add_pane(app, i);
	for (size_t i = 0; i < app->hints.len; i++) {
		char *label = app->hints.at[i].label;

		if (app->hints.len > N)
			*label++ = letters[i / N];
		*label = letters[i % N];
	}
	app->names_links = app->hints.len > 0;
	if (!app->hints.len)
		app_toast(app, LOOK_INFO_TOAST, "INFO: There is no link here");
}

bool hint_fits(const struct app *app, const struct hint *hint)
{
	return !strncmp(hint->label, str_text(&app->hint_typed), app->hint_typed.len);
}

void hints_key(struct app *app, int key)
{
	bool any = false;

	if (key < 'a' || key > 'z') {
		app_close_hints(app);
		return;
	}
	str_putc(&app->hint_typed, (char)key);
	for (size_t i = 0; i < app->hints.len; i++) {
		const struct hint *hint = &app->hints.at[i];

		any |= hint_fits(app, hint);
		if (!strcmp(hint->label, str_text(&app->hint_typed))) {
			app_order(app, hint->command);
			break;
		}
	}
	if (!any || app->hint_typed.len == strlen(app->hints.at[0].label))
		app_close_hints(app);
}
