/* The program on screens of any size and kind, and how it leaves them. */
#include "tests/on_screen.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dump/base/str.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

/* Sizes. */

static const struct { int rows, cols; } sizes[] = {
	{ 24, 80 }, { 10, 40 }, { 6, 20 }, { 3, 10 }, { 1, 1 }, { 2, 1 }, { 1, 80 }, { 24, 1 },
	{ 60, 220 }, { 80, 300 },
};

START_TEST(starts_at_any_size)
{
	struct terminal *t = start_mnist(sizes[_i].rows, sizes[_i].cols);

	terminal_resize(t, 24, 80);
	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	leave_by_exit(t);
}
END_TEST

START_TEST(resizes_to_any_size_and_back)
{
	struct terminal *t = mnist_started(24, 80);

	terminal_type(t, "typed");
	ck_assert(terminal_wait_row(t, 22, "tfdbg> typed"));
	terminal_resize(t, sizes[_i].rows, sizes[_i].cols);
	PLAY(t, { "<Resize(81x25)>", 23, "tfdbg> typed" }, { "", 3, "dumped tensor(s):" });
	ck_assert_uint_eq(strlen(terminal_row(t, 0)), 81);
	terminal_type(t, "\x03");
	leave_by_exit(t);
}
END_TEST

/* Endings. */

START_TEST(dies_by_the_signal_with_the_terminal_restored)
{
	static const int numbers[] = { SIGTERM, SIGQUIT, SIGSEGV, SIGABRT, SIGHUP };
	struct terminal *t = mnist_started(24, 80);

	terminal_enter(t, "mouse on");
	ck_assert(terminal_wait_row(t, 21, " Mouse: ON --"));
	terminal_signal(t, numbers[_i]);
	expect_end(t, numbers[_i]);
}
END_TEST

/* The tag and length of a field whose message is `head` and `rest` bytes more, around it. */
static void put_around(struct str *head, uint32_t field, uint64_t rest)
{
	struct str out = {0};

	put_varint(&out, (uint64_t)field << 3 | 2);
	put_varint(&out, head->len + rest);
	str_put(&out, head->text, head->len);
	str_release(head);
	*head = out;
}

/* The tensor of a part gets so many zeros; the file has holes in place of them. */
static void make_huge(const struct small_dump *dump, const struct part *part, int64_t floats)
{
	uint64_t bytes = 4 * (uint64_t)floats;
	struct str head = {0}, path = {0};

	put_tensor_head(&head, 1, 1, &floats);
	put_varint(&head, 4 << 3 | 2);
	put_varint(&head, bytes);
	put_around(&head, 8, bytes);
	put_around(&head, 1, bytes);
	put_around(&head, 5, bytes);
	dump_put(dump->dir, part->name, head.text, head.len);
	str_fmt(&path, "%s/%s", dump->dir, part->name);
	ck_assert_int_eq(truncate(path.text, (off_t)(head.len + bytes)), 0);
	str_release(&head);
	str_release(&path);
}

static size_t count_entries(const char *dir)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static bool writes_beside(struct terminal *t, const void *dir)
{
	(void)t;
	return count_entries(dir) > 2 + 2;       /* . .. a b, and what is being written */
}

/* The job is stopped before the program ends: what it had written so far is gone. */
START_TEST(a_signal_stops_the_job)
{
	struct small_dump dump;
	struct str line = {0}, work = {0};
	struct terminal *t;

	small_dump_make(&dump);
	make_huge(&dump, &dump.part[0], (int64_t)1 << 30);
	dump_put(home, "work/a", "", 0);
	dump_put(home, "work/b", "", 0);
	str_fmt(&work, "%s/work", home);
	t = start_in(dump.dir, (const char *const[]){ ".", NULL }, NULL, 24, 80);
	ck_assert(terminal_wait_row(t, 3, "4 dumped tensor(s):"));
	str_fmt(&line, "pt linear/w:0 -w %s/x.csv", work.text);
	terminal_enter(t, line.text);
	ck_assert(terminal_wait_row(t, 21, "(Ctrl-C stops)"));
	ck_assert(terminal_wait(t, writes_beside, work.text));
	terminal_signal(t, SIGTERM);
	expect_end(t, SIGTERM);
	ck_assert_uint_eq(count_entries(work.text), 4);
	small_dump_remove(&dump);
	str_release(&line);
	str_release(&work);
}
END_TEST

