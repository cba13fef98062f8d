#ifndef CMDS_FACTS_H
#define CMDS_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmds/array/vitals.h"
#include "dump/model/run.h"

/*
 * What was found out about the tensors of runs by reading them, few bytes a tensor, for as long as
 * the session lasts or until the run changes: a run need not stay open for that. Whoever reads a
 * tensor to judge it reads it here, so that it is read once. All of this may be called on any
 * thread.
 */
enum fact_state {
	FACT_NONE,
	FACT_OPENS,              /* its file is whole; of the elements nothing is known */
	FACT_UNREADABLE,
	FACT_CANT_TELL,          /* no array was recorded */
	FACT_CLEAN,
	FACT_BAD,                /* it holds NaN or Inf */
};

/* Of a tensor. The rest is told only if it is clean or bad, the type always; see struct vitals. */
struct tensor_fact {
	enum fact_state state;
	bool zero, negative;             /* there is such an element; -Inf is negative */
	const struct dtype_info *type;   /* NULL: not known */
	uint64_t size;                   /* elements */
	uint64_t nan, pos_inf, neg_inf;
	double magnitude;                /* the largest finite |x|; NAN: there is none */
};

/* Are its counts known? */
static inline bool fact_is_told(const struct tensor_fact *fact)
{
	return fact->state >= FACT_CLEAN;
}

struct facts;
struct run_entry;
struct facts *facts_new(void);
void facts_free(struct facts *facts);            /* once all of them are closed */
/* The run has changed: what is open stays as it is, and is not found again. */
void facts_forget(struct facts *facts, const struct run_entry *entry);

/* Of an array without a value what was recorded says it: its largest and its least element. */
enum fact_state fact_recorded(const struct run *run, const struct tensor *tensor);

/* Those of a run of n tensors. Close them. */
struct run_facts;
struct run_facts *facts_open(struct facts *facts, const struct run_entry *entry, size_t n);
void facts_close(struct run_facts *facts);       /* NULL: nothing */

/* By its index in run->tensors. */
struct tensor_fact fact_of(const struct run_facts *facts, uint32_t at);
/*
 * Reads the tensor, unless that was done; one that could not be read is tried again. False after a
 * cancel. Of one that can't be read *err is why.
 */
bool fact_read(struct run_facts *facts, const struct run *run, uint32_t at,
               struct tensor_fact *out, struct progress *progress, struct err *err);
/* The same of any run, without keeping it. */
bool fact_look(const struct run *run, uint32_t at, struct tensor_fact *out,
               struct progress *progress, struct err *err);
/*
 * All of them, on several threads, in order. Returns how many are known then; less than n: it was
 * cancelled.
 */
size_t facts_read_all(struct run_facts *facts, const struct run *run, struct progress *progress);
/* The same, but no more than that their files can be read. */
size_t facts_look_at_all(struct run_facts *facts, const struct run *run, struct progress *progress);
/* Records what another reader found out about a tensor. */
void fact_note(struct run_facts *facts, uint32_t at, const struct vitals *vitals);
/* Records that a tensor's file can be read. */
void fact_note_opens(struct run_facts *facts, uint32_t at);
/* Records that a tensor has no value. */
void fact_note_missing(struct run_facts *facts, const struct run *run, uint32_t at);

#endif
