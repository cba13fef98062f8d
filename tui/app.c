/*
 * The key loop: draw when something changed, wait for the next event, let it change the state. What may take long runs
 * on the worker; a search goes on between two events, a slice at a time.
 */
#include "tui/app.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tui/prompt.h"
#include "tui/state.h"

enum { TOAST_MS = 5000, FRAME_MS = 33, PROGRESS_MS = 100, SLICE_MS = 10 };

int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void app_toast(struct app *app, enum look look, const char *fmt, ...)
{
	va_list args;

	str_reset(&app->toast.text);
	va_start(args, fmt);
	str_vfmt(&app->toast.text, fmt, args);
	va_end(args);
	app->toast.look = look;
	app->toast.until_ms = now_ms() + TOAST_MS;
}

struct pane *app_pane(struct app *app)
{
	return app->help ? &app->help_pane : &app->pane;
}

void app_layout(struct app *app)
{
	size_t n_items = 0;
	int rows, cols;

	term_size(&rows, &cols);
	if (app->pane.doc)
		doc_menu(app->pane.doc, &n_items);
	app->layout = layout_of(rows, cols, n_items > 0);
	pane_resize(&app->pane, app->layout.output.rows, app->layout.output.cols);
	pane_resize(&app->help_pane, app->layout.output.rows, app->layout.output.cols);
}

void app_show(struct app *app, const struct place *place)
{
	struct screen *screen = screens_now(&app->screens);
	struct doc *doc = app->so_far ? app->so_far : screen ? screen->doc : NULL;
	bool focus = app->pane.focus;

	pane_show(&app->pane, doc, place);
	app_layout(app);
	pane_show(&app->pane, doc, place);
	pane_focus(&app->pane, focus);
	app->body_works = true;
}

/* Work that goes on between events: a search, a body that is not complete yet. True while there is more. */
static bool work_slice(struct app *app)
{
	int64_t end = now_ms() + SLICE_MS;

	while (app_pane(app)->search.state == SEARCH_WORKING && now_ms() < end)
		app_search_step(app);
	if (app->body_works && app->pane.doc)
		app->body_works = doc_work(app->pane.doc, NULL) == BODY_WORKING;
	else
		app->body_works = false;
	return app->body_works || app_pane(app)->search.state == SEARCH_WORKING;
}

static int sooner(int a, int64_t b)
{
	if (b < 0)
		b = 0;
	return a < 0 || b < a ? (int)b : a;
}

static int wait_ms(const struct app *app, bool more)
{
	int wait = -1;

	if (more)
		return 0;
	if (worker_busy(app->worker))
		wait = PROGRESS_MS;
	if (app->toast.until_ms)
		wait = sooner(wait, app->toast.until_ms - now_ms());
	if (app->held.step)
		wait = sooner(wait, app->held.at_ms - now_ms());
	return wait;
}

static void run_loop(struct app *app)
{
	struct event ev = {0};
	int64_t drawn_ms = 0;

	while (!app->quit) {
		bool more = work_slice(app);

		if (!more || now_ms() - drawn_ms >= FRAME_MS) {
			app_draw(app);
			drawn_ms = now_ms();
		}
		input_next(&ev, worker_fd(app->worker), wait_ms(app, more));
		app_event(app, &ev);
		app_take_results(app);
		app_next_order(app);
		app_late_tab(app);
		app_hold(app);
		if (app->toast.until_ms && now_ms() >= app->toast.until_ms)
			app->toast.until_ms = 0;
	}
	str_release(&ev.text);
}

static void release(struct app *app)
{
	for (size_t i = 0; i < app->orders.len; i++)
		free(app->orders.at[i].line);
	vec_release(&app->orders);
	free(app->running.line);
	pane_release(&app->pane);
	pane_release(&app->help_pane);
	screens_release(&app->screens);
	doc_free(app->so_far);
	doc_free(app->help);
	str_release(&app->toast.text);
	str_release(&app->candidates.text);
	vec_release(&app->candidates.begin);
	history_release(&app->history);
}

/* By the default action, so that whoever started us sees the truth. */
static void die_by(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

enum app_end app_run(struct shell *shell, const struct app_options *options, bool *any_failed,
                     struct err *err)
{
	struct app app = { .shell = shell, .options = options, .end = APP_LEFT };

	if (!term_open(options->colour, err))
		return APP_NO_TERMINAL;
	app.worker = worker_new(shell);
	if (!app.worker) {
		term_close();
		err_fill(err, ERR_LIMIT, "", 0, "no thread can be started");
		return APP_NO_TERMINAL;
	}
	history_load(&app.history);
	prompt_start(&app.history);
	for (size_t i = 0; i < options->n_lines; i++)
		app_order(&app, options->lines[i], false, true);
	app_layout(&app);
	app.loading = true;
	worker_load(app.worker);
	run_loop(&app);
	term_close();
	if (app.signal)
		die_by(app.signal);
	worker_free(app.worker);
	prompt_stop();
	*any_failed |= app.any_failed;
	*err = app.err;
	release(&app);
	return app.end;
}
