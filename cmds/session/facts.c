/*
 * A list of runs by number, each with a fact for every tensor; NULL: the run was forgotten.
 * Rooms of facts are zero until they are used: of a run that nobody reads they take no memory.
 * All is guarded by one lock, which is held to copy a fact.
 */
#include "cmds/session/facts.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "cmds/session/by_entry.h"
#include "dump/base/mem.h"
#include "dump/base/share.h"
#include "dump/base/vec.h"

struct run_facts {
	struct facts *all;
	size_t users;            /* the list is one, until it forgets it */
	size_t n;
	struct tensor_fact *at;
};

struct facts {
	pthread_mutex_t lock;
	struct by_entry numbers;
	VEC(struct run_facts *) list;
};

struct facts *facts_new(void)
{
	struct facts *facts = mem_alloc(sizeof *facts);

	pthread_mutex_init(&facts->lock, NULL);
	return facts;
}

/* With the lock. */
static void leave(struct run_facts *facts)
{
	if (!facts || --facts->users)
		return;
	free(facts->at);
	free(facts);
}

void facts_free(struct facts *facts)
{
	for (size_t i = 0; i < facts->list.len; i++)
		leave(facts->list.at[i]);
	vec_release(&facts->list);
	by_entry_release(&facts->numbers);
	pthread_mutex_destroy(&facts->lock);
	free(facts);
}

void facts_forget(struct facts *facts, const struct run_entry *entry)
{
	uint32_t number;

	pthread_mutex_lock(&facts->lock);
	number = by_entry_find(&facts->numbers, entry, 0);
	if (number != MAP_NONE) {
		leave(facts->list.at[number]);
		facts->list.at[number] = NULL;
	}
	pthread_mutex_unlock(&facts->lock);
}

static struct run_facts *run_facts_new(struct facts *all, size_t n)
{
	struct run_facts *facts = mem_alloc(sizeof *facts);

	*facts = (struct run_facts){ .all = all, .users = 1, .n = n,
	                             .at = mem_alloc((n + 1) * sizeof *facts->at) };
	return facts;
}

struct run_facts *facts_open(struct facts *facts, const struct run_entry *entry, size_t n)
{
	struct run_facts **found, *opened;
	uint32_t number;

	pthread_mutex_lock(&facts->lock);
	number = by_entry_add(&facts->numbers, entry, 0);
	found = number == facts->list.len ? vec_add(&facts->list) : &facts->list.at[number];
	if (*found && (*found)->n != n) {
		leave(*found);
		*found = NULL;
	}
	if (!*found)
		*found = run_facts_new(facts, n);
	opened = *found;
	opened->users++;
	pthread_mutex_unlock(&facts->lock);
	return opened;
}

void facts_close(struct run_facts *facts)
{
	pthread_mutex_t *lock = facts ? &facts->all->lock : NULL;

	if (!facts)
		return;
	pthread_mutex_lock(lock);
	leave(facts);
	pthread_mutex_unlock(lock);
}

struct tensor_fact fact_of(const struct run_facts *facts, uint32_t at)
{
	struct tensor_fact fact;

	pthread_mutex_lock(&facts->all->lock);
	fact = facts->at[at];
	pthread_mutex_unlock(&facts->all->lock);
	return fact;
}

static void put(struct run_facts *facts, uint32_t at, const struct tensor_fact *fact)
{
	pthread_mutex_lock(&facts->all->lock);
	facts->at[at] = *fact;
	pthread_mutex_unlock(&facts->all->lock);
}

static struct tensor_fact fact_from(const struct vitals *v)
{
	static const enum fact_state states[] = {
		[VITALS_CLEAN] = FACT_CLEAN, [VITALS_BAD] = FACT_BAD,
		[VITALS_CANT_TELL] = FACT_CANT_TELL, [VITALS_UNREADABLE] = FACT_UNREADABLE,
	};
	struct tensor_fact fact = {
		.state = states[v->state], .zero = v->zero, .type = v->type,
		.negative = v->negative || v->neg_inf, .size = v->size, .nan = v->nan,
		.pos_inf = v->pos_inf, .neg_inf = v->neg_inf, .magnitude = NAN,
	};

	vitals_magnitude(v, &fact.magnitude);
	return fact;
}

void fact_note(struct run_facts *facts, uint32_t at, const struct vitals *vitals)
{
	struct tensor_fact fact = fact_from(vitals);

	put(facts, at, &fact);
}

