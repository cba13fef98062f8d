#ifndef TUI_COLOUR_H
#define TUI_COLOUR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A colour is a number: -1 the terminal's own, 0 to 255 one of the usual 256 (of which the first 16
 * have names), from COLOUR_RGB on red, green and blue in its lowest three bytes. Of the first 16
 * the terminal says what they look like; here they count as xterm has them.
 */
enum { COLOUR_DEFAULT = -1, COLOUR_RGB = 1 << 24, COLOUR_NAMES = 16,
       COLOUR_BLACK = 0, COLOUR_WHITE = 7 };

/* "default", a name of the 16 ("red", "bright-red"), "0" to "255", "#rrggbb". */
bool colour_parse(const char *text, size_t len, int *colour);

/* Red, green and blue in three bytes; not of COLOUR_DEFAULT. */
int colour_rgb(int colour);

/*
 * The one that looks most like it among [first, first + n) of the 256: the distance is that of
 * OKLab, where equal steps look equally large. What is in the range, and COLOUR_DEFAULT, stays.
 */
int colour_nearest(int colour, int first, int n);

/* From 0, black, to 1, white: relative luminance as WCAG 2 has it. Not of COLOUR_DEFAULT. */
double colour_luminance(int colour);
/* From 1 to 21, as WCAG 2 has it. */
double colour_contrast(int a, int b);

#endif
