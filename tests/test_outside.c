/* !COMMAND: a program of the user's on our terminal, and how we come back from it. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

#define MODERN "SHELL=/bin/sh LC_ALL=C.UTF-8 --screen=modern "
#define BACK "any key leads back]"

static const struct session sessions[] = {
	{ "a program, and back", 24, 80, MODERN "mnist_nan",
	  { { "jjG", 21, "row 301/301  100 %" }, { "!", 22, ": !" },
	    { "echo $((111 * 111)) here\r", ANYWHERE, "12321 here" }, { "", ANYWHERE, "[" BACK },
	    { "", ANYWHERE, "!echo $((111 * 111)) here" }, { "x", 21, "row 301/301  100 %" },
	    { "", 23, "? keys" }, { "", GONE, "12321 here" }, { "k", 21, "row 300/301" } } },
	{ "keys that are sequences lead back too", 24, 80, MODERN "mnist_nan",
	  { { "!true\r", ANYWHERE, "[" BACK }, { "<Up>", 21, "row 1/301" },
	    { "j", 21, "row 2/301" } } },
	{ "what is not 0 is told", 24, 80, MODERN "mnist_nan",
	  { { "!exit 3\r", ANYWHERE, "[exit status 3; " BACK },
	    { "x", 21, "ERROR: !exit 3: exit status 3" }, { "j", 21, "row 2/301" },
	    { "!kill -KILL $$\r", ANYWHERE, "[Killed; " BACK },
	    { "x", 21, "ERROR: !kill -KILL $$: Killed" } } },
	{ "Ctrl-C is the program's", 24, 80, MODERN "mnist_nan",
	  { { "!echo $((111 * 111)); exec sleep 1000\r", ANYWHERE, "12321" },
	    { "<Ctrl-C>", ANYWHERE, "[Interrupt; " BACK },
	    { "<Ctrl-C>", 21, "Interrupt" }, { "j", 21, "row 2/301" } } },
	{ "Ctrl-Z without a shell to go to", 24, 80, MODERN "mnist_nan",
	  { { "!echo $((111 * 111)); read x; echo it was $x\r", ANYWHERE, "12321" },
	    { "\x1aon\r", ANYWHERE, "it was on" },
	    { "", ANYWHERE, "[" BACK }, { "x", 21, "row 1/301" } } },
	{ "another size meanwhile", 24, 80, MODERN "mnist_nan",
	  { { "!echo $((111 * 111)); read x; stty size\r", ANYWHERE, "12321" },
	    { "<Resize(100x30)>\r", ANYWHERE, "30 100" },
	    { "", ANYWHERE, "[" BACK },
	    { "x", 27, "row 1/301" }, { "", 29, "? keys" } } },
	{ "another size while a key is waited for", 24, 80, MODERN "mnist_nan",
	  { { "!true\r", ANYWHERE, "[" BACK }, { "<Resize(100x30)>x", 27, "row 1/301" } } },
	{ "a terminal left as it should not be", 24, 80, MODERN "mnist_nan",
	  { { "!stty -echo raw; exit 1\r", ANYWHERE, "[exit status 1; " BACK },
	    { "x", 21, "exit status 1" }, { "!stty -a\r", ANYWHERE, " echo " },
	    { "", ANYWHERE, "[" BACK }, { "x", 21, "row 1/301" } } },
	{ "the shell itself", 24, 80, MODERN "PS1=there> mnist_nan",
	  { { "j", 21, "row 2/301" }, { "!\r", ANYWHERE, "there>" },
	    { "echo $((111 * 111))\r", ANYWHERE, "12321" }, { "exit 3\r", 21, "row 2/301" },
	    { "", 23, "? keys" } } },
	{ "from the prompt", 24, 80, MODERN "mnist_nan",
	  { { ":!echo $((111 * 111))\r", ANYWHERE, "12321" },
	    { "", ANYWHERE, "[" BACK }, { "x", 21, "row 1/301" },
	    { ":<Up>", 22, ": !echo $((111 * 111))" } } },
	{ "by an alias", 24, 80, MODERN "mnist_nan",
	  { { ":alias times !echo $((111 * 111))\r", 2, "times" },
	    { ":times and\r", ANYWHERE, "12321 and" },
	    { "", ANYWHERE, "[" BACK }, { "x", 2, "times" } } },
	{ "in tfdbg's style", 24, 80, "SHELL=/bin/sh mnist_nan",
	  { { "!echo $((111 * 111))\r", ANYWHERE, "12321" },
	    { "", ANYWHERE, "[" BACK }, { "x", 3, "dumped tensor(s):" },
	    { "", 22, "tfdbg>" }, { "<Esc>", 21, "row " },
	    { "!", 22, "tfdbg> !" } } },
	{ "a shell that is none", 24, 80,
	  "SHELL=/no/shell LC_ALL=C.UTF-8 --screen=modern mnist_nan",
	  { { "!echo $((111 * 111))\r", ANYWHERE, "12321" },
	    { "", ANYWHERE, "[" BACK }, { "x", 21, "row 1/301" } } },
};

START_TEST(goes_out_and_back)
{
	play_session(&sessions[_i]);
}
END_TEST

/* What a bound key puts into a line is one word to the shell, or the line isn't run. */
START_TEST(names_are_words_to_the_shell)
{
	static const char odd[] =
		SMALL_DEVICE "/linear/a$(touch it)_0_DebugIdentity_1795219542612000";
	struct small_dump dump;
	struct str path = {0};
	struct terminal *t;

	small_dump_make(&dump);
	dump_put(dump.dir, odd, dump.part[0].bytes.text, dump.part[0].bytes.len);
	t = start_in(dump.dir, (const char *[]){ "--screen=modern", ".", NULL },
	             (const char *[]){ "SHELL=/bin/sh", NULL }, 24, 80);
	PLAY(t, { "", 21, "1 problem(s) in the dump" },
	     { ":bind view X !printf '<%%s>' %t\r", 21, "Bound" },
	     { ":bind view Y lt | printf '<%%s>' %t\r", 21, "Bound" },
	     { ":alias say !echo\r", 2, "Alias" }, { ":bind view Z say %t\r", 21, "Bound" },
	     { "q", 21, "row 1/5" }, { "X", 21, "A shell would not read this row's name" },
	     { "j", 21, "row 2/5" }, { "kY", 21, "A shell would not read" },
	     { "j", 21, "row 2/5" }, { "kZ", 21, "A shell would not read" },
	     { "jX", ANYWHERE, "<linear/" }, { "", ANYWHERE, "[" BACK },
	     { "x", 21, "row 2/5" }, { "Y", 2, "<linear/" });
	leave_by_key(t);
	str_fmt(&path, "%s/it", dump.dir);
	ck_assert_int_ne(access(path.text, F_OK), 0);
	str_release(&path);
	small_dump_remove(&dump);
}
END_TEST

