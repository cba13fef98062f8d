/* What is typed has the first row; the columns are below it. */
#include "tui/draw_sheet.h"

#include <string.h>

#include <curses.h>

#include "dump/base/utf8.h"
#include "tui/glyphs.h"
#include "tui/paint.h"

enum { FIRST_COL = 1, GAP = 2, MOST_KEYS_COLS = 12 };

static const char label[] = "keys: ";

static int width(const char *text)
{
	return (int)utf8_columns(text, strlen(text));
}

static int keys_cols(const struct sheet *sheet)
{
	int most = 0;

	for (size_t i = 0; i < sheet->items.len; i++) {
		int cols = width(str_text(&sheet->items.at[i].keys));

		if (cols > most && cols <= MOST_KEYS_COLS)
			most = cols;
	}
	return most;
}

/* Text in so many columns; the last is a mark if it doesn't fit. */
static void paint_cut(int row, int col, int cols, unsigned look, const char *text)
{
	paint_text(row, col, cols, look, text, strlen(text));
	if (cols > 0 && width(text) > cols)
		paint_string(&(struct rect){ row, col, 1, cols }, cols - 1, look,
		             glyphs_fine() ? "…" : "~");
}

static void draw_item(const struct sheet *sheet, const struct sheet_line *line,
                      const struct rect *cell, int keys, bool chosen)
{
	const struct sheet_item *item = &sheet->items.at[line->item];
	unsigned look = theme(chosen ? (int)LOOK_CHOSEN : (int)LOOK_TEXT);
	unsigned strong = theme(chosen ? (int)LOOK_CHOSEN : (int)ROLE_STRONG);
	int at = FIRST_COL + keys + GAP;

	if (line->heading) {
		paint_string(cell, FIRST_COL, theme(LOOK_HEADING), key_group_names[item->group]);
		return;
	}
	if (chosen)
		paint_fill(cell->row, cell->col, cell->cols - 1, look, ' ');
	paint_cut(cell->row, cell->col + FIRST_COL, keys, strong, str_text(&item->keys));
	paint_cut(cell->row, cell->col + at, cell->cols - at - 1, look, item->help);
}

void draw_sheet(struct app *app)
{
	const struct sheet *sheet = &app->sheet;
	const struct rect *out = &app->layout.output;
	int cols = sheet_column_cols(sheet), keys = keys_cols(sheet);
	struct rect top = { out->row, 0, 1, app->layout.cols };

	if (!sheet->open)
		return;
	for (int i = 0; i < out->rows; i++)
		paint_fill(out->row + i, 0, app->layout.cols, theme(LOOK_TEXT), ' ');
	paint_string(&top, FIRST_COL, theme(LOOK_DIM), label);
	paint_string(&top, FIRST_COL + width(label), theme(LOOK_TEXT), str_text(&sheet->typed));
	if (!sheet->lines.len && out->rows > 1) {
		top.row++;
		paint_string(&top, FIRST_COL, theme(LOOK_DIM),
		             "No key matches. Backspace removes a letter.");
	}
	for (size_t i = 0; i < sheet->lines.len; i++) {
		const struct sheet_line *line = &sheet->lines.at[i];
		int row = line->row - sheet->top;
		struct rect cell = { out->row + 1 + row, line->col * cols, 1, cols };

		if (row >= 0 && row < out->rows - 1)
			draw_item(sheet, line, &cell, keys, i == sheet->chosen);
	}
}

void draw_sheet_cursor(struct app *app)
{
	if (app->sheet.open && !app->layout.too_small)
		move(app->layout.output.row,
		     FIRST_COL + width(label) + width(str_text(&app->sheet.typed)));
}
