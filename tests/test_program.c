/*
 * Recorded programs: the recordings of testdata/v2 ($V2_RECORDINGS: of any other directory) against
 * what was found in them by other means, line by line; then small ones made here, each damage of
 * one, and one that is still written.
 */
#include "tests/suite.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "dump/base/path.h"
#include "dump/files/walk.h"
#include "dump/format/json.h"
#include "dump/programs.h"
#include "dump/v2/v2.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/program_files.h"
#include "tests/program_lines.h"

/* ---- recordings */

struct kind {
	char name[16];
	uint64_t count;
	uint32_t crc;
};

struct kinds {
	struct kind at[16];
	size_t len;
};

static struct kind *kind_of(struct kinds *kinds, const char *name)
{
	size_t i = 0;

	while (i < kinds->len && strcmp(kinds->at[i].name, name))
		i++;
	if (i == kinds->len) {
		ck_assert_uint_lt(kinds->len, 16);
		snprintf(kinds->at[kinds->len++].name, sizeof kinds->at[i].name, "%s", name);
	}
	return &kinds->at[i];
}

static void count_line(void *owner, const char *kind, const struct str *line)
{
	struct kind *k = kind_of(owner, kind);

	k->count++;
	k->crc = (uint32_t)crc32(k->crc, (const unsigned char *)line->text, (unsigned)line->len);
	k->crc = (uint32_t)crc32(k->crc, (const unsigned char *)"\n", 1);
}

static struct program *open_run(const struct v2_root *root, size_t run)
{
	struct err err = {0};
	struct program *program = v2_open(root, run, NULL, &err);

	ck_assert_msg(program, "%s", err.msg);
	return program;
}

/* What a run is expected to be, read from JSON beside the run that is open. */
struct expected {
	struct json json;
	const struct program *program;
	struct kinds kinds;
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
	struct kind is = *kind_of(&e->kinds, e->json.key.text);
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
		uint64_t executions, traces;

		ck_assert_uint_lt(n, root->runs.len);
		ck_assert(programs_count(programs, n, &executions, &traces, NULL, NULL));
		head = programs_head(programs, n);
		e->program = program = open_run(root, n);
		ck_assert_uint_eq(executions, program->steps.len);
		ck_assert_uint_eq(traces, program->traces.len);
		ck_assert_int_eq(head.start_us, program->t0_us);
		ck_assert_int_eq(head.has_start, program->t0_us != 0);
		ck_assert(program_scan(program, UINT64_MAX, NULL, NULL));
		ck_assert_uint_eq(program->n_unscanned, 0);
		e->kinds.len = 0;
		memset(&e->kinds, 0, sizeof e->kinds);
		program_lines(program, count_line, &e->kinds);
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

/* ---- records made here */

/* The newest run of scratch. */
static struct program *open_scratch(void)
{
	struct v2_root *root = v2_root_open(scratch, NULL);
	struct program *program;

	ck_assert_ptr_nonnull(root);
	program = open_run(root, root->chosen);
	v2_root_close(root);
	return program;
}

static uint64_t records(const struct program *program)
{
	uint64_t n = 0;

	for (size_t i = 0; i < program->sets.len; i++)
		for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++)
			n += program->sets.at[i].file[kind].records;
	return n;
}

START_TEST(small)
{
	struct program *p;
	struct program_tensor t;
	size_t n;

	put_small();
	write_set("1.host");
	p = open_scratch();
	ck_assert_uint_eq(records(p), 16);
	ck_assert_uint_eq(p->damage.len, 0);
	ck_assert_int_eq(p->t0_us, 100000000);
	ck_assert_uint_eq(p->steps.at[0].n_sure, 1);
	ck_assert_uint_eq(p->steps.at[2].n_sure, 2);
	ck_assert(p->steps.at[0].is_cut && !p->steps.at[2].is_cut);
	ck_assert_uint_eq(p->n_flagged, 3);
	ck_assert_uint_eq(p->unresolved.ops, 1);
	t = program_tensor(p, 2, 2);
	ck_assert_uint_eq(t.trace, PROGRAM_NONE);
	ck_assert_uint_eq(program_tensor(p, PROGRAM_NONE, 0).trace, 0);
	ck_assert_uint_eq(program_tensor(p, PROGRAM_NONE, 5).step, 2);
	ck_assert_uint_eq(program_uses(p, p->ops.at[0].node, &n)->op, 1);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(p->stacks.len, 2);
	ck_assert_uint_eq(program_trace_before(p, 2, p->ops.at[1].node, 0), 1);
	ck_assert_uint_eq(program_trace_before(p, 1, p->ops.at[1].node, 0), PROGRAM_NONE);
	program_close(p);
}
END_TEST

