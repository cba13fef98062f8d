#include "tui/empty.h"

#include <string.h>

#include "tui/quiet.h"

/* The patterns as they were typed. A row has to fit all of them. */
static void put_filters(const struct rows *rows, struct str *out)
{
	size_t n = rows->filters.len;

	str_puts(out, "no row matches ");
	for (size_t i = 0; i < n; i++)
		str_fmt(out, "%s%s", i ? " and " : "", rows->filters.at[i].text);
	if (rows->live.pattern)
		str_fmt(out, "%s%s; Esc gives it up", n ? " and " : "", rows->live.text);
	else
		str_fmt(out, "; & Enter removes %s", n > 1 ? "the last one" : "it");
}

/* Does the command ask for some rows only? */
static bool chooses(const char *command)
{
	return strchr(command + strspn(command, " "), ' ') != NULL;
}

static void put_answer(struct app *app, struct view *view, struct str *out)
{
	const char *command = view_command(view);

	if (chooses(command))
		str_fmt(out, "nothing matches %s; %s", command,
		        view->screens.now > 0 ? "q goes back" : ": asks for something else");
	else if (shell_warnings(app->shell))
		str_puts(out, "nothing here; W shows what is wrong with what is open");
	else
		str_puts(out, "nothing was recorded here; : asks for something else");
}

void empty_put(struct app *app, int view, struct str *out)
{
	struct view *v = &app->view[view];
	const struct rows *rows = &v->pane.shown;
	const struct doc *doc = pane_doc(&v->pane);
	uint64_t all, kept = doc ? rows_kept(rows, &all) : 1;

	if (!doc || kept || v->loose || v->body_works || rows_filter_works(rows) ||
	    (worker_busy(app->worker) && !quiet_runs(app)) || !app->loaded)
		return;
	if (all && rows_filtered(rows))
		put_filters(rows, out);
	else if (!all && doc_get_body(doc))
		put_answer(app, v, out);
}
