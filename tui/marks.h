#ifndef TUI_MARKS_H
#define TUI_MARKS_H

#include "tui/state.h"

/* Marks name a row of a command's answer; going to one shows that answer again if need be. */
void marks_set(struct app *app, char letter);
/* The letter beside a row of the document that this view shows; 0: it has no mark. */
char marks_letter(struct app *app, int view, uint64_t doc_row);
void marks_go(struct app *app, char letter);
struct doc *marks_list(struct app *app); /* of all runs; the caller's */
void marks_go_back(struct app *app);     /* to where the last jump began; again: and back */

#endif
