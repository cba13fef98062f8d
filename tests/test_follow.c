#include "tests/suite.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/str.h"
#include "dump/follow.h"
#include "dump/v1/run_v1.h"
#include "tests/program.h"

/*
 * What one process does to a directory another one sees at once: a change is made, then it is read.
 * Each test runs twice, with events and by looking; the clock is the test's own.
 */

static char *scratch;
static struct follow *follow;
static int64_t now_ms;
static struct follow_news news;

static const char *in_scratch(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof path, "%s/%s", scratch, name);
	return path;
}

static void put_dir(const char *name)
{
	ck_assert_int_eq(mkdir(in_scratch(name), 0777), 0);
}

static int open_new(const char *name)
{
	int fd = open(in_scratch(name), O_WRONLY | O_CREAT | O_APPEND, 0666);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static void put_file(const char *name, const char *text)
{
	int fd = open_new(name);

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

/* Everything that has changed, as one line: "+" the path came, "-" it went, "runs", then names. */
static const char *read_news(void)
{
	static struct str line;

	str_reset(&line);
	now_ms += FOLLOW_LOOK_MS;
	follow_read(follow, now_ms, &news);
	str_fmt(&line, "%s%s%s", news.came ? "+ " : "", news.went ? "- " : "",
	        news.runs ? "runs " : "");
	for (size_t i = 0; i < news.n_changed; i++)
		str_fmt(&line, "%s ", news.changed[i]);
	ck_assert_int_eq(news.any, line.len > 0);
	return str_text(&line);
}

static void begin(const char *path, int look)
{
	follow = follow_start(path, &reader_v1, look, now_ms);
	ck_assert_ptr_eq(follow_note(follow), look ? follow_note(follow) : NULL);
	ck_assert_int_eq(follow_fd(follow) < 0, look);
}

static void set_up(void)
{
	scratch = scratch_new();
	now_ms = 1000000;
}

static void tear_down(void)
{
	follow_free(follow);
	follow = NULL;
	scratch_remove(scratch);
}

START_TEST(tells_of_runs_and_their_files)
{
	put_dir("run_1_0");
	put_file("run_1_0/_tfdbg_fetches_info_", "x");
	begin(scratch, _i);
	ck_assert_str_eq(read_news(), "");
	put_file("run_1_0/a", "1");
	ck_assert_str_eq(read_news(), "run_1_0 ");
	put_dir("run_2_1");
	put_dir("run_2_1/device");
	put_dir("run_2_1/device/scope");
	put_file("run_2_1/device/scope/t", "1");
	ck_assert_str_eq(read_news(), "runs run_2_1 ");
	put_file("run_2_1/device/scope/t", "2");
	put_file("run_1_0/b", "1");
	ck_assert_str_eq(read_news(), "run_1_0 run_2_1 ");
	ck_assert_str_eq(read_news(), "");
}
END_TEST

START_TEST(tells_of_a_dump_that_grows_in_place)
{
	put_dir("_tfdbg_device_,job_localhost");
	begin(scratch, _i);
	put_dir("_tfdbg_device_,job_localhost/scope");
	put_file("_tfdbg_device_,job_localhost/scope/t", "1");
	ck_assert_str_eq(read_news(), ". ");
	put_file("_tfdbg_device_,job_localhost/scope/u", "1");
	ck_assert_str_eq(read_news(), ". ");
	put_file("_tfdbg_core_metadata_", "1");
	ck_assert_str_eq(read_news(), ". ");
	put_dir("_tfdbg_device_2");
	put_file("_tfdbg_device_2/t", "1");
	ck_assert_str_eq(read_news(), ". ");
}
END_TEST

START_TEST(tells_of_deleted_and_renamed_runs)
{
	char *to;

	put_dir("run_1_0");
	put_dir("run_2_1");
	put_file("run_1_0/a", "1");
	put_file("run_2_1/a", "1");
	begin(scratch, _i);
	unlink(in_scratch("run_1_0/a"));
	ck_assert_int_eq(rmdir(in_scratch("run_1_0")), 0);
	ck_assert_ptr_nonnull(strstr(read_news(), "runs"));
	to = strdup(in_scratch("run_3_1"));
	ck_assert_int_eq(rename(in_scratch("run_2_1"), to), 0);
	free(to);
	ck_assert_ptr_nonnull(strstr(read_news(), "runs"));
	put_file("run_3_1/b", "1");
	ck_assert_ptr_nonnull(strstr(read_news(), "run_3_1"));
	ck_assert_str_eq(read_news(), "");
}
END_TEST

START_TEST(waits_for_a_path_that_is_not_there)
{
	char *path = strdup(in_scratch("a/b/root"));

	begin(path, _i);
	ck_assert_str_eq(read_news(), "");
	put_dir("a");
	ck_assert_str_eq(read_news(), "");
	put_dir("a/other");
	put_dir("a/b");
	ck_assert_str_eq(read_news(), "");
	put_dir("a/b/root");
	put_dir("a/b/root/run_1_0");
	put_file("a/b/root/run_1_0/t", "1");
	ck_assert_str_eq(read_news(), "+ runs . run_1_0 ");
	put_file("a/b/root/run_1_0/u", "1");
	ck_assert_str_eq(read_news(), "run_1_0 ");
	free(path);
}
END_TEST

/* Nothing ever comes there, but it is no reason to fall over. */
START_TEST(waits_for_a_path_without_a_name)
{
	begin("", _i);
	follow_read(follow, now_ms, &news);
	ck_assert(!news.came);
}
END_TEST

START_TEST(waits_for_a_path_that_went)
{
	char *path = strdup(in_scratch("root"));

	put_dir("root");
	begin(path, _i);
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert_ptr_nonnull(strstr(read_news(), "- "));
	put_dir("root");
	ck_assert_ptr_nonnull(strstr(read_news(), "+ "));
	put_dir("root/run_1_0");
	ck_assert_ptr_nonnull(strstr(read_news(), "runs run_1_0"));
	free(path);
}
END_TEST

/* Only the last few are watched; an old one is taken up again when it comes anew. */
START_TEST(follows_the_last_of_many_runs)
{
	char name[64];

	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "run_%03d_%d", i, i);
		put_dir(name);
	}
	begin(scratch, _i);
	put_file("run_000_0/t", "1");
	ck_assert_str_eq(read_news(), "");
	put_file("run_099_99/t", "1");
	ck_assert_str_eq(read_news(), "run_099_99 ");
	for (int i = 100; i < 120; i++) {
		snprintf(name, sizeof name, "run_%03d_%d", i, i);
		put_dir(name);
		snprintf(name, sizeof name, "runs run_%03d_%d ", i, i);
		ck_assert_str_eq(read_news(), name);
	}
	put_file("run_119_119/t", "1");
	ck_assert_str_eq(read_news(), "run_119_119 ");
}
END_TEST

