#ifndef TUI_TERMINFO_H
#define TUI_TERMINFO_H

#include <stdbool.h>

/*
 * Descriptions of terminals for systems that have none. The table is made by tui/terminfo.sh of the
 * names in TERMINALS of the Makefile: those of the static program; without any it is empty.
 */
struct terminfo_entry {
	const char *names;       /* as terminfo has them: "xterm-256color|alias" */
	const char *compiled;    /* in base 64, as TERMINFO takes it */
};
extern const struct terminfo_entry terminfo_entries[];
extern const int terminfo_n_entries;

/* Hands this terminal's to ncurses, readline and what we start; false: we have none of it. */
bool terminfo_lend(const char *name);

#endif
