#ifndef CMDS_FILTERS_H
#define CMDS_FILTERS_H

#include "cmds/session/config.h"
#include "cmds/session/filter.h"
#include "dump/base/vec.h"

/* Tensor filters by name, each with its verdicts on the dumped tensors so far. */

/*
 * On one tensor; the other bits may be set besides VERDICT_KNOWN. VERDICT_CLEAN: the built-in
 * filter did not pass over it, as it does with types that numpy lacks, and there is no NaN or Inf.
 */
enum { VERDICT_KNOWN = 1, VERDICT_PASSES = 2, VERDICT_UNREADABLE = 4, VERDICT_CLEAN = 8 };

struct named_filter {
	const char *name;
	char *text;              /* NULL: built in */
	bool saved;              /* in the config file */
	struct filter *filter;   /* NULL: built in */
	uint64_t id;             /* of this expression under this name, from 1; never reused */
};

struct filters {
	VEC(struct named_filter) list;           /* sorted by name */
	uint64_t last_id;
};

#define FILTER_BUILT_IN "has_inf_or_nan"
/* Built in where a recorded program is open, by name. Others of these names are hidden there. */
#define PROGRAM_FILTERS(X) \
	X(INF, "has_inf") X(INF_OR_NAN, FILTER_BUILT_IN) X(NAN, "has_nan") \
	X(NEGATIVE, "has_negative") X(ZERO, "has_zero")
enum program_filter {
#define X(id, name) PROGRAM_HAS_##id,
	PROGRAM_FILTERS(X)
#undef X
	N_PROGRAM_FILTERS
};
/* N_PROGRAM_FILTERS: it is none. */
enum program_filter program_filter_of(const char *name);

/* The built-in one, then those of the config file; complains about bad ones. */
void filters_init(struct filters *filters, struct config_complaint *complaint);
void filters_release(struct filters *filters);
/* NULL: none. */
struct named_filter *filters_find(const struct filters *filters, const char *name);
/* The same where a recorded program is open, or not; and all of them, sorted by name. */
const struct named_filter *filters_shown(const struct filters *filters, bool of_program,
                                         const char *name);
/* Fills out, which has room for list.len + N_PROGRAM_FILTERS; returns how many there are. */
size_t filters_all_shown(const struct filters *filters, bool of_program,
                         const struct named_filter **out);

/*
 * Adds a filter, or replaces the one of that name. ERR_SYNTAX and ERR_REGEX as filter_parse,
 * ERR_VALUE for a bad or taken name, with one line in msg; then nothing has changed. saved: into
 * the config file too; after ERR_IO it is added but not saved.
 */
bool filters_add(struct filters *filters, const char *name, const char *text, bool saved,
                 struct err *err);
/*
 * Fails as filters_add, except for errors of the expression. saved: from the config file too, if it
 * is there.
 */
bool filters_remove(struct filters *filters, const char *name, bool saved, struct err *err);

/* A copy for another thread, without a name; release its filter with filter_free. */
struct named_filter filter_copy(const struct named_filter *filter);

/*
 * The verdict on the tensor at this index in run->tensors. It is asked once and kept in verdicts,
 * which has one for each tensor; only unreadable tensors are asked again. ops may be NULL: no op
 * type is known. *err as filter_passes; after ERR_CANCELLED and ERR_LIMIT nothing is kept.
 */
unsigned filter_verdict(const struct named_filter *filter, unsigned char *verdicts,
                        const struct run *run, const char *const *ops, uint32_t at,
                        struct progress *progress, struct err *err);
/* Why a tensor is VERDICT_UNREADABLE: reads it again. */
void filter_complaint(const struct named_filter *filter, const struct run *run,
                      const char *const *ops, uint32_t at, struct progress *progress,
                      struct err *err);

#endif
