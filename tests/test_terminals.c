/*
 * What every terminal must get, whatever is on the screen: regions where they belong, no byte that
 * the terminal, the locale or NO_COLOR rule out, and at each end the terminal as it was.
 */
#include "tests/on_screen.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "dump/base/mem.h"
#include "tests/huge.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"
#include "tui/term.h"


/* Terminals. */

enum form { SCREEN_COLOURS, SCREEN_PLAIN, LINES_ONLY, REFUSED };
static const struct { const char *set; enum form form; } terms[] = {
	{ "TERM=xterm-256color", SCREEN_COLOURS }, { "TERM=xterm", SCREEN_COLOURS },
	{ "TERM=screen", SCREEN_COLOURS }, { "TERM=tmux-256color", SCREEN_COLOURS },
	{ "TERM=linux", SCREEN_COLOURS }, { "TERM=vt100", SCREEN_PLAIN },
	{ "TERM=dumb", LINES_ONLY }, { "TERM=", LINES_ONLY }, { "TERM", LINES_ONLY },
	{ "TERM=no-such-terminal", REFUSED },
};
static const char *const locales[] = { "LC_ALL=C", "LC_ALL=C.UTF-8" };
static const char *const no_color[] = { "NO_COLOR=", "NO_COLOR=1" };
enum { N_COMBINATIONS = ROWS(terms) * 2 * 2 };

/* A machine may have few terminfo entries: say so rather than fail. */
static bool is_described(const char *set)
{
	setenv("TERM", set + strlen("TERM="), 1);
	if (term_kind() == TERM_FULL)
		return true;
	fprintf(stderr, "terminals: skipped, there is no terminfo entry (ncurses-term): %s\n", set);
	return false;
}

/* Is there an ESC [ ... m that sets a colour? */
static bool has_colour(const char *bytes, size_t len)
{
	for (size_t i = 0; i + 2 < len; i++) {
		const char *at = bytes + i + 2;

		if (bytes[i] != '\033' || bytes[i + 1] != '[')
			continue;
		while (isdigit((unsigned char)*at)) {
			char *end;
			long n = strtol(at, &end, 10);

			if (strchr("m;", *end) && at[strspn(at, "0123456789;")] == 'm' &&
			    ((n >= 30 && n <= 49) || (n >= 90 && n <= 107)))
				return true;
			at = *end == ';' ? end + 1 : end;
		}
	}
	return false;
}

static bool is_ascii(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)bytes[i] >= 0x80)
			return false;
	return true;
}

