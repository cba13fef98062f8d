/*
 * The mutex guards the job that waits and the results that wait to be taken; the pipe only wakes
 * the key loop. There is at most one provisional document in hand: a newer one takes its place.
 */
#include "tui/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmds/session/envelope.h"
#include "cmds/session/following.h"
#include "dump/base/clock.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/thread.h"
#include "tui/restore.h"

enum { SO_FAR_EVERY_MS = 50, MAX_SHOWN_BYTES = 1 << 20 };

enum job { JOB_NONE, JOB_LOAD, JOB_REREAD, JOB_NEWS, JOB_RUN, JOB_STOP };

struct worker {
	struct shell *shell;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wanted;
	enum job job;
	char *line;
	int cols;
	struct doc *so_far;
	struct result done;              /* kind RESULT_NONE: nothing */
	struct progress progress;
	int64_t began_ms;
	double last_so_far;              /* seconds into the job */
	bool busy;                       /* the caller's side */
	int pipe[2];
};

void worker_wake(void *worker)
{
	struct worker *w = worker;
	ssize_t written = write(w->pipe[1], "", 1);

	(void)written;
}

/* On the worker thread, while shell_load runs. */
static void hand_over_so_far(struct progress *progress)
{
	struct worker *w = progress->owner;
	double now = worker_seconds(w);
	struct doc *doc, *old;

	if (now - w->last_so_far < SO_FAR_EVERY_MS / 1e3)
		return;
	w->last_so_far = now;
	doc = shell_so_far(w->shell);
	if (!doc)
		return;
	pthread_mutex_lock(&w->lock);
	old = w->so_far;
	w->so_far = doc;
	pthread_mutex_unlock(&w->lock);
	doc_free(old);
	worker_wake(w);
}

static void hand_over(struct worker *w, const struct result *result)
{
	pthread_mutex_lock(&w->lock);
	w->done = *result;
	pthread_mutex_unlock(&w->lock);
	worker_wake(w);
}

/* A file whose first MAX_SHOWN_BYTES are kept and whose rest is counted. */
struct kept_bytes {
	struct str text;
	size_t dropped;
};

static ssize_t keep_bytes(void *cookie, const char *bytes, size_t len)
{
	struct kept_bytes *kept = cookie;
	size_t room = MAX_SHOWN_BYTES - kept->text.len, n = len < room ? len : room;

	str_put(&kept->text, bytes, n);
	kept->dropped += len - n;
	return (ssize_t)len;
}

static struct doc *doc_of_bytes(const struct kept_bytes *kept)
{
	const char *at = str_text(&kept->text), *end = at + kept->text.len;
	struct doc *doc = doc_new();

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at)),
			   *stop = newline ? newline : end;

		doc_put_text(doc, ROLE_PLAIN, at, (size_t)(stop - at));
		doc_newline(doc);
		at = stop + 1;
	}
	if (kept->dropped)
		doc_line_put(doc, ROLE_CUT, "... %zu more byte%s; > FILE keeps them all",
		             kept->dropped, plural(kept->dropped));
	return doc;
}

/* "-o json" without a place to go to: what would be written is what shows. */
static void show_format(struct answer *answer, const char *line, struct progress *progress)
{
	struct kept_bytes kept = {0};
	FILE *out;

	if (!answer->has_format || answer->format == DOC_TEXT || answer->redirect.len ||
	    answer->pipe.len)
		return;
	out = fopencookie(&kept, "w", (cookie_io_functions_t){ .write = keep_bytes });
	if (!out)
		return;
	answer_write(answer, line, answer->format, false, progress, out);
	fclose(out);
	doc_free(answer->doc);
	answer->doc = doc_of_bytes(&kept);
	str_release(&kept.text);
}

static void do_job(struct worker *w, enum job job, char *line, int cols)
{
	struct result result = { .line = line };

	if (job == JOB_LOAD) {
		w->progress.tick = hand_over_so_far;
		result.kind = RESULT_LOADED;
		result.ok = shell_load(w->shell, &w->progress, &result.err);
	} else if (job == JOB_REREAD) {
		w->progress.tick = NULL;
		result.kind = RESULT_REREAD;
		result.ok = shell_reread(w->shell, &w->progress, &result.err);
	} else if (job == JOB_NEWS) {
		w->progress.tick = NULL;
		result.kind = RESULT_NEWS;
		shell_read_news(w->shell, &w->progress);
	} else {
		w->progress.tick = NULL;
		result.kind = RESULT_ANSWER;
		shell_run(w->shell, line, cols, &w->progress, &result.answer);
		show_format(&result.answer, line, &w->progress);
		answer_send(&result.answer, line, DOC_TEXT, PIPE_SHOWS, &w->progress);
	}
	hand_over(w, &result);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	restore_thread();
	progress_enter(&w->progress);
	for (;;) {
		enum job job;
		char *line;
		int cols;

		pthread_mutex_lock(&w->lock);
		while (w->job == JOB_NONE)
			pthread_cond_wait(&w->wanted, &w->lock);
		job = w->job;
		line = w->line;
		cols = w->cols;
		w->job = JOB_NONE;
		w->line = NULL;
		pthread_mutex_unlock(&w->lock);
		if (job == JOB_STOP)
			break;
		do_job(w, job, line, cols);
	}
	restore_thread_end();
	return NULL;
}

