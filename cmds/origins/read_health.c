/*
 * A single run's tensors are shared among threads. Of several runs each thread takes one after the
 * other; what it has read waits until the runs before it were given to the finder, so that no more
 * runs are open than there are threads. What the session knows of a tensor is not read again.
 */
#include "cmds/origins/read_health.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/position.h"
#include "dump/base/mem.h"
#include "dump/base/share.h"

struct reading {
	struct runs *runs;
	struct visits *all;
	struct health_search *search;
	struct progress *progress;
	struct visit **visits;           /* by run: those that are open anyway; NULL */
	size_t first;                    /* the run that this reading begins with, from 0 */
	/* The rest is guarded by the lock; the turn is that of the run after those given. */
	pthread_mutex_t lock;
	pthread_cond_t turn;
	bool stopped;
	struct err err;
};

/* A run whose tensors are read. */
struct one_run {
	struct reading *reading;
	struct visit *visit;             /* NULL: it was opened for this only */
	struct run *run;                 /* NULL: it can't be read */
	struct run_facts *facts;         /* NULL: of a worker nothing has to be read */
	struct origin_health *health;
	bool absent;                     /* the worker did not tell of it */
	struct err err;
};

/* ---- tensors */

static struct origin_health health_of(const struct tensor_fact *fact)
{
	static const enum origin_known known[] = {
		[FACT_CLEAN] = KNOWN_ELEMENTS, [FACT_BAD] = KNOWN_ELEMENTS,
		[FACT_CANT_TELL] = KNOWN_COUNTS, [FACT_UNREADABLE] = KNOWN_NOTHING,
	};

	return (struct origin_health){
		.counts = { fact->nan, fact->pos_inf, fact->neg_inf, (int64_t)fact->size },
		.known = known[fact->state], .has_zero = fact->zero,
		.has_negative = fact->negative,
	};
}

/* What a debug op counted is no fact about its own output: only that this could be read. */
static bool read_counts(struct one_run *one, uint32_t at)
{
	struct origin_health *out = &one->health[at];
	struct err err = {0};

	origin_health_read(one->run, &one->run->tensors.at[at], out, one->reading->progress, &err);
	if (out->known != KNOWN_NOTHING && one->facts)
		fact_note_opens(one->facts, at);
	return err.code != ERR_CANCELLED;
}

/* False after a cancel only. */
static bool read_tensor(void *context, size_t i)
{
	struct one_run *one = context;
	uint32_t at = (uint32_t)i;
	struct tensor_fact fact;
	struct err err = {0};

	if (!one->facts ||
	    origin_debug_of(one->run, &one->run->tensors.at[at]) != DEBUG_IDENTITY)
		return read_counts(one, at);
	if (!fact_read(one->facts, one->run, at, &fact, one->reading->progress, &err))
		return false;
	one->health[at] = health_of(&fact);
	return true;
}

static void count_unknown(const struct one_run *one)
{
	struct health_search *search = one->reading->search;

	for (size_t at = 0; at < one->run->tensors.len; at++) {
		bool other = origin_debug_of(one->run, &one->run->tensors.at[at]) == DEBUG_OTHER;

		if (one->health[at].known == KNOWN_NOTHING)
			*(other ? &search->unjudged : &search->unreadable) += 1;
	}
}

/* ---- a run */

/* On a thread that may not step the progress. */
struct run *open_run_for(struct runs *runs, const struct run_entry *entry, const char *worker,
                         struct graph_store *graphs, enum run_depth depth,
                         struct progress *progress, struct err *err)
{
	struct progress own = progress_of_part(progress);
	struct run *run = runs_open_run(runs, entry, err);

	if (!run)
		return NULL;
	run->depth = depth;
	run->graphs = graphs;
	run->worker = worker ? worker : run->worker;
	if (run_load(run, &own, err))
		return run;
	run_close(run);
	return NULL;
}

static void open_one(struct reading *r, size_t i, struct one_run *one)
{
	struct run_entry *entry = runs_at(r->runs, i + 1);
	const char *worker = r->search->worker;

	*one = (struct one_run){ .reading = r, .visit = worker ? NULL : r->visits[i] };
	one->absent = worker && !run_entry_is_of(entry, worker);
	if (one->absent)
		return;
	one->run = one->visit ? one->visit->run
	                      : open_run_for(r->runs, entry, worker, r->search->graphs,
	                                     RUN_WHOLE, r->progress, &one->err);
	if (!one->run)
		return;
	one->health = mem_alloc((one->run->tensors.len + 1) * sizeof *one->health);
	one->facts = worker ? NULL : facts_of_run(r->all, entry, one->run);
}

static void close_one(struct one_run *one)
{
	if (!one->visit)
		run_close(one->run);
	free(one->health);
	facts_close(one->facts);
}

/*
 * Notes what can't be read of a run; opening has said it already if the run is the only one. True
 * if tensors may be missing.
 */
static bool note_faults(struct reading *r, size_t i, const struct run *run)
{
	struct str text = {0};
	bool lacks = false;

	for (size_t k = 0; k < run->problems.len; k++) {
		const struct problem *problem = &run->problems.at[k];

		lacks |= problem->nodes != NULL;
		if (!problem->unread || r->runs->list.len == 1)
			continue;
		str_reset(&text);
		put_unread(&text, runs_at(r->runs, i + 1), problem);
		vec_push(&r->search->faults, arena_copy(&r->search->mem, text.text, text.len));
	}
	str_release(&text);
	return lacks;
}

