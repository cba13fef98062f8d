/*
 * Recorded programs and profiles in summaries: the events, written as files again, are the same
 * program; what kernels took is what the profile says.
 */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "cmds/summary/merge.h"
#include "cmds/summary/summarize.h"
#include "dump/programs.h"
#include "dump/summary/event_files.h"
#include "dump/summary/rows.h"
#include "tests/program.h"
#include "tests/small_dump.h"

static char *dir;
static struct arena mem;

static void enter(void)
{
	dir = scratch_new();
}

static void leave(void)
{
	scratch_remove(dir);
	arena_release(&mem);
}

static const char *summary_of(const char *path, const char *name)
{
	const char *out = arena_fmt(&mem, "%s/%s", dir, name);
	struct summarize what = { path, name, out, 1, 1, NULL };
	struct summarized done = {0};
	struct err err = {0};

	ck_assert_msg(summarize(&what, &done, NULL, &err), "%s", err.msg);
	return out;
}

/* ---- programs */

static const char *const programs[] = {
	"testdata/v2/circular_tight", "testdata/v2/tf2.1.3_FULL_TENSOR", "testdata/v2/workers",
	"testdata/v2/where_gradient", "testdata/v2/dtypes_full",
};

static struct program *load(struct programs *from)
{
	struct err err = {0};
	struct program *program = programs_load(from, programs_chosen(from), NULL, &err);

	ck_assert_msg(program, "%s", err.msg);
	ck_assert(program_scan(program, UINT64_MAX, NULL, &err));
	return program;
}

static void same_tensor(struct program_reads *a, struct program_reads *b, uint64_t i)
{
	struct program_tensor x = program_tensor(a->program, PROGRAM_NONE, i),
	                      y = program_tensor(b->program, PROGRAM_NONE, i);
	struct health h = {0}, k = {0};
	struct str n = {0}, m = {0};
	struct err err = {0};

	program_put_name(a->program, &x, &n);
	program_put_name(b->program, &y, &m);
	ck_assert_str_eq(n.text, m.text);
	ck_assert_int_eq(program_bad(a->program, &x), program_bad(b->program, &y));
	ck_assert_uint_eq(program_kinds(a->program, &x), program_kinds(b->program, &y));
	ck_assert(program_health(a, &x, &h, NULL, &err) && program_health(b, &y, &k, NULL, &err));
	if (h.known & HEALTH_COUNTS) {
		ck_assert(h.nan == k.nan && h.neg_inf == k.neg_inf && h.pos_inf == k.pos_inf &&
		          h.zero == k.zero && h.negative == k.negative &&
		          h.positive == k.positive);
		ck_assert(!(h.known & HEALTH_DTYPE) || (h.dtype == k.dtype && h.rank == k.rank));
	}
	str_release(&n);
	str_release(&m);
}

static void same_program(const struct program *a, const struct program *b)
{
	struct program_reads x = { .program = a }, y = { .program = b };
	uint64_t n = program_n_tensors(a, PROGRAM_NONE);

	ck_assert_uint_eq(a->steps.len, b->steps.len);
	ck_assert_uint_eq(a->traces.len, b->traces.len);
	ck_assert_uint_eq(a->ops.len, b->ops.len);
	ck_assert_uint_eq(a->graphs.len, b->graphs.len);
	ck_assert_uint_eq(a->n_flagged, b->n_flagged);
	ck_assert_uint_eq(n, program_n_tensors(b, PROGRAM_NONE));
	ck_assert_uint_eq(b->damage.len, 0);
	ck_assert_uint_eq(b->unresolved.frames, 0);
	for (uint64_t i = 0; i < n; i++)
		same_tensor(&x, &y, i);
	program_reads_release(&x);
	program_reads_release(&y);
}

START_TEST(programs_come_back)
{
	const char *summary = summary_of(programs[_i], "w");
	const char *as = arena_fmt(&mem, "%s/rows", summary);
	struct programs *a, *b;
	struct err err = {0};
	struct mount *mount = summary_mount_events(summary, as, NULL, NULL, &err);

	ck_assert_msg(mount, "%s", err.msg);
	a = programs_open(programs[_i], &err);
	b = programs_open(as, &err);
	ck_assert(a && b);
	ck_assert_uint_eq(programs_len(a), programs_len(b));
	same_program(load(a), load(b));
	programs_close(a);
	programs_close(b);
	mount_release(mount);
}
END_TEST

