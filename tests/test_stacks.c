/* The stacks file, the paths in it, and the commands that show them. */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/graph/source.h"
#include "cmds/session/shell.h"
#include "dump/model/stacks.h"
#include "tests/program.h"

#define LINEAR "testdata/linear"
#define LINEAR_STACKS "testdata/linear.stacks.json"
#define DEVICE_DIR "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"

static char *dir;                /* a scratch directory */
static char path[4096];

static void setup(void)
{
	dir = scratch_new();
}

static void teardown(void)
{
	scratch_remove(dir);
}

/* A file in the scratch directory; its path is in path. */
static const char *put_bytes(const char *name, const char *bytes, size_t len)
{
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
	return path;
}

static const char *put_file(const char *name, const char *text)
{
	return put_bytes(name, text, strlen(text));
}

/* ' for ", so that the tables below can be read. */
static const char *quoted(const char *text)
{
	static char out[4096];

	snprintf(out, sizeof out, "%s", text);
	for (char *c = out; (c = strchr(c, '\'')); c++)
		*c = '"';
	return out;
}

/* dump/stacks */

START_TEST(reads_the_recording)
{
	struct err err = {0};
	struct stacks *s = stacks_open(LINEAR_STACKS, NULL, &err);
	const struct stack_node *node;
	const struct stack_frame *frame;

	ck_assert_msg(s != NULL, "%s", err.msg);
	ck_assert_str_eq(s->cwd, "/tmp/demo");
	ck_assert_uint_eq(s->library_roots.len, 2);
	ck_assert_uint_eq(s->files.len, 23);
	ck_assert_uint_eq(s->frames.len, 130);
	ck_assert_uint_eq(s->nodes.len, 68);
	ck_assert_uint_eq(s->sources.len, 1);
	ck_assert_str_eq(s->sources.at[0].file, "linear.py");
	ck_assert_uint_eq(s->sources.at[0].len, strlen(s->sources.at[0].text));
	node = stacks_find(s, "loss/sq");
	ck_assert_ptr_nonnull(node);
	ck_assert_str_eq(node->op, "Square");
	ck_assert_uint_eq(node->outputs, 1);
	ck_assert_uint_eq(node->n_frames, 7);
	frame = stacks_frame(s, node, 0);
	ck_assert_str_eq(s->files.at[frame->file], "linear.py");
	ck_assert_uint_eq(frame->line, 19);
	ck_assert_str_eq(frame->function, "<module>");
	ck_assert_str_eq(frame->text,
	                 "loss = tf.reduce_mean(tf.square(pred - y, name=\"sq\"), name=\"mse\")");
	ck_assert_ptr_null(stacks_find(s, "loss/sq:0"));
	stacks_close(s);
}
END_TEST

#define HEAD "{'format':'tensordbg-stacks','version':1,'cwd':'/w',"

START_TEST(parts_come_in_any_order)
{
	static const char text[] = "{'nodes':{'b':{'stack':[0],'x':[{}],'op':'B','outputs':2},"
		"'a':{'op':'A','outputs':0,'stack':[]},'b':{'op':'C','outputs':1,'stack':[1,0]}},"
		"'frames':[[0,3,'f',null],[0,0,'g','']],'new':{'x':[1,2]},'files':['x\\u0000.py'],"
		"'cwd':'',"
		"'version':1,'format':'tensordbg-stacks'}";
	struct err err = {0};
	struct stacks *s = stacks_open(put_file("s.json", quoted(text)), NULL, &err);
	const struct stack_node *b;

	ck_assert_msg(s != NULL, "%s", err.msg);
	ck_assert_uint_eq(s->nodes.len, 2);
	ck_assert_str_eq(s->nodes.at[0].name, "a");
	b = stacks_find(s, "b");
	ck_assert_str_eq(b->op, "C");
	ck_assert_uint_eq(b->n_frames, 2);
	ck_assert_str_eq(stacks_frame(s, b, 0)->function, "g");
	ck_assert_ptr_null(stacks_frame(s, b, 1)->text);
	ck_assert_str_eq(s->files.at[0], "x?.py");
	stacks_close(s);
}
END_TEST

