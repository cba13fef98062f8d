#include "tui/early.h"

#include <string.h>

#include "tui/actions.h"
#include "tui/quiet.h"

/* Does something lie over the view, or ask, that takes keys itself? */
static bool view_has_keys(struct app *app)
{
	return app_is_modern(app) && app_in_view(app) && !app->overlay && !app->sheet.open &&
	       !app->asks_to_leave && !app->hints.len;
}

static bool nothing_to_act_on(struct app *app)
{
	return worker_busy(app->worker) && (!view_doc(app_view(app)) ||
	                                    (!app->settled && app->orders.len));
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
	bool works = worker_busy(app->worker) && !app->running.detail && !quiet_runs(app);

	return app->early.len && !works && !app->orders.len && !app->quit &&
	       pane->search.state != SEARCH_WORKING && !rows_filter_works(&pane->shown);
}

void early_play(struct app *app)
{
	while (early_ready(app)) {
		struct event ev = app->early.at[0];

		memmove(&app->early.at[0], &app->early.at[1],
		        --app->early.len * sizeof *app->early.at);
		actions_event(app, &ev);
		str_release(&ev.text);
	}
}
