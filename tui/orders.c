/*
 * One order runs at a time. The answer to the first command takes the place of the provisional
 * screen; an answer that a detail pane asked for is in no history.
 */
#include "tui/orders.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/call.h"
#include "cmds/session/batch.h"
#include "dump/base/mem.h"

#include "tui/bad_rows.h"
#include "tui/bindings.h"
#include "tui/detail.h"
#include "tui/explain.h"
#include "tui/find.h"
#include "tui/following.h"
#include "tui/glyphs.h"
#include "tui/here.h"
#include "tui/layouts.h"
#include "tui/panes.h"
#include "tui/quiet.h"
#include "tui/theming.h"

/* Of a pane's text, on a terminal of 110: from there on lists have room for health. */
enum { HEALTH_COLS = 107 };

static void run(struct app *app, const struct order *order)
{
	struct view *view = &app->view[order->view];

	app->running = *order;
	view->asked_rows = app_view_rows(app, order->view);
	view->asked_cols = app_view_cols(app, order->view);
	shell_set_canvas(app->shell, &(struct canvas){
		.rows = view->asked_rows, .blocks = glyphs_fine(), .colours = theme_has_scales(),
		.modern = app_is_modern(app), .by_key = order->rewrites,
		.health_cols = app_is_modern(app) && !app->slow ? HEALTH_COLS : 0,
	});
	worker_run(app->worker, order->line, app_view_cols(app, order->view));
}

/* The line of an order that is a key. False: nothing to run. */
static bool make_line(struct app *app, struct order *order)
{
	struct view *view = &app->view[order->view];
	struct str line = {0};
	const struct doc *doc = view_doc(view);
	struct doc_at at = { .key = order->key, .n = order->n };
	bool ok = doc && doc_put_line(doc, &at, &line);

	if (ok) {
		free(order->line);
		order->line = mem_copy(str_text(&line), line.len);
		if (doc_find_key(doc, order->key)->turns)
			order->has_cell =
				pane_cell_at(&view->pane, &order->cell_column, &order->cell_row);
	} else {
		app_toast(app, LOOK_ERROR_TOAST, "%s", line.len ? line.text : NOTHING_CHANGES);
		free(order->line);
	}
	str_release(&line);
	return ok;
}

/* What the screen shows is the line that an alias stands for. */
static void expand(struct app *app, struct order *order)
{
	struct str line = {0};

	if (shell_expand(app->shell, order->line, &line)) {
		free(order->line);
		order->line = mem_copy(line.text, line.len);
	}
	str_release(&line);
}

static void start(struct app *app, struct order *order)
{
	const char *line;

	if (order->key && !make_line(app, order))
		return;
	if (order->rewrites && !order->key && order->of != app->view[order->view].shows) {
		free(order->line);       /* another screen has come since */
		return;
	}
	line = order->line;
	app->candidates.total = 0;
	if (order->use == ORDER_REREAD) {
		app->running = *order;
		worker_reread(app->worker);
		return;
	}
	if (*line && order->typed && strcmp(line, "prev") && strcmp(line, "next"))
		history_add(&app->history, line);
	expand(app, order);
	line = order->line;
	if (shell_leaves(line)) {
		app->quit = true;
	} else if (*line && !here_answer(app, line)) {
		run(app, order);
		return;
	}
	free(order->line);
}

void orders_load(struct app *app)
{
	app->loading = true;
	worker_load(app->worker);
}

/* The run of the screen that was stepped to becomes the current one, and lists of runs show it. */
static void stand_at_screen(struct app *app)
{
	size_t before;

	if (!app->stepped || !app->loaded)
		return;
	app->stepped = false;
	before = shell_position(app->shell);
	shell_stand_at(app->shell, app_title(app).about);
	if (shell_position(app->shell) != before) {
		app_take_opened(app);
		app_order_runs(app);
	}
}