static const struct { const char *text; uint64_t off; } damaged[] = {
	{ "", 0 }, { "[]", 0 }, { "{}", 1 },
	{ "{'format':'other'}", 10 }, { "{'format':1}", 10 },
	{ "{'format':'tensordbg-stacks','version':2}", 39 },
	{ "{'format':'tensordbg-stacks','version':'1'}", 39 },
	{ HEAD "'files':[],'frames':[]}", 74 },
	{ HEAD "'files':[],'frames':[],'nodes':{}} x", 87 },
	{ HEAD "'files':[],'files':[]}", 63 },
	{ HEAD "'files':[1]}", 61 },
	{ HEAD "'files':['f'],'frames':[[0,1,'f']],'nodes':{}}", 76 },
	{ HEAD "'files':['f'],'frames':[[0,1,'f',null,1]],'nodes':{}}", 76 },
	{ HEAD "'files':['f'],'frames':[[-1,1,'f',null]],'nodes':{}}", 77 },
	{ HEAD "'files':['f'],'frames':[[0,2147483648,'f',null]],'nodes':{}}", 79 },
	{ HEAD "'files':['f'],'frames':[[1,1,'f',null]],'nodes':{}}", 66 },
	{ HEAD "'files':['f'],'frames':[],'nodes':{'n':{'op':'N','outputs':1,'stack':[0]}}}", 78 },
	{ HEAD "'files':['f'],'frames':[],'nodes':{'n':{'op':'N','outputs':1}}}", 112 },
	{ HEAD "'files':['f'],'frames':[],'nodes':{'n':[]}}", 91 },
};

START_TEST(lines_have_large_numbers)
{
	static const char text[] =
		HEAD "'files':['f'],'frames':[[0,2147483647,'f',null]],"
		"'nodes':{'n':{'op':'N','outputs':1,'stack':[0]}}}";
	struct err err = {0};
	struct stacks *s = stacks_open(put_file("s.json", quoted(text)), NULL, &err);

	ck_assert_msg(s != NULL, "%s", err.msg);
	ck_assert_uint_eq(stacks_frame(s, stacks_find(s, "n"), 0)->line, INT32_MAX);
	stacks_close(s);
}
END_TEST

START_TEST(damage_has_an_offset)
{
	struct err err = {0};
	struct stacks *s = stacks_open(put_file("s.json", quoted(damaged[_i].text)), NULL, &err);

	ck_assert_ptr_null(s);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_msg(err.off == damaged[_i].off, "offset %lu: %s", (unsigned long)err.off,
	              err.msg);
}
END_TEST

