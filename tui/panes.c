/*
 * Every change is one of the arrangement, then one layout. A new pane's document comes as an answer
 * to an order.
 */
#include "tui/panes.h"

#include <stdlib.h>
#include <string.h>

enum { LIST_ABOVE = 600, GRID_ABOVE = 550, LIST_LEFT = 550, HALF = 500 };
enum { BESIDE_FROM_COLS = 160, DETAIL_ROWS = 16, DETAIL_COLS = 40 };

/* Rows are chopped where panes share the screen; where one has it all, as the setting says. */
static void after_change(struct app *app)
{
	int panes[MAX_PANES];
	size_t n = arrangement_panes(&app->arrangement, panes);

	app->zoom = false;
	app_layout(app);
	for (size_t i = 0; i < n; i++)
		pane_chop(&app->view[panes[i]].pane, n > 1 || !app->wraps);
	app_close_hints(app);
}

/* What was ordered for a pane that goes is the main pane's. */
static void hand_orders(struct app *app, int closed, int main)
{
	for (size_t i = 0; i < app->orders.len; i++)
		if (app->orders.at[i].view == closed)
			app->orders.at[i].view = main;
	if (app->running.line && app->running.view == closed) {
		app->running.view = main;
		app->detail_dropped |= app->running.detail;
	}
}

static void close_pane(struct app *app, int pane)
{
	arrangement_close(&app->arrangement, pane);
	if (app->focus == pane)
		app_focus_pane(app, app_main(app));
	hand_orders(app, pane, app_main(app));
	view_release(&app->view[pane]);
}

static int new_pane(struct app *app, int beside_whom, bool beside, int permille)
{
	int pane = arrangement_free_pane(&app->arrangement);

	if (pane == NO_PANE)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: There are %d panes already", MAX_PANES);
	else
		arrangement_split(&app->arrangement, beside_whom, pane, beside, permille);
	return pane;
}

static void open_detail(struct app *app, bool beside)
{
	int pane = new_pane(app, app_main(app), beside, beside ? LIST_LEFT : LIST_ABOVE);

	if (pane != NO_PANE)
		app->view[pane].follows = true;
	str_reset(&app->detail_asked);
}

static void only_main(struct app *app)
{
	int panes[MAX_PANES], main = app_main(app);
	size_t n = arrangement_panes(&app->arrangement, panes);

	app_focus_pane(app, main);
	for (size_t i = 0; i < n; i++)
		if (panes[i] != main)
			close_pane(app, panes[i]);
}

static const char *layout_name(const struct app *app)
{
	if (!app->arrangement.n_splits)
		return "single";
	if (app->arrangement.n_splits > 1 || app_detail(app) == NO_PANE)
		return "of your own";
	return app->arrangement.split[0].beside ? "side" : "detail";
}

void panes_layout(struct app *app, const char *name)
{
	if (!name) {
		app_toast(app, LOOK_INFO_TOAST, "INFO: Layout: %s (single, detail, side)",
		          layout_name(app));
		return;
	}
	if (strcmp(name, "single") && strcmp(name, "detail") && strcmp(name, "side")) {
		app_toast(app, LOOK_ERROR_TOAST,
		          "ERROR: No layout \"%s\"; there are single, detail, side", name);
		return;
	}
	only_main(app);
	if (strcmp(name, "single"))
		open_detail(app, !strcmp(name, "side"));
	after_change(app);
}

void panes_split(struct app *app, bool beside)
{
	struct view *view = &app->view[app_target(app)];
	int pane;

	if (view->loose || !view_doc(view)) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: There is no screen to show twice yet");
		return;
	}
	pane = new_pane(app, app_target(app), beside, HALF);
	if (pane == NO_PANE)
		return;
	app_order_for(app, pane, view_command(view), pane_place(&view->pane).row);
	after_change(app);
}

void panes_close(struct app *app)
{
	if (!app->arrangement.n_splits) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: The last pane stays");
		return;
	}
	close_pane(app, app->focus);
	after_change(app);
}

