/*
 * Where the locale has no UTF-8, what is not ASCII becomes question marks: a terminal would take it
 * for bytes.
 */
#include "tui/paint.h"

#include <string.h>

#include <curses.h>

#include "dump/base/utf8.h"
#include "tui/glyphs.h"

static bool is_ascii(const struct str *text)
{
	for (size_t i = 0; i < text->len; i++)
		if ((unsigned char)text->text[i] >= 0x80)
			return false;
	return true;
}

/* In the attributes that are set. */
static int put_text(int row, int col, int cols, const char *text, size_t len)
{
	bool utf8 = glyphs_utf8_locale();
	struct str cell = {0};
	int used = 0;

	while (len) {
		uint32_t cp;
		size_t n = utf8_next_cell(text, len, &cp);
		int width;

		str_reset(&cell);
		width = utf8_cell(&cell, text, n, cp);
		if (used + width > cols)
			break;
		if (!utf8 && !is_ascii(&cell)) {
			str_reset(&cell);
			str_fill(&cell, '?', (size_t)width);
		}
		if (width || used)       /* a combining character needs a cell before it */
			mvaddnstr(row, col + used, str_text(&cell), (int)cell.len);
		used += width;
		text += n;
		len -= n;
	}
	str_release(&cell);
	return used;
}

int paint_text(int row, int col, int cols, unsigned attr, const char *text, size_t len)
{
	attrset((attr_t)attr);
	return put_text(row, col, cols, text, len);
}

int paint_pair(int row, int col, int cols, unsigned attr, int pair, const char *text, size_t len)
{
	attr_set((attr_t)attr, 0, &pair);
	return put_text(row, col, cols, text, len);
}

int paint_string(const struct rect *r, int col, unsigned attr, const char *text)
{
	return paint_text(r->row, r->col + col, r->cols - col, attr, text, strlen(text));
}

void paint_fill(int row, int col, int cols, unsigned attr, char c)
{
	attrset((attr_t)attr);
	if (cols > 0)
		mvhline(row, col, (chtype)(unsigned char)c | (attr_t)attr, cols);
}
