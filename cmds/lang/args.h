#ifndef CMDS_ARGS_H
#define CMDS_ARGS_H

#include "cmds/lang/cmd.h"
#include "cmds/lang/python.h"
#include "dump/base/arena.h"
#include "dump/base/err.h"

/*
 * Reads words by the option table of a command, as Python's argparse does: options and positionals
 * mixed, unambiguous prefixes of long names, values glued or after =, combined flags, negative
 * numbers as values. On ERR_SYNTAX err->msg is what argparse would write after "error: ", and
 * err->off the number of the word. -h and --help are ERR_SYNTAX too (*help is set, msg is empty).
 * The words of the result are those given, or parts of them.
 */
bool args_parse(const struct cmd *cmd, char **words, size_t n, struct arena *mem, struct args *out,
                bool *help, struct err *err);

/*
 * A node or tensor as typed: "node", "node:slot"; "node:" is the node "node:". Errors as Python's
 * int().
 */
struct node_word {
	const char *node;
	bool has_slot;
	int64_t slot;
};
bool node_word_parse(const char *word, struct arena *mem, struct node_word *out, struct err *err);

#endif