/* Panes, a sort, a filter, a search, hints, help, toasts, completion: all that is drawn. */
static void use_everything(struct terminal *t)
{
	ck_assert(terminal_wait_row(t, 0, "--- tfdbg offline @ mnist_nan ---"));
	ck_assert(terminal_wait_row(t, 2, "| list_tensors | node_info |"));
	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	ck_assert(terminal_wait_row(t, 21, "--- Scroll (PgDn): 0.00%"));
	ck_assert(terminal_wait_row(t, 22, "tfdbg>"));
	terminal_type(t, "list_\t");
	ck_assert(terminal_wait_text(t, "Candidates: list_inputs"));
	terminal_type(t, "\x03\x03");                    /* the candidates, then the line */
	terminal_enter(t, "layout side");
	ck_assert(terminal_wait_row(t, 1, "| lt"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 21, "row 1/"));
	terminal_type(t, "5G");
	ck_assert(terminal_wait_text(t, "Tensor \"hidden"));
	/* what a detail pane gets closes the letters */
	terminal_type(t, "V>>S");
	ck_assert(terminal_wait_text(t, "--- pt train/gradients/hidden2/Wx"));
	terminal_type(t, "f");
	ck_assert(terminal_wait_row(t, 21, "letters of a link"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_gone(t, "letters of a link"));
	terminal_type(t, "&Log");
	ck_assert(terminal_wait_row(t, 21, " of 301"));
	terminal_press(t, TKEY_ENTER);
	terminal_type(t, "/cross\r");
	ck_assert(terminal_wait_row(t, 21, "match 1 of"));
	terminal_type(t, "h");
	ck_assert(terminal_wait_text(t, "Everywhere"));
	terminal_type(t, "q~");
	ck_assert(terminal_wait_text(t, "No key \"~\" here."));
	terminal_type(t, ":");
	terminal_enter(t, "layout single");
	terminal_enter(t, "lt -f has_inf_or_nan");
	ck_assert(terminal_wait_row(t, 3, "passing filter"));
	terminal_enter(t, "exit");
}

static void check_screen(struct terminal *t, bool colours, bool utf8)
{
	const char *bytes;
	size_t len;
	int status;

	use_everything(t);
	ck_assert(terminal_wait_end(t, &status));
	ck_assert_int_eq(status, 0);
	bytes = terminal_bytes(t, &len);
	ck_assert_int_eq(has_colour(bytes, len), colours);
	ck_assert_int_eq(is_ascii(bytes, len), !utf8);
	expect_restored(t);
	terminal_free(t);
}

static void check_lines(struct terminal *t)
{
	const char *bytes;
	size_t len;

	ck_assert(terminal_wait_text(t, "tfdbg>"));
	terminal_enter(t, "lt -f has_inf_or_nan");
	ck_assert(terminal_wait_text(t, "passing filter"));
	terminal_enter(t, "pt cross_entropy/Log:0[0]");
	ck_assert(terminal_wait_text(t, "array(["));
	terminal_type(t, "list_\t\t");
	ck_assert(terminal_wait_text(t, "list_outputs"));
	terminal_type(t, "inputs nowhere\r");
	ck_assert(terminal_wait_text(t, "ERROR:"));
	bytes = terminal_bytes(t, &len);
	ck_assert_ptr_null(memchr(bytes, '\033', len));
	leave_by_exit(t);
}

START_TEST(any_terminal_locale_and_colour)
{
	size_t k = (size_t)_i / 4;
	bool utf8 = _i / 2 % 2, colours = !(_i % 2) && terms[k].form == SCREEN_COLOURS;
	const char *const env[] = { terms[k].set, locales[utf8], no_color[_i % 2], NULL };
	struct terminal *t;
	int status;

	if (terms[k].form <= SCREEN_PLAIN && !is_described(terms[k].set))
		return;
	t = start_in("testdata", (const char *const[]){ "mnist_nan", NULL }, env,
	             terms[k].form == LINES_ONLY ? 120 : 24, 80);
	if (terms[k].form <= SCREEN_PLAIN) {
		check_screen(t, colours, utf8);
	} else if (terms[k].form == LINES_ONLY) {
		check_lines(t);
	} else {
		ck_assert(terminal_wait_end(t, &status));
		ck_assert_int_eq(WEXITSTATUS(status), 2);
		ck_assert(terminal_wait_text(t, "TERM=\"no-such-terminal\""));
		terminal_free(t);
	}
}
END_TEST

/* The prompt comes there, on terminals with a screen of its own for a program and without. */
static const char *const last_rows[] = { "TERM=xterm", "TERM=vt100", "TERM=linux" };

START_TEST(the_last_row_is_left_empty)
{
	const char *const env[] = { last_rows[_i], NULL };
	struct terminal *t;
	int status;

	if (!is_described(last_rows[_i]))
		return;
	t = start_in("testdata", (const char *const[]){ "--screen=modern", "mnist_nan", NULL },
	             env, 24, 80);
	ck_assert(terminal_wait_row(t, 23, "? keys"));
	terminal_type(t, "qy");
	ck_assert(terminal_wait_end(t, &status));
	ck_assert_int_eq(status, 0);
	ck_assert_str_eq(terminal_row(t, 23), "");
	terminal_free(t);
}
END_TEST

/* Names of locales that come along from elsewhere: UTF-8 is UTF-8 all the same. */
static const struct { const char *set, *shows; } from_elsewhere[] = {
	{ "LC_ALL=xx_YY.UTF-8", "◆ 1 origin" }, { "LC_ALL=xx_YY.utf8@latin", "◆ 1 origin" },
	{ "LC_ALL=xx_YY.ISO-8859-1", "* 1 origin" }, { "LC_ALL=xx_YY", "* 1 origin" },
};

START_TEST(a_locale_the_system_has_not)
{
	const char *const args[] = { "mnist_nan", "--screen=modern", NULL };
	const char *const env[] = { from_elsewhere[_i].set, NULL };
	struct terminal *t = start_in("testdata", args, env, 24, 80);

	ck_assert(terminal_wait_text(t, from_elsewhere[_i].shows));
	leave_by_key(t);
}
END_TEST

/* Sizes. */

static const struct { int rows, cols; } regions[] = {
	{ 24, 80 }, { 60, 220 }, { 80, 300 }, { 40, 120 }, { 10, 40 },
};

/* As tui.md section 1: title, bars, output with its scroll bar, status, two prompt rows. */
static void check_regions(struct terminal *t, int rows, int cols)
{
	struct str title = {0};

	ck_assert(terminal_wait_row(t, rows - 2, "tfdbg>"));
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | lt"));
	ck_assert(terminal_wait_row(t, 2, "| list_tensors |"));
	ck_assert(terminal_wait_row(t, 3, "301 dumped"));
	ck_assert(terminal_wait_row(t, rows - 3, "--- Scroll (PgDn"));
	ck_assert(terminal_wait_cursor(t, rows - 2, 7));
	str_puts(&title, terminal_row(t, 0));
	ck_assert_uint_eq(title.len, (size_t)cols);
	if (cols > 40)
		ck_assert_int_eq(title.text[cols - 1], '-');
	ck_assert_str_eq(terminal_cell(t, 3, cols - 2).text, "U");
	ck_assert_str_eq(terminal_cell(t, 3, cols - 1).text, "P");
	ck_assert_str_eq(terminal_cell(t, rows - 4, cols - 2).text, "D");
	ck_assert_str_eq(terminal_row(t, rows - 1), "");
	str_release(&title);
}

START_TEST(regions_are_where_they_belong)
{
	struct terminal *t = start_in("testdata", (const char *const[]){ "mnist_nan", NULL }, NULL,
	                              regions[_i].rows, regions[_i].cols);

	check_regions(t, regions[_i].rows, regions[_i].cols);
	leave_by_exit(t);
}
END_TEST

/* No wait between two sizes: some of them are never drawn, and the last one counts. */
START_TEST(a_storm_of_sizes)
{
	struct terminal *t = start_in("testdata", (const char *const[]){ "mnist_nan", NULL }, NULL,
	                              24, 80);
	unsigned dice = 1;

	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	terminal_enter(t, "layout side");
	for (int i = 0; i < 400; i++) {
		dice = dice * 1103515245 + 12345;
		terminal_resize(t, 1 + (int)(dice >> 16) % 60, 1 + (int)(dice >> 8 & 0xffff) % 250);
		if (i % 16 == 0)
			terminal_press(t, i % 32 ? TKEY_PAGE_DOWN : TKEY_PAGE_UP);
	}
	terminal_resize(t, 24, 80);
	terminal_enter(t, "layout single");
	terminal_press(t, TKEY_HOME);
	check_regions(t, 24, 80);
	leave_by_exit(t);
}
END_TEST

/* Beyond 1000 columns or rows nothing is drawn; ncurses crashes at 40,000. */
static const struct { int rows, cols; } vast[] = {
	{ 24, 40000 }, { 3000, 80 }, { 1001, 1001 }, { 65535, 3 },
};

START_TEST(vast_screens)
{
	struct terminal *t = start_in("testdata", (const char *const[]){ "mnist_nan", NULL }, NULL,
	                              vast[_i].rows, vast[_i].cols);

	if (vast[_i].cols > 20)
		ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	terminal_resize(t, 24, 80);
	ck_assert(terminal_wait_row(t, 21, "Mouse: OFF --"));
	check_regions(t, 24, 80);
	terminal_resize(t, vast[_i].rows, vast[_i].cols);
	terminal_press(t, TKEY_PAGE_DOWN);
	if (vast[_i].cols > 1000)
		ck_assert_uint_le(strlen(terminal_row(t, 0)), 1000);
	terminal_press(t, TKEY_HOME);
	terminal_resize(t, 24, 80);
	ck_assert(terminal_wait_row(t, 21, "Mouse: OFF --"));
	check_regions(t, 24, 80);
	leave_by_exit(t);
}
END_TEST

/* Names. */

#define EVIL "e\033]0;owned\a\033[31m\033[?1049l\xe2\x80\xae\xff\xfe\xc2\x9b" "31m"

static char *evil_dump(void)
{
	char *dir = scratch_new();
	struct str tensor = {0}, event = {0}, name = {0};

	put_tensor_head(&tensor, 1, 0, NULL);
	put_bytes(&tensor, 4, "\0\0\x80?", 4);
	put_event(&event, &tensor);
	dump_put(dir, SMALL_DEVICE "/" EVIL "_0_DebugIdentity_1000", event.text, event.len);
	str_puts(&name, SMALL_DEVICE);
	for (int i = 0; i < 17; i++) {
		str_putc(&name, '/');
		str_fill(&name, 'l', 220);
	}
	str_puts(&name, "_0_DebugIdentity_1001");
	dump_put(dir, name.text, event.text, event.len);
	str_release(&tensor);
	str_release(&event);
	str_release(&name);
	return dir;
}

static void expect_nothing_raw(struct terminal *t)
{
	static const char *const raw[] = { "\033]0;", "\a", "\xe2\x80\xae", "\xc2\x9b",
	                                   "\xff", "\xfe" };
	size_t len;
	const char *bytes = terminal_bytes(t, &len);

	for (size_t i = 0; i < ROWS(raw); i++)
		ck_assert_msg(!memmem(bytes, len, raw[i], strlen(raw[i])), "raw %zu", i);
}

static const char *const shown_in[] = { "LC_ALL=C", "LC_ALL=C.UTF-8" };

START_TEST(names_reach_no_terminal_raw)
{
	char *dir = evil_dump(), *link;
	const char *const env[] = { shown_in[_i], NULL };
	struct str path = {0};
	struct terminal *t;

	str_fmt(&path, "%s/" EVIL, home);                /* the title has it too */
	link = mem_copy(path.text, path.len);
	ck_assert_int_eq(rename(dir, link), 0);
	t = start_in(NULL, (const char *const[]){ link, NULL }, env, 40, 120);
	PLAY(t, { "", 3, "2 dumped tensor(s):" }, { "", 6, "e^[]0;owned^G^[[31m" },
	     { "", 6, "\\u202e\\xff\\xfe\\u009b" }, { "", 7, "llllllllll" });
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 39 - 2, "row 1/"));
	PLAY(t, { "4Gv", ANYWHERE, "array(1., dtype=float32)" }, /* detail and its title */
	     { "=", ANYWHERE, "Where am I" }, { "q", GONE, "Where am I" },
	     { ":messages\r", 1, "| messages" }, { "pt \t", ANYWHERE, "Candidates:" });
	terminal_type(t, "\x03\x03");
	terminal_enter(t, "exit");
	ck_assert(terminal_wait_end(t, NULL));
	expect_nothing_raw(t);
	expect_restored(t);
	terminal_free(t);
	scratch_remove(link);
	free(dir);
	str_release(&path);
}
END_TEST

