/*
 * Directories that can't be opened or listed. What lies in them is not known: every command that is
 * affected says so, no run is called cut short for it, and no origin is said to be not dumped.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/session/shell.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

#define LAST_RUN "run_1795218502329437_12"
#define DEVICE LAST_RUN "/_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"
#define FIRST_RUN "run_1795218502312451_11"
#define FIRST_DEVICE FIRST_RUN "/_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"
#define DENIED(dir) dir ": Permission denied"
#define HIDDEN DENIED(DEVICE "/hidden")

static char *dir;

/* Two runs, of which the second has the NaN. */
static void setup(void)
{
	struct program_run copied;

	ck_assert(permissions_hold());
	dir = scratch_new();
	program_run((const char *const[]){ "cp", "-r", "testdata/train20/.", dir, NULL }, NULL,
	            NULL, &copied);
	ck_assert_int_eq(copied.status, 0);
	program_release(&copied);
}

static void set_mode(const char *name, mode_t mode)
{
	struct str path = {0};

	str_fmt(&path, "%s/%s", dir, name);
	ck_assert_int_eq(chmod(path.text, mode), 0);
	str_release(&path);
}

static void ask(const char *path, const char *format, const char *before, const char *line,
                struct program_run *ran)
{
	struct str option = {0};
	const char *argv[10] = { program_path(), "--no-cache" };
	int n = 2;

	str_fmt(&option, "--format=%s", format);
	argv[n++] = option.text;
	if (before) {
		argv[n++] = "-c";
		argv[n++] = before;
	}
	argv[n++] = "-c";
	argv[n++] = line;
	argv[n++] = path;
	program_run(argv, NULL, NULL, ran);
	str_release(&option);
}

/* has: in the answer; has_not: in it or on standard error. */
static const struct {
	const char *before, *line, *has, *has_not;
} in_root[] = {
	{ NULL, "runs", "24  6.05k complete", "partial" },
	{ NULL, "run --last", "24 dumped tensor(s)", "unfinished" },
	{ NULL, "overview", "Dump      1 damaged, 0 missing, 0 runs cut short\n"
	                    "  hidden: unreadable: Permission denied\n", "partial" },
	{ NULL, "origins", "   this node or one not readable: hidden/MatMul, hidden/add, ",
	  "not dumped" },
	{ NULL, "drift", "", "offset" },
};

START_TEST(a_closed_directory_is_told)
{
	struct program_run ran;
	struct str warning = {0};

	set_mode(DEVICE "/hidden", 0);
	ask(dir, "text", in_root[_i].before, in_root[_i].line, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), in_root[_i].has), "%s", ran.out.text);
	ck_assert_msg(!strstr(str_text(&ran.out), in_root[_i].has_not), "%s", ran.out.text);
	ck_assert_str_eq(str_text(&ran.err), "tensordbg: " HIDDEN "\n");
	program_release(&ran);
	ask(dir, "json", NULL, in_root[_i].line, &ran);
	str_puts(&warning, "\"warnings\":[\"" HIDDEN "\"]");
	ck_assert_msg(strstr(str_text(&ran.out), warning.text), "%s", ran.out.text);
	program_release(&ran);
	set_mode(DEVICE "/hidden", 0755);
	str_release(&warning);
}
END_TEST

/* du says it of all runs, too, and of which it is. */
START_TEST(du_names_the_run)
{
	struct program_run ran;

	set_mode(DEVICE "/hidden", 0);
	ask(dir, "text", NULL, "du", &ran);
	ck_assert_str_eq(str_text(&ran.err),
	                 "tensordbg: 1 file could not be read; the first: " HIDDEN "\n");
	program_release(&ran);
	set_mode(DEVICE "/hidden", 0755);
}
END_TEST

/* What affects all commands about a run is said by each, in its JSON; on standard error once. */
static const char *const in_run[] = { "lt", "du", "origins", "overview", "drift",
                                     "ni -d out/weights" };

