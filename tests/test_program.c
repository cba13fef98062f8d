/*
 * Recorded programs: the recordings of testdata/v2 ($V2_RECORDINGS: of any other directory) against
 * what was found in them by other means, line by line; and which runs lie in a directory.
 */
#include "tests/suite.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/path.h"
#include "dump/base/str.h"
#include "dump/files/walk.h"
#include "dump/format/json.h"
#include "dump/programs.h"
#include "dump/v2/v2.h"
#include "tests/program.h"
#include "tests/program_files.h"
#include "tests/program_lines.h"

/* What a run is expected to be, read from JSON beside the run that is open. */
struct expected {
	struct json json;
	const struct program *program;
	struct program_kinds kinds;
	const char *where;       /* for messages */
};

static int64_t next_number(struct expected *e)
{
	int64_t number = -1;

	ck_assert_msg(json_whole(&e->json, &number), "%s", e->json.err->msg);
	return number;
}

static void expect_number(struct expected *e, int64_t is)
{
	int64_t want = next_number(e);

	ck_assert_msg(want == is, "%s: %s is %" PRId64 ", %" PRId64 " expected", e->where,
	              e->json.key.text, is, want);
}

static void expect_text(struct expected *e, const char *is)
{
	if (json_null(&e->json)) {
		ck_assert_msg(!is, "%s: %s is %s", e->where, e->json.key.text, is);
		return;
	}
	ck_assert(json_string(&e->json));
	ck_assert_msg(is && !strcmp(str_text(&e->json.text), is), "%s: %s is %s, %s expected",
	              e->where, e->json.key.text, is, str_text(&e->json.text));
}

static void expect_files(struct expected *e)
{
	size_t n = 0;

	ck_assert(json_object(&e->json));
	for (; json_more(&e->json); n++) {
		const struct program_set *set =
			&e->program->sets.at[n / PROGRAM_FILE_KINDS];
		const struct program_file *file = &set->file[n % PROGRAM_FILE_KINDS];

		ck_assert(!strncmp(e->json.key.text, set->prefix, strlen(set->prefix)));
		ck_assert(text_ends(e->json.key.text,
		                    program_file_suffix[n % PROGRAM_FILE_KINDS]));
		if (json_null(&e->json)) {
			ck_assert(file->missing);
			continue;
		}
		ck_assert(!file->missing && json_array(&e->json));
		ck_assert(json_more(&e->json));
		expect_number(e, (int64_t)file->bytes);
		ck_assert(json_more(&e->json));
		expect_number(e, (int64_t)file->records);
		ck_assert(!json_more(&e->json));
	}
	ck_assert_uint_eq(n, e->program->sets.len * PROGRAM_FILE_KINDS);
}

static void expect_damage(struct expected *e)
{
	const struct program *p = e->program;
	size_t n = 0;

	ck_assert(json_array(&e->json));
	for (; json_more(&e->json); n++) {
		const struct program_damage *damage = &p->damage.at[n];

		ck_assert_uint_lt(n, p->damage.len);
		ck_assert(json_array(&e->json) && json_more(&e->json) && json_string(&e->json));
		ck_assert(text_ends(str_text(&e->json.text), program_file_suffix[damage->at.file]));
		ck_assert(json_more(&e->json));
		if (!json_null(&e->json))
			expect_number(e, (int64_t)damage->at.off);
		ck_assert(json_more(&e->json));
		if (!json_null(&e->json))
			expect_number(e, (int64_t)damage->bytes);
		ck_assert(json_more(&e->json));
		expect_text(e, program_damage_name[damage->what]);
		ck_assert(!json_more(&e->json));
	}
	ck_assert_uint_eq(n, p->damage.len);
}

static void expect_unresolved(struct expected *e)
{
	const struct program_unresolved *u = &e->program->unresolved;

	ck_assert(json_object(&e->json));
	while (json_more(&e->json)) {
		const char *key = e->json.key.text;

		expect_number(e, !strcmp(key, "graphs") ? u->graphs : !strcmp(key, "ops") ? u->ops
		              : !strcmp(key, "frames") ? u->frames : u->sources);
	}
}

