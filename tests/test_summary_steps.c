/* Steps, kernels and ops in summaries: what is said of them is what the profile says. */
#include <string.h>
#include <unistd.h>

#include "cmds/session/envelope.h"
#include "cmds/summary/merge.h"
#include "cmds/summary/summarize.h"
#include "dump/profile/trace_summary.h"
#include "dump/summary/writer.h"
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

static void summarize_to(const char *from, const char *worker, struct str *path)
{
	struct summarize what = { .path = from, .worker = worker, .k = 1, .n = 1 };
	struct summarized done;
	struct err err = {0};

	str_fmt(path, "%s/%s", dir, worker);
	what.out = path->text;
	ck_assert_msg(summarize(&what, &done, NULL, &err), "%s", err.msg);
}

static struct shell *session_of_two(const char *a, const char *b)
{
	struct str path_a = {0}, path_b = {0}, both = {0};
	struct merge_done done;
	struct err err = {0};
	struct shell *shell;

	summarize_to(a, "a", &path_a);
	summarize_to(b, "b", &path_b);
	str_fmt(&both, "%s/both", dir);
	ck_assert_msg(merge_files((const char *const[]){ path_b.text, path_a.text }, 2, both.text,
	                          &done, NULL, &err), "%s", err.msg);
	shell = session_of(both.text);
	str_release(&path_a);
	str_release(&path_b);
	str_release(&both);
	return shell;
}

/* ---- the same rows */

static void ask_typed(struct shell *shell, const char *line, enum doc_format format,
                      struct str *out)
{
	struct answer answer;
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);

	shell_run(shell, line, 0, NULL, &answer);
	ck_assert_msg(!answer.failed, "%s failed", line);
	ck_assert(answer_write(&answer, line, format, false, NULL, memory));
	fclose(memory);
	str_reset(out);
	str_put(out, text, len);
	free(text);
	answer_release(&answer);
}

static void ask_csv(struct shell *shell, const char *line, struct str *out)
{
	ask_typed(shell, line, DOC_CSV, out);
}

/* A cell of CSV; *at is behind it and its comma then. */
static struct text take_cell(const char **at)
{
	struct text cell = { *at, 0 };
	bool quoted = false;

	for (; **at && **at != '\n' && (quoted || **at != ','); (*at)++)
		quoted ^= **at == '"';
	cell.len = (size_t)(*at - cell.at);
	*at += **at == ',';
	return cell;
}

/* Where the times lie, where the program made a node, and names in the file are not kept. */
static bool is_kept(struct text column)
{
	static const char *const lost[] = {
		"source", "raw", "busy_us", "p95_us", "start_us",
	};

	for (int i = 0; i < ROWS(lost); i++)
		if (column.len == strlen(lost[i]) && !memcmp(column.at, lost[i], column.len))
			return false;
	return true;
}

/* The rows without the columns that a summary can't have. */
static void put_kept(const char *csv, struct str *out)
{
	const char *at = csv;

	while (*at) {
		for (const char *column = csv; *at && *at != '\n'; ) {
			struct text name = take_cell(&column), cell = take_cell(&at);

			if (is_kept(name))
				str_fmt(out, "%.*s,", (int)cell.len, cell.at);
		}
		str_putc(out, '\n');
		at += *at == '\n';
	}
}

/* What the profile says to a line, and the summary to another one. */
static void expect_same_answers(struct shell *profile, const char *line, struct shell *summary,
                                const char *of_summary)
{
	struct str csv = {0}, whole = {0}, summed = {0};

	ask_csv(profile, line, &csv);
	put_kept(csv.text, &whole);
	ask_csv(summary, of_summary, &csv);
	put_kept(csv.text, &summed);
	ck_assert_str_eq(summed.text, whole.text);
	str_release(&csv);
	str_release(&whole);
	str_release(&summed);
}

static void expect_same_rows(struct shell *profile, struct shell *summary, const char *line)
{
	expect_same_answers(profile, line, summary, line);
}

