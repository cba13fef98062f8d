/*
 * Rows are dealt from both ends: title, navigation and menu from the top, prompt and status from the bottom;
 * the output gets what is left. The scroll bar begins below the place of the menu even if there is none.
 */
#include "tui/layout.h"

enum { LEAST_ROWS = 6, LEAST_COLS = 20, BAR_COLS = 2 };

static struct layout notice_only(int rows, int cols)
{
	struct layout l = { .rows = rows, .cols = cols, .too_small = true };

	l.title = (struct rect){ 0, 0, 1, cols };
	if (rows > 1)
		l.prompt = (struct rect){ rows - 1, 0, 1, cols };
	return l;
}

struct layout layout_of(int rows, int cols, bool menu)
{
	struct layout l = { .rows = rows, .cols = cols };
	int top = 0, bottom = rows, bar_top;

	if (rows < LEAST_ROWS || cols < LEAST_COLS)
		return notice_only(rows, cols);
	l.title = (struct rect){ top++, 0, 1, cols };
	if (rows >= 8)
		l.nav = (struct rect){ top++, 0, 1, cols - BAR_COLS - 1 };
	bar_top = rows >= 9 ? top + 1 : top;
	if (rows >= 9 && menu)
		l.menu = (struct rect){ top++, 0, 1, cols - BAR_COLS - 1 };
	bottom -= rows >= 10 ? 2 : 1;
	l.prompt = (struct rect){ bottom, 0, rows - bottom, cols };
	if (rows >= 7)
		l.status = (struct rect){ --bottom, 0, 1, cols };
	l.output = (struct rect){ top, 0, bottom - top, cols - BAR_COLS };
	l.bar = (struct rect){ bar_top, cols - BAR_COLS, bottom - bar_top, BAR_COLS };
	return l;
}
