/*
 * Files written whole or not at all: what a failure, a cancel and a signal leave, what links,
 * permissions and pipes make of it.
 */
#include "dump/base/writer.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

static char *dir;

static void make_dir(void)
{
	dir = scratch_new();
	ck_assert_int_eq(chdir(dir), 0);
	umask(022);
}

static void remove_dir(void)
{
	scratch_remove(dir);
}

static void put(const char *path, const char *text)
{
	dump_put(".", path, text, strlen(text));
}

static void expect(const char *path, const char *text)
{
	struct str got = {0};

	ck_assert_msg(read_whole(path, &got), "%s", path);
	ck_assert_str_eq(str_text(&got), text);
	str_release(&got);
}

static size_t n_files(void)
{
	DIR *all = opendir(".");
	struct dirent *entry;
	size_t n = 0;

	while ((entry = readdir(all)))
		n += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(all);
	return n;
}

static bool write_file(const char *path, enum writer_how how, const char *text, struct err *err)
{
	struct writer *writer = writer_open(path, how, err);

	if (!writer)
		return false;
	fputs(text, writer_stream(writer));
	return writer_close(writer, true, NULL, err);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	ck_assert_int_eq(lstat(path, &st), 0);
	return st.st_mode & 07777;
}

START_TEST(old_or_new_never_between)
{
	struct writer *writer;
	uint64_t size;

	put("f", "old");
	writer = writer_open("f", WRITER_REPLACE, NULL);
	fputs("new text", writer_stream(writer));
	fflush(writer_stream(writer));
	expect("f", "old");
	ck_assert(writer_close(writer, true, &size, NULL));
	ck_assert_uint_eq(size, 8);
	expect("f", "new text");
	writer = writer_open("f", WRITER_REPLACE, NULL);
	fputs("third", writer_stream(writer));
	ck_assert(!writer_close(writer, false, NULL, NULL));
	expect("f", "new text");
	ck_assert_uint_eq(n_files(), 1);
}
END_TEST

START_TEST(append_keeps_what_there_is)
{
	struct writer *writer;

	ck_assert(write_file("f", WRITER_APPEND, "one", NULL));
	ck_assert(write_file("f", WRITER_APPEND, "two", NULL));
	expect("f", "onetwo");
	writer = writer_open("f", WRITER_APPEND, NULL);
	fputs("three", writer_stream(writer));
	fflush(writer_stream(writer));
	expect("f", "onetwo");
	ck_assert(!writer_close(writer, false, NULL, NULL));
	expect("f", "onetwo");
	writer = writer_open("g", WRITER_APPEND, NULL);
	fputs("one", writer_stream(writer));
	ck_assert(!writer_close(writer, false, NULL, NULL));
	ck_assert_uint_eq(n_files(), 1);
}
END_TEST

static const enum writer_how hows[] = { WRITER_REPLACE, WRITER_PRIVATE, WRITER_APPEND };

/* SIGXFSZ is as the system has it: it would end the program. */
START_TEST(no_room_is_told_and_leaves_the_old_file)
{
	static const size_t lengths[] = { 2000, 200000 };
	size_t len = lengths[_i / 3];
	char *text = mem_alloc(len + 1);
	struct err err = {0};

	memset(text, 'x', len);
	put("f", "old");
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 1000, 1000 }), 0);
	ck_assert(!write_file("f", hows[_i % 3], text, &err));
	ck_assert_int_eq(err.code, ERR_IO);
	ck_assert_str_eq(err.src, "command");
	ck_assert_str_eq(err.msg, "f: File too large");
	expect("f", "old");
	ck_assert_uint_eq(n_files(), 1);
	free(text);
}
END_TEST

/* An append whose last step fails: all was rendered, and the file has room for a part only. */
static bool append_too_much(const char *path, const char *between)
{
	struct writer *writer = writer_open(path, WRITER_APPEND, NULL);

	ck_assert_ptr_nonnull(writer);
	for (int i = 0; i < 200; i++)
		fputs("0123456789", writer_stream(writer));
	fflush(writer_stream(writer));
	if (between)
		put("f", between);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 1000, RLIM_INFINITY });
	return writer_close(writer, true, NULL, NULL);
}

