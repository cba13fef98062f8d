/*
 * A rule, then as many rows as there may be, even if fewer fit: what is below the rule stays where
 * it is while one types. Short names have a column of their own.
 */
#include "tui/draw_palette.h"

#include <inttypes.h>
#include <string.h>

#include <curses.h>

#include "cmds/lang/fuzzy.h"
#include "dump/base/utf8.h"
#include "tui/glyphs.h"
#include "tui/paint.h"

enum { FIRST_COL = 1, GAP = 2, LEAST_ROWS = 5 };

/* Of the shown rows: where names begin behind aliases, where what is said begins. */
struct columns { int alias, name, says; };

static int width(const struct str *text)
{
	return (int)utf8_columns(str_text(text), text->len);
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static const struct str *short_name(const struct palette_row *row)
{
	return row->alias.len && row->alias.len < row->name.len ? &row->alias : &row->name;
}

static const struct str *long_name(const struct palette_row *row)
{
	return short_name(row) == &row->alias || !row->alias.len ? &row->name : &row->alias;
}

static int name_column(const struct columns *at, const struct palette_row *row)
{
	return row->kind == OFFER_COMMAND || row->kind == OFFER_OPTION ? at->name : at->alias;
}

static struct columns columns_of(const struct palette *p, int n, int cols)
{
	struct columns at = { FIRST_COL, FIRST_COL, FIRST_COL };

	for (int i = 0; i < n; i++)
		if (p->rows.at[i].alias.len)
			at.name = larger(at.name,
			                 at.alias + width(short_name(&p->rows.at[i])) + GAP);
	for (int i = 0; i < n; i++) {
		const struct palette_row *row = &p->rows.at[i];

		at.says = larger(at.says, name_column(&at, row) + width(long_name(row)) + GAP);
	}
	if (at.says > cols * 2 / 3)
		at.says = cols * 2 / 3;
	return at;
}

/* Of a name that is too long the end shows: there the names differ. */
static size_t cut_begin(const struct str *text, int room)
{
	size_t begin = 0;

	while (begin < text->len &&
	       (int)utf8_columns(text->text + begin, text->len - begin) > room - 1)
		do
			begin++;
		while (begin < text->len && (text->text[begin] & 0xc0) == 0x80);
	return begin;
}

/* The letters that were typed are underlined, so that they stand out without colours too. */
static void paint_name(const struct rect *r, int col, int room, unsigned look,
                       const struct str *text, const bool *typed)
{
	size_t begin = 0, end;

	if (room < 1)
		return;
	if (width(text) > room) {
		begin = cut_begin(text, room);
		col += paint_string(r, col, look, glyphs_fine() ? "…" : "~");
		room--;
	}
	for (; begin < text->len; begin = end) {
		bool marked = begin < FUZZY_MOST && typed[begin];
		int used;

		for (end = begin + 1; end < text->len; end++)
			if ((end < FUZZY_MOST && typed[end]) != marked)
				break;
		used = paint_text(r->row, r->col + col, room,
		                  marked ? look | A_UNDERLINE | A_BOLD : look, text->text + begin,
		                  end - begin);
		col += used;
		room -= used;
	}
}

static void draw_row(const struct rect *r, const struct palette *p, const struct palette_row *row,
                     const struct columns *at, bool chosen)
{
	bool typed[FUZZY_MOST] = { false };
	static const bool none[FUZZY_MOST];
	unsigned look = theme(chosen ? (int)LOOK_CHOSEN : (int)LOOK_TEXT);
	unsigned strong = chosen ? look : theme(ROLE_STRONG);
	unsigned dim = chosen ? look : theme(LOOK_DIM);
	int name = name_column(at, row);

	fuzzy_mark(str_text(&p->typed) + p->begin, p->cursor - p->begin, str_text(&row->name),
	           row->name.len, typed);
	paint_fill(r->row, r->col, r->cols, look, ' ');
	if (row->alias.len)
		paint_name(r, at->alias, at->name - at->alias, strong, short_name(row),
		           short_name(row) == &row->name ? typed : none);
	paint_name(r, name, at->says - name - GAP, row->alias.len ? look : strong, long_name(row),
	           long_name(row) == &row->name ? typed : none);
	if (at->says >= r->cols)
		return;
	paint_string(r, at->says, dim, str_text(&row->says));
	if (at->says + width(&row->says) > r->cols)
		paint_string(r, r->cols - 1, dim, glyphs_fine() ? "…" : "~");
}

/* What is found, and of how many that is so far. */
static void draw_rule(const struct rect *r, const struct palette *p)
{
	const char *along = glyph(GLYPH_ALONG);
	struct str text = {0};

	for (int col = 0; col < r->cols; col++)
		paint_text(r->row, r->col + col, 1, theme(LOOK_RULE), along, strlen(along));
	if (p->done && !p->n_fit)
		str_puts(&text, " nothing matches ");
	else
		str_fmt(&text, " %" PRIu64 " match%s%s ", p->n_fit, p->n_fit == 1 ? "es" : "",
		        p->done ? "" : " so far");
	paint_string(r, FIRST_COL, theme(LOOK_RULE), str_text(&text));
	str_release(&text);
}

/* Where its rows are, below the rule; false: it doesn't show. *first: the row on top. */
static bool rows_of(const struct app *app, struct rect *out, int *first)
{
	const struct rect *panes = &app->layout.output;
	const struct palette *p = &app->palette;
	int rows = panes->rows - panes->rows / 3 - 1;

	if (!p->open || panes->rows < LEAST_ROWS)
		return false;
	if (rows > PALETTE_ROWS)
		rows = PALETTE_ROWS;
	*out = (struct rect){ panes->row + panes->rows - rows, 0, rows, app->layout.cols };
	*first = palette_chosen(p) && (int)p->chosen >= rows ? (int)p->chosen - rows + 1 : 0;
	return true;
}

void draw_palette(struct app *app)
{
	const struct palette *p = &app->palette;
	struct rect rows, r;
	struct columns at;
	int first, n = (int)p->rows.len;

	if (app_in_view(app) || !rows_of(app, &rows, &first))
		return;
	r = (struct rect){ rows.row - 1, 0, 1, rows.cols };
	at = columns_of(p, n, r.cols);
	draw_rule(&r, p);
	for (int i = 0; i < rows.rows; i++) {
		r.row++;
		if (first + i < n)
			draw_row(&r, p, &p->rows.at[first + i], &at,
			         (size_t)(first + i) == p->chosen);
		else
			paint_fill(r.row, r.col, r.cols, theme(LOOK_TEXT), ' ');
	}
}

size_t draw_palette_row_at(const struct app *app, int row, bool *in)
{
	struct rect rows;
	int first, at;

	*in = rows_of(app, &rows, &first) && row >= rows.row - 1 && row < rows.row + rows.rows;
	if (!*in)
		return NO_CHOICE;
	at = row - rows.row + first;
	return row >= rows.row && at < (int)app->palette.rows.len ? (size_t)at : NO_CHOICE;
}
