/*
 * The model of a profile against hand-made messages, recordings (testdata/profile), damage at every
 * byte, and text format against the binary file of the same graph.
 */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/graph/node_source.h"
#include "cmds/profile/profile_time.h"
#include "cmds/session/shell.h"
#include "dump/files/recognise.h"
#include "dump/format/pbtxt.h"
#include "dump/profile/profile.h"
#include "dump/profile/run_metadata.h"
#include "tests/made_step.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define LINEAR "testdata/profile/linear"
#define CPU "/job:localhost/replica:0/task:0/device:CPU:0"

static const struct { const char *device; enum lane_kind kind; } devices[] = {
	{ "/host:CPU", LANE_HOST },
	{ CPU, LANE_OP_CPU },
	{ "/job:a/replica:0/task:12/cpu:10", LANE_OP_CPU },
	{ "/cpu:0", LANE_OP_CPU },
	{ "/job:w/replica:0/task:0/device:GPU:1", LANE_OP_ACC },
	{ "/gpu:0", LANE_OP_ACC },
	{ "/device:GPU:0/stream:all", LANE_GPU_ALL },
	{ "/job:a/gpu:0/stream:all", LANE_GPU_ALL },
	{ "/device:GPU:0/stream:13", LANE_GPU_STREAM },
	{ "/device:GPU:0/stream:13<MemcpyH2D>", LANE_GPU_STREAM_COPY },
	{ "/device:GPU:0/stream:", LANE_GPU_OTHER },
	{ "/device:GPU:0/memcpy", LANE_GPU_COPY_ALL },
	{ "/gpu:0/memcpy:all", LANE_GPU_COPY_ALL },
	{ "/device:GPU:0/sync", LANE_GPU_SYNC },
	{ "/job:a/device:XLA_CPU:0", LANE_OTHER },
	{ "/job:a/device:TPU:0", LANE_OTHER },
	{ "/job:a/device:CPU:", LANE_OTHER },
	{ "cpu:0", LANE_OTHER },
	{ "", LANE_OTHER },
};

START_TEST(devices_have_kinds)
{
	ck_assert_int_eq(lane_kind_of(devices[_i].device), devices[_i].kind);
}
END_TEST

/* scheduled = start - queue, stored as (scheduled * 1000) mod 2^64; computed in Python. */
static const struct { int64_t start, scheduled; bool ok; int64_t queue; } queues[] = {
	{ 1700000000000001000, 1700000000000000000, true, 1000 },
	{ 1700000000000000000, 1700000000000001000, true, -1000 },
	{ 1795219862704279386, 5885687552247453248, true, 2205426 },
	{ 1700000000000000000, 2899545218721251328, true, 0 },
	{ 1700000000000000000, 2899545218721251329, false, 0 },
	{ 1700000000000000000, 0, false, 0 },
	{ 1700000000000000000, 12345678, false, 0 },
	/* an hour either way is the most, as it was stored and as it is repaired */
	{ 1700003600000000000, 1700000000000000000, true, 3600000000000 },
	{ 1700003600000000001, 1700000000000000000, false, 0 },
	{ 1700000000000000000, 1700003600000000000, true, -3600000000000 },
	{ 1700000000000000000, 1700003600000000001, false, 0 },
	{ 1700003600000000000, 2899545218721251328, true, 3600000000000 },
	{ 1700003600000000001, 2899545218721251328, false, 0 },
	{ 1699996400000000000, 2899545218721251328, true, -3600000000000 },
	{ 1699996399999999999, 2899545218721251328, false, 0 },
};

START_TEST(damaged_schedules_are_repaired)
{
	int64_t queue = 0;

	ck_assert_int_eq(queue_of(queues[_i].start, queues[_i].scheduled, &queue), queues[_i].ok);
	if (queues[_i].ok)
		ck_assert_int_eq(queue, queues[_i].queue);
}
END_TEST

static void open_step(struct step *step, const char *path)
{
	struct err err = {0};

	*step = (struct step){ .path = path, .file = path, .source = &run_metadata_source };
	ck_assert_msg(step_load(step, NULL, &err), "%s", err.msg);
}

START_TEST(a_recorded_step_is_read)
{
	struct step step;
	struct record_times t;
	const struct record *first;
	struct extent extent;

	open_step(&step, LINEAR "/run_metadata.pb");
	ck_assert_int_eq(step.damage.code, ERR_NONE);
	ck_assert_uint_eq(step.lanes.len, 2);
	ck_assert_str_eq(step.lanes.at[0].device, "/host:CPU");
	ck_assert_uint_eq(step.lanes.at[0].n, 17);
	ck_assert_str_eq(step.lanes.at[1].device, CPU);
	ck_assert_uint_eq(step.graphs.len, 1);
	first = &step.records.at[step.lanes.at[1].first];
	if (!strcmp(record_name(&step, first), "_SOURCE"))
		first++;
	ck_assert_str_eq(record_name(&step, first), "gradients/loss/mse_grad/Reshape");
	t = step_times(&step, first);
	ck_assert_int_eq(t.all_start_us, 1795219862704279);
	ck_assert_int_eq(record_op_us(&t), 3);
	ck_assert_int_eq(t.all_end_us, 6);
	ck_assert(t.has_ns && t.has_queue && t.queue_ns > 0 && t.queue_ns < 10000000);
	ck_assert_int_eq(t.all_start_ns / 1000, t.all_start_us);
	ck_assert(step_extent(&step, &extent));
	ck_assert_int_le(extent.start_us, 1795219862704279);
	ck_assert_int_ge(extent.end_us, 1795219862704534);
	ck_assert_uint_eq(extent.n_impossible, 0);
	step_release(&step);
}
END_TEST

