/*
 * A row of a list of tensors is found again by its time and its name: a name may have several
 * dumps. A row of anything else counts if what it is about has a bad dump.
 */
#include "tui/bad_rows.h"

#include <string.h>

#include "tui/about.h"

static const char filter[] = "list_tensors -f has_inf_or_nan";

static void forget(struct app *app)
{
	map_release(&app->bad.keys);
	arena_release(&app->bad.mem);
}

void bad_rows_ask(struct app *app, bool backward, uint64_t times)
{
	app->bad.backward = backward;
	app->bad.times = times;
	app_order_use(app, filter, ORDER_BAD);
}

/* The number of a column by its key; n: there is none. */
static size_t column_of(const struct column *columns, size_t n, const char *name)
{
	size_t i = 0;

	while (i < n && strcmp(columns[i].name, name))
		i++;
	return i;
}

/* "0.807 hidden/log_x:0"; false: it is no row of a list of tensors. */
static bool put_dump(const struct doc *doc, uint64_t row, struct str *out)
{
	struct body *body = doc_get_body(doc);
	uint64_t head = doc_body_row(doc);
	struct table_cell time = {0}, name = {0};
	const struct column *columns;
	struct err err = {0};
	size_t n = 0;
	bool ok;

	if (!body || !body->kind->columns_of || row < head || row - head >= body->kind->rows(body))
		return false;
	columns = body->kind->columns_of(body, &n);
	ok = column_of(columns, n, "time_us") < n && column_of(columns, n, "tensor") < n &&
	     body->kind->cell_of(body, row - head, column_of(columns, n, "time_us"), &time, &err) &&
	     body->kind->cell_of(body, row - head, column_of(columns, n, "tensor"), &name, &err);
	if (ok)
		str_fmt(out, "%.17g %s", time.number, str_text(&name.text));
	str_release(&time.text);
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
	struct about about = {0};
	struct str key = {0};
	bool bad = false;

	if (put_dump(doc, row, &key)) {
		bad = is_known(app, &key);
	} else if (about_line_links(line, &about)) {
		about_put_name(&about, &key);
		bad = is_known(app, &key);
	}
	str_release(&key);
	about_release(&about);
	return bad;
}

/* Each of its rows, and the tensor and the node that it is about. */
static void take_keys(struct app *app, const struct doc *doc)
{
	struct about about = {0};
	struct line line = {0};
	struct str key = {0};

	for (uint64_t row = doc_body_row(doc); row < doc_rows(doc); row++) {
		str_reset(&key);
		if (!put_dump(doc, row, &key) || !doc_line(doc, row, 0, &line) || !about_line_links(&line, &about))
			continue;
		map_add(&app->bad.keys, &app->bad.mem, key.text, key.len);
		str_reset(&key);
		about_put_name(&about, &key);
		map_add(&app->bad.keys, &app->bad.mem, key.text, key.len);
		about.tensor = false;
		str_reset(&key);
		about_put_name(&about, &key);
		map_add(&app->bad.keys, &app->bad.mem, key.text, key.len);
	}
	about_release(&about);
	line_release(&line);
	str_release(&key);
}

void bad_rows_answered(struct app *app, const struct doc *doc, const char *failed)
{
	forget(app);
	if (doc && doc_get_body(doc))
		take_keys(app, doc);
	if (failed)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", failed);
	else if (!app->bad.keys.len)
		app_toast(app, LOOK_ERROR_TOAST, "No NaN or Inf in this run");
	if (app->bad.keys.len)
		pane_seek_row(app_pane(app), is_bad, app, app->bad.backward, app->bad.times);
}
