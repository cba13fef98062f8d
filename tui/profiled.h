#ifndef TUI_PROFILED_H
#define TUI_PROFILED_H

#include "tui/state.h"

/*
 * Kernels, timelines, graphs, memory: what moves the item under the cursor is done at once; what shows something else
 * rewrites the command line, as in pictures (tui/drawn.h); what opens something is a command of its own.
 */
bool profiled_act(struct app *app, enum action action);  /* false: the action means nothing of its own here */

#endif