/* Two workers whose files have one name. */
START_TEST(files_of_workers_stay_apart)
{
	const char *a = summary_of(programs[0], "a"), *b = summary_of(programs[0], "b");
	const char *both = arena_fmt(&mem, "%s/both", dir);
	const char *as = arena_fmt(&mem, "%s/rows", both);
	struct merge_done done = {0};
	struct programs *opened;
	struct program_head head;
	struct mount *mount;
	struct err err = {0};

	ck_assert(merge_files((const char *[]){ a, b }, 2, both, &done, NULL, &err));
	ck_assert_uint_eq(done.sources, 2);
	mount = summary_mount_events(both, as, NULL, NULL, &err);
	ck_assert_msg(mount, "%s", err.msg);
	opened = programs_open(as, &err);
	ck_assert_ptr_nonnull(opened);
	head = programs_head(opened, 0);
	ck_assert_uint_eq(head.n_sets, 2);       /* of one run, as the run id says */
	ck_assert_ptr_nonnull(strstr(programs_host(opened, 0, 1), "@b"));
	programs_close(opened);
	mount_release(mount);
	mount = summary_mount_events(both, as, "b", NULL, &err);
	ck_assert_msg(mount, "%s", err.msg);
	opened = programs_open(as, &err);
	ck_assert_ptr_nonnull(opened);
	ck_assert_uint_eq(programs_head(opened, 0).n_sets, 1);
	programs_close(opened);
	mount_release(mount);
	ck_assert_ptr_null(summary_mount_events(both, as, "c", NULL, &err));
	ck_assert_str_eq(err.msg, "no worker is called c");
}
END_TEST

/* A file's name has no slash: these two would have the same. */
START_TEST(workers_that_are_almost_alike_stay_apart)
{
	const char *a = arena_fmt(&mem, "%s/slash", dir), *b = arena_fmt(&mem, "%s/line", dir);
	const char *both = arena_fmt(&mem, "%s/both", dir);
	const char *as = arena_fmt(&mem, "%s/rows", both);
	struct merge_done done = {0};
	struct summarized one;
	struct programs *opened;
	struct mount *mount;
	struct err err = {0};
	struct summarize first = { programs[0], "w/1", a, 1, 1, NULL };
	struct summarize second = { programs[0], "w_1", b, 1, 1, NULL };

	ck_assert(summarize(&first, &one, NULL, &err));
	ck_assert(summarize(&second, &one, NULL, &err));
	ck_assert(merge_files((const char *[]){ a, b }, 2, both, &done, NULL, &err));
	mount = summary_mount_events(both, as, NULL, NULL, &err);
	ck_assert_msg(mount, "%s", err.msg);
	opened = programs_open(as, &err);
	ck_assert_ptr_nonnull(opened);
	ck_assert_uint_eq(programs_head(opened, 0).n_sets, 2);
	programs_close(opened);
	mount_release(mount);
}
END_TEST

static const struct { const char *path, *line; } asked[] = {
	{ "testdata/v2/where_gradient", "origins" },
	{ "testdata/v2/where_gradient", "lx" },
	{ "testdata/v2/circular_tight", "origins -a" },
	{ "testdata/v2/workers", "runs" },
	{ "testdata/v2/workers", "lg" },
};

static void ask(const char *path, const char *line, struct program_run *ran)
{
	program_run((const char *[]){ program_path(), "-c", line, path, NULL }, NULL, "", ran);
}

START_TEST(programs_answer_the_same)
{
	const char *summary = summary_of(asked[_i].path, "w");
	struct program_run a, b;

	ask(asked[_i].path, asked[_i].line, &a);
	ask(summary, asked[_i].line, &b);
	ck_assert_int_eq(b.status, 0);
	ck_assert_str_eq(str_text(&a.out), str_text(&b.out));
	program_release(&a);
	program_release(&b);
}
END_TEST

static const char *part_of(const char *path, uint32_t k, uint32_t n)
{
	const char *out = arena_fmt(&mem, "%s/part%u", dir, k);
	struct summarize what = { path, "w", out, k, n, NULL };
	struct summarized done = {0};
	struct err err = {0};

	ck_assert_msg(summarize(&what, &done, NULL, &err), "%s", err.msg);
	return out;
}

