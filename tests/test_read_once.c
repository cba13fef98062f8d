/*
 * A tensor is read once a session, whichever command is first, and a run is listed once or twice:
 * files and directories that are opened are counted.
 */
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

enum { RUNS = 5 };
static const char *const growing[RUNS] = {
	"w:0@1=1,-2 x:0@2=5 c:0@3=7", "w:0@1=10,-2.5 x:0@2=0 c:0@3=7",
	"w:0@1=-150,3 x:0@2=5e5 c:0@3=7", "w:0@1=12500,nan x:0@2=nan c:0@3=7",
	"w:0@1=nan x:0@2=5e8 c:0@3=7",
};
static const char *const soon_bad[RUNS] = {
	"w:0@1=1 x:0@2=5", "w:0@1=1 x:0@2=inf", "w:0@1=1 x:0@2=nan", "w:0@1=1 x:0@2=2",
	"w:0@1=1 x:0@2=nan",
};

static void put_run_path(size_t i, struct str *out)
{
	str_reset(out);
	str_fmt(out, "%s/run_17000000000%05zu_%zu", dir, i, i);
}

static void make_runs(const char *const *dumps)
{
	struct str run = {0};

	for (size_t i = 0; i < RUNS; i++) {
		str_reset(&run);
		str_fmt(&run, "run_17000000000%05zu_%zu/", i, i);
		dump_put(dir, run.text, NULL, 0);
		put_run_path(i, &run);
		word_dump_make(run.text, "w VariableV2; x Identity w; c Const", dumps[i]);
	}
	str_release(&run);
}

/* What is opened below a directory. */
static int watch_fd;

static int watch_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)at;
	return type == FTW_D && inotify_add_watch(watch_fd, path, IN_OPEN) < 0;
}

static void watch(const char *path)
{
	char room[4096];

	watch_fd = inotify_init1(IN_NONBLOCK);
	ck_assert_int_ge(watch_fd, 0);
	ck_assert_int_eq(nftw(path, watch_one, 8, FTW_PHYS), 0);
	while (read(watch_fd, room, sizeof room) > 0)
		;                        /* nftw has opened directories, too */
}

enum { MOST_FILES = 256 };
struct opens {
	struct map tensors;              /* by watch, which is one of a directory, and name */
	unsigned n[MOST_FILES];          /* of each */
	size_t directories;
	int runs[RUNS];                  /* of these, those of each run itself */
	struct arena mem;
};

static void count_open(struct opens *opens, const struct inotify_event *event)
{
	char file[300];
	uint32_t id;

	opens->directories += (event->mask & IN_ISDIR) != 0;
	if (event->len && !strncmp(event->name, "run_", strlen("run_")))
		opens->runs[(strrchr(event->name, '_')[1] - '0') % RUNS]++;
	if (!event->len || !strstr(event->name, "_DebugIdentity_"))
		return;
	snprintf(file, sizeof file, "%d/%s", event->wd, event->name);
	id = map_add(&opens->tensors, &opens->mem, file, strlen(file));
	ck_assert_uint_lt(id, MOST_FILES);
	opens->n[id]++;
}

/* What was opened since watch; ends it. */
static void watched(struct opens *opens)
{
	_Alignas(struct inotify_event) char room[65536];
	ssize_t len;

	*opens = (struct opens){0};
	while ((len = read(watch_fd, room, sizeof room)) > 0)
		for (char *at = room; at < room + len;) {
			const struct inotify_event *event = (struct inotify_event *)at;

			count_open(opens, event);
			at += sizeof *event + event->len;
		}
	close(watch_fd);
}

static void opens_release(struct opens *opens)
{
	map_release(&opens->tensors);
	arena_release(&opens->mem);
}