/* Gives run i to the finder, or notes why it can't. False: no further one is wanted. */
static bool give(struct reading *r, size_t i, const struct one_run *one)
{
	struct health_search *search = r->search;
	uint64_t unknown = search->unreadable + search->unjudged;
	struct str why = {0};
	bool lacks;

	if (one->absent)
		return true;
	if (!one->run) {
		if (one->err.code == ERR_CANCELLED)
			return false;
		put_broken_run(&why, runs_at(r->runs, i + 1), &one->err);
		vec_push(&search->broken, arena_copy(&search->mem, why.text, why.len));
		str_release(&why);
		vec_push(&search->unjudged_runs, (uint32_t)i + 1);
		return true;
	}
	count_unknown(one);
	lacks = note_faults(r, i, one->run);
	search->lacks_tensors |= lacks;
	if (lacks || search->unreadable + search->unjudged > unknown)
		vec_push(&search->unjudged_runs, (uint32_t)i + 1);
	search->spoiled = !origin_finder_add(search->finder, one->run, (uint32_t)i + 1,
	                                     one->health, r->progress, &r->err);
	return !search->spoiled;
}

static void show(struct reading *r, size_t i, const struct one_run *one)
{
	const struct run_viewer *viewer = r->search->viewer;
	struct progress own = progress_of_part(r->progress);

	if (viewer)
		viewer->see(viewer->owner, runs_at(r->runs, i + 1), one->visit ? NULL : one->run,
		            &own);
}

/* Waits for the turn of run i. read: all of its tensors were. */
static bool take_turn(struct reading *r, size_t i, const struct one_run *one, bool read)
{
	bool goes_on;

	pthread_mutex_lock(&r->lock);
	while (r->search->n_given < i && !r->stopped)
		pthread_cond_wait(&r->turn, &r->lock);
	if (!r->stopped) {
		r->stopped = !read || !give(r, i, one);
		r->search->n_given += !r->stopped;
	}
	if (!r->stopped)
		show(r, i, one);
	goes_on = !r->stopped;
	pthread_cond_broadcast(&r->turn);
	pthread_mutex_unlock(&r->lock);
	return goes_on;
}

static bool read_run(void *context, size_t piece)
{
	struct reading *r = context;
	size_t i = r->first + piece;
	struct one_run one;
	bool read = true;

	open_one(r, i, &one);
	for (size_t at = 0; read && one.run && at < one.run->tensors.len; at++)
		read = !progress_cancelled(r->progress) && read_tensor(&one, at);
	read = take_turn(r, i, &one, read);
	close_one(&one);
	return read;
}

/* ---- all of them */

static bool stopped(size_t done, size_t n, const char *what, struct err *err)
{
	return err_at(err, ERR_CANCELLED, "command", 0, "stopped after %zu of %zu %s", done, n,
	              what);
}

static bool read_only_run(struct reading *r, struct err *err)
{
	struct one_run one;
	size_t n, done = 0;
	bool ok;

	open_one(r, 0, &one);
	if (one.absent)
		return true;
	if (!one.run) {
		*err = one.err;
		return false;
	}
	n = one.run->tensors.len;
	if (r->progress)
		atomic_store(&r->progress->what, "tensors");
	done = share_work(n, read_tensor, &one, r->progress);
	ok = done == n && give(r, 0, &one);
	close_one(&one);
	return ok || stopped(done, n, "tensors", err);
}

static bool read_runs(struct reading *r, size_t n, struct err *err)
{
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->turn, NULL);
	if (r->progress)
		atomic_store(&r->progress->what, "runs");
	share_work(n - r->first, read_run, r, r->progress);
	pthread_cond_destroy(&r->turn);
	pthread_mutex_destroy(&r->lock);
	return r->search->n_given == n || stopped(r->search->n_given, n, "runs", err);
}

struct health_search *health_search_new(bool single, const char *worker)
{
	struct health_search *search = mem_alloc(sizeof *search);

	search->worker = worker;
	search->finder = origin_finder_new(single);
	search->graphs = graph_store_new();
	return search;
}

void health_search_free(void *what)
{
	struct health_search *search = what;

	if (!search)
		return;
	origin_finder_free(search->finder);
	graph_store_free(search->graphs);
	vec_release(&search->broken);
	vec_release(&search->faults);
	vec_release(&search->unjudged_runs);
	arena_release(&search->mem);
	free(search);
}

bool read_health(struct shell *shell, struct health_search *search, struct progress *progress,
                 struct err *err)
{
	struct reading r = { .runs = shell->runs, .all = shell->visits, .search = search,
	                     .progress = progress, .first = search->n_given };
	size_t n = shell->runs->list.len;
	bool ok;

	r.visits = mem_alloc((n + 1) * sizeof *r.visits);
	for (size_t i = 0; i < n; i++)
		r.visits[i] = visit_find(shell->visits, runs_at(shell->runs, i + 1));
	ok = n == 1 ? read_only_run(&r, err) : read_runs(&r, n, err);
	for (size_t i = 0; i < n; i++)
		visit_release(r.visits[i]);
	free(r.visits);
	return ok;
}
