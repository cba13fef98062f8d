/*
 * Nothing is ever left silently: an idle Ctrl-C says how, the second asks, the third counts as yes.
 */
#include "tui/leaving.h"

#include "dump/base/clock.h"
#include "tui/detail.h"
#include "tui/find.h"
#include "tui/following.h"
#include "tui/keys.h"
#include "tui/panes.h"
#include "tui/prompt.h"
#include "tui/quiet.h"

enum { AGAIN_MS = 2000 };

static bool stop_work(struct app *app)
{
	struct pane *pane = app_pane(app);

	if (pane->search.state == SEARCH_WORKING) {
		pane_search_stop(pane);
		app_toast(app, LOOK_INFO_TOAST, "INFO: Search stopped.");
	} else if (quiet_runs(app)) {
		quiet_stop(app);
		app_toast(app, LOOK_INFO_TOAST, "INFO: Stopped. The next command begins it again.");
	} else if (worker_busy(app->worker) && !app->running.detail) {
		worker_cancel(app->worker);
	} else if (following_stop_waiting(app)) {
		app_toast(app, LOOK_INFO_TOAST, "INFO: Stopped waiting.");
	} else {
		return false;
	}
	return true;
}

static void idle(struct app *app)
{
	if (app->interrupt_ms && clock_ms() - app->interrupt_ms <= AGAIN_MS) {
		app->asks_to_leave = true;
		app->interrupt_ms = 0;
		return;
	}
	app->interrupt_ms = clock_ms();
	app_toast(app, LOOK_INFO_TOAST, "Press Ctrl-C again to leave.");
}

void leaving_end_view_line(struct app *app)
{
	if (!app->view_line)
		return;
	app->view_line = false;
	prompt_set(str_text(&app->set_aside));
	str_reset(&app->set_aside);
}

/* A filter that is being typed: the rows come back, and so does the view. */
static bool gave_up_filter(struct app *app)
{
	if (!app->view_line || prompt_text()[0] != '&')
		return false;
	leaving_end_view_line(app);
	find_filter_typed(app, prompt_text());
	app_focus_view(app, true);
	return true;
}

bool leaving_close_something(struct app *app)
{
	if (app->asks_to_leave)
		app->asks_to_leave = false;
	else if (app->overlay)
		app_open_overlay(app, NULL);
	else if (app->candidates.total)
		app->candidates.total = 0;
	else if (app->hints.len)
		app_close_hints(app);
	else if (app->first_key)
		app->first_key = 0;
	else if (app->typed_count)
		app->typed_count = 0;
	else
		return gave_up_filter(app);
	return true;
}

/* The innermost of what was opened over the main pane's answer; false: there is nothing. */
static bool dropped(struct app *app)
{
	struct pane *pane = &app_view(app)->pane;

	if (panes_close_innermost(app))
		return true;
	if (!pane_doc(pane) || !pane_filter_drop(pane))
		return false;
	app_toast(app, LOOK_INFO_TOAST, "INFO: The last filter was removed.");
	return true;
}

void leaving_escape(struct app *app)
{
	bool in_view = app_view(app)->pane.focus;

	if (leaving_close_something(app))
		return;
	if (!in_view)
		app_focus_view(app, true);
	else if (!dropped(app))
		app_toast(app, LOOK_INFO_TOAST, ": is the prompt, q leaves");
}

void leaving_interrupt(struct app *app)
{
	if (stop_work(app) || leaving_close_something(app))
		return;
	if (*prompt_text()) {
		history_add(&app->history, prompt_text());
		prompt_set("");
		leaving_end_view_line(app);
		return;
	}
	idle(app);
}

void leaving_signal(struct app *app)
{
	if (!stop_work(app))
		idle(app);
}

void leaving_answer(struct app *app, int key)
{
	app->asks_to_leave = false;
	if (key == 'y' || key == 'Y' || key == K_CTRL('C'))
		app->quit = true;
}

void leaving_quit(struct app *app)
{
	if (leaving_close_something(app))
		return;
	if (app->focus != app_main(app))
		panes_close(app);
	else
		app->asks_to_leave = true;
}

void leaving_view(struct app *app)
{
	if (leaving_close_something(app))
		return;
	if (app_can_step(app, -1))
		app_step_screen(app, -1);
	else
		app->asks_to_leave = true;
}