START_TEST(commands_in_the_run_tell_it)
{
	struct program_run ran;
	struct str path = {0};
	set_mode(DEVICE "/hidden", 0);
	ask(dir, "json", "run --last", in_run[_i], &ran);
	ck_assert_msg(strstr(strchr(str_text(&ran.out), '\n'), "\"warnings\":[\"" HIDDEN "\""),
	              "%s", ran.out.text);
	program_release(&ran);
	str_fmt(&path, "%s/" LAST_RUN, dir);
	ask(path.text, "json", NULL, in_run[_i], &ran);
	ck_assert_str_eq(str_text(&ran.err), "tensordbg: 1 problem(s) in the dump: "
	                 "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/hidden: "
	                 "Permission denied\n");
	ck_assert_msg(strstr(str_text(&ran.out), "\"warnings\":[\"_tfdbg_device_"), "%s",
	              ran.out.text);
	program_release(&ran);
	set_mode(DEVICE "/hidden", 0755);
	str_release(&path);
}
END_TEST

/* What is clean as far as it can be read is not clean: 3. What is bad is bad: 1. */
static const struct { const char *closed, *path; int status; } exit_statuses[] = {
	{ DEVICE "/hidden", "", 1 }, { DEVICE "/hidden", "/" LAST_RUN, 1 }, { DEVICE, "", 3 },
	{ DEVICE, "/" LAST_RUN, 3 }, { LAST_RUN, "", 3 },
	{ FIRST_DEVICE "/hidden", "/" FIRST_RUN, 3 }, { DEVICE "/hidden", "/" FIRST_RUN, 0 },
};

START_TEST(what_is_not_judged_is_3)
{
	struct program_run ran;
	struct str path = {0};

	set_mode(exit_statuses[_i].closed, 0);
	str_fmt(&path, "%s%s", dir, exit_statuses[_i].path);
	ask(path.text, "text", NULL, "origins --exit-code", &ran);
	ck_assert_int_eq(ran.status, exit_statuses[_i].status);
	program_release(&ran);
	ask(path.text, "text", NULL, "overview --exit-code", &ran);
	ck_assert_int_eq(ran.status, exit_statuses[_i].status ? 1 : 0);  /* damage */
	program_release(&ran);
	set_mode(exit_statuses[_i].closed, 0755);
	str_release(&path);
}
END_TEST