/* {"count": n, "crc32": "…", …} */
static void expect_kind(struct expected *e)
{
	struct program_kind is = *program_kind(&e->kinds, e->json.key.text);
	char crc[16];

	snprintf(crc, sizeof crc, "%08" PRIx32, is.crc);
	if (!strcmp(is.name, "alert")) {
		ck_assert(json_skip(&e->json));
		return;
	}
	ck_assert(json_object(&e->json));
	while (json_more(&e->json)) {
		if (!strcmp(e->json.key.text, "count")) {
			int64_t want = next_number(e);

			ck_assert_msg((uint64_t)want == is.count, "%s: %" PRIu64 " of %s, %" PRId64
			              " expected", e->where, is.count, is.name, want);
		} else if (!strcmp(e->json.key.text, "crc32")) {
			ck_assert(json_string(&e->json));
			ck_assert_msg(!strcmp(e->json.text.text, crc), "%s: lines of %s differ",
			              e->where, is.name);
		} else {
			ck_assert(json_skip(&e->json));
		}
	}
}

static void expect_kinds(struct expected *e)
{
	ck_assert(json_object(&e->json));
	while (json_more(&e->json))
		expect_kind(e);
}

static void expect_run(struct expected *e)
{
	const struct program *p = e->program;

	ck_assert(json_object(&e->json));
	while (json_more(&e->json)) {
		const char *key = e->json.key.text;

		if (!strcmp(key, "run_id"))
			expect_text(e, p->run_id);
		else if (!strcmp(key, "tensorflow_version"))
			expect_text(e, p->tensorflow_version);
		else if (!strcmp(key, "file_version"))
			expect_text(e, p->file_version);
		else if (!strcmp(key, "t0_us"))
			expect_number(e, p->t0_us);
		else if (!strcmp(key, "function_steps"))
			expect_number(e, p->n_function_steps);
		else if (!strcmp(key, "frames"))
			expect_number(e, (int64_t)p->frame_order.len);
		else if (!strcmp(key, "passes"))
			expect_number(e, p->n_passes);
		else if (!strcmp(key, "files"))
			expect_files(e);
		else if (!strcmp(key, "damage"))
			expect_damage(e);
		else if (!strcmp(key, "unresolved"))
			expect_unresolved(e);
		else if (!strcmp(key, "kinds") || !strcmp(key, "more"))
			expect_kinds(e);
		else
			ck_assert(json_skip(&e->json));
	}
}

static void expect_runs(struct expected *e, const struct v2_root *root)
{
	struct programs *programs = programs_open(root->path, NULL);
	size_t n = 0;

	ck_assert(json_array(&e->json));
	for (; json_more(&e->json); n++) {
		struct program *program;
		struct program_head head;
		struct programs_counts counts;

		ck_assert_uint_lt(n, root->runs.len);
		ck_assert(programs_count(programs, n, &counts, NULL, NULL));
		head = programs_head(programs, n);
		e->program = program = open_program(root, n);
		ck_assert_uint_eq(counts.executions, program->steps.len);
		ck_assert_uint_eq(counts.traces, program->traces.len);
		ck_assert_int_eq(head.start_us, program->t0_us);
		ck_assert_int_eq(head.has_start, program->t0_us != 0);
		ck_assert(program_scan(program, UINT64_MAX, NULL, NULL));
		ck_assert_uint_eq(program->n_unscanned, 0);
		program_kinds_of(program, &e->kinds);
		expect_run(e);
		program_close(program);
	}
	ck_assert_uint_eq(n, root->runs.len);
	programs_close(programs);
}

static void compare(const char *dir, const char *name)
{
	struct expected e = { .where = name };
	struct str path = {0}, json = {0};
	struct v2_root *root;
	struct err err = {0};

	str_fmt(&path, "%s/%s", dir, name);
	root = v2_root_open(path.text, &err);
	ck_assert_msg(root, "%s", err.msg);
	str_puts(&path, ".expect.json");
	ck_assert(read_whole(path.text, &json));
	json_start_text(&e.json, json.text, json.len, &err);
	ck_assert(json_object(&e.json));
	while (json_more(&e.json)) {
		if (!strcmp(e.json.key.text, "groups"))
			expect_runs(&e, root);
		else if (!strcmp(e.json.key.text, "opened"))
			expect_number(&e, (int64_t)root->chosen + 1);
		else
			ck_assert(json_skip(&e.json));
	}
	ck_assert_msg(!e.json.failed, "%s: %s", name, err.msg);
	json_release(&e.json);
	v2_root_close(root);
	str_release(&path);
	str_release(&json);
}