/* False if nothing is to be run now. */
static bool next_order(struct app *app)
{
	struct order order;

	if (app->quit || worker_busy(app->worker))
		return false;
	stand_at_screen(app);
	if (!app->orders.len)
		return false;
	if (!app->loaded) {
		orders_load(app);
		return false;
	}
	order = app->orders.at[0];
	memmove(&app->orders.at[0], &app->orders.at[1], --app->orders.len * sizeof *app->orders.at);
	start(app, &order);
	return true;
}

void orders_next(struct app *app)
{
	if (app->orders.len && worker_busy(app->worker)) {
		detail_give_way(app);
		quiet_give_way(app);
	}
	while (next_order(app))
		;
}

/* Results. */

/* The pane that a layout opened with this command; else the main one. */
static int pane_of(const struct app *app, const char *command)
{
	for (int i = 0; i < MAX_PANES; i++)
		if (app->view[i].opens && !strcmp(app->view[i].opens, command))
			return i;
	return app_main(app);
}

static void take_so_far(struct app *app, struct doc *doc)
{
	const char *command = shell_so_far_command(app->shell);
	int pane = pane_of(app, command);

	if (app->view[pane].loose)
		app_show_fuller(app, pane, command, doc, false);
	else
		app_show_loose(app, pane, command, doc, NULL);
	find_filter_again(app);
}

static void tell_config(struct app *app)
{
	struct config_complaint complaint = shell_config_complaint(app->shell);
	struct str text = {0};

	layouts_check(&complaint);
	bindings_check(&complaint);
	if (complaint.n) {
		config_put_complaint(&complaint, &text);
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", text.text);
	}
	str_release(&text);
}

#define RUN_INFO "run_info"

/*
 * What has a pane of its own does not show twice. Before the first of several runs our style lists
 * them.
 */
static const char *first_command(const struct app *app)
{
	const char *first = shell_first_command(app->shell);

	if (app_is_modern(app) && !strcmp(first, RUN_INFO))
		return shell_runs_command(app->shell);
	return pane_of(app, first) == app_main(app) ? first : RUN_INFO;
}

static void loaded(struct app *app, const struct result *result)
{
	const char *first = first_command(app);

	app->loading = false;
	if (result->ok) {
		app->loaded = true;
		app_take_opened(app);
		run(app, &(struct order){ .line = mem_copy(first, strlen(first)), .row = NO_ROW });
	} else if (result->err.code == ERR_CANCELLED) {
		app_toast(app, LOOK_INFO_TOAST,
		          "INFO: Reading stopped. The next command begins it again.");
	} else {
		app->err = result->err;
		app->not_loaded = true;
		app->quit = true;
	}
}

static void tell_reread(struct app *app)
{
	struct str text = {0};

	if (!shell_take_cache_note(app->shell, &text))
		str_fmt(&text, "Read again: %s", shell_subject(app->shell));
	app_toast(app, LOOK_INFO_TOAST, "INFO: %s", text.text);
	str_release(&text);
}

/* The old run goes, and all answers with it. */
static void reread(struct app *app, const struct result *result)
{
	if (result->ok) {
		app_drop_answers(app);
		shell_take_reread(app->shell);
		quiet_forget(app);
		tell_reread(app);
	} else if (result->err.code == ERR_CANCELLED) {
		app_toast(app, LOOK_INFO_TOAST, "INFO: Reading stopped; all is as it was.");
	} else {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s: %s", result->err.src, result->err.msg);
	}
	free(app->running.line);
	app->running = (struct order){0};
}

/* To a screen that had lost its answer, if it still has none and still shows. */
static void show_again(struct app *app, struct doc *doc)
{
	struct screen *screen = screens_now(&app->view[app->running.view].screens);

	if (!doc || !screen || screen->doc || strcmp(screen->command, app->running.line)) {
		doc_free(doc);
		return;
	}
	screen->doc = doc;
	app_show_screen(app, app->running.view);
	if (app->running.row != NO_ROW)
		pane_cursor_to(&app->view[app->running.view].pane, app->running.row);
}