/* Where the locale has only ASCII, other characters become their number, not a question mark. */
START_TEST(text_of_another_locale)
{
	char *dir = scratch_new();
	struct str tensor = {0}, event = {0};
	const char *const args[] = { dir, NULL }, *const env[] = { shown_in[_i], NULL };
	struct terminal *t;

	put_tensor_head(&tensor, 1, 0, NULL);
	put_bytes(&tensor, 4, "\0\0\x80?", 4);
	put_event(&event, &tensor);
	dump_put(dir, SMALL_DEVICE "/caf\xc3\xa9_\xe6\x97\xa5_0_DebugIdentity_1000", event.text,
	         event.len);
	t = start_in(NULL, args, env, 24, 80);
	ck_assert(terminal_wait_row(t, 6, _i ? "caf\xc3\xa9_\xe6\x97\xa5:0"
	                            : "caf\\u00e9_\\u65e5:0"));
	leave_by_exit(t);
	scratch_remove(dir);
	str_release(&tensor);
	str_release(&event);
}
END_TEST

/* Endings. */

static struct terminal *started_on(const char *dump)
{
	struct terminal *t = start_in("testdata", (const char *const[]){ dump, NULL }, NULL, 24,
	                              80);

	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	terminal_enter(t, "mouse on");
	ck_assert(terminal_wait_row(t, 21, " Mouse: ON --"));
	ck_assert(terminal_wants_mouse(t));
	ck_assert(!terminal_settings_kept(t));
	return t;
}

