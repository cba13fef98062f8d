#ifndef CMDS_CMD_H
#define CMDS_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/doc.h"
#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"

/*
 * A command is one row: what it is called, what it takes, what it does. Dispatch, help, completion, the
 * README's table and the man page read the row, so they cannot disagree.
 */

/* An option. `flag` is written with one dash even if it has several letters ("fenn"), `name` with two. */
enum opt_kind {
	OPT_FLAG, OPT_INT, OPT_WORD,
	OPT_COUNT,               /* a whole number that may be left out: then it is 1 */
};
struct opt {
	enum opt_kind kind;
	const char *flag;        /* "n"; NULL: long form only */
	const char *name;        /* "node_name_filter" */
	const char *help;
};

/* A positional argument. */
struct pos {
	const char *name;        /* "node_name" */
	const char *help;
	bool optional;
};

struct opt_value {
	bool given;
	const char *word;        /* OPT_WORD */
	int64_t number;          /* OPT_INT; beyond 64 bits it is clamped */
};

#define MAX_OPTS 24
#define MAX_POS 2

/* Parsed words; option k of the row is opt[k]. Words live in the call's arena. */
struct args {
	struct opt_value opt[MAX_OPTS];
	const char *pos[MAX_POS];        /* NULL: left out */
};

struct shell;

/* What the screen can show of a picture; all zero where there is none. */
struct canvas {
	int rows;                /* of the pane; 0: as many as it takes */
	bool blocks, colours;    /* block characters; the roles that are scales */
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
	struct str *shown;       /* the command line that the answer is to, if it isn't the one that was typed */
	struct str *error;       /* why it failed, in one line; empty: the first line of out says it */
	bool moved;              /* another run is the current one now */
	struct str *complaint;   /* lines for standard error; may be put to */
	struct arena *mem;       /* lives as long as the call */
	struct str *waits;       /* on a screen: what it waits for; the line is to be run again when there are news */
	int64_t wait_ms;         /* no longer than so; 0: for good */
	bool failed;
	bool status_one;         /* it hasn't failed, but batch mode is to exit with 1 */
	struct err err;          /* with code set after exec: out is replaced by an Error block */
	/* A line below that block, what would help; in mem. NULL: none. Below recorded words of tfdbg only on_screen. */
	const char *advice;
};

struct cmd {
	const char *name, *alias;        /* alias NULL: none */
	const char *summary;             /* one line, for tables */
	const struct opt *opts;
	size_t n_opts;
	const struct pos *pos;
	size_t n_pos;
	uint32_t added;                  /* options (bit k: opts[k]) that tfdbg has not: not abbreviated, so its abbreviations stay */
	bool raw;                        /* takes its words unparsed; no -h */
	const struct cmd *of_profile;    /* what answers in its place when only a profile is open; NULL: itself */
	bool runless;                    /* works without a run */
	bool dumpless;                   /* it is about nothing that is open */
	bool opens;                      /* it opens what others need */
	bool whole_words;                /* only a word that is or begins with > redirects */
	void (*exec)(struct call *call);
};

/* In words that recorded answers have in the plural whatever the number: a screen says "1 row". */
static inline const char *recorded_plural(uint64_t n, bool on_screen)
{
	return on_screen ? plural(n) : "s";
}

#define OPTS(table) .opts = (table), .n_opts = sizeof (table) / sizeof *(table)
#define POSITIONALS(table) .pos = (table), .n_pos = sizeof (table) / sizeof *(table)

/* All commands, sorted by name. */
extern const struct cmd *const cmd_table[];
extern const size_t n_cmds;
const struct cmd *cmd_find(const char *word);            /* by name or alias; NULL: none */

#endif
