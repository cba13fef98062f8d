#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/str.h"
#include "tui/history.h"

/*
 * The line being typed, edited by readline that sees neither keyboard nor screen: bytes are handed
 * to it, the line and the cursor are read from it. One per program (readline's state is global).
 */
void prompt_start(struct history *history);              /* borrowed until prompt_stop */
void prompt_stop(void);

/* Feeds a key's bytes. True when that entered a line, which is then in *entered. */
bool prompt_feed(const char *bytes, size_t len, struct str *entered);
void prompt_insert(const char *text, size_t len);        /* at the cursor: a paste, a completion */
void prompt_set(const char *text);                       /* the cursor goes to its end */
void prompt_name(const char *label);     /* "tfdbg> " before the first; lives on */
const char *prompt_label(void);  /* that, or the one of a history search */
/* Rows of a screen so wide that the label and the line fill, with the cursor behind it. */
int prompt_rows(int cols);
const char *prompt_text(void);
size_t prompt_cursor(void);                              /* bytes */
bool prompt_has_esc(void);  /* ESC is readline's: vi mode with text, a search */
bool prompt_in_search(void);
bool prompt_has_command(const char *bytes, size_t len);  /* for these keys together */

/* The history entry before (-1) or after (1) this one that begins like what was typed. */
void prompt_recall(int direction);

#endif
