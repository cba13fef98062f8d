#include "tui/early.h"

#include <string.h>

#include "dump/base/clock.h"
#include "tui/events.h"
#include "tui/quiet.h"

/* So long keys wait for what a line shows; then it is a long one, and what is there is of use. */
enum { ANSWER_MS = 1000 };

/* Does something lie over the view, or ask, that takes keys itself? */
static bool view_has_keys(struct app *app)
{
	return app_is_modern(app) && app_in_view(app) && !app->overlay && !app->sheet.open &&
	       !app->asks_to_leave && !app->hints.len;
}

/* Does somebody wait for what runs or is to run, or for what was found and is not taken yet? */
static bool is_asked(struct app *app)
{
	bool runs = worker_busy(app->worker) || app->running.line;

	return app->orders.len || (runs && !app->running.detail && !quiet_runs(app));
}

/* A line that takes long, while what showed before it is there. */
static bool is_overdue(struct app *app)
{
	return app->settled && view_doc(app_view(app)) &&
	       clock_ms() >= app->asked_ms + ANSWER_MS;
}

static bool nothing_to_act_on(struct app *app)
{
	if (worker_busy(app->worker) &&
	    (!view_doc(app_view(app)) || (!app->settled && app->orders.len)))
		return true;
	return app->settled && is_asked(app) && !is_overdue(app);
}

/* These need no rows. */
static bool acts_alone(struct app *app, int key)
{
	switch (key_action(app_scope(app), key)) {
	case ACTION_PROMPT:
	case ACTION_STAY_AT_PROMPT:
	case ACTION_HELP:
	case ACTION_MOUSE:
	case ACTION_REPAINT:
	case ACTION_SUSPEND: return true;
	default: return false;
	}
}

/* What is held must not keep anyone here. */
static bool leads_away(struct app *app, int key)
{
	switch (key_action(app_scope(app), key)) {
	case ACTION_ESCAPE:
	case ACTION_INTERRUPT:
	case ACTION_QUIT:
	case ACTION_LEAVE:
	case ACTION_LEAVE_VIEW: return true;
	default: return false;
	}
}

static void drop(struct app *app)
{
	for (size_t i = 0; i < app->early.len; i++)
		str_release(&app->early.at[i].text);
	app->early.len = 0;
}

bool early_hold(struct app *app, const struct event *ev)
{
	struct event held = *ev;

	if (ev->kind != EVENT_KEY)
		return false;
	if (leads_away(app, ev->key)) {
		drop(app);
		return false;
	}
	if (!app->early.len &&
	    (!view_has_keys(app) || !nothing_to_act_on(app) || acts_alone(app, ev->key)))
		return false;
	held.text = (struct str){0};
	str_put(&held.text, str_text(&ev->text), ev->text.len);
	vec_push(&app->early, held);
	return true;
}

/* What a line is to do comes first, and what a search or a filter finds. */
bool early_ready(struct app *app)
{
	const struct pane *pane = app_pane(app);

	return app->early.len && (!is_asked(app) || is_overdue(app)) && !app->quit &&
	       pane->search.state != SEARCH_WORKING && !rows_filter_works(&pane->shown);
}

void early_play(struct app *app)
{
	while (early_ready(app)) {
		struct event ev = app->early.at[0];

		memmove(&app->early.at[0], &app->early.at[1],
		        --app->early.len * sizeof *app->early.at);
		events_take(app, &ev);
		str_release(&ev.text);
	}
}
