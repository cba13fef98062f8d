/* What a terminal sends becomes keys: every form of a key, and what is cut, odd or unknown. */
#include "tests/suite.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "dump/base/str.h"
#include "tests/on_screen.h"

#define TO_VIEW "\x18o"

/* linear: a head of 3 rows and 41 tensors, of which the first one is row 1. */
static struct terminal *started(void)
{
	struct terminal *t = start_in("testdata", (const char *const[]){ "linear", NULL }, NULL, 24,
	                              80);

	ck_assert(terminal_wait_row(t, 3, "41 dumped tensor(s):"));
	ck_assert(terminal_wait_cursor(t, 22, 7));
	return t;
}

/* In the view, each in one write, with what its last row says then. */
static const struct { const char *keys, *says; } keys[] = {
	{ "\033[B\033OB\033[B", "row 4/41" },
	{ "\033[B\033OB\033[A\033OA", "row 1/41" },
	{ "\033[F", "row 41/41" }, { "\033OF", "row 41/41" }, { "\033[4~", "row 41/41" },
	{ "G\033[H", "row 1/41" }, { "G\033OH", "row 1/41" }, { "G\033[1~", "row 1/41" },
	{ "G\033[5~", "row 25/41" }, { "\033[6~", "row 16/41" },
	/* A sequence that nobody knows is one key, and what follows it is not. */
	{ "\033[9;9Gj", "row 2/41" }, { "\033[<;;;j", "row 1/41" },
	{ "\033[9;9;9;9;9;9;9;9;9;9;9;9;9;9;9;9;9;9;9;9;5jj", "row 2/41" },
	/* It ends before what can be none of its bytes. */
	{ "\033[9;9\033[B", "row 2/41" }, { "\033[9;9\033j", "row 2/41" },
	{ "\033[9;9\005j", "row 2/41" },
	/* A report of the mouse that is cut by a key. */
	{ "\033[<9;9\033[B", "row 2/41" },
	/* Cut after its first bytes by another key that is known. */
	{ "\033\033[B", "row 2/41" },
};

START_TEST(keys_have_many_forms)
{
	struct terminal *t = started();

	terminal_type(t, TO_VIEW "jg");
	ck_assert(terminal_wait_row(t, 21, "row 1/41"));
	terminal_type(t, keys[_i].keys);
	ck_assert_msg(terminal_wait_row(t, 21, keys[_i].says), "%s", keys[_i].says);
	leave_by_key(t);
}
END_TEST

/* With the mouse on: what it reports that means nothing here, and a key at once behind it. */
static const char *const ignored[] = {
	"\033[<1;9;9M", "\033[<1;9;9m", "\033[<2;9;9M\033[<2;9;9m",
	"\033[<1;9;9M\033[<1;9;9m\033[<1;9;9M\033[<1;9;9m", "\033[<33;9;9M", "\033[<66;9;9M",
};

START_TEST(no_key_is_lost_behind_the_mouse)
{
	struct terminal *t = started();
	struct str text = {0};

	terminal_type(t, TO_VIEW "jgM");
	ck_assert(terminal_wait_text(t, "Mouse mode: on"));
	terminal_type(t, "g"); /* without a message nothing but keys wakes the program */
	ck_assert(terminal_wait_gone(t, "Mouse mode: on"));
	str_fmt(&text, "%sj", ignored[_i]);
	terminal_type(t, text.text);
	ck_assert(terminal_wait_row(t, 21, "row 2/41"));
	str_release(&text);
	leave_by_key(t);
}
END_TEST

/* At the prompt: what its line is then, and where its cursor. */
static const struct { const char *bytes, *line; int col; } typed[] = {
	{ "abc\033[D\033OD", "tfdbg> abc", 8 },
	{ "abc\033[D\033[Dx\033[C\033OCy", "tfdbg> axbcy", 12 },
	{ "abc\033[D\033[D\033[3~", "tfdbg> ac", 8 }, { "abc\bd", "tfdbg> abd", 10 },
	{ "abc\177d", "tfdbg> abd", 10 }, { "ab cd\033\177x", "tfdbg> ab x", 11 },
	{ "ab cd\033[1;5Dx", "tfdbg> ab xcd", 11 },
	{ "\xc3\xa4\xe2\x82\xac" "x", "tfdbg> \xc3\xa4\xe2\x82\xac" "x", 10 },
	/* A paste: line ends and controls become blanks, keys are left out, nothing is run. */
	{ "\033[200~a\rb\tc\001d\033[201~e", "tfdbg> a b c de", 15 },
	{ "\033[200~a\033[Ab\033[201~c", "tfdbg> abc", 10 },
	{ "\033[200~\033[201~c", "tfdbg> c", 8 },
	/* The end of a paste that did not begin. */
	{ "a\033[201~b", "tfdbg> ab", 9 },
};

static bool line_is(struct terminal *t, const void *ctx)
{
	const char *line = ctx;

	return !strcmp(terminal_row(t, 22), line);
}

START_TEST(lines_are_typed)
{
	struct terminal *t = started();

	terminal_type(t, typed[_i].bytes);
	ck_assert_msg(terminal_wait(t, line_is, typed[_i].line), "%s", typed[_i].line);
	ck_assert(terminal_wait_cursor(t, 22, typed[_i].col));
	ck_assert(terminal_wait_row(t, 1, "| lt"));
	leave_by_key(t);
}
END_TEST

/* A paste whose end never comes is what came of it, and the keys after the pause are keys. */
START_TEST(a_paste_without_an_end_ends)
{
	struct terminal *t = started();

	PLAY(t, { "\033[200~lt -s op", 22, "tfdbg> lt -s op" },
	     { "_type\r", 1, "| lt -s op_type" });
	leave_by_key(t);
}
END_TEST

/* A mouse report that is cut short takes no key with it, and no signal waits for its rest. */
START_TEST(a_report_without_an_end_ends)
{
	struct terminal *t = started();
	int status;

	terminal_type(t, "lt -s op\033[<0;5\x05_type\r");
	ck_assert(terminal_wait_row(t, 1, "| lt -s op_type"));
	terminal_type(t, "\033[<0;5");
	terminal_signal(t, SIGWINCH);
	terminal_signal(t, SIGTERM);
	ck_assert(terminal_wait_end(t, &status));
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	terminal_free(t);
}
END_TEST

SUITE_MAIN("input",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, no_key_is_lost_behind_the_mouse, 0, ROWS(ignored));
	tcase_add_loop_test(t, keys_have_many_forms, 0, ROWS(keys));
	tcase_add_loop_test(t, lines_are_typed, 0, ROWS(typed));
	tcase_add_test(t, a_paste_without_an_end_ends);
	tcase_add_test(t, a_report_without_an_end_ends);
)