START_TEST(a_failed_append_leaves_the_link)
{
	struct stat st;

	ck_assert_int_eq(symlink("f", "link"), 0);
	ck_assert(!append_too_much("link", NULL));
	ck_assert_int_eq(lstat("link", &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_uint_eq(n_files(), 1);
}
END_TEST

/* Another process made the file after the writer was opened. */
static const char *const of_others[] = { "", "what another process wrote" };

START_TEST(a_failed_append_leaves_the_file_of_another)
{
	ck_assert(!append_too_much("f", of_others[_i]));
	expect("f", of_others[_i]);
}
END_TEST

START_TEST(a_failed_append_to_standard_output)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (!freopen("f", "w", stdout))
			_exit(3);
		fputs("before ", stdout);
		fflush(stdout);
		if (append_too_much("f", NULL))
			_exit(4);
		fputs("behind", stdout);
		_exit(fflush(stdout) ? 5 : 0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	expect("f", "before behind");
}
END_TEST

/* Only root can make so small a file system. */
START_TEST(a_full_temporary_directory_is_named)
{
	struct str room = {0}, wanted = {0};
	struct err err = {0};
	char text[4096 * 32];

	ck_assert_int_eq(mkdir("small", 0700), 0);
	if (geteuid() || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", "small", "tmpfs", 0, "size=64k"))
		return;
	str_fmt(&room, "%s/small", dir);
	setenv("TMPDIR", room.text, 1);
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	ck_assert(!write_file("f", WRITER_APPEND, text, &err));
	umount2("small", MNT_DETACH);
	str_fmt(&wanted, "f: no room for the output in %s: No space left on device", room.text);
	ck_assert_str_eq(err.msg, wanted.text);
	ck_assert_uint_eq(n_files(), 1);
	str_release(&room);
	str_release(&wanted);
}
END_TEST

START_TEST(links_are_followed)
{
	ck_assert_int_eq(mkdir("d", 0700), 0);
	ck_assert_int_eq(symlink("../b", "d/a"), 0);
	ck_assert_int_eq(symlink("c", "b"), 0);
	ck_assert(write_file("d/a", WRITER_REPLACE, "first", NULL)); /* leads to nothing yet */
	expect("c", "first");
	ck_assert(write_file("d/a", WRITER_REPLACE, "second", NULL));
	expect("c", "second");
	ck_assert(write_file("d/a", WRITER_APPEND, "third", NULL));
	expect("c", "secondthird");
	for (int i = 0; i < 2; i++) {
		struct stat st;

		ck_assert_int_eq(lstat(i ? "b" : "d/a", &st), 0);
		ck_assert(S_ISLNK(st.st_mode));
	}
	ck_assert_uint_eq(n_files(), 3);
}
END_TEST

START_TEST(links_in_a_ring_are_an_error)
{
	struct err err = {0};

	ck_assert_int_eq(symlink("b", "a"), 0);
	ck_assert_int_eq(symlink("a", "b"), 0);
	ck_assert(!write_file("a", hows[_i], "text", &err));
	ck_assert_uint_eq(n_files(), 2);
}
END_TEST

START_TEST(permissions_stay)
{
	static const mode_t modes[] = { 0600, 0666, 0755, 0640, 0444 };

	put("f", "old");
	ck_assert_int_eq(chmod("f", modes[_i]), 0);
	if (modes[_i] != 0444 || !geteuid()) {
		ck_assert(write_file("f", WRITER_REPLACE, "new", NULL));
		ck_assert(write_file("f", WRITER_PRIVATE, "new", NULL));
	} else {
		ck_assert(!write_file("f", WRITER_REPLACE, "new", NULL));
	}
	ck_assert_int_eq(mode_of("f"), modes[_i]);
	ck_assert(write_file("g", WRITER_REPLACE, "new", NULL));
	ck_assert_int_eq(mode_of("g"), 0644);
	ck_assert(write_file("h", WRITER_PRIVATE, "new", NULL));
	ck_assert_int_eq(mode_of("h"), 0600);
}
END_TEST

START_TEST(a_device_is_written)
{
	struct err err = {0};

	ck_assert(!write_file("/dev/full", hows[_i], "text", &err));
	ck_assert_str_eq(err.msg, "/dev/full: No space left on device");
	ck_assert(write_file("/dev/null", hows[_i], "text", NULL));
	ck_assert_int_eq(access("/dev/full", F_OK), 0);
	ck_assert_uint_eq(n_files(), 0);
}
END_TEST

START_TEST(a_pipe_is_written)
{
	struct writer *writer;
	struct err err = {0};
	char got[8] = "";
	int end;

	ck_assert_int_eq(mkfifo("p", 0600), 0);
	end = open("p", O_RDONLY | O_NONBLOCK);
	ck_assert(write_file("p", hows[_i], "text", NULL));
	ck_assert_int_eq(read(end, got, sizeof got), 4);
	writer = writer_open("p", hows[_i], NULL);
	fputs("half", writer_stream(writer));
	fflush(writer_stream(writer));
	ck_assert_int_eq(read(end, got, sizeof got), -1);        /* not before all is there */
	ck_assert(!writer_close(writer, false, NULL, NULL));
	ck_assert_int_eq(read(end, got, sizeof got), 0);
	writer = writer_open("p", hows[_i], NULL);
	close(end);                      /* the reader goes: no signal ends us */
	fputs("text", writer_stream(writer));
	ck_assert(!writer_close(writer, true, NULL, &err));
	ck_assert_str_eq(err.msg, "p: Broken pipe");
	ck_assert_uint_eq(n_files(), 1);
}
END_TEST

/* By whatever name: what comes behind it is still to arrive. */
START_TEST(standard_output_is_written_through)
{
	static const char *const names[] = { "f", "/dev/stdout", "/proc/self/fd/1" };
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (!freopen("f", "w", stdout))
			_exit(3);
		fputs("before ", stdout);
		if (!write_file(names[_i / 3], hows[_i % 3], "text", NULL))
			_exit(4);
		fputs(" behind", stdout);
		fflush(stdout);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	expect("f", "before text behind");
	ck_assert_uint_eq(n_files(), 1);
}
END_TEST

static const struct { const char *path, *message; } bad[] = {
	{ "none/f", "none/f: No such file or directory" },
	{ "d", "d: Is a directory" },
	{ "f/x", "f/x: Not a directory" },
};

START_TEST(a_bad_place_is_named)
{
	struct err err = {0};

	ck_assert_int_eq(mkdir("d", 0700), 0);
	put("f", "old");
	ck_assert_ptr_null(writer_open(bad[_i / 3].path, hows[_i % 3], &err)); /* before any work */
	ck_assert_int_eq(err.code, ERR_IO);
	ck_assert_str_eq(err.msg, bad[_i / 3].message);
	ck_assert_uint_eq(n_files(), 2);
}
END_TEST

START_TEST(a_long_path_leaves_room_for_the_reason)
{
	struct str path = {0};
	struct err err = {0};

	for (int i = 0; i < 100; i++)
		str_puts(&path, "none/");
	str_puts(&path, "file");
	ck_assert(!write_file(path.text, WRITER_REPLACE, "text", &err));
	ck_assert(!strncmp(err.msg, "...", 3));
	ck_assert_ptr_nonnull(strstr(err.msg, "/none/file: No such file or directory"));
	str_release(&path);
}
END_TEST

static const int mortal[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGALRM,
	                      SIGUSR1, SIGXCPU, SIGSEGV, SIGABRT };

START_TEST(a_signal_leaves_nothing)
{
	pid_t pid;
	int status;

	put("f", "old");
	pid = fork();
	if (!pid) {
		struct writer *writer;

		signal(mortal[_i], SIG_DFL);
		writer = writer_open("f", WRITER_REPLACE, NULL);
		fputs("new", writer_stream(writer));
		fflush(writer_stream(writer));
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		kill(getpid(), mortal[_i]);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), mortal[_i]);
	expect("f", "old");
	ck_assert_uint_eq(n_files(), 1);
}
END_TEST

/* A handler that lets the program go on stays the program's own. */
static volatile sig_atomic_t n_taken;

static void take(int number)
{
	(void)number;
	n_taken++;
}

START_TEST(handlers_of_others_stay)
{
	struct writer *writer;

	signal(SIGINT, take);
	signal(SIGUSR1, SIG_IGN);
	writer = writer_open("f", WRITER_REPLACE, NULL);
	raise(SIGINT);
	raise(SIGUSR1);
	ck_assert_int_eq(n_taken, 1);
	ck_assert(writer_close(writer, true, NULL, NULL));
	ck_assert_uint_eq(n_files(), 1);
}
END_TEST

/* More at a time than there are slots. */
START_TEST(many_at_a_time)
{
	struct writer *writers[20];
	char name[20][16];

	for (int i = 0; i < 20; i++) {
		snprintf(name[i], sizeof name[i], "f%d", i);
		writers[i] = writer_open(name[i], WRITER_REPLACE, NULL);
		ck_assert_ptr_nonnull(writers[i]);
		fprintf(writer_stream(writers[i]), "%d", i);
	}
	for (int i = 20; i-- > 0; )
		ck_assert(writer_close(writers[i], i % 2, NULL, NULL) == i % 2);
	expect("f19", "19");
	ck_assert_uint_eq(n_files(), 10);
}
END_TEST

/* Files that are finished wait beside their places; a signal removes them all. */
START_TEST(finished_files_wait)
{
	struct writer *writers[200];
	char name[16];
	pid_t pid;
	int status;

	for (int turn = 0; turn < 3; turn++) {
		put("f7", "old");
		pid = fork();
		if (pid) {
			ck_assert_int_eq(waitpid(pid, &status, 0), pid);
			ck_assert_int_eq(WIFSIGNALED(status), turn == 0);
			ck_assert(turn == 0 || !WEXITSTATUS(status));
			expect("f7", turn == 2 ? "7" : "old");
			ck_assert_uint_eq(n_files(), turn == 2 ? 200 : 1);
			continue;
		}
		signal(SIGTERM, SIG_DFL);
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 100, 100 });
		for (int i = 0; i < 200; i++) {
			snprintf(name, sizeof name, "f%d", i);
			writers[i] = writer_open(name, WRITER_REPLACE, NULL);
			fprintf(writer_stream(writers[i]), "%d", i);
			if (!writer_finish(writers[i], true, NULL, NULL))
				_exit(1);
		}
		if (turn == 0)
			kill(getpid(), SIGTERM);
		for (int i = 0; i < 200; i++)
			if (writer_place(writers[i], turn == 2, NULL) != (turn == 2))
				_exit(1);
		_exit(0);
	}
}
END_TEST