START_TEST(details_are_read_again)
{
	struct step step;
	struct detail_reader reader;
	size_t outputs = 0, labels = 0, memory = 0;

	open_step(&step, LINEAR "/run_metadata.pb");
	ck_assert(detail_open(&reader, &step, NULL));
	for (size_t i = 0; i < step.records.len; i++) {
		const struct record *record = &step.records.at[i];
		const struct record_detail *d = &reader.detail;
		struct err err = {0};

		ck_assert_msg(detail_read(&reader, record, DETAIL_ALL, &err), "%s", err.msg);
		labels += d->label_len > 0;
		outputs += d->n_outputs;
		memory += d->n_memory;
		if (!strcmp(record_name(&step, record), "loss/Square") && record->lane == 1) {
			ck_assert_str_eq(d->label, "loss/Square = Square(loss/sub)");
			ck_assert_uint_eq(d->n_outputs, 1);
			ck_assert_int_eq(d->outputs[0].dtype, 1);
			ck_assert_uint_eq(d->outputs[0].rank, 2);
			ck_assert_int_eq(d->outputs[0].dims[0], 32);
			ck_assert_int_eq(d->outputs[0].dims[1], 1);
			ck_assert_int_eq(d->outputs[0].allocation.requested, 128);
			ck_assert_str_eq(d->outputs[0].allocation.allocator, "cpu");
		}
	}
	ck_assert_uint_gt(labels, step.lanes.at[0].n);
	ck_assert_uint_gt(outputs, 20);
	ck_assert_uint_ge(memory, 12);
	detail_close(&reader);
	step_release(&step);
}
END_TEST

/* A NodeExecStats of a StepStats with one device. */
static void put_step(struct str *out, const struct str *exec)
{
	struct str device = {0}, stats = {0};

	put_bytes(&device, 1, CPU, strlen(CPU));
	put_message(&device, 2, exec);
	put_message(&stats, 1, &device);
	put_message(out, 1, &stats);
	str_release(&device);
	str_release(&stats);
}

START_TEST(absurd_times_keep_their_values)
{
	static const int64_t values[] = {
		INT64_MIN, -1, 0, INT32_MAX, INT64_C(1) << 40, INT64_MAX,
	};
	struct str exec = {0}, file = {0};
	int64_t value = values[_i];
	struct record_times t;
	struct extent extent;
	struct step step;

	put_bytes(&exec, 1, "n", 1);
	for (uint32_t field = 2; field <= 5; field++)
		put_number(&exec, field, (uint64_t)value);
	for (uint32_t field = 13; field <= 17; field++)
		put_number(&exec, field, (uint64_t)value);
	put_step(&file, &exec);
	open_step(&step, file_of(file.text, file.len));
	t = step_times(&step, &step.records.at[0]);
	ck_assert_int_eq(t.all_start_us, value);
	ck_assert_int_eq(t.op_start_us, value);
	ck_assert_int_eq(t.op_end_us, value);
	ck_assert_int_eq(t.all_end_us, value);
	ck_assert_int_eq(t.op_start_ns, value);
	ck_assert_int_eq(t.op_end_ns, value);
	ck_assert_int_eq(t.all_end_ns, value);
	ck_assert_int_eq(t.has_ns, value != 0);
	if (value)
		ck_assert_int_eq(t.all_start_ns, value);
	ck_assert_int_eq(step_extent(&step, &extent), value == INT32_MAX);
	step_release(&step);
	str_release(&exec);
	str_release(&file);
}
END_TEST

/* The last microsecond there is, and one more. */
START_TEST(a_step_at_the_end_of_time_has_no_extent)
{
	struct str exec = {0}, file = {0};
	struct extent extent;
	struct step step;

	put_number(&exec, 2, INT64_MAX);
	put_number(&exec, 5, 1);
	put_step(&file, &exec);
	open_step(&step, file_of(file.text, file.len));
	ck_assert(!step_extent(&step, &extent));
	ck_assert_uint_eq(extent.n_impossible, 1);
	step_release(&step);
	str_release(&exec);
	str_release(&file);
}
END_TEST

/* Nanos are kept by what they have beyond the micros. */
static const int64_t nanos[] = {
	0, 1, 5000, 5999, 5000 - 32767, 5000 - 32768, 5000 + 32767, 5000 + 32768, -1, INT64_MIN,
};

START_TEST(nanos_keep_their_values_beside_micros)
{
	static const int64_t starts[] = { 0, 999, 32767, 32768, -1 };
	size_t n = ROWS(starts);

	for (size_t i = 0; i < n; i++) {
		struct str exec = {0}, file = {0};
		struct record_times t;
		struct step step;

		put_bytes(&exec, 1, "n", 1);
		put_number(&exec, 2, 1500000000000000);
		for (uint32_t field = 3; field <= 5; field++)
			put_number(&exec, field, 5);
		put_number(&exec, 13, (uint64_t)(INT64_C(1500000000000000000) + starts[i]));
		for (uint32_t field = 14; field <= 16; field++)
			put_number(&exec, field, (uint64_t)nanos[_i]);
		put_step(&file, &exec);
		open_step(&step, file_of(file.text, file.len));
		t = step_times(&step, &step.records.at[0]);
		ck_assert_int_eq(t.all_start_ns, INT64_C(1500000000000000000) + starts[i]);
		ck_assert_int_eq(t.op_end_us, 5);
		ck_assert_int_eq(t.op_start_ns, nanos[_i]);
		ck_assert_int_eq(t.op_end_ns, nanos[_i]);
		ck_assert_int_eq(t.all_end_ns, nanos[_i]);
		step_release(&step);
		str_release(&exec);
		str_release(&file);
	}
}
END_TEST

