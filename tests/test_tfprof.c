/* The pieces of tfprof: the order of equals, numbers, options, op views of files made here. */
#include "tests/suite.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cmds/lang/std_sort.h"
#include "cmds/profile/tfprof/tfprof_options.h"
#include "cmds/profile/tfprof/tfprof_text.h"
#include "dump/base/mem.h"
#include "dump/profile/flops.h"
#include "dump/tfprof/tfprof_parts.h"
#include "tests/message.h"
#include "tests/program.h"

/*
 * Orders of std::sort, descending keys, computed with GCC 12's library: a hash over the positions
 * in the order in which they came out. 40 keys of 4 kinds; 200 of 5; 3000 of which the first half
 * repeats 0 1 2; the last drives quicksort too deep.
 */
static const struct { int n; unsigned kinds, seed, hash; bool repeats; } sorts[] = {
	{ 16, 4, 12345, 3645168757u, false }, { 40, 4, 12346, 4012785383u, false },
	{ 200, 5, 12347, 2237028613u, false }, { 3000, 7, 12348, 162448141u, true },
};

static bool key_is_more(const void *context, uint32_t a, uint32_t b)
{
	const uint32_t *key = context;

	return key[a] > key[b];
}

static bool third_is_less(const void *context, uint32_t a, uint32_t b)
{
	const uint32_t *key = context;

	return key[a] / 3 < key[b] / 3;
}

static uint32_t hash_of(const uint32_t *at, int n)
{
	uint32_t hash = 2166136261u;

	for (int i = 0; i < n; i++)
		hash = (hash ^ at[i]) * 16777619u;
	return hash;
}

static uint32_t keys[4000], order[4000];

START_TEST(sorts_equals_as_the_cpp_library)
{
	uint32_t x = sorts[_i].seed;

	for (int i = 0; i < sorts[_i].n; i++) {
		x = x * 1103515245u + 12345u;
		keys[i] = sorts[_i].repeats && i < 1500 ? (uint32_t)i % 3
		          : (x >> 16) % sorts[_i].kinds;
		order[i] = (uint32_t)i;
	}
	std_sort(order, (size_t)sorts[_i].n, key_is_more, keys);
	ck_assert_uint_eq(hash_of(order, sorts[_i].n), sorts[_i].hash);
}
END_TEST

START_TEST(sorts_by_heap_what_is_too_deep)
{
	for (uint32_t i = 0; i < 4000; i++)
		order[i] = i;
	for (uint32_t i = 0; i < 2000; i++) {
		keys[i] = i % 2 ? 2000 + i : i + 1;
		keys[2000 + i] = (i + 1) * 2;
	}
	std_sort(order, 4000, third_is_less, keys);
	ck_assert_uint_eq(hash_of(order, 4000), 1765982995u);
}
END_TEST

static const struct {
	void (*put)(struct str *, int64_t);
	int64_t n;
	const char *text;
} numbers[] = {
	{ put_tfprof_count, 999, "999" }, { put_tfprof_count, 1000, "1.00k" },
	{ put_tfprof_count, 104940, "104.94k" }, { put_tfprof_count, 3780000, "3.78m" },
	{ put_tfprof_count, 2500000000, "2.50b" }, { put_tfprof_count, -5, "-5" },
	{ put_tfprof_time, 999, "999us" }, { put_tfprof_time, 1000, "1.00ms" },
	{ put_tfprof_time, 3740000, "3.74sec" }, { put_tfprof_bytes, 999, "999B" },
	{ put_tfprof_bytes, 1000, "1.00KB" }, { put_tfprof_bytes, 2500000000, "2500.00MB" },
};

START_TEST(formats_numbers)
{
	struct str out = {0};

	numbers[_i].put(&out, numbers[_i].n);
	ck_assert_str_eq(out.text, numbers[_i].text);
	str_release(&out);
}
END_TEST