/* Focus. */

static bool is_reachable(const struct app *app, int pane)
{
	return app->zoom || !app_is_hidden(app, pane);
}

void panes_focus_next(struct app *app)
{
	int panes[MAX_PANES];
	size_t n = arrangement_panes(&app->arrangement, panes), at = 0;

	while (panes[at] != app->focus)
		at++;
	for (size_t i = 1; i < n; i++)
		if (is_reachable(app, panes[(at + i) % n])) {
			app_focus_pane(app, panes[(at + i) % n]);
			return;
		}
}

void panes_focus_number(struct app *app, long number)
{
	int panes[MAX_PANES];
	size_t n = arrangement_panes(&app->arrangement, panes);

	if (number < 1 || (size_t)number > n)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: No pane %ld; there are %zu", number, n);
	else
		app_focus_pane(app, panes[number - 1]);
}

/* Sizes. */

static const struct rule *rule_of(const struct app *app, int split)
{
	for (int i = 0; i < app->layout.n_rules; i++)
		if (app->layout.rule[i].split == split)
			return &app->layout.rule[i];
	return NULL;
}

/* The first part of a rule's split gets so many rows or columns. */
static void give_first(struct app *app, const struct rule *rule, int cells)
{
	bool beside = app->arrangement.split[rule->split].beside;
	int all = (beside ? rule->parts.cols : rule->parts.rows) - 1;

	if (all > 0)
		arrangement_set_permille(&app->arrangement, rule->split,
		                         (cells * 1000 + all - 1) / all);
	app_layout(app);
}

static int first_cells(const struct app *app, const struct rule *rule)
{
	return app->arrangement.split[rule->split].beside ? rule->rect.col - rule->parts.col
	                                                  : rule->rect.row - rule->parts.row;
}

void panes_resize(struct app *app, int cells)
{
	int part = 0, split = arrangement_split_of(&app->arrangement, app->focus, &part);
	const struct rule *rule = split < 0 ? NULL : rule_of(app, split);

	if (!rule)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: There is nothing beside this pane");
	else
		give_first(app, rule, first_cells(app, rule) + (part ? -cells : cells));
}

void panes_drag(struct app *app, const struct rule *rule, int row, int col)
{
	bool beside = app->arrangement.split[rule->split].beside;

	give_first(app, rule, beside ? col - rule->parts.col : row - rule->parts.row);
}

void panes_zoom(struct app *app)
{
	app->zoom = !app->zoom && app->arrangement.n_splits;
	app_layout(app);
}

void panes_turn(struct app *app)
{
	arrangement_turn(&app->arrangement, app->focus);
	app_layout(app);
}

void panes_toggle_detail(struct app *app)
{
	const struct layout *l = &app->layout;

	if (app_detail(app) != NO_PANE) {
		close_pane(app, app_detail(app));
	} else if (l->rows < DETAIL_ROWS || l->cols < DETAIL_COLS) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: A detail pane needs %d rows of %d columns",
		          DETAIL_ROWS, DETAIL_COLS);
		return;
	} else {
		open_detail(app, l->cols >= BESIDE_FROM_COLS);
	}
	after_change(app);
}

int panes_picture(const struct app *app)
{
	int panes[MAX_PANES];
	size_t n = arrangement_panes(&app->arrangement, panes);

	for (size_t i = 0; i < n; i++)
		if (app->view[panes[i]].pictures)
			return panes[i];
	return NO_PANE;
}

int panes_open_picture(struct app *app)
{
	const struct layout *l = &app->layout;
	int pane, source = app->focus;

	if (l->rows < DETAIL_ROWS || l->cols < DETAIL_COLS)
		return NO_PANE;
	pane = new_pane(app, source, false, GRID_ABOVE);
	if (pane == NO_PANE)
		return NO_PANE;
	app->view[pane].pictures = true;
	app->view[pane].source = source;
	after_change(app);
	return pane;
}

void panes_close_picture(struct app *app)
{
	close_pane(app, panes_picture(app));
	after_change(app);
}
