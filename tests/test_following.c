/*
 * A root that another process, this one, writes while the program follows it: runs that come whole
 * and in pieces, files that come late, runs that are deleted and renamed. Every wait is for what
 * the screen shows.
 */
#include "tests/suite.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/str.h"
#include "tests/on_screen.h"
#include "tests/program.h"

/* The first has no bad number, 20 tensors of the second have. */
#define RECORDED "testdata/train20/"
#define FIRST  "run_1795218502312451_11"
#define SECOND "run_1795218502329437_12"
#define DEVICE "/_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"

static char *root, *repository;

static void set_up(void)
{
	root = scratch_new();
	repository = getcwd(NULL, 0);
}

static void tear_down(void)
{
	scratch_remove(root);
	free(repository);
}

static void shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void shell(const char *fmt, ...)
{
	struct str line = {0};
	struct program_run ran;
	va_list args;

	str_fmt(&line, "cd '%s' && from='%s/" RECORDED "' && ", root, repository);
	va_start(args, fmt);
	str_vfmt(&line, fmt, args);
	va_end(args);
	program_run((const char *[]){ "sh", "-ec", line.text, NULL }, NULL, NULL, &ran);
	ck_assert_msg(ran.status == 0, "%s: %s", line.text, str_text(&ran.err));
	program_release(&ran);
	str_release(&line);
}

static struct terminal *start(const char *how, const char *path)
{
	struct terminal *t = terminal_start((const char *const[]){ program_path(), how, path,
	                                                           NULL }, NULL, NULL, 24, 80);

	ck_assert_ptr_nonnull(t);
	return t;
}

static const char *const how[] = { "--follow", "--poll" };

START_TEST(runs_come_without_a_key)
{
	struct terminal *t;

	shell("cp -r ${from}" FIRST " .");
	t = start(how[_i], root);
	ck_assert(terminal_wait_text(t, "32 dumped tensor(s):"));
	shell("cp -r ${from}" SECOND " .");
	PLAY(t, { "", ANYWHERE, "A new run came." }, { "runs\r", 1, "| runs" },
	     { "", ANYWHERE, "quiet" });
	shell("cp -r ${from}" FIRST " run_1795218502400000_13");
	PLAY(t, { "", ANYWHERE, "  3 " }, { "", ANYWHERE, "loss:0" });
	leave_by_exit(t);
}
END_TEST

START_TEST(run_waits_at_the_last)
{
	struct terminal *t;

	shell("cp -r ${from}" FIRST " .");
	t = start(how[_i], root);
	PLAY(t, { "", ANYWHERE, "32 dumped tensor(s):" },
	     { "run\r", ANYWHERE, "waiting for run #2 ... (Ctrl-C to stop waiting)" },
	     { "\x03", GONE, "waiting for run #2" }, { "run\r", ANYWHERE, "waiting for run #2" },
	     { "pt loss:0\r", 1, "pt loss:0" }, { "", ANYWHERE, "waiting for run #2" });
	shell("cp -r ${from}" SECOND " .");
	PLAY(t, { "", 0, "run-end: run #2: 2 fetches; 3 feeds" }, { "", 1, "| lt" },
	     { "", GONE, "waiting for run" });
	leave_by_exit(t);
}
END_TEST

/* As TensorFlow writes it: info files, graph, metadata, then tensors, each in a file that grows. */
START_TEST(a_run_comes_in_pieces)
{
	struct terminal *t;

	shell("cp -r ${from}" FIRST " .");
	t = start("--follow", root);
	PLAY(t, { "", ANYWHERE, "32 dumped tensor(s):" },
	     { "run\r", ANYWHERE, "waiting for run #2" });
	shell("mkdir " SECOND "; cp ${from}" SECOND "/_tfdbg_f* " SECOND);
	PLAY(t, { "", ANYWHERE, "A new run came." }, { "", ANYWHERE, "waiting for run #2" });
	shell("mkdir " SECOND DEVICE "; cp ${from}" SECOND DEVICE "/_tfdbg_graph* " SECOND DEVICE);
	shell("cp ${from}" SECOND "/_tfdbg_core* " SECOND);
	PLAY(t, { "", 0, "run #2: 2 fetches; 3 feeds" }, { "", ANYWHERE, "0 dumped tensor(s):" });
	shell("head -c 40 ${from}" SECOND DEVICE "/loss_0_* >" SECOND DEVICE
	      "/$(basename ${from}" SECOND DEVICE "/loss_0_*)");
	ck_assert(terminal_wait_text(t, "1 dumped tensor(s):"));
	shell("cp ${from}" SECOND DEVICE "/loss_0_* " SECOND DEVICE);
	PLAY(t, { "", ANYWHERE, "172" }, { "pt loss:0\r", ANYWHERE, "nan" },
	     { "lt\r", ANYWHERE, "1 dumped tensor(s):" });
	shell("cp -r ${from}" SECOND " .");
	ck_assert(terminal_wait_text(t, "32 dumped tensor(s):"));
	leave_by_exit(t);
}
END_TEST

