/* The steps of a profile in a directory: which there are, in what order, and which is current. */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/str.h"
#include "dump/profile/profile.h"
#include "tests/made_step.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define LINEAR "testdata/profile/linear"

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

/* A dangling link is reported whatever its name is. */
START_TEST(a_dangling_link_is_told)
{
	char *dir = scratch_new();
	struct profile *profile;
	struct str path = {0};

	dump_copy(dir, "run_metadata.pb", LINEAR "/run_metadata.pb");
	str_fmt(&path, "%s/238_memory_copy_trace.csv", dir);
	ck_assert_int_eq(symlink("nowhere", path.text), 0);
	profile = profile_of(dir);
	ck_assert_uint_eq(profile->problems.len, 1);
	ck_assert_str_eq(profile->problems.at[0],
	                 "238_memory_copy_trace.csv: No such file or directory");
	profile_close(profile);
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

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
	dump_put(dir, ".hidden", "", 0);
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

/* What an option names is opened, if it lies in the directory too. */
START_TEST(named_files_are_opened)
{
	struct profile *profile = profile_new();
	struct err err = {0};

	ck_assert(profile_look(profile, "testdata/profile/linear", &err));
	ck_assert(profile_name_graph(profile, "testdata/profile/linear/graph.pb", &err));
	ck_assert(profile_load(profile, NULL, &err));
	ck_assert_str_eq(profile->passed_over,
	                 "not opened: graph.pbtxt (GraphDef as text), profile.context (tfprof "
	                 "profile)");
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
	char *dir = scratch_new(), name[32];
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

/* By whoever opens the directory. */
START_TEST(stacks_beside_a_step_are_read)
{
	static const char text[] = "{\"format\": \"tensordbg-stacks\", \"version\": 1}";
	char *dir = scratch_new(), path[4200];
	struct profile *profile;
	FILE *file;

	make_step(dir, "run_metadata.pb", 10);
	snprintf(path, sizeof path, "%s/stacks.json", dir);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
	profile = profile_of(dir);
	ck_assert_ptr_null(profile->passed_over);
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

SUITE_MAIN("profile_steps",
	tcase_add_test(t, named_files_are_opened);
	tcase_add_test(t, steps_have_numbers_and_a_current_one);
	tcase_add_loop_test(t, a_tfprof_profile_stands_in_for_a_graph, 0, N_PROTO_PLACES);
	tcase_add_test(t, a_tfprof_profile_knows_names);
	tcase_add_loop_test(t, a_tfprof_profile_answers_as_graph_and_op_log, 0, N_ALIKE);
	tcase_add_test(t, a_dangling_link_is_told);
	tcase_add_loop_test(t, a_lost_step_is_told, 0, N_LOSSES);
	tcase_add_loop_test(t, files_that_look_like_parts_are_missed, 0, ROWS(beside));
	tcase_add_test(t, among_many_files_steps_are_found);
	tcase_add_test(t, of_three_steps_the_median_is_current);
	tcase_add_loop_test(t, of_an_even_number_the_lower_median_is_current, 0, ROWS(medians));
	tcase_add_test(t, names_of_steps_have_a_natural_order);
	tcase_add_test(t, stacks_beside_a_step_are_read);
	tcase_add_test(t, a_held_step_stays);
)
