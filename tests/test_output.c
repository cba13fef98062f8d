/*
 * What the program writes, as a whole program: to standard output, and to files by every command
 * that writes one.
 */
#include "tests/small_dump.h"
#include "tests/suite.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/session/envelope.h"
#include "tests/program.h"

#define DUMP "testdata/linear"
#define PROFILE "testdata/profile/linear"

static char *dir;

static void make_dir(void)
{
	dir = scratch_new();
}

static void remove_dir(void)
{
	scratch_remove(dir);
}

/* A line of a shell, in which $T is the program and $W the directory for what is written. */
static void shell(const char *line, struct program_run *ran)
{
	struct str set = {0};

	str_fmt(&set, "T='%s' W='%s' HOME='%s'; %s", program_path(), dir, dir, line);
	program_run((const char *[]){ "sh", "-c", set.text, NULL }, NULL, NULL, ran);
	str_release(&set);
}

static size_t n_files(void)
{
	DIR *all = opendir(dir);
	struct dirent *entry;
	size_t n = 0;

	while ((entry = readdir(all)))
		n += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
	closedir(all);
	return n;
}

/* Standard output. */

#define NO_SPACE "tensordbg: standard output: No space left on device\n"
#define NO_OUTPUT "tensordbg: standard output: Bad file descriptor\n"
#define TOO_LARGE "tensordbg: standard output: File too large\n"

static const struct { const char *line, *message; } outputs[] = {
	{ "$T -c lt " DUMP " >/dev/full", NO_SPACE },
	{ "$T -c lt " DUMP " >&-", NO_OUTPUT },
	{ "$T -c lt " DUMP " <&- >&-", NO_OUTPUT },
	{ "$T --plain -c lt " DUMP " >/dev/full", NO_SPACE },
	{ "$T --format=json -c lt -c lt --keep-going " DUMP " >/dev/full", NO_SPACE },
	{ "$T --format=csv -c lt " DUMP " >/dev/full", NO_SPACE },
	{ "$T --format=doc -c lt " DUMP " >/dev/full", NO_SPACE },
	{ "$T -c lt testdata/mnist_nan >/dev/full", NO_SPACE },
	{ "echo lt | $T " DUMP " >/dev/full", NO_SPACE },
	{ "$T --help >/dev/full", NO_SPACE },
	{ "$T --version >/dev/full", NO_SPACE },
	{ "$T --version >&-", NO_OUTPUT },
	{ "ulimit -f 1; $T -c lt -c lt -c lt " DUMP " >\"$W/o\"", TOO_LARGE },
};

START_TEST(lost_output_is_told)
{
	struct program_run ran;

	shell(outputs[_i].line, &ran);
	ck_assert_str_eq(str_text(&ran.err), outputs[_i].message);
	ck_assert_int_eq(ran.status, 1);
	program_release(&ran);
}
END_TEST

/* A reader that has seen enough is no failure to tell of. */
START_TEST(a_closed_pipe_is_silent)
{
	struct program_run ran;

	shell("$T -c lt testdata/mnist_nan | head -n 1", &ran);
	ck_assert_str_eq(str_text(&ran.err), "");
	ck_assert_int_eq(ran.status, 0);
	program_release(&ran);
}
END_TEST

/* A failed command starts no program: what it says goes to standard error. */
static const struct { const char *line, *out; int status; } piped[] = {
	{ "$T -c 'pt nothing:0 | cat' " DUMP " 2>/dev/null", "", 1 },
	{ "$T -c 'pt nothing:0 | cat' " DUMP " 2>&1 >/dev/null",
	  "ERROR: Node \"nothing\" does not exist in partition graphs\nnothing: nodes that nothing "
	  "fetched needed, and those fused into others, are in no graph of a dump\n", 1 },
	{ "cd \"$W\"; $T -c 'pt nothing:0 | cat >made' $OLDPWD/" DUMP " 2>/dev/null; ls", "", 0 },
	{ "$T --format=json -c 'pt nothing:0 | cat' " DUMP " 2>/dev/null", "", 1 },
	{ "$T -c 'version | wc -l' " DUMP, "3\n", 0 },
	{ "$T -c 'version | exit 3' " DUMP, "Program failed with status 3: exit 3\n", 1 },
};

