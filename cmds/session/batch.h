#ifndef CMDS_BATCH_H
#define CMDS_BATCH_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/doc/write.h"
#include "cmds/session/shell.h"
#include "dump/base/vec.h"

/* Commands without a terminal: -c, -x, standard input. The man page is the contract. */
struct batch {
	int width;               /* handed to commands; 0: none */
	enum doc_format format;
	bool colour;
	bool plain;              /* tables as lines "name: value" (cmds/doc/plain.h) */
	bool echo;               /* "tensordbg> COMMAND" before each answer */
	bool keep_going;
	int *write_errno;        /* set, if it is 0, when out can't be written; may be NULL */
	bool titles;             /* print the run's title before an answer about another run */
};

/* shell_run, and the command knows whether the batch writes JSON or CSV. */
void batch_run(struct shell *shell, const struct batch *batch, const char *line,
               struct progress *progress, struct answer *answer);
/* Sends the answer where the line says, else prints it to out; prints its messages too. */
void batch_show(const struct batch *batch, const char *line, struct answer *answer,
                struct progress *progress, FILE *out);

/* Adds the exit status of one answer to that of all: 1 counts before 3, that before 0. */
void batch_take_status(int *status, int of_one);

enum batch_end {
	BATCH_DONE,
	BATCH_FAILED,    /* a command failed, and keep_going is off */
	BATCH_LEFT,      /* exit or quit */
};

/*
 * Runs one line, or all lines of a file (comments beginning with "#" and empty lines are skipped;
 * "-" is standard input). Answers go to out, complaints to standard error. *status takes the exit
 * status of each.
 */
enum batch_end batch_line(struct shell *shell, const struct batch *batch, const char *line,
                          FILE *out, int *status);
enum batch_end batch_file(struct shell *shell, const struct batch *batch, const char *path,
                          FILE *out, int *status, struct err *err);

#endif
