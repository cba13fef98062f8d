#include "tests/small_dump.h"
#include "tests/suite.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/path.h"
#include "dump/model/run.h"
#include "dump/model/run_names.h"
#include "dump/readers.h"
#include "dump/v1/v1_name.h"
#include "tests/message.h"
#include "tests/program.h"

#define CPU "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"
#define CPU_NAME "/job:localhost/replica:0/task:0/device:CPU:0"

/* A directory of the test's own: every test begins with an empty one. */
static char *root;

static void make_root(void)
{
	root = scratch_new();
}

static void remove_root(void)
{
	scratch_remove(root);
}

static const char *in_root(const char *name)
{
	static struct str path;

	str_reset(&path);
	str_fmt(&path, "%s/%s", root, name);
	return path.text;
}

static void put_dump(const char *name)
{
	dump_put(root, name, "12345", 5);
}

/* NodeDefs, then the graph file around them. */
static struct str nodes;

static void put_graph(const char *name)
{
	struct str event = {0};

	str_put(&event, "\x09\0\0\0\0\0\0\0\0", 9);
	put_message(&event, 4, &nodes);
	dump_put(root, name, event.text, event.len);
	str_release(&event);
	str_release(&nodes);
}

static void put_message_file(const char *name, const char *text)
{
	struct str message = {0}, event = {0};

	put_bytes(&message, 2, text, strlen(text));
	put_message(&event, 6, &message);
	dump_put(root, name, event.text, event.len);
	str_release(&message);
	str_release(&event);
}

static struct run *load(const char *path)
{
	struct err err = {0};
	struct run *run = run_open(path, &err);

	ck_assert_msg(run != NULL, "%s: %s", err.src, err.msg);
	ck_assert_msg(run_load(run, NULL, &err), "%s: %s", err.src, err.msg);
	return run;
}

/* "NODE:SLOT DEBUGOP TIME_AFTER_T0 BYTES" of each tensor, a line each. */
static const char *tensors_text(const struct run *run)
{
	static struct str text;

	str_reset(&text);
	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];

		str_fmt(&text, "%s:%u %s %lld %lld\n", t->node, t->slot,
		        run->debug_ops.key[t->debug_op], (long long)(t->time_us - run->t0_us),
		        (long long)t->size_bytes);
	}
	return str_text(&text);
}

/* Nodes alone, separated by spaces. */
static const char *order_text(const struct run *run)
{
	static struct str text;

	str_reset(&text);
	for (size_t i = 0; i < run->tensors.len; i++)
		str_fmt(&text, "%s%s", i ? " " : "", run->tensors.at[i].node);
	return str_text(&text);
}

static const struct {
	const char *name;
	int leaf_len;            /* -1: no name of a dump */
	uint32_t slot;
	const char *op;
	int64_t time_us;
} names[] = {
	{ "a_0_DebugIdentity_1500000000000000", 1, 0, "DebugIdentity", 1500000000000000 },
	{ "w_1_0_DebugIdentity_1500000000000000-2", 3, 0, "DebugIdentity", 1500000000000000 },
	{ "_arg_x_0_0_1_DebugNanCount_15", 10, 1, "DebugNanCount", 15 },
	{ ".hidden.x>_7_Op2_1", 10, 7, "Op2", 1 },
	{ "_0_DebugIdentity_1", 0, 0, "DebugIdentity", 1 },
	{ "a_2147483647_D_999999999999999999", 1, 2147483647, "D", 999999999999999999 },
	{ "a_0_1500", -1, 0, "", 0 },
	{ "a_x_y_z", -1, 0, "", 0 },
	{ "a_0_DebugIdentity_", -1, 0, "", 0 },
	{ "a_0_DebugIdentity_15-", -1, 0, "", 0 },
	{ "a_0_DebugIdentity_15-2x", -1, 0, "", 0 },
	{ "a_0_DebugIdentity_-2", -1, 0, "", 0 },
	{ "a_0__15", -1, 0, "", 0 },
	{ "a_0_Debug.Identity_15", -1, 0, "", 0 },
	{ "a_-1_DebugIdentity_15", -1, 0, "", 0 },
	{ "a_2147483648_DebugIdentity_15", -1, 0, "", 0 },
	{ "a_0_DebugIdentity_1999999999999999999", -1, 0, "", 0 },
	{ "a__DebugIdentity_15", -1, 0, "", 0 },
	{ ".DS_Store", -1, 0, "", 0 },
	{ "", -1, 0, "", 0 },
};