static const struct {
	const char *path;
	const char *lines[6];
} alike[] = {
	{ "testdata/profile/linear",
	  { "kernels", "kernels --step 0-2 -g type", "kernels --step all -g scope --depth 3",
	    "kernels --step all -g step", "kernels -n grad -s calls", "steps" } },
	{ "testdata/profile/gpu_like",
	  { "kernels", "kernels --step 0", "kernels --step 0 -u copy -g device",
	    "kernels --step all -g op", "steps" } },
	{ "testdata/profile/two_devices", { "kernels -g device", "kernels -d CPU:1", "steps" } },
	{ "testdata/profile/while_loop", { "kernels", "kernels -g type" } },
	{ "testdata/profile/others/jax_cpu.trace.json.gz", { "kernels", "steps" } },
	{ "testdata/profile/others/function.xplane.pb",
	  { "kernels --step 1", "kernels --step all", "kernels -g step --step 0-2",
	    "steps" } },
	{ "testdata/traces/rank0.json.gz",
	  { "kernels", "kernels -g op -u host", "kernels -u copy", "kernels -g device", "steps" } },
	{ "testdata/traces/torch_step.json.gz",
	  { "kernels", "kernels -g op -u host --step all", "steps" } },
	{ "testdata/xspace/gpu_worker", { "kernels", "kernels -g device -u device", "steps" } },
	{ "testdata/tables/hcc_full.txt", { "kernels", "kernels -u copy", "steps" } },
	{ "testdata/tables/nsys.sqlite", { "kernels", "kernels -g op -u device", "steps" } },
	{ "testdata/tables/nsys_stats.txt", { "kernels", "kernels -u copy" } },
	{ "testdata/tables/rocpd.db", { "kernels -u device", "steps" } },
	{ "testdata/tables/rocprof_v1.csv", { "kernels", "steps" } },
	{ "testdata/tables/rocprofv3", { "kernels", "kernels -u device -s name", "steps" } },
};

START_TEST(rows_are_those_of_the_profile)
{
	struct str path = {0};
	struct shell *profile = session_of(alike[_i].path), *summary;

	summarize_to(alike[_i].path, "a", &path);
	summary = session_of(path.text);
	for (int i = 0; i < ROWS(alike[_i].lines) && alike[_i].lines[i]; i++)
		expect_same_rows(profile, summary, alike[_i].lines[i]);
	shell_free(profile);
	shell_free(summary);
	str_release(&path);
}
END_TEST

/* ---- what is not kept */

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

START_TEST(places_in_time_are_not_kept)
{
	struct str path = {0};
	struct shell *shell;

	summarize_to("testdata/profile/linear", "a", &path);
	shell = session_of(path.text);
	EXPECT(shell, "kernels", "note: Only a summary was kept: no timeline.");
	EXPECT(shell, "kernels --step all", "note: Step 0 looks like a warm-up");
	EXPECT(shell, "steps", "steps: 3, no verdict; mean 295.5us",
	       "nothing that a device did is recorded", "0 (warm-up)", "305.0us", "2");
	EXPECT(shell, "gaps", "only totals are kept; there are no single records.");
	EXPECT(shell, "timeline", "only totals are kept");
	EXPECT(shell, "kernels --of model/y_hat", "only totals are kept");
	EXPECT(shell, "kernels --idle", "33 rows");
	EXPECT(shell, "lp", "a summary has no TensorFlow step statistics.");
	shell_free(shell);
	str_release(&path);
}
END_TEST

/* ---- several workers */

START_TEST(workers_are_told_apart)
{
	struct shell *shell = session_of_two("testdata/profile/linear",
	                                     "testdata/profile/two_devices");

	EXPECT(shell, "kernels -g device --step 1", "149.9us", "33", "a/CPU:0",
	       "46.68us", "b/CPU:1", "208.5us", "3 rows");
	EXPECT(shell, "kernels -g device --step 1 -d ^a/", "149.9us", "1 rows");
	EXPECT(shell, "kernels -g step --step 0-2", "1\n", "0\n", "2\n", "3 rows");
	shell_free(shell);
}
END_TEST

START_TEST(one_worker_is_left)
{
	struct str path = {0}, out = {0};
	struct shell *shell, *alone;
	struct err err = {0};

	shell_free(session_of_two("testdata/profile/linear", "testdata/profile/two_devices"));
	str_fmt(&path, "%s/both", dir);
	shell = shell_new();
	shell_narrow(shell, "b");
	ck_assert(shell_open(shell, path.text, &err) && shell_load(shell, NULL, &err));
	alone = session_of("testdata/profile/two_devices");
	expect_same_rows(alone, shell, "kernels");
	expect_same_rows(alone, shell, "kernels -g device --step 0");
	shell_free(alone);
	shell_free(shell);
	shell = shell_new();
	shell_narrow(shell, "c");
	ck_assert(!shell_open(shell, path.text, &err) || !shell_load(shell, NULL, &err));
	ck_assert_str_eq(err.msg, "no worker is called c");
	shell_free(shell);
	str_release(&path);
	str_release(&out);
}
END_TEST