/* Formulas worked out by hand. -9: no figure. Shapes end with 0. */
static const struct {
	const char *type;
	int64_t in[2][5], out[5];
	bool transpose_a, nchw;
	int64_t ksize[4], strides[4], flops;
	size_t n_strides;        /* 0: 4 */
} formulas[] = {
	{ "MatMul", { { 32, 64 }, { 64, 10 } }, { 32, 10 }, .flops = 40960 },
	{ "MatMul", { { 64, 32 }, { 64, 10 } }, { 32, 10 }, .transpose_a = true, .flops = 40960 },
	{ "MatMul", { { -1, 64 }, { 64, 10 } }, { -1, 10 }, .flops = -9 },
	{ "Conv2D", { { 1, 8, 8, 4 }, { 3, 3, 4, 16 } }, { 1, 8, 8, 16 }, .flops = 73728 },
	{ "Mean", { { 100 } }, { 1 }, .flops = 100 },
	{ "Sum", { { 100 } }, { 1 }, .flops = 99 },
	{ "L2Loss", { { 10 } }, { 1 }, .flops = 29 },
	{ "AddN", { { 5 }, { 5 } }, { 5 }, .flops = 5 },
	{ "Softmax", { { 2, 3 } }, { 2, 3 }, .flops = 30 },
	{ "BatchMatMulV2", { { 2, 3, 4 }, { 2, 4, 5 } }, { 2, 3, 5 }, .flops = 240 },
	{ "MaxPool", { { 1, 4, 4, 1 } }, { 1, 2, 2, 1 }, .ksize = { 1, 2, 2, 1 }, .flops = 16 },
	{ "MaxPool", { { 1, 4, 4, 1 } }, { 1, 2, 2, 1 }, .nchw = true, .ksize = { 1, 2, 2, 1 },
	  .flops = -9 },
	{ "Conv2DBackpropInput", { { 4 }, { 3, 3, 4, 16 } }, { 1, 8, 8, 4 },
	  .strides = { 1, 2, 1, 1 }, .flops = 36864 },
	{ "Conv2DBackpropInput", { { 4 }, { 3, 3, 4, 16 } }, { 1, 8, 8, 4 },
	  .strides = { 1, 2, 1 }, .n_strides = 3, .flops = 36864 },
	{ "Conv2DBackpropInput", { { 4 }, { 3, 3, 4, 16 } }, { 1, 8, 8, 4 },
	  .strides = { 1, 2 }, .n_strides = 2, .flops = -9 },
	{ "Relu", { { 10 } }, { 10 }, .flops = -9 },
	{ "Square", { { 0 } }, { 10 }, .flops = -9 },
};

static struct flops_shape shape(const int64_t *dim)
{
	struct flops_shape made = { .dim = dim };

	while (dim[made.n])
		made.n++;
	return made;
}

START_TEST(float_ops_by_formula)
{
	struct flops_shape in[2] = { shape(formulas[_i].in[0]), shape(formulas[_i].in[1]) };
	struct flops_op op = {
		.type = formulas[_i].type, .in = in, .n_in = 1 + (in[1].n > 0),
		.out = shape(formulas[_i].out), .transpose_a = formulas[_i].transpose_a,
		.nhwc = !formulas[_i].nchw, .ksize = formulas[_i].ksize, .n_ksize = 4,
		.strides = formulas[_i].strides,
		.n_strides = formulas[_i].n_strides ? formulas[_i].n_strides : 4,
	};
	int64_t flops = -9;

	ck_assert_int_eq(flops_of(&op, &flops), formulas[_i].flops != -9);
	ck_assert_int_eq(flops, formulas[_i].flops);
}
END_TEST

/* Without an op log the formulas give what the recording's op log says: 225. */
START_TEST(float_ops_without_an_op_log)
{
	struct program_run ran;

	program_run((const char *const[]){ program_path(), "-c",
	                                   "tfprof scope -select float_ops -max_depth 1",
	                                   "--graph=testdata/profile/linear/graph.pb",
	                                   "--run-metadata=testdata/profile/linear/run_metadata.pb",
	                                   NULL }, NULL, NULL, &ran);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "_TFProfRoot (--/225 flops)\n"));
	program_release(&ran);
}
END_TEST