START_TEST(reads_file_names)
{
	struct v1_name name;
	bool ok = v1_tensor_name(names[_i].name, &name);

	ck_assert_int_eq(ok, names[_i].leaf_len >= 0);
	if (!ok)
		return;
	ck_assert_uint_eq(name.leaf_len, (size_t)names[_i].leaf_len);
	ck_assert_uint_eq(name.slot, names[_i].slot);
	ck_assert_uint_eq(name.debug_op_len, strlen(names[_i].op));
	ck_assert(!strncmp(name.debug_op, names[_i].op, name.debug_op_len));
	ck_assert_int_eq(name.time_us, names[_i].time_us);
}
END_TEST

static const struct { const char *dir, *device; } devices[] = {
	{ CPU, CPU_NAME },
	{ "_tfdbg_device_,job_localhost,replica_0,task_0,device_GPU_1",
	  "/job:localhost/replica:0/task:0/device:GPU:1" },
	{ "_tfdbg_device_,job_localhost,replica_0,task_0,cpu_0",
	  "/job:localhost/replica:0/task:0/cpu:0" },
	{ "_tfdbg_device_,job_my_worker,task_12", "/job:my_worker/task:12" },
	{ "_tfdbg_device_,task_0,device_XLA_GPU_0", "/task:0/device:XLA_GPU:0" },
	{ "_tfdbg_device_,job_device_x", "/job:device:x" },
	{ "_tfdbg_device_,device_", "/device:" },
	{ "_tfdbg_device_", "" },
};

START_TEST(reads_device_directories)
{
	struct str text = {0};

	v1_device_of_dir(devices[_i].dir, &text);
	ck_assert_str_eq(str_text(&text), devices[_i].device);
	str_reset(&text);
	v1_dir_of_device(devices[_i].device, &text);
	ck_assert_str_eq(str_text(&text), devices[_i].dir);
	str_release(&text);
}
END_TEST

/* In order. */
static const char *const run_dirs[] = {
	"other", "run_", "run_1480734393835964", "run_x_1", "run_9_5", "run_1480734393835964_0",
	"run_1480734393835964_2", "run_1480734393835964_10",
	"run_1480734393835964_ad4c953a85444900ae79fc1b652fb324", "run_1480734393835965_0",
	"run_11480734393835964_0", "run_99999999999999999999999_0",
};

START_TEST(orders_run_directories)
{
	for (int i = 0; i < ROWS(run_dirs); i++) {
		int order = v1_run_order(run_dirs[_i], run_dirs[i]);

		ck_assert_int_eq((order > 0) - (order < 0), (_i > i) - (_i < i));
	}
}
END_TEST

/* The first rows of the recorded answers of `lt`. */
static const struct {
	const char *path;
	size_t n_tensors, n_devices;
	const char *rows;
} recorded[] = {
	{ "testdata/two_devices", 23, 2,
	  "second/row10/y:0 DebugIdentity 0 192\nsecond/w:0 DebugIdentity 591 200\n"
	  "second/w/read:0 DebugIdentity 622 210\nConst:0 DebugIdentity 691 182\n"
	  "join/z/axis:0 DebugIdentity 712 186\n_arg_a_0_0:0 DebugIdentity 760 204\n" },
	{ "testdata/linear", 41, 1, "" },
	{ "testdata/mnist_nan", 301, 1, "" },
	{ "testdata/linear/" CPU, 41, 1, "" },
};

