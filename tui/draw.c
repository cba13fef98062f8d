/* From the state to cells: bars, panes, what lies over them, status, prompt. */
#include "tui/draw.h"

#include <inttypes.h>
#include <string.h>

#include <curses.h>

#include "dump/base/utf8.h"
#include "tui/draw_modern.h"
#include "tui/draw_palette.h"
#include "tui/draw_parts.h"
#include "tui/draw_sheet.h"
#include "tui/draw_view.h"
#include "tui/glyphs.h"
#include "tui/gutter.h"
#include "tui/hints.h"
#include "tui/keys.h"
#include "tui/news.h"
#include "tui/paint.h"
#include "tui/prompt.h"
#include "tui/quiet.h"
#include "tui/status.h"
#include "tui/wrap.h"

enum { LEAST_LINE_COLS = 4 };

/* Bars. */

/* How many of the panes show, where it isn't all of them. */
static void put_hidden(const struct app *app, struct str *out)
{
	if (app->layout.n_hidden)
		str_fmt(out, " [%d/%d] ", app->layout.n_panes - app->layout.n_hidden,
		        app->layout.n_panes);
}

static void draw_title(struct app *app)
{
	const struct rect *r = &app->layout.title;
	struct doc_title title = app_title(app);
	unsigned attributes = draw_title_attributes(app);
	struct str hidden = {0};
	int used;

	if (app->layout.too_small) {
		paint_string(r, 0, theme(LOOK_TEXT), "terminal too small");
		return;
	}
	paint_fill(r->row, r->col, r->cols, attributes, '-');
	used = paint_string(r, 0, attributes, "--- ");
	used += paint_string(r, used, attributes, title.text);
	paint_string(r, used, attributes, " ");
	put_hidden(app, &hidden);
	if (hidden.len + 3 < (size_t)r->cols)
		paint_string(r, r->cols - (int)hidden.len - 3, attributes, str_text(&hidden));
	str_release(&hidden);
}

static void draw_bars(struct app *app)
{
	const struct rect *both[] = { &app->layout.nav, &app->layout.menu };

	for (int i = 0; i < 2; i++) {
		const struct rect *r = both[i];

		if (!r->rows)
			continue;
		paint_fill(r->row, r->col, r->cols, theme(LOOK_TEXT), ' ');
		draw_bar(app, r);
	}
}

/* Panes. */

static void draw_rules(const struct app *app)
{
	for (int i = 0; i < app->layout.n_rules; i++) {
		const struct rect *r = &app->layout.rule[i].rect;
		const char *sign = glyph(GLYPH_BESIDE);

		if (r->rows == 1 && r->cols > 1)
			paint_fill(r->row, r->col, r->cols, theme(LOOK_RULE), '-');
		else
			for (int row = 0; row < r->rows; row++)
				paint_text(r->row + row, r->col, 1, theme(LOOK_RULE), sign,
				           strlen(sign));
	}
}

/* The pane whose text ends where this rule is, at its left end; NO_PANE: none. */
static int pane_above(const struct app *app, const struct rect *rule)
{
	for (int i = 0; i < MAX_PANES; i++) {
		const struct rect *text = &app->layout.pane[i].text;

		if (text->rows && text->row + text->rows == rule->row && text->col == rule->col)
			return i;
	}
	return NO_PANE;
}

/* At the right end of the rule, what the body above it has to say in brief. */
static void draw_brief(struct app *app, const struct rect *rule, int used)
{
	int above = pane_above(app, rule), room = rule->cols - used - 4, cols;
	struct str brief = {0};

	if (above != NO_PANE)
		draw_put_brief(&app->view[above], room, &brief);
	cols = (int)utf8_columns(str_text(&brief), brief.len);
	if (cols) {
		paint_string(rule, rule->cols - cols - 3, theme(LOOK_RULE), " ");
		paint_string(rule, rule->cols - cols - 2, theme(LOOK_RULE), brief.text);
		paint_string(rule, rule->cols - 2, theme(LOOK_RULE), " ");
	}
	str_release(&brief);
}

/* "--- pt a:0 ---" on the rule above a pane. */
static void draw_rule_title(struct app *app, int view)
{
	const struct rect *r = &app->layout.pane[view].title;
	unsigned look = theme(view == app->focus ? LOOK_FOCUSED_RULE : LOOK_RULE);
	int used;

	if (!r->rows)
		return;
	used = paint_string(r, 0, look, "--- ");
	used += paint_string(r, used, look, view_command(&app->view[view]));
	used += paint_string(r, used, look, " ");
	draw_brief(app, r, used);
}

