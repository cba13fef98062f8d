/*
 * Summaries of dumps, in shards, merged: however they are grouped and ordered, the bytes are those
 * of one process.
 */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/summary/merge.h"
#include "cmds/summary/summarize.h"
#include "dump/base/vec.h"
#include "dump/summary/rows.h"
#include "tests/program.h"

static char *dir;

static struct arena mem;

static const char *in_dir(const char *name)
{
	return arena_fmt(&mem, "%s/%s", dir, name);
}

static void enter(void)
{
	dir = scratch_new();
}

static void leave(void)
{
	scratch_remove(dir);
	arena_release(&mem);
}

static void make(const char *path, const char *worker, uint32_t k, uint32_t n, const char *name)
{
	struct summarize what = { path, worker, in_dir(name), k, n, NULL };
	struct summarized done = {0};
	struct err err = {0};

	ck_assert_msg(summarize(&what, &done, NULL, &err), "%s", err.msg);
}

static void merge(const char *const *paths, size_t n, const char *out)
{
	struct merge_done done = {0};
	struct err err = {0};

	ck_assert_msg(merge_files(paths, n, out, &done, NULL, &err), "%s: %s", err.src, err.msg);
}

static bool same_bytes(const char *a, const char *b)
{
	struct str x = {0}, y = {0};
	bool same = read_whole(a, &x) && read_whole(b, &y) && x.len == y.len &&
	            !memcmp(x.text, y.text, x.len);

	str_release(&x);
	str_release(&y);
	return same;
}

/* ---- the property */

static uint32_t seed;

