/*
 * The page about what is open, and what the title says of its numbers. Counts of NaN and Inf are
 * those of tests/test_origins.c, times those of the recorded profiles.
 */
#include <stdio.h>
#include <string.h>

#include "cmds/origins/verdict.h"
#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/suite.h"

/* Every line of `wanted` stands in the page, in this order, if it begins so. */
static const struct { const char *path; const char *wanted[14]; } pages[] = {
	{ "mnist_nan", {
		"Dump of 1 run (tfdbg v1), 14.76ms",
		"  301 tensors of 297 nodes, 1 device, 260.81k; graph of 308 nodes",
		"Numbers   1 origin of NaN/Inf; 50 of 301 tensors bad, first in run 1",
		"  #1 cross_entropy/Log:0  Log  log_of_zero  exact  -inf 64 of 640  spreads to 49",
		"Dump      complete: 0 damaged, 0 missing, 0 runs cut short",
		"Next      origins   run -f has_inf_or_nan   lt" } },
	{ "train20", {
		"Dump of 2 runs (tfdbg v1), 20.16ms",
		"  64 tensors of 32 nodes, 1 device, 17.00k",
		"Numbers   1 origin of NaN/Inf; 20 of 64 tensors bad, first in run 2",
		"  #1 hidden/log_x:0 [run 2]  Log  negative_log  exact  nan 1 of 32",
		"  runs 1-2  .#",
		"Dump      complete: 0 damaged, 0 missing, 0 runs cut short",
		"Next      origins   run -f has_inf_or_nan   runs   lt" } },
	{ "linear", {
		"Dump of 1 run (tfdbg v1), 2.862ms",
		"Numbers   No NaN or Inf in 41 tensors",
		"Next      lt" } },
	{ "damaged_tensors", {
		"Dump of 1 run (tfdbg v1), 2.003ms",
		"Dump      4 damaged, 30 missing, 1 run cut short",
		"  linear/b:0: not_an_event: 4 bytes of content for 1 element of 8",
		"Next      doctor   lt" } },
	{ "profile/gpu_like", {
		"Profile of 2 steps, 4.775ms",
		"  graph of 725 nodes",
		"Time      step 1: GPU:0 4.363ms, busy 63.7%",
		"  ops       1.4% block_2/expand, 1.3% stem, ",
		"  gaps     8.972us at +3.416ms, 8.560us at +3.989ms, 8.265us at +1.902ms",
		"Memory    cpu 1.15M at +7.000us: images, labels",
		"          GPU_0_bfc 75.16M at +2.172ms: Relu, block_0/Relu_1, block_0/expand",
		"Next      kernels   timeline" } },
	{ "traces/gpu.json.gz", {
		"Profile, 19.70s", "Time      whole trace: GPU:0 108.9ms, busy <0.1%",
		"  GPU:0 does nothing for 100.0% of the trace",
		"  kernels   62.5% distribution_elementwise_grid_stride_..., 37.5% "
		"vectorized_elementwise_kernel<4,CUDAF...\n" } },
	{ "xspace/jax_step", { "Profile of ", "Time      step " } },
	{ "v2/mode_CONCISE_HEALTH", {
		"Dump of 46 steps (tfdbg v2, TensorFlow 2.21.0), 973.8ms",
		"  338 tensors of 88 ops in 4 graphs, 1 device, 209.47k; mode CONCISE_HEALTH",
		"Numbers   5 origins of NaN/Inf; 81 of 338 tensors bad, first in step #31",
		"Next      origins   lx" } },
};

static int ask(const char *path, const char *command, const char *format, struct str *out)
{
	struct program_run ran;
	char at[128];
	int status;

	snprintf(at, sizeof at, "testdata/%s", path);
	program_run((const char *[]){ program_path(), format, "-c", command, at, NULL }, NULL,
	            NULL, &ran);
	status = ran.status;
	str_puts(out, str_text(&ran.out));
	program_release(&ran);
	return status;
}

START_TEST(the_page_says_what_there_is)
{
	struct str out = {0};
	const char *at;

	ck_assert_int_eq(ask(pages[_i].path, "overview", "--format=text", &out), 0);
	at = str_text(&out);
	for (size_t i = 0; pages[_i].wanted[i]; i++) {
		const char *found = strstr(at, pages[_i].wanted[i]);

		ck_assert_msg(found && (found == out.text || found[-1] == '\n'),
		              "no \"%s\" in\n%s", pages[_i].wanted[i], at);
		at = found + 1;
	}
	str_release(&out);
}
END_TEST