void fact_note_opens(struct run_facts *facts, uint32_t at)
{
	pthread_mutex_lock(&facts->all->lock);
	if (facts->at[at].state == FACT_NONE)
		facts->at[at].state = FACT_OPENS;
	pthread_mutex_unlock(&facts->all->lock);
}

enum fact_state fact_recorded(const struct run *run, const struct tensor *tensor)
{
	const struct array_stats *stats;
	struct array_facts facts;
	bool both;

	if (!run_array_facts(run, tensor, &facts) || !facts.stats)
		return FACT_CANT_TELL;
	stats = facts.stats;
	both = stats->has[STATS_MAX] && stats->has[STATS_MIN];
	for (int i = STATS_MAX; i <= STATS_MIN; i++)
		if (stats->has[i] && !isfinite(stats->at[i]))
			return FACT_BAD;
	return both ? FACT_CLEAN : FACT_CANT_TELL;
}

static struct tensor_fact missing_fact(const struct run *run, uint32_t at)
{
	return (struct tensor_fact){ .state = fact_recorded(run, &run->tensors.at[at]),
	                             .magnitude = NAN };
}

void fact_note_missing(struct run_facts *facts, const struct run *run, uint32_t at)
{
	struct tensor_fact fact = missing_fact(run, at);

	put(facts, at, &fact);
}

bool fact_look(const struct run *run, uint32_t at, struct tensor_fact *out,
               struct progress *progress, struct err *err)
{
	struct vitals vitals = { .state = VITALS_UNREADABLE };
	struct value *value;

	value = run_value(run, &run->tensors.at[at], err);
	if (value)
		vitals_counts_of(value, &vitals, progress, err);
	value_close(value);
	if (err->code == ERR_CANCELLED)
		return false;
	*out = !value && err->code == ERR_MISSING ? missing_fact(run, at) : fact_from(&vitals);
	return true;
}

bool fact_read(struct run_facts *facts, const struct run *run, uint32_t at,
               struct tensor_fact *out, struct progress *progress, struct err *err)
{
	*out = fact_of(facts, at);
	if (out->state > FACT_UNREADABLE)
		return true;
	if (!fact_look(run, at, out, progress, err))
		return false;
	put(facts, at, out);
	return true;
}

struct reading {
	struct run_facts *facts;
	const struct run *run;
	struct progress *progress;
};

static bool read_one(void *context, size_t i)
{
	const struct reading *r = context;
	struct tensor_fact fact;
	struct err err = {0};

	return fact_read(r->facts, r->run, (uint32_t)i, &fact, r->progress, &err);
}

static bool look_at_one(void *context, size_t i)
{
	const struct reading *r = context;
	struct value *value;
	struct err err = {0};

	if (fact_of(r->facts, (uint32_t)i).state != FACT_NONE)
		return true;
	value = run_value(r->run, &r->run->tensors.at[i], &err);
	if (value)
		fact_note_opens(r->facts, (uint32_t)i);
	value_close(value);
	return true;
}

/* A run of few, small tensors is read sooner than a thread is started. */
static bool is_small(const struct run *run)
{
	enum { FEW = 32 };
	const int64_t small_bytes = 1 << 20;
	int64_t bytes = 0;

	if (run->tensors.len > FEW)
		return false;
	for (size_t i = 0; i < run->tensors.len; i++) {
		int64_t size = run->tensors.at[i].size_bytes;

		if (size < 0 || size >= small_bytes - bytes)
			return false;
		bytes += size;
	}
	return true;
}

static size_t share(struct run_facts *facts, const struct run *run, share_piece *do_one,
                    struct progress *progress)
{
	struct reading r = { facts, run, progress };
	size_t i = 0;

	if (progress)
		atomic_store(&progress->what, "tensors");
	if (!is_small(run))
		return share_work(facts->n, do_one, &r, progress);
	while (i < facts->n && progress_step(progress, i, facts->n) && do_one(&r, i))
		i++;
	return i;
}

size_t facts_read_all(struct run_facts *facts, const struct run *run, struct progress *progress)
{
	return share(facts, run, read_one, progress);
}

size_t facts_look_at_all(struct run_facts *facts, const struct run *run, struct progress *progress)
{
	return share(facts, run, look_at_one, progress);
}