/* ---- every damage of it */

static void lines_of(const struct program *program, struct kinds *kinds)
{
	*kinds = (struct kinds){0};
	program_lines(program, count_line, kinds);
}

/* How many whole records end at or before `end` in a sound file. */
static uint64_t whole_before(const struct str *file, size_t end)
{
	uint64_t n = 0;
	size_t off = 0;

	while (off < file->len) {
		size_t len = (unsigned char)file->text[off] |
		             (size_t)(unsigned char)file->text[off + 1] << 8;

		off += len + 16;
		n += off <= end;
	}
	return n;
}

START_TEST(every_byte_wrong)
{
	struct str *file = &files[_i];
	struct program *p;
	struct kinds kinds;

	put_small();
	write_set("1.host");
	for (size_t i = 0; i < file->len; i++) {
		file->text[i] ^= 0x10;
		write_file("1.host", _i, file->text, file->len);
		file->text[i] ^= 0x10;
		p = open_scratch();
		ck_assert_msg(records(p) == 15, "byte %zu of file %d", i, _i);
		ck_assert_uint_eq(p->damage.len, 1);
		lines_of(p, &kinds);
		program_close(p);
	}
}
END_TEST

START_TEST(every_cut)
{
	struct str *file = &files[_i];
	uint64_t all = whole_before(file, 0);
	struct program *p;
	struct kinds kinds;

	put_small();
	all = whole_before(file, file->len);
	write_set("1.host");
	for (size_t i = 0; i < file->len; i++) {
		uint64_t whole = whole_before(file, i);

		write_file("1.host", _i, file->text, i);
		p = open_scratch();
		ck_assert_uint_eq(records(p), 16 - all + whole);
		lines_of(p, &kinds);
		program_close(p);
	}
}
END_TEST

/* What is in a record is damaged, and its checksum right. */
START_TEST(every_payload_wrong)
{
	struct program *p;
	struct kinds kinds;

	put_small();
	write_set("1.host");
	for (size_t off = 0, len; off < files[_i].len; off += len + 16) {
		char *at = files[_i].text + off;

		len = (unsigned char)at[0] | (size_t)(unsigned char)at[1] << 8;
		for (size_t i = 0; i < len; i++)
			for (int bit = 0; bit < 8; bit += 3) {
				struct str wrong = {0};

				at[12 + i] ^= (char)(1 << bit);
				put_tfrecord(&wrong, at + 12, len);
				at[12 + i] ^= (char)(1 << bit);
				str_put(&wrong, files[_i].text, files[_i].len);
				write_file("1.host", _i, wrong.text, wrong.len);
				p = open_scratch();
				ck_assert_uint_ge(records(p), 16);
				program_scan(p, UINT64_MAX, NULL, NULL);
				lines_of(p, &kinds);
				program_close(p);
				str_release(&wrong);
			}
	}
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
	struct program *program;
	uint64_t executions, traces;

	put_small();
	write_set_but_metadata("1.host");
	programs = programs_open(scratch, NULL);
	ck_assert(!programs_head(programs, 0).has_start);
	ck_assert(programs_count(programs, 0, &executions, &traces, NULL, NULL));
	ck_assert(programs_head(programs, 0).has_start);
	program = open_scratch();
	ck_assert_int_ne(program->t0_us, 0);
	ck_assert_int_eq(programs_head(programs, 0).start_us, program->t0_us);
	program_close(program);
	programs_close(programs);
}
END_TEST

/* ---- odd programs */

static void start_odd(void)
{
	for (int i = 0; i < PROGRAM_FILE_KINDS; i++)
		str_reset(&files[i]);
	put_metadata(100, "run");
}

static struct program *open_odd(void)
{
	write_set("1.host");
	return open_scratch();
}

