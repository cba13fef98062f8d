/*
 * The model of a profile against hand-made messages, recordings (testdata/profile) and damage at
 * every byte; the parts that lie beside it.
 */
#include "tests/suite.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/graph/node_source.h"
#include "cmds/profile/profile_time.h"
#include "dump/base/str.h"
#include "dump/profile/profile.h"
#include "dump/profile/run_metadata.h"
#include "tests/made_step.h"
#include "tests/message.h"
#include "tests/program.h"

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

#define DAY_US INT64_C(86400000000)

/* Of two records, two days apart, the first one's start counts; a day is the longest time. */
static const struct { int64_t len[2]; uint64_t n_impossible; int64_t start, end; } far_apart[] = {
	{ { 5, 5 }, 1, BEGIN_US + 1, BEGIN_US + 6 },
	{ { DAY_US, 5 }, 1, BEGIN_US + 1, BEGIN_US + 1 + DAY_US },
	{ { DAY_US + 1, 5 }, 2, 0, 0 },
};

START_TEST(times_far_apart)
{
	struct str file = {0};
	struct extent extent;
	struct making m = {0};
	struct step step;

	made_lane(&m, CPU);
	for (int i = 0; i < 2; i++)
		made_record(&m, "a", 1 + i * 2 * DAY_US, far_apart[_i].len[i], "");
	made_run(&m, &file);
	open_step(&step, file_of(file.text, file.len));
	ck_assert_int_eq(step_extent(&step, &extent), far_apart[_i].n_impossible < 2);
	ck_assert_uint_eq(extent.n_impossible, far_apart[_i].n_impossible);
	ck_assert_int_eq(extent.start_us, far_apart[_i].start);
	ck_assert_int_eq(extent.end_us, far_apart[_i].end);
	step_release(&step);
	str_release(&file);
}
END_TEST

/* A wait of this many nanos is kept, also that which has no opposite in 32 bits. */
static const int64_t waits[] = { 1, -1, INT32_MAX, INT32_MIN + 1, INT32_MIN, INT32_MIN - 1L };

START_TEST(waits_keep_their_values)
{
	struct str exec = {0}, file = {0};
	struct record_times t;
	struct step step;

	put_number(&exec, 2, 1500000000000000);
	put_number(&exec, 13, UINT64_C(1500000000000000000));
	put_number(&exec, 17, UINT64_C(1500000000000000000) - (uint64_t)waits[_i]);
	put_step(&file, &exec);
	open_step(&step, file_of(file.text, file.len));
	t = step_times(&step, &step.records.at[0]);
	ck_assert(t.has_queue);
	ck_assert_int_eq(t.queue_ns, waits[_i]);
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
	tcase_add_loop_test(t, times_far_apart, 0, ROWS(far_apart));
	tcase_add_loop_test(t, waits_keep_their_values, 0, ROWS(waits));
	tcase_add_loop_test(t, nanos_keep_their_values_beside_micros, 0, ROWS(nanos));
	tcase_add_test(t, a_cut_file_gives_what_is_whole);
	tcase_add_loop_test(t, no_flipped_byte_is_too_much, 0, 3);
	tcase_add_test(t, a_million_lanes);
	tcase_add_test(t, an_op_log_gives_frames);
	tcase_add_test(t, a_tfprof_profile_gives_nodes);
	tcase_add_loop_test(t, library_files_are_known, 0, ROWS(files));
	tcase_add_loop_test(t, sums_stop_at_the_ends, 0, ROWS(sums));
	tcase_add_loop_test(t, times_are_written, 0, ROWS(times));
)
