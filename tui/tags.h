#ifndef TUI_TAGS_H
#define TUI_TAGS_H

#include "tui/state.h"

/*
 * Rows that were picked out, to do the same with each. A tag is on what the row is about, a tensor,
 * a node, a run, else the command that the row leads to: it shows in every list that has it. Each
 * run has its own; tags on runs are there in all of them.
 */
void tags_toggle(struct app *app, uint64_t rows);        /* from the cursor's on, which goes down */
void tags_clear(struct app *app);                        /* of all runs */
/* Has this line of a view one? */
bool tags_has(struct app *app, const struct line *line);
size_t tags_here(struct app *app);                       /* that are there in the run that shows */
/*
 * "tagged", which lists them, and "tagged COMMAND", which runs the command for each, as typed.
 * False: it is none of these.
 */
bool tags_answer(struct app *app, const char *line);

#endif
