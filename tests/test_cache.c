/*
 * What is kept of a dump for the next time: it is taken as it was, said when it can't be, and never
 * the reason for another answer.
 */
#include "dump/files/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/model/graph_cache.h"
#include "dump/model/reader.h"
#include "dump/model/run_cache.h"
#include "dump/readers.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

static struct small_dump dump;
static char *cache_home;

static void set_up(void)
{
	small_dump_make(&dump);
	cache_home = scratch_new();
	setenv("XDG_CACHE_HOME", cache_home, 1);
	cache_least = 1;
	cache_rest_ns = 0;
}

static void tear_down(void)
{
	small_dump_remove(&dump);
	chmod(cache_home, 0700);
	scratch_remove(cache_home);
}

/* ---- sessions */

/* On a screen, at which nobody sits. */
static struct shell *on_screen(const char *dir)
{
	struct shell *shell = shell_new();
	struct err err = {0};

	ck_assert_msg(shell_open(shell, dir, &err), "%s", err.msg);
	shell_on_screen(shell);
	ck_assert_msg(shell_load(shell, NULL, &err), "%s", err.msg);
	return shell;
}

/* The same, without a cache. */
static struct shell *read_anew(const char *dir)
{
	struct shell *shell;

	cache_least = UINT64_MAX;
	shell = on_screen(dir);
	cache_least = 1;
	return shell;
}

/* Waits for the thread that minds the cache. */
static enum cache_end minded(struct shell *shell)
{
	static const struct timespec moment = { .tv_nsec = 1000000 };
	enum cache_end end = CACHE_NOTHING;

	shell_mind_cache(shell, NULL, NULL);
	while (shell_minds_cache(shell) && !(end = shell_take_cache_end(shell)))
		nanosleep(&moment, NULL);
	return end;
}

/* Opened, looked at and left. */
static void keep(const char *dir)
{
	struct shell *shell = on_screen(dir);

	minded(shell);
	shell_free(shell);
}

static void expect_note(struct shell *shell, const char *text)
{
	struct str note = {0};

	shell_take_cache_note(shell, &note);
	ck_assert_msg(*text ? strstr(str_text(&note), text) != NULL : !note.len, "\"%s\": \"%s\"",
	              text, str_text(&note));
	str_release(&note);
}

static const char *const commands[] = {
	"lt", "lt -s dump_size -r", "lt -n .*w.*", "ri", "du", "ni -a -d -t linear/xw",
	"li -r -c linear/pred", "lo linear/w", "pt linear/w:0", "graph",
};

/* The same to the byte, whether one side has its index from the cache or not. */
static void expect_same_answers(struct shell *a, struct shell *b)
{
	struct str x = {0}, y = {0};

	for (int i = 0; i < ROWS(commands); i++) {
		bool ok = session_ask(a, commands[i], &x);

		ck_assert_int_eq(session_ask(b, commands[i], &y), ok);
		ck_assert_msg(!strcmp(str_text(&x), str_text(&y)), "%s:\n%s\nor\n%s", commands[i],
		              str_text(&x), str_text(&y));
	}
	str_release(&x);
	str_release(&y);
}

START_TEST(opens_from_the_cache_and_checks)
{
	struct shell *plain = read_anew(dump.dir), *shell = on_screen(dump.dir);
	struct str title = {0};

	ck_assert(!shell_is_unchecked(shell));
	ck_assert_int_eq(minded(shell), CACHE_NOTHING);
	expect_note(shell, "");
	shell_free(shell);

	shell = on_screen(dump.dir);
	ck_assert(shell_is_unchecked(shell));
	shell_put_opened(shell, &title);
	ck_assert_msg(strstr(title.text, "4 tensors") && strstr(title.text, "cached, checking"),
	              "%s", title.text);
	expect_same_answers(shell, plain);
	ck_assert_int_eq(minded(shell), CACHE_CHECKED);
	expect_note(shell, "");
	ck_assert(!shell_is_unchecked(shell));
	str_reset(&title);
	shell_put_opened(shell, &title);
	ck_assert_msg(!strstr(title.text, "cached"), "%s", title.text);
	shell_free(shell);
	shell_free(plain);
	str_release(&title);
}
END_TEST