/* kernels --worker: as what this one recorded, whatever the others did in the same step. */
START_TEST(kernels_of_one_worker)
{
	static const struct { const char *a, *b; const char *lines[4]; } pairs[] = {
		{ "testdata/profile/linear", "testdata/profile/two_devices",
		  { "kernels --step 0", "kernels -g device --step 0", "kernels -d CPU:1",
		    "kernels --step 0 -g type -s calls" } },
		{ "testdata/tables/nsys_stats.txt", "testdata/tables/rocprof_v1.csv",
		  { "kernels", "kernels -u kernel -s name" } },
		{ "testdata/traces/rank0.json.gz", "testdata/traces/torch_step.json.gz",
		  { "kernels --step all", "kernels -g op -u host --step all",
		    "kernels -g device --step all" } },
	};
	struct shell *both = session_of_two(pairs[_i].a, pairs[_i].b);
	struct shell *alone = session_of(pairs[_i].b);

	for (int i = 0; i < ROWS(pairs[_i].lines) && pairs[_i].lines[i]; i++) {
		struct str line = {0};

		str_fmt(&line, "%s --worker b", pairs[_i].lines[i]);
		expect_same_answers(alone, pairs[_i].lines[i], both, line.text);
		str_release(&line);
	}
	shell_free(alone);
	shell_free(both);
}
END_TEST

START_TEST(kernels_of_no_worker)
{
	struct shell *shell = session_of_two("testdata/profile/linear", "testdata/linear");
	struct shell *plain = session_of("testdata/profile/linear");
	struct str path = {0};

	EXPECT(shell, "kernels --worker c", "ERROR: No worker is called \"c\". There are: a, b");
	EXPECT(shell, "kernels --worker b", "0 rows");
	EXPECT(shell, "kernels --worker \"\"", "33 rows");
	EXPECT(shell, "kernels --worker a --step 99", "There is no step \"99\"");
	EXPECT(shell, "kernels --worker a --diff step:1", "A 149.9us, B 149.9us, change 0");
	EXPECT(plain, "kernels --worker a", "ERROR: Nothing here has workers.");
	shell_free(shell);
	shell_free(plain);
	summarize_to("testdata/profile/linear", "a", &path);
	shell = session_of(path.text);
	EXPECT(shell, "kernels --worker a", "33 rows");
	shell_free(shell);
	str_release(&path);
}
END_TEST

/* ---- damage */

static void write_rows(struct made_summary *rows, const char *path)
{
	struct summary_writer writer;
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	summary_begin(&writer, out);
	for (size_t i = 0; i < rows->rows.len; i++) {
		const struct made_row *row = &rows->rows.at[i];

		summary_add(&writer, (struct text){ row->key.text, row->key.len },
		            (struct text){ str_text(&row->value), row->value.len });
	}
	summary_finish(&writer);
	summary_writer_release(&writer);
	ck_assert_int_eq(fclose(out), 0);
}

static void take_rows(const char *path, struct made_summary *rows)
{
	struct err err = {0};
	struct summary_reader *r = summary_open(path, &err);
	struct summary_row row;

	ck_assert_ptr_nonnull(r);
	while (summary_next(r, &row, &err)) {
		struct made_row *made = vec_add(&rows->rows);

		str_put(&made->key, row.key_bytes.at, row.key_bytes.len);
		str_put(&made->value, row.value.at, row.value.len);
	}
	ck_assert_int_eq(err.code, ERR_NONE);
	summary_close(r);
}

static void free_rows(struct made_summary *rows)
{
	for (size_t i = 0; i < rows->rows.len; i++) {
		str_release(&rows->rows.at[i].key);
		str_release(&rows->rows.at[i].value);
	}
	vec_release(&rows->rows);
}

/* With checksums that are right: what can't be is refused at its row, the rest has sound sums. */
static void load_damaged(struct made_summary *rows, const char *path)
{
	struct err err = {0};
	struct trace *trace;

	write_rows(rows, path);
	trace = trace_load(path, &summary_source, NULL, NULL, &err);
	ck_assert_int_eq(err.code, trace ? ERR_NONE : ERR_FORMAT);
	for (size_t i = 0; trace && i < trace->all.at.len; i++)
		ck_assert_int_ge(trace->all.at.at[i].len_ns, 0);
	trace_free(trace);
}

