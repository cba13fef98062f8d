#ifndef TUI_WORKER_H
#define TUI_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "cmds/session/shell.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"

/*
 * One thread that opens and runs what may take long, one job at a time, so that keys are answered
 * meanwhile. While a job runs it owns the shell; what it hands over belongs to the caller.
 */
struct worker;

struct worker *worker_new(struct shell *shell);
void worker_free(struct worker *w);  /* cancels and waits for the end of the job */
void worker_wake(void *worker);      /* from any thread: worker_fd becomes readable */
int worker_fd(const struct worker *w);  /* readable when there is something to take */

/* One of these only while nothing runs. */
void worker_load(struct worker *w);
void worker_reread(struct worker *w);            /* of a loaded shell: shell_reread */
void worker_read_news(struct worker *w);         /* shell_read_news */
void worker_run(struct worker *w, const char *line, int cols);
bool worker_busy(const struct worker *w);                /* until the job's end was taken */
void worker_cancel(struct worker *w);
/* Cancels and waits at most this long for the job's end, drops its answer; false: it still runs. */
bool worker_end(struct worker *w, int64_t ms);
const struct progress *worker_progress(const struct worker *w);
double worker_seconds(const struct worker *w);           /* since the job began */

enum result_kind {
	RESULT_NONE,
	RESULT_SO_FAR,           /* doc: a provisional first screen; the job goes on */
	RESULT_LOADED,           /* ok, or err */
	RESULT_REREAD,           /* the same; the shell has what was read beside the old */
	RESULT_NEWS,             /* the shell has read them */
	RESULT_ANSWER,           /* answer to line */
};
struct result {
	enum result_kind kind;
	struct doc *doc;
	bool ok;
	struct err err;
	struct answer answer;
	char *line;
};
/* The next one; release it when done, with what was taken out set to NULL. */
bool worker_take(struct worker *w, struct result *out);
void result_release(struct result *result);

#endif