START_TEST(a_late_file_of_an_older_run_shows)
{
	struct terminal *t;

	shell("cp -r ${from}" FIRST " ${from}" SECOND " .; mv " FIRST DEVICE "/loss_0_* .");
	t = start("--follow", root);
	PLAY(t, { "", 0, "run-start: run #1" }, { "run\r", ANYWHERE, "This run looks unfinished" },
	     { "lt\r", ANYWHERE, "31 dumped tensor(s):" });
	shell("mv loss_0_* " FIRST DEVICE);
	ck_assert(terminal_wait_text(t, "32 dumped tensor(s):"));
	leave_by_exit(t);
}
END_TEST

START_TEST(deleted_runs_stay_readable)
{
	struct terminal *t;

	shell("cp -r ${from}" FIRST " ${from}" SECOND " .");
	t = start("--follow", root);
	PLAY(t, { "", 0, "run-start: run #1" }, { "run\r", ANYWHERE, "32 dumped tensor(s):" });
	shell("rm -r " FIRST);
	PLAY(t, { "", ANYWHERE, "Run #1 has been deleted (by the program?)." },
	     { "", ANYWHERE, "32 dumped tensor(s):" }, { "", ANYWHERE, "gone" });
	leave_by_exit(t);
}
END_TEST

START_TEST(a_renamed_run_is_a_new_one)
{
	struct terminal *t;

	shell("cp -r ${from}" FIRST " ${from}" SECOND " .");
	t = start("--follow", root);
	PLAY(t, { "", 0, "run-start: run #1" }, { "run --last\r", 0, "run-end: run #2" });
	shell("mv " SECOND " run_1795218502500000_12");
	PLAY(t, { "", ANYWHERE, "Run #2 has been deleted" },
	     { "run\r", 0, "run-end: run #3: 2 fetches; 3 feeds" }, { "", ANYWHERE, "gone" });
	leave_by_exit(t);
}
END_TEST

START_TEST(a_search_waits_for_a_hit)
{
	struct terminal *t;

	shell("cp -r ${from}" FIRST " .");
	t = start("--follow", root);
	PLAY(t, { "", ANYWHERE, "32 dumped tensor(s):" },
	     { "run -f has_inf_or_nan\r", ANYWHERE, "waiting for run #2" });
	shell("cp -r ${from}" FIRST " run_1795218502320000_12");
	ck_assert(terminal_wait_text(t, "waiting for run #3"));
	shell("cp -r ${from}" SECOND " .");
	PLAY(t, { "", 0, "run-end: run #3" }, { "", 1, "| lt -f has_inf_or_nan" },
	     { "", ANYWHERE, "20 dumped tensor(s) passing filter" });
	leave_by_exit(t);
}
END_TEST

START_TEST(a_path_that_is_not_there_is_waited_for)
{
	struct str path = {0};
	struct terminal *t;

	str_fmt(&path, "%s/not/yet", root);
	t = start(how[_i], path.text);
	ck_assert(terminal_wait_text(t, "waiting for a dump at"));
	shell("mkdir not; mkdir not/yet; cp -r ${from}" FIRST " not/yet");
	ck_assert(terminal_wait_text(t, "32 dumped tensor(s):"));
	leave_by_exit(t);
	str_release(&path);
}
END_TEST

START_TEST(following_is_a_key)
{
	struct terminal *t;

	shell("cp -r ${from}" FIRST " ${from}" SECOND " .; mv " SECOND DEVICE "/loss_0_* .");
	t = start("--ascii", root);
	PLAY(t, { "", 0, "run-start: run #1" },
	     { "run --last\r", ANYWHERE, "This run looks unfinished" },
	     { "lt\r", ANYWHERE, "31 dumped tensor(s):" }, { "<Esc>", ANYWHERE, "row 1/" },
	     { "F", ANYWHERE, "Following the dump: on" });
	shell("mv loss_0_* " SECOND DEVICE);
	PLAY(t, { "", ANYWHERE, "32 dumped tensor(s):" },
	     { "F", ANYWHERE, "Following the dump: off" });
	leave_by_key(t);
}
END_TEST