struct worker *worker_new(struct shell *shell)
{
	struct worker *w = mem_alloc(sizeof *w);

	w->shell = shell;
	shell_on_screen(shell);
	w->progress.owner = w;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wanted, NULL);
	if (pipe2(w->pipe, O_NONBLOCK | O_CLOEXEC) != 0 ||
	    !thread_start(&w->thread, work, w)) {
		free(w);
		return NULL;
	}
	shell_wake(shell, worker_wake, w);
	return w;
}

static void order(struct worker *w, enum job job, const char *line, int cols)
{
	pthread_mutex_lock(&w->lock);
	free(w->line);
	w->job = job;
	w->line = line ? mem_copy(line, strlen(line)) : NULL;
	w->cols = cols;
	pthread_cond_signal(&w->wanted);
	pthread_mutex_unlock(&w->lock);
}

static void begin(struct worker *w, enum job job, const char *line, int cols)
{
	w->busy = true;
	w->last_so_far = -1;
	atomic_store(&w->progress.cancel, false);
	atomic_store(&w->progress.done, 0);
	atomic_store(&w->progress.total, 0);
	atomic_store(&w->progress.what, NULL);
	w->began_ms = clock_ms();
	order(w, job, line, cols);
}

void worker_free(struct worker *w)
{
	struct result result;

	shell_wake(w->shell, NULL, NULL);
	worker_cancel(w);
	order(w, JOB_STOP, NULL, 0);
	pthread_join(w->thread, NULL);
	while (worker_take(w, &result))
		result_release(&result);
	pthread_cond_destroy(&w->wanted);
	pthread_mutex_destroy(&w->lock);
	close(w->pipe[0]);
	close(w->pipe[1]);
	free(w);
}

int worker_fd(const struct worker *w)
{
	return w->pipe[0];
}

void worker_load(struct worker *w)
{
	begin(w, JOB_LOAD, NULL, 0);
}

void worker_reread(struct worker *w)
{
	begin(w, JOB_REREAD, NULL, 0);
}

void worker_read_news(struct worker *w)
{
	begin(w, JOB_NEWS, NULL, 0);
}

void worker_run(struct worker *w, const char *line, int cols)
{
	begin(w, JOB_RUN, line, cols);
}

bool worker_busy(const struct worker *w)
{
	return w->busy;
}

void worker_cancel(struct worker *w)
{
	atomic_store(&w->progress.cancel, true);
}

bool worker_end(struct worker *w, int64_t ms)
{
	struct pollfd pfd = { .fd = w->pipe[0], .events = POLLIN };
	struct result result;
	int64_t began_ms = clock_ms();

	worker_cancel(w);
	while (w->busy) {
		int64_t left = ms - (clock_ms() - began_ms);

		if (left <= 0)
			return false;
		poll(&pfd, 1, (int)left);
		while (worker_take(w, &result))
			result_release(&result);
	}
	return true;
}

const struct progress *worker_progress(const struct worker *w)
{
	return &w->progress;
}

double worker_seconds(const struct worker *w)
{
	return (double)(clock_ms() - w->began_ms) / 1e3;
}

bool worker_take(struct worker *w, struct result *out)
{
	char drained[64];

	while (read(w->pipe[0], drained, sizeof drained) > 0)
		;
	*out = (struct result){0};
	pthread_mutex_lock(&w->lock);
	if (w->so_far) {
		*out = (struct result){ .kind = RESULT_SO_FAR, .doc = w->so_far };
		w->so_far = NULL;
	} else if (w->done.kind != RESULT_NONE) {
		*out = w->done;
		w->done = (struct result){0};
		w->busy = false;
	}
	pthread_mutex_unlock(&w->lock);
	return out->kind != RESULT_NONE;
}

void result_release(struct result *result)
{
	doc_free(result->doc);
	answer_release(&result->answer);
	free(result->line);
	*result = (struct result){0};
}