START_TEST(damaged_rows_are_refused_or_read)
{
	static const char *const paths[] = { "testdata/tables/nsys_stats.txt",
	                                     "testdata/tables/nsys.sqlite" };
	struct str path = {0}, spoiled = {0};
	struct made_summary rows = {0};

	summarize_to(paths[_i], "a", &path);
	take_rows(path.text, &rows);
	str_fmt(&spoiled, "%s/spoiled", dir);
	for (size_t i = 0; i < rows.rows.len; i++)
		for (size_t k = 0; k < rows.rows.at[i].value.len * 2; k++) {
			char *byte = &rows.rows.at[i].value.text[k / 2], was = *byte;

			*byte ^= (char)(k % 2 ? 0x81 : 0x7f);
			load_damaged(&rows, spoiled.text);
			*byte = was;
		}
	free_rows(&rows);
	str_release(&path);
	str_release(&spoiled);
}
END_TEST

/* ---- what has nothing that a summary keeps */

START_TEST(what_keeps_nothing_is_refused)
{
	static const struct { const char *path, *msg; } cases[] = {
		{ "testdata/hlo/gpu_like.hlo.pb",
		  "only an XLA module: a summary keeps tensors, graphs and steps" },
		{ "testdata/hlo/gpu_like.txt",
		  "only an XLA module: a summary keeps tensors, graphs and steps" },
		{ "testdata/profile/linear/profile.context",
		  "only a profile of tfprof: a summary keeps tensors, graphs and steps" },
		{ "testdata/profile/linear/op_log.pb",
		  "only an op log: a summary keeps tensors, graphs and steps" },
	};
	struct str out = {0};
	struct summarize what = { .path = cases[_i].path, .k = 1, .n = 1 };
	struct summarized done;
	struct err err = {0};

	str_fmt(&out, "%s/out", dir);
	what.out = out.text;
	ck_assert(!summarize(&what, &done, NULL, &err));
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	ck_assert_str_eq(err.src, what.path);
	ck_assert_str_eq(err.msg, cases[_i].msg);
	ck_assert_int_ne(access(what.out, F_OK), 0);
	str_release(&out);
}
END_TEST

/* ---- where the time of steps went */

/* What is said of a step is what the one said whom it took longest. */
START_TEST(the_longest_worker_tells_of_a_step)
{
	static const char *const dumps[] = { "testdata/profile/linear",
	                                     "testdata/profile/two_devices" };
	struct shell *both = session_of_two(dumps[_i], dumps[!_i]);
	struct shell *longer = session_of(dumps[0]);
	struct str json = {0};

	ask_typed(both, "steps", DOC_JSON, &json);
	ck_assert_msg(strstr(json.text, "Each step is shown as the worker had it"), "%s",
	              json.text);
	expect_same_rows(longer, both, "steps");
	shell_free(longer);
	shell_free(both);
	str_release(&json);
}
END_TEST

/* A summary from before the parts were kept: field 8 of a step. */
START_TEST(older_steps_have_no_parts)
{
	struct str path = {0}, older = {0};
	struct made_summary rows = {0};
	struct arena mem = {0};
	struct err err = {0};
	struct shell *shell;

	summarize_to("testdata/profile/gpu_like", "a", &path);
	take_rows(path.text, &rows);
	for (size_t i = 0; i < rows.rows.len; i++) {
		struct made_row *made = &rows.rows.at[i];
		struct summary_row row = { .value = { str_text(&made->value), made->value.len } };
		struct summary_step step;

		if (made->key.text[0] != SUMMARY_STEP)
			continue;
		ck_assert(summary_read_step("f", &row, &mem, &step, &err));
		ck_assert(step.has_parts);
		step.has_parts = false;
		str_reset(&made->value);
		summary_put_step(&made->value, &step);
	}
	str_fmt(&older, "%s/older", dir);
	write_rows(&rows, older.text);
	shell = session_of(older.text);
	EXPECT(shell, "steps", "no verdict", "what its time went to is not kept");
	ask_csv(shell, "steps", &path);
	ck_assert_msg(strstr(path.text, ",,,,,,,,,,"), "%s", path.text);
	shell_free(shell);
	free_rows(&rows);
	arena_release(&mem);
	str_release(&path);
	str_release(&older);
}
END_TEST

SUITE_MAIN("summary_steps",
	tcase_add_loop_test(t, the_longest_worker_tells_of_a_step, 0, 2);
	tcase_add_test(t, older_steps_have_no_parts);
	tcase_add_loop_test(t, what_keeps_nothing_is_refused, 0, 4);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, places_in_time_are_not_kept);
	tcase_add_test(t, workers_are_told_apart);
	tcase_add_test(t, one_worker_is_left);
	tcase_add_loop_test(t, kernels_of_one_worker, 0, 3);
	tcase_add_test(t, kernels_of_no_worker);
	tcase_add_loop_test(t, damaged_rows_are_refused_or_read, 0, 2);
	tcase_add_loop_test(t, rows_are_those_of_the_profile, 0, ROWS(alike));
)
