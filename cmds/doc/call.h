#ifndef CMDS_CALL_H
#define CMDS_CALL_H

#include "cmds/doc/doc.h"
#include "cmds/lang/cmd.h"
#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"

struct shell;

/* What the screen can show beyond text; all zero where there is none. */
struct canvas {
	int rows;                /* of the pane; 0: as many as it takes */
	bool blocks, colours;    /* block characters; the roles that are scales */
	bool health;             /* room for what rows about tensors hold, as signs find it out */
};

/* One use of a command. */
struct call {
	struct shell *shell;
	const struct cmd *cmd;
	const char *typed;       /* the command's word as typed: name or alias */
	struct args args;
	char **words;            /* as typed, unquoted, without the command and the redirect */
	size_t n_words;
	bool on_screen;          /* the answer goes where only some of its rows show at a time */
	int cols;                /* width handed to commands; 0: none */
	struct canvas canvas;    /* zero too if the answer is written to a file */
	struct progress *progress;
	struct doc *out;
	struct str *toast;       /* one line beside the answer; may be put to */
	struct str *shown;       /* the line that is answered, if not the one that was typed */
	struct str *error;       /* why it failed, a line; empty: the first of out says it */
	bool moved;              /* another run is the current one now */
	const char *setting;     /* that was given a value, by its name; NULL: none */
	struct str *complaint;   /* lines for standard error; may be put to */
	struct arena *mem;       /* lives as long as the call */
	struct str *waits;       /* on a screen: what it waits for; then the line runs again */
	int64_t wait_ms;         /* no longer than so; 0: for good */
	bool failed;
	bool status_one;         /* it hasn't failed, but batch mode is to exit with 1 */
	struct err err;          /* with code set after exec: out is replaced by an Error block */
	/*
	 * A line below that block, what would help; in mem. NULL: none. Below recorded words of
	 * tfdbg only on_screen.
	 */
	const char *advice;
};

/* One red line; the command has failed. */
void call_error(struct call *call, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * The answer is from what is whole of a damaged file: a warning of the answer, a line on standard
 * error, a toast on a screen. Said once an answer. file: as shown.
 */
void call_damage(struct call *call, const char *file, const struct err *damage);
/* The same in any words: of what is missing from the answer. */
void call_warn(struct call *call, const char *text);

/* The two lines of tfdbg for words that the command does not take. */
void call_syntax_error(struct call *call);

/* "ERROR: FILE, offset N: TEXT", for a file that is damaged or can't be read. */
void put_file_error(struct doc *doc, const struct err *err);
/* "FILE, offset 12: what was expected" */
void put_problem(struct str *out, const char *file, const struct err *err);

/* call->err as an answer, in place of whatever the command had put: tfdbg's block, or one line. */
void call_put_failure(struct call *call);
/* Why it failed, in one line: call->err, or the first line of its answer or of its complaint. */
void call_put_reason(const struct call *call, struct str *out);

/* In words that recorded answers have in the plural whatever the number: a screen says "1 row". */
static inline const char *recorded_plural(uint64_t n, bool on_screen)
{
	return on_screen ? plural(n) : "s";
}

#endif