START_TEST(loads_recorded_runs)
{
	struct run *run = load(recorded[_i].path);

	ck_assert_uint_eq(run->tensors.len, recorded[_i].n_tensors);
	ck_assert_uint_eq(run->devices.len, recorded[_i].n_devices);
	ck_assert_uint_eq(run->problems.len, 0);
	ck_assert_str_eq(run->devices.at[0].name, CPU_NAME);
	ck_assert(run_has_graph(run));
	ck_assert_uint_ge(run->metadata.len, 1);
	ck_assert(!strncmp(tensors_text(run), recorded[_i].rows, strlen(recorded[_i].rows)));
	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];
		struct node_ref ref;

		ck_assert_uint_eq(run_find_node(run, t->node, strlen(t->node), t->device, &ref, 1),
		                  1);
	}
	run_close(run);
}
END_TEST

START_TEST(recorded_runs_pass_the_check)
{
	struct run *run = load(recorded[_i].path);
	struct problem *problems;
	struct arena mem = {0};
	struct err err = {0};
	size_t n;

	ck_assert_msg(run_check(run, false, NULL, &mem, &problems, &n, &err), "%s", err.msg);
	ck_assert_msg(n == 0, "%s", n ? problems[0].text : "");
	arena_release(&mem);
	run_close(run);
}
END_TEST

START_TEST(reads_what_the_wrapper_wrote)
{
	struct run *run = load("testdata/linear");

	ck_assert_str_eq(run->fetches,
	                 "[<tf.Operation 'train' type=NoOp>, <tf.Tensor 'loss/mse:0' shape=() "
	                 "dtype=float32>]");
	ck_assert_str_eq(run->feeds, "dict_keys([<tf.Tensor 'x:0' shape=(?, 3) dtype=float32>, "
	                 "<tf.Tensor 'y:0' shape=(?, 1) dtype=float32>])");
	ck_assert(strstr(run->metadata.at[0], "\"session_run_index\":2,"));
	run_close(run);
}
END_TEST

START_TEST(opens_values_of_recorded_tensors)
{
	struct run *run = load("testdata/linear");
	struct str file = {0};

	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];
		struct err err = {0};
		struct value *value = run_value(run, t, &err);
		struct stat st;
		struct str path = {0};

		ck_assert_msg(value != NULL, "%s: %s", err.src, err.msg);
		value_close(value);
		str_reset(&file);
		run_tensor_file(run, t, &file);
		str_fmt(&path, "testdata/linear/%s", file.text);
		ck_assert_int_eq(stat(path.text, &st), 0);
		ck_assert_int_eq(st.st_size, t->size_bytes);
		str_release(&path);
	}
	str_release(&file);
	run_close(run);
}
END_TEST

/* Files of one device, and the order they come in. */
static const struct { const char *files[6]; const char *order; } orders[] = {
	{ { "b_0_D_15", "a_0_D_16", "c_0_D_14" }, "c b a" },
	/* The suffix is compared as text. */
	{ { "a_0_D_15-2", "b_0_D_15-10", "c_0_D_15", "d_0_D_15-1", "e_0_D_14" }, "e c d b a" },
	/* So is the time: 9 comes after 10. */
	{ { "a_0_D_9", "b_0_D_10", "c_0_D_10-1", "d_0_D_100" }, "b c d a" },
	/* Ties: names, files of a directory before its sub-directories. */
	{ { "z_0_D_15", "a/b/c_0_D_15", "a/x_0_D_15", "a.b/c_0_D_15", "b_0_D_15" },
	  "b z a/x a/b/c a.b/c" },
};

START_TEST(orders_by_the_text_of_the_time)
{
	struct run *run;

	for (int i = 0; i < 6 && orders[_i].files[i]; i++) {
		struct str name = {0};

		str_fmt(&name, CPU "/%s", orders[_i].files[i]);
		put_dump(name.text);
		str_release(&name);
	}
	run = load(root);
	ck_assert_str_eq(order_text(run), orders[_i].order);
	run_close(run);
}
END_TEST