static void draw_panes(struct app *app)
{
	if (!app_is_modern(app))
		draw_rules(app);
	for (int i = 0; i < MAX_PANES; i++) {
		if (app_is_hidden(app, i))
			continue;
		pane_begin_frame(&app->view[i].pane);
		draw_view(&app->view[i].pane, view_gutter(&app->view[i]), &app->layout.pane[i]);
		if (app_is_modern(app)) {
			gutter_draw(app, i);
			draw_modern_frame(app, i);
			draw_modern_strip(app, i);
			draw_modern_empty(app, i);
		} else {
			draw_rule_title(app, i);
		}
	}
}

static struct pane_box overlay_box(const struct app *app)
{
	const struct rect *all = &app->layout.output;
	struct pane_box box = { .text = *all, .bar = *all };

	box.bar.col = all->cols;
	box.bar.cols = app->layout.cols - all->cols;
	return box;
}

static void draw_overlay(struct app *app)
{
	struct pane_box box = overlay_box(app);

	for (int i = 0; i < box.text.rows; i++)
		paint_fill(box.text.row + i, 0, app->layout.cols, theme(LOOK_TEXT), ' ');
	pane_begin_frame(&app->overlay_pane);
	draw_view(&app->overlay_pane, 0, &box);
}

/* What lies over the panes. */

static void draw_hints(const struct app *app)
{
	for (size_t i = 0; i < app->hints.len; i++) {
		const struct hint *hint = &app->hints.at[i];

		if (hint_fits(app, hint))
			paint_text(hint->row, hint->col, app->layout.cols - hint->col,
			           theme(LOOK_HINT), hint->label, strlen(hint->label));
	}
}

/*
 * Draws rows of wrapped text, the last of them at the bottom; `more` takes the place of the last.
 */
static void draw_candidate_rows(const struct app *app, const struct str *text, size_t label,
                                int rows, const char *more)
{
	const struct rect *r = &app->layout.output;
	int cols = r->cols - 1;
	size_t begin = 0;

	for (int i = 0; i < rows; i++) {
		int row = r->row + r->rows - rows + i, used = 0;
		size_t end = wrap_end(text->text, text->len, begin, cols);

		paint_fill(row, r->col, r->cols, theme(LOOK_TEXT), ' ');
		if (!i)
			used = paint_text(row, r->col, cols, theme(LOOK_TEXT), text->text, label);
		if (i == rows - 1 && *more)
			paint_text(row, r->col, cols, theme(LOOK_TEXT), more, strlen(more));
		else
			paint_text(row, r->col + used, cols - used, theme(LOOK_CANDIDATE),
			           text->text + (i ? begin : label), end - (i ? begin : label));
		begin = end;
	}
}

static size_t names_before(const struct candidates *c, size_t off)
{
	size_t n = 0;

	while (n < c->begin.len && c->begin.at[n] < off)
		n++;
	return n;
}

static void draw_candidates(const struct app *app)
{
	const struct candidates *c = &app->candidates;
	const struct rect *r = &app->layout.output;
	static const char label[] = "Candidates: ";
	struct str text = {0}, more = {0};
	uint32_t rows, most = (uint32_t)(r->rows / 2);
	int cols = r->cols - 1;

	if (!c->total)
		return;
	str_puts(&text, label);
	str_put(&text, str_text(&c->text), c->text.len);
	rows = wrap_pieces(text.text, text.len, cols);
	if (rows > most || c->total > c->begin.len) {
		size_t shown, label_len = strlen(label);

		rows = rows < most ? rows + 1 : most;
		shown = wrap_begin(text.text, text.len, cols, rows - 1);
		shown = shown > label_len ? names_before(c, shown - label_len) : 0;
		str_fmt(&more, "... and %zu more", c->total - shown);
	}
	draw_candidate_rows(app, &text, strlen(label), (int)rows, str_text(&more));
	str_release(&text);
	str_release(&more);
}

static bool is_busy(const struct app *app)
{
	return app->settled && worker_busy(app->worker) && !app->running.detail &&
	       !quiet_runs(app) && worker_seconds(app->worker) > 0.1;
}

static void draw_toast(struct app *app)
{
	const struct rect *r = &app->layout.output;
	const struct toast *toast = &app->toast;
	const char *text = toast->until_ms ? str_text(&toast->text) : "Processing...";
	int row = r->row + r->rows - 1;

	if (!toast->until_ms && !is_busy(app))
		return;
	paint_fill(row, r->col, r->cols, theme(LOOK_TEXT), ' ');
	paint_text(row, r->col, r->cols,
	           theme(toast->until_ms ? (int)toast->look : LOOK_BUSY_TOAST), text, strlen(text));
}

