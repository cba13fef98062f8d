#ifndef DUMP_PROFILE_PARTS_H
#define DUMP_PROFILE_PARTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "dump/files/recognise.h"
#include "dump/profile/part_names.h"
#include "dump/profile/profile.h"
#include "dump/profile/trace_worker.h"

/* What profile.c, profile_find.c and profile_steps.c share; nobody else includes it. */

struct part {
	const char *path, *shown;
	const char *step;                /* its label; NULL: from the name */
	enum file_kind kind;
	bool named;                      /* by option */
	const char *lost;                /* why it can't be used; NULL: it can */
	int64_t changed_s;               /* when it was last written, since 1970 */
	bool taken;                      /* a module that is open */
	bool unread;                     /* nobody knows whether it is one: it could not be read */
	struct trace_worker worker;      /* of a Chrome trace */
};

/* What belongs to a step of profile->steps. */
struct step_use {
	_Atomic unsigned holders;
	bool opened;                     /* the graphs were */
	struct graph_list graphs;
};

struct profile_parts {
	VEC(struct part) found;          /* in natural order of the names, named ones last */
	VEC(int) texts;                  /* open files of converted text */
	struct step *loading;
	const struct trace *reading;
	struct step_use *uses;           /* by step */
	bool alone;                      /* PATH is one file */
	bool loaded;
};

const char *profile_keep(struct profile *profile, const char *text);     /* in profile->mem */
/* One more of the problems, unless it is known: what was left out of a file, as shown. */
void profile_problem(struct profile *profile, const char *shown, const struct err *problem);
void step_use_close(struct step_use *use);

/* Finding parts (profile_find.c). */

/* What reads a step from a file of some kind; NULL: it has none. */
const struct step_source *part_source(enum file_kind kind);
bool part_is_trace(const struct part *part);
bool part_is_step(const struct part *part);
/* What reads a trace from a file of some kind; NULL: it is none. */
const struct trace_source *part_trace_source(enum file_kind kind);
/* The names that are looked at in a directory, in natural order. */
bool profile_list_names(struct profile *profile, const char *path, struct part_names *names,
                        struct err *err);
const char *profile_joined(struct profile *profile, const char *dir, const char *name);

/* Is it a compiled program? */
bool part_is_module(const struct part *part);

/* Compiled programs (profile_module.c). */

/*
 * Opens one: a named one, else of those that are compiled to the end the largest; of a trace all
 * that it has recorded, and that lie beside it. False after a cancel, or if it was asked for and
 * can't be read.
 */
bool profile_take_modules(struct profile *profile, struct progress *progress, struct err *err);

/*
 * Notes why a part is not there and goes on; false after a cancel, or if it was named: then the
 * error is the answer.
 */
bool profile_go_on_without(struct profile *profile, const struct part *part,
                           const struct err *why, struct err *err);

/* Traces (profile_traces.c). */

/*
 * Which part is read as a trace: of several the newest, by the numbers in names that are alike
 * otherwise (times, mostly), else by when they were written. NULL: none, or there are steps in
 * files.
 */
const struct part *profile_choose_trace(const struct profile *profile);
/* Is it read with that one? Of several machines all are. */
bool profile_reads_trace(const struct profile *profile, const struct part *part);
/* Reads it; its steps become the profile's. False with *err: it can't be read, or a cancel. */
bool profile_take_trace(struct profile *profile, const struct part *part,
                        struct progress *progress, struct err *err);

/* Steps (profile_steps.c). */

/* Numbers for all of them, and labels where an option gave none. */
void profile_label_steps(struct profile *profile);
/*
 * Loads the current step: the one of median length, else the last one that can be read. False after
 * a cancel; *err tells too why there is none.
 */
bool profile_load_current(struct profile *profile, struct progress *progress, struct err *err);

#endif
