#ifndef CMDS_PROFILE_LIST_H
#define CMDS_PROFILE_LIST_H

#include "cmds/profile/profile_rows.h"
#include "cmds/profile/profile_time.h"

/*
 * The answer of `lp`: a block of rows for each device, in one table body whose lines are made on
 * demand.
 * Source: tfdbg's profile_analyzer_cli.py.
 */
struct profile_order {
	const char *sort;                /* as typed; NULL: by start */
	bool reverse;
	const char *unit_word;           /* as typed; checked when a time is written */
};

/* Can it be sorted by this word? As in tfdbg others are ignored. */
bool profile_list_sorts_by(const char *word);

/* Puts the answer into call->out, errors into call->err. The step must outlive the document. */
void profile_list_put(struct call *call, const struct step *step, const struct name_infos *infos,
                      struct profile_filter *filter, const struct profile_order *order);

/* A first screen while a step is being read. */
struct doc *profile_so_far_doc(const struct profile *profile);

#endif
