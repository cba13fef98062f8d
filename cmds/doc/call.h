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
	int rows;                /* height of the pane; 0: no limit */
	bool blocks, colours;    /* can show block characters; colours for the roles of scales */
	/*
	 * From so many columns on, lists of tensors show what the tensors hold as it becomes known;
	 * 0: never.
	 */
	int health_cols;
	bool modern;             /* our own style: pictures fill their pane, in blocks and lines */
	bool by_key;             /* the line is one that the screen has made: it says all */
};

/* Draws pictures in blocks and lines, not in ASCII. */
static inline bool canvas_is_fine(const struct canvas *canvas)
{
	return canvas->modern && canvas->blocks;
}

/* One use of a command. */
struct call {
	struct shell *shell;
	const struct cmd *cmd;
	const char *typed;       /* the command's word as typed: name or alias */
	struct args args;
	char **words;            /* as typed, unquoted, without the command and the redirect */
	size_t n_words;
	bool on_screen;          /* the answer goes to a pane, which shows some rows at a time */
	bool as_data;            /* the answer is written as JSON or CSV, not as text */
	int cols;                /* columns of the screen to fit into; 0: no limit */
	struct canvas canvas;    /* all zero if the answer is written to a file */
	struct progress *progress;
	struct doc *out;
	struct str *toast;       /* a one-line notice beside the answer; commands may append */
	struct str *shown;       /* the command line to show, if not the one that was typed */
	struct str *error;       /* why it failed, a line; empty: the first line of out */
	bool moved;              /* the command made another run the current one */
	const char *setting;     /* name of the setting that was changed; NULL: none */
	struct str *complaint;   /* lines for standard error; commands may append */
	struct arena *mem;       /* lives as long as the call */
	struct str *waits;       /* on a screen: what it waits for before it runs again */
	int64_t wait_ms;         /* at most so long; 0: no limit */
	bool failed;
	int status;              /* what batch mode exits with; 0: as answer_status says */
	struct err err;          /* if its code is set after exec, an Error block replaces out */
	/*
	 * A line of advice below that block, in mem; NULL: none. Where the block is in tfdbg's own
	 * words it is shown only on a screen.
	 */
	const char *advice;
};

/* One red line; the command has failed. */
void call_error(struct call *call, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * The answer covers only the intact part of a damaged file. Becomes a warning of the answer, a line
 * on standard error and a toast on a screen, once an answer. file: its name as shown.
 */
void call_damage(struct call *call, const char *file, const struct err *damage);
/* The same in the caller's words, about anything that is missing from the answer. */
void call_warn(struct call *call, const char *text);
/* call_warn about a file that is damaged or can't be read: the line begins with "tensordbg: ". */
void call_fault(struct call *call, const char *text);
/* A warning of the answer, and no more: that line was said before, when the file was opened. */
void call_note(struct call *call, const char *text);

/* Was --exit-code given, be the other words right or wrong? */
bool call_wants_status(const struct call *call);
/*
 * What --exit-code means everywhere; without it this does nothing. 1: the command found what it
 * looks for, even if its answer could not be written; else 3 if not all could be judged or the
 * command failed; else 0.
 */
void call_found(struct call *call, bool found, bool unjudged);

/* tfdbg's two lines for arguments that the command does not take. */
void call_syntax_error(struct call *call);

/* "ERROR: FILE, offset N: TEXT", for a file that is damaged or can't be read. */
void put_file_error(struct doc *doc, const struct err *err);

/* Replaces whatever the command had put by call->err: as tfdbg's Error block, or one line. */
void call_put_failure(struct call *call);
/* Appends why it failed, one line: call->err, or the first line of the answer or complaint. */
void call_put_reason(const struct call *call, struct str *out);

/* tfdbg's answers say "1 rows", and so do ours in batch mode; on a screen it is "1 row". */
static inline const char *recorded_plural(uint64_t n, bool on_screen)
{
	return on_screen ? plural(n) : "s";
}

#endif
