#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How far a long piece of work is, and whether it should go on. The working thread writes done
 * and total and reads cancel; any other thread may do the opposite. Start with {0}.
 */
struct progress {
	atomic_bool cancel;
	atomic_uint_least64_t done, total; /* in units of `what`; total 0: not known yet */
	_Atomic(const char *) what;                  /* static text: "tensors" */
	/* of a search through runs, besides the tensors; 0: it is no such search */
	atomic_uint_least64_t runs, bytes;
	/* on the working thread at every step; may be NULL */
	void (*tick)(struct progress *progress);
	void *owner;                                 /* tick's own */
};

/* Call it every few hundred items. False after a cancel. A NULL progress always goes on. */
static inline bool progress_step(struct progress *p, uint64_t done, uint64_t total)
{
	if (!p)
		return true;
	atomic_store_explicit(&p->done, done, memory_order_relaxed);
	atomic_store_explicit(&p->total, total, memory_order_relaxed);
	if (p->tick)
		p->tick(p);
	return !atomic_load_explicit(&p->cancel, memory_order_relaxed);
}

static inline bool progress_cancelled(struct progress *p)
{
	return p && atomic_load_explicit(&p->cancel, memory_order_relaxed);
}

static inline void progress_pass_cancel(struct progress *part)
{
	if (progress_cancelled(part->owner))
		atomic_store(&part->cancel, true);
}

/*
 * What the thread is at work for, until the next call; NULL: nothing that can be stopped. Gives the
 * one before. It is asked by what may take long and is called where no progress can be given along:
 * reads of what has to be unpacked first.
 */
struct progress *progress_enter(struct progress *progress);
bool progress_here_cancelled(void);

/*
 * For what steps as if it was all there is to do, and is a part of something: a progress of its
 * own, which only hears when its owner is cancelled. owner may be NULL.
 */
static inline struct progress progress_of_part(struct progress *owner)
{
	return (struct progress){ .tick = progress_pass_cancel, .owner = owner };
}

#endif
