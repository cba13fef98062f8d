/* A line is put together from the left; what stands at its right end is measured first. */
#include "tui/draw_modern.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/doc/table.h"
#include "dump/base/utf8.h"
#include "tui/draw_parts.h"
#include "tui/empty.h"
#include "tui/glyphs.h"
#include "tui/keybar.h"
#include "tui/news.h"
#include "tui/paint.h"
#include "tui/tags.h"
#include "tui/quiet.h"

enum { GAP = 2 };

static int columns(const struct str *text)
{
	return (int)utf8_columns(str_text(text), text->len);
}

/* Whole items, which two blanks part, are left out from the right, so that no number is cut. */
static void fit_items(struct str *text, int cols)
{
	size_t at = text->len;

	while (columns(text) > cols && at > 1)
		if (text->text[--at] == ' ' && text->text[at - 1] == ' ')
			str_cut(text, at - 1);
}

/* At the right end, if `used` columns and a gap leave the room. Returns where it begins. */
static int paint_right(const struct rect *r, int used, unsigned look, const struct str *text)
{
	int cols = columns(text), at = r->cols - cols - 1;

	if (!cols || at < used + GAP)
		return r->cols;
	paint_string(r, at, look, str_text(text));
	return at;
}

/* The top. */

/* Of the numbers; while they are searched, how far that is. */
static void draw_verdict(struct app *app, int used)
{
	const struct rect *r = &app->layout.title;
	const struct progress *p = worker_progress(app->worker);
	uint64_t total = quiet_runs(app) ? atomic_load(&p->total) : 0;
	const char *form = verdict_that_fits(&app->verdict, r->cols - used - GAP - 3);
	struct str text = {0};

	if (form && app->verdict.bad)
		str_fmt(&text, "%s %s", glyph(GLYPH_ORIGIN), form);
	else if (form)
		str_puts(&text, form);
	else if (total)
		str_fmt(&text, "searching %d %%",
		        (int)(100 * (double)atomic_load(&p->done) / (double)total));
	paint_right(r, used, theme(app->verdict.bad ? LOOK_TITLE_ALARM : LOOK_TITLE), &text);
	str_release(&text);
}

static void draw_title(struct app *app)
{
	const struct rect *r = &app->layout.title;
	struct str left = {0};
	unsigned look = draw_title_attributes(app);

	if (!r->rows)
		return;
	str_fmt(&left, " tensordbg  %s", str_text(&app->opened));
	fit_items(&left, r->cols);
	paint_fill(r->row, r->col, r->cols, look, ' ');
	draw_verdict(app, paint_string(r, 0, look, str_text(&left)));
	str_release(&left);
}

/* "[&Log !grad 3/301] size^": which rows are left, and what they are sorted by. */
static void put_chosen_rows(struct app *app, struct str *out)
{
	const struct rows *rows = &app_view(app)->pane.shown;
	uint64_t all, kept = rows_kept(rows, &all);
	size_t n;
	const struct col *cols = rows_columns(rows, &n);

	if (rows_filtered(rows)) {
		str_puts(out, "[");
		for (size_t i = 0; i < rows->filters.len; i++)
			str_fmt(out, "%s%s", i ? " " : "&", rows->filters.at[i].text);
		if (rows->live.pattern)
			str_fmt(out, "%s%s", rows->filters.len ? " " : "&", rows->live.text);
		str_fmt(out, " %" PRIu64 "/%" PRIu64 "]", kept, all);
	}
	if (rows->sort.on && cols && rows->sort.by < n)
		str_fmt(out, "%s%s%s", out->len ? " " : "", cols[rows->sort.by].key,
		        glyph(rows->sort.reverse ? GLYPH_DOWNWARD : GLYPH_UPWARD));
	if (tags_here(app))
		str_fmt(out, "%s%zu tagged", out->len ? " " : "", tags_here(app));
}

