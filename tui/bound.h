#ifndef TUI_BOUND_H
#define TUI_BOUND_H

#include "cmds/doc/link.h"
#include "tui/state.h"

/* Keys that were bound to command lines, where keys count now: at the prompt or in the view. */
bool bound_key(struct app *app, int key);                /* runs its line; false: it has none */
bool bound_begins_pair(struct app *app, int key);
/*
 * "bind", "bind CONTEXT KEY COMMAND" and "unbind CONTEXT KEY", as typed. False: it is none
 * of these.
 */
bool bound_answer(struct app *app, const char *line);
/*
 * The line with what the row is about in the place of %t (tensor), %n (node) and %r (run); %% is a
 * percent sign. What goes on to a program is one word to its shell. False: *why says it.
 */
bool bound_put_line(struct app *app, const char *command, struct str *out, const char **why);
/* The same with what is said here: a link of kind LINK_NOTHING has no names; run "" is none. */
bool bound_put_names(const struct link *link, const char *run, const char *command, struct str *out,
                     const char **why);
/* The run that a command goes to, or is about, as a word; false: none. */
bool bound_put_run_of(const char *command, struct str *out);
void bound_put_run(struct app *app, struct str *out);    /* of the row, or the current one */

#endif