START_TEST(numbers_the_dumps_of_a_tensor)
{
	static const uint32_t numbers[] = { 0, 0, 1, 0, 2, 0, 0 };
	struct run *run;
	const uint32_t *at;
	size_t n;

	put_dump(CPU "/s/a_0_D_11");
	put_dump(CPU "/s/a_1_D_12");
	put_dump(CPU "/s/a_0_D_13");
	put_dump(CPU "/s/a_0_E_14");
	put_dump(CPU "/s/a_0_D_15");
	put_dump(CPU "/b_0_D_16");
	put_dump("_tfdbg_device_,job_x,device_GPU_0/s/a_0_D_17");
	run = load(root);
	ck_assert_str_eq(tensors_text(run), "s/a:0 D 0 5\ns/a:1 D 1 5\ns/a:0 D 2 5\ns/a:0 E 3 5\n"
	                 "s/a:0 D 4 5\nb:0 D 5 5\ns/a:0 D 6 5\n");
	for (size_t i = 0; i < run->tensors.len; i++)
		ck_assert_uint_eq(run->tensors.at[i].number, numbers[i]);
	at = run_node_tensors(run, run->tensors.at[0].node_id, &n);
	ck_assert_uint_eq(n, 6);
	ck_assert_uint_eq(at[4], 4);
	ck_assert_uint_eq(at[5], 6);
	ck_assert(tensor_walks_before(run, 5, 0));
	ck_assert(!tensor_walks_before(run, 3, 2));
	ck_assert_int_eq(run->t0_us, 11);
	ck_assert_int_eq(run->devices.at[1].first_us, 17);
	ck_assert_str_eq(run->devices.at[1].name, "/job:x/device:GPU:0");
	run_close(run);
}
END_TEST

/* What is no part of a dump is recorded and passed over. */
START_TEST(strange_files_are_problems)
{
	struct run *run;

	put_dump(CPU "/.DS_Store");
	put_dump(CPU "/s/a_x_y_z");
	put_dump(CPU "/s/a_0_D_15");
	ck_assert_int_eq(symlink("..", in_root(CPU "/s/loop")), 0);
	ck_assert_int_eq(symlink("a_0_D_15", in_root(CPU "/s/l_0_D_16")), 0);
	ck_assert_int_eq(mkfifo(in_root(CPU "/s/p_0_D_16"), 0600), 0);
	dump_put(root, CPU "/_tfdbg_graph_hash1_14", "", 0);
	dump_put(root, "_tfdbg_core_metadata_sessionrun00000000000002_14", "", 0);
	put_message_file("_tfdbg_core_metadata_sessionrun00000000000003_14", "{\"no_index\":1}");
	put_message_file("_tfdbg_core_metadata_sessionrun00000000000004_14",
	                 "{\"session_run_index\":2");
	dump_put(root, "_tfdbg_fetches_info_", "\x32\x69\x12\x67" "dict", 8);
	put_dump("notes_0_D_15");
	run = load(root);
	ck_assert_str_eq(tensors_text(run), "s/a:0 D 0 5\n");
	ck_assert_uint_eq(run->problems.len, 10);
	ck_assert_ptr_null(run->fetches);
	ck_assert_uint_eq(run->metadata.len, 2);
	ck_assert_str_eq(run->problems.at[3].file, "_tfdbg_fetches_info_");
	ck_assert_uint_eq(run->problems.at[3].off, 1);
	ck_assert_str_eq(run->problems.at[4].file, CPU "/.DS_Store");
	ck_assert_str_eq(run->problems.at[9].file, CPU "/_tfdbg_graph_hash1_14");
	run_close(run);
}
END_TEST

/* Before any other key there is no text to compare. */
START_TEST(metadata_may_have_a_key_without_a_name)
{
	struct core_metadata metadata;
	struct arena mem = {0};

	core_metadata_read("{\"\": [], \"session_run_index\": 5}", &mem, &metadata);
	ck_assert_int_eq(metadata.session_run_index, 5);
	arena_release(&mem);
}
END_TEST

