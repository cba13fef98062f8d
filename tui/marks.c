/* The answer is looked for on the screen, then among the screens of the pane, then ordered anew. */
#include "tui/marks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "tui/about.h"
#include "tui/status.h"

/* The mark of this letter in the run that shows; NULL: there is none. */
static struct mark *find(struct app *app, char letter)
{
	const void *about = app_title(app).about;

	for (size_t i = 0; i < app->marks.len; i++)
		if (app->marks.at[i].letter == letter && app->marks.at[i].about == about)
			return &app->marks.at[i];
	return NULL;
}

char marks_letter(struct app *app, int view, uint64_t doc_row)
{
	const void *about = app->marks.len ? app_title(app).about : NULL;

	for (size_t i = 0; i < app->marks.len; i++) {
		const struct mark *mark = &app->marks.at[i];

		if (mark->row == doc_row && mark->about == about &&
		    !strcmp(mark->command, view_command(&app->view[view])))
			return mark->letter;
	}
	return 0;
}

/* "w:0 [1,2]  row 8 of pt w:0  (TITLE)": the row's subject and element, or its text; the run. */
static char *row_text(struct app *app, struct view *view)
{
	const struct line *line = pane_cursor_line(&view->pane);
	uint64_t row = pane_cursor_number(&view->pane);
	struct link link = {0};
	struct str out = {0};
	char *text;

	if (line && about_row(app, app->focus, &link))
		link_put_name(&link, &out);
	else if (line)
		str_put(&out, str_text(&line->text), line->text.len);
	if (line && line->note == NOTE_INDEX && link.name.len) {
		str_putc(&out, ' ');
		put_index(&out, line);
	}
	if (row)
		str_fmt(&out, "  row %" PRIu64 " of %s", row, view_command(view));
	else
		str_fmt(&out, "  in %s", view_command(view));
	str_fmt(&out, "  (%s)", app_title(app).text);
	text = mem_copy(str_text(&out), out.len);
	link_release(&link);
	str_release(&out);
	return text;
}

/* Enter goes to one of the run that shows, and makes the answer of another's anew. */
static void put_mark(struct doc *doc, const struct mark *mark, bool is_here)
{
	char letter[] = { mark->letter, '\0' };

	doc_put(doc, ROLE_PLAIN, "  ");
	if (is_here)
		doc_link(doc, ROLE_PLAIN, letter, "marks %s", letter);
	else
		doc_link(doc, ROLE_PLAIN, letter, "%s", mark->command);
	doc_line_put(doc, ROLE_PLAIN, "  %s", mark->text);
}

/* Letters first to last; of one letter the runs in the order in which they got it. */
struct doc *marks_list(struct app *app)
{
	const void *about = app_title(app).about;
	struct doc *doc = doc_new();

	doc_line_put(doc, ROLE_STRONG, "%zu mark(s):", app->marks.len);
	for (char letter = 'a'; letter <= 'z'; letter++)
		for (size_t i = 0; i < app->marks.len; i++) {
			const struct mark *mark = &app->marks.at[i];

			if (mark->letter != letter)
				continue;
			put_mark(doc, mark, mark->about == about);
		}
	return doc;
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
	free(mark->text);
	mark->command = mem_copy(view_command(view), strlen(view_command(view)));
	mark->text = row_text(app, view);
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