/* What is there is listed; what lies in another shard is no damage, and nothing is judged. */
START_TEST(part_of_a_program_says_so)
{
	struct shell *shell = session_of(part_of(programs[_i], 3, 8));
	struct str out = {0};

	session_warnings(shell, &out);
	ck_assert_str_eq(out.text, "only shard 3 of 8\n");
	ck_assert(session_ask(shell, "runs", &out) && session_ask(shell, "lx", &out));
	ck_assert_ptr_null(strstr(str_text(&out), "first retained"));
	ck_assert(!session_ask(shell, "origins", &out));
	ck_assert_str_eq(out.text, "ERROR: No origins: the summary has only shard 3 of 8. "
	                           "Merge them all.\n");
	ck_assert(session_ask(shell, "overview", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "No origins: the summary has only shard 3 of 8"));
	ck_assert_ptr_nonnull(strstr(out.text, "0 damaged, 1 missing, 0 runs cut short"));
	ck_assert(session_ask(shell, "doctor", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "missing_shards"));
	ck_assert_ptr_null(strstr(out.text, "unresolved"));
	ck_assert_ptr_null(strstr(out.text, "window"));
	shell_free(shell);
	str_release(&out);
}
END_TEST

START_TEST(damage_of_programs_is_told)
{
	struct shell *shell = session_of(summary_of("testdata/v2/remote", "w"));
	struct str out = {0};

	session_warnings(shell, &out);
	ck_assert_str_eq(out.text, "tfdbg_events.1795219693.worker0.example.org."
	                           "graph_execution_traces, offset 20418: truncated: 62 bytes "
	                           "passed over\n");
	ck_assert(session_ask(shell, "doctor", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "1 damaged, 1 lost"));
	shell_free(shell);
	str_release(&out);
}
END_TEST

START_TEST(part_of_a_profile_is_refused)
{
	struct program_run ran;

	ask(part_of("testdata/profile/linear", 3, 8), "kernels", &ran);
	ck_assert_int_eq(ran.status, 3);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.err),
	                             "only shard 3 of 8: times of steps and kernels open when all "
	                             "are there"));
	program_release(&ran);
}
END_TEST

/* ---- profiles */

struct totals {
	uint64_t rows, calls, steps;
	int64_t ns;
};

static struct totals totals_of(const char *path)
{
	struct totals t = {0};
	struct err err = {0};
	struct summary_reader *r = summary_open(path, &err);
	struct summary_row row;
	struct summary_kernel kernel;

	ck_assert_ptr_nonnull(r);
	while (summary_next(r, &row, &err)) {
		t.steps += row.key.kind == SUMMARY_STEP;
		if (row.key.kind != SUMMARY_KERNEL)
			continue;
		ck_assert(summary_read_kernel(path, &row, &mem, &kernel, &err));
		t.rows++;
		t.calls += kernel.calls;
		t.ns += kernel.total_ns;
		ck_assert_int_le(kernel.min_ns, kernel.max_ns);
	}
	ck_assert_int_eq(err.code, ERR_NONE);
	summary_close(r);
	return t;
}

/* As `kernels --step all` has them, of the host, kernels and copies together. */
static const struct { const char *path; uint64_t steps, calls; int64_t ns; } profiles[] = {
	{ "testdata/profile/two_devices", 2, 34, 126036 },
	{ "testdata/traces/gpu.json.gz", 1, 32, 19671855000 },
	{ "testdata/tables/nvprof_summary.txt", 1, 7, 15447344 },
	{ "testdata/xspace/tf2_train", 6, 362, 545744907 },
};

START_TEST(kernels_add_up)
{
	struct totals t = totals_of(summary_of(profiles[_i].path, "w"));

	ck_assert_uint_eq(t.steps, profiles[_i].steps);
	ck_assert_uint_eq(t.calls, profiles[_i].calls);
	ck_assert_int_eq(t.ns, profiles[_i].ns);
}
END_TEST

SUITE_MAIN("summary_events",
	tcase_add_checked_fixture(t, enter, leave);
	tcase_add_loop_test(t, programs_come_back, 0, ROWS(programs));
	tcase_add_loop_test(t, programs_answer_the_same, 0, ROWS(asked));
	tcase_add_loop_test(t, part_of_a_program_says_so, 0, ROWS(programs));
	tcase_add_test(t, damage_of_programs_is_told);
	tcase_add_test(t, part_of_a_profile_is_refused);
	tcase_add_test(t, files_of_workers_stay_apart);
	tcase_add_test(t, workers_that_are_almost_alike_stay_apart);
	tcase_add_loop_test(t, kernels_add_up, 0, ROWS(profiles));
)