/* Options by word, and tfprof's complaint; NULL: they are fine. */
static const struct { const char *words[5]; const char *complaint; } lines[] = {
	{ { "-max_depth", "4", "-select", "micros,bytes" }, NULL },
	{ { "-account_displayed_op_only" }, NULL },
	{ { "-account_displayed_op_only", "YES" }, NULL },
	{ { "-account_displayed_op_only", "maybe" },
	  "E: Invalid argument: Invalid option '-account_displayed_op_only' value: 'maybe'" },
	{ { "-account_displayed_op_only", "-step", "1" }, NULL },
	{ { "-max_depth" }, "E: Invalid argument: Invalid option '-max_depth' value: ''" },
	{ { "-max_depth", "x" }, "E: Invalid argument: Invalid option '-max_depth' value: 'x'" },
	{ { "-max_depth", "3000000000" },
	  "E: Invalid argument: Invalid option '-max_depth' value: '3000000000'" },
	{ { "-min_bytes", "3000000000" }, NULL },
	{ { "-step", "-1" }, NULL },
	{ { "-max", "4" }, "E: Invalid argument: Invalid option '-max' value: '4'" },
	{ { "max_depth", "4" }, "E: Invalid argument: Invalid option 'max_depth' value: '4'" },
	{ { "--max_depth", "4" }, "E: Invalid argument: Invalid option '--max_depth' value: '4'" },
	{ { "-output", "nosuch" },
	  "Invalid argument: E.g. Unknown output type: nosuch, Valid types: "
	  "file,none,pprof,stdout,timeline" },
	{ { "-output", "file:outfile=a=b,c" },
	  "Invalid argument: Visualize format: -output timeline:key=value,key=value,..." },
	{ { "-output", "file:outfile=a=b" }, NULL },
	{ { "-output", "stdout:outfile=a" },
	  "Invalid argument: Unrecognized options outfile for output_type: stdout" },
};

START_TEST(reads_options)
{
	struct tfprof_options options;
	struct arena mem = {0};
	struct str complaint = {0};
	char *words[5];
	size_t n = 0;
	bool ok;

	for (; n < 5 && lines[_i].words[n]; n++)
		words[n] = arena_copy(&mem, lines[_i].words[n], strlen(lines[_i].words[n]));
	tfprof_options_default(&options, &mem);
	ok = tfprof_options_parse(&options, words, n, &mem, &complaint);
	ck_assert_int_eq(ok, !lines[_i].complaint);
	ck_assert_str_eq(str_text(&complaint), lines[_i].complaint ? lines[_i].complaint : "");
	str_release(&complaint);
	arena_release(&mem);
}
END_TEST

START_TEST(strips_quotes_and_sorts_select)
{
	struct tfprof_options options;
	struct arena mem = {0};
	struct str complaint = {0}, text = {0};
	char words[4][32] = {
		"-select", "'params,,bytes,params'", "-hide_name_regexes", "\"a,b\"",
	};
	char *at[4] = { words[0], words[1], words[2], words[3] };

	tfprof_options_default(&options, &mem);
	ck_assert(tfprof_options_parse(&options, at, 4, &mem, &complaint));
	tfprof_options_text(&options, &text);
	ck_assert_ptr_nonnull(strstr(text.text, "-select                     bytes,params\n"));
	ck_assert_ptr_nonnull(strstr(text.text, "-hide_name_regexes          a,b\n"));
	str_release(&text);
	str_release(&complaint);
	arena_release(&mem);
}
END_TEST

/* A step of eight nodes of three types, dispatched and run by a GPU. */
static void put_record(struct str *lane, const char *name, uint64_t us)
{
	struct str record = {0};

	put_bytes(&record, 1, name, strlen(name));
	put_number(&record, 2, 1000);
	put_number(&record, 4, us);
	put_message(lane, 2, &record);
	str_release(&record);
}

static void save(const char *dir, const char *name, const struct str *bytes)
{
	struct str path = {0};
	FILE *file;

	str_fmt(&path, "%s/%s", dir, name);
	file = fopen(path.text, "wb");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(str_text(bytes), 1, bytes->len, file), bytes->len);
	ck_assert_int_eq(fclose(file), 0);
	str_release(&path);
}

static void put_lane(struct str *stats, const char *device, struct str *records)
{
	struct str lane = {0};

	put_bytes(&lane, 1, device, strlen(device));
	str_put(&lane, str_text(records), records->len);
	put_message(stats, 1, &lane);
	str_release(&lane);
	str_release(records);
}

static void save_step(const char *dir)
{
	static const struct { const char *name, *op; uint64_t cpu, kernel; } nodes[] = {
		{ "m1", "MatMul", 333, 60 }, { "m2", "MatMul", 333, 60 },
		{ "m3", "MatMul", 334, 60 }, { "b1", "BiasAdd", 20, 10 },
		{ "b2", "BiasAdd", 15, 5 }, { "b3", "BiasAdd", 5, 5 },
		{ "r1", "Relu", 9, 29 }, { "r2", "Relu", 1, 1 },
	};
	struct str graph = {0}, host = {0}, gpu = {0}, stats = {0}, run = {0};

	for (size_t i = 0; i < 8; i++) {
		put_node_def(&graph, nodes[i].name, nodes[i].op, i ? nodes[i - 1].name : "", "");
		put_record(&host, nodes[i].name, nodes[i].cpu);
		put_record(&gpu, nodes[i].name, nodes[i].kernel);
	}
	put_lane(&stats, "/job:a/device:GPU:0", &host);
	put_lane(&stats, "/device:GPU:0/stream:all", &gpu);
	put_message(&run, 1, &stats);
	save(dir, "graph.pb", &graph);
	save(dir, "run.pb", &run);
	str_release(&graph);
	str_release(&stats);
	str_release(&run);
}