START_TEST(ctrl_c_asks_before_it_leaves)
{
	struct terminal *t = mnist_started(24, 80);

	terminal_type(t, "\x03");
	ck_assert(terminal_wait_row(t, 20, "Press Ctrl-C again to leave."));
	terminal_signal(t, SIGINT);
	PLAY(t, { "", 21, "Leave tensordbg? (y/n)" }, { "x", GONE, "Leave tensordbg?" },
	     { "\x04\x03\x03", 21, "Leave tensordbg? (y/n)" }); /* Ctrl-D does nothing */
	terminal_type(t, "\x03");
	expect_end(t, 0);
}
END_TEST

START_TEST(suspends_and_comes_back)
{
	static const char script[] =
		"set -m; \"$0\" --screen=tfdbg "
		"mnist_nan; printf 'stopped %s\\n' \"$(stty -a | grep -c ' "
		"icanon')\"; "
		"fg >/dev/null; exit $?";
	const char *const argv[] = { "sh", "-c", script, program_path(), NULL };
	struct terminal *t = terminal_start(argv, NULL, "testdata", 24, 80);

	ck_assert_ptr_nonnull(t);
	PLAY(t, { "", 3, "dumped tensor(s):" }, { "\x1a", ANYWHERE, "dumped tensor(s):" },
	     { "lt -s dump_size\r", 1, "lt -s dump_size" });
	leave_by_exit(t);
}
END_TEST

/* Terminals. */

START_TEST(no_color_means_none)
{
	static const char *const env[] = { "NO_COLOR=1", NULL };
	struct terminal *t = start_mnist_with(env, 24, 80);

	PLAY(t, { "", 3, "dumped tensor(s):" }, { "", CURSOR, "22,7" });
	for (int row = 0; row < 24; row++)
		for (int col = 0; col < 80; col++) {
			ck_assert_int_eq(terminal_cell(t, row, col).fg, -1);
			ck_assert_int_eq(terminal_cell(t, row, col).bg, -1);
		}
	ck_assert(terminal_cell(t, 0, 0).reverse);
	leave_by_exit(t);
}
END_TEST

/* Text in the terminal's own colour, bars the other way round than on a dark background. */
START_TEST(light_backgrounds)
{
	static const char text[] = "config set background light\n";
	struct terminal *t;
	struct terminal_cell cell;

	dump_put(home, "config/tensordbg/config", text, strlen(text));
	t = mnist_started(24, 80);
	cell = terminal_cell(t, 0, 0);
	ck_assert_int_eq(cell.fg, 7);
	ck_assert_int_eq(cell.bg, 0);
	cell = terminal_cell(t, 3, 0);
	ck_assert_int_eq(cell.fg, -1);
	ck_assert_int_eq(cell.bg, -1);
	terminal_enter(t, "@x");
	ck_assert(terminal_wait_row(t, 20, "ERROR: "));
	cell = terminal_cell(t, 20, 0);
	ck_assert_int_eq(cell.fg, 7);
	ck_assert_int_eq(cell.bg, 1);
	leave_by_exit(t);
}
END_TEST

/* A terminal with direct colours: the number of a gray would be a blue. */
START_TEST(direct_colours)
{
	static const char entry[] =
		"direct|with direct colours,\n\tRGB, colors#0x1000000, pairs#0x7FFF,\n"
		"\tsetaf=\\E[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d"
		";%p1%{255}%&%d%;m,\n"
		"\tsetab=\\E[%?%p1%{8}%<%t4%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d"
		";%p1%{255}%&%d%;m,\n\tuse=xterm-256color,\n";
	static const char *const env[] = { "TERM=direct", NULL };
	static const char *const tic[] = { "/bin/sh", "-c", "tic -x -o .terminfo entry", NULL };
	struct program_run made;
	struct terminal *t;
	uint8_t fg[3], bg[3];

	dump_put(home, "entry", entry, strlen(entry));
	program_run(tic, home, NULL, &made);
	ck_assert_msg(!made.status, "%s", str_text(&made.err));
	program_release(&made);
	t = start_mnist_with(env, 24, 80);
	PLAY(t, { "", 3, "dumped tensor(s):" }, { "split h\r", 11, "--- lt ---" });
	terminal_cell_rgb(t, 11, 0, fg, bg);
	ck_assert_uint_eq(fg[0], 138);           /* gray 245 */
	ck_assert_uint_eq(fg[1], 138);
	ck_assert_uint_eq(fg[2], 138);
	leave_by_exit(t);
}
END_TEST