static void draw_nav(struct app *app)
{
	const struct rect *r = &app->layout.nav;
	struct str rows = {0}, escaped = {0};
	int used;

	if (!r->rows)
		return;
	put_chosen_rows(app, &rows);
	utf8_escape(&escaped, str_text(&rows), rows.len);
	used = draw_bar(app, r);
	paint_right(r, used, theme(ROLE_STRONG), &escaped);
	str_release(&rows);
	str_release(&escaped);
}

void draw_modern_top(struct app *app)
{
	draw_title(app);
	draw_nav(app);
}

/* Frames. */

/* "row 208/301"; nothing where there is none, or an element. */
static void put_number(const struct pane *pane, struct str *out)
{
	uint64_t all, rows = pane_row_numbers(pane, &all), row = pane_cursor_number(pane);

	if (pane_doc(pane) && row && !pane_has_item(pane))
		str_fmt(out, "row %" PRIu64 "/%" PRIu64, row, rows);
}

void draw_modern_frame(struct app *app, int i)
{
	struct view *view = &app->view[i];
	const struct rect *r = &app->layout.pane[i].title;
	unsigned look = theme(i == app->focus ? LOOK_FOCUSED_RULE : LOOK_RULE);
	const char *line = glyph(GLYPH_ALONG);
	struct str title = {0}, number = {0}, brief = {0};
	int used;

	if (!r->rows)
		return;
	for (int col = 0; col < r->cols; col++)
		paint_text(r->row, r->col + col, 1, look, line, strlen(line));
	str_puts(&title, " ");
	view_put_command(view, &title);
	str_puts(&title, " ");
	used = 1 + paint_string(r, 1, look, str_text(&title));
	str_reset(&title);
	put_number(&view->pane, &number);
	if (number.len)
		str_fmt(&title, " %s ", number.text);
	if (title.len && used + columns(&title) + GAP < r->cols)
		used += GAP + paint_string(r, used + GAP, look, str_text(&title));
	draw_put_brief(view, r->cols - used - GAP - 3, &brief);
	if (brief.len) {
		str_reset(&title);
		str_fmt(&title, " %s ", brief.text);
		paint_right(r, used, look, &title);
	}
	str_release(&title);
	str_release(&number);
	str_release(&brief);
}

/* What is known of the tensor that the pane shows, above its lines. */
void draw_modern_strip(struct app *app, int i)
{
	const struct rect *r = &app->layout.pane[i].strip;
	const struct doc *doc = view_doc(&app->view[i]);
	struct str text = {0};
	enum row_sign sign;
	bool bad;

	if (!r->rows || !doc || !doc_has_summary(doc))
		return;
	sign = doc_sum_up(doc, r->cols, glyphs_fine(), &text);
	bad = row_sign_is_bad(sign);
	paint_fill(r->row, r->col, r->cols, theme(LOOK_TEXT), ' ');
	fit_items(&text, r->cols);
	paint_string(r, 0, theme(bad ? ROLE_BAD : LOOK_DIM), str_text(&text));
	str_release(&text);
}

/* In the row below a blank one behind what shows, if there is one. */
void draw_modern_empty(struct app *app, int view)
{
	const struct rect *r = &app->layout.pane[view].text;
	struct str text = {0}, escaped = {0};
	size_t n;

	empty_put(app, view, &text);
	if (text.len) {
		utf8_escape(&escaped, text.text, text.len);
		pane_pieces(&app->view[view].pane, &n);
		n += n + 1 < (size_t)r->rows;
		if (n < (size_t)r->rows)
			paint_text(r->row + (int)n, r->col + GAP, r->cols - GAP, theme(LOOK_DIM),
			           escaped.text, escaped.len);
	}
	str_release(&text);
	str_release(&escaped);
}

/* The bottom. */

/* "row 208/301  69 %", of less than a row what it is. */
static void put_place(struct pane *pane, struct str *out)
{
	struct whereabouts where = pane_where(pane);

	if (!pane_doc(pane) || pane_has_item(pane))
		return;
	put_number(pane, out);
	if (where.scrolls)
		str_fmt(out, "%s%d %%", out->len ? "  " : "",
		        where.below ? (int)(100 * where.fraction) : 100);
}

