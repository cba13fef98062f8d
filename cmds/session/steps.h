#ifndef CMDS_STEPS_H
#define CMDS_STEPS_H

#include "cmds/session/session.h"
#include "dump/profile/activity.h"
#include "dump/profile/profile.h"

/* The steps of a profile that a command answers for. */

/* Does the profile (NULL: none) have steps? If not, the answer says so in one line. */
bool need_steps(struct call *call, const struct profile *profile);
/* The step of this label or number; false: the answer says that there is none. */
bool steps_find(struct call *call, const struct profile *profile, const char *word, size_t *at);

/*
 * Positions in profile->steps, on the heap, for the word of --step: a number, a list "0,2-4", "all"
 * (without warm-ups, if any other is left), NULL for the current one. At least one, each once, in
 * the order they were named. False: the answer says why.
 * Of several steps those that were not read whole, or have no times, are left out with a warning,
 * unless none would be left, or they were named one by one.
 * All steps of a trace are the whole of it, warm-ups too; so is the current one if it has only one.
 */
struct step_choice {
	struct profile *profile;
	VEC(size_t) at;
	bool whole;                      /* all of a trace, also what is outside its steps */
	VEC(size_t) warm_ups;            /* left out of "all" */
	VEC(size_t) unread;              /* left out because they were not read whole */
};
bool steps_choose(struct call *call, struct profile *profile, const char *word,
                  struct step_choice *out);
/*
 * As steps_choose, for a mean: it also leaves out steps that were named one by one. The caller
 * warns of them itself, or calls steps_say_left_out.
 */
bool steps_choose_for_mean(struct call *call, struct profile *profile, const char *word,
                           struct step_choice *out);
void steps_say_left_out(struct call *call, const struct step_choice *choice);
/* The same as steps_choose for an answer about one step. */
bool steps_choose_one(struct call *call, struct profile *profile, const char *word,
                      struct step_choice *out);
void step_choice_release(struct step_choice *choice);

/*
 * Is it a profile of TensorFlow's, with what its executors recorded, and no trace? If not, the
 * answer says so.
 */
bool need_statistics(struct call *call, const struct profile *profile);

/*
 * Does it know of single records, or, as some files do, of totals only? Then the answer says so.
 */
bool need_records(struct call *call, const struct profile *profile);

/*
 * The step that profile commands are about, loaded: the current one, or the one named by word (may
 * be NULL). NULL: call->err or an error line says why.
 */
struct step *need_step(struct call *call, const char *word);

/* Step i, loaded; it stays loaded as long as the answer lives. NULL: call->err says why. */
struct step *step_of(struct call *call, struct profile *profile, size_t i);

/*
 * The graphs for graph commands: from --graph or a GraphDef, else the dump's, else those that the
 * current step ran. In call->mem; without any *n is 0.
 */
struct graph *const *graphs_of(struct call *call, size_t *n);

/*
 * Of each step, its length (-1: none) and whether it looks like a warm-up. On the heap; NULL
 * with call->err. Reads all steps. A step that was not read whole is not compared with others.
 */
struct step_survey {
	int64_t span_ns;
	bool warm_up;
	bool unread;                     /* its file is damaged, or it has no length */
};
struct step_survey *steps_survey(struct call *call, struct profile *profile);

/*
 * The activities of each chosen step. Those of the current step are made once and shared by all
 * answers; the last holder frees them.
 */
struct held_activities;
struct step_activities {
	size_t n;
	struct held_activities **held;
	const struct activities **refs;  /* one for each step */
	const char **labels;
};
bool step_activities_of(struct call *call, const struct step_choice *choice,
                        struct step_activities *out);
/* The same, with other graphs than those of the session. */
bool step_activities_with(struct call *call, const struct step_choice *choice,
                          struct graph *const *graphs, size_t n_graphs,
                          struct step_activities *out);
void step_activities_release(struct step_activities *activities);

/* Frees the session's activities; answers keep theirs. */
void steps_forget_activities(struct shell *shell);
/* In batch mode, frees all that is known about steps; it is read again on demand. */
void steps_make_room(struct shell *shell);

#endif
