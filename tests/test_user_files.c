/* Files of the user's that are no files: nothing waits for them, and that is told. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

/* What lies in the file's place: a link to this; NULL: a FIFO. */
static const struct { const char *leads_to; bool is_told; } odd[] = {
	{ NULL, true }, { "/dev/zero", true }, { "/", true }, { "/dev/null", false },
	{ "/no/such/file", false },
};

static void put_odd(const char *name, int i)
{
	struct str path = {0}, dir = {0};

	str_fmt(&dir, "%s/tensordbg/", name);
	dump_put(home, dir.text, "", 0);
	str_fmt(&path, "%s/%s%s", home, dir.text,
	        strstr(name, "state") ? "history" : "config");
	if (odd[i].leads_to)
		ck_assert_int_eq(symlink(odd[i].leads_to, path.text), 0);
	else
		ck_assert_int_eq(mkfifo(path.text, 0600), 0);
	str_release(&path);
	str_release(&dir);
}

/* The program in batch mode, where the settings are in the home. */
static void run_at_home(const char *line, struct program_run *ran)
{
	struct str dump = {0};
	char cwd[4096];

	ck_assert_ptr_nonnull(getcwd(cwd, sizeof cwd));
	unsetenv("XDG_CONFIG_HOME");
	str_fmt(&dump, "%s/testdata/linear", cwd);
	program_run((const char *[]){ program_path(), "-c", line, dump.text, NULL }, home, NULL,
	            ran);
	str_release(&dump);
}

START_TEST(settings_in_batch_mode)
{
	struct program_run ran;

	put_odd(".config", _i);
	run_at_home("config get wrap", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "True"));
	ck_assert_msg((strstr(str_text(&ran.err), "; the defaults apply") != NULL) ==
	              odd[_i].is_told, "%s", str_text(&ran.err));
	program_release(&ran);
}
END_TEST

/* What is no file is not made one. */
START_TEST(nothing_is_saved_there)
{
	struct program_run ran;
	struct str path = {0};
	struct stat st;

	put_odd(".config", 0);
	run_at_home("config set wrap off", &ran);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "not a regular file"));
	program_release(&ran);
	str_fmt(&path, "%s/.config/tensordbg/config", home);
	ck_assert_int_eq(lstat(path.text, &st), 0);
	ck_assert(S_ISFIFO(st.st_mode));
	str_release(&path);
}
END_TEST

START_TEST(settings_on_a_screen)
{
	struct terminal *t;

	put_odd("config", _i);
	t = start_mnist(24, 160);
	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	if (odd[_i].is_told)
		ck_assert(terminal_wait_text(t, "; the defaults apply"));
	leave_by_exit(t);
}
END_TEST

START_TEST(history_on_a_screen)
{
	struct terminal *t;

	put_odd("state", _i);
	t = mnist_started(24, 160);
	PLAY(t, { "ni softmax\r", ANYWHERE, "Node softmax" },
	     { "messages\r", 2, odd[_i].is_told ? "1 message(s):" : "0 message(s):" });
	if (odd[_i].is_told)
		PLAY(t, { "", ANYWHERE, "; no history is kept" });
	PLAY(t, { "ni<Up>", 22, "tfdbg> ni softmax" }, { "<Ctrl-C>", GONE, "> ni" });
	leave_by_exit(t);
}
END_TEST

START_TEST(history_at_the_plain_prompt)
{
	struct terminal *t;

	put_odd("state", _i);
	t = start_in("testdata", (const char *[]){ "--ui=line", "mnist_nan", NULL }, NULL, 24, 80);
	PLAY(t, { "", ANYWHERE, "tfdbg>" }, { "ni softmax\r", ANYWHERE, "Node softmax" },
	     { "exit\r", ANYWHERE, "exit" });
	ck_assert(terminal_wait_end(t, NULL));
	terminal_free(t);
}
END_TEST

SUITE_MAIN("user_files",
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, settings_in_batch_mode, 0, ROWS(odd));
	tcase_add_test(t, nothing_is_saved_there);
	tcase_add_loop_test(t, settings_on_a_screen, 0, ROWS(odd));
	tcase_add_loop_test(t, history_on_a_screen, 0, ROWS(odd));
	tcase_add_loop_test(t, history_at_the_plain_prompt, 0, ROWS(odd));)