/* Behind more problems than are kept one by one, too. */
START_TEST(one_of_many_problems_is_not_judged)
{
	static const char device[] = FIRST_DEVICE;
	struct program_run ran;
	struct str line = {0};

	str_fmt(&line, "cd '%s/%s' && mkfifo $(seq -f a%%g 1001) && mkdir -m 0 zz", dir, device);
	program_run((const char *const[]){ "sh", "-c", line.text, NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	program_release(&ran);
	str_reset(&line);
	str_fmt(&line, "%s/" FIRST_RUN, dir);
	ask(line.text, "text", NULL, "origins --exit-code", &ran);
	ck_assert_int_eq(ran.status, 3);
	program_release(&ran);
	str_release(&line);
}
END_TEST

/* A summary keeps it. */
START_TEST(a_summary_keeps_what_was_closed)
{
	struct program_run ran;
	struct str to = {0};
	char *own = scratch_new();

	set_mode(DEVICE "/hidden", 0);
	str_fmt(&to, "%s/s", own);
	program_run((const char *const[]){ program_path(), "summarize", dir, "-o", to.text, NULL },
	            NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	program_release(&ran);
	set_mode(DEVICE "/hidden", 0755);
	ask(to.text, "text", NULL, "runs", &ran);
	ck_assert_msg(strstr(ran.out.text, "24  6.05k complete"), "%s", ran.out.text);
	ck_assert_str_eq(str_text(&ran.err), "tensordbg: " HIDDEN "\n");
	program_release(&ran);
	ask(to.text, "text", NULL, "origins", &ran);
	ck_assert_msg(strstr(ran.out.text, "not readable: hidden/MatMul"), "%s", ran.out.text);
	ck_assert_str_eq(str_text(&ran.err), "tensordbg: " HIDDEN "\n");
	program_release(&ran);
	str_release(&to);
	scratch_remove(own);
}
END_TEST

/* Of a node whose dump is there, and can't be read, it is not said that there is none. */
START_TEST(a_closed_file_is_not_readable)
{
	static const char file[] = DEVICE "/hidden/log_x_0_DebugIdentity_1795218502342769";
	struct program_run ran;

	set_mode(file, 0);
	ask(dir, "json", NULL, "origins", &ran);
	ck_assert_msg(strstr(str_text(&ran.out), "\"gap\":[\"hidden/log_x\"]"), "%s", ran.out.text);
	ck_assert_msg(strstr(str_text(&ran.out), "\"unreadable\":[\"hidden/log_x\"]"), "%s",
	              ran.out.text);
	ck_assert_msg(strstr(str_text(&ran.out), "\"warnings\":[\"1 tensor could not be read\"]"),
	              "%s", ran.out.text);
	program_release(&ran);
	set_mode(file, 0644);
}
END_TEST

/* "$0" and "$1" in a text become the directory and the whole recording. */
static char *filled(const char *text)
{
	struct str out = {0};

	str_puts(&out, "");
	for (; *text; text++)
		if (text[0] == '$')
			str_puts(&out, *++text == '0' ? dir : "testdata/train20");
		else
			str_putc(&out, *text);
	return out.text;
}

/* The directories of a device, and of a run. Each command says it once, in the same words. */
#define RUN_DENIED "tensordbg: Run #2 could not be read: $0/" DENIED(LAST_RUN) "\n"
static const struct { const char *closed, *line, *err; } closed_whole[] = {
	{ DEVICE, "runs", "tensordbg: " DENIED(DEVICE) "\n" },
	{ DEVICE, "origins", "tensordbg: " DENIED(DEVICE) "\n" },
	{ LAST_RUN, "runs", RUN_DENIED }, { LAST_RUN, "origins", RUN_DENIED },
	{ LAST_RUN, "overview", RUN_DENIED }, { LAST_RUN, "du", RUN_DENIED },
	{ LAST_RUN, "runs -f has_inf_or_nan", RUN_DENIED },
};

START_TEST(a_closed_run_is_told)
{
	struct program_run ran;
	char *err = filled(closed_whole[_i].err);

	set_mode(closed_whole[_i].closed, 0);
	ask(dir, "text", NULL, closed_whole[_i].line, &ran);
	ck_assert_str_eq(str_text(&ran.err), err);
	ck_assert_msg(!strstr(str_text(&ran.out), "partial"), "%s", ran.out.text);
	ck_assert_msg(!strstr(str_text(&ran.out), "no graph file"), "%s", ran.out.text);
	program_release(&ran);
	set_mode(closed_whole[_i].closed, 0755);
	free(err);
}
END_TEST

/*
 * With fewer and fewer descriptors something can't be opened any more: then that is said, and
 * nothing is called complete, cut short or clean because of it.
 */
START_TEST(too_few_descriptors_are_told)
{
	int told = 0, all = 0;

	for (int n = 16; n >= 4; n--) {
		struct program_run ran;
		struct str line = {0};
		bool whole;

		str_fmt(&line, "ulimit -n %d && exec \"$0\" --no-cache -c runs \"$1\"", n);
		program_run((const char *const[]){ "sh", "-c", line.text, program_path(), dir,
		                                   NULL }, NULL, NULL, &ran);
		whole = strstr(str_text(&ran.out), ".312              32  8.50k complete")
		        && strstr(ran.out.text, ".329    17.0      32  8.50k complete");
		if (ran.status == 127) {         /* its libraries can't be opened either */
			program_release(&ran);
			str_release(&line);
			break;
		}
		ck_assert_msg(!strstr(str_text(&ran.out), "partial"), "%d: %s", n, ran.out.text);
		ck_assert_msg(whole || strstr(str_text(&ran.err), ": Too many open files\n"),
		              "%d: %s%s", n, str_text(&ran.out), str_text(&ran.err));
		ck_assert_msg(!strstr(str_text(&ran.err), "offset 0"), "%s", ran.err.text);
		told += !whole;
		all += whole && !ran.err.len;
		program_release(&ran);
		str_release(&line);
	}
	ck_assert_int_gt(told, 0);
	ck_assert_int_gt(all, 0);
}
END_TEST

/*
 * Runs with one directory closed are compared. What may lie in it is neither added nor gone, and
 * two runs that are the same as far as they can be read are not known to be. $0 is the root, $1 the
 * whole recording. has_not: in the answer.
 */
static const struct {
	const char *closed, *path, *line, *has, *has_not, *err;
	int status;
} diffs[] = {
	{ DEVICE "/hidden", "$1/" LAST_RUN, "diff $0/" LAST_RUN, "24 same, 8 unreadable\n"
	  "First divergence: hidden/weights:0 (not compared: its file or directory can't be "
	  "read)", "added",
	  "$0/" HIDDEN, 3 },
	{ DEVICE "/hidden", "$0/" LAST_RUN, "diff $1/" LAST_RUN, "24 same, 8 unreadable\n", "gone",
	  "device_CPU_0/hidden: Permission denied", 3 },
	{ DEVICE "/hidden", "$0/" LAST_RUN, "diff $0/" LAST_RUN, "24 same\n", "unreadable",
	  "$0/" HIDDEN, 3 },
	{ DEVICE, "$1/" LAST_RUN, "diff $0/" LAST_RUN, "32 unreadable\n", "added",
	  "$0/" DENIED(DEVICE), 3 },
	{ DEVICE "/hidden", "$1/" FIRST_RUN, "diff $0/" LAST_RUN, "20 changed, 8 unreadable\n",
	  "added", "$0/" HIDDEN, 1 },
	{ DEVICE "/hidden", "$1/" LAST_RUN, "diff hidden/log_x $0/" LAST_RUN,
	  "ERROR: " LAST_RUN " may have \"hidden/log_x\" in a file or directory that "
	  "can't be read.\n",
	  "added", "$0/" HIDDEN, 3 },
	{ DEVICE "/hidden", "$1/" LAST_RUN, "diff out/weights $0/" LAST_RUN, ": same\n", "added",
	  "", 0 },
};

START_TEST(what_may_be_there_is_not_compared)
{
	char *path = filled(diffs[_i].path), *line = filled(diffs[_i].line);
	char *err = filled(diffs[_i].err);
	struct program_run ran;
	struct str with = {0};

	set_mode(diffs[_i].closed, 0);
	str_fmt(&with, "%s --exit-code", line);
	ask(path, "text", NULL, with.text, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), diffs[_i].has), "%s", str_text(&ran.out));
	ck_assert_msg(!strstr(ran.out.text, diffs[_i].has_not), "%s", ran.out.text);
	ck_assert_msg(strstr(str_text(&ran.err), err), "%s", str_text(&ran.err));
	ck_assert_int_eq(ran.status, diffs[_i].status);
	program_release(&ran);
	ask(path, "json", NULL, line, &ran);
	ck_assert_int_eq(strstr(str_text(&ran.out), ": Permission denied\"]") != NULL, *err != 0);
	program_release(&ran);
	set_mode(diffs[_i].closed, 0755);
	str_release(&with);
	free(path);
	free(line);
	free(err);
}
END_TEST

/*
 * Each file of a recording in turn can't be opened. Of one at least some command says so, and
 * whatever a command says of a file, it names no place in it. made: the copy, of testdata in $1,
 * which is called "copy".
 */
static const struct { const char *made; const char *lines[4]; } recordings[] = {
	{ "cp -r $1/train20 copy", { "doctor", "overview", "lt -f has_inf_or_nan", "ni out/y" } },
	{ "cp -r $1/v2/where_gradient copy && printf '[]' >copy/stacks.json",
	  { "doctor", "overview", "origins", "ls" } },
	{ "cp -r $1/train20/run*_12 copy && printf x >copy/stacks.json",
	  { "doctor", "diff copy", "du", "lt --health" } },
	{ "mkdir copy && cp -r $1/profile/linear/run_metadata.pb copy && "
	  "cp copy/run_metadata.pb copy/run_metadata_2.pb",
	  { "doctor", "steps", "overview", "kernels" } },
	{ "cp -r $1/xspace/tf2_train copy", { "doctor", "steps", "kernels", "overview" } },
	{ "mkdir copy && cp $1/array_files/*.safetensors $1/array_files/mixed.npz copy",
	  { "doctor", "lt --health", "overview", "du" } },
	{ "cp -r $1/hlo copy", { "doctor", "overview", "ni out", "ls" } },
	{ "mkdir copy && $0 summarize $1/train20 -o copy/s.tdbg", { "runs", "doctor" } },
};

START_TEST(a_file_that_cannot_be_opened_has_no_offset)
{
	static const char script[] =
		"cd \"$2\" || exit; %s || exit\n"
		"for f in $(find copy -type f | sort | awk 'NR %% 7 < 3'); do\n"
		"	chmod 0 \"$f\" && b=$(basename \"$f\")\n"
		"	for c in %s; do for o in text json; do\n"
		"		$0 --no-cache --format=$o -c \"$c\" copy "
		">all 2>&1 </dev/null\n"
		"		grep -q 'Permission denied' all && : >denied\n"
		"		grep -E \"offset 0: [^;]*Permission denied|$b, offset 0|"
		"\\\"$b\\\",\\\"offset\\\":0\" all >got && echo \"$f: $c\" && cat got\n"
		"	done; done\n"
		"	chmod 644 \"$f\"\n"
		"done; [ -f denied ] || echo 'no permission was denied'\n";
	struct program_run ran;
	struct str text = {0}, lines = {0};
	char *data = realpath("testdata", NULL), *program = realpath(program_path(), NULL);

	for (size_t i = 0; i < 4 && recordings[_i].lines[i]; i++)
		str_fmt(&lines, " '%s'", recordings[_i].lines[i]);
	str_fmt(&text, script, recordings[_i].made, lines.text);
	program_run((const char *const[]){ "sh", "-c", text.text, program, data, dir, NULL },
	            NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_msg(!ran.out.len, "%.1500s", str_text(&ran.out));
	program_release(&ran);
	str_release(&text);
	str_release(&lines);
	free(data);
	free(program);
}
END_TEST

/* Below a directory without a recording of its own. $0 is that directory, with two others. */
static const struct { const char *made, *err; } below[] = {
	{ "mv run_* a", ": no dump here; $0/a holds 2 runs; 1 directory below can't be read: "
	  "closed: Permission denied\n" },
	{ "mv *_11 a; mv *_12 b", ": no dump here, but 2 below; \"runs\" lists them, \"runs 1\" "
	  "opens the first; 1 directory below can't be read: closed: Permission denied\n" },
	{ "rm -r run_*", ": no TensorFlow dump here; 1 directory below can't be read: closed: "
	  "Permission denied; looked for " },
	{ "rm -r run_*; mkdir -m 0 a/a a/b", ": no TensorFlow dump here; 3 directories below can't "
	  "be read, the first: closed: Permission denied; looked for " },
};

START_TEST(what_lies_below_and_is_closed_is_told)
{
	struct program_run ran;
	struct str line = {0};
	char *err = filled(below[_i].err);

	str_fmt(&line, "cd '%s' && mkdir a b && %s && mkdir -m 0 closed", dir, below[_i].made);
	program_run((const char *const[]){ "sh", "-c", line.text, NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	program_release(&ran);
	ask(dir, "text", NULL, "runs", &ran);
	ck_assert_msg(strstr(str_text(&ran.err), err), "%s", str_text(&ran.err));
	program_release(&ran);
	str_release(&line);
	free(err);
}
END_TEST

static void teardown(void)
{
	scratch_remove(dir);
}

SUITE_MAIN("unreadable",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, a_closed_directory_is_told, 0, ROWS(in_root));
	tcase_add_test(t, du_names_the_run);
	tcase_add_loop_test(t, commands_in_the_run_tell_it, 0, ROWS(in_run));
	tcase_add_loop_test(t, what_is_not_judged_is_3, 0, ROWS(exit_statuses));
	tcase_add_test(t, one_of_many_problems_is_not_judged);
	tcase_add_test(t, a_summary_keeps_what_was_closed);
	tcase_add_test(t, a_closed_file_is_not_readable);
	tcase_add_loop_test(t, a_closed_run_is_told, 0, ROWS(closed_whole));
	tcase_add_loop_test(t, what_may_be_there_is_not_compared, 0, ROWS(diffs));
	tcase_add_loop_test(t, what_lies_below_and_is_closed_is_told, 0, ROWS(below));
	tcase_add_loop_test(t, a_file_that_cannot_be_opened_has_no_offset, 0, ROWS(recordings));
	tcase_add_test(t, too_few_descriptors_are_told);
)
