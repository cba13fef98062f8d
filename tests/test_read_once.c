/* A tensor is read once a session, whoever asks first: files that are opened are counted. */
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "dump/base/map.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/program_files.h"
#include "tests/small_dump.h"
#include "tests/suite.h"
#include "tests/word_dump.h"

static char *dir;

static void setup(void)
{
	dir = scratch_new();
}

static void teardown(void)
{
	scratch_remove(dir);
}

static void make_runs(void)
{
	static const char *const dumps[] = {
		"w:0@1=1,-2 x:0@2=5 c:0@3=7", "w:0@1=10,-2.5 x:0@2=0 c:0@3=7",
		"w:0@1=-150,3 x:0@2=5e5 c:0@3=7", "w:0@1=12500,nan x:0@2=nan c:0@3=7",
		"w:0@1=nan x:0@2=5e8 c:0@3=7",
	};

	for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
		struct str run = {0};

		str_fmt(&run, "run_17000000000%05zu_%zu/", i, i);
		dump_put(dir, run.text, NULL, 0);
		str_reset(&run);
		str_fmt(&run, "%s/run_17000000000%05zu_%zu", dir, i, i);
		word_dump_make(run.text, "w VariableV2; x Identity w; c Const", dumps[i]);
		str_release(&run);
	}
}

/* How often each file was opened. A directory is known by the number of its watch. */
struct opens {
	int fd;
	struct map files;
	struct arena mem;
};

static int watch_fd;

static int watch_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)at;
	return type == FTW_D && inotify_add_watch(watch_fd, path, IN_OPEN) < 0;
}

static void opens_begin(struct opens *opens)
{
	*opens = (struct opens){ .fd = inotify_init1(IN_NONBLOCK) };
	watch_fd = opens->fd;
	ck_assert_int_ge(opens->fd, 0);
	ck_assert_int_eq(nftw(dir, watch_one, 8, FTW_PHYS), 0);
}

/* The most that one tensor's file was opened; *n_files: how many were at all. */
static unsigned opens_end(struct opens *opens, size_t *n_files)
{
	_Alignas(struct inotify_event) char room[65536];
	unsigned n[256] = {0}, most = 0;
	ssize_t len;

	while ((len = read(opens->fd, room, sizeof room)) > 0)
		for (char *at = room; at < room + len;) {
			const struct inotify_event *event = (struct inotify_event *)at;
			char file[300];
			uint32_t id;

			at += sizeof *event + event->len;
			if (!event->len || !strstr(event->name, "_DebugIdentity_"))
				continue;
			snprintf(file, sizeof file, "%d/%s", event->wd, event->name);
			id = map_add(&opens->files, &opens->mem, file, strlen(file));
			ck_assert_uint_lt(id, sizeof n / sizeof *n);
			most = ++n[id] > most ? n[id] : most;
		}
	*n_files = opens->files.len;
	close(opens->fd);
	map_release(&opens->files);
	arena_release(&opens->mem);
	return most;
}

static const struct { const char *line[5]; size_t n_files; } sessions[] = {
	{ { "overview" }, 15 },
	{ { "overview", "overview" }, 15 },
	{ { "origins", "drift" }, 15 },
	{ { "drift", "origins" }, 15 },
	{ { "drift", "doctor", "du -g dtype", "overview" }, 15 },
	{ { "doctor", "doctor" }, 15 },
	{ { "run -f has_inf_or_nan" }, 12 },
	{ { "run -f has_inf_or_nan", "origins", "drift", "runs -f has_inf_or_nan" }, 15 },
	{ { "drift", "run -f has_inf_or_nan", "lt -f has_inf_or_nan" }, 15 },
};

START_TEST(a_tensor_is_read_once)
{
	struct shell *shell;
	struct opens opens;
	size_t n_files;

	make_runs();
	opens_begin(&opens);
	shell = session_of(dir);
	for (size_t i = 0; sessions[_i].line[i]; i++) {
		struct str out = {0};

		ck_assert_msg(session_ask(shell, sessions[_i].line[i], &out), "%s", out.text);
		str_release(&out);
	}
	shell_free(shell);
	ck_assert_uint_eq(opens_end(&opens, &n_files), 1);
	ck_assert_uint_eq(n_files, sessions[_i].n_files);
}
END_TEST

SUITE_MAIN("read_once",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, a_tensor_is_read_once, 0, ROWS(sessions));)