/* What a command prints over the step that is in dir. */
static void ask(const char *dir, const char *command, struct program_run *ran)
{
	program_run((const char *const[]){ program_path(), "-c", command, "--graph=graph.pb",
	                                   "--run-metadata=run.pb", NULL },
	            dir, NULL, ran);
}

START_TEST(op_view_sums_from_the_bottom)
{
	struct program_run ran;
	char *dir = scratch_new();

	save_step(dir);
	ask(dir, "tfprof op -select micros,occurrence -order_by micros -max_depth 2", &ran);
	ck_assert_ptr_nonnull(strstr(ran.out.text,
		"node name | total execution time | accelerator execution time | cpu execution "
		"time | op occurrence (run|defined)\n"
		"MatMul                         1.18ms (100.00%, 92.19%),        180us (100.00%, "
		"78.26%),       1.00ms (100.00%, 95.24%)"
		",        3|3\n"
		"BiasAdd                             60us (7.81%, 4.69%),           20us (21.74%, "
		"8.70%),            40us (4.76%, 3.81%)"
		",        3|3\n"
		"Relu                                40us (3.12%, 3.12%),          30us (13.04%, "
		"13.04%),            10us (0.95%, 0.95%)"
		",        2|2\n"));
	program_release(&ran);
	ask(dir, "tfprof op -order_by micros -max_depth 1", &ran);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "\nBiasAdd "));
	ck_assert_ptr_null(strstr(ran.out.text, "\nRelu "));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* A node that two account_type patterns match counts twice where rows stand for many nodes. */
START_TEST(two_patterns_count_twice)
{
	struct program_run ran;
	char *dir = scratch_new();

	save_step(dir);
	ask(dir,
	    "tfprof op -account_type_regexes Relu,.*gpu:0 -show_name_regexes Relu -select "
	    "cpu_micros", &ran);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "\nRelu                                20us "));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* A pattern that matches two of a node's types is one pattern all the same. */
START_TEST(one_pattern_counts_once)
{
	struct program_run ran;
	char *dir = scratch_new();

	save_step(dir);
	ask(dir,
	    "tfprof op -account_type_regexes Relu|.*gpu:0 -show_name_regexes Relu -select "
	    "cpu_micros", &ran);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "\nRelu                                10us "));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* Commands that fail, and what they say on standard error; nothing goes to standard output. */
static const struct { const char *command, *err; } bad[] = {
	{ "tfprof nosuch", "E: Invalid argument: First string must be a valid command.\n" },
	{ "tfprof scope -step 3", "Options -step=3 not found.\nAvailable steps: 0 \n" },
	{ "tfprof code", "No code trace information\n" },
	{ "tfprof op -output timeline:outfile=x",
	  "op view doesn't support timeline yet. Consider graph/scope/code view.\n" },
	{ "tfprof scope -output file:outfile=no/such/x",
	  "Failed to write output to no/such/x: No such file or directory\n" },
};

START_TEST(errors_go_to_standard_error)
{
	struct program_run ran;
	char *dir = scratch_new();

	save_step(dir);
	ask(dir, bad[_i].command, &ran);
	ck_assert_str_eq(str_text(&ran.out), "");
	ck_assert_str_eq(str_text(&ran.err), bad[_i].err);
	ck_assert_int_eq(ran.status, 1);
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* In these commands only a word that is or begins with > redirects. */
START_TEST(only_whole_words_redirect)
{
	struct program_run ran;
	struct str path = {0}, text = {0};
	char *dir = scratch_new();

	save_step(dir);
	ask(dir, "tfprof op -show_name_regexes .*<x>y|Relu", &ran);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "\nRelu "));
	program_release(&ran);
	ask(dir, "tfprof op > rows", &ran);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "\nWrote output to rows\n"));
	str_fmt(&path, "%s/rows", dir);
	ck_assert(read_whole(path.text, &text));
	ck_assert_ptr_nonnull(strstr(text.text, "\nMatMul "));
	program_release(&ran);
	str_release(&path);
	str_release(&text);
	scratch_remove(dir);
}
END_TEST