static struct terminal *started(void)
{
	return started_on("mnist_nan");
}

static const int deadly[] = {
	SIGTERM, SIGQUIT, SIGHUP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS,
	SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, 34, 64,
};

START_TEST(any_deadly_signal_restores)
{
	struct terminal *t = started();

	terminal_signal(t, deadly[_i]);
	expect_end(t, deadly[_i]);
}
END_TEST

START_TEST(line_mode_restores_too)
{
	struct terminal *t = start_in("testdata",
	                              (const char *const[]){ "--ui=line", "mnist_nan", NULL }, NULL,
	                              24, 80);

	PLAY(t, { "", ANYWHERE, "tfdbg>" }, { "half a line", ANYWHERE, "tfdbg> half a line" });
	ck_assert(!terminal_settings_kept(t));
	terminal_signal(t, deadly[_i]);
	expect_end(t, deadly[_i]);
}
END_TEST

/* Split, zoomed, with a question open: the end is the same. */
START_TEST(signals_in_the_midst)
{
	struct terminal *t = started();

	terminal_press(t, TKEY_ESCAPE);
	terminal_type(t, "vhh");
	terminal_type(t, "q");
	terminal_type(t, "/abc");
	terminal_signal(t, deadly[_i]);
	expect_end(t, deadly[_i]);
}
END_TEST