static uint32_t chance(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* Some of the files become one, until there is one. */
static void merge_at_random(const char **paths, size_t n, const char *out)
{
	char name[32];
	int made = 0;

	while (n > 1) {
		size_t some = 2 + chance((uint32_t)n - 1);

		for (size_t i = 0; i < some; i++) {
			size_t other = i + chance((uint32_t)(n - i));
			const char *moved = paths[i];

			paths[i] = paths[other];
			paths[other] = moved;
		}
		snprintf(name, sizeof name, "m%d", made++);
		merge(paths, some, in_dir(name));
		for (size_t i = some; i < n; i++)
			paths[i - some] = paths[i];
		n -= some;
		paths[n++] = in_dir(name);
	}
	merge(paths, 1, out);
}

/* Shards of two dumps with the same names, by two workers; some are there twice. */
START_TEST(every_grouping_gives_the_same_bytes)
{
	static const char *const pairs[][2] = {
		{ "testdata/runs/hooks", "testdata/damaged_tensors" },
		{ "testdata/profile/two_devices", "testdata/tables/nsys.sqlite" },
		{ "testdata/v2/eager_divide", "testdata/profile/while_loop" },
	};
	const char *const *dumps = pairs[_i % 3];
	static const char *const workers[] = { "a", "b" };
	const char *paths[64];
	size_t n = 0;

	seed = (uint32_t)_i * 7919 + 1;
	make(dumps[0], workers[0], 1, 1, "one0");
	make(dumps[1], workers[1], 1, 1, "one1");
	merge((const char *[]){ in_dir("one0"), in_dir("one1") }, 2, in_dir("all"));
	for (int d = 0; d < 2; d++) {
		uint32_t shards = 1 + chance(8);

		for (uint32_t k = 1; k <= shards; k++) {
			char name[32];

			snprintf(name, sizeof name, "s%d_%u", d, k);
			make(dumps[d], workers[d], k, shards, name);
			paths[n++] = in_dir(name);
			if (!chance(3))
				paths[n++] = in_dir(name);
		}
	}
	if (chance(2))
		paths[n++] = in_dir("one0");
	merge_at_random(paths, n, in_dir("random"));
	ck_assert(same_bytes(in_dir("all"), in_dir("random")));
}
END_TEST

START_TEST(merging_one_changes_nothing)
{
	make("testdata/linear", NULL, 1, 1, "a");
	merge((const char *[]){ in_dir("a") }, 1, in_dir("b"));
	ck_assert(same_bytes(in_dir("a"), in_dir("b")));
	/* In its own place, too. */
	merge((const char *[]){ in_dir("a"), in_dir("a") }, 2, in_dir("a"));
	ck_assert(same_bytes(in_dir("a"), in_dir("b")));
}
END_TEST

/* ---- rows */

struct seen {
	int of[256];
	uint32_t n_shards;               /* of the last source */
	char worker[64], file[256];      /* file: of the last value that can't be read */
	uint64_t rows;                   /* that its source counts */
};

static struct seen look(const char *path)
{
	struct seen seen = {0};
	struct err err = {0};
	struct summary_reader *r = summary_open(path, &err);
	struct summary_row row;
	struct summary_value value;
	struct summary_source source;

	ck_assert_msg(r, "%s", err.msg);
	while (summary_next(r, &row, &err)) {
		seen.of[row.key.kind]++;
		if (row.key.kind == SUMMARY_SOURCE) {
			ck_assert(summary_read_source(path, &row, &mem, &source, &err));
			seen.rows = source.rows;
			seen.n_shards = row.key.slot;
			snprintf(seen.worker, sizeof seen.worker, "%s", row.key.worker);
		}
		if (row.key.kind != SUMMARY_VALUE)
			continue;
		ck_assert_msg(summary_read_value(path, &row, &mem, &value, &err), "%s", err.msg);
		if (value.state == SUMMARY_UNREADABLE)
			snprintf(seen.file, sizeof seen.file, "%s", value.file);
		summary_value_release(&value);
	}
	ck_assert_msg(!err.code, "%s", err.msg);
	summary_close(r);
	return seen;
}

START_TEST(missing_shards_stay_marked)
{
	const char *paths[3];
	struct merge_done done = {0};
	struct err err = {0};

	for (uint32_t k = 1; k <= 3; k++) {
		char name[8];

		snprintf(name, sizeof name, "%u", k);
		make("testdata/runs/hooks", "w", k, 4, name);
		paths[k - 1] = in_dir(name);
	}
	ck_assert(merge_files(paths, 3, in_dir("three"), &done, NULL, &err));
	ck_assert_uint_eq(done.sources, 1);
	ck_assert_uint_eq(done.incomplete, 1);
	ck_assert_int_eq(look(in_dir("three")).of[SUMMARY_SOURCE], 3);
	make("testdata/runs/hooks", "w", 4, 4, "4");
	merge((const char *[]){ in_dir("4"), in_dir("three") }, 2, in_dir("four"));
	ck_assert_int_eq(look(in_dir("four")).of[SUMMARY_SOURCE], 1);
	make("testdata/runs/hooks", "w", 1, 1, "whole");
	ck_assert(same_bytes(in_dir("four"), in_dir("whole")));
}
END_TEST

/* Of a dump that grew between two shards there is no full set. */
START_TEST(shards_of_two_states_make_no_set)
{
	struct merge_done done = {0};
	struct err err = {0};

	make("testdata/linear", "w", 1, 2, "1");
	make("testdata/runs/hooks", "w", 2, 2, "2");
	ck_assert(merge_files((const char *[]){ in_dir("1"), in_dir("2") }, 2, in_dir("both"),
	                      &done, NULL, &err));
	ck_assert_uint_eq(done.sources, 2);
	ck_assert_uint_eq(done.incomplete, 2);
}
END_TEST

START_TEST(other_values_of_one_key_are_an_error)
{
	struct merge_done done = {0};
	struct err err = {0};

	make("testdata/linear", "w", 1, 1, "a");
	make("testdata/dtypes", "w", 1, 1, "b");
	ck_assert(!merge_files((const char *[]){ in_dir("a"), in_dir("b") }, 2, in_dir("out"),
	                       &done, NULL, &err));
	ck_assert_int_eq(err.code, ERR_KEY);
	ck_assert_ptr_nonnull(strstr(err.src, "/b"));
	ck_assert_ptr_nonnull(strstr(err.msg, "/a"));
	ck_assert_int_ne(access(in_dir("out"), F_OK), 0);
}
END_TEST

/* What is wrong shows at the end of a file alone; nothing of it is kept. */
START_TEST(a_damaged_summary_is_refused)
{
	struct merge_done done = {0};
	struct err err = {0};
	struct str bytes = {0}, before = {0}, after = {0};
	FILE *f;

	make("testdata/linear", "a", 1, 1, "a");
	make("testdata/linear", "b", 1, 1, "b");
	ck_assert(read_whole(in_dir("b"), &bytes) && read_whole(in_dir("a"), &before));
	bytes.text[bytes.len - 1] ^= 1;
	f = fopen(in_dir("b"), "w");
	ck_assert(f && fwrite(bytes.text, 1, bytes.len, f) == bytes.len && !fclose(f));
	ck_assert(!merge_files((const char *[]){ in_dir("a"), in_dir("b") }, 2, in_dir("a"),
	                       &done, NULL, &err));
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_ptr_nonnull(strstr(err.src, "/b"));
	ck_assert(read_whole(in_dir("a"), &after) && after.len == before.len &&
	          !memcmp(after.text, before.text, after.len));
	str_release(&bytes);
	str_release(&before);
	str_release(&after);
}
END_TEST

START_TEST(rows_of_a_damaged_dump)
{
	struct seen seen;

	make("testdata/damaged_tensors", NULL, 1, 1, "a");
	seen = look(in_dir("a"));
	ck_assert_int_eq(seen.of[SUMMARY_VALUE], 11);
	ck_assert_int_eq(seen.of[SUMMARY_RUN], 1);
	ck_assert_int_eq(seen.of[SUMMARY_GRAPH], 1);
	ck_assert_str_eq(seen.worker, "damaged_tensors");
	ck_assert_int_eq(strncmp(seen.file, "_tfdbg_device_", 14), 0);
	ck_assert_uint_eq(seen.n_shards, 1);
	ck_assert_uint_eq(seen.rows, 11 + 1 + 1 + seen.of[SUMMARY_DEVICE] +
	                             seen.of[SUMMARY_PROBLEM]);
}
END_TEST

START_TEST(a_file_in_the_dump_is_refused)
{
	struct summarize what = { dir, NULL, in_dir("new"), 1, 1, NULL };
	struct summarized done = {0};
	struct err err = {0};
	struct str line = {0};
	struct program_run ran;

	str_fmt(&line, "cp -r testdata/linear/. %s/", dir);
	program_run((const char *[]){ "/bin/sh", "-c", line.text, NULL }, NULL, "", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert(!summarize(&what, &done, NULL, &err));
	ck_assert_int_eq(err.code, ERR_VALUE);
	ck_assert_int_ne(access(what.out, F_OK), 0);
	program_release(&ran);
	str_release(&line);
}
END_TEST

/* What the first version of the program wrote. */
#define OLDER "testdata/fuzz/summary/file"

START_TEST(older_summaries_are_read)
{
	struct err err = {0};
	struct summary_reader *r = summary_open(OLDER, &err);

	ck_assert_msg(r, "%s", err.msg);
	ck_assert_uint_eq(summary_version(r), 1);
	summary_close(r);
	make("testdata/linear", "linear", 1, 1, "new");
	merge((const char *[]){ in_dir("new"), OLDER }, 2, in_dir("both"));
	r = summary_open(in_dir("both"), &err);
	ck_assert_uint_eq(summary_version(r), SUMMARY_VERSION);
	summary_close(r);
	ck_assert_int_eq(look(in_dir("both")).of[SUMMARY_SOURCE], 2);
	ck_assert_int_eq(look(in_dir("both")).of[SUMMARY_VALUE],
	                 look(in_dir("new")).of[SUMMARY_VALUE] + 1);
}
END_TEST

START_TEST(newer_summaries_are_refused_by_name)
{
	struct merge_done done = {0};
	struct err err = {0};

	make("testdata/linear", "linear", 1, 1, "a");
	ck_assert(!merge_files((const char *[]){ in_dir("a"), "testdata/fuzz/summary/newer" }, 2,
	                       in_dir("both"), &done, NULL, &err));
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(err.src, "newer"));
	ck_assert_ptr_nonnull(strstr(err.msg, "version 2, newer"));
}
END_TEST

/* ---- the command line */

static const struct { const char *words[8]; int status; } lines[] = {
	{ { "summarize", "testdata/linear", "-o", "/dev/null" }, 0 },
	{ { "summarize", "-o", "-", "testdata/linear" }, 0 },
	{ { "summarize", "testdata/linear", "--output=/dev/null", "--shard=2/3" }, 0 },
	{ { "summarize", "testdata/linear" }, 2 },
	{ { "summarize", "testdata/linear", "-o", "/dev/null", "--shard=0/3" }, 2 },
	{ { "summarize", "testdata/linear", "-o", "/dev/null", "--shard=4/3" }, 2 },
	{ { "summarize", "testdata/linear", "-o", "/dev/null", "--shard=1/3x" }, 2 },
	{ { "summarize", "testdata/linear", "-o", "/dev/null", "--worker=" }, 2 },
	{ { "summarize", "testdata/linear", "-o" }, 2 },
	{ { "summarize", "testdata/linear", "--odd", "-o", "/dev/null" }, 2 },
	{ { "summarize", "testdata/linear", "testdata/dtypes", "-o", "/dev/null" }, 2 },
	{ { "summarize", "testdata/nothing", "-o", "/dev/null" }, 3 },
	{ { "summarize", "testdata/linear", "-o", "/nowhere/at/all" }, 1 },
	{ { "summarize", "testdata/fuzz/summary/file", "-o", "/dev/null" }, 3 },
	{ { "merge", "testdata/nothing", "-o", "/dev/null" }, 3 },
	{ { "merge", "COPYING", "-o", "/dev/null" }, 3 },
	{ { "summarize", "x", "--help" }, 0 },
	{ { "merge", "-o", "/dev/null" }, 2 },
	{ { "summarize", "--output=/dev/null" }, 2 },
	/* No operand behind it, or another first word: a PATH, which is not there. */
	{ { "merge" }, 3 },
	{ { "merge", "-c", "lt" }, 3 },
	{ { "./merge" }, 3 },
	{ { "summarize", "--width", "80" }, 3 },
};

START_TEST(lines_have_their_status)
{
	const char *argv[10] = { program_path() };
	struct program_run ran;

	for (int i = 0; i < 8; i++)
		argv[i + 1] = lines[_i].words[i];
	program_run(argv, NULL, "", &ran);
	ck_assert_msg(ran.status == lines[_i].status, "%d: %s", ran.status, str_text(&ran.err));
	program_release(&ran);
}
END_TEST

SUITE_MAIN("merge",
	tcase_add_checked_fixture(t, enter, leave);
	tcase_add_loop_test(t, every_grouping_gives_the_same_bytes, 0, 8);
	tcase_add_test(t, merging_one_changes_nothing);
	tcase_add_test(t, missing_shards_stay_marked);
	tcase_add_test(t, shards_of_two_states_make_no_set);
	tcase_add_test(t, other_values_of_one_key_are_an_error);
	tcase_add_test(t, a_damaged_summary_is_refused);
	tcase_add_test(t, rows_of_a_damaged_dump);
	tcase_add_test(t, a_file_in_the_dump_is_refused);
	tcase_add_test(t, older_summaries_are_read);
	tcase_add_test(t, newer_summaries_are_refused_by_name);
	tcase_add_loop_test(t, lines_have_their_status, 0, ROWS(lines));
)
