/*
 * Every change is one of the arrangement, then one layout. A new pane's document comes as an answer
 * to an order.
 */
#include "tui/panes.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "tui/layouts.h"
#include "tui/plan.h"

enum { RUNS_ROWS = 8, LIST_ABOVE = 600, GRID_ABOVE = 550, LIST_LEFT = 550, HALF = 500 };
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

/* A detail pane that is left alone has nothing to follow. */
static void close_pane(struct app *app, int pane)
{
	int main;

	arrangement_close(&app->arrangement, pane);
	main = app_main(app);
	if (app->focus == pane)
		app_focus_pane(app, main);
	app->view[main].follows = false;
	hand_orders(app, pane, main);
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
	free(app->view[main].opens);
	app->view[main].opens = NULL;
}

/* Layouts. */

static bool has_room_beside(const struct app *app)
{
	return app->layout.cols >= BESIDE_FROM_COLS;
}

/* The plan's pane that the main pane becomes. */
static int main_of(const struct plan *plan)
{
	for (int i = 0; i < plan->n_panes; i++)
		if (!strcmp(plan->pane[i], PLAN_LIST))
			return i;
	return strcmp(plan->pane[0], PLAN_DETAIL) ? 0 : 1;
}

/* A table of runs needs few rows: it is there to go on from. */
static void limit_runs(const struct plan *plan, struct arrangement *arrangement)
{
	for (int i = 0; i < arrangement->n_splits; i++) {
		struct split *split = &arrangement->split[i];

		if (!split->beside && split->part[0] >= 0 &&
		    shell_lists_runs(plan->pane[split->part[0]]))
			split->most_rows = RUNS_ROWS;
	}
}

/* The plan's panes get numbers: the main pane keeps its own. */
static void number_panes(struct app *app, const struct plan *plan, int number[MAX_PANES])
{
	int main = app_main(app), next = 0;
	struct arrangement *a = &app->arrangement;

	for (int i = 0; i < plan->n_panes; i++) {
		if (next == main)
			next++;
		number[i] = i == main_of(plan) ? main : next++;
	}
	*a = plan->arrangement;
	limit_runs(plan, a);
	for (int i = 0; i < a->n_splits; i++)
		for (int k = 0; k < 2; k++)
			if (a->split[i].part[k] >= 0)
				a->split[i].part[k] = number[a->split[i].part[k]];
	if (a->root >= 0)
		a->root = number[a->root];
}

static void open_pane(struct app *app, int pane, const char *text)
{
	struct view *view = &app->view[pane];

	view->follows = !strcmp(text, PLAN_DETAIL);
	if (view->follows || !strcmp(text, PLAN_LIST))
		return;
	view->opens = mem_copy(text, strlen(text));
	app_order_for(app, pane, text, NO_ROW);
}

/* Runs are a recorded program's steps. */
static void name_runs(const struct app *app, struct plan *plan)
{
	for (int i = 0; i < plan->n_panes; i++)
		if (!strcmp(plan->pane[i], PLAN_RUNS))
			plan->pane[i] = shell_runs_command(app->shell);
}

static void arrange(struct app *app, struct plan *plan)
{
	int number[MAX_PANES];
	bool has_list = !strcmp(plan->pane[main_of(plan)], PLAN_LIST);

	name_runs(app, plan);
	only_main(app);
	number_panes(app, plan, number);
	for (int i = 0; i < plan->n_panes; i++) {
		open_pane(app, number[i], plan->pane[i]);
		app->view[number[i]].stays = has_list && shell_lists_runs(plan->pane[i]);
	}
	str_reset(&app->detail_asked);
	after_change(app);
}

/* The present one as text. */
static void put_layout(struct app *app, struct str *out)
{
	const char *pane[MAX_PANES];
	int panes[MAX_PANES];
	size_t n = arrangement_panes(&app->arrangement, panes);

	for (size_t i = 0; i < n; i++) {
		struct view *view = &app->view[panes[i]];

		pane[panes[i]] = view->follows             ? PLAN_DETAIL
		                 : view->stays             ? PLAN_RUNS
		                 : view->opens             ? view->opens
		                 : panes[i] == app_main(app) ? PLAN_LIST
		                                           : view_command(view);
	}
	plan_put(&app->arrangement, pane, out);
}