/* A dump without a graph: no thread has ended by then and left memory that would do. */
START_TEST(no_memory_restores_and_says_so)
{
	struct terminal *t;
	struct str text = {0};
	const char *bytes;
	size_t len;
	int status;

#ifdef __SANITIZE_ADDRESS__
	return;                          /* its own memory runs out first */
#endif
	t = started_on("tf0.12.1_loop");
	str_fill(&text, 'x', 400000);
	terminal_starve(t);
	terminal_paste(t, text.text);
	ck_assert(terminal_wait_end(t, &status));
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	bytes = terminal_bytes(t, &len); /* the rest of the paste may have scrolled it away */
	ck_assert(memmem(bytes, len, "tensordbg: out of memory (", 26));
	expect_restored(t);
	terminal_free(t);
	str_release(&text);
}
END_TEST

static bool wants_mouse(struct terminal *t, const void *ctx)
{
	(void)ctx;
	return terminal_wants_mouse(t);
}

/* stty before, while it is stopped, after: the same words. */
START_TEST(stopped_and_gone_on)
{
	static const char script[] =
		"set -m; stty -a >\"$1/before\"; \"$0\" --screen=tfdbg "
		"mnist_nan; stty -a >\"$1/stopped\"; "
		"printf 'stop%s\\n' ped; read x; fg >/dev/null; e=$?; stty -a >\"$1/after\"; "
		"cmp \"$1/before\" \"$1/stopped\" && cmp \"$1/before\" \"$1/after\" && "
		"printf 'all %s\\n' equal; exit $e";
	const char *const argv[] = { "sh", "-c", script, program_path(), home, NULL };
	struct terminal *t = terminal_start(argv, NULL, "testdata", 24, 80);

	ck_assert_ptr_nonnull(t);
	PLAY(t, { "", 3, "dumped tensor(s):" }, { "mouse on\r", 21, " Mouse: ON --" },
	     { "\x1a", ANYWHERE, "stopped" });
	expect_restored(t);
	terminal_enter(t, "");
	ck_assert(terminal_wait(t, wants_mouse, NULL));
	PLAY(t, { "", 21, " Mouse: ON --" }, { "exit\r", ANYWHERE, "all equal" });
	expect_end(t, 0);
}
END_TEST

