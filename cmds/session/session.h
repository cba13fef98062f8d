#ifndef CMDS_SESSION_H
#define CMDS_SESSION_H

#include "cmds/doc/call.h"
#include "cmds/lang/registry.h"
#include "cmds/session/aliases.h"
#include "cmds/session/config.h"
#include "cmds/session/filters.h"
#include "cmds/session/hits.h"
#include "cmds/session/shell.h"
#include "cmds/session/visit.h"
#include "dump/profile/profile.h"
#include "dump/runs.h"
#include "dump/target.h"

/* The inside of a shell, shared by the commands. Only cmds/ includes it. */

/* --source-map: files recorded under `from` are now under `to`. Both on the heap. */
struct source_map {
	char *from, *to;
};

/*
 * What a room above keeps between commands, found again by its key (cmds/session/kept.c). It lasts
 * as long as what PATH opened; what can be read again is dropped earlier if room is needed.
 */
enum keep { KEEP_ON, KEEP_WHILE_THERE_IS_ROOM };
struct kept {
	const char *key;
	enum keep how;
	void *object;
	void (*release)(void *object);
};
typedef VEC(struct kept) kept_things;

/* What was open before another root of PATH was opened: answers may still refer to it. */
struct left_open {
	struct runs *runs;
	struct programs *programs;
	struct profile *profile;
	struct stacks *stacks;
	kept_things things;
};

#define VISITS_KEPT 4    /* runs kept open without an answer about them */

struct shell {
	struct runs *runs;               /* NULL: no dump is open */
	/* Recorded programs, in the place of runs (cmds/session/program.h): */
	struct programs *programs;       /* NULL: PATH holds none */
	struct program *program;         /* of them the open one; NULL until it is read */
	size_t program_at;               /* which one, from 0 */
	uint32_t program_step;           /* the current step; PROGRAM_NONE: none */
	struct follow *program_follow;   /* NULL: nobody follows it */
	/* Read again beside them, until taken; NULL: nothing was. */
	struct program *program_beside;
	enum program_news beside_news;
	struct programs_seen *programs_seen;
	/* The current run; NULL: before the first. Other threads may read it. */
	_Atomic(struct run_entry *) at;
	struct visit *visit;             /* the current run's; NULL: none, or not indexed */
	/* visit->run, or NULL. Without a dump: a run that has the graphs, and no tensors. */
	struct run *run;
	struct run *opening;             /* the only run, until it is loaded */
	struct run *reread;              /* the current one read again; NULL: not, or taken */
	struct visits *visits;
	struct visit *kept[VISITS_KEPT]; /* the latest first */
	struct target target;            /* what PATH is */
	const struct target_root *root;  /* the open one of several; NULL: none */
	VEC(struct left_open) left;
	struct str first;                /* command that shows PATH; empty: it is no file */
	bool on_screen;
	struct validation *validation;   /* in progress, of some visit; NULL: none */
	struct caching *caching;         /* in progress, of some visit; NULL: none */
	struct str cache_note;           /* to be said; or empty */
	struct hits *hits;               /* what filters said of whole runs */
	bool has_dump;
	unsigned changes;                /* how often what is open became another or was added to */
	/* Following (cmds/session/following.h). */
	bool unlooked;                   /* runs may have come since their list was read */
	int64_t look_ms;                 /* it is read again from then on */
	struct run_entry *settling;      /* the run still changing; NULL: none */
	VEC(struct run_entry *) changed; /* the runs that the last news named */
	struct str gone;
	struct profile *profile;         /* NULL: none is open */
	/* After "run -p", until a run is entered: names of two commands mean the profile's. */
	bool profiling;
	/* Of the current step (cmds/session/steps.h); NULL: nobody asked yet. */
	struct held_activities *activities;
	bool answers_go;                 /* batch mode: answers are freed once written */
	bool answers_are_data;           /* --format is JSON or CSV; that of a line comes first */
	struct config config;
	struct config_complaint config_complaint;
	struct canvas canvas;
	struct str title;
	struct str name;         /* the last part of what is open, as it is really called */
	struct str compared;             /* of shell_compared */
	const char *worker;              /* --worker: only what this one told; NULL: all */
	const char *against;             /* --diff: the path to hold all against; NULL */
	uint32_t compared_step;          /* where that was asked, in a recorded program */
	kept_things things;              /* of rooms above (shell_keep) */
	struct filters filters;
	struct aliases aliases;
	struct candidates *candidates;   /* for completion without a run */
	struct stacks *stacks;           /* where nodes were made; NULL: not known */
	VEC(struct stacks *) old_stacks; /* of steps before: answers may refer to them */
	bool stacks_named;               /* by option: for whatever is open */
	bool stacks_above;               /* they lie in the root of the runs, above the run */
	struct err profile_problem;      /* why a profile beside a dump was not taken */
	struct err stacks_problem;       /* why stacks that lay beside the dump were not taken */
	VEC(struct source_map) source_maps;
};

/* Op types of all dumped tensors of the current run, found once. */
const char *const *shell_tensor_ops(struct shell *shell);

/* Each key is used once. */
void shell_keep(struct shell *shell, const char *key, enum keep how, void *object,
                void (*release)(void *object));
/* NULL: nothing is kept under this key. */
void *shell_kept(const struct shell *shell, const char *key);
void kept_release(kept_things *kept);
/* Frees what is kept only while there is room. */
void kept_make_room(struct shell *shell);

/* What the current run has to offer for completion. */
struct candidates *shell_candidates(struct shell *shell);

/* Which commands answer in this session. */
enum registry_of session_kind(const struct shell *shell);
/* The command of a word in this session; a profile alone has some of its own. NULL: none. */
const struct cmd *session_cmd(const struct shell *shell, const char *word);

/* Holding against this run or step was asked for; NULL: against the one before. */
void session_note_compared(struct shell *shell, const char *word);

/* "ERROR: Invalid command prefix ...", for a word that is no command. */
void call_unknown(struct call *call);

/* Lets another command line answer instead; it becomes the answer's shown line. */
void call_line(struct call *call, const char *line);

#endif
