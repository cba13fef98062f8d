/*
 * From the model to cells. Every text goes through its cell text and is clipped by columns before curses sees it. A
 * frame draws all windows; curses sends what changed.
 */
#include "tui/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <curses.h>

#include "dump/base/utf8.h"
#include "tui/prompt.h"
#include "tui/status.h"
#include "tui/wrap.h"

enum { BADGE_GAP = 1, LEAST_LINE_COLS = 4 };

/* Draws text from a cell on, clipped to cols; returns the columns it took. */
static int put_text(int row, int col, int cols, attr_t attr, const char *text, size_t len)
{
	struct str cell = {0};
	int used = 0;

	attrset(attr);
	while (len) {
		uint32_t cp;
		size_t n = utf8_next(text, len, &cp);
		int width;

		str_reset(&cell);
		width = utf8_cell(&cell, text, n, cp);
		if (used + width > cols)
			break;
		if (width || used)       /* a combining character needs a cell before it */
			mvaddnstr(row, col + used, cell.text, (int)cell.len);
		used += width;
		text += n;
		len -= n;
	}
	str_release(&cell);
	return used;
}

static int put_string(const struct rect *r, int col, attr_t attr, const char *text)
{
	return put_text(r->row, r->col + col, r->cols - col, attr, text, strlen(text));
}

static void fill(int row, int col, int cols, attr_t attr, char c)
{
	attrset(attr);
	if (cols > 0)
		mvhline(row, col, (chtype)(unsigned char)c | attr, cols);
}

/* Bars. */

static void draw_title(const struct app *app)
{
	const struct rect *r = &app->layout.title;
	const char *notice = "terminal too small";
	int used;

	if (app->layout.too_small) {
		put_string(r, 0, theme(LOOK_TEXT), notice);
		return;
	}
	fill(r->row, r->col, r->cols, theme(LOOK_TITLE), '-');
	used = put_string(r, 0, theme(LOOK_TITLE), "--- ");
	used += put_string(r, used, theme(LOOK_TITLE), shell_title(app->shell));
	put_string(r, used, theme(LOOK_TITLE), " ");
}

static const char *shown_command(struct app *app)
{
	struct screen *screen = screens_now(&app->screens);

	return app->so_far || !screen ? shell_first_command(app->shell) : screen->command;
}

static bool can_go(struct app *app, int step)
{
	if (app->so_far || !app->screens.len)
		return false;
	return step < 0 ? app->screens.now > 0 : screens_behind(&app->screens) > 0;
}

static void draw_nav(struct app *app)
{
	const struct rect *r = &app->layout.nav;
	size_t behind = screens_behind(&app->screens);
	attr_t plain = theme(LOOK_TEXT), link = theme(LOOK_LINK);
	attr_t look = theme(behind ? LOOK_OLDER : LOOK_CURRENT);
	struct str text = {0};
	int used;

	if (!r->rows)
		return;
	fill(r->row, r->col, r->cols, plain, ' ');
	used = put_string(r, 0, plain, "| ");
	used += put_string(r, used, can_go(app, -1) ? link : plain, "<--");
	used += put_string(r, used, plain, " ");
	used += put_string(r, used, can_go(app, 1) ? link : plain, "-->");
	if (app->pane.doc) {
		used += put_string(r, used, plain, " | ");
		if (behind)
			str_fmt(&text, "(-%zu) ", behind);
		str_puts(&text, shown_command(app));
		put_string(r, used, look, str_text(&text));
	}
	str_release(&text);
}

static void draw_menu(const struct app *app)
{
	const struct rect *r = &app->layout.menu;
	attr_t plain = theme(LOOK_TEXT);
	size_t n;
	const struct menu_item *items;
	int used;

	if (!r->rows)
		return;
	items = doc_menu(app->pane.doc, &n);
	fill(r->row, r->col, r->cols, plain, ' ');
	used = put_string(r, 0, plain, "| ");
	for (size_t i = 0; i < n; i++) {
		attr_t look = items[i].on ? theme(LOOK_LINK) : plain;

		used += put_string(r, used, look, items[i].caption);
		used += put_string(r, used, plain, i + 1 < n ? " | " : " |");
	}
}

