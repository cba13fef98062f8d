/*
 * A thread of its own does what nobody waits for: a run that came from the cache is read again and
 * compared with, one that was read from its directory is kept. It works beside the answers, on a
 * run that does not change; what it has found out is taken by the session's thread.
 */
#include "cmds/session/cached.h"

#include <pthread.h>
#include <stdlib.h>

#include "cmds/session/position.h"
#include "cmds/session/session.h"
#include "dump/base/mem.h"
#include "dump/base/thread.h"
#include "dump/files/cache.h"
#include "dump/model/graph_cache.h"
#include "dump/model/run_cache.h"

struct caching {
	pthread_t thread;
	struct visit *visit;
	bool checks;             /* what the visit's run is held against is read; else it is kept */
	struct run *now;         /* that; closed by the thread, as it may be large */
	struct progress progress;
	void (*ready)(void *owner);
	void *owner;
	atomic_bool done;
	bool same;
	struct str differs;
	struct err err;          /* of reading, or of keeping */
};

void shell_no_cache(void)
{
	cache_least = UINT64_MAX;
}

/* What is followed changes all the time, an archive has no directories. */
static bool has_use(const struct shell *shell)
{
	return shell->on_screen && shell->has_dump && shell->runs && !position_counts(shell) &&
	       !shell->runs->follow && !shell->target.archive;
}

bool cached_load(struct shell *shell, struct progress *progress, struct err *err)
{
	struct err unusable = {0}, why = {0};

	if (!has_use(shell))
		return false;
	if (run_load_kept(shell->opening, progress, &unusable, &why))
		return true;
	run_close(shell->opening);
	shell->opening = runs_open_run(shell->runs, runs_at(shell->runs, 1), &why);
	if (unusable.code && !why.code)
		str_fmt(&shell->cache_note, "The cache is not used: %s", unusable.msg);
	if (why.code && err)
		*err = why;
	return false;
}

/* ---- the thread */

static bool has_large_graph(const struct run *run)
{
	for (size_t i = 0; i < run->devices.len; i++)
		if (run->devices.at[i].graph && graph_is_worth_keeping(run->devices.at[i].graph))
			return true;
	return false;
}

/* What is not there yet. */
static void keep(struct caching *c)
{
	const struct run *run = c->visit->run;
	bool ok = true;

	for (size_t i = 0; i < run->devices.len && ok; i++)
		if (run->devices.at[i].graph && graph_is_worth_keeping(run->devices.at[i].graph))
			ok = graph_put_in_cache(run->devices.at[i].graph, &c->progress, &c->err)
			     || !c->err.code;
	if (ok && run_is_kept(run))
		run_keep(run, &c->progress, &c->err);
}

static void *mind(void *arg)
{
	struct caching *c = arg;

	if (c->checks && run_load(c->now, &c->progress, &c->err))
		c->same = run_is_as_kept(c->visit->run, c->now, &c->differs);
	run_close(c->now);
	c->now = NULL;
	if (!c->checks || c->same)
		keep(c);
	atomic_store(&c->done, true);
	if (c->ready)
		c->ready(c->owner);
	return NULL;
}

static void caching_free(struct caching *c)
{
	visit_release(c->visit);
	run_close(c->now);
	str_release(&c->differs);
	free(c);
}

/* The run of a visit, to be read again by its names. NULL: it is gone. */
static struct run *again(struct shell *shell)
{
	struct run *run = runs_open_run(shell->runs, position_at(shell), NULL);

	if (run)
		run->depth = RUN_NAMES;
	return run;
}

void shell_mind_cache(struct shell *shell, void (*ready)(void *owner), void *owner)
{
	struct visit *visit = shell->visit;
	struct caching *c;

	if (!visit || visit->minded || shell->caching || !has_use(shell))
		return;
	visit->minded = true;
	if (!visit->run->from_cache && !run_is_kept(visit->run) && !has_large_graph(visit->run))
		return;
	c = mem_alloc(sizeof *c);
	c->visit = visit_keep(visit);
	c->checks = visit->run->from_cache;
	c->now = c->checks ? again(shell) : NULL;
	c->ready = ready;
	c->owner = owner;
	if ((c->checks && !c->now) || !thread_start(&c->thread, mind, c))
		caching_free(c);
	else
		shell->caching = c;
}

/* ---- its end */

/* Of a run that is still the current one. */
static enum cache_end end_of(struct shell *shell, const struct caching *c)
{
	if (c->err.code == ERR_CANCELLED || c->visit != shell->visit)
		return CACHE_NOTHING;
	if (c->err.code && (!c->checks || c->same))
		str_fmt(&shell->cache_note, "Nothing is kept in the cache: %s", c->err.msg);
	if (!c->checks)
		return CACHE_NOTHING;
	c->visit->checked = c->same;
	if (c->same)
		return CACHE_CHECKED;
	str_fmt(&shell->cache_note, "Read again, as it has changed since it was cached: %s",
	        c->err.code ? c->err.msg : str_text(&c->differs));
	return CACHE_OUTDATED;
}

enum cache_end shell_take_cache_end(struct shell *shell)
{
	struct caching *c = shell->caching;
	enum cache_end end;

	if (!c || !atomic_load(&c->done))
		return CACHE_NOTHING;
	pthread_join(c->thread, NULL);
	shell->caching = NULL;
	end = end_of(shell, c);
	caching_free(c);
	return end;
}

bool shell_take_cache_note(struct shell *shell, struct str *out)
{
	if (!shell->cache_note.len)
		return false;
	str_puts(out, shell->cache_note.text);
	str_reset(&shell->cache_note);
	return true;
}

bool shell_is_unchecked(const struct shell *shell)
{
	return shell->visit && shell->visit->run->from_cache && !shell->visit->checked;
}

bool shell_minds_cache(const struct shell *shell)
{
	return shell->caching;
}

void shell_stop_minding_cache(struct shell *shell)
{
	struct caching *c = shell->caching;

	if (!c)
		return;
	atomic_store(&c->progress.cancel, true);
	pthread_join(c->thread, NULL);
	shell->caching = NULL;
	caching_free(c);
}