/* Ctrl-C, views.md section 3. */

/* Minutes of work in a file that takes no room: zeros up to a NaN at the end. */
static char *long_dump(void)
{
	char *dir = scratch_new();
	struct str path = {0};

	dump_put(dir, SMALL_DEVICE "/small_0_DebugIdentity_1000", "", 0);
	str_fmt(&path, "%s/%s/huge_0_DebugIdentity_1001", dir, SMALL_DEVICE);
	ck_assert(huge_write(path.text, "huge", 0, 2, (const int64_t[]){ 1000000, 250000 }));
	str_release(&path);
	return dir;
}

START_TEST(keys_are_answered_while_a_job_runs)
{
	char *dir = long_dump();
	const char *const args[] = { dir, NULL };
	struct terminal *t = start_in(NULL, args, NULL, 24, 80);

	PLAY(t, { "", 3, "2 dumped tensor(s):" },
	     { "lt -f has_inf_or_nan\r", 21, "(Ctrl-C stops)" },
	     { "half a line", 22, "tfdbg> half a line" }, /* the prompt goes on */
	     { "<Esc>", CURSOR, "6,0" }, /* and so do the view, its rows, the help */
	     { "kkkj", CURSOR, "4,0" }, { "h", ANYWHERE, "Everywhere" },
	     { "", 21, "(Ctrl-C stops)" },
	     { "\x03", GONE, "(Ctrl-C stops)" }, /* 1: the job, and nothing else */
	     { "", ANYWHERE, "Everywhere" }, { "\x03", GONE, "Everywhere" }, /* 2: what is open */
	     { ":", 22, "tfdbg> half a line" },
	     { "\x03", CURSOR, "22,7" }, /* 3: the line, into the history */
	     { "<Up>", 22, "tfdbg> half a line" }, { "\x03", CURSOR, "22,7" },
	     { "\x03", 20, "Press Ctrl-C again to leave." }, /* 4: how to leave, then leave */
	     { "\x03", 21, "Leave tensordbg? (y/n)" });
	terminal_type(t, "\x03");
	expect_end(t, 0);
	scratch_remove(dir);
}
END_TEST

/* 5: from outside it stops the job; without one it says how to leave, and the prompt stays. */
START_TEST(interrupts_from_outside)
{
	char *dir = long_dump();
	const char *const args[] = { dir, NULL };
	struct terminal *t = start_in(NULL, args, NULL, 24, 80);

	PLAY(t, { "", 3, "2 dumped tensor(s):" }, { "pt -s -D CPU huge:0\r", 21, "(Ctrl-C stops)" },
	     { "kept", 22, "tfdbg> kept" });
	terminal_signal(t, SIGINT);
	PLAY(t, { "", GONE, "(Ctrl-C stops)" }, { "", 22, "tfdbg> kept" });
	terminal_signal(t, SIGINT);
	PLAY(t, { "", 20, "Press Ctrl-C again to leave." }, { "", 22, "tfdbg> kept" },
	     { "\x03", CURSOR, "22,7" },
	     /* leaving does not wait for a job */
	     { "pt -s -D CPU huge:0\r", 21, "(Ctrl-C stops)" });
	terminal_press(t, TKEY_F0 + 10);
	expect_end(t, 0);
	scratch_remove(dir);
}
END_TEST