const char *bar_command_at(struct app *app, int row, int col)
{
	const struct rect *nav = &app->layout.nav, *menu = &app->layout.menu;
	const struct menu_item *items;
	size_t n;
	int at = 2;

	if (nav->rows && row == nav->row && col >= 2 && col < 5 && can_go(app, -1))
		return "prev";
	if (nav->rows && row == nav->row && col >= 6 && col < 9 && can_go(app, 1))
		return "next";
	if (!menu->rows || row != menu->row || col >= menu->cols)
		return NULL;
	items = doc_menu(app->pane.doc, &n);
	for (size_t i = 0; i < n; i++) {
		int width = (int)utf8_columns(items[i].caption, strlen(items[i].caption));

		if (col >= at && col < at + width)
			return items[i].on ? items[i].command : NULL;
		at += width + 3;
	}
	return NULL;
}

static void draw_scroll_bar(struct app *app, const struct whereabouts *where)
{
	const struct rect *r = &app->layout.bar;
	attr_t look = theme(LOOK_BAR);

	if (!where->scrolls || r->rows < 2)
		return;
	put_string(r, 0, look, "UP");
	put_text(r->row + r->rows - 1, r->col, r->cols, look, "DN", 2);
	if (r->rows >= 3)
		fill(r->row + 1 + (int)(where->fraction * (r->rows - 3)), r->col, r->cols, look, ' ');
}

/* The output. */

typedef VEC(attr_t) attr_list;

static void paint(attr_list *looks, const struct piece *piece, size_t begin, size_t end,
                  attr_t attr)
{
	for (size_t i = begin < piece->begin ? piece->begin : begin; i < end && i < piece->end; i++)
		looks->at[i - piece->begin] = attr;
}

static attr_t seg_look(const struct seg *seg)
{
	if (seg->link == NO_LINK)
		return theme((int)seg->role);
	return seg->role == ROLE_PLAIN ? theme(LOOK_LINK) : theme((int)seg->role) | A_UNDERLINE;
}

/* A look for every byte of the piece: text, then segments, then matches, then the cursor. */
static void looks_of(struct pane *pane, const struct piece *piece, attr_list *looks,
                     span_list *matches)
{
	bool here = pane->focus && piece->at.row == pane->cursor.row;
	bool cursor = here && piece->at.piece == pane->cursor.piece;

	looks->len = 0;
	for (size_t i = piece->begin; i < piece->end; i++)
		vec_push(looks, theme(LOOK_TEXT));
	for (size_t i = 0; i < piece->line->segs.len; i++) {
		const struct seg *seg = &piece->line->segs.at[i];

		paint(looks, piece, seg->begin, seg->end, seg_look(seg));
	}
	pane_matches(pane, piece->line, matches);
	for (size_t i = 0; i < matches->len; i++)
		paint(looks, piece, matches->at[i].begin, matches->at[i].end, theme(LOOK_MATCH));
	for (size_t i = 0; cursor && i < looks->len; i++)
		looks->at[i] |= A_REVERSE;
	if (here && pane->link < piece->line->segs.len) {
		const struct seg *chosen = &piece->line->segs.at[pane->link];

		paint(looks, piece, chosen->begin, chosen->end, theme(LOOK_CHOSEN));
	}
}

