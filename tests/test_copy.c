/*
 * What y and a letter send to the terminal's clipboard from each kind of screen, and what they say
 * where there is nothing to send.
 */
#include "tests/suite.h"

#include <string.h>

#include "tests/on_screen.h"
#include "tests/program.h"

#define DUMP "testdata/linear"

/* As OSC 52 wants it. */
static void put_base64(struct str *out, const char *text)
{
	static const char digits[] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t at = 0, len = strlen(text); at < len; at += 3) {
		unsigned bits = 0;

		for (size_t i = 0; i < 3; i++)
			bits = bits << 8 | (at + i < len ? (unsigned char)text[at + i] : 0);
		for (size_t i = 0; i < 4; i++)
			str_putc(out, at + i > len ? '=' : digits[bits >> (18 - 6 * i) & 63]);
	}
}

static bool wrote(struct terminal *t, const void *bytes)
{
	size_t len;
	const char *all = terminal_bytes(t, &len);

	return memmem(all, len, bytes, strlen(bytes)) != NULL;
}

/* The answer to a line, with the focus in it. */
static struct terminal *show(const char *line, const char *shows, const char *const *env)
{
	struct terminal *t = start_in(NULL, (const char *const[]){ DUMP, "-i", "-c", line, NULL },
	                              env, 24, 100);

	ck_assert(terminal_wait_text(t, shows));
	ck_assert(terminal_wait_cursor(t, 22, 7));
	terminal_type(t, "\x18o");
	return t;
}

/* The first row of data of `lt -n linear/w` is that of linear/w. */
static const struct { const char *line, *shows, *keys, *what, *copied; } copies[] = {
	{ "lt -n linear/w$", "Node name regex", "yy", "row",
	  "[1.098]  196      VariableV2            linear/w:0" },
	{ "lt -n linear/w$", "Node name regex", "yc", "cell", "linear/w:0" },
	{ "lt -n linear/w$", "Node name regex", ">>yc", "cell", "196" },
	{ "lt -n linear/w$", "Node name regex", ">>>yc", "cell", "VariableV2" },
	{ "lt -n linear/w$", "Node name regex", ">>>>yc", "cell", "linear/w:0" },
	{ "lt -n linear/w$", "Node name regex", "yl", "link", "pt linear/w:0" },
	{ "lt -n linear/w$", "Node name regex", "yp", "command", "lt -n linear/w$" },
	/* In no table: the text of the row's link. */
	{ "ni linear/xw", "Node linear/xw", "9Gyc", "cell", "linear/w/read" },
	{ "ni linear/xw", "Node linear/xw", "9Gyl", "link", "ni -a -d -t linear/w/read" },
	{ "ni linear/xw", "Node linear/xw", "3Gyy", "row", "  Op: MatMul" },
	/* The cell of a grid. */
	{ "grid linear/w:0", "float32 (3, 1)", "jyc", "cell", "-1.25" },
};

START_TEST(copies_are_what_is_shown)
{
	struct terminal *t = show(copies[_i].line, copies[_i].shows, NULL);
	struct str sent = {0}, toast = {0};

	str_puts(&sent, "\033]52;c;");
	put_base64(&sent, copies[_i].copied);
	str_putc(&sent, '\a');
	str_fmt(&toast, "INFO: Copied the %s: %s", copies[_i].what, copies[_i].copied);
	terminal_type(t, copies[_i].keys);
	ck_assert_msg(terminal_wait(t, wrote, sent.text), "%s: %s", copies[_i].keys,
	              copies[_i].copied);
	ck_assert_msg(terminal_wait_text(t, toast.text), "%s", toast.text);
	leave_by_key(t);
	str_release(&sent);
	str_release(&toast);
}
END_TEST

static const struct { const char *line, *shows, *keys, *says; } nothing[] = {
	{ "ni linear/xw", "Node linear/xw", "2Gyy", "ERROR: There is no row to copy here" },
	{ "ni linear/xw", "Node linear/xw", "3Gyc", "ERROR: There is no cell to copy here" },
	{ "ni linear/xw", "Node linear/xw", "3Gyl", "ERROR: There is no link to copy here" },
};

START_TEST(where_nothing_is_it_is_said)
{
	struct terminal *t = show(nothing[_i].line, nothing[_i].shows, NULL);

	terminal_type(t, nothing[_i].keys);
	ck_assert(terminal_wait_text(t, nothing[_i].says));
	ck_assert(!wrote(t, "\033]52;"));
	leave_by_key(t);
}
END_TEST

/* A command of 65536 bytes, and one of a byte more. */
START_TEST(copies_have_a_bound)
{
	enum { MAX = 64 * 1024 };
	struct str line = {0};
	struct terminal *t;

	str_puts(&line, "ni ");
	while (line.len < MAX + (size_t)_i)
		str_putc(&line, 'a');
	t = show(line.text, "ERROR", NULL);
	terminal_type(t, "yp");
	ck_assert(terminal_wait_text(
		t, _i ? "ERROR: The command has 65537 bytes; at most 65536 can be copied"
		      : "INFO: Copied the command: ni aaaaaaaaa"));
	ck_assert(wrote(t, "\033]52;") == !_i);
	terminal_press(t, TKEY_F0 + 10);
	expect_end(t, 1 << 8);                           /* there is no such node */
	str_release(&line);
}
END_TEST

START_TEST(a_terminal_without_a_clipboard_is_told_of)
{
	struct terminal *t = show("lt", "41 dumped", (const char *const[]){ "TERM=vt100", NULL });

	terminal_type(t, "yy");
	ck_assert(terminal_wait_text(t, "ERROR: This terminal has no clipboard"));
	ck_assert(!wrote(t, "\033]52;"));
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("copy",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, copies_are_what_is_shown, 0, ROWS(copies));
	tcase_add_loop_test(t, where_nothing_is_it_is_said, 0, ROWS(nothing));
	tcase_add_loop_test(t, copies_have_a_bound, 0, 2);
	tcase_add_test(t, a_terminal_without_a_clipboard_is_told_of);
)
