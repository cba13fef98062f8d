#ifndef CMDS_SESSION_PROGRAM_H
#define CMDS_SESSION_PROGRAM_H

#include "cmds/session/session.h"

/*
 * Where a session stands in a recorded program (dump/model/program.h): which of several programs is
 * open, and at which of its steps. Once read they stay until the session ends, as answers are about
 * them.
 */

/* The chosen one, not yet read. */
void program_start(struct shell *shell);
/* Opens one, from 0; then no step is current. False, and all is as it was, with ERR_CANCELLED. */
bool program_enter(struct shell *shell, size_t i, struct progress *progress, struct err *err);
/*
 * Reads beside what is open, on any thread: what came since, or all again. Then it is taken, by the
 * thread that draws. program_take_beside says what it is.
 */
void program_look(struct shell *shell, struct progress *progress);
bool program_reread(struct shell *shell, struct progress *progress, struct err *err);
struct program_came {
	enum program_news news;
	size_t steps, runs;      /* that are new */
};
struct program_came program_take_beside(struct shell *shell);
void program_drop_beside(struct shell *shell);
/* PROGRAM_NONE: no step. */
void program_go(struct shell *shell, uint32_t step);
/* Goes where an answer stood, as its title says (shell_stand_at). */
void program_stand_at(struct shell *shell, const void *about);

/* Can the command answer about a program? If not, the answer says so. */
bool program_has(struct call *call);

/*
 * The title of an answer, which run of several, and the current step; and the keys that go to
 * another.
 */
void program_set_title(struct shell *shell, struct doc *doc);
/* "46 executions, 403 tensors: \"lx\" lists them" */
/* "step #12 (batch 4)": the program's own number follows where the recorder says it. */
void program_put_step(const struct program *program, uint32_t step, struct str *out);
void program_put_counts(const struct program *program, struct str *out);

/* A line for each piece of damage, and for each file of metadata that could not be read. */
size_t program_warnings(const struct shell *shell);
void program_warning(const struct shell *shell, size_t i, struct str *out);
/* May it be so only because its file is still being written? */
bool program_warning_may_pass(const struct shell *shell, size_t i);
/* "tfdbg_events.17.host.graphs": the name of a file of a set. */
void program_put_file(const struct program *program, const struct program_place *place,
                      struct str *out);
void program_put_damage(const struct program *program, const struct program_damage *damage,
                        struct str *out);
/* The batch that the step is of; NULL: not known. */
const struct program_batch *program_batch_of(const struct program *program, uint32_t step);
bool program_damage_has_place(const struct program_damage *damage);      /* in its file */
void program_put_what(const struct program_damage *damage, struct str *out);     /* without place */
/* "op Log of graph 1a2b3c4d": what is named and not recorded */
void program_put_missing(const struct program *program, const struct program_missing *missing,
                         struct str *out);

/*
 * A line for each thing that is named and not recorded, of very many for the first; a line about
 * traces that are out of order. They are no damage. has_notes: is there any?
 */
bool program_has_notes(const struct program *program);
void program_put_notes(const struct program *program, struct doc *doc);

#endif
