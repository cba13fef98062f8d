/*
 * A rule, then as many rows as there may be, even if fewer fit: what is below the rule stays where
 * it is while one types. Short names have a column of their own.
 */
#include "tui/draw_palette.h"

#include <inttypes.h>
#include <string.h>

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
static void paint_end(const struct rect *r, int col, int room, unsigned look,
                      const struct str *text)
{
	const char *cut = glyphs_fine() ? "…" : "~";
	size_t begin = 0;
	struct str shown = {0};

	if (room < 1)
		return;
	if (width(text) > room) {
		while (begin < text->len &&
		       (int)utf8_columns(text->text + begin, text->len - begin) > room - 1)
			do
				begin++;
			while (begin < text->len && (text->text[begin] & 0xc0) == 0x80);
		str_puts(&shown, cut);
	}
	str_put(&shown, str_text(text) + begin, text->len - begin);
	paint_text(r->row, r->col + col, room, look, str_text(&shown), shown.len);
	str_release(&shown);
}

static void draw_row(const struct rect *r, const struct palette_row *row, const struct columns *at,
                     bool chosen)
{
	unsigned look = theme(chosen ? (int)LOOK_CHOSEN : (int)LOOK_TEXT);
	unsigned strong = chosen ? look : theme(ROLE_STRONG);
	unsigned dim = chosen ? look : theme(LOOK_DIM);
	int name = name_column(at, row);

	paint_fill(r->row, r->col, r->cols, look, ' ');
	if (row->alias.len)
		paint_string(r, at->alias, strong, str_text(short_name(row)));
	paint_end(r, name, at->says - name - GAP, row->alias.len ? look : strong, long_name(row));
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
		str_puts(&text, " nothing fits ");
	else
		str_fmt(&text, " %" PRIu64 " fit%s%s ", p->n_fit, p->n_fit == 1 ? "s" : "",
		        p->done ? "" : " so far");
	paint_string(r, FIRST_COL, theme(LOOK_RULE), str_text(&text));
	str_release(&text);
}

void draw_palette(struct app *app)
{
	const struct rect *out = &app->layout.output;
	const struct palette *p = &app->palette;
	struct rect r = { 0, 0, 1, app->layout.cols };
	int rows = out->rows - out->rows / 3 - 1, n, first = 0;
	struct columns at;

	if (!p->open || app_in_view(app) || out->rows < LEAST_ROWS)
		return;
	if (rows > PALETTE_ROWS)
		rows = PALETTE_ROWS;
	n = (int)p->rows.len;
	if (palette_chosen(p) && (int)p->chosen >= rows)
		first = (int)p->chosen - rows + 1;
	at = columns_of(p, n, r.cols);
	r.row = out->row + out->rows - rows - 1;
	draw_rule(&r, p);
	for (int i = 0; i < rows; i++) {
		r.row++;
		if (first + i < n)
			draw_row(&r, &p->rows.at[first + i], &at,
			         (size_t)(first + i) == p->chosen);
		else
			paint_fill(r.row, r.col, r.cols, theme(LOOK_TEXT), ' ');
	}
}
