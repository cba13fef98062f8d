/*
 * The program over a line: --slow, which asks for little and reads nothing unasked, and terminals
 * without what a login shell brings along: no controlling terminal, no job control, screen(1).
 */
#include "tests/on_screen.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/program.h"
#include "tests/suite.h"

/* Tensors that are opened below a directory. */

static int watch_fd;

static int watch_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)at;
	return type == FTW_D && inotify_add_watch(watch_fd, path, IN_OPEN) < 0;
}

static void watch(const char *path)
{
	watch_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	ck_assert_int_ge(watch_fd, 0);
	ck_assert_int_eq(nftw(path, watch_one, 8, FTW_PHYS), 0);
}

/* Since watch; ends it. */
static size_t watched(void)
{
	_Alignas(struct inotify_event) char room[65536];
	size_t n = 0;
	ssize_t len;

	while ((len = read(watch_fd, room, sizeof room)) > 0)
		for (char *at = room; at < room + len;) {
			const struct inotify_event *event = (struct inotify_event *)at;

			n += event->len && strstr(event->name, "_DebugIdentity_");
			at += sizeof *event + event->len;
		}
	close(watch_fd);
	return n;
}

static const struct {
	const char *args[6];
	bool reads;
} slow[] = {
	{ { "mnist_nan", "--screen=modern", "--slow" }, false },
	{ { "mnist_nan", "--screen=tfdbg", "--slow" }, false },
	{ { "mnist_nan", "--screen=modern" }, true },
};

/* Of a dump of our own, as others read the one in testdata. */
static void copy_dump(void)
{
	const char *const copy[] = { "cp", "-r", "testdata/mnist_nan", home, NULL };
	struct program_run ran;

	program_run(copy, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	program_release(&ran);
}

/* What would be read while one looks has time to be read: whenever the screen is quiet. */
START_TEST(nothing_is_read_unasked)
{
	struct terminal *t;

	copy_dump();
	watch(home);
	t = start_in(home, slow[_i].args, NULL, 24, 80);
	ck_assert(terminal_wait_text(t, "Tensor name"));
	if (slow[_i].reads)
		ck_assert(terminal_wait_text(t, "1 origin"));
	for (int i = 0; i < 4; i++) {
		terminal_drain(t);
		terminal_press(t, TKEY_PAGE_DOWN);
	}
	terminal_drain(t);
	leave_by_key(t);
	ck_assert_int_eq(watched() > 0, slow[_i].reads);
}
END_TEST

START_TEST(asked_it_reads)
{
	const char *const args[] = { "mnist_nan", "--screen=modern", "--slow", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 80);

	PLAY(t, { "", ANYWHERE, "Tensor name" }, { "p", ANYWHERE, "No pictures with --slow" },
	     { ":lt -f has_inf_or_nan\r", ANYWHERE, "passing filter" }, { "", 6, "● [" });
	leave_by_key(t);
}
END_TEST

/* Started from something that is no login shell. */
static const struct {
	const char *script, *shows_stopped;
} starts[] = {
	{ "exec setsid -w \"$0\" \"$@\"", "" },
	{ "trap '' TSTP; exec \"$0\" \"$@\"", "Cannot suspend: no shell with job control" },
	{ "trap '' TSTP TTOU TTIN HUP; exec setsid -w \"$0\" \"$@\"",
	  "Cannot suspend: no shell with job control" },
};

START_TEST(without_job_control)
{
	const char *const argv[] = { "sh", "-c", starts[_i].script, program_path(),
	                             "--screen=tfdbg", "mnist_nan", NULL };
	struct terminal *t = terminal_start(argv, NULL, "testdata", 24, 80);

	ck_assert_ptr_nonnull(t);
	PLAY(t, { "", 3, "dumped tensor(s):" }, { "\x1a", ANYWHERE, starts[_i].shows_stopped },
	     { "lt -f has_inf_or_nan\r", ANYWHERE, "passing filter" },
	     { "!echo out''side\r", ANYWHERE, "outside" }, { "", ANYWHERE, "any key leads back" },
	     { "\r", 22, "tfdbg>" }, { "help\r", 1, "| <-- --> | help" });
	leave_by_key(t);
}
END_TEST

START_TEST(under_screen)
{
	const char *const argv[] = { "screen", "-q", "-c", "/dev/null", program_path(),
	                             "--screen=tfdbg", "mnist_nan", NULL };
	struct program_run ran;
	char sockets[4200];
	const char *const env[] = { sockets, NULL };
	struct terminal *t;

	program_run((const char *const[]){ "screen", "--version", NULL }, NULL, NULL, &ran);
	program_release(&ran);
	if (ran.status == 127) {
		puts("skipped: screen is not installed, nothing ran under it");
		return;
	}
	snprintf(sockets, sizeof sockets, "SCREENDIR=%s/screens", home);
	ck_assert_int_eq(mkdir(strchr(sockets, '/'), 0700), 0);
	t = terminal_start(argv, env, "testdata", 24, 80);
	ck_assert_ptr_nonnull(t);
	PLAY(t, { "", 3, "dumped tensor(s):" },
	     { "lt -f has_inf_or_nan\r", ANYWHERE, "passing filter" }, { "\x1b[6~", 22, "tfdbg>" });
	terminal_enter(t, "exit");
	ck_assert(terminal_wait_end(t, NULL));
	terminal_free(t);
}
END_TEST

SUITE_MAIN("remote",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, nothing_is_read_unasked, 0, ROWS(slow));
	tcase_add_test(t, asked_it_reads);
	tcase_add_loop_test(t, without_job_control, 0, ROWS(starts));
	tcase_add_test(t, under_screen);)