START_TEST(a_failed_command_starts_no_program)
{
	struct program_run ran;

	shell(piped[_i].line, &ran);
	ck_assert_str_eq(str_text(&ran.out), piped[_i].out);
	ck_assert_int_eq(ran.status, piped[_i].status);
	program_release(&ran);
}
END_TEST

/* What is said beside typed answers goes to standard error. */
START_TEST(messages_stand_beside_typed_answers)
{
	static const char *const formats[] = { "text", "json", "csv" };
	struct program_run ran;
	struct str line = {0};

	str_fmt(&line, "$T --format=%s -c \"lt > $W/F\" " DUMP, formats[_i]);
	shell(line.text, &ran);
	ck_assert_int_eq(!strstr(str_text(&ran.out), "Wrote output to"), _i > 0);
	ck_assert_int_eq(!strstr(str_text(&ran.err), "Wrote output to"), _i == 0);
	program_release(&ran);
	str_release(&line);
}
END_TEST

START_TEST(comments_are_no_commands)
{
	struct program_run ran;

	shell("printf '# a\n \t# b\n\t\n\nversion\n' | $T " DUMP, &ran);
	ck_assert_msg(!strncmp(str_text(&ran.out), "tensordbg version: ", 19), "%s",
	              str_text(&ran.out));
	ck_assert_int_eq(ran.status, 0);
	program_release(&ran);
}
END_TEST

/* Files. */

/* F is the file; tfprof puts the step's number behind it. */
static const struct writing {
	const char *before;      /* the command up to the file's name */
	const char *path, *file;
} writings[] = {
	{ "ni -a loss/mse > ", DUMP, "F" },
	{ "lt -o json > ", DUMP, "F" },
	{ "ni -a loss/mse >> ", DUMP, "F" },
	{ "timeline -o ", PROFILE, "F" },
	{ "timeline --style modern -o ", PROFILE, "F" },
	{ "pprof -o ", PROFILE, "F" },
	{ "dot -o ", DUMP, "F" },
	{ "tfprof scope -max_depth 20 -output file:outfile=", PROFILE, "F" },
	{ "tfprof code -max_depth 100 -output pprof:outfile=", PROFILE, "F" },
	{ "tfprof graph -max_depth 100 -step 0 -output timeline:outfile=", PROFILE, "F_0" },
	{ "ev `linear/xw:0` -w ", DUMP, "F" },
	{ "pt linear/w:0 -w ", DUMP, "F" },
};
enum { N_WRITINGS = ROWS(writings) };

/*
 * The line of a shell has the program as $0, the command as $1 and its path as $2; what it prints
 * ends with the status.
 */
static void run_writing(const struct writing *w, const char *line, const char *target,
                        struct program_run *ran)
{
	struct str command = {0}, all = {0};

	str_fmt(&command, "%s%s%s", w->before, target ? target : dir, target ? "" : "/F");
	str_fmt(&all, "HOME='%s'; %s 2>&1 | cat", dir, line);
	program_run((const char *[]){ "sh", "-c", all.text, program_path(), command.text, w->path,
	                              NULL },
	            NULL, NULL, ran);
	str_release(&command);
	str_release(&all);
}

static char *in_dir(const char *name)
{
	struct str path = {0};

	str_fmt(&path, "%s/%s", dir, name);
	return path.text;
}

#define OLD "an old file\n"

static void expect_old(const char *name)
{
	char *path = in_dir(name);
	struct str got = {0};

	ck_assert(read_whole(path, &got));
	ck_assert_str_eq(str_text(&got), OLD);
	ck_assert_uint_eq(n_files(), 1);
	str_release(&got);
	free(path);
}

