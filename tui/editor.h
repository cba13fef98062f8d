#ifndef TUI_EDITOR_H
#define TUI_EDITOR_H

#include <stdbool.h>

#include "dump/base/str.h"
#include "tui/history.h"

/*
 * What both prompts ask of readline, the screen's (tui/prompt.h) and the plain one (tui/line.h):
 * its keymaps, and a way through the history that keeps one undo list, that of the line being
 * edited. readline is global; so is this.
 */
/* after rl_initialize; borrowed until editor_stop */
void editor_start(struct history *history);
void editor_stop(void);

/*
 * Before a key and after it: takes lines that came to the history, and what a search in it has
 * found.
 */
void editor_settle(void);
void editor_line_taken(void);                    /* the line was entered: the next one begins */

/*
 * Whole characters: a byte of none becomes "?". In vi mode readline 8.2 goes round for ever at a
 * part of a character, so nothing else may get into its line.
 */
void editor_put_whole(struct str *out, const char *text, size_t len);
/* The whole line becomes this, as an edit that can be undone; the cursor goes to its end. */
void editor_set(const char *text);
bool editor_in_search(void);
bool editor_has_command(const char *bytes, size_t len);  /* for these together, more than one */
bool editor_begins_sequence(char byte);          /* of keys that are a command together */
/*
 * What the next line begins with, asked once: NULL, or the line after the one from the history
 * that was entered.
 */
char *editor_next_line(void);

#endif
