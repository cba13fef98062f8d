#include "dump/base/share.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "dump/base/thread.h"

enum { MAX_HELPERS = 3 };

struct sharing {
	size_t n;
	share_piece *do_piece;
	void *context;
	struct progress *progress;
	atomic_size_t next, done;
	atomic_bool stopped;
};

/* False: there is none left, or it was stopped. */
static bool do_next(struct sharing *s)
{
	size_t i;

	if (atomic_load(&s->stopped) || progress_cancelled(s->progress))
		return false;
	i = atomic_fetch_add(&s->next, 1);
	if (i >= s->n)
		return false;
	if (!s->do_piece(s->context, i)) {
		atomic_store(&s->stopped, true);
		return false;
	}
	atomic_fetch_add(&s->done, 1);
	return true;
}

static void *help(void *arg)
{
	progress_enter(((struct sharing *)arg)->progress);
	while (do_next(arg))
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

size_t share_work(size_t n, share_piece *do_piece, void *context, struct progress *progress)
{
	struct sharing s = { .n = n, .do_piece = do_piece, .context = context,
	                     .progress = progress };
	size_t wanted = n_helpers(n), helpers = 0;
	pthread_t helper[MAX_HELPERS];

	while (helpers < wanted && thread_start(&helper[helpers], help, &s))
		helpers++;
	while (progress_step(progress, atomic_load(&s.done), n) && do_next(&s))
		;
	while (helpers)
		pthread_join(helper[--helpers], NULL);
	return atomic_load(&s.done);
}