/* Loads whatever is there and reads every detail. */
static size_t look_at(const char *path)
{
	struct step step = { .path = path, .file = path, .source = &run_metadata_source };
	struct detail_reader reader;
	struct err err = {0};
	size_t n = 0;

	if (!step_load(&step, NULL, &err)) {
		ck_assert_int_ne(err.code, ERR_NONE);
		return 0;
	}
	ck_assert(detail_open(&reader, &step, NULL));
	for (size_t i = 0; i < step.records.len; i++) {
		struct extent extent;

		detail_read(&reader, &step.records.at[i], DETAIL_ALL, NULL);
		step_times(&step, &step.records.at[i]);
		if (!i)
			step_extent(&step, &extent);
	}
	detail_close(&reader);
	n = step.records.len;
	step_release(&step);
	return n;
}

/* The first device of a recorded step: 17 records. */
static void small_step(struct str *out)
{
	struct str whole = {0};
	struct file file;
	struct field stats, device;
	struct wire wire;
	struct str inner = {0};

	ck_assert(read_whole(LINEAR "/run_metadata.pb", &whole));
	ck_assert(file_open(&file, LINEAR "/run_metadata.pb", NULL));
	wire_start(&wire, &file, (struct span){ 0, file.size });
	ck_assert(wire_next(&wire, &stats, NULL));
	wire_start(&wire, &file, stats.bytes);
	ck_assert(wire_next(&wire, &device, NULL));
	put_bytes(&inner, 1, whole.text + device.bytes.off, device.bytes.len);
	put_message(out, 1, &inner);
	file_close(&file);
	str_release(&inner);
	str_release(&whole);
}

START_TEST(a_cut_file_gives_what_is_whole)
{
	struct str file = {0};
	size_t last = 0;

	small_step(&file);
	for (size_t len = 0; len <= file.len; len++) {
		size_t n = look_at(file_of(file.text, len));

		ck_assert_uint_ge(n, last);
		last = n;
	}
	ck_assert_uint_eq(last, 17);
	str_release(&file);
}
END_TEST

START_TEST(no_flipped_byte_is_too_much)
{
	static const unsigned char flips[] = { 0x01, 0x80, 0xff };
	struct str file = {0};

	small_step(&file);
	for (size_t i = 0; i < file.len; i++) {
		char kept = file.text[i];

		file.text[i] = (char)((unsigned char)kept ^ flips[_i]);
		look_at(file_of(file.text, file.len));
		file.text[i] = kept;
	}
	str_release(&file);
}
END_TEST

START_TEST(a_million_lanes)
{
	struct str stats = {0}, file = {0};
	struct step step;

	for (int i = 0; i < 1000000; i++)
		str_put(&stats, "\x0a\x00", 2);
	put_message(&file, 1, &stats);
	open_step(&step, file_of(file.text, file.len));
	ck_assert_uint_eq(step.lanes.len, 1000000);
	ck_assert_uint_eq(step.records.len, 0);
	step_release(&step);
	str_release(&stats);
	str_release(&file);
}
END_TEST

/* Recognition. */

static const struct { const char *path; enum file_kind kind; } kinds[] = {
	{ LINEAR "/run_metadata.pb", FILE_RUN_METADATA },
	{ LINEAR "/graph.pb", FILE_GRAPH },
	{ LINEAR "/graph.pbtxt", FILE_GRAPH_TEXT },
	{ LINEAR "/op_log.pb", FILE_OP_LOG },
	{ LINEAR "/profile.context", FILE_PROFILE_PROTO },
	{ LINEAR "/src/profile_linear.py", FILE_NONE },
	{ "testdata/profile/gpu_like/run_metadata.pb", FILE_RUN_METADATA },
	{ "testdata/profile/while_loop/op_log.pb", FILE_OP_LOG },
	{ "testdata/linear.stacks.json", FILE_STACKS },
	{ "testdata/profile/others/function.xplane.pb", FILE_XSPACE },
	{ "testdata/profile/others/jax_cpu.trace.json.gz", FILE_TRACE_GZIP },
	{ LINEAR "/timelines/timeline.json", FILE_TRACE },
};

START_TEST(files_are_recognised)
{
	enum file_kind kind;

	ck_assert(recognise(kinds[_i].path, &kind, NULL));
	ck_assert_str_eq(file_kind_name(kind), file_kind_name(kinds[_i].kind));
}
END_TEST

static const struct { const char *text; enum file_kind kind; } heads[] = {
	{ "", FILE_NONE },
	{ "# a comment\n node {", FILE_GRAPH_TEXT },
	{ "node: <", FILE_GRAPH_TEXT },
	{ "nodes {", FILE_NONE },
	{ "step_stats {", FILE_RUN_METADATA_TEXT },
	{ "dev_stats {", FILE_STEP_STATS_TEXT },
	{ "HloModule m, entry", FILE_HLO },
	{ "[ {\"ph\": \"X\"}]", FILE_TRACE },
	{ "{\"a\": [], \"traceEvents\": []}", FILE_TRACE },
	{ "{\"a\": 1}", FILE_NONE },
	{ "\x1f\x8b\x08", FILE_GZIP },
	{ "\x83\xaf\x70\xd1\x0d\x88\x4a\x3f", FILE_RIEGELI },
	{ "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x01", FILE_NONE },
};

START_TEST(heads_are_recognised)
{
	enum file_kind kind;

	ck_assert(recognise(file_of(heads[_i].text, strlen(heads[_i].text)), &kind, NULL));
	ck_assert_str_eq(file_kind_name(kind), file_kind_name(heads[_i].kind));
}
END_TEST

