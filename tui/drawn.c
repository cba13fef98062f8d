/*
 * What a picture shows is told by its command line alone: the grid's own words, then those that say
 * how it is drawn, which are the picture's.
 */
#include "tui/drawn.h"

#include <string.h>

#include "tui/about.h"
#include "tui/panes.h"

bool drawn_is_picture(const struct doc *doc)
{
	return doc && doc_get_body(doc) && doc_get_body(doc)->kind->drawn;
}

/* The view that the keys of drawing are about. */
static int drawn_view(struct app *app)
{
	int picture = panes_picture(app);

	if (picture != NO_PANE && app->view[picture].source == app->focus &&
	    drawn_is_picture(view_doc(&app->view[picture])))
		return picture;
	return app->focus;
}

/* The view whose axes those are: the grid's, if a pane only shows its picture. */
static int axes_view(struct app *app)
{
	const struct view *view = app_view(app);

	if (view->pictures && pane_is_grid(&app->view[view->source].pane))
		return view->source;
	return app->focus;
}

static bool put_picture(const struct doc *doc, struct str *out)
{
	return doc && doc_put_line(doc, &(struct doc_at){ .key = 'p' }, out);
}

/* The picture of what the view is about; false: it is about no tensor. */
static bool picture_line(struct app *app, struct str *out)
{
	struct str why = {0};
	struct link link = {0};
	bool ok = put_picture(view_doc(app_view(app)), &why);

	if (ok)
		str_put(out, str_text(&why), why.len);
	else if ((ok = about_row(app, app->focus, &link) != ABOUT_NOTHING))
		link_put_picture(&link, out);
	str_release(&why);
	link_release(&link);
	return ok;
}

static void toggle_picture(struct app *app)
{
	struct str line = {0};
	int pane;

	if (drawn_is_picture(view_doc(app_view(app))) && !app_view(app)->pictures) {
		app_order_key(app, app->focus, 'p', 0);
		return;
	}
	if (panes_picture(app) != NO_PANE) {
		panes_close_picture(app);
		return;
	}
	if (app->slow) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: No pictures with --slow");
	} else if (!picture_line(app, &line)) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: This row is about no tensor and no node");
	} else {
		pane = panes_open_picture(app);
		app_order_for(app, pane == NO_PANE ? app->focus : pane, line.text, NO_ROW);
	}
	str_release(&line);
}

void drawn_key(struct app *app, const struct doc_key *key, int64_t n)
{
	int view = key->way == KEY_OF_GRID ? axes_view(app) : drawn_view(app);

	if (key->way == KEY_OF_PICTURE_ALONE && !drawn_is_picture(view_doc(&app->view[view])))
		toggle_picture(app);
	else
		app_order_key(app, view, key->key, n);
}

/* Of what is no grid: of the picture of its row. */
static void change_bucket(struct app *app, int key)
{
	if (drawn_is_picture(view_doc(&app->view[drawn_view(app)])))
		app_order_key(app, drawn_view(app), key, 0);
	else
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: There is no picture here");
}

bool drawn_act(struct app *app, enum action action)
{
	switch (action) {
	case ACTION_LESS: change_bucket(app, ','); break;
	case ACTION_MORE: change_bucket(app, '.'); break;
	case ACTION_PICTURE: toggle_picture(app); break;
	default: return false;
	}
	return true;
}

void drawn_go_cell(struct app *app, const struct cell_at *cell)
{
	struct order *order;

	app_order_key(app, app->focus, DOC_KEY_SLICE, (int64_t)cell->slice);
	order = vec_last(&app->orders);
	order->has_cell = true;
	order->cell_row = cell->row;
	order->cell_column = cell->column;
}

/* Following. */

/* The picture of the grid that its pane belongs to, drawn the way it is. False: there is no grid.
 */
static bool followed_line(struct app *app, int picture, struct str *out)
{
	struct view *source = &app->view[app->view[picture].source];
	struct str way = {0};
	bool ok = pane_is_grid(&source->pane) && !source->loose &&
	          put_picture(view_doc(source), out) &&
	          doc_put_line(view_doc(&app->view[picture]),
	                       &(struct doc_at){ .key = DOC_KEY_WAY }, &way);

	str_puts(out, str_text(&way));
	str_release(&way);
	return ok;
}

/* Is its document made for its size, and that is another one by now? */
static bool has_other_size(struct app *app, int view)
{
	struct view *v = &app->view[view];
	const struct doc *doc = view_doc(v);
	bool other_cols = v->asked_cols != app_view_cols(app, view);

	if (!doc || v->loose || app_is_hidden(app, view))
		return false;
	if (drawn_is_picture(doc) || doc_is_fitted(doc))
		return other_cols || v->asked_rows != app_view_rows(app, view);
	return other_cols && doc_more(doc);
}

void drawn_follow(struct app *app)
{
	int picture = panes_picture(app);
	struct str line = {0};

	if (worker_busy(app->worker) || app->orders.len)
		return;
	for (int i = 0; i < MAX_PANES; i++)
		if (has_other_size(app, i)) {
			app_order_rewrite(app, i, view_command(&app->view[i]));
			return;
		}
	if (picture != NO_PANE && drawn_is_picture(view_doc(&app->view[picture])) &&
	    followed_line(app, picture, &line) &&
	    strcmp(line.text, view_command(&app->view[picture])) &&
	    strcmp(line.text, str_text(&app->picture_asked))) {
		str_reset(&app->picture_asked);
		str_puts(&app->picture_asked, line.text);
		app_order_rewrite(app, picture, line.text);
	}
	str_release(&line);
}