static uint32_t graph_of(const struct program *p, const char *id)
{
	uint32_t graph = PROGRAM_NONE;

	ck_assert_uint_eq(program_find_graphs(p, id, &graph, 1), 1);
	return graph;
}

START_TEST(graph_of_a_call_is_guessed)
{
	struct program *p;

	start_odd();
	put_graph("g", "f", "");
	put_graph("h", "twice", "");
	put_graph("i", "twice", "");
	put_step(101, "__inference_f_12", "", 0, 0);
	put_step(102, "__backward_twice_1", "", 0, 0);
	put_step(103, "f", "", 0, 0);
	put_step(104, "__forward_x_1", "h", 0, 0);
	p = open_odd();
	ck_assert_uint_eq(program_probable_graph(p, 0), graph_of(p, "g"));
	ck_assert_uint_eq(program_probable_graph(p, 1), PROGRAM_NONE);
	ck_assert_uint_eq(program_probable_graph(p, 2), PROGRAM_NONE);
	ck_assert_uint_eq(program_probable_graph(p, 3), graph_of(p, "h"));
	ck_assert_uint_eq(p->n_function_steps, 3);
	program_close(p);
}
END_TEST

START_TEST(graphs_in_a_circle)
{
	struct program *p;
	uint32_t a, c, chain[4];

	start_odd();
	put_graph("a", "while_body_3", "b");
	put_graph("b", "", "a");
	put_graph("c", "inner", "a");
	put_graph("self", "", "self");
	put_graph("lost", "", "nowhere");
	put_step(101, "__inference_f_1", "b", 0, 0);
	put_trace(100.5, "c", "x");
	put_trace(100.6, "c", "x");
	p = open_odd();
	a = graph_of(p, "a");
	c = graph_of(p, "c");
	ck_assert_uint_eq(program_chain(p, a, chain, 4), 2);
	ck_assert_uint_eq(chain[1], a);
	ck_assert_uint_eq(program_chain(p, c, chain, 4), 3);
	ck_assert_uint_eq(program_chain(p, graph_of(p, "self"), chain, 4), 1);
	ck_assert_uint_eq(program_chain(p, graph_of(p, "lost"), chain, 4), 2);
	ck_assert(program_is_within(p, c, graph_of(p, "b")));
	ck_assert(!program_is_within(p, a, c));
	ck_assert(p->graphs.at[c].in_loop);
	ck_assert_uint_eq(p->steps.at[0].n_sure, 2);
	ck_assert_uint_eq(p->traces.at[1].dump, 1);
	ck_assert_uint_eq(p->unresolved.graphs, 1);
	program_close(p);
}
END_TEST

START_TEST(ops_of_one_name)
{
	struct program *p;
	uint32_t g;

	start_odd();
	put_graph("g", "f", "");
	put_op("g", "A", "x", "x@2:0");
	put_op("g", "B", "x", "^y");
	put_op("g", "C", "x", "a:b");
	put_trace(101, "g", "x");
	p = open_odd();
	g = graph_of(p, "g");
	ck_assert_uint_eq(p->n_duplicate_ops, 2);
	ck_assert_uint_eq(p->graphs.at[g].n_ops, 1);
	ck_assert_uint_eq(p->nodes.at[program_find_node(p, g, "x", 1)].op, 0);
	ck_assert_uint_eq(p->nodes.at[program_find_node(p, g, "x@2", 3)].op, 1);
	ck_assert_uint_eq(p->nodes.at[program_find_node(p, g, "x@3", 3)].op, 2);
	ck_assert_uint_eq(p->keys.at[p->traces.at[0].key].node, program_find_node(p, g, "x", 1));
	ck_assert_int_eq(program_op_inputs(p, 1)->slot, PROGRAM_CONTROL);
	ck_assert_int_eq(program_op_inputs(p, 2)->slot, PROGRAM_BARE);
	program_close(p);
}
END_TEST