static void draw_piece(struct pane *pane, const struct piece *piece, const struct rect *r, int row)
{
	attr_list looks = {0};
	span_list matches = {0};
	const char *text = str_text(&piece->line->text) + piece->begin;
	size_t len = piece->end - piece->begin, begin = 0;
	int used = 0;

	looks_of(pane, piece, &looks, &matches);
	while (begin < len) {
		size_t end = begin + 1;

		while (end < len && looks.at[end] == looks.at[begin])
			end++;
		used += put_text(r->row + row, r->col + used, r->cols - used, looks.at[begin],
		                 text + begin, end - begin);
		begin = end;
	}
	if (pane->focus && piece->at.row == pane->cursor.row && piece->at.piece == pane->cursor.piece)
		fill(r->row + row, r->col + used, r->cols - used, theme(LOOK_CURSOR), ' ');
	vec_release(&looks);
	vec_release(&matches);
}

/* "@[1,0]" over the leading blanks of a row, where they hold it and a gap. */
static void draw_badge(const struct piece *piece, const struct rect *r, int row)
{
	struct str badge = {0};
	const char *text = str_text(&piece->line->text);

	if (piece->at.piece)
		return;
	str_putc(&badge, '@');
	put_index(&badge, piece->line);
	if (badge.len > 1 && strspn(text, " ") >= badge.len + BADGE_GAP)
		put_text(r->row + row, r->col, r->cols, theme(LOOK_BADGE), badge.text, badge.len);
	str_release(&badge);
}

static void draw_output(struct app *app)
{
	const struct rect *r = &app->layout.output;
	struct pane *pane = app_pane(app);
	size_t n;
	const struct piece *pieces;

	for (int i = 0; i < r->rows; i++)
		fill(r->row + i, r->col, r->cols - 1, theme(LOOK_TEXT), ' ');
	if (!pane->doc)
		return;
	pieces = pane_pieces(pane, &n);
	for (size_t i = 0; i < n; i++)
		draw_piece(pane, &pieces[i], r, (int)i);
	if (n)
		draw_badge(&pieces[0], r, 0);
	if (n == (size_t)r->rows && n > 1)
		draw_badge(&pieces[n - 1], r, (int)n - 1);
}

/* What lies over the output. */