START_TEST(recordings)
{
	const char *dir = getenv("V2_RECORDINGS"), *end = ".expect.json";
	struct listing list = {0};
	size_t n = 0;

	if (!dir)
		dir = "testdata/v2";
	ck_assert(listing_of(&list, dir, NULL));
	for (size_t i = 0; i < list.entries.len; i++) {
		char name[256];

		snprintf(name, sizeof name, "%s", list.entries.at[i].name);
		if (!text_ends(name, end))
			continue;
		name[strlen(name) - strlen(end)] = '\0';
		compare(dir, name);
		n++;
	}
	ck_assert_uint_ge(n, 10);
	listing_release(&list);
}
END_TEST

START_TEST(scans_in_slices)
{
	struct v2_root *root = v2_root_open("testdata/v2/dtypes_full", NULL);
	struct program *p = open_program(root, 0);
	uint64_t all = p->n_unscanned, left = all;
	struct progress progress = {0};
	struct err err = {0};

	ck_assert_uint_gt(all, 60);
	atomic_store(&progress.cancel, true);
	ck_assert(!program_scan(p, UINT64_MAX, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_uint_eq(p->n_unscanned, all);
	atomic_store(&progress.cancel, false);
	while (p->n_unscanned) {
		ck_assert(program_scan(p, 1000, &progress, NULL));
		ck_assert_uint_lt(p->n_unscanned, left);
		left = p->n_unscanned;
	}
	ck_assert_uint_eq(p->n_flagged, 9);
	program_close(p);
	v2_root_close(root);
}
END_TEST

START_TEST(cancelled_while_opening)
{
	struct v2_root *root = v2_root_open("testdata/v2/circular", NULL);
	struct progress progress = {0};
	struct err err = {0};

	atomic_store(&progress.cancel, true);
	ck_assert_ptr_null(v2_open(root, 0, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	v2_root_close(root);
}
END_TEST

/* The buffer kept half of the eighth call's traces and none of those before. */
START_TEST(cut_by_a_buffer)
{
	struct v2_root *root = v2_root_open("testdata/v2/circular", NULL);
	struct err err = {0};
	struct program *p = v2_open(root, 0, NULL, &err);

	ck_assert_ptr_nonnull(p);
	ck_assert(p->steps.at[0].is_cut && p->steps.at[7].n_sure < p->steps.at[8].n_sure);
	ck_assert(!p->steps.at[8].is_cut && !p->steps.at[29].is_cut);
	program_close(p);
	v2_root_close(root);
}
END_TEST

/* ---- names and runs */

static const struct {
	const char *name, *prefix, *host;
	int kind;
} names[] = {
	{ "tfdbg_events.17.host.execution", "tfdbg_events.17.host", "host",
	  PROGRAM_FILE_EXECUTION },
	{ "tfdbg_events.17.a.b.metadata", "tfdbg_events.17.a.b", "a.b", PROGRAM_FILE_METADATA },
	{ "tfdbg_events.17.graphs.graphs", "tfdbg_events.17.graphs", "graphs",
	  PROGRAM_FILE_GRAPHS },
	{ "tfdbg_events.17.graphs", "tfdbg_events.17", "", PROGRAM_FILE_GRAPHS },
	{ "tfdbg_events.graphs", NULL, NULL, 0 },
	{ "tfdbg_events.17.host", NULL, NULL, 0 },
	{ "tfdbg_events.17.host.execution.gz", NULL, NULL, 0 },
	{ "events.17.host.execution", NULL, NULL, 0 },
	{ "", NULL, NULL, 0 },
};

START_TEST(names_are_cut_from_the_right)
{
	struct v2_name name;
	bool is = v2_name(names[_i].name, &name);

	ck_assert_int_eq(is, names[_i].prefix != NULL);
	if (!is)
		return;
	ck_assert_int_eq(name.kind, names[_i].kind);
	ck_assert_uint_eq(name.prefix.len, strlen(names[_i].prefix));
	ck_assert_mem_eq(name.prefix.at, names[_i].prefix, name.prefix.len);
	ck_assert_uint_eq(name.host.len, strlen(names[_i].host));
	ck_assert_mem_eq(name.host.at, names[_i].host, name.host.len);
}
END_TEST

static void write_metadata(const char *prefix, double time, const char *run_id)
{
	str_reset(&files[PROGRAM_FILE_METADATA]);
	put_metadata(time, run_id);
	write_file(prefix, PROGRAM_FILE_METADATA, files[0].text, files[0].len);
}

START_TEST(sets_make_runs)
{
	struct v2_root *root;
	struct str path = {0};
	struct err err = {0};

	ck_assert_ptr_null(v2_root_open(scratch, &err));
	ck_assert_int_eq(err.code, ERR_MISSING);
	write_metadata("1.a", 30, "first");
	write_metadata("2.b", 20, "first");
	write_metadata("3.c", 10, NULL);
	write_metadata("4.d", 40, NULL);
	write_file("5.e", PROGRAM_FILE_GRAPHS, "", 0);
	root = v2_root_open(scratch, &err);
	ck_assert_uint_eq(root->runs.len, 4);
	ck_assert(!root->runs.at[0].has_start && root->runs.at[1].has_start);
	ck_assert_str_eq(root->runs.at[0].sets.at[0].host, "e");
	ck_assert_str_eq(root->runs.at[1].sets.at[0].host, "c");
	ck_assert_str_eq(root->runs.at[2].run_id, "first");
	ck_assert_str_eq(root->runs.at[2].sets.at[0].host, "b");
	ck_assert_str_eq(root->runs.at[2].sets.at[1].host, "a");
	ck_assert_uint_eq(root->chosen, 3);
	v2_root_close(root);
	str_fmt(&path, "%s/tfdbg_events.1.a.metadata", scratch);
	root = v2_root_open(path.text, &err);
	ck_assert_uint_eq(root->chosen, 2);
	v2_root_close(root);
	str_reset(&path);
	str_fmt(&path, "%s/other", scratch);
	ck_assert_int_eq(fclose(fopen(path.text, "we")), 0);
	ck_assert_ptr_null(v2_root_open(path.text, &err));
	str_release(&path);
}
END_TEST

/* A start that is no time counts as none. */
START_TEST(start_that_is_no_number)
{
	struct v2_root *root;

	write_metadata("1.a", 5, "a");
	write_metadata("2.b", NAN, "b");
	write_metadata("3.c", 3, "c");
	root = v2_root_open(scratch, NULL);
	ck_assert_str_eq(root->runs.at[0].run_id, "b");
	ck_assert_str_eq(root->runs.at[1].run_id, "c");
	ck_assert_uint_eq(root->chosen, 2);
	v2_root_close(root);
}
END_TEST

/* Its earliest record says when it started, once its records were counted or read. */
START_TEST(start_without_metadata)
{
	struct programs *programs;
	struct programs_counts counts;
	struct program *program;

	put_small();
	write_set_but_metadata("1.host");
	programs = programs_open(scratch, NULL);
	ck_assert(!programs_head(programs, 0).has_start);
	ck_assert(programs_count(programs, 0, &counts, NULL, NULL));
	ck_assert(programs_head(programs, 0).has_start);
	program = open_scratch();
	ck_assert_int_ne(program->t0_us, 0);
	ck_assert_int_eq(programs_head(programs, 0).start_us, program->t0_us);
	program_close(program);
	programs_close(programs);
}
END_TEST

SUITE_MAIN("program",
	tcase_add_checked_fixture(t, make_scratch, remove_scratch);
	tcase_add_test(t, recordings);
	tcase_add_test(t, scans_in_slices);
	tcase_add_test(t, cancelled_while_opening);
	tcase_add_test(t, cut_by_a_buffer);
	tcase_add_loop_test(t, names_are_cut_from_the_right, 0, ROWS(names));
	tcase_add_test(t, sets_make_runs);
	tcase_add_test(t, start_that_is_no_number);
	tcase_add_test(t, start_without_metadata);)