/* Growing is seen with events only, and does not make a file ready. */
START_TEST(a_file_is_ready_when_it_is_closed)
{
	int fd;

	put_dir("run_1_0");
	begin(scratch, false);
	ck_assert_int_eq(follow_last_ms(follow, "run_1_0"), -1);
	fd = open_new("run_1_0/t");
	ck_assert_str_eq(read_news(), "run_1_0 ");
	ck_assert_int_eq(write(fd, "x", 1), 1);
	ck_assert_str_eq(read_news(), "");
	ck_assert_int_eq(follow_last_ms(follow, "run_1_0"), now_ms);
	close(fd);
	ck_assert_str_eq(read_news(), "run_1_0 ");
}
END_TEST

START_TEST(never_follows_links)
{
	char *target = strdup(in_scratch("elsewhere"));

	put_dir("elsewhere");
	put_dir("root");
	put_dir("root/run_1_0");
	ck_assert_int_eq(symlink(target, in_scratch("root/run_1_0/link")), 0);
	ck_assert_int_eq(symlink(target, in_scratch("root/run_2_0")), 0);
	free(target);
	begin(in_scratch("root"), _i);
	put_file("elsewhere/t", "1");
	ck_assert_str_eq(read_news(), "");
}
END_TEST

/* More events than the queue takes: all is looked at again, nothing is missed. */
START_TEST(lost_events_lose_nothing)
{
	FILE *limit = fopen("/proc/sys/fs/inotify/max_queued_events", "re");
	long max = 0;

	ck_assert(limit && fscanf(limit, "%ld", &max) == 1);
	fclose(limit);
	put_dir("run_1_0");
	begin(scratch, false);
	for (long i = 0; i <= max; i++) {
		const char *from = i % 2 ? "run_1_0/b" : "run_1_0/a";
		char *to;

		if (!i)
			put_file(from, "x");
		to = strdup(in_scratch(i % 2 ? "run_1_0/a" : "run_1_0/b"));
		ck_assert_int_eq(rename(in_scratch(from), to), 0);
		free(to);
	}
	put_dir("run_2_1");
	ck_assert_ptr_nonnull(strstr(read_news(), "runs"));
	put_file("run_2_1/t", "1");
	ck_assert_str_eq(read_news(), "run_2_1 ");
}
END_TEST

/* A caller may sleep until the descriptor is readable, or as long as it is told. */
START_TEST(says_how_long_to_sleep)
{
	struct pollfd ready;

	begin(scratch, _i);
	ck_assert_int_eq(follow_sleep_ms(follow, now_ms), _i ? FOLLOW_LOOK_MS : -1);
	ck_assert_int_eq(follow_sleep_ms(follow, now_ms + 400), _i ? FOLLOW_LOOK_MS - 400 : -1);
	put_dir("run_1_0");
	if (_i)
		return;
	ready = (struct pollfd){ follow_fd(follow), POLLIN, 0 };
	ck_assert_int_eq(poll(&ready, 1, 10000), 1);
}
END_TEST

SUITE_MAIN("follow",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_loop_test(t, tells_of_runs_and_their_files, 0, 2);
	tcase_add_loop_test(t, tells_of_a_dump_that_grows_in_place, 0, 2);
	tcase_add_loop_test(t, tells_of_deleted_and_renamed_runs, 0, 2);
	tcase_add_loop_test(t, waits_for_a_path_that_is_not_there, 0, 2);
	tcase_add_loop_test(t, waits_for_a_path_without_a_name, 0, 2);
	tcase_add_loop_test(t, waits_for_a_path_that_went, 0, 2);
	tcase_add_loop_test(t, follows_the_last_of_many_runs, 0, 2);
	tcase_add_test(t, a_file_is_ready_when_it_is_closed);
	tcase_add_loop_test(t, never_follows_links, 0, 2);
	tcase_add_test(t, lost_events_lose_nothing);
	tcase_add_loop_test(t, says_how_long_to_sleep, 0, 2);
)
