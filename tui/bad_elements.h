#ifndef TUI_BAD_ELEMENTS_H
#define TUI_BAD_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/pane.h"

/* Is the row one of a tensor of numbers, as text? Cells of a grid tell it themselves. */
bool bad_elements_can_be(const struct pane *pane, uint64_t row);        /* of those that show */
/* The next NaN or infinity in such a row, from byte `from` on. */
bool bad_elements_next(const struct line *line, size_t from, struct span *out);

#endif
