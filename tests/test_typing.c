/*
 * What is typed at the prompt and around it: Esc and what comes with it, the history under
 * readline.
 */
#include "tests/on_screen.h"

#include <string.h>

#include <readline/readline.h>

#include "tests/suite.h"
#include "tui/prompt.h"

static struct terminal *started(const char *const *env)
{
	struct terminal *t = start_in("testdata", (const char *const[]){ "mnist_nan", NULL }, env,
	                              24, 80);

	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	ck_assert(terminal_wait_cursor(t, 22, 7));
	return t;
}

static void leave(struct terminal *t)
{
	terminal_type(t, "\x03\x03");
	leave_by_exit(t);
}

/*
 * Esc and a key in one read are Esc, then that key; Alt and a letter that the line editor knows
 * are its.
 */
static const struct { const char *line, *keys; int row, col; const char *shows; } together[] = {
	{ "", "\033j", 7, 0, "row 1/301" },      /* which has two lines */
	{ "", "\033G", 20, 0, "row 301/301" },
	{ "", "\033/", 22, 8, "tfdbg> /" },
	{ "", "\033O", 6, 0, "ERROR:" },
	{ "", "\033\033", 22, 7, "tfdbg>" },
	{ "lt -r", "\033x", 6, 0, "No key \"x\" here." },
	{ "abc def", "\033b", 22, 11, "tfdbg> abc def" },
	{ "abc def", "\033B", 22, 11, "tfdbg> abc def" },
	{ "abc def", "\033\177", 22, 11, "tfdbg> abc" },
	{ "abc def", "\033[D", 22, 13, "tfdbg> abc def" },
	{ "abc def", "\033[1;3D", 22, 11, "tfdbg> abc def" },
};

START_TEST(escape_and_a_key_together)
{
	struct terminal *t = started(NULL);

	terminal_type(t, together[_i].line);
	ck_assert(terminal_wait_cursor(t, 22, 7 + (int)strlen(together[_i].line)));
	terminal_type(t, together[_i].keys);
	ck_assert(terminal_wait_text(t, together[_i].shows));
	ck_assert(terminal_wait_cursor(t, together[_i].row, together[_i].col));
	terminal_free(t);
}
END_TEST

/* From the prompt to the view, where Enter opens the first row; readline's mode is as it was. */
static const char *const enters[] = { "\033\r", "\033\n" };

START_TEST(escape_and_enter_change_no_mode)
{
	struct terminal *t = started(NULL);

	terminal_type(t, enters[_i]);
	PLAY(t, { "", 3, "Tensor \"hidden/weights/summaries/range/start:0" },
	     { ":lt -r", 22, "tfdbg> lt -r" }, { "<Esc>", 21, "h keys" },
	     { "x", ANYWHERE, "No key \"x\" here." }, { "", 22, "tfdbg> lt -r" });
	terminal_type(t, ":");
	leave(t);
}
END_TEST

START_TEST(history_of_this_session)
{
	struct terminal *t = started(NULL);

	PLAY(t, { "version\r", 1, "| version" }, { "lt -r\r", 1, "| lt -r" },
	     { "half\x12ver", 22, "(reverse-i-search)`ver': version" },
	     { "\x07", 22, "tfdbg> half" }, /* given up */
	     { "\x10\x10", 22, "tfdbg> version" }, { "\x0e\x0e", 22, "tfdbg> half" },
	     { "\x15\033.", 22, "tfdbg> -r" }); /* the last word of the last line */
	leave(t);
}
END_TEST

/* Each of these ended the program. */
static const char *const deadly[] = { "\x13\x18t", "\x12" "a\x10\x18k", "\x12\x12\x12\x13\x15" };

START_TEST(searches_end_well)
{
	struct terminal *t = started(NULL);

	terminal_enter(t, "lt -r");
	ck_assert(terminal_wait_row(t, 1, "| lt -r"));
	terminal_type(t, deadly[_i]);
	terminal_type(t, "\x03\x15" "abc");
	ck_assert(terminal_wait_row(t, 22, "tfdbg> abc"));
	leave(t);
}
END_TEST

/* readline has counts of up to a million, and inserts that often. */
static const struct { const char *keys; size_t len; } counts[] = {
	{ "\0337x", 7 }, { "\0331234567x", 1000 }, { "\033-\033999999x", 0 },
	{ "\025\025\025\025\025\025\025\025x", 1000 },
};

START_TEST(a_count_has_a_bound)
{
	struct history history = {0};
	struct str line = {0};

	prompt_start(&history);
	rl_parse_and_bind((char[]){ "Control-u: universal-argument" });
	for (const char *key = counts[_i].keys; *key; key++)
		prompt_feed(key, 1, &line);
	ck_assert_uint_eq(strlen(prompt_text()), counts[_i].len);
	prompt_stop();
}
END_TEST

/* readline's vi mode never ends at a part of a character: it may not be in the line. */
static const struct { const char *keys, *shows; } broken[] = {
	{ "\xe6\x97\033\a0w", "??" }, { "a\xe6\x97\033\aw", "a??" }, { "\033\akw", "lt a??" },
	{ "\xe6\x97\xa5\033\a0w", "???" },         /* its bytes come as three keys */
};

START_TEST(no_part_of_a_character)
{
	struct history history = {0};
	struct str line = {0};

	history_add(&history, "lt a\xe6\x97");
	prompt_start(&history);
	rl_parse_and_bind((char[]){ "set editing-mode vi" });
	for (const char *key = broken[_i].keys; *key; key++)
		prompt_feed(key, 1, &line);
	ck_assert_str_eq(prompt_text(), broken[_i].shows);
	prompt_set("\xe6\x97");
	prompt_insert("\xe6\x97\xa5\xe6", 4);
	ck_assert_str_eq(prompt_text(), "??\xe6\x97\xa5?");
	prompt_stop();
	history_release(&history);
}
END_TEST

SUITE_MAIN("typing",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, escape_and_a_key_together, 0, ROWS(together));
	tcase_add_loop_test(t, escape_and_enter_change_no_mode, 0, ROWS(enters));
	tcase_add_test(t, history_of_this_session);
	tcase_add_loop_test(t, searches_end_well, 0, ROWS(deadly));
	tcase_add_loop_test(t, a_count_has_a_bound, 0, ROWS(counts));
	tcase_add_loop_test(t, no_part_of_a_character, 0, ROWS(broken));
)
