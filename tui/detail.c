/* What was asked last is kept, so that a row that fails is not asked again and again. */
#include "tui/detail.h"

#include <string.h>

#include "dump/base/clock.h"

enum { REST_MS = 150 };

/* The pane whose row it is: the one with the focus. */
static int followed(const struct app *app)
{
	return app->view[app->focus].follows ? app_main(app) : app->focus;
}

/* The row's first command about a tensor, a node or a run, which headings have not; NULL: none. */
static const char *row_command(struct app *app)
{
	static const char *const about[] = { "pt ", "ni ", "diff ", "run_info " };
	const struct line *line = pane_cursor_line(&app->view[followed(app)].pane);

	for (size_t i = 0; line && i < line->segs.len; i++) {
		const struct seg *seg = &line->segs.at[i];
		const char *command = seg->role == ROLE_STRONG ? NULL : seg_link(line, seg);

		for (size_t k = 0; command && k < sizeof about / sizeof *about; k++)
			if (!strncmp(command, about[k], strlen(about[k])))
				return command;
	}
	return NULL;
}

static bool follows(const struct app *app)
{
	int detail = app_detail(app);

	return detail != NO_PANE && !app_is_hidden(app, detail) && app->loaded &&
	       app->view[followed(app)].pane.focus;
}

void detail_follow(struct app *app)
{
	const struct pane *pane = &app->view[followed(app)].pane;
	const char *command;

	if (!follows(app))
		return;
	if (app->rest_row != pane_cursor_doc_row(pane)) {
		app->rest_row = pane_cursor_doc_row(pane);
		app->rest_ms = clock_ms();
	}
	if (worker_busy(app->worker) || app->orders.len || clock_ms() - app->rest_ms < REST_MS)
		return;
	command = row_command(app);
	if (!command || !strcmp(command, str_text(&app->detail_asked)))
		return;
	str_reset(&app->detail_asked);
	str_puts(&app->detail_asked, command);
	app->detail_dropped = false;
	app->running = (struct order){ .line = mem_copy(command, strlen(command)),
	                               .view = app_detail(app), .detail = true, .row = NO_ROW };
	worker_run(app->worker, command, app_view_cols(app, app->running.view));
}

int64_t detail_wait_ms(const struct app *app)
{
	int64_t left = app->rest_ms + REST_MS - clock_ms();

	return follows(app) && left > 0 ? left : -1;
}

void detail_answered(struct app *app, struct doc *doc)
{
	int view = app->running.view;

	if (app->detail_dropped || !app->view[view].follows || !doc)
		doc_free(doc);
	else
		app_show_loose(app, view, app->running.line, doc, NULL);
}

void detail_give_way(struct app *app)
{
	if (!app->running.detail || app->detail_dropped)
		return;
	app->detail_dropped = true;
	str_reset(&app->detail_asked);
	worker_cancel(app->worker);
}
