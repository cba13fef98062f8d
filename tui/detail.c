/* What was asked last is kept, so that a row that fails is not asked again and again. */
#include "tui/detail.h"

#include <string.h>

#include "dump/base/clock.h"
#include "tui/about.h"

enum { REST_MS = 150 };

/* The pane whose row it is: the one with the focus. */
static int followed(const struct app *app)
{
	return app->view[app->focus].follows ? app_main(app) : app->focus;
}

/* The row's first command that shows what it is about, which headings have not; NULL: none. */
static const char *row_command(struct pane *pane)
{
	const struct line *line = pane_cursor_line(pane);
	const char *found = NULL;
	struct link link = {0};

	for (size_t i = 0; line && !found && i < line->segs.len; i++) {
		const struct seg *seg = &line->segs.at[i];
		const char *command = seg->role == ROLE_STRONG ? NULL : seg_link(line, seg);

		if (command && link_read(command, &link) && link.for_detail)
			found = command;
	}
	link_release(&link);
	return found;
}

/*
 * What the detail pane is to show: what the row's link opens; in a tree, whose links go on in the
 * tree, the tensor of the row's node; of a row that only its screen says what it is about, what
 * that doesn't show: of a tensor its node, of a node its tensor. `otherwise`: if there is no such
 * tensor.
 */
static bool put_command(struct app *app, int view, struct str *out, struct str *otherwise)
{
	struct pane *pane = &app->view[view].pane;
	const char *command = row_command(pane);
	struct link link = {0};
	enum about about = ABOUT_ROW;

	if (command) {
		str_puts(out, command);
	} else if ((about = about_row(app, view, &link))) {
		if (link.kind == LINK_TENSOR && about == ABOUT_SCREEN)
			link_put_node(&link, out);
		else
			link_put_tensor(&link, out);
		if (link.kind == LINK_NODE && about == ABOUT_ROW)
			link_put_node(&link, otherwise);
	}
	link_release(&link);
	return about != ABOUT_NOTHING;
}

static bool follows(const struct app *app)
{
	int detail = app_detail(app);

	return detail != NO_PANE && !app_is_hidden(app, detail) && app->loaded &&
	       app->view[followed(app)].pane.focus;
}

static void ask(struct app *app, const char *command)
{
	app->detail_failed = false;
	app->detail_dropped = false;
	app->running = (struct order){ .line = mem_copy(command, strlen(command)),
	                               .view = app_detail(app), .detail = true, .row = NO_ROW };
	worker_run(app->worker, command, app_view_cols(app, app->running.view));
}

/* Once for each row, even if it fails. */
static void ask_about_row(struct app *app)
{
	struct str command = {0}, otherwise = {0};

	if (app->detail_failed && app->detail_asked.len) {
		ask(app, str_text(&app->detail_otherwise));
		return;
	}
	if (put_command(app, followed(app), &command, &otherwise) &&
	    strcmp(str_text(&command), str_text(&app->detail_asked)) != 0) {
		str_reset(&app->detail_asked);
		str_puts(&app->detail_asked, command.text);
		str_reset(&app->detail_otherwise);
		str_puts(&app->detail_otherwise, str_text(&otherwise));
		ask(app, command.text);
	}
	str_release(&command);
	str_release(&otherwise);
}

void detail_follow(struct app *app)
{
	const struct pane *pane = &app->view[followed(app)].pane;

	if (!follows(app))
		return;
	if (app->rest_row != pane_cursor_doc_row(pane)) {
		app->rest_row = pane_cursor_doc_row(pane);
		app->rest_ms = clock_ms();
	}
	if (worker_busy(app->worker) || app->orders.len || clock_ms() - app->rest_ms < REST_MS)
		return;
	ask_about_row(app);
}

int64_t detail_wait_ms(const struct app *app)
{
	int64_t left = app->rest_ms + REST_MS - clock_ms();

	if (!follows(app))
		return -1;
	/* work done without an event, as a sort, may have put another row there */
	if (app->rest_row != pane_cursor_doc_row(&app->view[followed(app)].pane))
		return 0;
	return left > 0 ? left : -1;
}

void detail_answered(struct app *app, struct doc *doc, bool failed)
{
	int view = app->running.view;

	if (app->detail_dropped || !app->view[view].follows || !doc) {
		doc_free(doc);
	} else if (failed && app->detail_otherwise.len) {
		doc_free(doc);
		app->detail_failed = true;
	} else {
		app_show_loose(app, view, app->running.line, doc, NULL);
	}
}

void detail_give_way(struct app *app)
{
	if (!app->running.detail || app->detail_dropped)
		return;
	app->detail_dropped = true;
	str_reset(&app->detail_asked);
	app->detail_failed = false;
	worker_cancel(app->worker);
}