/* What runs in the background gets nothing of the keys, and its answer comes all the same. */
START_TEST(a_job_goes_on)
{
	struct str fifo = {0}, line = {0};
	struct terminal *t;

	str_fmt(&fifo, "%s/fifo", home);
	ck_assert_int_eq(mkfifo(fifo.text, 0600), 0);
	t = start_in("testdata", (const char *[]){ "--screen=modern", "mnist_nan", NULL },
	             (const char *[]){ "SHELL=/bin/sh", NULL }, 24, 80);
	PLAY(t, { "", 21, "row 1/301" });
	str_fmt(&line, ":lt | cat %s\r", fifo.text);
	terminal_type(t, line.text);
	PLAY(t, { "", 21, "Ctrl-C stops" },
	     { "!echo $((111 * 111)); exec sleep 1000\r", ANYWHERE, "12321" },
	     { "<Ctrl-C>", ANYWHERE, "[Interrupt; " BACK }, { "x", 21, "Interrupt" });
	str_reset(&line);
	str_fmt(&line, "!echo the job went on > %s\r", fifo.text);
	terminal_type(t, line.text);
	PLAY(t, { "", ANYWHERE, "[" BACK }, { "x", 2, "the job went on" });
	leave_by_key(t);
	str_release(&fifo);
	str_release(&line);
}
END_TEST

