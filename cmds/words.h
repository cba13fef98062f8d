#ifndef CMDS_WORDS_H
#define CMDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"

/*
 * One command line, cut into words, its redirection taken off. Source: tfdbg's command_parser.py.
 * No words at all: an empty line, or nothing but a redirection.
 */
struct words {
	char **at;               /* unquoted */
	bool *quoted;            /* was in quotes; it has lost them unless it is the only word */
	size_t len;
	const char *redirect;    /* the file, NULL: none */
	bool append;             /* >> */
	const char *pipe;        /* shell command after an unquoted |, NULL: none */
};

/* All in mem. ERR_SYNTAX with tfdbg's text (msg) for a redirection without a file; a | without a program too. */
bool words_split(const char *line, struct arena *mem, struct words *out, struct err *err);

#endif