/* Text format. */

static struct graph *graph_of_text(const char *path, struct err *err)
{
	int fd = pbtxt_convert(path, PBTXT_GRAPH_DEF, NULL, err);
	struct str converted = {0};
	struct graph *graph = NULL;

	if (fd >= 0) {
		str_fmt(&converted, "/proc/self/fd/%d", fd);
		graph = graph_open(converted.text, 0, UINT64_MAX, NULL, NULL, err);
		close(fd);
	}
	str_release(&converted);
	return graph;
}

START_TEST(text_and_binary_are_one_graph)
{
	struct err err = {0};
	struct graph *text = graph_of_text(LINEAR "/graph.pbtxt", &err);
	struct graph *binary = graph_open(LINEAR "/graph.pb", 0, UINT64_MAX, NULL, NULL, &err);

	ck_assert_msg(text && binary, "%s", err.msg);
	ck_assert_uint_eq(graph_len(text), 61);
	ck_assert_uint_eq(graph_len(binary), 62);        /* written later: it has "init", too */
	for (uint32_t i = 0; i < graph_len(text); i++) {
		const char *name = graph_name(text, i);
		uint32_t same = graph_find(binary, name, strlen(name));

		ck_assert_uint_ne(same, GRAPH_NONE);
		ck_assert_str_eq(graph_op(text, i), graph_op(binary, same));
		ck_assert_str_eq(graph_device(text, i), graph_device(binary, same));
	}
	graph_close(text);
	graph_close(binary);
}
END_TEST

START_TEST(escapes_comments_and_lists)
{
	static const char text[] = "# head\nnode < name: 'a\\x62' \"\\143\" op: \"Op\\n\\u00e9\" ; "
	                           "input: [ \"x\", 'y' ],\n"
		"  attr { key: \"T\" value { type: DT_INT32_REF } }\n"
		"  unknown { deep: [1, 2] [a.b/c]: 5 } >\n";
	struct err err = {0};
	struct graph *graph = graph_of_text(file_of(text, strlen(text)), &err);

	ck_assert_msg(graph != NULL, "%s", err.msg);
	ck_assert_uint_eq(graph_len(graph), 1);
	ck_assert_str_eq(graph_name(graph, 0), "abc");
	ck_assert_str_eq(graph_op(graph, 0), "Op\n\xc3\xa9");
	graph_close(graph);
}
END_TEST

static const struct { const char *text; uint64_t off; const char *msg; } bad_texts[] = {
	{ "node {\n name: \"a\n\" }", 16, "line 2: the end of a string expected" },
	{ "node {\n name: 5 }", 14, "line 2: a string expected" },
	{ "node { name \"a\" }", 12, "line 1: : or { expected" },
	{ "node {", 6, "line 1: the file ends within a message" },
	{ "}", 0, "line 1: a field expected" },
	{ "node { name: \"\\q\" }", 16, "line 1: an escape expected" },
	{ "node: 5", 6, "line 1: a message expected" },
	{ "versions { producer: x }", 22, "line 1: a whole number expected" },
};

START_TEST(bad_text_has_a_place)
{
	struct err err = {0};

	ck_assert_ptr_null(graph_of_text(file_of(bad_texts[_i].text, strlen(bad_texts[_i].text)),
	                                 &err));
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_str_eq(err.msg, bad_texts[_i].msg);
	ck_assert_uint_eq(err.off, bad_texts[_i].off);
}
END_TEST

START_TEST(deep_text_is_refused)
{
	struct str text = {0};
	struct err err = {0};

	for (int i = 0; i < 100000; i++)
		str_puts(&text, "a{");
	ck_assert_ptr_null(graph_of_text(file_of(text.text, text.len), &err));
	ck_assert_str_eq(err.msg, "line 1: messages nested less than 64 deep expected");
	ck_assert_uint_eq(err.off, 129);
	str_release(&text);
}
END_TEST

/* Other parts. */

START_TEST(an_op_log_gives_frames)
{
	struct op_log *log = op_log_open(LINEAR "/op_log.pb", NULL, NULL);
	struct arena mem = {0};
	struct code_frame *frames;
	size_t n;

	ck_assert_ptr_nonnull(log);
	ck_assert_int_eq(log->damage.code, ERR_NONE);
	ck_assert_ptr_nonnull(op_log_find(log, "x"));
	ck_assert_ptr_null(op_log_find(log, "nowhere"));
	ck_assert(op_log_code(log, op_log_find(log, "x"), &mem, &frames, &n, NULL));
	ck_assert_uint_ge(n, 3);
	ck_assert_int_eq(frames[0].lineno, 121);
	ck_assert_int_eq(frames[2].lineno, 17);
	ck_assert_str_eq(frames[2].function, "build");
	ck_assert_str_eq(frames[2].file, "/tmp/demo/profile_linear.py");
	arena_release(&mem);
	op_log_close(log);
}
END_TEST

