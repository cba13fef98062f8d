/*
 * The key loop: draw when something changed, wait for the next event, let it change the state. What
 * may take long runs on the worker; searches, filters and sorts go on between two events, a slice
 * at a time.
 */
#include "tui/app.h"

#include <signal.h>
#include <string.h>

#include "dump/base/clock.h"
#include "dump/base/writer.h"
#include "tui/completing.h"
#include "tui/detail.h"
#include "tui/draw.h"
#include "tui/drawn.h"
#include "tui/early.h"
#include "tui/events.h"
#include "tui/find.h"
#include "tui/following.h"
#include "tui/glyphs.h"
#include "tui/gutter.h"
#include "tui/here.h"
#include "tui/mouse.h"
#include "tui/orders.h"
#include "tui/panes.h"
#include "tui/prompt.h"
#include "tui/quiet.h"
#include "tui/state.h"
#include "tui/term.h"
#include "tui/theming.h"

enum { FRAME_MS = 33, PROGRESS_MS = 100, SLOW_PROGRESS_MS = 1000, SLICE_MS = 2 };
enum { FIRST_SLICE_MS = 1, WORK_ROWS = 256 };
enum { FIRST_LAYOUT_ROWS = 20, END_MS = 2000 };

/* A view's share of the time: its rows, then its document's own work. True while there is more. */
static bool work_view(struct view *view)
{
	struct doc *doc = pane_doc(&view->pane);
	bool more = pane_work(&view->pane, WORK_ROWS);

	view->body_works = doc && doc_work(doc, NULL) == BODY_WORKING;
	return more || view->body_works;
}

/* Drawing asked for rows that something still has to be read for. */
static bool draw_left_work(struct app *app)
{
	bool more = false;

	for (int i = 0; i < MAX_PANES; i++)
		more |= work_view(&app->view[i]);
	return more;
}

/* Signs are read beside the keys: they take their places in a frame now and then. */
static bool signs_wait(struct app *app)
{
	bool wait = false;

	for (int i = 0; i < MAX_PANES; i++)
		wait |= app_is_modern(app) && gutter_waits(&app->view[i]);
	return wait;
}

static void draw_frame(struct app *app)
{
	for (int i = 0; i < MAX_PANES; i++)
		gutter_begin(&app->view[i]);
	draw(app);
}

static bool work_once(struct app *app)
{
	bool more = completing_work(app);

	if (app_pane(app)->search.state == SEARCH_WORKING) {
		find_step(app);
		return true;
	}
	for (int i = 0; i < MAX_PANES; i++)
		more |= work_view(&app->view[i]);
	return more || pane_work(&app->overlay_pane, WORK_ROWS);
}

/* What goes on between two events; what a search finds shows before anything else goes on. */
static bool work_slice(struct app *app, int ms)
{
	bool searched = app_pane(app)->search.state == SEARCH_WORKING, more;
	int64_t end = clock_ms() + ms;

	do
		more = work_once(app);
	while (more && clock_ms() < end &&
	       searched == (app_pane(app)->search.state == SEARCH_WORKING));
	return more;
}

static int sooner(int a, int64_t b)
{
	if (b < 0)
		b = 0;
	return a < 0 || b < a ? (int)b : a;
}

/* more: there is work to do; frame_ms: when the next frame is due, 0: it isn't. */
static int wait_ms(struct app *app, bool more, int64_t frame_ms)
{
	int64_t rest = detail_wait_ms(app), news = following_wait_ms(app);
	int64_t quiet = quiet_wait_ms(app);
	int wait = -1;

	if (more || early_ready(app))
		return 0;
	if (worker_busy(app->worker))
		wait = app->slow ? SLOW_PROGRESS_MS : PROGRESS_MS;
	if (frame_ms)
		wait = sooner(wait, frame_ms - clock_ms());
	if (app->toast.until_ms)
		wait = sooner(wait, app->toast.until_ms - clock_ms());
	if (app->hold.grip == GRIP_BAR_END)
		wait = sooner(wait, app->hold.at_ms - clock_ms());
	if (rest >= 0)
		wait = sooner(wait, rest);
	if (news >= 0)
		wait = sooner(wait, news);
	if (quiet >= 0)
		wait = sooner(wait, quiet);
	return wait;
}

