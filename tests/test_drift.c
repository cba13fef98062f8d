/*
 * What grows: sizes are those of numpy, growth is told over three runs, and nothing is read twice.
 */
#include "cmds/overview/series.h"

#include <math.h>
#include <string.h>

#include "dump/format/dtype.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/program_files.h"
#include "tests/small_dump.h"
#include "tests/suite.h"
#include "tests/word_dump.h"

static char *dir;

static void setup(void)
{
	dir = scratch_new();
}

static void teardown(void)
{
	scratch_remove(dir);
}

/* Runs of these dumps, of one graph. */
static struct shell *session_of_runs(const char *const *dumps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct str run = {0};

		str_fmt(&run, "run_17000000000%05zu_%zu/", i, i);
		dump_put(dir, run.text, NULL, 0);
		str_reset(&run);
		str_fmt(&run, "%s/run_17000000000%05zu_%zu", dir, i, i);
		word_dump_make(run.text, "w VariableV2; x Identity w; c Const; y Exp x; z Assign y",
		               dumps[i]);
		str_release(&run);
	}
	return session_of(dir);
}

static const struct series *named(const struct series_list *list, const char *tensor)
{
	for (size_t i = 0; i < list->list.len; i++)
		if (!strcmp(list->list.at[i].tensor, tensor))
			return &list->list.at[i];
	ck_abort_msg("%s is not there", tensor);
	return NULL;
}

static void expect(struct shell *shell, const char *line, const char *const *wanted)
{
	struct str out = {0};
	const char *at;

	ck_assert(session_ask(shell, line, &out));
	at = out.text;
	for (; *wanted; wanted++) {
		const char *found = strstr(at, *wanted);

		ck_assert_msg(found != NULL, "%s lacks \"%s\" after the others:\n%s", line, *wanted,
		              out.text);
		at = found + strlen(*wanted);
	}
	str_release(&out);
}
#define EXPECT(shell, line, ...) expect(shell, line, (const char *const[]){ __VA_ARGS__, NULL })

static const char *const growing[] = {
	"w:0@1=1,-2 x:0@2=5 c:0@3=7", "w:0@1=1,-2.5 x:0@2=0 c:0@3=7",
	"w:0@1=-50,3 x:0@2=5e5 c:0@3=7", "w:0@1=1250,nan x:0@2=5e6 c:0@3=7",
	"w:0@1=nan x:0@2=5e8 c:0@3=7",
};

START_TEST(sizes_are_the_largest_finite_ones)
{
	static const double w[] = { 2, 2.5, 50, 1250 };
	struct shell *shell = session_of_runs(growing, ROWS(growing));
	struct series_list list;
	struct err err = {0};

	ck_assert(series_of_runs(&list, shell, NULL, &err));
	ck_assert_int_eq(list.by, SERIES_BY_RUN);
	ck_assert_uint_eq(named(&list, "w:0")->n, 5);
	for (int i = 0; i < 4; i++) {
		ck_assert_double_eq(named(&list, "w:0")->at[i].size, w[i]);
		ck_assert_int_eq(named(&list, "w:0")->at[i].bad, i == 3);
	}
	ck_assert(isnan(named(&list, "w:0")->at[4].size));
	ck_assert(named(&list, "w:0")->at[4].bad);
	ck_assert_str_eq(named(&list, "w:0")->op, "VariableV2");
	series_release(&list);
	shell_free(shell);
}
END_TEST

/* w: 2, 2.5, 50, 1250: sqrt(1250 / 2.5) = 22.4 from run 2. x: a window that begins at 0 tells
 * nothing; sqrt(5e8 / 5e5) = 31.6 from run 3. */
