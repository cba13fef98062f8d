#ifndef TUI_DETAIL_H
#define TUI_DETAIL_H

#include <stdint.h>

#include "tui/state.h"

/*
 * The detail pane follows the cursor of the pane with the focus, or of the main one: once it has
 * rested on a row about a tensor, a node or a run, the answer to that row's command shows. It waits
 * for whatever else runs.
 */
void detail_follow(struct app *app);             /* between two events */
/* until the cursor has rested; -1: nothing to wait for */
int64_t detail_wait_ms(const struct app *app);
/* Takes doc over. */
void detail_answered(struct app *app, struct doc *doc, bool failed);
void detail_give_way(struct app *app);           /* something else is to run */

#endif
