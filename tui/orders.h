#ifndef TUI_ORDERS_H
#define TUI_ORDERS_H

#include "tui/state.h"

/*
 * Command lines run one after the other; what the screen doesn't answer itself goes to the worker.
 */
void orders_load(struct app *app);       /* reads the dump, then runs its first command */
void orders_next(struct app *app);       /* runs what waits while nothing else runs */
void orders_take_results(struct app *app);
void orders_validate(struct app *app);   /* the current run, while idle; shows what was found */
/* What is in the cache, while idle: what came from there is checked, what was read is kept. */
void orders_mind_cache(struct app *app);

#endif
