#ifndef TUI_RECORDER_H
#define TUI_RECORDER_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/doc/write.h"

/*
 * --recorder: Python files that record what this program reads, for people to put beside theirs.
 * They lie in tui/recorders/, from where the Makefile takes them into the program.
 */
struct recorder {
	const char *name;        /* of its file, and behind record_ of the module it is to be */
	const char *needs;
	const char *slower;      /* so many times as long takes what is recorded */
	const char *records;     /* what, in a line */
	const char *text;
};
extern const struct recorder recorders[];
extern const size_t n_recorders;

/* "list" prints the table, in any format. False with a line on standard error: there is none. */
bool recorder_print(const char *name, enum doc_format format, FILE *out);
void recorder_tell_where(FILE *out);     /* one line, for who has nothing to open */

#endif