START_TEST(a_tfprof_profile_gives_nodes)
{
	struct profile_proto *proto = profile_proto_open(LINEAR "/profile.context", NULL, NULL);
	bool found = false;

	ck_assert_ptr_nonnull(proto);
	ck_assert(proto->has_trace);
	ck_assert_uint_eq(proto->steps.len, 3);
	for (size_t i = 0; i < proto->nodes.len; i++) {
		struct arena mem = {0};
		struct profile_node node;
		struct err err = {0};

		ck_assert_msg(profile_proto_node(proto, i, &mem, &node, &err), "%s", err.msg);
		ck_assert_int_eq(node.id, proto->nodes.at[i].id);
		if (!strcmp(node.name, "loss/Square")) {
			found = true;
			ck_assert_str_eq(node.op, "Square");
			ck_assert_uint_eq(node.n_execs, 3);
			ck_assert_uint_gt(node.n_frames, 3);
			ck_assert_int_eq(node.execs[0].run_count, 1);
			ck_assert_uint_eq(node.execs[0].n_memory, 1);
			ck_assert_int_eq(node.execs[0].memory[0].output, 128);
			ck_assert_uint_ge(node.execs[0].n_cpu, 1);
			ck_assert_int_gt(node.execs[0].cpu[0].times[0].key, 0);
		}
		arena_release(&mem);
	}
	ck_assert(found);
	profile_proto_close(proto);
}
END_TEST

/* Steps of a directory. */

static struct profile *profile_of(const char *dir)
{
	struct profile *profile = profile_new();
	struct err err = {0};

	ck_assert_msg(profile_look(profile, dir, &err), "%s", err.msg);
	ck_assert_msg(profile_load(profile, NULL, &err), "%s", err.msg);
	return profile;
}

START_TEST(steps_have_numbers_and_a_current_one)
{
	char *dir = scratch_new();
	struct profile *profile;

	dump_copy(dir, "run_meta_10", LINEAR "/run_metadata.pb");
	dump_copy(dir, "run_meta_9", LINEAR "/run_metadata_1.pb");
	profile = profile_of(dir);
	ck_assert_uint_eq(profile->steps.len, 2);
	ck_assert_str_eq(profile->steps.at[0].label, "9");
	ck_assert_str_eq(profile->steps.at[1].label, "10");
	ck_assert_uint_eq(profile->current, 1);
	ck_assert_uint_eq(profile_find_step(profile, "9"), 0);
	ck_assert_uint_eq(profile_find_step(profile, "11"), 2);
	ck_assert(!profile->steps.at[0].loaded && profile->steps.at[1].loaded);
	ck_assert_ptr_nonnull(profile_step(profile, 0, NULL, NULL));
	ck_assert(profile->steps.at[0].loaded);
	profile_forget(profile);
	ck_assert(!profile->steps.at[0].loaded && profile->steps.at[1].loaded);
	profile_close(profile);
	scratch_remove(dir);
}
END_TEST

/*
 * Beside steps a ProfileProto counts where no graph does: of several the last one, which knows
 * most.
 */
static const struct { bool graph, named, counts; } proto_places[] = {
	{ false, false, true }, { true, false, false }, { false, true, false },
};

START_TEST(a_tfprof_profile_stands_in_for_a_graph)
{
	char *dir = scratch_new();
	struct profile *profile = profile_new();
	bool counts = proto_places[_i].counts;

	dump_copy(dir, "run_meta_0", LINEAR "/run_metadata.pb");
	dump_copy(dir, "profile_9", "testdata/profile_odd/profile_context/profile_5");
	dump_copy(dir, "profile_10", LINEAR "/profile.context");
	if (proto_places[_i].graph)
		dump_copy(dir, "graph.pb", LINEAR "/graph.pb");
	ck_assert(profile_look(profile, dir, NULL));
	if (proto_places[_i].named)
		ck_assert(profile_name_run_metadata(profile, LINEAR "/run_metadata_1.pb", NULL,
		                                    NULL));
	ck_assert(profile_load(profile, NULL, NULL));
	ck_assert_int_eq(profile->proto != NULL, counts);
	ck_assert_int_eq(profile_has_code(profile), counts);
	if (counts)
		ck_assert_str_eq(profile->proto_path, "profile_10");
	ck_assert_ptr_nonnull(strstr(profile->passed_over, "profile_9 (tfprof profile)"));
	ck_assert_int_eq(!strstr(profile->passed_over, "profile_10 (tfprof profile)"), counts);
	profile_close(profile);
	scratch_remove(dir);
}
END_TEST

