#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <stdbool.h>

#include "tui/looks.h"

/*
 * After newterm. Without colour (or on a terminal without it) every theme is drawn as the shipped
 * one "mono" is. tfdbg's own shows until theme_show.
 */
void theme_start(bool colour);
/* From the next frame on, with no more colours than most_colours. */
void theme_show(const struct theme *theme, int most_colours);
unsigned theme(int look);                        /* attributes as curses has them */
unsigned theme_ground(void);                     /* the same, of cells where nothing is */

/*
 * Are there colours for scales? A theme that names no colour has none. If so, the pair for a place;
 * ink 0: one readable on the ground.
 */
bool theme_has_scales(void);
int theme_scale(enum role scale, int ink, int ground);

#endif
