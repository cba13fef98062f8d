#ifndef CMDS_SESSION_H
#define CMDS_SESSION_H

#include "cmds/cmd.h"
#include "cmds/config.h"
#include "cmds/filters.h"
#include "cmds/shell.h"
#include "dump/profile.h"
#include "dump/run.h"

/* What the commands share: the inside of a shell. Only cmds/ includes it. */

/* What lists of tensors are sorted by. */
enum sort_key { BY_TIMESTAMP, BY_DUMP_SIZE, BY_OP_TYPE, BY_TENSOR_NAME, N_SORT_KEYS };

/* --source-map: files recorded under one directory are under another now. Both on the heap. */
struct source_map {
	char *from, *to;
};

struct shell {
	struct run *run;                 /* without a dump: no tensors, and the graphs there are */
	struct run *reread;              /* PATH read again; NULL: not, or taken */
	bool has_dump;
	struct profile *profile;         /* NULL: none is open */
	VEC(struct origins *) origins;   /* of steps whose nodes were asked for (cmds/origins.h) */
	struct config config;
	struct config_complaint config_complaint;
	struct canvas canvas;
	struct str title;
	const char **tensor_op;          /* op type of each dumped tensor, NULL where no graph has its node */
	uint32_t *tensor_ranks[N_SORT_KEYS];     /* place of each dumped tensor by a key; NULL until asked for */
	struct filters filters;
	bool *unreadable;                /* dumped tensors that a filter could not read; NULL: none yet */
	struct candidates *candidates;   /* for completion */
	struct stacks *stacks;           /* where nodes were made; NULL: not known */
	struct err profile_problem;      /* why a profile beside a dump was not taken */
	struct err stacks_problem;       /* why stacks that lay beside the dump were not taken */
	VEC(struct source_map) source_maps;
};

/* Op types of all dumped tensors, found once. */
const char *const *shell_tensor_ops(struct shell *shell);

/*
 * The step that profile commands answer for, loaded: the current one, or the one that word (may be NULL) names.
 * NULL: call->err or an error line says why.
 */
struct step *need_step(struct call *call, const char *word);

/* The command of a word in this session: when only a profile is open, some are its own. NULL: none. */
const struct cmd *session_cmd(const struct shell *shell, const char *word);

/* One red line; the command has failed. */
void call_error(struct call *call, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "ERROR: Invalid command prefix ...", for a word that is no command. */
void call_unknown(struct call *call);

/* The two lines of tfdbg for words that the command does not take. */
void call_syntax_error(struct call *call);

/* "ERROR: FILE, offset N: TEXT", for a file that is damaged or can't be read. */
void put_file_error(struct doc *doc, const struct err *err);

#endif
