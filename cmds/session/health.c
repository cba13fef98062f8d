/*
 * What is known of a tensor is written once and then only read, so readers need no lock: a pointer
 * that is NULL until all behind it is there. A tensor that could not be read may get another one
 * later; the old one stays good.
 */
#include "cmds/session/health.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/facts.h"
#include "cmds/session/visit.h"
#include "dump/base/mem.h"
#include "dump/base/thread.h"

struct healths {
	const struct run *run;
	struct run_facts *facts;
	_Atomic(const struct vitals *) *of;      /* by tensor; NULL: not read */
	atomic_uchar *sign;                      /* enum row_sign of what is not read */
	atomic_bool *asked;                      /* of the scan */
	pthread_mutex_t lock;
	struct arena mem;                        /* guarded */
};

struct healths *healths_new(const struct run *run, struct run_facts *facts)
{
	struct healths *h = mem_alloc(sizeof *h);
	size_t n = run->tensors.len + 1;

	h->run = run;
	h->facts = facts;
	h->of = mem_alloc(n * sizeof *h->of);
	h->sign = mem_alloc(n * sizeof *h->sign);
	h->asked = mem_alloc(n * sizeof *h->asked);
	pthread_mutex_init(&h->lock, NULL);
	return h;
}

void healths_free(struct healths *h)
{
	if (!h)
		return;
	pthread_mutex_destroy(&h->lock);
	arena_release(&h->mem);
	free(h->of);
	free(h->sign);
	free(h->asked);
	free(h);
}

const struct vitals *healths_of(const struct healths *h, uint32_t at)
{
	return atomic_load_explicit(&h->of[at], memory_order_acquire);
}

static const struct vitals *keep(struct healths *h, uint32_t at, const struct vitals *vitals)
{
	size_t dims = vitals->rank * sizeof *vitals->dim;
	struct vitals *kept;
	int64_t *dim;

	pthread_mutex_lock(&h->lock);
	kept = arena_alloc(&h->mem, sizeof *kept);
	dim = arena_alloc(&h->mem, dims);
	pthread_mutex_unlock(&h->lock);
	*kept = *vitals;
	if (dims)
		memcpy(dim, vitals->dim, dims);
	kept->dim = dim;
	atomic_store_explicit(&h->of[at], kept, memory_order_release);
	return kept;
}

const struct vitals *healths_read(struct healths *h, uint32_t at, struct progress *progress,
                                  struct err *err)
{
	const struct vitals *known = healths_of(h, at);
	struct vitals vitals = { .state = VITALS_UNREADABLE };
	struct value *value;

	if (known && known->state != VITALS_UNREADABLE)
		return known;
	value = run_value(h->run, &h->run->tensors.at[at], err);
	if (value)
		vitals_of(value, &vitals, progress, err);
	else if (err->code == ERR_MISSING)
		vitals.state = VITALS_CANT_TELL;
	known = err->code == ERR_CANCELLED ? NULL : keep(h, at, &vitals);
	if (known && !value && err->code == ERR_MISSING)
		fact_note_missing(h->facts, h->run, at);
	else if (known)
		fact_note(h->facts, at, known);
	value_close(value);
	return known;
}

enum row_sign healths_sign(const struct healths *h, uint32_t at)
{
	static const enum row_sign signs[] = {
		[FACT_CLEAN] = SIGN_NONE, [FACT_BAD] = SIGN_BAD,
		[FACT_CANT_TELL] = SIGN_CANT_TELL, [FACT_UNREADABLE] = SIGN_DAMAGED,
	};
	struct tensor_fact fact = fact_of(h->facts, at);

	return fact.state > FACT_OPENS ? signs[fact.state]
	                               : (enum row_sign)atomic_load(&h->sign[at]);
}

void healths_note(struct healths *h, uint32_t at, enum row_sign sign)
{
	atomic_store(&h->sign[at], (unsigned char)sign);
}

/* In the background. */

enum { MAX_WISHES = 512 };

struct wish {
	struct visit *visit;
	uint32_t at;
};

struct health_scan {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	bool has_thread, ends;
	struct wish wish[MAX_WISHES];    /* the last one is the next */
	size_t n;
	bool reads;                      /* one that is no wish any more */
	uint64_t n_read, left_bytes;
	struct progress progress;        /* of the tensor that is being read: to cancel it */
	void (*wake)(void *owner);       /* NULL: no one */
	void *owner;
};

