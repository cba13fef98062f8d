#include "tests/suite.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/terminal.h"

static struct terminal *sh(const char *script, const char *const *env, int rows, int cols)
{
	struct terminal *t = terminal_start((const char *[]){ "sh", "-c", script, NULL }, env, NULL,
	                                    rows, cols);

	ck_assert_ptr_nonnull(t);
	return t;
}

START_TEST(shows_text_and_end)
{
	struct terminal *t = sh("printf 'one\\r\\n\\033[2;5Htwo 日本x'; exit 3", NULL, 5, 20);
	int status, row, col;

	ck_assert(terminal_wait_end(t, &status));
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 3);
	ck_assert_str_eq(terminal_row(t, 0), "one");
	ck_assert_str_eq(terminal_row(t, 1), "    two 日本x");
	ck_assert(terminal_find(t, "x", &row, &col));
	ck_assert_int_eq(row, 1);
	ck_assert_int_eq(col, 12);
	ck_assert_int_eq(terminal_cell(t, 1, 8).width, 2);
	ck_assert_str_eq(terminal_cell(t, 1, 8).text, "日");
	ck_assert_str_eq(terminal_cell(t, 1, 9).text, "");
	terminal_free(t);
}
END_TEST

START_TEST(cells_have_attributes)
{
	struct terminal *t = sh("printf '\\033[1;4;31;44ma\\033[0;7;5;38;5;200mb\\033[0mc'", NULL,
	                        2, 9);
	struct terminal_cell a, b, c;

	ck_assert(terminal_wait_end(t, NULL));
	a = terminal_cell(t, 0, 0);
	b = terminal_cell(t, 0, 1);
	c = terminal_cell(t, 0, 2);
	ck_assert(a.bold && a.underline && !a.reverse && !a.blink);
	ck_assert_int_eq(a.fg, 1);
	ck_assert_int_eq(a.bg, 4);
	ck_assert(b.reverse && b.blink && !b.bold && !b.underline);
	ck_assert_int_eq(b.fg, 200);
	ck_assert_int_eq(b.bg, -1);
	ck_assert_str_eq(c.text, "c");
	ck_assert(!c.reverse && c.fg == -1 && c.bg == -1);
	ck_assert_str_eq(terminal_cell(t, 7, 7).text, "");
	terminal_free(t);
}
END_TEST

START_TEST(keys_and_text_arrive)
{
	struct terminal *t = sh("stty raw -echo; printf ready; dd bs=1 count=9 2>/dev/null | od "
	                        "-An -c; stty sane", NULL, 5, 60);

	ck_assert(terminal_wait_text(t, "ready"));
	ck_assert(!terminal_settings_kept(t));
	terminal_type(t, "q\x03");
	terminal_press(t, TKEY_UP);
	terminal_press(t, TKEY_PAGE_DOWN);
	ck_assert(terminal_wait_text(t, "q 003 033   [   A 033   [   6   ~"));
	ck_assert(terminal_wait_end(t, NULL));
	terminal_free(t);
}
END_TEST

START_TEST(settings_are_compared)
{
	struct terminal *t = sh("old=$(stty -g); stty -icanon; read x; stty $old", NULL, 5, 60);

	terminal_enter(t, "");
	ck_assert(terminal_wait_end(t, NULL));
	ck_assert(terminal_settings_kept(t));
	terminal_free(t);
	t = sh("stty -icanon", NULL, 5, 60);
	ck_assert(terminal_wait_end(t, NULL));
	ck_assert(!terminal_settings_kept(t));
	terminal_free(t);
}
END_TEST

START_TEST(resize_is_told)
{
	struct terminal *t = sh("trap 'stty size' WINCH; echo ready; while :; do read x; done",
	                        NULL, 5, 60);

	ck_assert(terminal_wait_text(t, "ready"));
	terminal_resize(t, 7, 33);
	ck_assert(terminal_wait_text(t, "7 33"));
	terminal_free(t);
}
END_TEST

START_TEST(mouse_only_when_asked)
{
	struct terminal *t = sh("stty raw -echo; printf ready; read x; printf "
	                        "'\\033[?1000h\\033[?1006hon';"
	                        "dd bs=1 count=9 2>/dev/null | od -An -c", NULL, 5, 60);

	ck_assert(terminal_wait_text(t, "ready"));
	terminal_click(t, 1, 2);
	terminal_type(t, "\n");
	ck_assert(terminal_wait_text(t, "on"));
	ck_assert(terminal_wants_mouse(t));
	terminal_click(t, 3, 20);
	ck_assert(terminal_wait_text(t, "[   <   0   ;   2   1   ;   4"));
	terminal_free(t);
}
END_TEST

START_TEST(modes_are_known)
{
	struct terminal *t = sh("printf '\\033[?1049h\\033[?25lhi'; read x; printf "
	                        "'\\033[?25h\\033[?1049l'", NULL, 5, 20);

	ck_assert(terminal_wait_text(t, "hi"));
	ck_assert(terminal_alternate(t));
	ck_assert(!terminal_cursor_shown(t));
	terminal_enter(t, "");
	ck_assert(terminal_wait_end(t, NULL));
	ck_assert(!terminal_alternate(t));
	ck_assert(terminal_cursor_shown(t));
	ck_assert(terminal_wait_gone(t, "hi"));
	terminal_free(t);
}
END_TEST

START_TEST(environment_and_bytes)
{
	static const char *const env[] = { "TERM=vt100", "A_NAME=a=b", "HOME", NULL };
	struct terminal *t = sh("echo $TERM $A_NAME ${HOME-none}", env, 5, 60);
	size_t len;

	ck_assert(terminal_wait_text(t, "vt100 a=b none"));
	ck_assert(terminal_wait_end(t, NULL));
	ck_assert_str_eq(terminal_bytes(t, &len), "vt100 a=b none\r\n");
	ck_assert_uint_eq(len, 16);
	terminal_free(t);
}
END_TEST

START_TEST(signals_end_it)
{
	struct terminal *t = sh("echo ready; read x", NULL, 5, 60);
	int status;

	ck_assert(terminal_wait_text(t, "ready"));
	terminal_signal(t, SIGTERM);
	ck_assert(terminal_wait_end(t, &status));
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGTERM);
	terminal_free(t);
}
END_TEST

START_TEST(a_flood_is_read)
{
	struct terminal *t = sh("seq 1 200000", NULL, 5, 60);

	ck_assert(terminal_wait_end(t, NULL));
	ck_assert_str_eq(terminal_row(t, 3), "200000");
	terminal_free(t);
}
END_TEST

SUITE_MAIN("terminal",
	tcase_add_test(t, shows_text_and_end);
	tcase_add_test(t, cells_have_attributes);
	tcase_add_test(t, keys_and_text_arrive);
	tcase_add_test(t, settings_are_compared);
	tcase_add_test(t, resize_is_told);
	tcase_add_test(t, mouse_only_when_asked);
	tcase_add_test(t, modes_are_known);
	tcase_add_test(t, environment_and_bytes);
	tcase_add_test(t, signals_end_it);
	tcase_add_test(t, a_flood_is_read);
)