START_TEST(growth_is_told_over_three_runs)
{
	struct shell *shell = session_of_runs(growing, ROWS(growing));
	struct str out = {0};

	EXPECT(shell, "drift", "w:0 grew 22.4 times a run from run 2; first bad in run 4\n",
	       "22.36     2    4", "w:0\n");
	EXPECT(shell, "drift -s growth", "x:0 grew 31.6 times a run from run 3", "w:0\n");
	EXPECT(shell, "drift -s max -l 1", "x:0 grew 31.6", "First", "x:0\n");
	EXPECT(shell, "drift --skip 1 --columns tensor,from_run", "Tensor  From\nx:0        3\n");
	EXPECT(shell, "drift -r --skip 2", "w:0 grew 22.4 times a run from run 2; first bad");
	EXPECT(shell, "drift -n w --threshold 23", "Nothing grew 23 times a run", "bad in run 4\n");
	ck_assert(session_ask(shell, "drift --all --threshold 0", &out));
	ck_assert_ptr_null(strstr(out.text, "c:0"));     /* it never changes */
	ck_assert(!session_ask(shell, "drift -s size", &out));
	ck_assert(!session_ask(shell, "drift --threshold much", &out));
	ck_assert(!session_ask(shell, "drift --threshold nan", &out));
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* The files are gone: what was read must do. */
START_TEST(an_overview_has_the_first_of_them)
{
	static const char *const steady[] = {
		"w:0@1=1 x:0@2=5", "w:0@1=2 x:0@2=500", "w:0@1=1 x:0@2=5e4",
	};
	struct shell *shell = session_of_runs(growing, sizeof growing / sizeof *growing);

	EXPECT(shell, "overview",
	       "\nDrift     w:0 grew 22.4 times a run from run 2 to 3, then bad\n");
	shell_free(shell);
	scratch_remove(dir);
	dir = scratch_new();
	shell = session_of_runs(steady, sizeof steady / sizeof *steady);
	EXPECT(shell, "overview", "No NaN or Inf",
	       "\nDrift     x:0 grew 100 times a run from run 1\n");
	shell_free(shell);
}
END_TEST

START_TEST(nothing_is_read_twice)
{
	struct shell *shell = session_of_runs(growing, ROWS(growing));
	struct str out = {0}, again = {0};
	struct program_run ran;

	ck_assert(session_ask(shell, "drift --all", &out));
	program_run((const char *[]){ "sh", "-c", "rm -r \"$0\"/*/*device*", dir, NULL }, NULL,
	            NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert(session_ask(shell, "drift --all", &again));
	ck_assert_str_eq(out.text, again.text);
	ck_assert(session_ask(shell, "runs", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "       1 "));    /* tensors with NaN, in nan/inf */
	program_release(&ran);
	str_release(&out);
	str_release(&again);
	shell_free(shell);
}
END_TEST

START_TEST(a_run_alone_is_told_by_execution)
{
	struct shell *shell;

	word_dump_make(dir, "w VariableV2; x Identity w",
	               "w:0@1=1 w:0@2=20 w:0@3=400 w:0@4=8000 x:0@5=1");
	shell = session_of(dir);
	EXPECT(shell, "drift", "w:0 grew 20 times an execution from execution 0\n", "w:0\n");
	shell_free(shell);
}
END_TEST

/* Of a run's hits the first one is that of its first device, whatever came sooner elsewhere. */
START_TEST(the_first_hit_is_on_the_first_device)
{
	const char *argv[] = { program_path(), "--format=json", "-c", "run -f has_inf_or_nan", "-c",
	                       "runs", dir, NULL };
	struct program_run ran;

	dump_put(dir, "run_1700000000000000_0/", NULL, 0);
	dump_put(dir, "run_1700000000000001_1/", NULL, 0);
	for (int i = 0; i < 2; i++) {
		struct str run = {0};

		str_fmt(&run, "%s/run_170000000000000%d_%d", dir, i, i);
		word_dump_make(run.text, "1/b Const; a Const", "1/b:0@1=nan a:0@2=nan");
		str_release(&run);
	}
	program_run(argv, NULL, NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), "\"tensors\":2,\"first\":\"a:0\"") != NULL, "%s",
	              str_text(&ran.out));
	program_release(&ran);
}
END_TEST

START_TEST(few_runs_tell_nothing)
{
	struct shell *shell = session_of_runs(growing, 2);

	EXPECT(shell, "drift", "Growth takes 3 runs: there are 2\n");
	EXPECT(shell, "drift --all", "Growth takes 3 runs", "w:0\n", "x:0\n");
	shell_free(shell);
}
END_TEST

/* Each in the dtype it is recorded in, against numpy's own numbers. */
START_TEST(every_type_has_a_size)
{
	struct shell *shell = session_of("testdata/dtypes");
	const struct run *run = shell->run;
	size_t n = 0;

	for (uint32_t i = 0; i < run->tensors.len; i++) {
		struct err err = {0};
		const struct vitals *v = healths_read(shell->visit->healths, i, NULL, &err);
		bool ordered = v->has_ends;
		double size;

		if (!vitals_magnitude(v, &size))
			continue;
		ck_assert(size >= 0 && isfinite(size));
		ck_assert(ordered || v->type->kind == KIND_COMPLEX);
		n++;
	}
	ck_assert_uint_gt(n, 10);
	shell_free(shell);
}
END_TEST

