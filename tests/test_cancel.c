/*
 * Whatever is stopped can be done again: the nth look at the progress cancels, for each n of each
 * load and each command over a dump, a root, a profile. A load that was stopped is begun anew in
 * the same session, a command is asked again, and the answers are those of a session in which
 * nothing was stopped. CANCELS_ALL=1 tries each n, else some of many.
 */
#include "cmds/session/shell.h"

#include <unistd.h>

#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "tests/asking.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

#define TRIED 25                 /* of all looks, about */

/* Cancels at the nth look. */
struct stopping {
	struct progress progress;
	long looks, stops_at;
};

static void look(struct progress *progress)
{
	struct stopping *stopping = progress->owner;

	if (stopping->looks++ == stopping->stops_at)
		progress->cancel = true;
}

static void stop_at(struct stopping *stopping, long nth)
{
	*stopping = (struct stopping){ .stops_at = nth };
	stopping->progress.tick = look;
	stopping->progress.owner = stopping;
}

static long stride_of(long looks)
{
	return getenv("CANCELS_ALL") ? 1 : 1 + looks / TRIED;
}

static void open_path(struct shell *shell, const char *path)
{
	struct err err = {0};

	ck_assert_msg(shell_open(shell, path, &err), "%s: %s", path, err.msg);
}

static void put_state(struct shell *shell, struct said *said)
{
	session_warnings(shell, &said->told);
	str_fmt(&said->told, "%s\n%zu\n", shell_title(shell), shell_position(shell));
}

/* What a session says if nothing stops it: the first command's answer, and what is around it. */
static void first_answer(struct shell *shell, struct said *said)
{
	ask(shell, shell_first_command(shell), NULL, said);
	put_state(shell, said);
}

/* Check takes no long messages: only what follows from the first line that differs. */
static void same_or_fail(const struct said *got, const struct said *plain, const char *path,
                         const char *line, long n)
{
	const struct str *a = &got->text, *b = &plain->text;
	size_t at = 0;

	if (str_same(a, b)) {
		a = &got->told;
		b = &plain->told;
	}
	if (str_same(a, b))
		return;
	while (at < a->len && at < b->len && a->text[at] == b->text[at])
		at++;
	while (at && str_text(b)[at - 1] != '\n')
		at--;
	ck_abort_msg("%s: %s, stopped at look %ld, then again:\n%.300s\n---- instead of\n%.300s",
	             path, line, n, str_text(a) + at, str_text(b) + at);
}

static const char *const paths[] = {
	"testdata/linear", "testdata/two_devices", "testdata/train20", "testdata/runs/mixed",
	"testdata/runs/hooks", "testdata/tf1.0.0_loop", "testdata/profile/linear",
	"testdata/profile/gpu_like", "testdata/profile/linear/run_metadata.pb",
	"testdata/v2/mode_CONCISE_HEALTH", "testdata/v2/tf2.1.3_FULL_TENSOR",
};
enum { N_PATHS = ROWS(paths) };

/* How many looks a load has. */
static long count_looks(const char *path, struct said *said)
{
	struct shell *shell = shell_new();
	struct stopping stopping;
	struct err err = {0};

	open_path(shell, path);
	stop_at(&stopping, -1);
	ck_assert(shell_load(shell, &stopping.progress, &err));
	first_answer(shell, said);
	shell_free(shell);
	return stopping.looks;
}

static void stop_load(const char *path, long n, const struct said *plain)
{
	struct shell *shell = shell_new();
	struct said got = {0};
	struct stopping stopping;
	struct err err = {0};

	open_path(shell, path);
	stop_at(&stopping, n);
	if (!shell_load(shell, &stopping.progress, &err)) {
		ck_assert_msg(err.code == ERR_CANCELLED, "%s, look %ld: %s: %s", path, n, err.src,
		              err.msg);
		ck_assert_msg(shell_load(shell, NULL, &err), "%s: %s", err.src, err.msg);
	}
	first_answer(shell, &got);
	same_or_fail(&got, plain, path, "load", n);
	said_release(&got);
	shell_free(shell);
}

START_TEST(a_stopped_load_is_begun_anew)
{
	struct said plain = {0};
	long looks = count_looks(paths[_i], &plain), stride = stride_of(looks);

	for (long n = 0; n < looks; n += stride)
		stop_load(paths[_i], n, &plain);
	said_release(&plain);
}
END_TEST

static struct shell *session(const char *path, const struct question *q)
{
	struct shell *shell = session_of(path);
	struct said said = {0};

	if (q->before)
		ck_assert(ask(shell, q->before, NULL, &said));
	said_release(&said);
	return shell;
}

/* Nothing stops it. */
static long ask_plainly(const char *path, const struct question *q, struct said *said)
{
	struct shell *shell = session(path, q);
	struct stopping stopping;

	stop_at(&stopping, -1);
	ask(shell, q->line, &stopping.progress, said);
	put_state(shell, said);
	shell_free(shell);
	return stopping.looks;
}

/*
 * Once more after it was stopped, from where it was before. An answer that came whole although it
 * was to stop is right too.
 */
static void stop_command(const char *path, const struct question *q, long n,
                         const struct said *plain)
{
	struct shell *shell = session(path, q);
	bool of_steps = strstr(q->path, "/v2/");         /* they count from 0 */
	size_t at = shell_position(shell);
	struct said got = {0};
	struct stopping stopping;

	stop_at(&stopping, n);
	ask(shell, q->line, &stopping.progress, &got);
	if ((of_steps ? shell_position(shell) != at : shell_position(shell) > at) && got.failed) {
		struct str back = {0};

		str_fmt(&back, at ? "run --to %zu" : "run -b %zu",
		        at ? at - of_steps : shell_position(shell));
		said_reset(&got);
		ask(shell, back.text, NULL, &got);
		str_release(&back);
		got.failed = true;
	}
	if (got.failed) {
		said_reset(&got);
		ask(shell, q->line, NULL, &got);
	}
	put_state(shell, &got);
	same_or_fail(&got, plain, q->path, q->line, n);
	said_release(&got);
	shell_free(shell);
}

START_TEST(a_stopped_command_can_be_asked_again)
{
	const struct question *q = &questions[_i];
	struct said plain = {0};
	struct str path = {0};
	char *here = getcwd(NULL, 0), *dir = scratch_new();
	long looks, stride;

	str_fmt(&path, "%s/%s", here, q->path);
	ck_assert_int_eq(chdir(dir), 0);
	looks = ask_plainly(path.text, q, &plain);
	stride = stride_of(looks);
	for (long n = 0; n < looks; n += stride)
		stop_command(path.text, q, n, &plain);
	ck_assert_int_eq(chdir(here), 0);
	scratch_remove(dir);
	said_release(&plain);
	str_release(&path);
	free(here);
}
END_TEST

SUITE_MAIN("cancel",
	tcase_set_timeout(t, 600);
	tcase_add_loop_test(t, a_stopped_load_is_begun_anew, 0, N_PATHS);
	tcase_add_loop_test(t, a_stopped_command_can_be_asked_again, 0, (int)n_questions);
)
