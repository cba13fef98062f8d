/*
 * What a picture shows is told by its command line alone: the grid's own words, then those that say
 * how it is drawn, which are the picture's.
 */
#include "tui/drawn.h"

#include <string.h>

#include "tui/about.h"
#include "tui/panes.h"

static bool is_drawn(struct app *app, int view)
{
	enum context context = context_of(view_doc(&app->view[view]));

	return context == CONTEXT_GRID || context == CONTEXT_PICTURE;
}

/* The view that the keys of drawing are about. */
static int drawn_view(struct app *app)
{
	int picture = panes_picture(app);

	if (picture != NO_PANE && app->view[picture].source == app->focus &&
	    context_of(view_doc(&app->view[picture])) == CONTEXT_PICTURE)
		return picture;
	return app->focus;
}

/* The view whose axes those are: the grid's, if a pane only shows its picture. */
static int axes_view(struct app *app)
{
	const struct view *view = app_view(app);

	if (view->pictures && context_of(view_doc(&app->view[view->source])) == CONTEXT_GRID)
		return view->source;
	return app->focus;
}

/* The picture of what the view is about; false: it is about no tensor. */
static bool picture_line(struct app *app, struct str *out)
{
	struct str why = {0};
	struct link link = {0};
	bool ok = view_doc(app_view(app)) && doc_change(view_doc(app_view(app)), CHANGE_PICTURE, 0, &why);

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

	if (app_context(app) == CONTEXT_PICTURE && !app_view(app)->pictures) {
		app_order_change(app, app->focus, CHANGE_PICTURE, 0);
		return;
	}
	if (panes_picture(app) != NO_PANE) {
		panes_close_picture(app);
		return;
	}
	if (!picture_line(app, &line)) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: This row is about no tensor and no node");
	} else {
		pane = panes_open_picture(app);
		app_order_for(app, pane == NO_PANE ? app->focus : pane, line.text, NO_ROW);
	}
	str_release(&line);
}

/* What only pictures know: the grid's is opened for it. */
static void change_picture(struct app *app, enum change change, int64_t n)
{
	if (context_of(view_doc(&app->view[drawn_view(app)])) == CONTEXT_PICTURE)
		app_order_change(app, drawn_view(app), change, n);
	else if (is_drawn(app, app->focus))
		toggle_picture(app);
	else
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: There is no picture here");
}

bool drawn_act(struct app *app, enum action action)
{
	int64_t n = app->typed_count > 0 && app->typed_count < INT32_MAX
	                    ? (int64_t)app->typed_count
	                    : 1;

	switch (action) {
	case ACTION_AXIS: app_order_change(app, axes_view(app), CHANGE_AXIS, 0); break;
	case ACTION_STEP: app_order_change(app, axes_view(app), CHANGE_STEP, n); break;
	case ACTION_STEP_BACK: app_order_change(app, axes_view(app), CHANGE_STEP, -n); break;
	case ACTION_SWAP: app_order_change(app, axes_view(app), CHANGE_SWAP, 0); break;
	case ACTION_FORM: app_order_change(app, app->focus, CHANGE_FORM, 0); break;
	case ACTION_RANGE: app_order_change(app, drawn_view(app), CHANGE_RANGE, 0); break;
	case ACTION_LOG: app_order_change(app, drawn_view(app), CHANGE_LOG, 0); break;
	case ACTION_COLOURS: app_order_change(app, drawn_view(app), CHANGE_COLOURS, 0); break;
	case ACTION_KIND: change_picture(app, CHANGE_KIND, 0); break;
	case ACTION_LESS: change_picture(app, CHANGE_BUCKET, -1); break;
	case ACTION_MORE: change_picture(app, CHANGE_BUCKET, 1); break;
	case ACTION_PICTURE: toggle_picture(app); break;
	default: return false;
	}
	return true;
}

void drawn_go_cell(struct app *app, const struct cell_at *cell)
{
	struct order *order;

	app_order_change(app, app->focus, CHANGE_SLICE, (int64_t)cell->slice);
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
	bool ok = context_of(view_doc(source)) == CONTEXT_GRID && !source->loose &&
	          doc_change(view_doc(source), CHANGE_PICTURE, 0, out) &&
	          doc_change(view_doc(&app->view[picture]), CHANGE_WAY, 0, &way);

	str_puts(out, str_text(&way));
	str_release(&way);
	return ok;
}

static bool has_other_size(struct app *app, int view)
{
	const struct view *v = &app->view[view];

	return context_of(view_doc(&app->view[view])) == CONTEXT_PICTURE &&
	       !app_is_hidden(app, view) &&
	       (v->asked_rows != app_view_rows(app, view) ||
	        v->asked_cols != app_view_cols(app, view));
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
	if (picture != NO_PANE && context_of(view_doc(&app->view[picture])) == CONTEXT_PICTURE &&
	    followed_line(app, picture, &line) &&
	    strcmp(line.text, view_command(&app->view[picture])) &&
	    strcmp(line.text, str_text(&app->picture_asked))) {
		str_reset(&app->picture_asked);
		str_puts(&app->picture_asked, line.text);
		app_order_rewrite(app, picture, line.text);
	}
	str_release(&line);
}
