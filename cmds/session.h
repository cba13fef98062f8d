#ifndef CMDS_SESSION_H
#define CMDS_SESSION_H

#include "cmds/cmd.h"
#include "cmds/config.h"
#include "cmds/shell.h"
#include "dump/run.h"

/* What the commands share: the inside of a shell. Only cmds/ includes it. */

enum verdict { VERDICT_UNKNOWN, VERDICT_FAILS, VERDICT_PASSES, VERDICT_UNREADABLE };

struct shell {
	struct run *run;
	struct config config;
	struct str title;
	const char **tensor_op;          /* op type of each dumped tensor, NULL where no graph has its node */
	unsigned char *inf_or_nan;       /* enum verdict of each dumped tensor */
	struct candidates *candidates;   /* for completion */
};

/* Op types of all dumped tensors, found once. */
const char *const *shell_tensor_ops(struct shell *shell);

/* One red line; the command has failed. */
void call_error(struct call *call, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The two lines of tfdbg for words that the command does not take. */
void call_syntax_error(struct call *call);

/* "ERROR: FILE, offset N: TEXT", for a file that is damaged or can't be read. */
void put_file_error(struct doc *doc, const struct err *err);

#endif