static void tell_layout(struct app *app)
{
	struct str text = {0}, name = {0}, all = {0};

	put_layout(app, &text);
	layouts_put_name(text.text, has_room_beside(app), &name);
	layouts_put_names(&all);
	app_toast(app, LOOK_INFO_TOAST, "INFO: Layout: %s (%s)",
	          name.len ? name.text : text.text, str_text(&all));
	str_release(&text);
	str_release(&name);
	str_release(&all);
}

void panes_layout(struct app *app, const char *name)
{
	struct arena mem = {0};
	struct plan plan;
	struct err err = {0};
	struct str text = {0}, all = {0};

	if (!name) {
		tell_layout(app);
	} else if (!layouts_find(name, has_room_beside(app), &text)) {
		layouts_put_names(&all);
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: No layout \"%s\"; there are %s", name,
		          str_text(&all));
	} else if (!plan_parse(str_text(&text), &mem, &plan, &err)) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: layout %s: %s", name, err.msg);
	} else {
		arrange(app, &plan);
	}
	str_release(&text);
	str_release(&all);
	arena_release(&mem);
}

/* A command may hold both kinds of quotes: then there is no text that gives it back. */
static bool can_be_read(const struct str *text)
{
	struct arena mem = {0};
	struct plan plan;
	bool ok = plan_parse(str_text(text), &mem, &plan, NULL);

	arena_release(&mem);
	return ok;
}

void panes_save_layout(struct app *app, const char *name)
{
	struct str text = {0};
	struct err err = {0};

	put_layout(app, &text);
	if (!name)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: Say layout save NAME");
	else if (!can_be_read(&text))
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: No text says this layout: %s", text.text);
	else if (layouts_save(name, text.text, &err))
		app_toast(app, LOOK_INFO_TOAST, "INFO: Saved: layout %s %s", name, text.text);
	else
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", err.msg);
	str_release(&text);
}

void panes_keep_runs(struct app *app)
{
	if (panes_have_room(app) && !shell_setting_given(app->shell, "layout"))
		panes_layout(app, shell_first_layout(app->shell));
}

/* Rows of the list of runs, as far as they are known, and what is above them. */
static int rows_of_runs(struct app *app, int view)
{
	const struct doc *doc = view < 0 ? NULL : view_doc(&app->view[view]);

	if (!doc || !doc_of_runs(doc) || doc_rows(doc) < 2)
		return RUNS_ROWS;
	return doc_rows(doc) < RUNS_ROWS ? (int)doc_rows(doc) : RUNS_ROWS;
}

void panes_fit_runs(struct app *app)
{
	bool changed = false;

	for (int i = 0; app_is_modern(app) && i < app->arrangement.n_splits; i++) {
		struct split *split = &app->arrangement.split[i];
		int rows = rows_of_runs(app, split->part[0]);

		if (!split->most_rows || split->most_rows == rows)
			continue;
		split->most_rows = rows;
		changed = true;
	}
	if (changed)
		app_layout(app);
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
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: The last pane cannot be closed");
		return;
	}
	close_pane(app, app->focus);
	after_change(app);
}

bool panes_close_innermost(struct app *app)
{
	int panes[MAX_PANES], main = app_main(app), last = NO_PANE;
	size_t n = arrangement_panes(&app->arrangement, panes);

	for (size_t i = 0; i < n; i++)
		if (app->view[panes[i]].follows || app->view[panes[i]].pictures)
			last = panes[i];
	if (app->focus != main && !app->view[app->focus].stays)
		last = app->focus;
	if (last == NO_PANE || last == main)
		return false;
	close_pane(app, last);
	after_change(app);
	return true;
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

bool panes_have_room(const struct app *app)
{
	return app->layout.rows >= DETAIL_ROWS && app->layout.cols >= DETAIL_COLS;
}

void panes_toggle_detail(struct app *app)
{
	const struct layout *l = &app->layout;

	if (app_detail(app) != NO_PANE) {
		close_pane(app, app_detail(app));
	} else if (!panes_have_room(app)) {
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
	int pane, source = app->focus;

	if (!panes_have_room(app))
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