START_TEST(dumb_terminals_get_lines)
{
	static const char *const env[] = { "TERM=dumb", NULL };
	struct terminal *t = start_mnist_with(env, 50, 80);
	const char *bytes;
	size_t len;

	ck_assert(terminal_wait_text(t, "tfdbg>"));
	bytes = terminal_bytes(t, &len);
	ck_assert_int_eq(strncmp(bytes, "tfdbg offline @ mnist_nan\r\n", 27), 0);
	terminal_enter(t, "nosuch");
	ck_assert(terminal_wait_text(t, "ERROR: Invalid command prefix \"nosuch\""));
	bytes = terminal_bytes(t, &len);
	ck_assert_ptr_null(memchr(bytes, '\033', len));
	ck_assert(terminal_wait_row(t, 6, "tfdbg>"));    /* an end of input counts at a prompt */
	terminal_type(t, "\x04");
	expect_end(t, 0);
}
END_TEST

START_TEST(line_interface_on_request)
{
	static const char *const args[] = { "--ui=line", "mnist_nan", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 50, 80);

	PLAY(t, { "", ANYWHERE, "tfdbg>" }, { "half", ANYWHERE, "tfdbg> half" });
	terminal_signal(t, SIGINT);
	terminal_type(t, "list_i\t xyzzy\r");
	ck_assert(terminal_wait_text(t, "tfdbg> list_inputs xyzzy"));
	leave_by_exit(t);
}
END_TEST

START_TEST(unknown_terminals_are_named)
{
	static const char *const env[] = { "TERM=nosuchterm", NULL };
	struct terminal *t = start_mnist_with(env, 24, 80);
	int status;

	ck_assert(terminal_wait_end(t, &status));
	ck_assert_int_eq(WEXITSTATUS(status), 2);
	ck_assert(terminal_wait_text(t, "nosuchterm"));
	ck_assert(terminal_settings_kept(t));
	terminal_free(t);
}
END_TEST

START_TEST(commands_before_the_keyboard)
{
	static const char *const args[] = { "-i", "-c", "lt -s dump_size", "-c", "nosuch",
	                                    "mnist_nan", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 80);

	PLAY(t, { "", 1, "| <-- --> | nosuch" }, { "prev\r", 1, "(-1) lt -s dump_size" });
	terminal_enter(t, "exit");
	expect_end(t, 1 << 8);                           /* one of them failed */
}
END_TEST

START_TEST(history_lasts)
{
	struct terminal *t = mnist_started(24, 80);
	struct str path = {0}, text = {0};
	struct stat info;

	PLAY(t, { "help\r", 1, "| <-- --> | help" }, { "help\r", CURSOR, "22,7" },
	     { "prev\r", 1, "(-1)" });
	terminal_enter(t, "/x");
	leave_by_exit(t);
	str_fmt(&path, "%s/state/tensordbg/history", home);
	ck_assert(read_whole(path.text, &text));
	ck_assert_str_eq(text.text, "help\n/x\n");
	ck_assert_int_eq(stat(path.text, &info), 0);
	ck_assert_uint_eq(info.st_mode & 0777, 0600);
	t = mnist_started(24, 80);
	terminal_press(t, TKEY_UP);
	ck_assert(terminal_wait_row(t, 22, "tfdbg> /x"));
	terminal_type(t, "\x03");
	leave_by_exit(t);
	str_release(&path);
	str_release(&text);
}
END_TEST

SUITE_MAIN("screen_endings",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, starts_at_any_size, 0, ROWS(sizes));
	tcase_add_loop_test(t, resizes_to_any_size_and_back, 0, ROWS(sizes));
	tcase_add_loop_test(t, dies_by_the_signal_with_the_terminal_restored, 0, 5);
	tcase_add_test(t, a_signal_stops_the_job);
	tcase_add_test(t, ctrl_c_asks_before_it_leaves);
	tcase_add_test(t, suspends_and_comes_back);
	tcase_add_test(t, no_color_means_none);
	tcase_add_test(t, light_backgrounds);
	tcase_add_test(t, direct_colours);
	tcase_add_test(t, dumb_terminals_get_lines);
	tcase_add_test(t, line_interface_on_request);
	tcase_add_test(t, unknown_terminals_are_named);
	tcase_add_test(t, commands_before_the_keyboard);
	tcase_add_test(t, history_lasts);
)