/* Whatever happened to PATH: what shows in the end is what is there, and it is said. */
#define TENSOR SMALL_DEVICE "/linear/w_0_DebugIdentity_1795219542612906"
#define GRAPH  SMALL_DEVICE "/_tfdbg_graph_hash10302119468154097461_1795219542604783"
static const struct {
	const char *change, *note;
} stale[] = {
	{ "cp " TENSOR " " SMALL_DEVICE "/linear/new_0_DebugIdentity_1795219542612907",
	  ": 1 tensor came" },
	{ "cp " TENSOR " " SMALL_DEVICE "/linear/w_0_DebugIdentity_1795219542612907",
	  ": 1 tensor came" },
	{ "rm " TENSOR, ": 1 tensor is gone" },
	{ "mv " TENSOR " " SMALL_DEVICE "/linear/v_0_DebugIdentity_1795219542612906",
	  ": 1 tensor came, 1 tensor is gone" },
	{ "echo >>" TENSOR, ": 1 tensor has another size" },
	{ ": >" TENSOR, ": 1 tensor has another size" },
	{ "mkdir " SMALL_DEVICE "/more && cp " TENSOR " " SMALL_DEVICE "/more/",
	  ": 1 tensor came" },
	{ "touch " SMALL_DEVICE "/stranger", "something that does not belong there" },
	{ "cp " GRAPH " " GRAPH "1", "the facts about the run differ" },
	{ "printf '\\062\\003\\022\\001x' >_tfdbg_fetches_info_",
	  "the facts about the run differ" },
	{ "touch " TENSOR, NULL },
	{ "cp " TENSOR " copy && mv -f copy " TENSOR, "The cache is not used" },
	{ "touch .", "what it is about has changed since" },
	{ "rm " GRAPH, "" },
};

START_TEST(a_change_of_path_is_found)
{
	struct str line = {0}, note = {0};
	struct program_run ran;
	struct shell *shell, *plain;
	enum cache_end end;

	keep(dump.dir);
	str_fmt(&line, "cd '%s' && %s", dump.dir, stale[_i].change);
	program_run((const char *const[]){ "sh", "-ec", line.text, NULL }, NULL, NULL, &ran);
	ck_assert_msg(ran.status == 0, "%s: %s", line.text, str_text(&ran.err));
	program_release(&ran);
	shell = on_screen(dump.dir);
	end = minded(shell);
	shell_take_cache_note(shell, &note);
	if (stale[_i].note)
		ck_assert_msg(strstr(str_text(&note), stale[_i].note) != NULL, "%s: %s", line.text,
		              str_text(&note));
	else
		ck_assert_int_eq(end, CACHE_CHECKED);
	if (end == CACHE_OUTDATED) {
		ck_assert(shell_reread(shell, NULL, NULL));
		shell_take_reread(shell);
	}
	ck_assert(!shell_is_unchecked(shell));
	plain = read_anew(dump.dir);
	expect_same_answers(shell, plain);
	shell_free(plain);
	shell_free(shell);
	str_release(&line);
	str_release(&note);
}
END_TEST

/* ---- the file */

static void put_path(const char *kind, const char *path, struct str *out)
{
	struct cache_of of;

	ck_assert(cache_of(&of, kind, path) && cache_path(&of, out));
	cache_of_release(&of);
}

static void write_whole(const char *path, const char *bytes, size_t len)
{
	FILE *out = fopen(path, "we");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(bytes, 1, len, out), len);
	ck_assert_int_eq(fclose(out), 0);
}

