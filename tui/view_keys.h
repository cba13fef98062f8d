#ifndef TUI_VIEW_KEYS_H
#define TUI_VIEW_KEYS_H

#include "tui/state.h"

/* A document's own keys, and what the usual ones do on a stage. False: left to others. */
bool view_key(struct app *app, int key);
bool view_stage_act(struct app *app, enum action action);

#endif