/* The line that the answer is to, which a command that moved has chosen. */
static const char *line_of(const struct app *app, const struct answer *answer)
{
	return answer->shown.len ? answer->shown.text : app->running.line;
}

static void settle(struct app *app, const char *line, struct doc *doc)
{
	int main = app_main(app);

	app->settled = true;
	if (doc && app->view[main].loose)
		app_show_fuller(app, main, line, doc, true);
	else if (doc)
		app_push_screen(app, main, line, doc);
	find_filter_again(app);
	tell_config(app);
	app_tell_warnings(app);
}

/* In a list of runs. */
static void to_current_run(struct app *app, int view)
{
	const struct doc *doc = view_doc(&app->view[view]);

	if (shell_position(app->shell))
		pane_cursor_to(&app->view[view].pane,
		               doc_body_row(doc) + shell_position(app->shell) - 1);
}

/* What a key made of the present screen; if it failed, the screen stays. */
static void rewrite(struct app *app, const struct answer *answer, struct doc *doc)
{
	const struct order *order = &app->running;

	if (!doc)
		return;
	if (answer->failed && view_doc(&app->view[order->view])) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", str_text(&answer->error));
		doc_free(doc);
		return;
	}
	app_rewrite_screen(app, order->view, order->line, doc);
	if (order->to_current)
		to_current_run(app, order->view);
	if (order->has_cell)
		pane_cell_to(&app->view[order->view].pane, order->cell_row, order->cell_column);
}

/*
 * Come to a run that was seen before: its latest screen shows again as it was left, unless the
 * command asked for another one (a filter stopped there).
 */
static bool show_latest(struct app *app, const struct answer *answer, struct doc *doc)
{
	bool again = answer->moved && !answer->failed && doc_title(doc) &&
	             !strchr(line_of(app, answer), ' ') &&
	             app_show_latest(app, app->running.view, doc);

	if (again)
		doc_free(doc);
	return again;
}

/* Its first line is told, and nothing that shows gives way to it. */
static void tell_line(struct app *app, struct doc *doc)
{
	struct line line = {0};

	if (doc_rows(doc) && doc_line(doc, 0, 0, &line))
		app_toast(app, LOOK_INFO_TOAST, "INFO: %s", str_text(&line.text));
	line_release(&line);
	doc_free(doc);
}

/* What a key did beside the view. */
static void tell_done(struct app *app, const struct answer *answer, struct doc *doc)
{
	if (answer->failed) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", str_text(&answer->error));
		doc_free(doc);
	} else if (doc) {
		tell_line(app, doc);
	}
}

/* A run was entered from the list that has the screen to itself: it stays, above. */
static void keep_runs(struct app *app)
{
	const struct doc *doc = view_doc(&app->view[app_main(app)]);

	if (app_is_modern(app) && !app->arrangement.n_splits && doc && doc_of_runs(doc))
		panes_keep_runs(app);
}

static void show_answer(struct app *app, const struct answer *answer, struct doc *doc)
{
	int view = app->running.view;
	const char *line = line_of(app, answer);

	if (answer->waits.len) {
		following_wait(app, answer);
		doc_free(doc);
	} else if (app->running.rewrites) {
		rewrite(app, answer, doc);
	} else if (app->running.detail) {
		detail_answered(app, doc, answer->failed);
	} else if (app->running.use == ORDER_BAD) {
		bad_rows_answered(app, doc, answer->failed ? str_text(&answer->error) : NULL);
		doc_free(doc);
	} else if (quiet_runs(app)) {
		quiet_answered(app, doc);
	} else if (app->running.use == ORDER_TELL) {
		tell_done(app, answer, doc);
	} else if (app->running.use != ORDER_SCREEN) {
		explain_answered(app, app->running.use, doc);
		doc_free(doc);
	} else if (app->running.again) {
		show_again(app, doc);
	} else if (app->settled && answer->step_differs && doc) {
		tell_line(app, doc);     /* what shows is to be of the step that was gone to */
	} else if (!app->settled) {
		settle(app, line, doc);
	} else if (doc && !show_latest(app, answer, doc)) {
		if (answer->moved && !answer->failed)
			keep_runs(app);
		app_push_screen(app, view, line, doc);
		if (app_is_modern(app) && app->view[view].opens && doc_of_runs(doc))
			to_current_run(app, view);
		if (app->running.row != NO_ROW)
			pane_cursor_to(&app->view[view].pane, app->running.row);
	}
}

