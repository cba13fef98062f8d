/* A line that was answered is not asked for again: what it could not find out stays unknown. */
#include "tui/quiet.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/clock.h"
#include "dump/base/mem.h"

enum { REST_MS = 300 };

bool quiet_runs(const struct app *app)
{
	return app->running.line && app->running.use == ORDER_QUIET;
}

static bool was_asked(const struct app *app, const char *line)
{
	for (size_t i = 0; i < app->quiet.asked.len; i++)
		if (!strcmp(app->quiet.asked.at[i], line))
			return true;
	return false;
}

static bool may_run(const struct app *app)
{
	return app->settled && !app->slow && !app->quiet.stopped && !app->orders.len &&
	       !app->tab_waits && !app->waiting && !worker_busy(app->worker) &&
	       app->view[app->focus].pane.focus;
}

/* NULL: nothing, or it may not run now. */
static const char *wanted(const struct app *app)
{
	if (!may_run(app))
		return NULL;
	for (int i = 0; i < MAX_PANES; i++) {
		const struct doc *doc = app->view[i].pane.shown.doc;
		const char *line = doc && !app_is_hidden(app, i) ? doc_wants(doc) : NULL;

		if (line && !was_asked(app, line))
			return line;
	}
	if (app_is_modern(app) && app->verdict.wants && !was_asked(app, app->verdict.wants))
		return app->verdict.wants;
	return NULL;
}

static int64_t rest_left_ms(const struct app *app)
{
	int64_t left = app->quiet.since_ms + REST_MS - clock_ms();

	return left > 0 ? left : 0;
}

int64_t quiet_wait_ms(const struct app *app)
{
	return wanted(app) ? rest_left_ms(app) : -1;
}

void quiet_follow(struct app *app)
{
	const char *line = rest_left_ms(app) ? NULL : wanted(app);

	if (!line)
		return;
	app->quiet.dropped = false;
	app->running = (struct order){ .line = mem_copy(line, strlen(line)), .use = ORDER_QUIET,
	                               .view = app_main(app), .row = NO_ROW };
	worker_run(app->worker, line, 0);
}

void quiet_give_way(struct app *app)
{
	app->quiet.since_ms = clock_ms();
	if (!quiet_runs(app) || app->quiet.dropped)
		return;
	app->quiet.dropped = true;
	worker_cancel(app->worker);
}

void quiet_stop(struct app *app)
{
	quiet_give_way(app);
	app->quiet.stopped = true;
}

/* Pages that wanted this line are made again. */
static void show_more(struct app *app)
{
	for (int i = 0; i < MAX_PANES; i++) {
		const struct doc *doc = view_doc(&app->view[i]);
		const char *wants = doc ? doc_wants(doc) : NULL;

		if (wants && !strcmp(wants, app->running.line))
			app_order_rewrite(app, i, view_command(&app->view[i]));
	}
}

void quiet_answered(struct app *app, struct doc *doc)
{
	doc_free(doc);
	if (app->quiet.dropped)
		return;
	vec_push(&app->quiet.asked, mem_copy(app->running.line, strlen(app->running.line)));
	show_more(app);
}

void quiet_forget(struct app *app)
{
	while (app->quiet.asked.len)
		free(app->quiet.asked.at[--app->quiet.asked.len]);
	app->quiet.stopped = false;
}