/* Times that are none, and one that is far away. */
START_TEST(odd_times)
{
	static const double times[] = { NAN, 0, -1, INFINITY, 1e300, 103 };
	struct program *p;
	int64_t us;

	start_odd();
	put_graph("g", "f", "");
	for (int i = 0; i < ROWS(times); i++) {
		put_trace(times[i], "g", "x");
		put_step(times[i], "Mul", "", 1, 1);
	}
	p = open_odd();
	ck_assert_uint_eq(p->n_tensors, 12);
	ck_assert_uint_eq(program_tensor(p, PROGRAM_NONE, 0).trace, 2);
	ck_assert_uint_eq(program_tensor(p, PROGRAM_NONE, 1).step, 2);
	ck_assert_uint_eq(program_tensor(p, PROGRAM_NONE, 2).trace, 0);
	ck_assert(!program_time_us(p, NAN, &us) && !program_time_us(p, 1e300, &us));
	ck_assert(program_time_us(p, 100.0078125, &us));
	ck_assert_int_eq(us, 7812);
	program_close(p);
}
END_TEST

START_TEST(outputs_nobody_tells_of)
{
	struct str m = {0};
	struct program *p;

	start_odd();
	put_word(&m, 1, "Mul");
	put_number(&m, 2, INT32_MAX);
	put_what(PROGRAM_FILE_EXECUTION, 101, EXECUTION, &m);
	put_number(&m, 2, UINT64_MAX);
	put_what(PROGRAM_FILE_EXECUTION, 102, EXECUTION, &m);
	p = open_odd();
	ck_assert_uint_le(program_step_rows(&p->steps.at[0]), 65536);
	ck_assert_uint_eq(program_step_rows(&p->steps.at[1]), 0);
	program_close(p);
	str_release(&m);
}
END_TEST

/* The order that keys came in before is tried first: what differs a little is another key. */
START_TEST(keys_that_are_alike)
{
	static const struct {
		const char *op, *device;
		int slot;
	} other[] = { { "yz", "CPU", 0 }, { "y", "CPU", 0 }, { "y", "CPU", 1 }, { "y", "GPU", 1 },
	              { "yz", "GPU", 0 }, { "y", "CPU", 0 } };
	struct str tensor = {0};
	struct program *p;

	start_odd();
	for (int i = 0; i < ROWS(other); i++) {
		put_trace_of(101, "g", "x", 0, "CPU", 1, &tensor);
		put_trace_of(101, "g", other[i].op, other[i].slot, other[i].device, 1, &tensor);
	}
	p = open_odd();
	ck_assert_uint_eq(p->keys.len, 6);
	for (int i = 0; i < ROWS(other); i++) {
		const struct program_key *key = &p->keys.at[p->traces.at[2 * i + 1].key];

		ck_assert_str_eq(p->nodes.at[key->node].name, other[i].op);
		ck_assert_str_eq(key->device, other[i].device);
		ck_assert_int_eq(key->slot, other[i].slot);
	}
	program_close(p);
}
END_TEST

START_TEST(inputs_as_recorded)
{
	static const char *const inputs[] = {
		"a:0", "a:12", "a:01", "a:b", "a:", "a", "^a", "b:c:3", "a:1234567890", ":0", ":",
	};
	struct str text = {0};
	struct program *p;

	start_odd();
	for (int i = 0; i < ROWS(inputs); i++)
		put_op("g", "A", inputs[i], inputs[i]);
	p = open_odd();
	for (uint32_t i = 0; i < (uint32_t)ROWS(inputs); i++) {
		str_reset(&text);
		program_put_input(p, program_op_inputs(p, i), &text);
		ck_assert_str_eq(text.text, inputs[i]);
	}
	ck_assert_int_eq(program_op_inputs(p, 1)->slot, 12);
	ck_assert_int_eq(program_op_inputs(p, 2)->slot, PROGRAM_BARE);
	ck_assert_str_eq(p->nodes.at[program_op_inputs(p, 7)->node].name, "b:c");
	program_close(p);
	str_release(&text);
}
END_TEST