START_TEST(a_tfprof_profile_knows_names)
{
	struct profile_proto *proto = profile_proto_open(LINEAR "/profile.context", NULL, NULL);
	const struct profile_name *name;
	struct progress stop = {0};
	struct err err = {0};
	struct arena mem = {0};
	struct code_frame *frames;
	size_t n;

	ck_assert_ptr_nonnull(proto);
	ck_assert_ptr_null(profile_proto_find(proto, "x", 1));
	atomic_store(&stop.cancel, true);
	ck_assert(!profile_proto_index(proto, &stop, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert(profile_proto_index(proto, NULL, NULL));
	name = profile_proto_find(proto, "model/y_hat", strlen("model/y_hat"));
	ck_assert_ptr_nonnull(name);
	ck_assert_str_eq(name->op, "BiasAdd");
	ck_assert(profile_proto_code(proto, name, &mem, &frames, &n, NULL));
	ck_assert_uint_gt(n, 3);
	ck_assert_str_eq(frames[3].file, "/tmp/demo/profile_linear.py");
	/* Made up by tfprof. */
	ck_assert_ptr_null(profile_proto_find(proto, "_arg_x_0_0", strlen("_arg_x_0_0")));
	ck_assert_ptr_null(profile_proto_find(proto, "model", strlen("model")));
	arena_release(&mem);
	profile_proto_close(proto);
}
END_TEST

static void ask_of_linear(const char *line, const char *dir, struct program_run *ran)
{
	const char *const of_dir[] = { program_path(), "-c", line, dir, NULL };
	const char *const of_parts[] = {
		program_path(), "-c", line, "--graph=" LINEAR "/graph.pb",
		"--run-metadata=" LINEAR "/run_metadata.pb", "--op-log=" LINEAR "/op_log.pb", NULL,
	};

	program_run(dir ? of_dir : of_parts, NULL, NULL, ran);
}

/* Partition graphs and labels say _FusedMatMul where the program had BiasAdd. */
static const char *const answered_alike[] = {
	"lp -d .*CPU:0 -n model|loss|gradients", "lp -d .*CPU:0 -t BiasAdd", "kernels -g type",
	"kernels -g source", "kernels -g op --columns gflop,source",
	"tfprof code -max_depth 8 -step 0", "tfprof op -select micros,float_ops,params -step 0",
};
enum { N_PROTO_PLACES = ROWS(proto_places) };
enum { N_ALIKE = ROWS(answered_alike) };

START_TEST(a_tfprof_profile_answers_as_graph_and_op_log)
{
	char *dir = scratch_new();
	struct program_run got, want;

	dump_copy(dir, "run_meta_0", LINEAR "/run_metadata.pb");
	dump_copy(dir, "profile_0", LINEAR "/profile.context");
	ask_of_linear(answered_alike[_i], dir, &got);
	ask_of_linear(answered_alike[_i], NULL, &want);
	ck_assert_int_eq(got.status, 0);
	ck_assert_str_eq(str_text(&got.out), str_text(&want.out));
	program_release(&got);
	program_release(&want);
	scratch_remove(dir);
}
END_TEST

/* What becomes of run_metadata_1.pb, the middle one of three; what is said of it. */
enum loss { LOSS_NOISE, LOSS_EMPTY, LOSS_FIRST_BYTE, LOSS_FIFO, LOSS_LINK, LOSS_MODE,
            LOSS_DIRECTORY, N_LOSSES };
static const char *const losses[N_LOSSES] = {
	[LOSS_NOISE] = "run_metadata_1.pb: nothing in it is known",
	[LOSS_EMPTY] = "run_metadata_1.pb: an empty file",
	[LOSS_FIRST_BYTE] = "run_metadata_1.pb: nothing in it is known",
	[LOSS_FIFO] = "run_metadata_1.pb: not a regular file",
	[LOSS_LINK] = "run_metadata_1.pb: No such file or directory",
	[LOSS_MODE] = "run_metadata_1.pb: Permission denied",
};

static void lose(const char *dir, enum loss loss)
{
	static const char noise[] = "\x93\x01 what no profiler writes \xff\xff\xff\xff";
	struct str path = {0}, bytes = {0};

	str_fmt(&path, "%s/run_metadata_1.pb", dir);
	ck_assert(read_whole(path.text, &bytes));
	ck_assert_int_eq(loss == LOSS_MODE ? chmod(path.text, 0) : unlink(path.text), 0);
	bytes.text[0] = 0x77;
	switch (loss) {
	case LOSS_NOISE: dump_put(dir, "run_metadata_1.pb", noise, sizeof noise); break;
	case LOSS_EMPTY: dump_put(dir, "run_metadata_1.pb", "", 0); break;
	case LOSS_FIRST_BYTE: dump_put(dir, "run_metadata_1.pb", bytes.text, bytes.len); break;
	case LOSS_FIFO: ck_assert_int_eq(mkfifo(path.text, 0600), 0); break;
	case LOSS_LINK: ck_assert_int_eq(symlink("nowhere", path.text), 0); break;
	case LOSS_DIRECTORY: ck_assert_int_eq(mkdir(path.text, 0700), 0); break;
	default: break;
	}
	str_release(&path);
	str_release(&bytes);
}

/* It is told, and the others keep their numbers. A directory is no file that is missed. */
START_TEST(a_lost_step_is_told)
{
	char *dir = scratch_new();
	struct profile *profile;

	if (_i == LOSS_MODE && geteuid() == 0) {
		scratch_remove(dir);
		return;                  /* for whom every file opens */
	}
	dump_copy(dir, "run_metadata.pb", LINEAR "/run_metadata.pb");
	dump_copy(dir, "run_metadata_1.pb", LINEAR "/run_metadata_1.pb");
	dump_copy(dir, "run_metadata_2.pb", LINEAR "/run_metadata_2.pb");
	lose(dir, (enum loss)_i);
	profile = profile_of(dir);
	ck_assert_uint_eq(profile->steps.len, 2);
	ck_assert_str_eq(profile->steps.at[0].label, "0");
	ck_assert_str_eq(profile->steps.at[1].label, losses[_i] ? "2" : "1");
	ck_assert_uint_eq(profile->problems.len, losses[_i] != NULL);
	if (losses[_i])
		ck_assert_str_eq(profile->problems.at[0], losses[_i]);
	profile_close(profile);
	scratch_remove(dir);
}
END_TEST

/* Names beside a step, and whether they are missed as parts when they can't be read. */
static const struct { const char *name; bool missed; } beside[] = {
	{ "graph.pb", true }, { "other.pbtxt", true }, { "meta_3", true }, { "meta-004", true },
	{ "notes.txt", false }, { "meta_3.txt", false }, { "fingerprint.pb", false },
	{ ".hidden.pb", false },
};

START_TEST(files_that_look_like_parts_are_missed)
{
	char *dir = scratch_new();
	struct profile *profile;

	dump_copy(dir, "meta_1", LINEAR "/run_metadata.pb");
	dump_put(dir, beside[_i].name, "?", 1);
	profile = profile_of(dir);
	ck_assert_uint_eq(profile->steps.len, 1);
	ck_assert_uint_eq(profile->problems.len, beside[_i].missed);
	profile_close(profile);
	scratch_remove(dir);
}
END_TEST

/* However many other files there are, steps are found; that not all were looked at is said. */
START_TEST(among_many_files_steps_are_found)
{
	char *dir = scratch_new(), name[32];
	struct profile *profile;

	for (int i = 0; i < 4200; i++) {
		snprintf(name, sizeof name, "a%d.log", i);
		dump_put(dir, name, "", 0);
	}
	dump_copy(dir, "run_metadata.pb", LINEAR "/run_metadata.pb");
	profile = profile_of(dir);
	ck_assert_uint_eq(profile->steps.len, 1);
	ck_assert_uint_eq(profile->problems.len, 1);
	ck_assert_msg(strstr(profile->problems.at[0], "4201 files: only 4096"), "%s",
	              profile->problems.at[0]);
	profile_close(profile);
	scratch_remove(dir);
}
END_TEST

START_TEST(of_three_steps_the_median_is_current)
{
	struct profile *profile = profile_of(LINEAR);
	int64_t length[3];
	size_t below = 0, above = 0;

	ck_assert_uint_eq(profile->steps.len, 3);
	for (size_t i = 0; i < 3; i++) {
		struct extent extent;

		ck_assert_int_eq(profile->steps.at[i].number, (int64_t)i);
		ck_assert(step_extent(profile_step(profile, i, NULL, NULL), &extent));
		length[i] = extent.end_us - extent.start_us;
	}
	for (size_t i = 0; i < 3; i++) {
		below += length[i] < length[profile->current];
		above += length[i] > length[profile->current];
	}
	ck_assert(below <= 1 && above <= 1);
	ck_assert_ptr_nonnull(profile->graph);
	ck_assert_ptr_nonnull(profile->op_log);
	ck_assert_ptr_null(profile->proto);
	ck_assert_str_eq(profile->passed_over,
	                 "not opened: graph.pbtxt (GraphDef as text), profile.context (tfprof "
	                 "profile)");
	ck_assert(profile_partitions(profile, NULL, NULL));
	profile_close(profile);
}
END_TEST

/* A step of one record, of so many microseconds. */
static void make_step(const char *dir, const char *name, int64_t len)
{
	struct making m = {0};

	made_lane(&m, "/job:localhost/replica:0/task:0/device:CPU:0");
	made_record(&m, "a", 1, len, "a = Const()");
	made_save(&m, dir, name);
}

/* Lengths in the order of the names; which one is current, where 0 takes the lower one of two. */
static const struct { int64_t len[5]; size_t current; } medians[] = {
	{ { 40, 10, 30, 20 }, 3 }, { { 10, 20, 30, 40 }, 1 }, { { 50, 40, 30, 20, 10 }, 2 },
	{ { 7, 7, 7, 7 }, 1 },
};

START_TEST(of_an_even_number_the_lower_median_is_current)
{
	char *dir = scratch_new(), name[16];
	struct profile *profile;

	for (int i = 0; i < 5 && medians[_i].len[i]; i++) {
		snprintf(name, sizeof name, "run_meta_%d", i);
		make_step(dir, name, medians[_i].len[i]);
	}
	profile = profile_of(dir);
	ck_assert_uint_eq(profile->current, medians[_i].current);
	profile_close(profile);
	scratch_remove(dir);
}
END_TEST

/* Numbers by their value, of equal ones that with fewer leading zeros; all else by bytes. */
START_TEST(names_of_steps_have_a_natural_order)
{
	static const char *const names[] = {
		"run_meta_0", "run_meta_00", "run_meta_1", "run_meta_01", "run_meta_001",
		"run_meta_2", "run_meta_02", "run_meta_9", "run_meta_10", "run_meta_010",
		"run_meta_0100", "run_meta_a1", "run_meta_a01b", "run_meta_b0",
	};
	const size_t n = ROWS(names);
	char *dir = scratch_new();
	struct profile *profile;

	for (size_t i = 0; i < n; i++)
		make_step(dir, names[i * 5 % n], 10);
	profile = profile_of(dir);
	ck_assert_uint_eq(profile->steps.len, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_str_eq(profile->steps.at[i].file, names[i]);
	profile_close(profile);
	scratch_remove(dir);
}
END_TEST

/* A document of a step outlives the going to another one; what nothing needs goes. */
START_TEST(a_held_step_stays)
{
	struct profile *profile = profile_new();
	struct graph *const *graphs;
	struct graph *graph;
	struct err err = {0};
	size_t n;

	ck_assert(profile_name_run_metadata(profile, LINEAR "/run_metadata.pb", NULL, &err));
	ck_assert(profile_name_run_metadata(profile, LINEAR "/run_metadata_1.pb", NULL, &err));
	ck_assert_msg(profile_load(profile, NULL, &err), "%s", err.msg);
	ck_assert_uint_eq(profile->current, 1);
	graphs = profile_graphs(profile, &n);
	ck_assert_uint_eq(n, 1);
	graph = graphs[0];
	profile_hold(profile, 1);
	ck_assert(profile_enter(profile, 0, NULL, &err));
	profile_forget(profile);
	ck_assert(profile->steps.at[1].loaded);
	ck_assert_uint_gt(graph_len(graph), 0);
	ck_assert_ptr_ne(profile_graphs(profile, &n)[0], graph);
	profile_let_go(profile, 1);
	profile_forget(profile);
	ck_assert(!profile->steps.at[1].loaded);
	ck_assert(profile->steps.at[0].loaded);
	profile_close(profile);
}
END_TEST

/* The session. */

START_TEST(kinds_that_are_not_opened_say_so)
{
	static const char text[] = "HloModule m\n";
	struct shell *shell = shell_new();
	struct err err = {0};

	ck_assert(!shell_open(shell, file_of(text, strlen(text)), &err));
	ck_assert_str_eq(err.msg, file_kind_answer(FILE_HLO));
	shell_free(shell);
}
END_TEST

START_TEST(a_graph_alone_opens)
{
	struct shell *shell = session_of(LINEAR "/graph.pbtxt");
	struct str out = {0};

	ck_assert(session_ask(shell, "ni loss/Square", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "[Sub] loss/sub"));
	ck_assert(!session_ask(shell, "lp", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "No RunMetadata passed for profile analysis."));
	str_release(&out);
	shell_free(shell);
}
END_TEST

static const struct { const char *path; bool is; } files[] = {
	{ "/usr/lib/python3/dist-packages/tensorflow/python/ops.py", true },
	{ "/v/lib/python3.7/site-packages/tensorflow_core/python/a.pyc", true },
	{ "/v/site-packages/tensorflow_addons/b.py", true },
	{ "/v/site-packages/absl/app.py", true },
	{ "/v/site-packages/tensorflow/no_extension", true },
	{ "/v/site-packages/tensorflow/x_test.py", false },
	{ "/v/site-packages/tensorflow/python/debug/examples/m.py", false },
	{ "/v/site-packages/tensorflow/a.so", false },
	{ "/home/me/train.py", false },
};

START_TEST(library_files_are_known)
{
	ck_assert_int_eq(file_is_library(files[_i].path), files[_i].is);
}
END_TEST

static const struct { int64_t us; enum time_unit unit; const char *text; } times[] = {
	{ 0, TIME_S, "0" }, { 1, TIME_S, "1e-06s" }, { 999999, TIME_S, "0.999999s" },
	{ 250, TIME_MS, "0.25ms" }, { -5, TIME_US, "-5us" },
	{ 12345678901, TIME_US, "1.23456789e+10us" }, { 9999999999, TIME_US, "9999999999us" },
};

static const struct { int64_t a, b, sum; } sums[] = {
	{ 1, 2, 3 }, { INT64_MAX, 1, INT64_MAX }, { INT64_MIN, -1, INT64_MIN },
	{ -1, INT64_MIN, INT64_MIN }, { INT64_MAX, INT64_MIN, -1 }, { INT64_MAX - 1, 1, INT64_MAX },
	{ INT64_MIN + 1, -1, INT64_MIN },
};

START_TEST(sums_stop_at_the_ends)
{
	ck_assert_int_eq(saturated_sum(sums[_i].a, sums[_i].b), sums[_i].sum);
}
END_TEST

START_TEST(times_are_written)
{
	struct str text = {0};

	put_unit_time(&text, times[_i].us, times[_i].unit);
	ck_assert_str_eq(text.text, times[_i].text);
	ck_assert_uint_eq(unit_time_length(times[_i].us, times[_i].unit), text.len);
	str_release(&text);
}
END_TEST


SUITE_MAIN("profile",
	tcase_add_loop_test(t, devices_have_kinds, 0, ROWS(devices));
	tcase_add_loop_test(t, damaged_schedules_are_repaired, 0, ROWS(queues));
	tcase_add_test(t, a_recorded_step_is_read);
	tcase_add_test(t, details_are_read_again);
	tcase_add_loop_test(t, absurd_times_keep_their_values, 0, 6);
	tcase_add_test(t, a_step_at_the_end_of_time_has_no_extent);
	tcase_add_loop_test(t, nanos_keep_their_values_beside_micros, 0, ROWS(nanos));
	tcase_add_test(t, a_cut_file_gives_what_is_whole);
	tcase_add_loop_test(t, no_flipped_byte_is_too_much, 0, 3);
	tcase_add_test(t, a_million_lanes);
	tcase_add_loop_test(t, files_are_recognised, 0, ROWS(kinds));
	tcase_add_loop_test(t, heads_are_recognised, 0, ROWS(heads));
	tcase_add_test(t, text_and_binary_are_one_graph);
	tcase_add_test(t, escapes_comments_and_lists);
	tcase_add_loop_test(t, bad_text_has_a_place, 0, ROWS(bad_texts));
	tcase_add_test(t, deep_text_is_refused);
	tcase_add_test(t, an_op_log_gives_frames);
	tcase_add_test(t, a_tfprof_profile_gives_nodes);
	tcase_add_test(t, steps_have_numbers_and_a_current_one);
	tcase_add_loop_test(t, a_tfprof_profile_stands_in_for_a_graph, 0, N_PROTO_PLACES);
	tcase_add_test(t, a_tfprof_profile_knows_names);
	tcase_add_loop_test(t, a_tfprof_profile_answers_as_graph_and_op_log, 0, N_ALIKE);
	tcase_add_loop_test(t, a_lost_step_is_told, 0, N_LOSSES);
	tcase_add_loop_test(t, files_that_look_like_parts_are_missed, 0, ROWS(beside));
	tcase_add_test(t, among_many_files_steps_are_found);
	tcase_add_test(t, of_three_steps_the_median_is_current);
	tcase_add_loop_test(t, of_an_even_number_the_lower_median_is_current, 0, ROWS(medians));
	tcase_add_test(t, names_of_steps_have_a_natural_order);
	tcase_add_test(t, a_held_step_stays);
	tcase_add_test(t, kinds_that_are_not_opened_say_so);
	tcase_add_test(t, a_graph_alone_opens);
	tcase_add_loop_test(t, library_files_are_known, 0, ROWS(files));
	tcase_add_loop_test(t, sums_stop_at_the_ends, 0, ROWS(sums));
	tcase_add_loop_test(t, times_are_written, 0, ROWS(times));
)