static void put_call(double time, const char *function, double size)
{
	struct str tensor = {0};

	put_doubles(&tensor, &size, 1);
	put_trace_of(time - 0.5, "g", "y", 0, "CPU", FULL, &tensor);
	put_step(time, function, "g", 0, 0);
	str_release(&tensor);
}

/* names: of the functions that are called. */
static struct shell *session_of_calls(const char *const *names, const double *sizes, size_t n)
{
	make_scratch();
	for (int i = 0; i < PROGRAM_FILE_KINDS; i++)
		str_reset(&files[i]);
	put_metadata(100, "run");
	put_device("CPU");
	put_graph("g", "f", "");
	put_op("g", "Log", "y", "");
	for (size_t i = 0; i < n; i++)
		put_call(101 + (double)i, names[i], sizes[i]);
	write_set("1.host");
	return session_of(scratch);
}

START_TEST(programs_grow_from_call_to_call)
{
	static const char *const names[] = { "__inference_f_1", "__inference_f_1",
	                                     "__inference_f_1" };
	struct shell *shell = session_of_calls(names, (const double[]){ 1, -30, 900 }, 3);

	EXPECT(shell, "drift", "y:0 grew 30 times a call from step 0\n", "y:0\n");
	shell_free(shell);
	remove_scratch();
}
END_TEST

/* The number behind a name is that of the tracing; a line without a number belongs to the name. */
START_TEST(calls_are_those_of_a_function)
{
	static const char *const names[] = { "f_1", "f_2", "f_", "f_3" };
	struct shell *shell = session_of_calls(names, (const double[]){ 1, 20, 8000, 400 }, 4);

	EXPECT(shell, "drift", "y:0 grew 20 times a call from step 0\n", "y:0\n");
	shell_free(shell);
	remove_scratch();
}
END_TEST

/* What grew more than tenfold from run to run before an origin, told from three runs on. */
static const struct { size_t n; const char *x[4], *says; } before[] = {
	{ 3, { "1", "11", "122" }, "Grew:  x:0  1, 11, 122\n" },
	{ 3, { "1", "10", "122" }, NULL }, { 2, { "1", "11" }, NULL },
	{ 4, { "1", "11", "122", "1300" }, "Grew:  x:0  1, 11, 122, 1300\n" },
};

START_TEST(growth_before_an_origin)
{
	struct str dumps[4] = {0}, out = {0};
	const char *texts[4];
	struct shell *shell;

	for (size_t i = 0; i < before[_i].n; i++) {
		str_fmt(&dumps[i], "w:0@1=1 x:0@2=%s y:0@3=%s", before[_i].x[i],
		        i + 1 < before[_i].n ? "0" : "nan z:0@4=nan");
		texts[i] = dumps[i].text;
	}
	shell = session_of_runs(texts, before[_i].n);
	ck_assert(session_ask(shell, "origins", &out));
	if (before[_i].says)
		ck_assert_msg(strstr(out.text, before[_i].says) != NULL, "%s", out.text);
	else
		ck_assert_msg(strstr(out.text, "Grew") == NULL, "%s", out.text);
	shell_free(shell);
	for (size_t i = 0; i < before[_i].n; i++)
		str_release(&dumps[i]);
	str_release(&out);
}
END_TEST

START_TEST(without_values_there_is_an_error)
{
	struct shell *shell = session_of("testdata/v2/mode_CONCISE_HEALTH");
	struct str out = {0};

	ck_assert(!session_ask(shell, "drift", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "FULL_TENSOR"));
	str_release(&out);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("drift",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, sizes_are_the_largest_finite_ones);
	tcase_add_test(t, growth_is_told_over_three_runs);
	tcase_add_test(t, an_overview_has_the_first_of_them);
	tcase_add_test(t, nothing_is_read_twice);
	tcase_add_test(t, a_run_alone_is_told_by_execution);
	tcase_add_test(t, the_first_hit_is_on_the_first_device);
	tcase_add_test(t, few_runs_tell_nothing);
	tcase_add_test(t, every_type_has_a_size);
	tcase_add_test(t, programs_grow_from_call_to_call);
	tcase_add_test(t, calls_are_those_of_a_function);
	tcase_add_loop_test(t, growth_before_an_origin, 0, ROWS(before));
	tcase_add_test(t, without_values_there_is_an_error);
)