static void run_loop(struct app *app)
{
	struct event ev = {0};
	int64_t drawn_ms = 0;
	bool signs = false;

	while (!app->quit) {
		/* an event is answered by a frame before the work that it began is done */
		bool more = work_slice(app, ev.kind == EVENT_NONE ? SLICE_MS : FIRST_SLICE_MS);

		if (!more || ev.kind != EVENT_NONE || clock_ms() - drawn_ms >= FRAME_MS) {
			draw_frame(app);
			drawn_ms = clock_ms();
			more |= draw_left_work(app);
			signs = signs_wait(app);
		}
		input_next(&ev, worker_fd(app->worker), following_fd(app),
		           wait_ms(app, more, signs ? drawn_ms + FRAME_MS : 0));
		if (ev.kind == EVENT_KEY || ev.kind == EVENT_PASTE || ev.kind == EVENT_MOUSE)
			quiet_give_way(app);
		if (ev.kind == EVENT_MOUSE && !app->sheet.open)
			mouse_event(app, &ev);
		else if (!early_hold(app, &ev))
			events_take(app, &ev);
		orders_take_results(app);
		following_take(app);
		orders_validate(app);
		orders_mind_cache(app);
		panes_fit_runs(app);
		drawn_follow(app);
		early_play(app);
		orders_next(app);
		events_late_tab(app);
		mouse_hold(app);
		detail_follow(app);
		theming_follow(app);
		quiet_follow(app);
		if (app->toast.until_ms && clock_ms() >= app->toast.until_ms)
			app->toast.until_ms = 0;
	}
	str_release(&ev.text);
}

/*
 * The one that is set; else the dump's own, where there is room for it. In our style that comes
 * when a run is entered.
 */
static void start_layout(struct app *app)
{
	const char *name = shell_setting_word(app->shell, "layout");

	if (!shell_setting_given(app->shell, "layout"))
		name = app->layout.rows >= FIRST_LAYOUT_ROWS && !app_is_modern(app)
		               ? shell_first_layout(app->shell)
		               : "single";
	if (strcmp(name, "single"))
		panes_layout(app, name);
}

static void load_history(struct app *app)
{
	struct err err = {0};

	if (!history_load(&app->history, &err))
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: history: %s: %s; no history is kept",
		          err.src, err.msg);
}

/* By the default action, so that whoever started us sees the truth. */
static void die_by(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

enum app_end app_run(struct shell *shell, const struct app_options *options, int *status,
                     struct err *err)
{
	struct app app = { .shell = shell, .no_mouse = options->no_mouse,
	                   .slow = options->slow,
	                   .asked_style = options->style, .wraps = true,
	                   .rest_row = NO_ROW };
	bool not_loaded;

	glyphs_start(options->ascii);
	if (!term_open(options->colour, err))
		return APP_NO_TERMINAL;
	app.worker = worker_new(shell);
	if (!app.worker) {
		term_close();
		err_fill(err, ERR_LIMIT, "", 0, "no thread can be started");
		return APP_NO_TERMINAL;
	}
	bindings_read(&app.bindings);
	prompt_start(&app.history);
	for (size_t i = 0; i < options->n_lines; i++)
		app_order_at_start(&app, options->lines[i]);
	app_take_settings(&app);
	load_history(&app);
	app.view[0].pane.focus = app_is_modern(&app);
	app_layout(&app);
	theming_take(&app, false);
	here_start_mouse(&app);
	start_layout(&app);
	if (options->follow)
		following_start(&app, options->look);
	if (app.slow)
		shell_read_as_asked(shell);
	orders_load(&app);
	run_loop(&app);
	term_close();
	if (app.signal) {
		worker_end(app.worker, END_MS);
		writer_forsake_all();    /* it may still be at work */
		die_by(app.signal);
	}
	shell_stop_validating(shell);
	shell_stop_minding_cache(shell);
	worker_free(app.worker);
	prompt_stop();
	*status = app.status;
	*err = app.err;
	not_loaded = app.not_loaded;
	app_release(&app);
	return not_loaded ? APP_NOT_LOADED : APP_LEFT;
}