START_TEST(many_problems_are_counted)
{
	struct run *run;

	for (int i = 0; i < 1010; i++) {
		char name[128];

		snprintf(name, sizeof name, CPU "/stray%d", i);
		put_dump(name);
	}
	run = load(root);
	ck_assert_uint_eq(run->problems.len, 1001);
	ck_assert_str_eq(vec_last(&run->problems)->text, "11 more problems of these kinds");
	run_close(run);
}
END_TEST

/* Deeper than descriptors last; on the way back more files come. */
START_TEST(walks_deep_directories)
{
	enum { DEPTH = 1500 };
	int up = open(root, O_RDONLY | O_DIRECTORY), fd;
	struct run *run;

	ck_assert_int_eq(mkdirat(up, CPU, 0777), 0);
	for (int i = 0; i < DEPTH; i++) {
		fd = openat(up, i ? "d" : CPU, O_RDONLY | O_DIRECTORY);
		ck_assert_int_ge(fd, 0);
		close(up);
		up = fd;
		ck_assert_int_eq(mkdirat(up, "d", 0777), 0);
		ck_assert_int_eq(mkdirat(up, "side", 0777), 0);
		close(openat(up, "side/a_0_D_15", O_WRONLY | O_CREAT, 0666));
	}
	close(up);
	run = load(root);
	ck_assert_uint_eq(run->tensors.len, DEPTH);
	ck_assert_uint_eq(run->problems.len, 1);        /* no graph */
	ck_assert_uint_eq(strlen(run->tensors.at[0].node), 2 * (DEPTH - 1) + 6);
	ck_assert_str_eq(run->tensors.at[DEPTH - 1].node, "side/a");
	run_close(run);
}
END_TEST

START_TEST(takes_the_device_name_of_the_graph)
{
	struct run *run;

	put_dump("_tfdbg_device_,job_my_job,task_0,device_XLA_GPU_0/a_0_D_15");
	put_node_def(&nodes, "a", "Const", "", "/cpu:0");
	put_node_def(&nodes, "b", "Const", "", "/job:my_job/task:0/device:XLA_GPU_0");
	put_graph("_tfdbg_device_,job_my_job,task_0,device_XLA_GPU_0/_tfdbg_graph_hash1_14");
	put_dump("_tfdbg_device_,x_y_z/a_0_D_15");
	put_node_def(&nodes, "a", "Const", "", "/x:y_z");
	put_node_def(&nodes, "b", "Const", "", "/x_y:z");
	put_graph("_tfdbg_device_,x_y_z/_tfdbg_graph_hash1_14");
	run = load(root);
	ck_assert_str_eq(run->devices.at[0].name, "/job:my_job/task:0/device:XLA_GPU_0");
	ck_assert_str_eq(run->devices.at[1].name, "/x:y_z");
	run_close(run);
}
END_TEST

/* Of several graph files: the one with most dumped nodes, then the latest. */
START_TEST(chooses_the_graph_that_fits)
{
	struct run *run;

	put_dump(CPU "/a_0_D_15");
	put_dump(CPU "/b_0_D_15");
	put_node_def(&nodes, "a", "First", "", "");
	put_node_def(&nodes, "b", "Const", "", "");
	put_graph(CPU "/_tfdbg_graph_hash1_300");
	put_node_def(&nodes, "a", "Second", "", "");
	put_node_def(&nodes, "b", "Const", "", "");
	put_graph(CPU "/_tfdbg_graph_hash2_1400");
	put_node_def(&nodes, "a", "Third", "", "");
	put_node_def(&nodes, "c", "Const", "", "");
	put_node_def(&nodes, "d", "Const", "", "");
	put_graph(CPU "/_tfdbg_graph_hash3_2000");
	run = load(root);
	ck_assert_str_eq(graph_op(run->devices.at[0].graph, 0), "Second");
	run_close(run);
}
END_TEST