/* Without a screen the command sleeps. */
START_TEST(a_script_waits)
{
	struct program_run ran;
	struct str line = {0};

	shell("cp -r ${from}" FIRST " .");
	str_fmt(&line, "runs | cp -r '%s/" RECORDED SECOND "' '%s'", repository, root);
	program_run((const char *[]){ program_path(), "--follow", "-c", line.text, "-c",
	                              "run --wait 60", "-c", "run_info", root, NULL }, NULL, NULL,
	                              &ran);
	ck_assert_msg(ran.status == 0, "%d %s%s", ran.status, str_text(&ran.err),
	              str_text(&ran.out));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "32 dumped tensor(s):"));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "Session.run() call #2:"));
	program_release(&ran);
	program_run((const char *[]){ program_path(), "-c", "run --last", "-c", "run --wait 1",
	                              root, NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 1);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "No new run came within 1 s."));
	program_release(&ran);
	str_release(&line);
}
END_TEST

#define SET "tfdbg_events.1795219404.demo-host"

/* Of its executions and traces there is the beginning, cut within a record; then the rest. */
START_TEST(a_recorded_program_grows)
{
	struct terminal *t;

	shell("cp ${from}../v2/mode_CONCISE_HEALTH/* . && "
	      "truncate -s 15378 " SET ".execution && "
	      "truncate -s 30200 " SET ".graph_execution_traces");
	t = start(how[_i], root);
	PLAY(t, { "", ANYWHERE, "27 executions." }, { "run --last\r", 0, "step #23" },
	     { "run\r", ANYWHERE, "waiting for the next step" });
	shell("for kind in graph_execution_traces execution; do "
	      "tail -c +$(($(wc -c <" SET ".$kind) + 1)) "
	      "\"${from}../v2/mode_CONCISE_HEALTH/" SET ".$kind\" >>" SET ".$kind; done");
	PLAY(t, { "", 0, "step #31" }, { "", GONE, "waiting for the next step" },
	     { "lx\r", ANYWHERE, "46 executions." });
	shell("cp ${from}../v2/threads/*.execution " SET ".execution");
	PLAY(t, { "", ANYWHERE, "5 executions." }, { "lt\r", ANYWHERE, "No step is open." });
	leave_by_exit(t);
}
END_TEST

/* The program is run again into the same directory. */
START_TEST(a_program_is_run_again)
{
	struct terminal *t;

	shell("cp ${from}../v2/workers/*.node1.* .");
	t = start(how[_i], root);
	PLAY(t, { "", ANYWHERE, "10 executions." }, { "", GONE, ": run 1" });
	shell("cp ${from}../v2/workers/*.node0.* .");
	PLAY(t, { "", ANYWHERE, "A new run came." }, { "", 0, ": run 1 of 2" },
	     { "runs\r", ANYWHERE, "2 runs of the program:" }, { "", ANYWHERE, "1  *  ebc800a9 " },
	     { "", ANYWHERE, "2     8a59a7e5 " }, { "runs 2\r", 0, ": run 2 of 2" },
	     { "lx\r", ANYWHERE, "10 executions." });
	leave_by_exit(t);
}
END_TEST

/* Another process joins the same run; its last record is cut, which is told in the end. */
START_TEST(another_process_joins)
{
	struct terminal *t;

	shell("cp ${from}../v2/remote/*.controller.* .");
	t = start(how[_i], root);
	PLAY(t, { "", ANYWHERE, "60 executions." }, { "la\r", ANYWHERE, " of 60 " });
	shell("cp ${from}../v2/remote/*.worker0.* .");
	PLAY(t, { "", ANYWHERE, " of 212 " }, { "ri\r", ANYWHERE, "worker0.example.org" },
	     { "<Esc>", ANYWHERE, "h keys" }, { "W", ANYWHERE, "1 problem(s) in the dump:" },
	     { "", ANYWHERE, "the file ends within a record" }, { "q", GONE, "within a record" },
	     { "F", ANYWHERE, "1 problem(s) in the dump: tfdbg" });
	leave_by_key(t);
}
END_TEST

/* What is only a beginning by now is no problem while it is followed. */
START_TEST(a_cut_record_may_go_on)
{
	struct program_run ran;
	struct terminal *t;
	const char *bytes;
	size_t len;

	shell("cp ${from}../v2/mode_CONCISE_HEALTH/* . && truncate -s 15378 " SET ".execution");
	t = start("--follow", root);
	PLAY(t, { "", ANYWHERE, "27 executions." }, { "run --last\r", 0, "step #23" });
	bytes = terminal_bytes(t, &len);
	ck_assert(!memmem(bytes, len, "problem(s)", 10));
	leave_by_exit(t);
	t = start("--ascii", root);
	PLAY(t, { "", ANYWHERE, "27 executions." }, { "", ANYWHERE, "1 problem(s) in the dump" });
	leave_by_exit(t);
	program_run((const char *[]){ program_path(), "--follow", "-c", "ver", root, NULL }, NULL,
	            NULL, &ran);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.err), "the file ends within a record"));
	program_release(&ran);
}
END_TEST

