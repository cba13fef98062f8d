#ifndef CMDS_POSITION_H
#define CMDS_POSITION_H

#include "cmds/session/session.h"

/*
 * Where a session stands among the runs: before the first, or at the end of one. Entering a run
 * takes it from those already open, or loads it.
 */

/* Is there more than one run in the root? Only then is a position worth showing. */
bool position_counts(const struct shell *shell);
struct run_entry *position_at(const struct shell *shell);        /* NULL: before the first */
size_t position_number(const struct shell *shell);               /* 0: before the first */

/* Before the first run. */
void position_leave(struct shell *shell);
/* Goes to the end of a run without reading it: its name has to do until a command needs more. */
void position_enter_unread(struct shell *shell, struct run_entry *entry);
/*
 * Goes to the end of a run. On false nothing has changed: ERR_MISSING if the run is gone,
 * ERR_CANCELLED, or an error of run_load.
 */
bool position_enter(struct shell *shell, struct run_entry *entry, struct progress *progress,
                    struct err *err);
/*
 * The same with a loaded run, which it takes over. False: the run was open already, and that one
 * stays; run is closed.
 */
bool position_enter_loaded(struct shell *shell, struct run_entry *entry, struct run *run);
/* Without a dump: a run that holds the profile's graphs, at no position. Takes run over. */
void position_enter_graphs(struct shell *shell, struct run *run);
/* Goes back to what was current, as visit_keep returned it; takes it over. */
void position_return(struct shell *shell, struct run_entry *entry, struct visit *visit);
/* Replaces the current run by one read again, once no answer uses the old one; takes run over. */
void position_replace(struct shell *shell, struct run *run);
/* Loads the current run, if it was entered unread. */
bool position_load(struct shell *shell, struct progress *progress, struct err *err);

/*
 * Finds a run by its number, its directory's name, or a unique prefix of the name. "0" is no run:
 * *entry is NULL and the result true. False with ERR_VALUE and the whole message in msg.
 */
bool position_find(const struct shell *shell, const char *word, struct run_entry **entry,
                   struct err *err);

/*
 * The program's own number of a run: the step of arrays, or TensorFlow's global_step, as far as the
 * run was read. -1: it is not known.
 */
int64_t step_of_run(const struct run_entry *entry);
/* "5", or "5 (step 4)" where the program's own number is known. */
void put_run_number(struct str *out, const struct run_entry *entry);
/* "Run #5 has been deleted ..." */
void put_deleted(struct str *out, const struct run_entry *entry);
/* The title of an answer given now: text in out, look as doc_title has it. */
enum title_look position_title(const struct shell *shell, struct str *out);

/* The command that a run shows when it is entered for the first time. */
const char *position_first_command(const struct shell *shell);

/* "No run is open (#0 of 20). ..." */
void call_no_run(struct call *call);
/* Answers with what position_enter reported. */
void call_not_entered(struct call *call, const struct run_entry *entry, const struct err *err);

/* "Run #2 could not be read: FILE, offset 12: why". */
void put_broken_run(struct str *out, const struct run_entry *entry, const struct err *err);
/* call_fault with that. */
void call_broken_run(struct call *call, const struct run_entry *entry, const struct err *err);
/* "RUN/FILE, offset 12: why". entry NULL: without the name of the run. */
void put_unread(struct str *out, const struct run_entry *entry, const struct problem *problem);
/* call_fault for each file missing from what is shown of the run. info may be NULL. */
void call_unread(struct call *call, const struct run_entry *entry, const struct run_info *info);
/* call_note for each file missing from what is shown of the current run. */
void call_note_unread(struct call *call);

#endif
