#ifndef CMDS_SHELL_H
#define CMDS_SHELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/doc.h"
#include "cmds/doc/write.h"
#include "cmds/session/config.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"

/*
 * A session over what was opened: a line in, an answer out. It holds the run, the settings and
 * what was computed before; who shows the answers (screen, line prompt, batch) is not its business.
 */
struct shell;

struct shell *shell_new(void);
void shell_free(struct shell *shell);

/*
 * Finds out what PATH is: a dump, a profile, a graph, or several of these. NULL: only the parts that were named. ERR_IO,
 * ERR_UNSUPPORTED or ERR_MISSING with one clear line in msg.
 */
bool shell_open(struct shell *shell, const char *path, struct err *err);
/* Nothing: for commands that need none. */
void shell_open_nothing(struct shell *shell);
/* Parts of a profile that PATH does not hold, before shell_open. FILE=STEP names the step of a RunMetadata. */
bool shell_name_graph(struct shell *shell, const char *path, struct err *err);
bool shell_name_op_log(struct shell *shell, const char *path, struct err *err);
bool shell_name_run_metadata(struct shell *shell, const char *file_step, struct err *err);
/*
 * Reads the file that says where the program made its nodes (dump/model/stacks.h). Without it shell_load takes one that lies in
 * the dump or beside it; if that is damaged, it's a warning.
 */
bool shell_stacks(struct shell *shell, const char *path, struct err *err);
/* Does the line's command work without any dump? */
bool shell_needs_nothing(const char *line);
/* "FROM=TO": source files recorded under FROM are under TO now. May be said several times. ERR_VALUE without "=". */
bool shell_source_map(struct shell *shell, const char *from_to, struct err *err);

/* Reads it. Until it returned true only shell_so_far may be called, from progress->tick. */
bool shell_load(struct shell *shell, struct progress *progress, struct err *err);
/*
 * Reads PATH again, into another place: all answers stay good until shell_take_reread, which puts what was read in the
 * place of the old. On false (as shell_open and shell_load) all is as before.
 */
bool shell_reread(struct shell *shell, struct progress *progress, struct err *err);
void shell_take_reread(struct shell *shell);
/* A provisional first screen made of what was found so far. */
struct doc *shell_so_far(struct shell *shell);

/* Of the first screen: "tfdbg offline @ DIR", or of a directory of runs "run-start: run #1: ...". */
const char *shell_title(const struct shell *shell);
/* A dump is open; else only a profile or a graph, without tensors. */
bool shell_has_dump(const struct shell *shell);
/* What warnings are about: "the dump", or "the profile" if only one is open. */
const char *shell_subject(const struct shell *shell);
/* What was found and not opened, as one line; NULL: nothing. */
const char *shell_passed_over(const struct shell *shell);
/* The graph that was taken from beside PATH; NULL: none. */
const char *shell_graph_beside(const struct shell *shell);
/* Why something else than PATH itself is open, as one line; NULL: it is not so. */
const char *shell_note(const struct shell *shell);
/* What is open, counted, as one line: "41 dumped tensors (9.42k): \"lt\" lists them". */
void shell_put_counts(struct shell *shell, struct str *out);
/*
 * The command of the first screen: "lt"; "run_info" before the first of several runs; for a profile
 * "kernels", or "scopes" if its step ran on no GPU; "runs" where PATH has several roots of runs, of
 * which none is open; of a file of a dump, what shows its tensor. Only while no command runs.
 */
const char *shell_first_command(const struct shell *shell);
/* What shows as the command of shell_so_far. */
const char *shell_so_far_command(const struct shell *shell);
/* The layout that the screen begins with, where there is room for it and no other is set: "single". */
const char *shell_first_layout(const struct shell *shell);
/* The number of the current run, from 1; 0: before the first, or there is none. Only while no command runs. */
size_t shell_position(const struct shell *shell);
/*
 * Goes to the run that a document was about (doc_title), as its screen is shown again. Needs no time; only while no command
 * runs. Nothing happens for NULL.
 */
