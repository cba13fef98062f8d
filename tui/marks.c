/* The answer is looked for on the screen, then among the screens of the pane, then ordered anew. */
#include "tui/marks.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

void marks_set(struct app *app, char letter)
{
	struct mark *mark = &app->marks[letter - 'a'];
	struct view *view = app_view(app);

	free(mark->command);
	mark->command = mem_copy(view_command(view), strlen(view_command(view)));
	mark->row = pane_cursor_doc_row(&view->pane);
	app_toast(app, LOOK_INFO_TOAST, "INFO: Mark %c set", letter);
}

static bool show_kept(struct app *app, const char *command)
{
	struct screens *screens = &app_view(app)->screens;

	for (size_t i = screens->len; i-- > 0;)
		if (!strcmp(screens->at[i].command, command)) {
			app_keep_place(app, app->focus);
			screens_step(screens, (int)i - (int)screens->now);
			app_show(app, app->focus, NULL);
			return true;
		}
	return false;
}

static void go(struct app *app, const char *command, uint64_t row)
{
	struct view *view = app_view(app);

	if (!strcmp(view_command(view), command) || (!view->loose && show_kept(app, command)))
		pane_cursor_to(&view->pane, row);
	else
		app_order_for(app, app_target(app), command, row);
}

void marks_go(struct app *app, char letter)
{
	const struct mark *mark = &app->marks[letter - 'a'];

	if (!mark->command) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: Mark %c is not set", letter);
		return;
	}
	app_mark_place(app);
	go(app, mark->command, mark->row);
}

void marks_go_back(struct app *app)
{
	struct mark last = app->last_place;

	if (!last.command) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: There was no jump yet");
		return;
	}
	app->last_place.command = NULL;
	app_mark_place(app);
	go(app, last.command, last.row);
	free(last.command);
}