START_TEST(flat_dump_has_a_device_for_each_graph)
{
	struct run *run;
	struct node_ref refs[2];

	put_dump("s/a_0_DebugIdentity_15");
	put_dump("b_0_DebugIdentity_16");
	put_dump("both_0_DebugIdentity_17");
	put_dump("none_0_DebugIdentity_18");
	put_dump("s/_tfdbg_other_0_D_18");
	put_node_def(&nodes, "s/a", "Const", "", "/job:localhost/cpu:0");
	put_node_def(&nodes, "both", "Const", "", "");
	put_graph("_tfdbg_graph_11");
	put_node_def(&nodes, "b", "Const", "", "/job:localhost/gpu:0");
	put_node_def(&nodes, "both", "Const", "", "");
	put_graph("_tfdbg_graph_12");
	put_node_def(&nodes, "both", "Const", "", "/job:localhost/gpu:0");
	put_graph("_tfdbg_graph_13");
	run = load(root);
	ck_assert_uint_eq(run->problems.len, 0);
	ck_assert_uint_eq(run->devices.len, 2);
	ck_assert_str_eq(run->devices.at[0].name, "/job:localhost/cpu:0");
	ck_assert_str_eq(run->devices.at[1].name, "/job:localhost/gpu:0");
	ck_assert_str_eq(order_text(run), "s/a b both none");
	ck_assert_uint_eq(run->tensors.at[0].device, 0);
	ck_assert_uint_eq(run->tensors.at[1].device, 1);
	ck_assert_uint_eq(run->tensors.at[2].device, 0);
	ck_assert_uint_eq(run->tensors.at[3].device, 0);
	ck_assert_uint_eq(run_find_node(run, "both", 4, -1, refs, 2), 2);
	ck_assert_uint_eq(refs[1].device, 1);
	ck_assert_uint_eq(run_find_node(run, "both", 4, 1, refs, 2), 1);
	ck_assert_uint_eq(refs[0].device, 1);
	ck_assert_uint_eq(run_find_node(run, "bot", 3, -1, refs, 2), 0);
	run_close(run);
}
END_TEST

START_TEST(flat_dump_without_any_metadata)
{
	struct run *run;

	put_dump("s/t/a_0_DebugIdentity_15");
	run = load(root);
	ck_assert_str_eq(order_text(run), "s/t/a");
	ck_assert_str_eq(run->devices.at[0].name, "/job:localhost/replica:0/task:0/cpu:0");
	ck_assert(!run_has_graph(run));
	ck_assert_uint_eq(run->problems.len, 1);
	run_close(run);
}
END_TEST


/* No dump: what is there, and the code. */
static const struct { const char *file, *path; enum err_code code; } no_dumps[] = {
	{ "empty/", "empty", ERR_MISSING },
	{ "notes/a.txt", "", ERR_MISSING },
	{ "x/y/photo_1_large_2010.jpg", "", ERR_MISSING },
	{ "node-io-dump/0/a:in:0_1", "", ERR_UNSUPPORTED },
	{ "file", "file", ERR_MISSING },
	{ "file", "absent", ERR_IO },
	{ "file", "file/below", ERR_IO },
};

START_TEST(says_when_there_is_no_dump)
{
	size_t len = strlen(no_dumps[_i].file);
	struct err err = {0};

	if (no_dumps[_i].file[len - 1] == '/')
		ck_assert_int_eq(mkdir(in_root(no_dumps[_i].file), 0777), 0);
	else
		put_dump(no_dumps[_i].file);
	ck_assert_ptr_null(run_open(in_root(no_dumps[_i].path), &err));
	ck_assert_int_eq(err.code, no_dumps[_i].code);
	ck_assert_str_ne(err.msg, "");
}
END_TEST

/* The directory of one run is that run, of several it is none of them. */
START_TEST(directory_of_runs)
{
	static const char *const dirs[][2] = { { "run_15_2", "run_16_3" }, { "a", "another" } };
	struct err err = {0};
	struct run *run;
	struct str file = {0};

	str_fmt(&file, "%s/" CPU "/a_0_D_15", dirs[_i][0]);
	put_dump(file.text);
	run = run_open(in_root(""), &err);
	ck_assert_ptr_nonnull(run);
	ck_assert(text_ends(run->path, dirs[_i][0]));
	run_close(run);

	str_reset(&file);
	str_fmt(&file, "%s/" CPU "/b_0_D_16", dirs[_i][1]);
	put_dump(file.text);
	ck_assert_ptr_null(run_open(in_root(""), &err));
	ck_assert_int_eq(err.code, ERR_MISSING);
	ck_assert_ptr_nonnull(strstr(err.msg, "the directory of 2 runs"));
	str_release(&file);
}
END_TEST