/* Draws rows of wrapped text, the last of them at the bottom; `more` takes the place of the last. */
static void draw_candidate_rows(const struct app *app, const struct str *text, size_t label, int rows,
                                const char *more)
{
	const struct rect *r = &app->layout.output;
	int cols = r->cols - 1;
	size_t begin = 0;

	for (int i = 0; i < rows; i++) {
		int row = r->row + r->rows - rows + i, used = 0;
		size_t end = wrap_end(text->text, text->len, begin, cols);

		fill(row, r->col, r->cols, theme(LOOK_TEXT), ' ');
		if (!i)
			used = put_text(row, r->col, cols, theme(LOOK_TEXT), text->text, label);
		if (i == rows - 1 && *more)
			put_text(row, r->col, cols, theme(LOOK_TEXT), more, strlen(more));
		else
			put_text(row, r->col + used, cols - used, theme(LOOK_CANDIDATE),
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

	if (!c->total || app->layout.too_small)
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

static void draw_toast(struct app *app)
{
	const struct rect *r = &app->layout.output;
	int row = r->row + r->rows - 1;
	const struct toast *toast = &app->toast;
	static const char busy_text[] = "Processing...";
	bool busy = app->settled && worker_busy(app->worker) && worker_seconds(app->worker) > 0.1;

	if (app->layout.too_small || (!toast->until_ms && !busy))
		return;
	fill(row, r->col, r->cols, theme(LOOK_TEXT), ' ');
	if (toast->until_ms)
		put_text(row, r->col, r->cols, theme(toast->look), str_text(&toast->text),
		         toast->text.len);
	else
		put_text(row, r->col, r->cols, theme(LOOK_BUSY_TOAST), busy_text, strlen(busy_text));
}

/* Below the output. */

static void put_job(const struct app *app, struct str *out)
{
	const struct progress *p = worker_progress(app->worker);
	uint64_t done = atomic_load(&p->done), total = atomic_load(&p->total);
	const char *what = atomic_load(&p->what);

	if (app->loading)
		str_puts(out, "reading: ");
	else
		str_fmt(out, "%.*s: ", (int)strcspn(app->running.line, " "), app->running.line);
	if (total)
		str_fmt(out, "%d%% of %" PRIu64, (int)((double)done * 100 / (double)total), total);
	else
		str_fmt(out, "%" PRIu64, done);
	str_fmt(out, " %s, %.1f s (Ctrl-C stops)", what ? what : "steps",
	        worker_seconds(app->worker));
}

static void put_news(struct app *app, struct str *out)
{
	if (app->asks_to_leave)
		str_puts(out, "Leave tensordbg? (y/n)");
	else if (app->typed_count)
		str_fmt(out, "%" PRIu64, app->typed_count);
	else if (worker_busy(app->worker) && worker_seconds(app->worker) > 0.2)
		put_job(app, out);
	else if (app_pane(app)->search.state == SEARCH_WORKING)
		str_fmt(out, "searching: %" PRIu64 " rows left (Ctrl-C stops)",
		        app_pane(app)->search.left);
}

static void draw_status(struct app *app, const struct whereabouts *where)
{
	const struct rect *r = &app->layout.status;
	struct pane *pane = app_pane(app);
	struct str first = {0}, last = {0}, news = {0}, text = {0}, escaped = {0};
	struct status status = { .where = *where, .view = pane->focus, .mouse = app->mouse };
	size_t n = 0;
	const struct piece *pieces = pane->doc ? pane_pieces(pane, &n) : NULL;

	if (!r->rows)
		return;
	if (n && !pieces[0].at.piece)
		put_index(&first, pieces[0].line);
	if (n > 1 && n == (size_t)app->layout.output.rows && !pieces[n - 1].at.piece)
		put_index(&last, pieces[n - 1].line);
	put_news(app, &news);
	utf8_escape(&escaped, str_text(&news), news.len);
	status.first = str_text(&first);
	status.last = str_text(&last);
	status.news = str_text(&escaped);
	status.row = pane->cursor.row + 1;
	status.rows = pane->doc ? doc_rows(pane->doc) : 0;
	status_text(&text, &status, r->cols);
	put_string(r, 0, theme(LOOK_STATUS), str_text(&text));
	str_release(&first);
	str_release(&last);
	str_release(&news);
	str_release(&text);
	str_release(&escaped);
}

/* Rows of the prompt are a window on the wrapped line that always holds the cursor. */
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
		put_string(r, 0, theme(LOOK_PROMPT), label);
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

		put_text(r->row + i, r->col + label_cols, cols, A_NORMAL, text + begin, end - begin);
		begin = end;
	}
	move(r->row + (int)(piece - top), r->col + label_cols + (col < cols ? col : cols - 1));
}

static void place_cursor(struct app *app)
{
	struct pane *pane = app_pane(app);
	size_t n;
	const struct piece *pieces;

	if (!pane->focus || !pane->doc || app->layout.too_small)
		return;
	pieces = pane_pieces(pane, &n);
	for (size_t i = 0; i < n; i++) {
		const struct piece *p = &pieces[i];
		size_t off = p->begin;

		if (p->at.row != pane->cursor.row || p->at.piece != pane->cursor.piece)
			continue;
		if (pane->link < p->line->segs.len && p->line->segs.at[pane->link].begin > off)
			off = p->line->segs.at[pane->link].begin;
		move(app->layout.output.row + (int)i,
		     (int)utf8_columns(str_text(&p->line->text) + p->begin, off - p->begin));
	}
}

void app_draw(struct app *app)
{
	struct pane *pane = app_pane(app);
	struct whereabouts where = {0};

	erase();
	draw_title(app);
	if (!app->layout.too_small) {
		draw_nav(app);
		if (pane->doc)
			where = pane_where(pane);
		draw_menu(app);
		draw_output(app);
		draw_scroll_bar(app, &where);
		draw_candidates(app);
		draw_toast(app);
		draw_status(app, &where);
	}
	draw_prompt(app);
	place_cursor(app);
	attrset(A_NORMAL);
	refresh();
}
