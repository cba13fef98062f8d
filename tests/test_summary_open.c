/* What opening a summary shows: tensors without elements, of several workers, of missing shards. */
#include <math.h>
#include <string.h>

#include "tests/made_summary.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

static char *dir;

static void setup(void)
{
	dir = scratch_new();
}

static void teardown(void)
{
	scratch_remove(dir);
}

#define CPU "/job:localhost/replica:0/task:0/device:CPU:0"

static struct summary_key key_of(const char *worker, const char *run, const char *node)
{
	return (struct summary_key){ SUMMARY_VALUE, 0, 0, worker, run, CPU, node,
	                             "DebugIdentity" };
}

static void add_tensor(struct made_summary *made, const char *worker, const char *node,
                       int64_t time_us, const float *elems, size_t n)
{
	struct summary_key key = key_of(worker, "", node);

	made_row_tensor(made, &key, time_us, elems, n);
}

/* Two tensors of one worker: the second has an infinity. */
static void add_worker(struct made_summary *made, const char *worker, float last)
{
	const float w[] = { -1, 0, 2, 4 }, loss[] = { 1, last };

	made_row_source(made, worker, 1, 1);
	made_row_run(made, worker, "");
	made_row_device(made, worker, "", CPU, NULL);
	add_tensor(made, worker, "w", 1700000000000000, w, 4);
	add_tensor(made, worker, "loss", 1700000000000500, loss, 2);
}

static struct shell *session_over(struct made_summary *made)
{
	struct str path = {0};
	struct shell *shell;

	str_fmt(&path, "%s/summary", dir);
	made_summary_write(made, path.text);
	shell = session_of(path.text);
	str_release(&path);
	return shell;
}

static void expect(struct shell *shell, const char *line, const char *const *wanted)
{
	struct str out = {0};
	const char *at;

	session_ask(shell, line, &out);
	at = str_text(&out);
	for (; *wanted; wanted++) {
		const char *found = strstr(at, *wanted);

		ck_assert_msg(found != NULL, "%s lacks \"%s\" after the others:\n%s", line, *wanted,
		              str_text(&out));
		at = found + strlen(*wanted);
	}
	str_release(&out);
}
#define EXPECT(shell, line, ...) expect(shell, line, (const char *const[]){ __VA_ARGS__, NULL })

START_TEST(tensors_are_listed)
{
	struct made_summary made = {0};
	struct shell *shell;

	add_worker(&made, "a", INFINITY);
	shell = session_over(&made);
	EXPECT(shell, "lt", "2 dumped tensor(s):", "[0.000]", "w:0", "[0.500]", "loss:0");
	EXPECT(shell, "lt -f has_inf_or_nan", "1 dumped tensor(s)", "loss:0");
	EXPECT(shell, "lt --health -n w", "ok", "float32", "(4,)", "-1", "4", "w:0");
	EXPECT(shell, "runs", "complete", "");
	shell_free(shell);
}
END_TEST

SUITE_MAIN("summary_open",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, tensors_are_listed);
)
