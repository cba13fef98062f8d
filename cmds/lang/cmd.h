#ifndef CMDS_CMD_H
#define CMDS_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/str.h"

/*
 * A command is one row: what it is called, what it takes, what it does. Dispatch, help, completion
 * and the man page read the row, so they cannot disagree.
 */

/*
 * An option. `flag` is written with one dash even if it has several letters ("fenn"), `name` with
 * two.
 */
enum opt_kind {
	OPT_FLAG, OPT_INT, OPT_WORD,
	OPT_COUNT,               /* a whole number that may be left out: then it is 1 */
};
struct opt {
	enum opt_kind kind;
	const char *flag;        /* "n"; NULL: long form only */
	const char *name;        /* "node_name_filter" */
	const char *help;
	/* Of OPT_WORD: some of these, joined by commas; NULL ends them. The help names them. */
	const char *const *words;
	const char *former;      /* another name, which help does not show; NULL: none */
	bool whole;              /* it must be typed in full, as the options in `added` */
};
void opt_put_help(const struct opt *opt, struct str *out);

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

#define MAX_OPTS 32
#define MAX_POS 2

/* Parsed words; option k of the row is opt[k]. Words live in the call's arena. */
struct args {
	struct opt_value opt[MAX_OPTS];
	const char *pos[MAX_POS];        /* NULL: left out */
};

struct call;
struct doc;
struct shell;

/*
 * What the first word that is no option names; of two that it may be it is a tensor if it has a
 * slot.
 */
enum link_kind {
	LINK_NOTHING,
	LINK_TENSOR, LINK_NODE, LINK_RUN, LINK_SOURCE, LINK_TENSOR_OR_NODE, LINK_TENSOR_OR_RUN,
};

struct cmd {
	const char *name, *alias;        /* alias NULL: none */
	const char *summary;             /* one line, for tables */
	const struct opt *opts;
	size_t n_opts;
	const struct pos *pos;
	size_t n_pos;
	/* For each: some words that it may be, as typed, NULL behind the last; NULL: none. */
	const char *const *pos_words[MAX_POS];
	/*
	 * A bit for each option that tfdbg lacks (bit k: opts[k]). Such an option must be typed in
	 * full, so that abbreviations of tfdbg's options stay unique.
	 */
	uint32_t added;
	bool raw;                        /* takes its words unparsed; no -h */
	bool runless;                    /* works without a run */
	bool dumpless;                   /* it is about nothing that is open */
	bool of_program;                 /* it answers about a recorded program */
	bool opens;                      /* it opens what others need */
	enum link_kind names;            /* what a link to it is about (cmds/doc/link.h) */
	bool lists_runs;                 /* alone, without words */
	bool for_detail;                 /* a pane beside a list shows what a row's link opens */
	bool whole_words;                /* only a word that is or begins with > redirects */
	void (*exec)(struct call *call);
	/* What shows of its answer while PATH is still being read; NULL: it has none. */
	struct doc *(*so_far)(const struct shell *shell);
};

#define OPTS(table) .opts = (table), .n_opts = sizeof (table) / sizeof *(table)
#define POSITIONALS(table) .pos = (table), .n_pos = sizeof (table) / sizeof *(table)

#endif