/* Calls whose steps are missing: a loop goes round, a second call begins. */
START_TEST(passes)
{
	static const struct {
		const char *graph, *op;
		uint32_t pass;
	} traces[] = { { "g", "x", 0 }, { "body", "y", 0 }, { "body", "y", 0 }, { "inner", "z", 0 },
	               { "inner", "z", 0 }, { "g", "x", 1 }, { "body", "y", 1 } };
	struct program *p;

	start_odd();
	put_graph("g", "f", "");
	put_graph("body", "model_while_body_17_3", "g");
	put_graph("inner", "", "body");
	for (int i = 0; i < ROWS(traces); i++)
		put_trace(101 + i, traces[i].graph, traces[i].op);
	p = open_odd();
	ck_assert_uint_eq(p->n_passes, 2);
	for (int i = 0; i < ROWS(traces); i++) {
		ck_assert_int_eq(p->traces.at[i].attribution, PROGRAM_UNATTRIBUTED);
		ck_assert_uint_eq(p->traces.at[i].owner, traces[i].pass);
	}
	ck_assert_uint_eq(p->traces.at[2].dump, 1);
	ck_assert_uint_eq(p->traces.at[6].dump, 0);
	program_close(p);
}
END_TEST

/* A step's window ends with the time of its record, and includes it. */
START_TEST(windows_include_their_end)
{
	struct program *p;

	start_odd();
	put_graph("g", "f", "");
	put_step(102, "__inference_f_1", "g", 0, 0);
	put_step(104, "__inference_f_1", "g", 0, 0);
	put_trace(102, "g", "x");
	put_trace(102.0000005, "g", "x");
	put_trace(104.0000005, "g", "x");
	p = open_odd();
	ck_assert_uint_eq(p->steps.at[0].n_sure, 1);
	ck_assert_uint_eq(p->steps.at[1].n_sure, 1);
	ck_assert_uint_eq(p->n_passes, 1);
	ck_assert_uint_eq(program_tensor(p, 0, 0).trace, 0);
	program_close(p);
}
END_TEST

/* A step that gives out the id it took. */
START_TEST(ids_made_again)
{
	struct program_producer from;
	struct program_step_use *uses;
	struct program *p;

	start_odd();
	put_step(101, "A", "", 0, 5);
	put_step(102, "B", "", 5, 5);
	put_step(103, "C", "", 5, 0);
	p = open_odd();
	for (uint32_t step = 0; step < 2; step++) {
		ck_assert(program_producer(p, step + 1, 0, &from));
		ck_assert_uint_eq(from.step, step);
		ck_assert_uint_eq(program_step_uses(p, step, &uses), 1);
		ck_assert_uint_eq(uses->step, step + 1);
		free(uses);
	}
	program_close(p);
}
END_TEST

START_TEST(placeholders_if_their_number_agrees)
{
	struct program *p;

	start_odd();
	put_op("one", "Placeholder", "x", "");
	put_op("two", "Placeholder", "x", "");
	put_op("two", "Placeholder", "y", "");
	put_step(101, "__inference_f_1", "one", 5, 0);
	put_step(102, "__inference_f_1", "two", 5, 0);
	p = open_odd();
	ck_assert_uint_eq(program_placeholder(p, 0, 0), 0);
	ck_assert_uint_eq(program_placeholder(p, 1, 0), PROGRAM_NONE);
	program_close(p);
}
END_TEST

static struct health health_of_only(const struct program *p)
{
	struct program_reads reads = { .program = p };
	struct program_tensor tensor = program_tensor(p, PROGRAM_NONE, 0);
	struct health health;
	struct err err = {0};

	ck_assert_uint_eq(p->n_tensors, 1);
	ck_assert_msg(program_health(&reads, &tensor, &health, NULL, &err), "%s", err.msg);
	program_reads_release(&reads);
	return health;
}

START_TEST(shape_of_rank_7)
{
	static const double summary[] = { 1, 1, 7, 64, 2, 1, 2, 1, 2, 4 };
	static const int64_t dims[] = { -1, 2, 1, 2, 1, 2, 4 };
	struct str tensor = {0};
	struct health health;
	struct program *p;

	start_odd();
	put_doubles(&tensor, summary, 10);
	put_trace_of(101, "g", "x", 0, "", SHAPE, &tensor);
	p = open_odd();
	health = health_of_only(p);
	ck_assert_uint_eq(health.shape.rank, 7);
	ck_assert_mem_eq(health.shape.dim, dims, sizeof dims);
	ck_assert(!(health.known & (HEALTH_BAD | HEALTH_COUNTS)));
	program_close(p);
}
END_TEST

