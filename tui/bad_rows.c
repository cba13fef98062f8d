/*
 * A row of a list of tensors is found again by its time and its name: a name may have several
 * dumps. A run is found by its number. A row of anything else counts if what it is about has a bad
 * dump. Rows that tell themselves are asked, and so are signs that are known by now.
 */
#include "tui/bad_rows.h"

#include <string.h>

#include "cmds/doc/table.h"
#include "tui/about.h"

static const char of_run[] = "list_tensors -f has_inf_or_nan", of_runs[] = "runs -f has_inf_or_nan";

static void forget(struct app *app)
{
	map_release(&app->bad.keys);
	arena_release(&app->bad.mem);
}

/* A row that tells itself. */
static bool says_bad(void *app, const struct doc *doc, uint64_t row, const struct line *line)
{
	struct body *body = doc_get_body(doc);
	uint64_t head = doc_body_row(doc);

	(void)app, (void)line;
	return row >= head && row - head < body->kind->rows(body) &&
	       body->kind->is_bad(body, row - head);
}

/* A row whose sign says it. */
static bool sign_is_bad(void *app, const struct doc *doc, uint64_t row, const struct line *line)
{
	(void)app, (void)line;
	return row_sign_is_bad(doc_sign(doc, row, false));
}

/*
 * Do the signs, which are looked at beside the keys, know all rows from the cursor's to that many
 * bad ones? Nothing has to be read then.
 */
static bool signs_know_the_way(struct pane *pane, bool backward, uint64_t times)
{
	const struct doc *doc = pane_doc(pane);
	uint64_t rows = rows_count(&pane->shown), row = pane->cursor.row;
	enum row_sign sign = SIGN_NONE;

	if (!doc_has_signs(doc) || rows_filter_works(&pane->shown))
		return false;
	times += !times;
	for (uint64_t left = rows; left && times && sign != SIGN_UNKNOWN; left--) {
		row = backward ? (row ? row : rows) - 1 : (row + 1) % rows;
		sign = doc_sign(doc, rows_row(&pane->shown, row), false);
		times -= row_sign_is_bad(sign);
	}
	return !times;
}

/* The number of a column by its key; n: there is none. */
static size_t column_of(const struct col *columns, size_t n, const char *name)
{
	size_t i = 0;

	while (i < n && strcmp(columns[i].key, name))
		i++;
	return i;
}

static bool is_table_of_runs(const struct doc *doc)
{
	struct body *body = doc_get_body(doc);
	const struct col *columns;
	size_t n = 0;

	if (!body || !body->kind->columns_of)
		return false;
	columns = body->kind->columns_of(body, &n);
	return column_of(columns, n, "run") < n && column_of(columns, n, "hits") < n;
}

void bad_rows_ask(struct app *app, bool backward, uint64_t times)
{
	const struct body *body = doc_get_body(pane_doc(app_pane(app)));

	if (body && body->kind->is_bad) {
		pane_seek_row(app_pane(app), says_bad, app, backward, times);
		return;
	}
	if (signs_know_the_way(app_pane(app), backward, times)) {
		pane_seek_row(app_pane(app), sign_is_bad, app, backward, times);
		return;
	}
	if (!shell_has_dump(app->shell)) {
		app_toast(app, LOOK_ERROR_TOAST,
		          "ERROR: No dump is open: there are no tensors to look at");
		return;
	}
	app->bad.backward = backward;
	app->bad.times = times;
	app_order_use(app, is_table_of_runs(pane_doc(app_pane(app))) ? of_runs : of_run, ORDER_BAD);
}

/* What a column has in a row of the body; false: nothing. Released by the caller. */
static bool cell_of(struct body *body, uint64_t row, const char *name, struct table_cell *cell)
{
	struct err err = {0};
	size_t n = 0, at;
	const struct col *columns = body->kind->columns_of(body, &n);

	at = column_of(columns, n, name);
	return at < n && body->kind->cell_of(body, row, at, cell, &err);
}

/* "0.807 hidden/log_x:0", "run 3"; false: it is no row of a list of tensors or runs. */
static bool put_key(const struct doc *doc, uint64_t row, struct str *out)
{
	struct body *body = doc_get_body(doc);
	uint64_t head = doc_body_row(doc);
	struct table_cell number = {0}, name = {0};
	bool runs = is_table_of_runs(doc), ok;

	if (!body || !body->kind->columns_of || row < head || row - head >= body->kind->rows(body))
		return false;
	row -= head;
	ok = runs ? cell_of(body, row, "run", &number)
	          : cell_of(body, row, "time_us", &number) && cell_of(body, row, "tensor", &name);
	if (ok)
		str_fmt(out, "%s%.17g%s%s", runs ? "run " : "", number.number, runs ? "" : " ",
		        str_text(&name.text));
	str_release(&number.text);
	str_release(&name.text);
	return ok;
}

static bool is_known(const struct app *app, const struct str *key)
{
	return map_find(&app->bad.keys, str_text(key), key->len) != MAP_NONE;
}

static bool is_bad(void *context, const struct doc *doc, uint64_t row, const struct line *line)
{
	const struct app *app = context;
	struct link link = {0};
	struct str key = {0};
	bool bad = false;

	if (put_key(doc, row, &key)) {
		bad = is_known(app, &key);
	} else if (about_line_links(line, &link)) {
		link_put_name(&link, &key);
		bad = is_known(app, &key);
	}
	str_release(&key);
	link_release(&link);
	return bad;
}

static void take_runs(struct app *app, const struct doc *doc)
{
	struct body *body = doc_get_body(doc);
	struct str key = {0};

	for (uint64_t row = doc_body_row(doc); row < doc_rows(doc); row++) {
		struct table_cell hits = {0};

		str_reset(&key);
		if (put_key(doc, row, &key) &&
		    cell_of(body, row - doc_body_row(doc), "hits", &hits) && hits.number > 0)
			map_add(&app->bad.keys, &app->bad.mem, key.text, key.len);
		str_release(&hits.text);
	}
	str_release(&key);
}

/* Each of its rows, and the tensor and the node that it is about. */
static void take_tensors(struct app *app, const struct doc *doc)
{
	struct link link = {0};
	struct line line = {0};
	struct str key = {0};

	for (uint64_t row = doc_body_row(doc); row < doc_rows(doc); row++) {
		str_reset(&key);
		if (!put_key(doc, row, &key) || !doc_line(doc, row, 0, &line) ||
		    !about_line_links(&line, &link))
			continue;
		map_add(&app->bad.keys, &app->bad.mem, key.text, key.len);
		str_reset(&key);
		link_put_name(&link, &key);
		map_add(&app->bad.keys, &app->bad.mem, key.text, key.len);
		link.kind = LINK_NODE;
		str_reset(&key);
		link_put_name(&link, &key);
		map_add(&app->bad.keys, &app->bad.mem, key.text, key.len);
	}
	link_release(&link);
	line_release(&line);
	str_release(&key);
}

void bad_rows_answered(struct app *app, const struct doc *doc, const char *failed)
{
	bool runs = doc && is_table_of_runs(doc);

	forget(app);
	if (runs)
		take_runs(app, doc);
	else if (doc && doc_get_body(doc))
		take_tensors(app, doc);
	if (failed)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", failed);
	else if (!app->bad.keys.len)
		app_toast(app, LOOK_ERROR_TOAST,
		          runs ? "No NaN or Inf in these runs" : "No NaN or Inf in this run");
	if (app->bad.keys.len)
		pane_seek_row(app_pane(app), is_bad, app, app->bad.backward, app->bad.times);
}
