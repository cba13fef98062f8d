#ifndef TUI_QUIET_H
#define TUI_QUIET_H

#include "tui/state.h"

/*
 * What the screen asks for by itself while nobody asks for anything: what the title's verdict
 * needs, and what a page that shows still lacks (doc_wants). Any key stops it; what it has found
 * out stays with the session, and it goes on once no key has been pressed for a moment.
 */
void quiet_follow(struct app *app);
int64_t quiet_wait_ms(const struct app *app);            /* until it may go on; -1: it will not */
bool quiet_runs(const struct app *app);
void quiet_give_way(struct app *app);    /* somebody else wants the session, or a key came */
void quiet_stop(struct app *app);        /* Ctrl-C: not again until it is asked for */
/* Takes doc over. */
void quiet_answered(struct app *app, struct doc *doc);
/* What is open may have changed: what could not be found out may be asked for again. */
void quiet_forget(struct app *app);

#endif