/* Is the index taken from the cache? If not, *why says why, or that there is none. */
static bool is_taken(struct str *why)
{
	struct arena mem = {0};
	struct place place = {0};
	const struct reader *reader = readers_look(dump.dir, &mem, &place, NULL);
	struct run *run = run_new(reader, dump.dir);
	struct err unusable = {0}, err = {0};
	bool taken = run_load_kept(run, NULL, &unusable, &err);

	if (taken)
		ck_assert_uint_eq(run->tensors.len, 4);
	str_reset(why);
	str_puts(why, unusable.msg);
	run_close(run);
	place_release(&place);
	arena_release(&mem);
	return taken;
}

START_TEST(no_byte_may_differ)
{
	struct str path = {0}, bytes = {0}, why = {0};

	keep(dump.dir);
	put_path("run", dump.dir, &path);
	ck_assert(read_whole(path.text, &bytes));
	ck_assert(is_taken(&why));
	for (size_t i = 0; i < bytes.len; i++) {
		bytes.text[i] ^= 0x41;
		write_whole(path.text, bytes.text, bytes.len);
		ck_assert_msg(!is_taken(&why) && why.len, "byte %zu", i);
		bytes.text[i] ^= 0x41;
	}
	for (size_t len = 0; len < bytes.len; len++) {
		write_whole(path.text, bytes.text, len);
		ck_assert_msg(!is_taken(&why) && why.len, "%zu bytes", len);
	}
	str_putc(&bytes, '\0');
	write_whole(path.text, bytes.text, bytes.len);
	ck_assert(!is_taken(&why) && why.len);
	write_whole(path.text, bytes.text, bytes.len - 1);
	ck_assert(is_taken(&why));
	str_release(&why);
	str_release(&bytes);
	str_release(&path);
}
END_TEST

START_TEST(the_version_counts)
{
	struct str path = {0}, bytes = {0};
	struct shell *shell;

	keep(dump.dir);
	put_path("run", dump.dir, &path);
	ck_assert(read_whole(path.text, &bytes));
	bytes.text[16] = '9';            /* behind the magic word */
	write_whole(path.text, bytes.text, bytes.len);
	shell = on_screen(dump.dir);
	ck_assert(!shell_is_unchecked(shell));
	expect_note(shell, "another version of the program wrote it");
	minded(shell);
	shell_free(shell);
	shell = on_screen(dump.dir);     /* now it is ours */
	ck_assert(shell_is_unchecked(shell));
	shell_free(shell);
	str_release(&bytes);
	str_release(&path);
}
END_TEST