/* n_files: that are opened at least. */
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

	make_runs(growing);
	watch(dir);
	shell = session_of(dir);
	for (size_t i = 0; sessions[_i].line[i]; i++) {
		struct str out = {0};

		ck_assert_msg(session_ask(shell, sessions[_i].line[i], &out), "%s", out.text);
		str_release(&out);
	}
	shell_free(shell);
	watched(&opens);
	ck_assert_uint_ge(opens.tensors.len, sessions[_i].n_files);
	for (size_t i = 0; i < opens.tensors.len; i++)
		ck_assert_msg(opens.n[i] == 1, "%s: %u times", opens.tensors.key[i], opens.n[i]);
	opens_release(&opens);
}
END_TEST

/* An origin in a late run is looked for once more, in the sizes of the runs before it. */
static const struct { const char *before, *line; bool is_late; int most, again; } lists[] = {
	{ NULL, "runs", false, 1, 0 }, { NULL, "drift", false, 1, 0 },
	{ NULL, "doctor", false, 1, 1 }, { NULL, "overview", false, 1, 0 },
	{ NULL, "overview", true, 2, 0 }, { "origins", "overview", true, 1, 0 },
	{ "doctor", "overview", false, 1, 0 }, { NULL, "overview --max-bytes 1", false, 2, 0 },
};

START_TEST(a_run_is_listed_once)
{
	struct shell *shell;
	struct opens opens;
	struct str said = {0};

	make_runs(lists[_i].is_late ? growing : soon_bad);
	shell = session_of(dir);
	if (lists[_i].before)
		ck_assert(session_ask(shell, lists[_i].before, &said));
	for (int again = 0; again < 2; again++) {
		int most = again ? lists[_i].again : lists[_i].most;

		watch(dir);
		ck_assert_msg(session_ask(shell, lists[_i].line, &said), "%s", said.text);
		watched(&opens);
		for (int i = 0; i < RUNS; i++)
			ck_assert_msg(opens.runs[i] <= most, "%s, asked %s, lists run %d %d times",
			              lists[_i].line, again ? "again" : "first", i + 1,
			              opens.runs[i]);
		opens_release(&opens);
	}
	str_release(&said);
	shell_free(shell);
}
END_TEST

/* Cancels once so many runs were read. */
static void stop_after_two(struct progress *progress)
{
	if (atomic_load(&progress->done) >= 2)
		atomic_store(&progress->cancel, true);
}

/* How many directories `origins` opens after it was stopped once. */
static size_t opened_after_a_stop(const char *plain)
{
	struct progress stopping = { .tick = stop_after_two };
	struct shell *shell = session_of(dir);
	struct str out = {0};
	struct answer answer;
	struct opens opens;

	shell_run(shell, "origins", 0, &stopping, &answer);
	ck_assert(answer.failed);
	answer_release(&answer);
	watch(dir);
	ck_assert(session_ask(shell, "origins", &out));
	watched(&opens);
	ck_assert_str_eq(out.text, plain);
	shell_free(shell);
	opens_release(&opens);
	str_release(&out);
	return opens.directories;
}

/*
 * Runs that the search was through with are not looked at when it goes on. Only one that was
 * stopped while it judged a run begins again, which does not happen each time.
 */
START_TEST(an_interrupted_search_goes_on)
{
	struct shell *shell;
	struct str plain = {0};
	struct opens all;
	size_t per_run;
	bool went_on = false;

	make_runs(soon_bad);
	shell = session_of(dir);
	watch(dir);
	ck_assert(session_ask(shell, "origins", &plain));
	watched(&all);
	shell_free(shell);
	per_run = all.directories / RUNS;        /* the heads of runs with a row are read, too */
	for (int i = 0; i < 20 && !went_on; i++)
		went_on = opened_after_a_stop(plain.text) + 2 * per_run <= all.directories;
	ck_assert(went_on);
	opens_release(&all);
	str_release(&plain);
}
END_TEST

SUITE_MAIN("read_once",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, an_interrupted_search_goes_on);
	tcase_add_loop_test(t, a_tensor_is_read_once, 0, ROWS(sessions));
	tcase_add_loop_test(t, a_run_is_listed_once, 0, ROWS(lists));)
