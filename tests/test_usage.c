/*
 * The command line: what is said when it is wrong, and how the program begins without a screen.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/program.h"
#include "tests/suite.h"
#include "tests/terminal.h"

#define HELP "Try 'tensordbg --help'.\n"

/*
 * Words after the program's name; what one of the outputs begins with, and the whole of the other.
 */
static const struct {
	const char *words[5];
	int status;
	const char *out, *err;
} lines[] = {
	{ { "-h" }, 0, "Usage: tensordbg ", NULL },
	{ { "-V" }, 0, "tensordbg ", NULL },
	{ { "--recorder", "list" }, 0, "Name       Needs ", NULL },
	{ { "--recorder=list", "--format=csv" }, 0, "name,needs,slower,records\nsession,", NULL },
	{ { "--recorder=list", "--format=json" },
	  0,
	  "{\"command\":\"--recorder list\",\"ok\":true,",
	  NULL },
	{ { "--recorder=v2" }, 0, "\"\"\"Records TensorFlow 2", NULL },
	{ { "--recorder=Sesion" },
	  2,
	  NULL,
	  "tensordbg: --recorder=Sesion: did you mean session?\n" },
	{ { "--recorder=lamp" },
	  2,
	  NULL,
	  "tensordbg: --recorder=lamp: there is no such recorder; --recorder list names them\n" },
	{ { "here", "lt" }, 2, NULL, "tensordbg: commands go with -c: tensordbg -c lt here\n" },
	{ { "here", "pt", "a b:0" },
	  2,
	  NULL,
	  "tensordbg: commands go with -c: tensordbg -c 'pt a b:0' here\n" },
	{ { "lt", "here" }, 2, NULL, "tensordbg: commands go with -c: tensordbg -c lt here\n" },
	{ { "lt" }, 2, NULL, "tensordbg: commands go with -c: tensordbg -c lt\n" },
	{ { "here", "there" }, 2, NULL, "tensordbg: one PATH at a time: there\n" },
	{ { "-c", "help runs" }, 0, "runs\n", NULL },
	{ { "-c", "version" }, 0, "tensordbg version: ", NULL },
	{ { "-c", " ver ", "-c", "h pt" }, 0, "tensordbg version: ", NULL },
	{ { "-c", "config show" }, 0, "Command-line configuration:", NULL },
	{ { "-c", "version", "-c", "lt" }, 2, NULL, "tensordbg: .: no TensorFlow dump here: " },
	{ { "-c", "version", "here" }, 3, NULL, "tensordbg: here: no TensorFlow dump here: " },
	{ { NULL }, 2, NULL, "tensordbg: .: no TensorFlow dump here: " },
};

static bool begins(const struct str *text, const char *with)
{
	return with ? !strncmp(str_text(text), with, strlen(with)) : !text->len;
}

START_TEST(lines_are_told_what_is_wrong)
{
	const char *argv[8] = { program_path() };
	char *dir = scratch_new(), here[4096];
	struct program_run ran;

	snprintf(here, sizeof here, "%s/here", dir);
	ck_assert_int_eq(mkdir(here, 0700), 0);
	for (int i = 0; i < 5; i++)
		argv[i + 1] = lines[_i].words[i];
	program_run(argv, dir, NULL, &ran);
	ck_assert_int_eq(ran.status, lines[_i].status);
	ck_assert_msg(begins(&ran.out, lines[_i].out), "%s", str_text(&ran.out));
	ck_assert_msg(begins(&ran.err, lines[_i].err), "%s", str_text(&ran.err));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* After these: where help is. */
static const char *const unknown[] = { "-Q", "--no-such-option", "-c", NULL };

/* A directory with nothing to open: how there would be something. */
static const char *const empty_paths[] = { ".", NULL };

START_TEST(who_has_nothing_is_told_how_to_record)
{
	const char *argv[] = { program_path(), empty_paths[_i], NULL };
	char *dir = scratch_new();
	struct program_run ran;

	program_run(argv, dir, NULL, &ran);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.err), "'tensordbg --recorder list'"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

START_TEST(who_errs_is_told_where_help_is)
{
	const char *argv[] = { program_path(), unknown[_i], NULL };
	char *dir = scratch_new();
	struct program_run ran;

	program_run(argv, dir, NULL, &ran);
	ck_assert_int_eq(ran.status, 2);
	ck_assert_msg(ran.err.len > strlen(HELP)
	                      && !strcmp(ran.err.text + ran.err.len - strlen(HELP), HELP),
	              "%s", str_text(&ran.err));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

static struct terminal *start(const char *const *argv, const char *term, const char *home)
{
	static char set[4200];
	struct terminal *t;

	snprintf(set, sizeof set, "HOME=%s", home);
	t = terminal_start(argv,
	                   (const char *const[]){ set, term, "XDG_STATE_HOME", "XDG_CONFIG_HOME",
	                                          "INPUTRC=/dev/null", NULL },
	                   NULL, 24, 80);
	ck_assert_ptr_nonnull(t);
	return t;
}

/* A terminal to type at, but not to see an answer on: nobody is waited for. */
START_TEST(into_a_pipe_the_first_answer_is_all)
{
	char *home = scratch_new(), line[8192];
	const char *argv[] = { "/bin/sh", "-c", line, NULL };
	struct terminal *t;
	int status;

	snprintf(line, sizeof line, "'%s' testdata/linear | grep -c w:0", program_path());
	t = start(argv, "TERM=xterm", home);
	ck_assert(terminal_wait_row(t, 0, "2"));
	ck_assert(terminal_wait_end(t, &status));
	ck_assert_int_eq(status, 0);
	terminal_free(t);
	scratch_remove(home);
}
END_TEST

/* A terminal that is only written to, and what there is: how much, in one line. */
static const struct { const char *path, *line; } counts[] = {
	{ "testdata/linear", "41 dumped tensors (9.42k): \"lt\" lists them" },
	{ "testdata/session", "2 runs: \"runs\" lists them, \"run\" goes to the first" },
	{ "testdata/profile", " places below: \"runs\" lists them" },
};

START_TEST(a_dumb_terminal_gets_no_more_than_counts)
{
	const char *argv[] = { program_path(), counts[_i].path, NULL };
	char *home = scratch_new();
	struct terminal *t = start(argv, "TERM=dumb", home);
	int status;

	ck_assert(terminal_wait_text(t, counts[_i].line));
	ck_assert(terminal_wait_text(t, "tfdbg>"));
	terminal_enter(t, "exit");
	ck_assert(terminal_wait_end(t, &status));
	ck_assert_int_eq(status, 0);
	terminal_free(t);
	scratch_remove(home);
}
END_TEST

SUITE_MAIN("usage",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_loop_test(t, lines_are_told_what_is_wrong, 0, ROWS(lines));
	tcase_add_loop_test(t, who_has_nothing_is_told_how_to_record, 0, ROWS(empty_paths));
	tcase_add_loop_test(t, who_errs_is_told_where_help_is, 0, ROWS(unknown) - 1);
	tcase_add_test(t, into_a_pipe_the_first_answer_is_all);
	tcase_add_loop_test(t, a_dumb_terminal_gets_no_more_than_counts, 0, ROWS(counts));)