/* A typed list that is shorter than its shape: the last number stands for the rest. */
START_TEST(summary_of_typed_numbers)
{
	struct str tensor = {0};
	struct health health;
	struct program *p;

	start_odd();
	put_tensor_head(&tensor, 2, 1, &(int64_t){ 5 });
	put_bytes(&tensor, 6, "\0\0\0\0\0\0\0\x40", 8);
	put_trace_of(101, "g", "x", 0, "", CONCISE, &tensor);
	p = open_odd();
	health = health_of_only(p);
	ck_assert_uint_eq(health.size, 2);
	ck_assert_uint_eq(health.nan, 2);
	ck_assert_uint_eq(p->n_flagged, 1);
	program_close(p);
}
END_TEST

START_TEST(counts_of_large_unsigned)
{
	struct str tensor = {0};
	struct health health;
	struct program *p;

	start_odd();
	put_tensor_head(&tensor, 23, 1, &(int64_t){ 2 });
	put_bytes(&tensor, 4, "\0\0\0\0\0\0\0\x80\0\0\0\0\0\0\0\0", 16);
	put_trace_of(101, "g", "x", 0, "", FULL, &tensor);
	p = open_odd();
	health = health_of_only(p);
	ck_assert_uint_eq(health.positive, 1);
	ck_assert_uint_eq(health.zero, 1);
	ck_assert_uint_eq(health.negative, 0);
	program_close(p);
}
END_TEST

/* One NaN stands for more elements than could be looked at one by one. */
START_TEST(counts_of_what_repeats)
{
	struct str tensor = {0};
	struct health health;
	struct program *p;

	start_odd();
	put_tensor_head(&tensor, 1, 1, &(int64_t){ (int64_t)1 << 50 });
	put_bytes(&tensor, 5, "\0\0\0\0\0\0\xc0\x7f", 8);
	put_trace_of(101, "g", "x", 0, "", FULL, &tensor);
	p = open_odd();
	health = health_of_only(p);
	ck_assert_uint_eq(health.zero, 1);
	ck_assert_uint_eq(health.nan, ((uint64_t)1 << 50) - 1);
	program_close(p);
}
END_TEST

/* Each set counts its own sources. */
START_TEST(frames_of_two_sets)
{
	struct program *p;

	put_small();
	write_set("1.host");
	start_odd();
	put_source("c.py");
	put_source("d.py");
	put_frame("c", 1, 1);
	put_frame("d", 2, 1);
	write_set("2.host");
	p = open_scratch();
	ck_assert_uint_eq(p->frame_order.len, 4);
	ck_assert_str_eq(p->sources.at[p->frames.at[p->frame_order.at[2]].source].path, "d.py");
	ck_assert_uint_eq(p->frames.at[p->frame_order.at[3]].source, PROGRAM_NONE);
	ck_assert_uint_eq(p->unresolved.sources, 1);
	program_close(p);
}
END_TEST

/* Two processes: one has another clock and no steps, and starts before the other or after. */
START_TEST(remote_calls)
{
	struct program *p;

	put_small();
	str_reset(&files[PROGRAM_FILE_TRACES]);
	write_set("1.host");
	start_odd();
	str_reset(&files[PROGRAM_FILE_METADATA]);
	put_metadata(_i ? 99 : 101, "run");
	for (int call = 0; call < 3; call++) {
		put_trace(900 + call, "g", "y");
		put_trace(900.5 + call, "g", "z");
	}
	put_trace(910, "elsewhere", "y");
	write_set("2.far");
	p = open_scratch();
	ck_assert_uint_eq(p->sets.len, 2);
	ck_assert_uint_eq(p->steps.at[0].n_probable, 2);
	ck_assert_uint_eq(p->steps.at[1].n_probable, 0);
	ck_assert_uint_eq(p->steps.at[2].n_probable, 2);
	ck_assert_uint_eq(p->n_passes, 1);
	ck_assert_uint_eq(p->traces.at[4].attribution, PROGRAM_UNATTRIBUTED);
	program_close(p);
}
END_TEST

/* ---- still written */

