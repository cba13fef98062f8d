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
 * Finds out what PATH is: a dump, a profile, a graph, or several of these. NULL: only the parts
 * that were named. False with ERR_IO, ERR_UNSUPPORTED or ERR_MISSING, and one line in msg.
 */
bool shell_open(struct shell *shell, const char *path, struct err *err);
/* The same; an archive may take its time. Also ERR_CANCELLED. */
bool shell_open_watched(struct shell *shell, const char *path, struct progress *progress,
                        struct err *err);
/* Opens nothing, for commands that need nothing. */
void shell_open_nothing(struct shell *shell);
/*
 * Names parts of a profile that PATH lacks. Call before shell_open. FILE=STEP is a RunMetadata's
 * step.
 */
bool shell_name_graph(struct shell *shell, const char *path, struct err *err);
bool shell_name_op_log(struct shell *shell, const char *path, struct err *err);
bool shell_name_run_metadata(struct shell *shell, const char *file_step, struct err *err);
/*
 * Reads the file that says where the program made its nodes (dump/model/stacks.h). Without this
 * call shell_load takes one that lies in or beside the dump; if that is damaged, there is a
 * warning.
 */
bool shell_stacks(struct shell *shell, const char *path, struct err *err);
/* Does the line's command work without any dump? */
bool shell_needs_nothing(const char *line);
/* Is the line "exit" or "quit"? Known before it is run: leaving need not wait. */
bool shell_leaves(const char *line);
/* Is it a command alone whose answer is the list of runs, or of a recorded program's steps? */
bool shell_lists_runs(const char *line);
/*
 * "FROM=TO": source files recorded under FROM are now under TO. May be repeated. ERR_VALUE without
 * "=".
 */
bool shell_source_map(struct shell *shell, const char *from_to, struct err *err);

/*
 * Reads what was opened. Until it has returned true, call only shell_so_far, from progress->tick.
 */
bool shell_load(struct shell *shell, struct progress *progress, struct err *err);
/*
 * Reads PATH again, into another place: all answers stay valid until shell_take_reread replaces the
 * old data by the new. On false (as shell_open and shell_load) nothing has changed.
 */
bool shell_reread(struct shell *shell, struct progress *progress, struct err *err);
void shell_take_reread(struct shell *shell);
/* A provisional first screen, from what is found so far. */
struct doc *shell_so_far(struct shell *shell);

/*
 * The title of the first screen: "tfdbg offline @ DIR"; of several runs "run-start: run #1: ...".
 */
const char *shell_title(const struct shell *shell);
/* A dump is open; else only a profile or a graph, without tensors. */
bool shell_has_dump(const struct shell *shell);
/* The subject of warnings: "the dump", or "the profile" if only one is open. */
const char *shell_subject(const struct shell *shell);
/* One line about what was found but not opened; NULL: nothing. */
const char *shell_passed_over(const struct shell *shell);
/* The graph that was taken from beside PATH; NULL: none. */
const char *shell_graph_beside(const struct shell *shell);
/* Why another path than PATH was opened, in one line. NULL if it was PATH. */
const char *shell_note(const struct shell *shell);
/* What is open, counted, as one line: "41 dumped tensors (9.42k): \"lt\" lists them". */
void shell_put_counts(struct shell *shell, struct str *out);
/* The name of PATH and what is open there, for a title: "train20  run 3 of 20  32 tensors". */
void shell_put_opened(struct shell *shell, struct str *out);
/*
 * The command of the first screen: "lt"; before the first of several runs "run_info"; for a profile
 * "kernels", or "scopes" if its step ran on no GPU; "runs" if PATH has several roots of runs and
 * none is open; for a file of a dump, the command that shows its tensor. Only while no command
 * runs.
 */
const char *shell_first_command(const struct shell *shell);
/* What shows as the command of shell_so_far. */
const char *shell_so_far_command(const struct shell *shell);
/* The screen's first layout, if there is room and no other is set: "single". */
const char *shell_first_layout(const struct shell *shell);
/*
 * The run, or the step of a recorded program, that the current one was held against last, as diff
 * takes it; "": the one before. A step counts until another one is the current one.
 */
const char *shell_compared(const struct shell *shell);
/* Are there several runs or steps to hold against each other? */
bool shell_has_others(const struct shell *shell);
/* The command that lists what one goes through: "runs"; of a recorded program its steps, "lx". */
const char *shell_runs_command(const struct shell *shell);
/*
 * The number of the current run, from 1; 0: before the first, or none. Only while no command runs.
 * Of a recorded program its steps count as runs.
 */
size_t shell_position(const struct shell *shell);
/*
 * Goes to the run that a document was about (doc_title) when its screen is shown again; NULL: does
 * nothing. It does not read that run. Only while no command runs.
 */
void shell_stand_at(struct shell *shell, const void *about);

/* What is missing of the dump: "shards 1, 3 of 8"; NULL: nothing. */
const char *shell_lacks(const struct shell *shell);
/* Warnings about the dump, one line each; shell_warnings returns their number. */
size_t shell_warnings(const struct shell *shell);
void shell_warning(const struct shell *shell, size_t i, struct str *out);
bool shell_has_arrays(const struct shell *shell);        /* a dump of files of arrays is open */
bool shell_tells_each(const struct shell *shell);        /* a line each, else all in one */
/* --worker: of what is opened only what this one told is there. It has to stay. */
void shell_narrow(struct shell *shell, const char *worker);
/* --diff: what is opened is held against this path. It has to stay. */
void shell_hold_against(struct shell *shell, const char *path);
/* --max-temp: so many bytes of an archive. */
void shell_unpack_at_most(uint64_t bytes);
/* --as: the type of raw elements, for all that is opened from now on. False: none of that name. */
bool shell_raw_type(const char *name);
/*
 * Returns the next damage of the trace that opening it did not say; NULL: there is no more. *at is
 * 0 before the first call. The trace owns the text.
 */
