/* Rows are explained by the commands explain and ps; where one is needs no command. */
#include "tui/explain.h"

#include <inttypes.h>
#include <string.h>

#include "tui/about.h"

/* The command that explains the cursor's row; false: nothing does. */
static bool put_explain(struct app *app, struct str *out)
{
	struct link link = {0};
	enum about about = about_row(app, app->focus, &link);

	if (about)
		link_put_explain(&link,
		                 about == ABOUT_ROW ? NULL : pane_cursor_line(&app_view(app)->pane),
		                 out);
	link_release(&link);
	return about != ABOUT_NOTHING;
}

static void nothing(struct app *app)
{
	app_toast(app, LOOK_ERROR_TOAST, "ERROR: This row is about no tensor and no node");
}

void explain_row(struct app *app)
{
	struct str command = {0};

	if (put_explain(app, &command))
		app_order(app, command.text);
	else
		nothing(app);
	str_release(&command);
}

void explain_source(struct app *app)
{
	struct str command = {0};

	if (put_explain(app, &command))
		app_order_use(app, command.text, ORDER_SOURCE);
	else
		nothing(app);
	str_release(&command);
}

/* Where am I? */

/* What is known without asking, a line each. */
static void note_where(struct app *app)
{
	struct view *view = app_view(app);
	uint64_t row = pane_row_number(&view->pane, pane_cursor_doc_row(&view->pane)), all;

	pane_row_numbers(&view->pane, &all);
	str_reset(&app->where);
	if (row)
		str_fmt(&app->where, "Row     %" PRIu64 " of %" PRIu64 "\n", row, all);
	else
		str_fmt(&app->where, "Row     none of the %" PRIu64 "\n", all);
	str_fmt(&app->where, "Screen  %s\n", view_command(view));
	str_fmt(&app->where, "Run     %s\n", app_title(app).text);
}

static void put_lines(struct doc *out, const char *text)
{
	for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
		doc_put_text(out, ROLE_PLAIN, text, (size_t)(end - text));
		doc_newline(out);
	}
}

static void open_where(struct app *app, const struct doc *answer)
{
	struct doc *out = doc_new();
	struct line line = {0};

	doc_line_put(out, ROLE_STRONG, "Where am I");
	doc_newline(out);
	put_lines(out, str_text(&app->where));
	for (uint64_t row = 0; answer && row < doc_rows(answer); row++) {
		doc_line(answer, row, 0, &line);
		if (!row)
			doc_newline(out);
		doc_put_text(out, ROLE_PLAIN, str_text(&line.text), line.text.len);
		doc_newline(out);
	}
	line_release(&line);
	app_open_overlay(app, out);
}

void explain_where(struct app *app)
{
	struct str command = {0};

	if (!pane_doc(&app_view(app)->pane))
		return;
	note_where(app);
	if (put_explain(app, &command))
		app_order_use(app, command.text, ORDER_WHERE);
	else
		open_where(app, NULL);
	str_release(&command);
}

/* Answers. */

static void go_source(struct app *app, const struct doc *doc)
{
	struct line line = {0};
	struct link link = {0};
	bool found = false;

	for (uint64_t row = 0; !found && row < doc_rows(doc); row++) {
		doc_line(doc, row, 0, &line);
		for (size_t i = 0; !found && i < line.segs.len; i++) {
			const char *command = seg_link(&line, &line.segs.at[i]);

			found = command && link_read(command, &link) && link.kind == LINK_SOURCE;
			if (found)
				app_order(app, command);
		}
	}
	if (!found)
		app_toast(app, LOOK_ERROR_TOAST,
		          "ERROR: It is not known which line made this node");
	link_release(&link);
	line_release(&line);
}

void explain_answered(struct app *app, enum order_use use, const struct doc *doc)
{
	if (use == ORDER_WHERE)
		open_where(app, doc);
	else if (doc)
		go_source(app, doc);
}
