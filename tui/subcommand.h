#ifndef TUI_SUBCOMMAND_H
#define TUI_SUBCOMMAND_H

#include <stdbool.h>

/*
 * `tensordbg summarize PATH -o FILE` and `tensordbg merge FILE... -o FILE`. The first word is one
 * of these only if an operand follows it: alone it is a PATH, and "./merge" always is.
 */
bool subcommand_is(int argc, char **argv);
/* The exit status. */
int subcommand_run(int argc, char **argv);

#endif
