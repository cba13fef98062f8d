#ifndef CMDS_VISIT_H
#define CMDS_VISIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cmds/session/complete.h"
#include "cmds/session/facts.h"
#include "cmds/session/filters.h"
#include "cmds/session/health.h"
#include "dump/runs.h"

/*
 * An open run, with what was found out about it. Every answer about the run keeps it; it is freed
 * when no answer and no session uses it. Answers may be freed on any thread; everything else here
 * belongs to the session's thread.
 */
struct visits;

enum { N_TENSOR_RANKS = 4 };

struct verdicts {
	uint64_t filter;         /* named_filter.id */
	unsigned char *of;       /* VERDICT_ bits of each tensor */
};

struct visit {
	struct visits *all;
	size_t users;            /* guarded by the lock of `all` */
	struct run_entry *entry;
	struct run *run;
	bool outdated;                   /* more was dumped since; visit_find skips it */
	_Atomic(const unsigned char *) signs;    /* by tensor, what was noted; NULL: nothing */
	struct run_facts *facts;         /* what is known of its tensors, whoever read them */
	struct healths *healths;         /* of some of them more; any thread */
	const char **tensor_op;          /* op types; NULL: the node is in no graph */
	/* Of all tensors, by columns that the dump alone tells (tensor_list.c). NULL: not yet. */
	uint32_t *tensor_ranks[N_TENSOR_RANKS];
	bool *unreadable;                /* a filter could not read them; NULL: none yet */
	VEC(struct verdicts) verdicts;
	bool *hidden;            /* left out by options of run; NULL: none */
	size_t n_hidden;
	bool validated;                  /* the comparison was started */
	bool minded;                     /* keeping it in the cache was, or checking what came */
	bool checked;                    /* it came from the cache, and is still so */
	struct problem *findings;        /* its findings, once taken */
	size_t n_findings;
	struct arena findings_mem;
	bool stopped_here;               /* by a filter that a tensor passed */
	struct candidates *candidates;   /* for completion */
};

struct visits *visits_new(void);
void visits_free(struct visits *all);    /* once all visits are released */

/* What reads tensors of these runs in the background; any thread. */
struct health_scan *visits_scan(struct visits *all);

/* What is known of tensors of all runs, open or not. */
struct facts *visits_facts(const struct visits *all);
/* Those of a run; close them. */
struct run_facts *facts_of_run(const struct visits *all, const struct run_entry *entry,
                               const struct run *run);

/* From now on visit_find skips the open visits of this run. */
void visit_outdate(struct visits *all, const struct run_entry *entry);

/* Takes run over. Call visit_release once for each visit_new, visit_find and visit_keep. */
struct visit *visit_new(struct visits *all, struct run_entry *entry, struct run *run);
/* NULL: it is not open. */
struct visit *visit_find(struct visits *all, const struct run_entry *entry);
struct visit *visit_keep(struct visit *visit);
void visit_release(void *visit);         /* NULL: nothing */

/*
 * What is known of tensors with NaN or Inf besides: SIGN_ORIGIN, SIGN_HARMLESS. Those of all runs,
 * in place of what was noted before. The session's thread.
 */
struct tensor_note {
	const struct run_entry *entry;
	const char *device, *node;       /* device NULL: any */
	uint32_t slot, number;           /* as in struct tensor */
	enum row_sign sign;
};
void visits_note(struct visits *all, const struct tensor_note *notes, size_t n);

/* Op types of all tensors, NULL where unknown; the caller frees the array. */
const char **run_ops(const struct run *run);
const char *const *visit_ops(struct visit *visit);       /* the same, found once and kept */
/* The verdicts of a filter on the tensors, zero at first. */
unsigned char *visit_verdicts(struct visit *visit, const struct named_filter *filter);
/*
 * The sign of a tensor, and of a node: that of its dumps together, on whatever device. look: as
 * doc_sign. Any thread.
 */
enum row_sign visit_sign(struct visit *visit, uint32_t at, bool look);
enum row_sign visit_node_sign(struct visit *visit, const char *node, bool look);
/* NULL: it is not known yet; it is looked at, as above. Any thread. */
const struct vitals *visit_vitals(struct visit *visit, uint32_t at);
/* The same of a node's dumps: of the first one that is bad, else of any. */
const struct vitals *visit_node_vitals(struct visit *visit, const char *node);
/*
 * What the filter says of a tensor, as far as that follows from what is known of it; 0: it does
 * not.
 */
unsigned char verdict_of_fact(const struct named_filter *filter, const struct tensor_fact *fact);
/* Gives the filter the facts that are known, so that it reads fewer tensors. */
void verdicts_lend(const struct named_filter *filter, const struct run_facts *facts,
                   unsigned char *verdicts, size_t n);
void visit_lend_health(struct visit *visit, const struct named_filter *filter);
/* Records what the nan/inf filter found out as the tensors' health. */
void visit_learn_health(struct visit *visit, const struct named_filter *filter);

#endif
