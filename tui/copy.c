/* Whether the terminal does it can't be known; so the toast says what was sent. */
#include "tui/copy.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/doc/table.h"
#include "dump/base/utf8.h"
#include "tui/term.h"

enum { MAX_COPY = 64 * 1024 };

/* What is pasted goes to a terminal: it gets the text as the screen shows it. */
static void send(struct app *app, const char *what, const char *raw, size_t raw_len)
{
	struct str safe = {0};
	const char *text;
	size_t len;

	utf8_escape(&safe, raw, raw_len);
	text = str_text(&safe);
	len = safe.len;
	if (!len)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: There is no %s to copy here", what);
	else if (len > MAX_COPY)
		app_toast(app, LOOK_ERROR_TOAST,
		          "ERROR: The %s has %zu bytes; at most %d can be copied", what, len,
		          MAX_COPY);
	else if (!term_copy(text, len))
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: This terminal has no clipboard");
	else
		app_toast(app, LOOK_INFO_TOAST, "INFO: Copied the %s: %.60s%s", what, text,
		          len > 60 ? "..." : "");
	str_release(&safe);
}

void copy_row(struct app *app)
{
	const struct line *line = pane_cursor_line(&app_view(app)->pane);

	send(app, "row", line ? str_text(&line->text) : "", line ? line->text.len : 0);
}

/* The typed cell of the chosen column, as text. */
static bool take_cell(struct view *view, struct str *out)
{
	const struct rows *rows = &view->pane.shown;
	struct body *body = doc_get_body(rows->doc);
	uint64_t row = pane_cursor_doc_row(&view->pane), first = doc_body_row(rows->doc);
	struct table_cell cell = {0};
	struct err err = {0};
	size_t n;
	const struct col *columns = rows_columns(rows, &n);

	if (rows->sort.column >= n || row < first || row - first >= body->kind->rows(body))
		return false;
	if (body->kind->cell_of(body, row - first, rows->sort.column, &cell, &err) &&
	    !cell.missing) {
		if (col_is_number(&columns[rows->sort.column]))
			str_fmt(out, "%.17g", cell.number);
		else
			str_puts(out, str_text(&cell.text));
	}
	str_release(&cell.text);
	return true;
}

/* The text of the chosen link, or of the row's first. */
static void take_link_text(struct pane *pane, struct str *out)
{
	const struct line *line = pane_cursor_line(pane);

	for (size_t i = 0; line && i < line->segs.len; i++) {
		const struct seg *seg = &line->segs.at[i];

		if (seg_shows_link(seg) && (pane->link == NO_SEG || pane->link == i)) {
			str_put(out, line->text.text + seg->begin, seg->end - seg->begin);
			return;
		}
	}
}

void copy_cell(struct app *app)
{
	struct str label = {0}, text = {0};

	if (!pane_doc(&app_view(app)->pane))
		return;
	if (!pane_put_cell(&app_view(app)->pane, &label, &text) && !take_cell(app_view(app), &text))
		take_link_text(&app_view(app)->pane, &text);
	send(app, "cell", str_text(&text), text.len);
	str_release(&label);
	str_release(&text);
}

void copy_link(struct app *app)
{
	const char *command = pane_link(&app_view(app)->pane);

	send(app, "link", command ? command : "", command ? strlen(command) : 0);
}

void copy_command(struct app *app)
{
	const char *command = view_command(app_view(app));

	send(app, "command", command, strlen(command));
}