START_TEST(reading_can_be_stopped)
{
	struct progress progress = {0};
	struct err err = {0};

	atomic_store(&progress.cancel, true);
	ck_assert_ptr_null(stacks_open(LINEAR_STACKS, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_ptr_null(stacks_open("testdata/nothing", NULL, &err));
	ck_assert_int_eq(err.code, ERR_IO);
}
END_TEST

/* cmds/source */

static const struct { const char *cwd, *path, *normal; } normals[] = {
	{ "/tmp/demo", "linear.py", "/tmp/demo/linear.py" }, { "/tmp/demo", "/a/b.py", "/a/b.py" },
	{ "/tmp/demo/", "./x//y.py", "/tmp/demo/x/y.py" }, { "/tmp/demo", "../z.py", "/tmp/z.py" },
	{ "/", "../../z.py", "/z.py" }, { "", "a.py", "/a.py" }, { "/tmp", "", "/tmp" },
	{ "/", ".", "/" }, { "/tmp", "<stdin>", "/tmp/<stdin>" }, { "/tmp", "...", "/tmp/..." },
	{ "/tmp", "C:\\m\\a.py", "C:\\m\\a.py" }, { "C:\\m", "a.py", "C:\\m\\a.py" },
};

START_TEST(paths_become_normal)
{
	struct str out = {0};

	path_normal(&out, normals[_i].cwd, normals[_i].path);
	ck_assert_str_eq(out.text, normals[_i].normal);
	str_release(&out);
}
END_TEST

static const struct { const char *path; bool library, link; } kinds[] = {
	{ "/site/tf/ops.py", true, true }, { "/site/tf/ops.PYC", true, false },
	{ "/site/tf/ops", true, true }, { "/site/tf/ops.so", false, false },
	{ "/site/tf/ops_test.py", false, true }, { "/site/tf2/ops.py", false, true },
	{ "/site/tf/tensorflow/python/debug/examples/a.py", false, true },
	{ "/w/lib/a.py", true, true }, { "/w/a.py", false, true }, { "/w/.py", false, true },
	{ "/w/a.b/c", false, true }, { "/w/a.txt", false, false },
};

START_TEST(library_files_are_known)
{
	const char *roots[] = { "/site/tf/", "lib" };
	struct stacks stacks = { .cwd = "/w" };

	stacks.library_roots.at = roots;
	stacks.library_roots.len = 2;
	ck_assert_int_eq(path_is_library(&stacks, kinds[_i].path), kinds[_i].library);
	ck_assert_int_eq(path_has_link(kinds[_i].path), kinds[_i].link);
}
END_TEST

static const struct { const char *typed; size_t fits; const char *path; } typed_paths[] = {
	{ "/tmp/demo/linear.py", 1, "/tmp/demo/linear.py" },
	{ "linear.py", 1, "/tmp/demo/linear.py" },
	{ "/tmp/./demo/x/../linear.py", 1, "/tmp/demo/linear.py" },
	{ "inear.py", 0, "/tmp/demo/inear.py" },
	{ "ops/math_ops.py", 1,
	  "/tmp/demo/tf/lib/python3.7/site-packages/tensorflow_core/python/ops/math_ops.py" },
	{ "/ops/math_ops.py", 0, "/ops/math_ops.py" }, { "nosuch.py", 0, "/tmp/demo/nosuch.py" },
};

START_TEST(typed_paths_are_found)
{
	struct stacks *s = stacks_open(LINEAR_STACKS, NULL, NULL);
	struct source_paths paths;
	struct arena mem = {0};
	const char *found;
	uint32_t id;

	source_paths_init(&paths, s->cwd, s->files.at, s->files.len, &mem);
	ck_assert_uint_eq(source_paths_find(&paths, s->cwd, typed_paths[_i].typed, &mem, &id,
	                                    &found),
	                  typed_paths[_i].fits);
	ck_assert_str_eq(found, typed_paths[_i].path);
	ck_assert_int_eq(id == MAP_NONE, !typed_paths[_i].fits);
	source_paths_release(&paths);
	arena_release(&mem);
	stacks_close(s);
}
END_TEST

/* The commands. */

static struct shell *shell_over(const char *dump)
{
	struct shell *shell = shell_new();
	struct err err = {0};

	ck_assert_msg(shell_open(shell, dump, &err) && shell_load(shell, NULL, &err), "%s",
	              err.msg);
	return shell;
}

static void answer_of(struct shell *shell, const char *command, struct str *out)
{
	struct answer answer;
	struct line line = {0};

	shell_run(shell, command, 0, NULL, &answer);
	str_reset(out);
	for (uint64_t row = 0; row < doc_rows(answer.doc); row++) {
		doc_line(answer.doc, row, 0, &line);
		str_put(out, str_text(&line.text), line.text.len);
		str_putc(out, '\n');
	}
	line_release(&line);
	answer_release(&answer);
}

/* Lines of tfdbg's answers to the same dump and graph. */
static const struct { const char *command, *holds; } answers[] = {
	{ "ls -n nosuch", "Node name regex filter: \"nosuch\"\n\n[No source file information.]\n" },
	{ "ls -p .*linear", "Source file path    #(nodes) #(tensors) #(tensor dumps)\n"
	                    "/tmp/demo/linear.py 68       65         38\n\n"
	                    "TensorFlow Python library file(s):\n[No files.]\n\n" },
	{ "ls", "\n/tmp/demo/tf/lib/python3.7/site-packages/tensorflow_core/python/ops/"
	        "math_grad.py                     "
	        "   35       37         25\n" },
	{ "ps /tmp/demo/linear.py",
	  "L17      pred = tf.add(tf.matmul(x, w, name=\"xw\"), b, name=\"pred\")\n"
	                            "    linear/pred\n    linear/xw\nL18  with" },
	{ "ps linear.py", "    (... Omitted 41 of 51 op(s) ...) +5\nL22  \nL23" },
	{ "ps linear.py -t -m 1",
	  "    linear/w/read:0\n    (... Omitted 1 of 2 tensor(s) ...) +5\n" },
	{ "ps linear.py -m -1", "    (... Omitted 51 of 51 op(s) ...) +5\n" },
	{ "ps nosuch.py",
	  "<class 'OSError'>: Source path neither exists nor can be loaded as a .par file: "
	  "nosuch.py\n" },
	{ "ps ops/math_ops.py",
	  "ERROR: No text of /tmp/demo/tf/lib/python3.7/site-packages/tensorflow_core/python/ops/"
	                        "math_ops.py: add --source-map "
	                        "/tmp/demo/tf/lib/python3.7/site-packages/tensorflow_core/"
	                        "python/ops=DIR, where DIR holds math_ops.py now\n" },
	{ "ni -t loss/sq",
	  "\n\nTraceback of node construction:\n0: linear.py\n  Line:     19\n"
	  "  Function: <module>\n"
	                   "  Text:     \"loss = tf.reduce_mean(tf.square(pred - y, name=\"sq\"), "
	                   "name=\"mse\")\"\n\n1: " },
	{ "ni -t _arg_y_0_1", "(Node unavailable in the loaded Python graph)\n" },
};

START_TEST(commands_show_stacks)
{
	struct shell *shell = shell_over(LINEAR);
	struct str out = {0};

	answer_of(shell, "ls", &out);
	ck_assert_ptr_nonnull(strstr(out.text,
	                             "Cannot generate source list due to a lack of set Python "
	                             "graph"));
	ck_assert(shell_stacks(shell, LINEAR_STACKS, NULL));
	answer_of(shell, answers[_i].command, &out);
	ck_assert_msg(strstr(out.text, answers[_i].holds) != NULL, "%s", out.text);
	str_release(&out);
	shell_free(shell);
}
END_TEST

START_TEST(source_maps_lead_to_files)
{
	struct shell *shell = shell_over(LINEAR);
	struct str out = {0}, map = {0};
	struct err err = {0};

	ck_assert(shell_stacks(shell, LINEAR_STACKS, NULL));
	ck_assert(!shell_source_map(shell, "/tmp/demo", &err));
	ck_assert_int_eq(err.code, ERR_VALUE);
	put_file("math_ops.py", "import x\r\na\tb\n");
	str_fmt(&map, "/tmp/demo/tf/lib/python3.7/site-packages/tensorflow_core/python/ops=%s",
	        dir);
	ck_assert(shell_source_map(shell, "/tmp/demo=/nonexistent", NULL));
	ck_assert(shell_source_map(shell, map.text, NULL));
	answer_of(shell, "ps math_ops.py", &out);
	ck_assert_str_eq(out.text, "L1  import x\nL2  a\tb\nL3  \n");
	shell_on_screen(shell);
	answer_of(shell, "ps math_ops.py", &out);
	ck_assert_str_eq(out.text, "L1  import x\nL2  a       b\nL3  \n");
	str_release(&out);
	str_release(&map);
	shell_free(shell);
}
END_TEST

/* A run without a dump in the scratch directory. */
static const char *make_run(const char *name)
{
	static char run[4096], device[4096 + 128];

	snprintf(run, sizeof run, "%s/%s", dir, name);
	snprintf(device, sizeof device, "%s/%s", run, DEVICE_DIR);
	ck_assert_int_eq(mkdir(run, 0700), 0);
	ck_assert_int_eq(mkdir(device, 0700), 0);
	return run;
}

/* The directory above counts only as the root of its runs. */
static const struct { const char *run, *name; bool whole, found; } places[] = {
	{ "run_5_0", "stacks.json", true, true }, { "run", "run/stacks.json", true, true },
	{ "run", "run/stacks.json", false, false }, { "run", "stacks.json", true, false },
	{ "run", "stacks.json", false, false },
};

START_TEST(stacks_beside_the_dump_are_found)
{
	const char *run = make_run(places[_i].run);
	bool is_above = !strchr(places[_i].name, '/');
	struct str bytes = {0}, out = {0};
	struct shell *shell;

	ck_assert(read_whole(LINEAR_STACKS, &bytes));
	if (!places[_i].whole)
		str_cut(&bytes, bytes.len / 2);
	put_file(places[_i].name, bytes.text);
	shell = shell_over(run);
	answer_of(shell, "ls -p .*linear", &out);
	ck_assert_int_eq(strstr(out.text, "\n/tmp/demo/linear.py 68 ") != NULL, places[_i].found);
	answer_of(shell, "ri", &out);
	ck_assert_int_eq(strstr(out.text, "stacks.json of the directory above") != NULL,
	                 is_above && places[_i].found);
	str_reset(&out);
	if (shell_warnings(shell))
		shell_warning(shell, shell_warnings(shell) - 1, &out);
	ck_assert_int_eq(strstr(str_text(&out), "stacks.json, offset ") != NULL,
	                 !places[_i].whole && !is_above);
	shell_free(shell);
	str_release(&bytes);
	str_release(&out);
}
END_TEST

/*
 * Where a source that was recorded under a relative name is looked for, in this order; NULL: it
 * is nowhere.
 */
static const char *const relative_places[] = {
	"else/a/train.py", "logs/run/a/train.py", "logs/run/src/a/train.py", "logs/a/train.py",
	"logs/src/a/train.py", "a/train.py", "src/a/train.py", NULL,
};
enum { N_PLACES = ROWS(relative_places) };

static void put_place(const char *place)
{
	struct str made = {0};

	for (const char *slash = place; (slash = strchr(slash, '/')); slash++) {
		str_reset(&made);
		str_fmt(&made, "%s/%.*s", dir, (int)(slash - place), place);
		mkdir(made.text, 0700);
	}
	put_file(place, place);
	str_release(&made);
}

/* Opens logs/run with sources from the i-th place on, from the directory "else". */
static struct shell *open_relative(int i)
{
	struct str run = {0}, elsewhere = {0};
	struct shell *shell;

	put_place("else/here");
	for (; relative_places[i]; i++)
		put_place(relative_places[i]);
	str_fmt(&elsewhere, "%s/else", dir);
	str_fmt(&run, "%s/logs/run", dir);
	ck_assert_int_eq(chdir(elsewhere.text), 0);
	shell = shell_over(run.text);
	str_release(&run);
	str_release(&elsewhere);
	return shell;
}

static void check_relative(struct shell *shell, int i, const char *advice)
{
	struct str out = {0};

	answer_of(shell, "ps a/train.py", &out);
	ck_assert_msg(strstr(out.text, relative_places[i] ? relative_places[i] : advice) != NULL,
	              "%s", out.text);
	str_release(&out);
	shell_free(shell);
}

static const char *const recorded_in[] = { "", "/nowhere" };

START_TEST(relative_sources_of_a_dump_are_found)
{
	const char *cwd = recorded_in[_i % 2];
	struct str text = {0}, advice = {0};

	put_place("logs/run/" DEVICE_DIR "/here");
	str_fmt(&text, "{'format':'tensordbg-stacks','version':1,'cwd':'%s','files':['a/train.py'],"
	        "'frames':[],'nodes':{}}", cwd);
	put_file("logs/run/stacks.json", quoted(text.text));
	str_fmt(&advice, "add --source-map %sa=DIR, where DIR holds train.py now\n",
	        *cwd ? "/nowhere/" : "");
	check_relative(open_relative(_i / 2), _i / 2, advice.text);
	str_release(&text);
	str_release(&advice);
}
END_TEST

/* The script of the recorded profile is "train.py": in a scratch copy it is "a/train.py". */
static void put_profile(void)
{
	static const char from[] = "testdata/profile_odd/relative_script/";
	static const struct { const char *name, *copy; } files[] = {
		{ "graph.pb", "logs/run/graph.pb" }, { "run_meta", "logs/run/run_meta" },
	};
	static const char log[] = "\x0a\x0d\x0a\x01" "b" "\x22\x08\x0a\x06\x10\x01\x30\x01\x38\x02"
	                          "\x12\x0e\x08\x01\x12\x0a" "a/train.py" "\x12\x05\x08\x02\x12\x01"
	                          "f";
	struct str name = {0}, bytes = {0};

	put_place("logs/run/here");
	for (size_t i = 0; i < ROWS(files); i++) {
		str_reset(&name);
		str_fmt(&name, "%s%s", from, files[i].name);
		str_reset(&bytes);
		ck_assert(read_whole(name.text, &bytes));
		put_bytes(files[i].copy, bytes.text, bytes.len);
	}
	put_bytes("logs/run/tfprof_log", log, sizeof log - 1);
	str_release(&name);
	str_release(&bytes);
}

START_TEST(relative_sources_of_a_profile_are_found)
{
	put_profile();
	check_relative(open_relative(_i), _i,
	               "\nAdd --source-map a=DIR, where DIR holds train.py now\n");
}
END_TEST


SUITE_MAIN("stacks",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, reads_the_recording);
	tcase_add_test(t, parts_come_in_any_order);
	tcase_add_test(t, lines_have_large_numbers);
	tcase_add_loop_test(t, damage_has_an_offset, 0, ROWS(damaged));
	tcase_add_test(t, reading_can_be_stopped);
	tcase_add_loop_test(t, paths_become_normal, 0, ROWS(normals));
	tcase_add_loop_test(t, library_files_are_known, 0, ROWS(kinds));
	tcase_add_loop_test(t, typed_paths_are_found, 0, ROWS(typed_paths));
	tcase_add_loop_test(t, commands_show_stacks, 0, ROWS(answers));
	tcase_add_test(t, source_maps_lead_to_files);
	tcase_add_loop_test(t, stacks_beside_the_dump_are_found, 0, ROWS(places));
	tcase_add_loop_test(t, relative_sources_of_a_dump_are_found, 0, 2 * N_PLACES);
	tcase_add_loop_test(t, relative_sources_of_a_profile_are_found, 0, N_PLACES);)
