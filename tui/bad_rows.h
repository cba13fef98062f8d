#ifndef TUI_BAD_ROWS_H
#define TUI_BAD_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmds/doc/doc.h"
#include "tui/state.h"

/*
 * ]n and [n in lists: to the next row about a tensor with NaN or Inf; in the table of runs: to the
 * next run that has one. Where the signs beside the rows are known as far as that, they tell.
 * Otherwise the tensors of the run, or of all runs, are tested by the built-in filter, on the
 * worker; what was tested once is known the next time, also what was tested before Ctrl-C stopped
 * it.
 */
void bad_rows_ask(struct app *app, bool backward, uint64_t times);
/* The filter's list, borrowed, and why it isn't whole; NULL: it is. */
void bad_rows_answered(struct app *app, const struct doc *doc, const char *failed);

#endif
