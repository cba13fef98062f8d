/*
 * A dump is compared with its graphs on a thread of its own: that reads all edges, and no answer
 * should wait for it. The thread keeps its run open; its findings belong to the session once it is
 * joined.
 */
#include <pthread.h>
#include <stdlib.h>

#include "cmds/session/session.h"
#include "dump/base/mem.h"
#include "dump/base/thread.h"

/* Tensors plus nodes. All edges together take as much memory as the index. */
enum {
	SOON_VALIDATED = 50000,          /* takes some hundredths of a second */
	MOST_VALIDATED = 1000000,        /* larger runs are not compared */
};

struct validation {
	pthread_t thread;
	struct visit *visit;
	struct progress progress;
	void (*ready)(void *owner);
	void *owner;
	atomic_bool done;
	bool ok;
	struct problem *problems;        /* in the visit's memory */
	size_t n;
};

static void *validate(void *arg)
{
	struct validation *v = arg;

	v->ok = run_check(v->visit->run, false, &v->progress, &v->visit->findings_mem,
	                  &v->problems, &v->n, NULL);
	atomic_store(&v->done, true);
	if (v->ready)
		v->ready(v->owner);
	return NULL;
}

/*
 * Joins the thread. True if it has findings. A graph that can't be read again says so on its own
 * use.
 */
static bool finish(struct validation *v)
{
	bool found = v->ok && v->n;

	if (found) {
		v->visit->findings = v->problems;
		v->visit->n_findings = v->n;
	}
	visit_release(v->visit);
	free(v);
	return found;
}

void shell_stop_validating(struct shell *shell)
{
	struct validation *v = shell->validation;

	if (!v)
		return;
	atomic_store(&v->progress.cancel, true);
	pthread_join(v->thread, NULL);
	shell->validation = NULL;
	finish(v);
}

/* Tensors and nodes of its graphs. */
static size_t size_of(const struct run *run)
{
	size_t n = run->tensors.len;

	for (size_t i = 0; i < run->devices.len; i++)
		if (run->devices.at[i].graph)
			n += graph_len(run->devices.at[i].graph);
	return n;
}

bool shell_validate(struct shell *shell, void (*ready)(void *owner), void *owner)
{
	struct visit *visit = shell->visit;
	struct validation *v;

	if (!shell->has_dump || !visit || visit->validated || shell->validation)
		return false;
	visit->validated = true;
	if (!run_has_graph(visit->run) || !visit->run->tensors.len ||
	    size_of(visit->run) > MOST_VALIDATED)
		return false;
	v = mem_alloc(sizeof *v);
	v->visit = visit_keep(visit);
	v->ready = ready;
	v->owner = owner;
	if (!thread_start(&v->thread, validate, v)) {
		finish(v);
		return false;
	}
	shell->validation = v;
	return true;
}

bool shell_take_findings(struct shell *shell, bool wait)
{
	struct validation *v = shell->validation;

	if (!v || (!wait && !atomic_load(&v->done)))
		return false;
	pthread_join(v->thread, NULL);
	shell->validation = NULL;
	return finish(v) && shell_findings(shell);
}

size_t shell_findings(const struct shell *shell)
{
	return shell->visit ? shell->visit->n_findings : 0;
}

bool shell_validates_soon(const struct shell *shell)
{
	return !shell->run || size_of(shell->run) <= SOON_VALIDATED;
}