const char *shell_next_damage(const struct shell *shell, size_t *at);
/* What is no damage and yet worth a line: appends lines, or none. */
void shell_put_notes(const struct shell *shell, struct doc *doc);
/* May it be so only because what it is about is still being written? */
bool shell_warning_may_pass(const struct shell *shell, size_t i);

/*
 * Starts to compare the current run with its graphs on a thread of its own, unless that was done,
 * another comparison is running, or the run is very large. The thread calls ready, which may be
 * NULL, at its end. Call all of these only while no command runs.
 */
bool shell_validate(struct shell *shell, void (*ready)(void *owner), void *owner);
/*
 * Takes the findings if the comparison has ended; wait: waits for that. True: the current run has
 * new findings.
 */
bool shell_take_findings(struct shell *shell, bool wait);
size_t shell_findings(const struct shell *shell);        /* so many of the last warnings */
bool shell_validates_soon(const struct shell *shell);    /* so small a run that one can wait */
void shell_stop_validating(struct shell *shell);

/*
 * What is large opens sooner the next time, from a cache (dump/files/cache.h), on a screen: then it
 * is read again beside the answers, on a thread of its own. That begins with the first of these
 * after the run was entered, as does keeping what was read from PATH. The thread calls ready, which
 * may be NULL, at its end. Call these only while no command runs.
 */
void shell_mind_cache(struct shell *shell, void (*ready)(void *owner), void *owner);
enum cache_end {
	CACHE_NOTHING,
	CACHE_CHECKED,           /* all is as it was in the cache */
	CACHE_OUTDATED,          /* PATH has changed since: shell_reread is needed */
};
enum cache_end shell_take_cache_end(struct shell *shell);
/* Appends what is to be said about it, once; false: nothing. */
bool shell_take_cache_note(struct shell *shell, struct str *out);
bool shell_is_unchecked(const struct shell *shell);      /* what shows may be outdated */
bool shell_minds_cache(const struct shell *shell);       /* its end was not taken yet */
void shell_stop_minding_cache(struct shell *shell);
void shell_no_cache(void);                               /* --no-cache */

void shell_read_as_asked(struct shell *shell);           /* nothing in the background */

struct answer {
	struct doc *doc;         /* NULL: nothing to show (a toast, an exit, an empty line) */
	bool failed;             /* what makes batch mode exit with 1 */
	struct str waits;        /* what it waits for, to be run again then; or empty */
	int64_t wait_ms;         /* at most so long; 0: no limit */
	int status;              /* 1 or 3: batch mode exits with it. 0: failed decides */
	bool wants_status;       /* --exit-code was given */
	bool leave;              /* exit or quit */
	bool toast_is_error;
	struct str shown;        /* the line answered, if it isn't the one typed */
	bool moved;              /* to another run */
	const char *setting;     /* that was given a value, by its name; NULL: none */
	bool step_differs;       /* another step of the profile is the current one now */
	bool runs_differ;        /* lists of runs are outdated: moved, or a filter asked */
	struct str toast;        /* short message, "Wrote output to FILE"; or empty */
	/* File after > or >>, for answer_send; empty: none, or the command failed. */
	struct str redirect;
	bool append;
	struct str pipe;         /* program the line named with |; empty: none */
	bool has_format;         /* the line chose one with -o */
	enum doc_format format;
	struct str error;        /* when it failed: why, in one line without "ERROR: " */
	/* argparse's or a tool's messages, for standard error; may be empty */
	struct str complaint;
};

/* The line that an alias makes of it; false: it begins with none. */
bool shell_expand(const struct shell *shell, const char *line, struct str *out);
/*
 * Runs one line. cols: width for commands, 0: none. Call answer_release; to keep answer.doc, take
 * it.
 */
void shell_run(struct shell *shell, const char *line, int cols, struct progress *progress,
               struct answer *out);
void answer_release(struct answer *answer);
/* The exit status of batch mode after this answer: 0, 1 or 3. */
int answer_status(const struct answer *answer);

/* What is wrong with the config file; config_put_complaint makes it a line. */
struct config_complaint shell_config_complaint(const struct shell *shell);

/* What the next answer is drawn on, as cmds/doc/call.h has it. Only while nothing runs. */
struct canvas;
void shell_set_canvas(struct shell *shell, const struct canvas *canvas);

/* Answers go to a screen, where only some of their rows show at a time. */
void shell_on_screen(struct shell *shell);
/*
 * Calls wake, on another thread, when all that rows show of tensors (doc_sign) and had to be read
 * is read. NULL: no more, from now on.
 */
void shell_wake(struct shell *shell, void (*wake)(void *owner), void *owner);

/* Settings that the screen asks for. */
bool shell_setting_given(const struct shell *shell, const char *name);  /* by file or command */
bool shell_setting_bool(const struct shell *shell, const char *name);
int64_t shell_setting(const struct shell *shell, const char *name);     /* "toast_seconds": 5 */
/* "page_keys": "page"; NULL: no word. */
const char *shell_setting_word(const struct shell *shell, const char *name);

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
void shell_complete(struct shell *shell, const char *line, size_t cursor, size_t max,
                    struct completion *out);
void completion_release(struct completion *c);

#endif