static const struct { const char *path, *command; int status; const char *has; } typed[] = {
	{ "mnist_nan", "overview --exit-code", 1, "\"kind\":\"v1\"" },
	{ "linear", "overview --exit-code", 0,
	  "\"judged\":true,\"reason\":null,\"bad_tensors\":0," },
	{ "damaged_tensors", "overview --exit-code", 1,
	  "\"damaged\":4,\"missing\":30,\"partial_runs\":1" },
	/* Three views of one byte, of 2^63 - 1 elements each: the sum is no number we have. */
	{ "vast/expanded.pt", "overview", 0, "\"bytes\":null" },
	{ "train20", "overview", 0, "\"bad_by_run\":[0,20]" },
	{ "train20", "overview", 0,
	  "\"next\":[\"origins\",\"run -f has_inf_or_nan\",\"runs\",\"lt\"]" },
	{ "train20", "overview --max-bytes 100", 0,
	  "\"judged\":false,\"reason\":\"not searched: 17.00kB (origins)\"" },
	{ "train20", "overview --max-bytes 17408", 0, "\"judged\":true" },
	{ "profile/gpu_like", "overview", 0, "\"busy\":0.6367,\"idle\":0.3633" },
	{ "profile/gpu_like", "overview", 0,
	  "\"allocator\":\"GPU_0_bfc\",\"peak_bytes\":78815672" },
	{ "v2/mode_CONCISE_HEALTH", "overview", 0, "\"first_bad_step\":31" },
	{ "v2/mode_CONCISE_HEALTH", "overview", 0,
	  "\"writer\":\"TensorFlow\",\"version\":\"2.21.0\"" },
	{ "mnist_nan", "origins 1", 0,
	  "\"walk\":[{\"node\":\"cross_entropy/Log\",\"slot\":0,\"op\":\"Log\",\"run\":1," },
};

/* What was refused before is no answer to a line that asks for more. */
START_TEST(a_refusal_is_forgotten)
{
	struct program_run ran;
	const char *second;

	program_run((const char *[]){ program_path(), "-c", "overview --max-bytes 100", "-c",
	                              "overview", "testdata/train20", NULL }, NULL, NULL, &ran);
	second = strstr(str_text(&ran.out), "not searched: 17.00kB (origins)");
	ck_assert_msg(second, "%s", str_text(&ran.out));
	ck_assert_msg(strstr(second, "1 origin of NaN/Inf"), "%s", second);
	program_release(&ran);
}
END_TEST

