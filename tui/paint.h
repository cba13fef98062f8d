#ifndef TUI_PAINT_H
#define TUI_PAINT_H

#include <stddef.h>

#include "tui/layout.h"

/*
 * Text on cells. Every text goes through its cell text and is clipped by columns before curses sees
 * it.
 */
/* the columns it took */
int paint_text(int row, int col, int cols, unsigned attr, const char *text, size_t len);
/* in the colours of a pair beyond those that fit an attribute too */
int paint_pair(int row, int col, int cols, unsigned attr, int pair, const char *text, size_t len);
/* in the rect's first row */
int paint_string(const struct rect *rect, int col, unsigned attr, const char *text);
void paint_fill(int row, int col, int cols, unsigned attr, char c);

#endif
