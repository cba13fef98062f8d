/* What opening a summary shows: tensors without elements, of several workers, of missing shards. */
#include <math.h>
#include <string.h>

#include "cmds/summary/summarize.h"
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

START_TEST(elements_are_not_there)
{
	struct made_summary made = {0};
	struct shell *shell;
	struct str out = {0};

	add_worker(&made, "a", INFINITY);
	shell = session_over(&made);
	EXPECT(shell, "pt w:0 -D " CPU, "float32", "(4,)", "| - 0 + | total |",
	       "| 1 1 2 |     4 |", "nan", "Only a summary was kept, no elements.");
	ck_assert(!session_ask(shell, "pt w:0[1] -D " CPU, &out));
	ck_assert(strstr(out.text, "Only a summary was kept"));
	str_release(&out);
	shell_free(shell);
}
END_TEST

START_TEST(workers_have_rows_each)
{
	struct made_summary made = {0};
	struct shell *shell;
	struct str out = {0};

	add_worker(&made, "b", INFINITY);
	add_worker(&made, "a", 2);
	shell = session_over(&made);
	EXPECT(shell, "lt", "4 dumped tensor(s):", "Worker", " a ", "w:0\n", " b ", "w:0\n");
	EXPECT(shell, "lt -f has_inf_or_nan", "1 dumped tensor(s)", " b ", "loss:0\n");
	EXPECT(shell, "lt --worker a", "2 dumped tensor(s):", "w:0", "loss:0");
	EXPECT(shell, "runs", "2 workers");
	EXPECT(shell, "pt loss:0 -D b" CPU, "+ +inf | total |");
	ck_assert(!session_ask(shell, "lt --worker c", &out));
	ck_assert_str_eq(out.text, "ERROR: No worker is called \"c\". There are: a, b\n");
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* Each run has its own worker, the first run the last one by name; their devices have one name. */
START_TEST(workers_of_two_runs_are_told_apart)
{
	static const char *const runs[][2] = { { "run_1", "b" }, { "run_2", "a" } };
	const float w[] = { 1, 2 };
	struct made_summary made = {0};
	struct shell *shell;

	for (int i = 0; i < 2; i++) {
		struct summary_key key = key_of(runs[i][1], runs[i][0], "w");

		made_row_source(&made, runs[i][1], 1, 1);
		made_row_run(&made, runs[i][1], runs[i][0]);
		made_row_device(&made, runs[i][1], runs[i][0], CPU, NULL);
		made_row_tensor(&made, &key, 1700000000000000 + i, w, 2);
	}
	shell = session_over(&made);
	EXPECT(shell, "run --to 1", "");
	EXPECT(shell, "pt w:0 -D b" CPU, "Tensor \"");
	EXPECT(shell, "run --to 2", "");
	EXPECT(shell, "pt w:0 -D a" CPU, "Tensor \"");
	shell_free(shell);
}
END_TEST

START_TEST(one_worker_is_left)
{
	struct made_summary made = {0};
	struct str path = {0};
	struct shell *shell = shell_new();
	struct err err = {0};

	add_worker(&made, "b", INFINITY);
	add_worker(&made, "a", 2);
	str_fmt(&path, "%s/summary", dir);
	made_summary_write(&made, path.text);
	shell_narrow(shell, "b");
	ck_assert(shell_open(shell, path.text, &err) && shell_load(shell, NULL, &err));
	EXPECT(shell, "lt", "2 dumped tensor(s):", "w:0", "loss:0");
	EXPECT(shell, "pt loss:0 -D " CPU, "+ +inf | total |");
	shell_free(shell);
	shell = shell_new();
	shell_narrow(shell, "nobody");
	ck_assert(!shell_open(shell, path.text, &err));
	ck_assert_str_eq(err.msg, "no worker is called nobody");
	shell_free(shell);
	str_release(&path);
}
END_TEST

/* Two of eight: no origin is told, and no verdict. */
START_TEST(shards_are_named)
{
	const float w[] = { 1, INFINITY };
	struct made_summary made = {0};
	struct shell *shell;
	struct str out = {0};

	made_row_source(&made, "a", 1, 8);
	made_row_source(&made, "a", 3, 8);
	made_row_run(&made, "a", "");
	add_tensor(&made, "a", "w", 1700000000000000, w, 2);
	shell = session_over(&made);
	session_warnings(shell, &out);
	ck_assert(strstr(out.text, "only shards 1, 3 of 8"));
	EXPECT(shell, "lt", "1 dumped tensor(s):", "w:0");
	EXPECT(shell, "overview", "No origins: the summary has only shards 1, 3 of 8");
	EXPECT(shell, "doctor", "missing_shards", "only shards 1, 3 of 8");
	ck_assert(!session_ask(shell, "origins", &out));
	ck_assert(strstr(out.text, "No origins: the summary has only shards 1, 3 of 8"));
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* Whatever says nothing of elements is said alike of a dump and of its summary. */
static const struct {
	const char *path;
	const char *lines[6];
} alike[] = {
	{ "testdata/linear", { "lt", "lt -f has_inf_or_nan", "runs", "origins", "drift" } },
	{ "testdata/two_devices", { "lt", "origins", "drift", "du", "ni second/shift" } },
	{ "testdata/origins/log_zero", { "lt -f has_inf_or_nan", "origins", "origins 1" } },
	{ "testdata/origins/partial_log", { "origins", "origins -a", "overview", "li w" } },
	{ "testdata/train20", { "runs", "origins", "drift", "drift --all", "overview", "run" } },
	{ "testdata/runs/mixed", { "runs", "origins", "drift" } },
	{ "testdata/arrays", { "lt -f has_inf_or_nan", "origins", "overview" } },
	{ "testdata/checkpoint", { "runs", "origins", "overview" } },
	{ "testdata/msprobe", { "origins", "overview" } },
};

START_TEST(answers_are_those_of_the_dump)
{
	struct str path = {0}, whole = {0}, summed = {0};
	struct summarize what = { .path = alike[_i].path, .worker = "a", .k = 1, .n = 1 };
	struct summarized done;
	struct err err = {0};
	struct shell *dump = session_of(alike[_i].path), *summary;

	str_fmt(&path, "%s/summary", dir);
	what.out = path.text;
	ck_assert_msg(summarize(&what, &done, NULL, &err), "%s", err.msg);
	summary = session_of(path.text);
	for (int i = 0; i < ROWS(alike[_i].lines) && alike[_i].lines[i]; i++) {
		ck_assert_int_eq(session_ask(dump, alike[_i].lines[i], &whole),
		                 session_ask(summary, alike[_i].lines[i], &summed));
		ck_assert_str_eq(str_text(&whole), str_text(&summed));
	}
	shell_free(dump);
	shell_free(summary);
	str_release(&path);
	str_release(&whole);
	str_release(&summed);
}
END_TEST

static void summarize_to(const char *from, const char *name, struct str *path)
{
	struct summarize what = { .path = from, .worker = "a", .k = 1, .n = 1 };
	struct summarized done;
	struct err err = {0};

	str_fmt(path, "%s/%s", dir, name);
	what.out = path->text;
	ck_assert_msg(summarize(&what, &done, NULL, &err), "%s", err.msg);
}

/* What differs in numbers differs; of the rest no more is said than that numbers agree. */
START_TEST(numbers_are_compared)
{
	struct str a = {0}, b = {0}, line = {0};
	struct shell *shell;

	summarize_to("testdata/train20/run_1795218502312451_11", "11", &a);
	summarize_to("testdata/train20/run_1795218502329437_12", "12", &b);
	shell = session_of(b.text);
	str_fmt(&line, "diff %s", a.text);
	EXPECT(shell, line.text, "32 tensor(s), 4 same, 28 changed", "32 compared by the numbers",
	       "changed  hidden/log_x:0");
	str_reset(&line);
	str_fmt(&line, "diff %s/", "testdata/train20/run_1795218502329437_12");
	EXPECT(shell, line.text, "32 tensor(s), 32 same", "32 compared by the numbers");
	shell_free(shell);
	shell = session_of("testdata/train20/run_1795218502329437_12");
	str_reset(&line);
	str_fmt(&line, "diff %s", a.text);
	EXPECT(shell, line.text, "32 tensor(s), 4 same, 28 changed", "32 compared by the numbers");
	shell_free(shell);
	str_release(&a);
	str_release(&b);
	str_release(&line);
}
END_TEST

/* Of two devices, the first has a graph that is damaged. */
START_TEST(a_damaged_graph_takes_no_other_away)
{
	const float w[] = { 1, 2 };
	struct made_summary made = {0};
	struct str bad = {0}, good = {0};
	struct summary_key key = key_of("a", "", "w");
	struct shell *shell;

	str_puts(&bad, "\x08\x01");              /* a number where a node should be */
	put_node_def(&good, "w", "VariableV2", "", "");
	made_row_source(&made, "a", 1, 1);
	made_row_run(&made, "a", "");
	made_row_device(&made, "a", "", "/CPU:0", "bad");
	made_row_device(&made, "a", "", CPU, "good");
	made_row_graph(&made, "bad", &bad);
	made_row_graph(&made, "good", &good);
	made_row_tensor(&made, &key, 1700000000000000, w, 2);
	shell = session_over(&made);
	EXPECT(shell, "ni w", "VariableV2");
	shell_free(shell);
	str_release(&bad);
	str_release(&good);
}
END_TEST

SUITE_MAIN("summary_open",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, tensors_are_listed);
	tcase_add_test(t, elements_are_not_there);
	tcase_add_test(t, workers_have_rows_each);
	tcase_add_test(t, workers_of_two_runs_are_told_apart);
	tcase_add_test(t, one_worker_is_left);
	tcase_add_test(t, shards_are_named);
	tcase_add_test(t, a_damaged_graph_takes_no_other_away);
	tcase_add_test(t, numbers_are_compared);
	tcase_add_loop_test(t, answers_are_those_of_the_dump, 0, ROWS(alike));
)