/* A run of which nothing can be read names no device. */
START_TEST(only_devices_of_tensors_count)
{
	static const char line[] = "cp -r testdata/msprobe/statistics \"$1/m\" && printf '{\"a' "
	                           ">\"$1/m/step1/proc1538/dump.json\" && "
	                           "\"$0\" -c overview \"$1/m\"";
	struct program_run ran;
	char *dir = scratch_new();

	program_run((const char *[]){ "sh", "-c", line, program_path(), dir, NULL }, NULL, NULL,
	            &ran);
	ck_assert_msg(strstr(str_text(&ran.out), "\n  19 tensors, 1 device, 9.35k\n"), "%s",
	              ran.out.text);
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

START_TEST(scripts_get_it_too)
{
	struct str out = {0};

	ck_assert_int_eq(ask(typed[_i].path, typed[_i].command, "--format=json", &out),
	                 typed[_i].status);
	ck_assert_msg(strstr(str_text(&out), typed[_i].has), "no %s in\n%s", typed[_i].has,
	              str_text(&out));
	str_release(&out);
}
END_TEST

static const struct { const char *path, *command, *has; int status; } walks[] = {
	{ "mnist_nan", "origins 1",
	  "\n\n  cross_entropy/Log:0         Log               -inf 64 of 640\n"
	  "  cross_entropy/mul:0         Mul               nan 57, -inf 7 of 640\n"
	  "  cross_entropy/Neg:0         Neg               nan 57, +inf 7 of 640\n"
	  "  cross_entropy/total/Mean:0  Mean              nan 1 of 1\n", 0 },
	{ "train20", "origins 1", "\nIn run 2\n", 0 },
	{ "v2/mode_CONCISE_HEALTH", "origins 1",
	  "\n\n  Log:0                         Log               -inf 10 of 16\n"
	  "  mul:0                         Mul               nan 7, -inf 3 of 16\n"
	  "  add:0                         AddV2             nan 11, -inf 5 of 16\n"
	  "  Mean:0                        Mean              nan 1 of 1\n"
	  "  Neg:0                         Neg               nan 1 of 1\n"
	  "  __inference_train_step_232:0                    nan 1 of 1\n", 0 },
	{ "v2/while_overflow", "origins 1",
	  "\n  while/add:0                              +inf 1 of 2  exec 7\n", 0 },
	{ "train20", "run --to 2 --show hidden/log_x:0",
	  "Tensor \"hidden/log_x:0:DebugIdentity\":\n", 0 },
	{ "mnist_nan", "origins 2",
	  "ERROR: There is no origin #2: the recording has 1 origin.", 1 },
	{ "mnist_nan", "origins x",
	  "ERROR: There is no origin #x: the recording has 1 origin.", 1 },
	{ "mnist_nan", "origins --max-bytes 10",
	  "ERROR: Origins not searched: 260.81kB would have to be read.", 1 },
};

/* Whatever run is the current one, a tensor is shown in the run that the answer is about. */
START_TEST(links_lead_to_other_runs)
{
	struct str out = {0};

	ck_assert_int_eq(ask("train20", "origins 1", "--format=doc", &out), 0);
	ck_assert_ptr_nonnull(strstr(str_text(&out), "link:run --to 2 --show hidden/log_x:0\n"));
	ck_assert_ptr_null(strstr(out.text, "link:pt "));
	str_release(&out);
}
END_TEST

START_TEST(an_origin_is_followed)
{
	struct str out = {0};

	ck_assert_int_eq(ask(walks[_i].path, walks[_i].command, "--format=text", &out),
	                 walks[_i].status);
	ck_assert_msg(strstr(str_text(&out), walks[_i].has), "%s", str_text(&out));
	str_release(&out);
}
END_TEST

#define MODERN "LC_ALL=C.UTF-8 --screen=modern "

static const struct session sessions[] = {
	{ "the verdict comes by itself", 24, 80, MODERN "mnist_nan",
	  { { "", 0, "◆ 1 origin (go)" }, { "", 21, "row 1/301" },
	    { "go", 1, " ‹ › origins" }, { "", 2, "1 origin of NaN/Inf" },
	    { "j\r", 1, "origins 1" }, { "", ANYWHERE, "cross_entropy/Log:0         Log" },
	    { "q", 1, " ‹ › (-1) origins" } } },
	{ "its first form that fits", 24, 120, MODERN "mnist_nan",
	  { { "", 0, "◆ 1 origin: cross_entropy/Log:0 log_of_zero (go)" } } },
	{ "of runs it names the first", 24, 80, MODERN "train20",
	  { { "", 0, "◆ 1 origin, first in run 2 (go)" } } },
	{ "where there is nothing bad", 24, 80, MODERN "linear", { { "", 0, "no NaN or Inf" } } },
	{ "in ASCII", 24, 80, MODERN "--ascii mnist_nan", { { "", 0, "* 1 origin (go)" } } },
	{ "not if it is not wanted", 24, 80, MODERN "mnist_nan",
	  { { "", 0, "(go)" }, { ":config set verdict off\r", GONE, "(go)" } } },
	{ "always means however much it is", 24, 100, MODERN "mnist_nan",
	  { { ":config set verdict off\r", GONE, "(go)" },
	    { ":origins --max-bytes 10\r", ANYWHERE, "would have to be read" },
	    { ":config set verdict auto\r", 0, "not searched: 260.81kB (go)" },
	    { ":config set verdict always\r", 0, "1 origin (go)" } } },
	{ "an overview becomes fuller", 24, 100, MODERN "mnist_nan",
	  { { "gh", 1, "overview" }, { "", 5, "Numbers   1 origin of NaN/Inf" },
	    { "", ANYWHERE, "Dump      complete: 0 damaged" },
	    { "", ANYWHERE, "Next      origins" } } },
};

START_TEST(screens)
{
	play_session(&sessions[_i]);
}
END_TEST

/* The longest form that fits; none may do so. */
START_TEST(verdicts_fit)
{
	static const struct { int cols; const char *shown; } widths[] = {
		{ 20, "a long one" }, { 10, "a long one" }, { 9, "short" }, { 5, "short" },
		{ 4, NULL },
	};
	struct verdict verdict = {0};

	str_puts(&verdict.form[0], "a long one");
	str_puts(&verdict.form[2], "short");
	for (int i = 0; i < ROWS(widths); i++) {
		const char *shown = verdict_that_fits(&verdict, widths[i].cols);

		ck_assert_int_eq(shown != NULL, widths[i].shown != NULL);
		if (shown)
			ck_assert_str_eq(shown, widths[i].shown);
	}
	verdict_release(&verdict);
}
END_TEST

SUITE_MAIN("overview",
	tcase_add_test(t, verdicts_fit);
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, the_page_says_what_there_is, 0, ROWS(pages));
	tcase_add_test(t, a_refusal_is_forgotten);
	tcase_add_loop_test(t, scripts_get_it_too, 0, ROWS(typed));
	tcase_add_test(t, only_devices_of_tensors_count);
	tcase_add_test(t, links_lead_to_other_runs);
	tcase_add_loop_test(t, an_origin_is_followed, 0, ROWS(walks));
	tcase_add_loop_test(t, screens, 0, ROWS(sessions));)
