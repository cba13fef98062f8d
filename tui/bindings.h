#ifndef TUI_BINDINGS_H
#define TUI_BINDINGS_H

#include "cmds/session/config.h"
#include "dump/base/vec.h"
#include "tui/keys.h"

/*
 * Keys that run command lines: lines "bind CONTEXT KEY COMMAND" of the config file, and what was
 * typed since. A context is one of tui/keys.h or the heading of keys that a document brings, with
 * or without its "In the"; a key is written as the sheet of keys has it; either may stand in
 * quotes. A bound key counts before ours, in both styles.
 */
struct binding {
	char *context;           /* as the sheet has it */
	int key;
	char *command;
};
struct bindings {
	VEC(struct binding) list;
};

void bindings_read(struct bindings *bindings);   /* from the file; bad lines are left out */
void bindings_check(struct config_complaint *complaint);
void bindings_release(struct bindings *bindings);
/*
 * "CONTEXT KEY COMMAND". ERR_VALUE: what was expected; then all is as before. ERR_IO: it counts,
 * but is not saved.
 */
bool bindings_set(struct bindings *bindings, const char *text, struct err *err);
bool bindings_remove(struct bindings *bindings, const char *text, struct err *err);
/* At the prompt or in a view of doc (may be NULL). NULL: it is not bound there. */
const struct binding *bindings_find(const struct bindings *bindings, struct key_scope scope,
                                    const struct doc *doc, int key);
bool bindings_begin_pair(const struct bindings *bindings, struct key_scope scope,
                         const struct doc *doc, int key);
/* Those that count there, into an open sheet. */
struct sheet;
void bindings_put_sheet(const struct bindings *bindings, struct key_scope scope,
                        const struct doc *view, struct sheet *sheet);
/* The same of a view of doc, for the help of tfdbg's style; nothing if there are none. */
void bindings_put_help(const struct bindings *bindings, const struct doc *view, struct doc *out);
struct doc *bindings_list(const struct bindings *bindings);

#endif