static void same_as_fresh(const struct program *program)
{
	struct program *fresh = open_scratch();
	struct kinds a, b;

	lines_of(program, &a);
	lines_of(fresh, &b);
	ck_assert_uint_eq(a.len, b.len);
	ck_assert_uint_eq(records(program), records(fresh));
	ck_assert_uint_eq(program->damage.len, fresh->damage.len);
	ck_assert_int_eq(program->t0_us, fresh->t0_us);
	for (size_t i = 0; i < a.len; i++) {
		ck_assert_str_eq(a.at[i].name, b.at[i].name);
		ck_assert_msg(a.at[i].crc == b.at[i].crc, "%s", a.at[i].name);
	}
	program_close(fresh);
}

static void grows(struct program *program, int kind, size_t len)
{
	struct err err = {0};

	write_file("1.host", kind, files[kind].text, len);
	ck_assert_int_eq(program_look_again(program, NULL, &err), PROGRAM_GREW);
}

/* Traces come before what they refer to, in pieces of a few bytes. */
START_TEST(grows_to_the_same)
{
	static const int order[] = { PROGRAM_FILE_TRACES, PROGRAM_FILE_EXECUTION,
	                             PROGRAM_FILE_GRAPHS, PROGRAM_FILE_FRAMES,
	                             PROGRAM_FILE_SOURCES };
	struct err err = {0};
	struct program *p;

	put_small();
	write_file("1.host", 0, files[0].text, files[0].len);
	p = open_scratch();
	ck_assert_uint_eq(p->damage.len, 5);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_SAME);
	for (int i = 0; i < ROWS(order); i++) {
		const struct str *file = &files[order[i]];

		for (size_t len = 0; len < file->len; len += 37)
			grows(p, order[i], len);
		grows(p, order[i], file->len);
		same_as_fresh(p);
	}
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_SAME);
	ck_assert_uint_eq(p->damage.len, 0);
	ck_assert_uint_eq(p->steps.at[2].n_sure, 2);
	program_close(p);
}
END_TEST

START_TEST(replaced_files_are_read_anew)
{
	struct program *p;
	struct err err = {0};

	put_small();
	write_set("1.host");
	p = open_scratch();
	write_file("1.host", PROGRAM_FILE_TRACES, "", 0);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	ck_assert_uint_eq(p->traces.len, 0);
	same_as_fresh(p);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_SAME);
	program_close(p);
}
END_TEST

/* A file that was written again, with as many bytes; and what was open of it. */
START_TEST(rewritten_files_are_read_anew)
{
	struct program_reads reads;
	struct program_tensor first = { .trace = 0 };
	struct str path = {0}, beside = {0};
	struct timespec later[2] = { { 2000000000, 0 }, { 2000000000, 0 } };
	struct health health;
	struct program *p;
	struct err err = {0};

	put_small();
	write_set("1.host");
	p = open_scratch();
	reads = (struct program_reads){ .program = p };
	ck_assert(program_health(&reads, &first, &health, NULL, &err));
	ck_assert_uint_eq(health.nan, 1);
	str_reset(&files[PROGRAM_FILE_TRACES]);
	for (int i = 0; i < 3; i++) {
		static const double two[] = { 1, 1, 0, 0, 2 };
		struct str tensor = {0};

		put_doubles(&tensor, two, 5);
		put_trace_of(101 + i, "g", "y", 0, "CPU", CONCISE, &tensor);
	}
	write_set("2.new");
	str_fmt(&path, "%s/tfdbg_events.1.host.graph_execution_traces", scratch);
	str_fmt(&beside, "%s/tfdbg_events.2.new.graph_execution_traces", scratch);
	ck_assert_int_eq(rename(beside.text, path.text), 0);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	ck_assert(program_health(&reads, &first, &health, NULL, &err));
	ck_assert_uint_eq(health.nan, 2);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_SAME);
	ck_assert_int_eq(utimensat(AT_FDCWD, path.text, later, 0), 0);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	program_reads_release(&reads);
	program_close(p);
	str_release(&path);
	str_release(&beside);
}
END_TEST

static void put_full_trace(double time)
{
	struct str tensor = {0};

	put_tensor_head(&tensor, 1, 1, &(int64_t){ 1 });
	put_bytes(&tensor, 4, "\0\0\xc0\x7f", 4);
	put_trace_of(time, "g", "y", 0, "CPU", FULL, &tensor);
}