static void answered(struct app *app, struct answer *answer)
{
	struct doc *doc = answer->doc;
	bool no_rows = doc && !doc_rows(doc);    /* what it says goes to standard error elsewhere */
	bool tells = !app->running.detail && !quiet_runs(app);

	answer->doc = NULL;
	app_take_settings(app);
	app_take_opened(app);
	if (answer->moved ||
	    (app->waiting && !answer->waits.len && !strcmp(app->waiting, app->running.line)))
		following_stop_waiting(app);
	show_answer(app, answer, doc);
	if (answer->setting && !answer->failed && tells)
		here_heed(app, answer->setting);
	theming_take(app, answer->setting && !strcmp(answer->setting, "theme"));
	if (answer->toast.len && tells)
		app_toast(app, answer->toast_is_error ? LOOK_ERROR_TOAST : LOOK_INFO_TOAST,
		          "%s: %s", answer->toast_is_error ? "ERROR" : "INFO", answer->toast.text);
	else if (answer->failed && no_rows && answer->error.len && tells)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", answer->error.text);
	if (app->running.start)
		batch_take_status(&app->status, answer_status(answer));
	app->quit |= answer->leave;
	if (answer->step_differs)
		app_order_step(app);
	if (answer->runs_differ && !app->running.to_current)
		app_order_runs(app);
	free(app->running.line);
	app->running = (struct order){0};
}

void orders_validate(struct app *app)
{
	struct str first = {0};

	if (!app->settled || app->slow || worker_busy(app->worker) || app->orders.len)
		return;
	if (shell_take_findings(app->shell, false)) {
		size_t n = shell_findings(app->shell);

		shell_warning(app->shell, shell_warnings(app->shell) - n, &first);
		app_toast(app, LOOK_ERROR_TOAST, "%zu problem(s) in %s: %s", n,
		          shell_subject(app->shell), str_text(&first));
		str_release(&first);
	}
	shell_validate(app->shell, worker_wake, app->worker);
}

/* Read again, it tells by itself. */
void orders_mind_cache(struct app *app)
{
	struct str note = {0};

	if (!app->settled || worker_busy(app->worker) || app->orders.len)
		return;
	switch (shell_take_cache_end(app->shell)) {
	case CACHE_OUTDATED:
		app_order_use(app, "", ORDER_REREAD);
		return;
	case CACHE_CHECKED: app_take_opened(app); break;
	case CACHE_NOTHING: break;
	}
	if (shell_take_cache_note(app->shell, &note))
		app_toast(app, LOOK_INFO_TOAST, "INFO: %s", note.text);
	str_release(&note);
	shell_mind_cache(app->shell, worker_wake, app->worker);
}

void orders_take_results(struct app *app)
{
	struct result result;

	while (worker_take(app->worker, &result)) {
		if (result.kind == RESULT_SO_FAR) {
			take_so_far(app, result.doc);
			result.doc = NULL;
		} else if (result.kind == RESULT_LOADED) {
			loaded(app, &result);
		} else if (result.kind == RESULT_REREAD) {
			reread(app, &result);
		} else if (result.kind == RESULT_NEWS) {
			following_take_read(app);
		} else {
			answered(app, &result.answer);
		}
		result_release(&result);
	}
}