/* No byte more than there is. */
START_TEST(no_room_leaves_the_old_file)
{
	const struct writing *w = &writings[_i];
	struct program_run ran;
	struct str message = {0};

	dump_put(dir, w->file, OLD, strlen(OLD));
	run_writing(w, "(ulimit -f 0; \"$0\" -c \"$1\" \"$2\"; echo \"status $?\")", NULL, &ran);
	str_fmt(&message, "%s/%s: File too large\n", dir, w->file);
	ck_assert_msg(strstr(str_text(&ran.out), message.text), "%s%s", message.text,
	              str_text(&ran.out));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "\nstatus 1\n"));
	expect_old(w->file);
	str_release(&message);
	program_release(&ran);
}
END_TEST

START_TEST(a_place_that_is_none_is_named)
{
	struct program_run ran;
	char *nowhere = in_dir("no/such/F");
	struct str message = {0};

	run_writing(&writings[_i], "(\"$0\" -c \"$1\" \"$2\"; echo \"status $?\")", nowhere, &ran);
	str_fmt(&message, "%s%s: No such file or directory\n", nowhere, writings[_i].file + 1);
	ck_assert_msg(strstr(str_text(&ran.out), message.text), "%s%s", message.text,
	              str_text(&ran.out));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "\nstatus 1\n"));
	str_release(&message);
	program_release(&ran);
	free(nowhere);
}
END_TEST

/* A link that leads to a file whose permissions are its own: both stay. */
START_TEST(links_and_permissions_stay)
{
	const struct writing *w = &writings[_i];
	char *link_path = in_dir(w->file), *path = in_dir("real");
	struct program_run ran;
	struct str got = {0};
	struct stat st;

	dump_put(dir, "real", OLD, strlen(OLD));
	ck_assert_int_eq(chmod(path, 0604), 0);
	ck_assert_int_eq(symlink("real", link_path), 0);
	run_writing(w, "(\"$0\" -c \"$1\" \"$2\"; echo \"status $?\")", NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), "\nstatus 0\n"), "%s", str_text(&ran.out));
	ck_assert_int_eq(lstat(link_path, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(stat(link_path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0604);
	ck_assert(read_whole(path, &got));
	ck_assert_int_eq(!strncmp(str_text(&got), OLD, strlen(OLD)),
	                 strstr(w->before, ">>") != NULL);
	ck_assert_uint_gt(got.len, strlen(OLD));
	ck_assert_uint_eq(n_files(), 2);
	program_release(&ran);
	str_release(&got);
	free(link_path);
	free(path);
}
END_TEST

static const int devices[] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11
}; /* all that name the file as it is */

START_TEST(a_full_device_is_named)
{
	struct program_run ran;

	run_writing(&writings[devices[_i]], "(\"$0\" -c \"$1\" \"$2\"; echo \"status $?\")",
	            "/dev/full", &ran);
	ck_assert_msg(strstr(str_text(&ran.out), "/dev/full: No space left on device\n"), "%s",
	              str_text(&ran.out));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "\nstatus 1\n"));
	program_release(&ran);
}
END_TEST

/* The command up to the file's name. */
static const struct writing failures[] = {
	{ "lt -s nothing > ", DUMP, "F" },
	{ "lt -s nothing --format json > ", DUMP, "F" },
	{ "ni nothing >> ", DUMP, "F" },
	{ "lt --nothing > ", DUMP, "F" },
	{ "nothing > ", DUMP, "F" },
	{ "ev `nothing:0` > ", DUMP, "F" },
	{ "run 2 > ", DUMP, "F" },
	{ "overview --nothing --exit-code > ", DUMP, "F" },
	{ "filter add big max > ", DUMP, "F" },
	{ "filter add big 'max >' --session > ", DUMP, "F" },
	{ "pt nothing -w ", DUMP, "F" },
	{ "ev `nothing:0` -w ", DUMP, "F" },
	{ "dot nothing -o ", DUMP, "F" },
	{ "pprof -o ", DUMP, "F" },
	{ "timeline -o ", DUMP, "F" },
	{ "timeline --step 7 -o ", PROFILE, "F" },
	{ "tfprof scope -step 9 -output file:outfile=", PROFILE, "F" },
};