/* Steps of arrays are no directories of a dump each, and come all the same. */
START_TEST(steps_of_arrays_come)
{
	struct terminal *t;

	shell("mkdir step_1 step_2; cp ${from}../arrays/le_f4.npy step_1; cp step_1/* step_2");
	t = start(how[_i], root);
	PLAY(t, { "runs\r", ANYWHERE, "2      2       1     24" });
	shell("mkdir step_3; cp step_1/* step_3");
	PLAY(t, { "", ANYWHERE, "3      3       1     24" }, { "", GONE, "2 runs" });
	leave_by_exit(t);
}
END_TEST

/* A directory with one step is that step, until there is another. */
START_TEST(a_second_step_of_arrays_comes)
{
	struct terminal *t;

	shell("mkdir step_7; cp ${from}../arrays/le_f4.npy step_7");
	t = start(how[_i], root);
	PLAY(t, { "", ANYWHERE, "step_7/le_f4" }, { "run\r", ANYWHERE, "waiting for run #2" });
	shell("mkdir step_8; cp step_7/* step_8");
	PLAY(t, { "", 0, "run-end: run #2" }, { "", ANYWHERE, " le_f4" },
	     { "run -b\r", 0, "run-end: run #1" }, { "", ANYWHERE, " le_f4" },
	     { "runs\r", ANYWHERE, "1      7       1     24" });
	leave_by_exit(t);
}
END_TEST

/* Numbers at the end of names are steps if all have the same arrays: half a step is none yet. */
START_TEST(half_a_step_is_waited_for)
{
	struct terminal *t;

	shell("for n in 1 2; do for name in x y; do cp ${from}../arrays/le_f4.npy ${name}_$n.npy; "
	      "done; done");
	t = start(how[_i], root);
	PLAY(t, { "run\r", 0, "run-end: run #1" }, { "", ANYWHERE, "2 dumped tensor(s)" },
	     { "run\r", 0, "run-end: run #2" }, { "run\r", ANYWHERE, "waiting for run #3" });
	shell("cp x_1.npy x_3.npy");
	PLAY(t, { "lt\r", ANYWHERE, "2 dumped tensor(s)" },
	     { "run\r", ANYWHERE, "waiting for run #3" });
	shell("head -c 100 x_1.npy >y_3.npy");
	PLAY(t, { "", 0, "run-end: run #3" }, { "", ANYWHERE, "1 dumped tensor(s)" });
	shell("cp x_1.npy y_3.npy");
	PLAY(t, { "", ANYWHERE, "2 dumped tensor(s)" });
	leave_by_exit(t);
}
END_TEST

/* Nothing is followed: a key reads again. */
START_TEST(a_program_is_read_again)
{
	struct terminal *t;

	shell("cp ${from}../v2/mode_CONCISE_HEALTH/* . && truncate -s 15378 " SET ".execution");
	t = start("--ascii", root);
	PLAY(t, { "", ANYWHERE, "27 executions." }, { "run --last\r", 0, "step #23" });
	shell("cp ${from}../v2/mode_CONCISE_HEALTH/*.execution .");
	shell("for file in ${from}../v2/workers/*.node0.*; do cp $file .; done");
	PLAY(t, { "<Esc>", ANYWHERE, "row 1/57" }, { "R", ANYWHERE, "Read again: the dump" },
	     { "", GONE, "step #23" }, { ":lx\r", ANYWHERE, "46 executions." },
	     { "", 0, ": run 1 of 2" });
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("following",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_loop_test(t, runs_come_without_a_key, 0, 2);
	tcase_add_loop_test(t, run_waits_at_the_last, 0, 2);
	tcase_add_loop_test(t, steps_of_arrays_come, 0, 2);
	tcase_add_loop_test(t, a_second_step_of_arrays_comes, 0, 2);
	tcase_add_loop_test(t, half_a_step_is_waited_for, 0, 2);
	tcase_add_test(t, a_run_comes_in_pieces);
	tcase_add_test(t, a_late_file_of_an_older_run_shows);
	tcase_add_test(t, deleted_runs_stay_readable);
	tcase_add_test(t, a_renamed_run_is_a_new_one);
	tcase_add_test(t, a_search_waits_for_a_hit);
	tcase_add_loop_test(t, a_path_that_is_not_there_is_waited_for, 0, 2);
	tcase_add_test(t, following_is_a_key);
	tcase_add_test(t, a_script_waits);
	tcase_add_loop_test(t, a_recorded_program_grows, 0, 2);
	tcase_add_loop_test(t, a_program_is_run_again, 0, 2);
	tcase_add_loop_test(t, another_process_joins, 0, 2);
	tcase_add_test(t, a_cut_record_may_go_on);
	tcase_add_test(t, a_program_is_read_again);
)
