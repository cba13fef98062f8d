#ifndef TUI_DULL_H
#define TUI_DULL_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/pane.h"

/* Is the row of a table about an op that carries no data of its own: a constant, a shape, NoOp? */
bool dull_row(const struct pane *pane, uint64_t row);   /* of those that show */

#endif