START_TEST(line_mode_is_interrupted)
{
	char *dir = long_dump();
	const char *const args[] = { "--ui=line", dir, NULL };
	struct terminal *t = start_in(NULL, args, NULL, 24, 80);

	PLAY(t, { "", ANYWHERE, "tfdbg>" }, { "half", ANYWHERE, "tfdbg> half" },
	     { "\x03version\r", ANYWHERE, "tfdbg> version" }, /* the line */
	     { "pt -s -D CPU huge:0\r", ANYWHERE, "/500000000000 " },
	     { "\x03" "echo? no\r", ANYWHERE, "tfdbg> echo? no" }, /* the job */
	     { "", ANYWHERE, "Invalid command prefix \"echo?\"" });
	leave_by_exit(t);
	scratch_remove(dir);
}
END_TEST

/* Ctrl-D while no line is read: the terminal keeps it, and there is no next line. */
START_TEST(line_mode_ends_between_lines)
{
	char *dir = long_dump();
	const char *const args[] = { "--ui=line", dir, NULL };
	struct terminal *t = start_in(NULL, args, NULL, 24, 80);

	PLAY(t, { "", ANYWHERE, "tfdbg>" }, { "pt -s -D CPU huge:0\r", ANYWHERE,
	                                      "/500000000000 " });
	terminal_type(t, "\x04");
	terminal_signal(t, SIGINT);
	expect_end(t, 0);
	scratch_remove(dir);
}
END_TEST

/* Typed there, a line gets the answer that -c gives it: with what was said of the files. */
START_TEST(line_mode_answers_as_data)
{
	const char *const args[] = { "--ui=line", "--format=json", "testdata/v2/remote", NULL };
	struct terminal *t = start_in(NULL, args, NULL, 24, 80);

	PLAY(t, { "", ANYWHERE, "tfdbg>" }, { "lx -f\r", ANYWHERE, "[\"tfdbg_events." });
	leave_by_exit(t);
}
END_TEST

SUITE_MAIN("terminals",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, any_terminal_locale_and_colour, 0, N_COMBINATIONS);
	tcase_add_loop_test(t, a_locale_the_system_has_not, 0, ROWS(from_elsewhere));
	tcase_add_loop_test(t, regions_are_where_they_belong, 0, ROWS(regions));
	tcase_add_test(t, a_storm_of_sizes);
	tcase_add_loop_test(t, vast_screens, 0, ROWS(vast));
	tcase_add_loop_test(t, names_reach_no_terminal_raw, 0, ROWS(shown_in));
	tcase_add_loop_test(t, text_of_another_locale, 0, ROWS(shown_in));
	tcase_add_loop_test(t, any_deadly_signal_restores, 0, ROWS(deadly));
	tcase_add_loop_test(t, line_mode_restores_too, 0, ROWS(deadly));
	tcase_add_loop_test(t, signals_in_the_midst, 0, ROWS(deadly));
	tcase_add_loop_test(t, the_last_row_is_left_empty, 0, ROWS(last_rows));
	tcase_add_test(t, no_memory_restores_and_says_so);
	tcase_add_test(t, stopped_and_gone_on);
	tcase_add_test(t, keys_are_answered_while_a_job_runs);
	tcase_add_test(t, interrupts_from_outside);
	tcase_add_test(t, line_mode_is_interrupted);
	tcase_add_test(t, line_mode_answers_as_data);
	tcase_add_test(t, line_mode_ends_between_lines);
)
