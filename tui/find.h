#ifndef TUI_FIND_H
#define TUI_FIND_H

#include <stdbool.h>

#include "tui/state.h"

/*
 * Ways to a row: search, filter, the index of an element. Done in the pane with the focus; failures
 * are toasts.
 */
/* NULL: the same again */
void find_search(struct app *app, const char *regex, bool backward, uint64_t times);
/* rows of an array with NaN or Inf */
void find_bad(struct app *app, bool backward, uint64_t times);
void find_error(struct app *app, bool backward, uint64_t times);
void find_difference(struct app *app, bool backward, uint64_t times);
void find_step(struct app *app);         /* a slice of the search that goes on */
void find_index(struct app *app, const char *text);      /* "[1, 0]" */

/*
 * What stands at the prompt is a filter while it begins with "&". Call it when the prompt may have
 * changed.
 */
void find_filter_typed(struct app *app, const char *prompt);
void find_filter_again(struct app *app);         /* another document shows */
void find_filter_entered(struct app *app, const char *text);     /* what is behind the "&" */

#endif
