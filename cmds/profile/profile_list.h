#ifndef CMDS_PROFILE_LIST_H
#define CMDS_PROFILE_LIST_H

#include "cmds/profile/profile_rows.h"
#include "cmds/profile/profile_time.h"

/*
 * The answer of `lp`: a block of rows for each device, in one table body whose lines are made on
 * demand.
 * Source: tfdbg's profile_analyzer_cli.py.
 */
enum profile_key { BY_NODE, BY_OP, BY_START, BY_OP_TIME, BY_EXEC_TIME, BY_LINE, N_PROFILE_KEYS };

/* N_PROFILE_KEYS for a word that is no key: as in tfdbg it sorts by start. NULL: BY_START. */
enum profile_key profile_key_of(const char *word);

struct profile_order {
	enum profile_key key;
	bool reverse;
	const char *unit_word;           /* as typed; checked when a time is written */
};

/* Puts the answer into call->out, errors into call->err. The step must outlive the document. */
void profile_list_put(struct call *call, const struct step *step, const struct name_infos *infos,
                      struct profile_filter *filter, const struct profile_order *order);

/* A first screen while a step is being read. */
struct doc *profile_so_far_doc(const struct profile *profile);

#endif
