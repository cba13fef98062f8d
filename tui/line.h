#ifndef TUI_LINE_H
#define TUI_LINE_H

#include <stdbool.h>

#include "cmds/session/batch.h"
#include "cmds/session/shell.h"

/*
 * The line interface: a prompt and plain answers, for terminals without cursor addressing and
 * whoever prefers it. The shell is loaded. Begins with the title and the answer to the first
 * command, or with how much there is in one line, or, after other commands, with nothing. Ctrl-C
 * stops a command or clears the line; Ctrl-D on an empty line leaves. before_prompt may tell
 * something.
 */
enum line_greeting { GREET_NOT, GREET_COUNTS, GREET_FIRST };
void line_run(struct shell *shell, const struct batch *batch, enum line_greeting greeting,
              void (*before_prompt)(struct shell *shell));

/*
 * Reads the shell. With a terminal on standard error it says how far it is there once a second has
 * passed, and Ctrl-C ends it (ERR_CANCELLED).
 */
bool line_load(struct shell *shell, struct err *err);

/*
 * Work without a shell: its progress is told in the same way. Ctrl-C ends the program, as it does
 * outside of line_run.
 */
struct progress *line_begin_work(void);
void line_end_work(void);

/*
 * For whoever listens to the terminal: nothing moves the cursor but the line's own end, and nothing
 * that was printed changes. Call it before the others.
 */
void line_be_plain(void);

#endif