START_TEST(it_is_for_its_owner_alone)
{
	struct str path = {0}, why = {0};
	struct stat st;

	keep(dump.dir);
	put_path("run", dump.dir, &path);
	ck_assert_int_eq(stat(path.text, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	ck_assert_int_eq(chmod(path.text, 0622), 0);
	ck_assert(!is_taken(&why));
	ck_assert_str_eq(why.text, "it is no file that only its owner can write");
	str_release(&why);
	str_release(&path);
}
END_TEST

START_TEST(small_dumps_are_not_kept)
{
	struct str why = {0};

	cache_least = 1000;
	keep(dump.dir);
	cache_least = 1;
	ck_assert(!is_taken(&why));
	ck_assert_str_eq(str_text(&why), "");
	cache_least = UINT64_MAX;        /* --no-cache */
	keep(dump.dir);
	cache_least = 1;
	ck_assert(!is_taken(&why));
	ck_assert_int_eq(rmdir(cache_home), 0);          /* nothing was made */
	ck_assert_int_eq(mkdir(cache_home, 0700), 0);
	str_release(&why);
}
END_TEST

/* Without a place nothing is kept; that is said once. */
static const char *const no_places[] = { "/dev/null/cache", "/nonexistent/a/b", NULL };

START_TEST(where_nothing_can_be_written)
{
	struct shell *shell = on_screen(dump.dir);

	if (no_places[_i])
		setenv("XDG_CACHE_HOME", no_places[_i], 1);
	else
		unsetenv("XDG_CACHE_HOME"), unsetenv("HOME");
	ck_assert_int_eq(minded(shell), CACHE_NOTHING);
	expect_note(shell, "Nothing is kept in the cache: ");
	ck_assert_int_eq(minded(shell), CACHE_NOTHING);
	expect_note(shell, "");
	shell_free(shell);
}
END_TEST

START_TEST(two_at_once)
{
	struct shell *a = on_screen(dump.dir), *b = on_screen(dump.dir);
	struct str why = {0};

	shell_mind_cache(a, NULL, NULL);
	shell_mind_cache(b, NULL, NULL);
	minded(a);
	minded(b);
	expect_note(a, "");
	expect_note(b, "");
	ck_assert(is_taken(&why));
	shell_free(a);
	shell_free(b);
	str_release(&why);
}
END_TEST

/* The thread is still at work, or its end was not taken. */
START_TEST(left_at_any_time)
{
	struct shell *shell = on_screen(dump.dir);

	shell_mind_cache(shell, NULL, NULL);
	shell_free(shell);
	shell = on_screen(dump.dir);
	shell_mind_cache(shell, NULL, NULL);
	shell_stop_minding_cache(shell);
	shell_free(shell);
}
END_TEST

START_TEST(the_oldest_go)
{
	static const char *const names[] = { "b.cache", "c.cache", "a.cache",
	                                     "tensordbg-1-0.part" };
	struct str path = {0};
	struct stat st;

	for (int i = 0; i < ROWS(names); i++) {
		struct timespec times[2] = { { .tv_sec = 1000 + i }, { .tv_sec = 1000 + i } };

		str_reset(&path);
		str_fmt(&path, "%s/%s", cache_home, names[i]);
		write_whole(path.text, "0123456789", 10);
		ck_assert_int_eq(utimensat(AT_FDCWD, path.text, times, 0), 0);
	}
	str_reset(&path);
	str_fmt(&path, "%s/not-ours", cache_home);
	write_whole(path.text, "0123456789", 10);
	cache_trim(cache_home, 25);
	ck_assert_int_eq(stat(path.text, &st), 0);
	for (int i = 0; i < ROWS(names); i++) {
		str_reset(&path);
		str_fmt(&path, "%s/%s", cache_home, names[i]);
		ck_assert_int_eq(stat(path.text, &st) == 0, i >= 2);
	}
	str_release(&path);
}
END_TEST

/* ---- graphs: good as long as the file is as it was */

START_TEST(a_graph_that_changed_is_read)
{
	struct str path = {0}, kept = {0}, bytes = {0};
	struct graph *graph;

	str_fmt(&path, "%s/graph.pb", dump.dir);
	ck_assert(read_whole("testdata/profile/linear/graph.pb", &bytes));
	write_whole(path.text, bytes.text, bytes.len);
	graph = graph_open(path.text, 0, UINT64_MAX, NULL, NULL, NULL);
	ck_assert(graph_is_worth_keeping(graph));
	cache_rest_ns = INT64_MAX;
	ck_assert(!graph_put_in_cache(graph, NULL, NULL));
	cache_rest_ns = 0;
	ck_assert(graph_put_in_cache(graph, NULL, NULL));
	graph_close(graph);

	graph = graph_open(path.text, 0, UINT64_MAX, NULL, NULL, NULL);
	ck_assert(!graph_is_worth_keeping(graph));       /* it came from there */
	graph_close(graph);
	graph = graph_open(path.text, 0, bytes.len - 1, NULL, NULL, NULL);
	ck_assert(!graph || !graph_is_whole(graph) || graph_is_worth_keeping(graph));
	graph_close(graph);

	put_path("graph", path.text, &kept);
	write_whole(path.text, bytes.text, bytes.len);   /* the same bytes, at another time */
	graph = graph_open(path.text, 0, UINT64_MAX, NULL, NULL, NULL);
	ck_assert(graph_is_worth_keeping(graph));
	ck_assert(graph_put_in_cache(graph, NULL, NULL));
	graph_close(graph);
	str_release(&path);
	str_release(&kept);
	str_release(&bytes);
}
END_TEST

/* Is the graph in the file taken from the cache? However that is, it is the same. */
static bool graph_is_taken(const char *path, uint32_t n_nodes)
{
	struct graph *graph = graph_open(path, 0, UINT64_MAX, NULL, NULL, NULL);
	bool taken;

	ck_assert_ptr_nonnull(graph);
	ck_assert_uint_eq(graph_len(graph), n_nodes);
	taken = !graph_is_worth_keeping(graph);
	graph_close(graph);
	return taken;
}

START_TEST(no_byte_of_a_graph_may_differ)
{
	struct str path = {0}, kept = {0}, bytes = {0};
	struct graph *graph;
	uint32_t n_nodes;

	str_fmt(&path, "%s/graph.pb", dump.dir);
	ck_assert(read_whole("testdata/profile/linear/graph.pb", &bytes));
	write_whole(path.text, bytes.text, bytes.len);
	graph = graph_open(path.text, 0, UINT64_MAX, NULL, NULL, NULL);
	n_nodes = graph_len(graph);
	ck_assert(graph_put_in_cache(graph, NULL, NULL));
	graph_close(graph);
	put_path("graph", path.text, &kept);
	str_reset(&bytes);
	ck_assert(read_whole(kept.text, &bytes));
	for (size_t i = 0; i < bytes.len; i++) {
		bytes.text[i] ^= 0x41;
		write_whole(kept.text, bytes.text, bytes.len);
		ck_assert_msg(!graph_is_taken(path.text, n_nodes), "byte %zu of %zu", i, bytes.len);
		bytes.text[i] ^= 0x41;
		write_whole(kept.text, bytes.text, i);
		ck_assert_msg(!graph_is_taken(path.text, n_nodes), "%zu bytes", i);
	}
	write_whole(kept.text, bytes.text, bytes.len);
	ck_assert(graph_is_taken(path.text, n_nodes));
	str_release(&path);
	str_release(&kept);
	str_release(&bytes);
}
END_TEST

static const char *const recorded[] = {
	"testdata/mnist_nan", "testdata/two_devices", "testdata/linear", "testdata/dtypes",
	"testdata/tf1.0.0_loop", "testdata/tf0.12.1_loop", "testdata/acausal",
	"testdata/damaged_tensors",
};

/* Of a recording, whether it is kept or not, nothing is answered in another way. */
START_TEST(recordings_answer_the_same)
{
	static const char *const lines[] = { "lt", "ri", "du -g op", "lt -f has_inf_or_nan",
	                                     "origins", "graph" };
	struct shell *plain = read_anew(recorded[_i]), *kept;
	struct str x = {0}, y = {0};

	keep(recorded[_i]);
	kept = on_screen(recorded[_i]);
	for (int i = 0; i < ROWS(lines); i++) {
		bool ok = session_ask(plain, lines[i], &x);

		ck_assert_int_eq(session_ask(kept, lines[i], &y), ok);
		ck_assert_msg(!strcmp(str_text(&x), str_text(&y)), "%s", lines[i]);
	}
	ck_assert_int_ne(minded(kept), CACHE_OUTDATED);
	shell_free(plain);
	shell_free(kept);
	str_release(&x);
	str_release(&y);
}
END_TEST

SUITE_MAIN("cache",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, opens_from_the_cache_and_checks);
	tcase_add_loop_test(t, a_change_of_path_is_found, 0, ROWS(stale));
	tcase_add_test(t, no_byte_may_differ);
	tcase_add_test(t, the_version_counts);
	tcase_add_test(t, it_is_for_its_owner_alone);
	tcase_add_test(t, small_dumps_are_not_kept);
	tcase_add_loop_test(t, where_nothing_can_be_written, 0, ROWS(no_places));
	tcase_add_test(t, two_at_once);
	tcase_add_test(t, left_at_any_time);
	tcase_add_test(t, the_oldest_go);
	tcase_add_test(t, a_graph_that_changed_is_read);
	tcase_add_test(t, no_byte_of_a_graph_may_differ);
	tcase_add_loop_test(t, recordings_answer_the_same, 0, ROWS(recorded));
)