/* An old file stays, no file is made, and no answer says that one was written. */
START_TEST(a_failed_command_writes_nothing)
{
	const struct writing *w = &failures[_i / 2];
	struct program_run ran;

	if (_i % 2)
		dump_put(dir, "F", OLD, strlen(OLD));
	run_writing(w, "(\"$0\" -c \"$1\" \"$2\"; echo \"status $?\")", NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), "\nstatus 1\n") ||
	              strstr(str_text(&ran.out), "\nstatus 3\n"), "%s", str_text(&ran.out));
	ck_assert_msg(!strstr(ran.out.text, "Wrote"), "%s", ran.out.text);
	if (_i % 2)
		expect_old("F");
	else
		ck_assert_uint_eq(n_files(), 0);
	program_release(&ran);
}
END_TEST

/* An array that can't be read to its end any more, when half of the answer is written. */
START_TEST(half_an_answer_is_none)
{
	enum { N = 1 << 20 };
	static const char *const lines[] = {
		"pt big --format json > F", "pt big --format json >> F", "pt big --format csv > F",
	};
	char head[128] = "\x93NUMPY\1\0\x76", *dump = in_dir("big.npy");
	struct str array = {0};
	struct answer answer;
	struct shell *session;

	memset(head + 10, ' ', sizeof head - 10);
	head[9] = 0;
	memcpy(head + 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (1048576,), }", 63);
	head[127] = '\n';
	str_put(&array, head, sizeof head);
	str_fill(&array, 0, N * sizeof(float));
	dump_put(dir, "big.npy", array.text, array.len);
	dump_put(dir, "F", OLD, strlen(OLD));
	session = session_of(dump);
	ck_assert_int_eq(chdir(dir), 0);
	shell_run(session, lines[_i], 0, NULL, &answer);
	ck_assert_msg(!answer.failed, "%s", str_text(&answer.error));
	ck_assert_int_eq(truncate(dump, 4096), 0);
	answer_send(&answer, lines[_i], DOC_TEXT, PIPE_PRINTS, NULL);
	ck_assert(answer.failed);
	ck_assert_msg(!strncmp(str_text(&answer.toast), "Failed to write output to F", 27), "%s",
	              answer.toast.text);
	ck_assert_int_eq(unlink(dump), 0);
	answer_release(&answer);
	shell_free(session);
	expect_old("F");
	str_release(&array);
	free(dump);
}
END_TEST

/* The expression of a filter has no redirect: no file 50, and a filter that compares. */
START_TEST(an_expression_is_no_redirect)
{
	struct program_run ran;

	shell("cp -r " DUMP " $W/dump; cd $W; echo old >50; $T -c 'filter add big max > 50' "
	      "-c 'filter show big' -c 'filter add s max > 5 --save' dump; cat 50; "
	      "$T -c 'filter show s' dump; echo \"status $?\"", &ran);
	ck_assert_str_eq(str_text(&ran.out),
	                 "Filter \"big\": max > 50  (this session; --save keeps it)\n"
	                 "Filter \"big\": max > 50\nFilter \"s\": max > 5\nold\n"
	                 "Filter \"s\": max > 5\nstatus 0\n");
	program_release(&ran);
}
END_TEST

SUITE_MAIN("output",
	tcase_add_loop_test(t, a_failed_command_writes_nothing, 0, 2 * ROWS(failures));
	tcase_add_test(t, an_expression_is_no_redirect);
	tcase_add_loop_test(t, half_an_answer_is_none, 0, 3);
	tcase_add_checked_fixture(t, make_dir, remove_dir);
	tcase_add_loop_test(t, lost_output_is_told, 0, ROWS(outputs));
	tcase_add_test(t, a_closed_pipe_is_silent);
	tcase_add_loop_test(t, a_failed_command_starts_no_program, 0, ROWS(piped));
	tcase_add_loop_test(t, messages_stand_beside_typed_answers, 0, 3);
	tcase_add_test(t, comments_are_no_commands);
	tcase_add_loop_test(t, no_room_leaves_the_old_file, 0, N_WRITINGS);
	tcase_add_loop_test(t, a_place_that_is_none_is_named, 0, N_WRITINGS);
	tcase_add_loop_test(t, links_and_permissions_stay, 0, N_WRITINGS);
	tcase_add_loop_test(t, a_full_device_is_named, 0, ROWS(devices));
)
