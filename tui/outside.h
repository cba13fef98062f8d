#ifndef TUI_OUTSIDE_H
#define TUI_OUTSIDE_H

#include <stdbool.h>

#include "dump/base/str.h"

/*
 * A program of the user's, on the terminal that is ours otherwise: a line for the shell ($SHELL,
 * else sh), or "" for the shell itself. It is a job of its own, which has the terminal until it
 * ends: Ctrl-C, Ctrl-Z and a new size reach it and none of what we have running. When it stops, so
 * do we, and what continues us continues it. The terminal's settings are put back behind it.
 * tty      the terminal, whose settings are those of before us.
 * signals  those that end or stop a program are to have the system's action meanwhile.
 *
 * True: it ended with 0. Else *why gets the reason: "exit status 3", "Killed".
 */
bool outside_run(const char *line, int tty, struct str *why);

#endif