void shell_stand_at(struct shell *shell, const void *about);

/* One line each about what is wrong with the dump; n of them. */
size_t shell_warnings(const struct shell *shell);
void shell_warning(const struct shell *shell, size_t i, struct str *out);

/*
 * Begins to compare the current run with its graphs, on a thread of its own, unless that was done, another run is under way, or it is very large.
 * ready, which may be NULL, is called on that thread at its end. All these only while no command runs.
 */
bool shell_validate(struct shell *shell, void (*ready)(void *owner), void *owner);
/* Takes what was found, if that is at its end or may be waited for. True: the current run has findings, new ones. */
bool shell_take_findings(struct shell *shell, bool wait);
size_t shell_findings(const struct shell *shell);        /* the last so many of the warnings */
bool shell_validates_soon(const struct shell *shell);    /* the current run is small: it may be waited for */
void shell_stop_validating(struct shell *shell);

struct answer {
	struct doc *doc;         /* NULL: nothing to show (a toast, an exit, an empty line) */
	bool failed;             /* what makes batch mode exit with 1 */
	struct str waits;        /* what it waits for; empty: nothing. The line is to be run again when there are news */
	int64_t wait_ms;         /* no longer than so; 0: for good */
	bool status_one;         /* it hasn't, but batch mode exits with 1 all the same */
	bool leave;              /* exit or quit */
	bool toast_is_error;
	struct str shown;        /* the line that the document answers, if it is not the one that was typed */
	bool moved;              /* to another run */
	bool step_differs;       /* from now on another step of the profile is the current one */
	bool runs_differ;        /* a list of runs would be another one by now: moved, or tested by a filter */
	struct str toast;        /* one line beside the document: "Wrote output to FILE"; may be empty */
	struct str redirect;     /* file the line named with > or >>; empty: none. answer_send writes it */
	bool append;
	struct str pipe;         /* program the line named with |; empty: none */
	bool has_format;         /* the line chose one with -o */
	enum doc_format format;
	struct str error;        /* when it failed: why, in one line without "ERROR: " */
	struct str complaint;    /* argparse's own text or a tool's messages, for standard error; may be empty */
};

/* Runs one line. cols: width handed to commands, 0 for none. answer_release when done; take answer.doc out to keep it. */
void shell_run(struct shell *shell, const char *line, int cols, struct progress *progress, struct answer *out);
void answer_release(struct answer *answer);

/* What is wrong with the config file; config_put_complaint makes it a line. */
struct config_complaint shell_config_complaint(const struct shell *shell);

/* What the next answer is drawn on, as cmds/doc/call.h has it. Only while nothing runs. */
struct canvas;
void shell_set_canvas(struct shell *shell, const struct canvas *canvas);

/* Answers go to a screen, where only some of their rows show at a time. */
void shell_on_screen(struct shell *shell);

/* Settings that the screen asks for. */
bool shell_setting_given(const struct shell *shell, const char *name);           /* by the config file or a command */
bool shell_setting_bool(const struct shell *shell, const char *name);
int64_t shell_setting(const struct shell *shell, const char *name);              /* "toast_seconds": 5 */
const char *shell_setting_word(const struct shell *shell, const char *name);     /* "page_keys": "page"; NULL: no word */

/*
 * Completion of the word before the cursor. All candidates starting with the prefix, sorted: their
 * number, the longest common prefix, and the first `max` of them.
 */
struct completion {
	size_t n;                /* how many fit */
	struct str common;
	VEC(const char *) first; /* borrowed from the shell */
	size_t word_begin;       /* where the completed word starts in the line, bytes */
};
void shell_complete(struct shell *shell, const char *line, size_t cursor, size_t max, struct completion *out);
void completion_release(struct completion *c);

#endif