START_TEST(run_without_tensors)
{
	struct run *run;

	put_message_file("_tfdbg_fetches_info_", "x");
	run = load(root);
	ck_assert_uint_eq(run->tensors.len, 0);
	ck_assert_int_eq(run->t0_us, 0);
	ck_assert_str_eq(run->fetches, "x");
	ck_assert_uint_eq(run->problems.len, 0);
	run_close(run);
}
END_TEST

static void cancel_at_once(struct progress *progress)
{
	ck_assert_uint_ge(run_so_far(progress->owner), atomic_load(&progress->done));
	atomic_store(&progress->cancel, true);
}

START_TEST(loading_can_be_cancelled)
{
	struct progress progress = { .tick = cancel_at_once };
	struct err err = {0};
	struct run *run = run_open("testdata/mnist_nan", &err);

	progress.owner = run;
	ck_assert(!run_load(run, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	run_close(run);
}
END_TEST

/*
 * Dumps of one device against a graph: sum = AddN(a, b:1, b:1), loop = Merge(enter, sum), end =
 * Neg(sum).
 */
static const struct { const char *dumps[6]; const char *finding; } replays[] = {
	{ { "a_0_D_11", "b_1_D_12", "sum_0_D_13", "end_0_D_14" }, NULL },
	{ { "a_0_D_11", "other_0_D_12" },
	  "Node name 'other' is not found in partition graphs of device " CPU_NAME "." },
	{ { "a_0_D_13", "b_1_D_14", "sum_0_D_12" },
	  "Causality violated in timing relations of debug dumps: sum (12): "
	  "these input(s) are not satisfied: [('a', 0), ('b', 1)]" },
	{ { "a_0_D_11", "b_1_D_14", "sum_0_D_12" },
	  "Causality violated in timing relations of debug dumps: sum (12): "
	  "these input(s) are not satisfied: [('b', 1)]" },
	/* Not dumped, so not awaited. */
	{ { "b_0_D_14", "sum_0_D_12" }, NULL },
	/* At one time any order will do. */
	{ { "z_0_D_12", "sum_0_D_12", "a_0_D_12" }, NULL },
	/* Enter is exempt if it is named without a slot. */
	{ { "enter_0_D_15", "loop_0_D_12" }, NULL },
	{ { "enter_0_D_15", "strict_0_D_12" },
	  "Causality violated in timing relations of debug dumps: strict (12): "
	  "these input(s) are not satisfied: [('enter', 0)]" },
	/* A Merge takes the first that comes. */
	{ { "sum_0_D_12", "back_0_D_15", "loop_0_D_13" }, NULL },
	{ { "sum_0_D_14", "back_0_D_15", "loop_0_D_13" },
	  "Causality violated in timing relations of debug dumps: loop (13): "
	  "these input(s) are not satisfied: [('sum', 0), ('back', 0)]" },
};

START_TEST(check_replays_the_dump)
{
	struct problem *problems;
	struct arena mem = {0};
	struct err err = {0};
	struct run *run;
	size_t n;

	put_node_def(&nodes, "a", "Const", "", "");
	put_node_def(&nodes, "b", "Split", "", "");
	put_node_def(&nodes, "z", "Const", "", "");
	put_node_def(&nodes, "enter", "Enter", "a", "");
	put_node_def(&nodes, "sum", "AddN", "a b:1 b:1", "");
	put_node_def(&nodes, "back", "NextIteration", "end", "");
	put_node_def(&nodes, "loop", "Merge", "enter sum back:0", "");
	put_node_def(&nodes, "strict", "Neg", "enter:0", "");
	put_node_def(&nodes, "end", "Neg", "sum", "");
	put_graph(CPU "/_tfdbg_graph_hash1_10");
	for (int i = 0; i < 6 && replays[_i].dumps[i]; i++) {
		struct str name = {0};

		str_fmt(&name, CPU "/%s", replays[_i].dumps[i]);
		put_dump(name.text);
		str_release(&name);
	}
	run = load(root);
	ck_assert(run_check(run, false, NULL, &mem, &problems, &n, &err));
	ck_assert_uint_eq(n, replays[_i].finding != NULL);
	if (n) {
		ck_assert_str_eq(problems[0].text, replays[_i].finding);
		ck_assert_str_eq(problems[0].file, CPU);
	}
	arena_release(&mem);
	run_close(run);
}
END_TEST

/*
 * Recordings of every generation, where they lie beside the checkout: facts are TensorFlow's own.
 */
static const char *const generations[] = {
	"tf0.12.1_linear", "tf0.12.1_loop", "tf1.0.0_loop", "tf1.1.0_loop", "tf1.1.0_numeric",
	"tf1.3.0_linear", "tf1.4.1_loop", "tf1.12.0_loop", "tf2.0.0_control2", "tf2.21.0_keras",
	"tf2.21.0_control2",
};

#define GENERATIONS "../shared/corpus/v1_versions/"

START_TEST(agrees_with_recorded_facts)
{
	char path[256], line[1024];
	const char *rest;
	struct run *run;
	bool in_data = false;
	FILE *facts;

	snprintf(path, sizeof path, GENERATIONS "%s.facts.json", generations[_i]);
	facts = fopen(path, "r");
	if (!facts)
		return;
	snprintf(path, sizeof path, GENERATIONS "%s", generations[_i]);
	run = load(path);
	rest = tensors_text(run);
	while (fgets(line, sizeof line, facts)) {
		size_t len = strcspn(rest, "\n");

		if (!in_data || strstr(line, " ],")) {
			in_data = strstr(line, " \"data\": [") != NULL;
			continue;
		}
		ck_assert_msg(*rest && !strncmp(line + 3, rest, len), "%s%.*s", line, (int)len,
		              rest);
		rest += len + 1;
	}
	ck_assert_str_eq(rest, "");
	fclose(facts);
	run_close(run);
}
END_TEST

SUITE_MAIN("run",
	tcase_add_checked_fixture(t, make_root, remove_root);
	tcase_add_loop_test(t, reads_file_names, 0, ROWS(names));
	tcase_add_loop_test(t, reads_device_directories, 0, ROWS(devices));
	tcase_add_loop_test(t, orders_run_directories, 0, ROWS(run_dirs));
	tcase_add_loop_test(t, loads_recorded_runs, 0, ROWS(recorded));
	tcase_add_loop_test(t, recorded_runs_pass_the_check, 0, ROWS(recorded));
	tcase_add_test(t, reads_what_the_wrapper_wrote);
	tcase_add_test(t, opens_values_of_recorded_tensors);
	tcase_add_loop_test(t, orders_by_the_text_of_the_time, 0, ROWS(orders));
	tcase_add_test(t, numbers_the_dumps_of_a_tensor);
	tcase_add_test(t, strange_files_are_problems);
	tcase_add_test(t, metadata_may_have_a_key_without_a_name);
	tcase_add_test(t, many_problems_are_counted);
	tcase_add_test(t, walks_deep_directories);
	tcase_add_test(t, takes_the_device_name_of_the_graph);
	tcase_add_test(t, chooses_the_graph_that_fits);
	tcase_add_test(t, flat_dump_has_a_device_for_each_graph);
	tcase_add_test(t, flat_dump_without_any_metadata);
	tcase_add_loop_test(t, directory_of_runs, 0, 2);
	tcase_add_loop_test(t, says_when_there_is_no_dump, 0, ROWS(no_dumps));
	tcase_add_test(t, run_without_tensors);
	tcase_add_test(t, loading_can_be_cancelled);
	tcase_add_loop_test(t, check_replays_the_dump, 0, ROWS(replays));
	tcase_add_loop_test(t, agrees_with_recorded_facts, 0, ROWS(generations));
)