/* Started by a shell, both stop, and both go on. */
START_TEST(stops_with_the_program)
{
	const char *argv[] = { "/bin/sh", "-i", NULL };
	struct str line = {0}, set = {0};
	struct terminal *t;

	str_fmt(&set, "HOME=%s", home);
	t = terminal_start(argv, (const char *[]){ set.text, "PS1=there> ", "SHELL=/bin/sh",
	                                           "XDG_STATE_HOME", "XDG_CONFIG_HOME", NULL },
	                   "testdata", 24, 100);
	ck_assert_ptr_nonnull(t);
	str_fmt(&line, "%s --screen=modern mnist_nan\r", program_path());
	PLAY(t, { "", ANYWHERE, "there>" });
	terminal_type(t, line.text);
	PLAY(t, { "", 21, "row 1/301" },
	     { "!echo $((111 * 111)); read x; echo it was $x\r", ANYWHERE, "12321" },
	     { "\x1a", ANYWHERE, "Stopped" }, { "echo $((222 * 222))\r", ANYWHERE, "49284" },
	     { "fg; echo $((333 * 333))\ron\r", ANYWHERE, "it was on" }, { "", ANYWHERE, "[" BACK },
	     { "x", 21, "row 1/301" }, { "j", 21, "row 2/301" },
	     { "q", 21, "Leave" }, { "y", ANYWHERE, "110889" });
	terminal_type(t, "exit\r");
	ck_assert(terminal_wait_end(t, NULL));
	terminal_free(t);
	str_release(&line);
	str_release(&set);
}
END_TEST

START_TEST(at_the_plain_prompt)
{
	const char *args[] = { "--ui=line", "mnist_nan", NULL };
	struct terminal *t = start_in("testdata", args,
	                              (const char *[]){ "SHELL=/bin/sh", NULL }, 24, 80);

	PLAY(t, { "", ANYWHERE, "tfdbg>" }, { "!echo $((111 * 111))\r", ANYWHERE, "12321" },
	     { "!exit 3\r", ANYWHERE, "ERROR: !exit 3: exit status 3" },
	     { "!echo $((222 * 222)); exec sleep 1000\r", ANYWHERE, "49284" },
	     { "<Ctrl-C>", ANYWHERE, "exec sleep 1000: Interrupt" },
	     { "alias times !echo $((333 * 333))\r", ANYWHERE, "Alias" },
	     { "times\r", ANYWHERE, "110889" }, { "exit\r", ANYWHERE, "exit" });
	ck_assert(terminal_wait_end(t, NULL));
	ck_assert(terminal_settings_kept(t));
	terminal_free(t);
}
END_TEST

/* Lines that nobody types start nothing. */
START_TEST(not_from_a_script)
{
	static const char refused[] =
		"!COMMAND starts a program only where it is typed, at a prompt; not here\n";
	const char *argv[] = { program_path(), "-c", " !touch it", NULL, NULL };
	struct program_run ran;
	struct str dump = {0}, path = {0};
	char cwd[4096];

	ck_assert_ptr_nonnull(getcwd(cwd, sizeof cwd));
	str_fmt(&dump, "%s/testdata/linear", cwd);
	argv[3] = dump.text;
	program_run(argv, home, NULL, &ran);
	ck_assert_int_eq(ran.status, 1);
	ck_assert_str_eq(str_text(&ran.out), refused);
	program_release(&ran);
	program_run((const char *[]){ argv[0], dump.text, NULL }, home, "!touch it\n", &ran);
	ck_assert_int_eq(ran.status, 1);
	ck_assert_str_eq(str_text(&ran.out), refused);
	program_release(&ran);
	str_fmt(&path, "%s/it", home);
	ck_assert_int_ne(access(path.text, F_OK), 0);
	str_release(&dump);
	str_release(&path);
}
END_TEST

SUITE_MAIN("outside",
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, goes_out_and_back, 0, ROWS(sessions));
	tcase_add_test(t, names_are_words_to_the_shell);
	tcase_add_test(t, a_job_goes_on);
	tcase_add_test(t, stops_with_the_program);
	tcase_add_test(t, at_the_plain_prompt);
	tcase_add_test(t, not_from_a_script);)
