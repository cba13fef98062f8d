#ifndef TUI_VIEW_KEYS_H
#define TUI_VIEW_KEYS_H

#include "tui/state.h"

/* Keys that a document brings, and what everybody's keys do on a stage. False: it is for others to do. */
bool view_key(struct app *app, int key);
bool view_stage_act(struct app *app, enum action action);

#endif