/* What was scanned moves behind what is new. */
START_TEST(scans_what_came_before)
{
	const struct str *traces = &files[PROGRAM_FILE_TRACES];
	struct program *p;
	struct err err = {0};

	put_small();
	write_set("1.host");
	str_reset(&files[PROGRAM_FILE_METADATA]);
	put_metadata(101, "run");
	put_full_trace(107);
	write_set("2.host");
	p = open_scratch();
	ck_assert(program_scan(p, UINT64_MAX, NULL, &err));
	ck_assert_uint_eq(p->n_flagged, 7);
	put_full_trace(108);
	write_file("1.host", PROGRAM_FILE_TRACES, traces->text, traces->len);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	ck_assert_uint_eq(p->n_unscanned, 2);
	ck_assert(program_scan(p, UINT64_MAX, NULL, &err));
	ck_assert_uint_eq(p->n_unscanned, 0);
	ck_assert_uint_eq(p->n_flagged, 9);
	program_close(p);
}
END_TEST

/* A second process joins, then the first one writes more: its records come before. */
START_TEST(new_sets_join)
{
	struct program *p;
	struct err err = {0};

	put_small();
	write_set("1.host");
	p = open_scratch();
	str_reset(&files[PROGRAM_FILE_METADATA]);
	put_metadata(101, "run");
	write_set("2.host");
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_GREW);
	ck_assert_uint_eq(p->sets.len, 2);
	same_as_fresh(p);
	put_trace(106, "g", "y");
	put_device("GPU");
	write_set_but_metadata("1.host");
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	ck_assert_str_eq(p->devices.at[1].name, "GPU");
	ck_assert_uint_eq(p->devices.at[2].set, 1);
	same_as_fresh(p);
	str_reset(&files[PROGRAM_FILE_METADATA]);
	put_metadata(50, "run");
	write_set("0.host");
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	ck_assert_uint_eq(p->sets.len, 3);
	same_as_fresh(p);
	program_close(p);
}
END_TEST

/* ---- the scan */

START_TEST(scans_in_slices)
{
	struct v2_root *root = v2_root_open("testdata/v2/dtypes_full", NULL);
	struct program *p = open_run(root, 0);
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

SUITE_MAIN("program",
	tcase_add_checked_fixture(t, make_scratch, remove_scratch);
	tcase_add_test(t, recordings);
	tcase_add_test(t, cut_by_a_buffer);
	tcase_add_test(t, small);
	tcase_add_loop_test(t, every_byte_wrong, 0, PROGRAM_FILE_KINDS);
	tcase_add_loop_test(t, every_cut, 0, PROGRAM_FILE_KINDS);
	tcase_add_loop_test(t, every_payload_wrong, 0, PROGRAM_FILE_KINDS);
	tcase_add_loop_test(t, names_are_cut_from_the_right, 0, ROWS(names));
	tcase_add_test(t, sets_make_runs);
	tcase_add_test(t, start_that_is_no_number);
	tcase_add_test(t, start_without_metadata);
	tcase_add_test(t, keys_that_are_alike);
	tcase_add_test(t, inputs_as_recorded);
	tcase_add_test(t, passes);
	tcase_add_test(t, windows_include_their_end);
	tcase_add_test(t, ids_made_again);
	tcase_add_test(t, placeholders_if_their_number_agrees);
	tcase_add_test(t, shape_of_rank_7);
	tcase_add_test(t, summary_of_typed_numbers);
	tcase_add_test(t, counts_of_large_unsigned);
	tcase_add_test(t, counts_of_what_repeats);
	tcase_add_test(t, frames_of_two_sets);
	tcase_add_test(t, rewritten_files_are_read_anew);
	tcase_add_test(t, scans_what_came_before);
	tcase_add_test(t, graph_of_a_call_is_guessed);
	tcase_add_test(t, graphs_in_a_circle);
	tcase_add_test(t, ops_of_one_name);
	tcase_add_test(t, odd_times);
	tcase_add_test(t, outputs_nobody_tells_of);
	tcase_add_loop_test(t, remote_calls, 0, 2);
	tcase_add_test(t, grows_to_the_same);
	tcase_add_test(t, replaced_files_are_read_anew);
	tcase_add_test(t, new_sets_join);
	tcase_add_test(t, scans_in_slices);
	tcase_add_test(t, cancelled_while_opening);)