/*
 * What is shown of the element under the cursor, what is known of what its row is about; else of
 * the first and last row that show.
 */
static void put_row(struct pane *pane, struct str *out)
{
	struct str first = {0}, last = {0};

	if (!pane_doc(pane))
		return;
	if (pane_has_item(pane)) {
		pane_put_item(pane, out);
	} else if (!doc_say_row(pane_doc(pane), pane_cursor_doc_row(pane), glyphs_fine(), out)) {
		pane_put_ends(pane, &first, &last);
		if (first.len || last.len)
			str_fmt(out, "%s%s%s", str_text(&first), first.len ? "-" : "to ",
			        str_text(&last));
	}
	str_release(&first);
	str_release(&last);
}

/* What is chosen from a list over the panes, where it may be cut. False: there is none. */
static bool put_choice(struct app *app, struct str *out)
{
	const struct sheet_item *key = app->sheet.open ? sheet_chosen(&app->sheet) : NULL;
	const struct palette_row *row = palette_chosen(&app->palette);

	if (key)
		str_fmt(out, "%s: %s", str_text(&key->keys), key->help);
	else if (row)
		str_fmt(out, "%s: %s", str_text(&row->name), str_text(&row->says));
	return key || row;
}

/* Of the row as much as leaves room for the place; its first item comes before that. */
static void put_row_beside(struct pane *pane, int cols, struct str *right, struct str *out)
{
	int beside = cols - 1 - GAP - columns(right) - 1;
	struct str row = {0};

	put_row(pane, &row);
	str_put(out, str_text(&row), row.len);
	fit_items(out, beside);
	if (right->len && columns(out) > beside) {
		str_reset(right);
		str_reset(out);
		str_put(out, str_text(&row), row.len);
		fit_items(out, cols - 1);
	}
	str_release(&row);
}

static void draw_info(struct app *app)
{
	const struct rect *r = &app->layout.status;
	struct str left = {0}, right = {0}, escaped = {0};
	struct pane *pane = app_pane(app);
	unsigned look = theme(LOOK_TEXT);

	if (!r->rows)
		return;
	paint_fill(r->row, r->col, r->cols, look, ' ');
	put_place(pane, &right);
	if (app->toast.until_ms) {
		str_puts(&left, str_text(&app->toast.text));
		look = theme((int)app->toast.look);
	} else {
		news_put_urgent(app, &left);
		if (!left.len)
			news_put(app, &left);
		if (!left.len && !put_choice(app, &left))
			put_row_beside(pane, r->cols, &right, &left);
	}
	utf8_escape(&escaped, str_text(&left), left.len);
	paint_right(r, 1 + paint_string(r, 1, look, str_text(&escaped)), theme(LOOK_TEXT), &right);
	str_release(&left);
	str_release(&right);
	str_release(&escaped);
}

static void draw_keys(struct app *app)
{
	const struct rect *r = &app->layout.keys;
	struct keybar bar = {0};

	if (!r->rows)
		return;
	paint_fill(r->row, r->col, r->cols, theme(LOOK_KEY_TEXT), ' ');
	if (app->hints.len && app->layout.menu.rows) {   /* its entries have letters */
		draw_bar(app, &app->layout.menu);
		return;
	}
	keybar_make(app, r->cols, &bar);
	for (size_t i = 0; i < bar.items.len; i++) {
		const struct keybar_item *item = &bar.items.at[i];
		int used = paint_text(r->row, item->col, r->cols - item->col, theme(LOOK_KEY),
		                      bar.text.text + item->begin, item->keys_end - item->begin);

		paint_text(r->row, item->col + used, r->cols - item->col - used,
		           theme(LOOK_KEY_TEXT), bar.text.text + item->keys_end,
		           item->end - item->keys_end);
	}
	keybar_release(&bar);
}

void draw_modern_bottom(struct app *app)
{
	draw_info(app);
	draw_keys(app);
}