SUITE_MAIN("writer",
	tcase_add_checked_fixture(t, make_dir, remove_dir);
	tcase_add_test(t, old_or_new_never_between);
	tcase_add_test(t, append_keeps_what_there_is);
	tcase_add_loop_test(t, no_room_is_told_and_leaves_the_old_file, 0, 2 * ROWS(hows));
	tcase_add_test(t, a_failed_append_leaves_the_link);
	tcase_add_loop_test(t, a_failed_append_leaves_the_file_of_another, 0, ROWS(of_others));
	tcase_add_test(t, a_failed_append_to_standard_output);
	tcase_add_test(t, a_full_temporary_directory_is_named);
	tcase_add_test(t, links_are_followed);
	tcase_add_loop_test(t, links_in_a_ring_are_an_error, 0, ROWS(hows));
	tcase_add_loop_test(t, permissions_stay, 0, 5);
	tcase_add_loop_test(t, a_device_is_written, 0, ROWS(hows));
	tcase_add_loop_test(t, a_pipe_is_written, 0, ROWS(hows));
	tcase_add_loop_test(t, standard_output_is_written_through, 0, 3 * ROWS(hows));
	tcase_add_loop_test(t, a_bad_place_is_named, 0, ROWS(bad) * ROWS(hows));
	tcase_add_test(t, a_long_path_leaves_room_for_the_reason);
	tcase_add_loop_test(t, a_signal_leaves_nothing, 0, ROWS(mortal));
	tcase_add_test(t, handlers_of_others_stay);
	tcase_add_test(t, many_at_a_time);
	tcase_add_test(t, finished_files_wait);
)