struct health_scan *health_scan_new(void)
{
	struct health_scan *scan = mem_alloc(sizeof *scan);

	pthread_mutex_init(&scan->lock, NULL);
	pthread_cond_init(&scan->changed, NULL);
	scan->left_bytes = HEALTH_SCAN_BYTES;
	return scan;
}

void health_scan_limit(struct health_scan *scan, uint64_t bytes)
{
	pthread_mutex_lock(&scan->lock);
	scan->left_bytes = bytes;
	pthread_mutex_unlock(&scan->lock);
}

bool health_scan_afford(struct health_scan *scan, uint64_t bytes)
{
	bool enough;

	pthread_mutex_lock(&scan->lock);
	enough = bytes <= scan->left_bytes;
	scan->left_bytes -= enough ? bytes : 0;
	pthread_mutex_unlock(&scan->lock);
	return enough;
}

/* With the lock, which is given back meanwhile. */
static void read_wish(struct health_scan *scan)
{
	struct wish wish = scan->wish[--scan->n];
	int64_t size = wish.visit->run->tensors.at[wish.at].size_bytes;
	struct err err = {0};

	scan->reads = true;
	pthread_mutex_unlock(&scan->lock);
	if (health_scan_afford(scan, size > 0 ? (uint64_t)size : 0))
		healths_read(wish.visit->healths, wish.at, &scan->progress, &err);
	visit_release(wish.visit);
	pthread_mutex_lock(&scan->lock);
	scan->reads = false;
	scan->n_read++;
	if (!scan->n && scan->wake)
		scan->wake(scan->owner);
}

static void *read_wishes(void *arg)
{
	struct health_scan *scan = arg;

	pthread_mutex_lock(&scan->lock);
	while (!scan->ends)
		if (scan->n)
			read_wish(scan);
		else
			pthread_cond_wait(&scan->changed, &scan->lock);
	pthread_mutex_unlock(&scan->lock);
	return NULL;
}

void health_scan_free(struct health_scan *scan)
{
	if (!scan)
		return;
	pthread_mutex_lock(&scan->lock);
	scan->ends = true;
	atomic_store(&scan->progress.cancel, true);
	pthread_cond_broadcast(&scan->changed);
	pthread_mutex_unlock(&scan->lock);
	if (scan->has_thread)
		pthread_join(scan->thread, NULL);
	while (scan->n)
		visit_release(scan->wish[--scan->n].visit);
	pthread_cond_destroy(&scan->changed);
	pthread_mutex_destroy(&scan->lock);
	free(scan);
}

/* Forgets the oldest half: their rows show no more, or ask again. */
static void make_room(struct health_scan *scan)
{
	size_t n = MAX_WISHES / 2;

	for (size_t i = 0; i < n; i++) {
		atomic_store(&scan->wish[i].visit->healths->asked[scan->wish[i].at], false);
		visit_release(scan->wish[i].visit);
	}
	scan->n -= n;
	memmove(scan->wish, scan->wish + n, scan->n * sizeof *scan->wish);
}

void health_scan_ask(struct health_scan *scan, struct visit *visit, uint32_t at)
{
	struct healths *h = visit->healths;

	if (healths_of(h, at) || atomic_exchange(&h->asked[at], true))
		return;
	pthread_mutex_lock(&scan->lock);
	if (!scan->has_thread)
		scan->has_thread = thread_start(&scan->thread, read_wishes, scan);
	if (scan->has_thread) {
		if (scan->n == MAX_WISHES)
			make_room(scan);
		scan->wish[scan->n++] = (struct wish){ visit_keep(visit), at };
	}
	pthread_mutex_unlock(&scan->lock);
}

bool health_scan_goes_on(struct health_scan *scan, uint64_t *told)
{
	bool goes_on;

	pthread_mutex_lock(&scan->lock);
	goes_on = scan->n || scan->reads || scan->n_read != *told;
	if (scan->n && !scan->reads)
		pthread_cond_broadcast(&scan->changed);
	*told = scan->n_read;
	pthread_mutex_unlock(&scan->lock);
	return goes_on;
}

void health_scan_wake(struct health_scan *scan, void (*wake)(void *owner), void *owner)
{
	pthread_mutex_lock(&scan->lock);
	scan->wake = wake;
	scan->owner = owner;
	pthread_mutex_unlock(&scan->lock);
}