/* The status line. */

static void draw_status(struct app *app)
{
	const struct rect *r = &app->layout.status;
	struct pane *pane = app_pane(app);
	struct str first = {0}, last = {0}, news = {0}, text = {0}, escaped = {0};
	struct str cell = {0}, hints = {0};
	struct status status = { .view = pane->focus, .mouse = app->mouse };

	if (!r->rows)
		return;
	if (pane_doc(pane)) {
		status.where = pane_where(pane);
		pane_put_ends(pane, &first, &last);
		if (app->overlay)
			str_puts(&hints, "Esc close");
		else
			key_put_hints(&hints, pane_doc(pane), pane_opens(pane));
		status.hints = str_text(&hints);
	}
	if (pane_has_item(pane)) {
		pane_put_item(pane, &cell);
		status.cell = str_text(&cell);
	}
	news_put_urgent(app, &news);
	status.urgent = news.len > 0;
	if (!status.urgent)
		news_put(app, &news);
	utf8_escape(&escaped, str_text(&news), news.len);
	status.first = str_text(&first);
	status.last = str_text(&last);
	status.news = str_text(&escaped);
	status.row = pane_cursor_number(pane);
	status.rows = pane_row_numbers(pane, &status.all);
	status.filtered = rows_filtered(&pane->shown);
	status_text(&text, &status, r->cols);
	paint_string(r, 0, theme(LOOK_STATUS), str_text(&text));
	str_release(&first);
	str_release(&last);
	str_release(&news);
	str_release(&text);
	str_release(&escaped);
	str_release(&cell);
	str_release(&hints);
}

/* The prompt. */

/* Its rows are a window on the wrapped line that always holds the cursor. */
static void draw_prompt(const struct app *app)
{
	const struct rect *r = &app->layout.prompt;
	const char *label = prompt_label(), *text = prompt_text();
	size_t len = strlen(text), cursor = prompt_cursor(), begin;
	int label_cols = (int)utf8_columns(label, strlen(label));
	int cols, col;
	uint32_t piece, top;

	if (!r->rows)
		return;
	if (label_cols + LEAST_LINE_COLS > r->cols)
		label_cols = 0;
	cols = r->cols - label_cols;
	if (label_cols)
		paint_string(r, 0, theme(LOOK_PROMPT), label);
	piece = wrap_piece_at(text, len, cols, cursor);
	begin = wrap_begin(text, len, cols, piece);
	col = (int)utf8_columns(text + begin, cursor - begin);
	if (col >= cols) {
		piece++;
		col = 0;
	}
	top = piece >= (uint32_t)r->rows ? piece - (uint32_t)r->rows + 1 : 0;
	begin = wrap_begin(text, len, cols, top);
	for (int i = 0; i < r->rows && top + (uint32_t)i <= piece + 1 && begin < len; i++) {
		size_t end = wrap_end(text, len, begin, cols);

		paint_text(r->row + i, r->col + label_cols, cols, A_NORMAL, text + begin,
		           end - begin);
		begin = end;
	}
	move(r->row + (int)(piece - top), r->col + label_cols + (col < cols ? col : cols - 1));
}

/* In the view the terminal's cursor is on the cursor's row. */
static void place_cursor(struct app *app)
{
	struct pane_box box = app->overlay ? overlay_box(app) : app->layout.pane[app->focus];
	int row, col, gutter = app->overlay ? 0 : view_gutter(app_view(app));

	if (!app->layout.too_small && draw_cursor_cell(app_pane(app), gutter, &box, &row, &col))
		move(row, col);
}

static void draw_around(struct app *app)
{
	if (app_is_modern(app) && !app->layout.too_small) {
		draw_modern_top(app);
		return;
	}
	draw_title(app);
	if (!app->layout.too_small)
		draw_bars(app);
}

static void draw_below(struct app *app)
{
	if (app_is_modern(app)) {
		draw_modern_bottom(app);
		return;
	}
	draw_toast(app);
	draw_status(app);
}

void draw(struct app *app)
{
	bkgdset(' ' | theme_ground());
	erase();
	draw_around(app);
	if (!app->layout.too_small) {
		draw_panes(app);
		if (app->overlay)
			draw_overlay(app);
		draw_candidates(app);
		draw_palette(app);
		draw_sheet(app);
		draw_below(app);
		draw_hints(app);
	}
	draw_prompt(app);
	place_cursor(app);
	draw_sheet_cursor(app);
	attrset(A_NORMAL);
	refresh();
}