/* Sums come back as they were put, of any size, in the order they were put to node and step. */
static const struct tfprof_exec sums[] = {
	{ .step = 0 },
	{ .step = 7, .runs = 2, .start_us = 1500000000000000, .end_us = 1500000000000900,
	  .accelerator_us = 20, .cpu_us = 30, .requested = 4, .peak = 5, .residual = 6, .output = 7,
	  .persistent = 8 },
	{ .step = 7, .requested = 4294967294 }, { .step = 7, .requested = 4294967295 },
	{ .step = 7, .peak = -1 }, { .step = 7, .start_us = -5, .end_us = 4294967289 },
	{ .step = 7, .start_us = -5, .end_us = 4294967290 },
	{ .step = 7, .start_us = INT64_MIN, .end_us = INT64_MAX },
	{ .step = 7, .start_us = 9, .end_us = 8 }, { .step = 3000000000, .persistent = 1 },
	{ .step = -1, .cpu_us = INT64_MIN, .runs = INT32_MIN },
	{ .step = 7, .output = 1 },
};

START_TEST(sums_are_kept_whatever_they_need)
{
	size_t n = ROWS(sums);

	for (size_t wide = 0; wide < n; wide++) {
		struct tfprof *t = mem_alloc(sizeof *t);
		struct tfprof_exec exec;
		uint32_t first, at;

		vec_add(&t->nodes)->exec = TFPROF_NONE;
		first = tfprof_exec_in(t, 0, 1);
		at = tfprof_exec_in(t, 0, sums[_i].step);
		ck_assert_uint_eq(tfprof_exec_in(t, 0, sums[_i].step), at);
		exec = sums[wide];               /* then what was there before does not matter */
		exec.next = first;
		tfprof_exec_put(t, at, &exec);
		exec = sums[_i];
		exec.next = first;
		tfprof_exec_put(t, at, &exec);
		ck_assert(tfprof_exec_of(t, 0, sums[_i].step, &exec));
		ck_assert_uint_eq(exec.next, first);
		exec.next = 0;
		ck_assert_mem_eq(&exec, &sums[_i], sizeof exec);
		ck_assert(tfprof_exec_of(t, 0, 1, &exec));
		ck_assert(!tfprof_exec_of(t, 0, 2, &exec));
		tfprof_close(t);
	}
}
END_TEST

/* What one command has made room of, the next one reads again. */
START_TEST(commands_do_not_disturb_each_other)
{
	static const char *const commands[] = {
		"kernels -u host", "tfprof op", "kernels -g op -u host", "timeline", "tfprof scope",
		"lp", "lp -s node",
	};
	struct program_run ran;
	struct str alone = {0};
	char *dir = scratch_new();

	save_step(dir);
	for (size_t i = 0; i < ROWS(commands); i++) {
		ask(dir, commands[i], &ran);
		ck_assert_int_eq(ran.status, 0);
		str_put(&alone, ran.out.text, ran.out.len);
		program_release(&ran);
	}
	program_run((const char *const[]){ program_path(), "-c", commands[0], "-c", commands[1],
	                                   "-c", commands[2], "-c",
	            commands[3], "-c", commands[4], "-c", commands[5], "-c", commands[6],
	            "--graph=graph.pb", "--run-metadata=run.pb", NULL }, dir, NULL, &ran);
	ck_assert_str_eq(str_text(&ran.out), str_text(&alone));
	program_release(&ran);
	str_release(&alone);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("tfprof",
	tcase_add_loop_test(t, sums_are_kept_whatever_they_need, 0, ROWS(sums));
	tcase_add_test(t, commands_do_not_disturb_each_other);
	tcase_add_loop_test(t, float_ops_by_formula, 0, ROWS(formulas));
	tcase_add_test(t, float_ops_without_an_op_log);
	tcase_add_test(t, op_view_sums_from_the_bottom);
	tcase_add_test(t, two_patterns_count_twice);
	tcase_add_test(t, one_pattern_counts_once);
	tcase_add_loop_test(t, errors_go_to_standard_error, 0, ROWS(bad));
	tcase_add_test(t, only_whole_words_redirect);
	tcase_add_loop_test(t, sorts_equals_as_the_cpp_library, 0, 4);
	tcase_add_test(t, sorts_by_heap_what_is_too_deep);
	tcase_add_loop_test(t, formats_numbers, 0, ROWS(numbers));
	tcase_add_loop_test(t, reads_options, 0, ROWS(lines));
	tcase_add_test(t, strips_quotes_and_sorts_select);
)
