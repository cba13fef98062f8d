/*
 * Threads take one tensor after the other. The caller's own takes part, and it alone tells the
 * progress, whose tick is not for other threads.
 */
#include "cmds/tensor/read_all.h"

#include <pthread.h>
#include <unistd.h>

#include "dump/base/thread.h"

enum { MAX_HELPERS = 3 };

struct reading {
	struct visit *visit;
	const uint32_t *at;
	size_t n;
	struct progress *progress;
	atomic_size_t next, done;
};

/* False: there is none left, or it was cancelled. */
static bool read_next(struct reading *r)
{
	size_t i = atomic_fetch_add(&r->next, 1);
	struct err err = {0};

	if (i >= r->n || progress_cancelled(r->progress) ||
	    !healths_read(r->visit->healths, r->at[i], r->progress, &err))
		return false;
	atomic_fetch_add(&r->done, 1);
	return true;
}

static void *help(void *arg)
{
	while (read_next(arg))
		;
	return NULL;
}

static size_t n_helpers(size_t n)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t most = processors > MAX_HELPERS ? MAX_HELPERS
	              : processors > 1         ? (size_t)processors - 1
	                                       : 0;

	return n > most ? most : 0;
}

size_t read_all(struct visit *visit, const uint32_t *at, size_t n, struct progress *progress)
{
	struct reading r = { .visit = visit, .at = at, .n = n, .progress = progress };
	size_t wanted = n_helpers(n), helpers = 0;
	pthread_t helper[MAX_HELPERS];

	if (progress)
		atomic_store(&progress->what, "tensors");
	while (helpers < wanted && thread_start(&helper[helpers], help, &r))
		helpers++;
	while (progress_step(progress, atomic_load(&r.done), n) && read_next(&r))
		;
	while (helpers)
		pthread_join(helper[--helpers], NULL);
	return atomic_load(&r.done);
}
