/* The answer is looked for on the screen, then among the screens of the pane, then ordered anew. */
#include "tui/marks.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

/* The mark of this letter in the run that shows; NULL: there is none. */
static struct mark *find(struct app *app, char letter)
{
	const void *about = app_title(app).about;

	for (size_t i = 0; i < app->marks.len; i++)
		if (app->marks.at[i].letter == letter && app->marks.at[i].about == about)
			return &app->marks.at[i];
	return NULL;
}

void marks_set(struct app *app, char letter)
{
	struct mark *mark = find(app, letter);
	struct view *view = app_view(app);

	if (!mark) {
		mark = vec_add(&app->marks);
		mark->letter = letter;
		mark->about = app_title(app).about;
	}
	free(mark->command);
	mark->command = mem_copy(view_command(view), strlen(view_command(view)));
	mark->row = pane_cursor_doc_row(&view->pane);
	app_toast(app, LOOK_INFO_TOAST, "INFO: Mark %c set", letter);
}

static bool show_kept(struct app *app, const char *command, const void *about)
{
	struct screens *screens = &app_view(app)->screens;

	for (size_t i = screens->len; i-- > 0;)
		if (!strcmp(screens->at[i].command, command) && screens->at[i].about == about) {
			app_keep_place(app, app->focus);
			screens_step(screens, (int)i - (int)screens->now);
			app_show_screen(app, app->focus);
			app->stepped = true;
			return true;
		}
	return false;
}

static void go(struct app *app, const char *command, uint64_t row, const void *about)
{
	struct view *view = app_view(app);

	if ((!strcmp(view_command(view), command) && app_title(app).about == about) ||
	    (!view->loose && show_kept(app, command, about)))
		pane_cursor_to(&view->pane, row);
	else
		app_order_for(app, app_target(app), command, row);
}

void marks_go(struct app *app, char letter)
{
	const struct mark *mark = find(app, letter);

	if (!mark) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: Mark %c is not set", letter);
		return;
	}
	app_mark_place(app);
	go(app, mark->command, mark->row, mark->about);
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
	go(app, last.command, last.row, last.about);
	free(last.command);
}
