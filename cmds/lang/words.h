#ifndef CMDS_WORDS_H
#define CMDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/lang/words.h"
#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/str.h"

/*
 * One command line, cut into words, its redirection taken off. Source: tfdbg's command_parser.py.
 * No words at all: an empty line, or nothing but a redirection. Ours: in a word $'...' the four
 * characters \xHH stand for a byte and \\ for a backslash, so that any word can be written.
 */
struct words {
	char **at;               /* unquoted */
	bool *quoted;            /* was in quotes; it has lost them unless it is the only word */
	size_t len;
	const char *redirect;    /* the file, NULL: none */
	bool append;             /* >> */
	const char *pipe;        /* shell command after an unquoted |, NULL: none */
};

/*
 * All in mem. ERR_SYNTAX with tfdbg's text (msg) for a redirection without a file; a | without a
 * program too.
 */
bool words_split(const char *line, struct arena *mem, struct words *out, struct err *err);

/*
 * Appends a word as it has to stand in a line to be read back: plain, in "", in '', or in $''.
 * Every command line that the program writes is made with it. A word that begins with - is still an
 * option.
 */
void words_put(struct str *out, const char *word);
/* The beginning of the line, or an option with a blank before it; a blank; the word. */
void words_put_with(struct str *out, const char *begin, const char *word);

/* Whether these bytes are the name, or the name with "colour" for "color", "grey" for "gray". */
bool word_is(const char *typed, size_t len, const char *name);

#endif
