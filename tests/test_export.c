/*
 * `export`: what is written is read again and is the same; no name leads out of the directory.
 */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/model/run_diff.h"
#include "dump/readers.h"
#include "tests/program.h"
#include "tests/small_dump.h"

static char *root;

static void set_up(void)
{
	root = scratch_new();
}

static void tear_down(void)
{
	scratch_remove(root);
}

/* Good until the next call. */
static const char *path_in(const char *name)
{
	static struct str path;

	str_reset(&path);
	str_fmt(&path, "%s/%s", root, name);
	return path.text;
}

static bool export_to(const char *source, const char *name, const char *as, struct str *text)
{
	struct shell *shell = session_of(source);
	struct str line = {0};
	bool ok;

	str_fmt(&line, "export %s --as %s", path_in(name), as);
	ok = session_ask(shell, line.text, text);
	str_release(&line);
	shell_free(shell);
	return ok;
}

static struct run *load(const char *path)
{
	struct err err = {0};
	struct run *run = run_open(path, &err);

	ck_assert_msg(run && run_load(run, NULL, &err), "%s", err.msg);
	return run;
}

static const struct { const char *source, *as, *file; size_t same, unreadable; } made[] = {
	{ "testdata/array_files/dtypes.safetensors", "safetensors", "/tensors.safetensors", 21, 0 },
	/* What numpy has no name for is raw bytes there. */
	{ "testdata/array_files/dtypes.safetensors", "npz", "/tensors.npz", 15, 6 },
	{ "testdata/array_files/model.safetensors", "npy", "", 8, 0 },
	{ "testdata/array_files/deflated.npz", "npz", "/tensors.npz", 4, 0 },
	{ "testdata/array_files/deflated.npz", "safetensors", "/tensors.safetensors", 4, 0 },
	{ "testdata/arrays/fortran_f4.npy", "npy", "", 1, 0 },
	/* Keys are names as they are: empty, with a slot, with "..", with hidden characters. */
	{ "testdata/array_files/names.safetensors", "safetensors", "/tensors.safetensors", 7, 0 },
	{ "testdata/array_files/names.safetensors", "npz", "/tensors.npz", 4, 3 },
	/* Slots too. */
	{ "testdata/linear", "npz", "/tensors.npz", 41, 0 },
	{ "testdata/linear", "safetensors", "/tensors.safetensors", 41, 0 },
};

START_TEST(what_is_written_is_the_same)
{
	static const struct tolerance exact;
	struct pairing pairing = {0};
	struct str text = {0}, file = {0};
	struct err err = {0};
	struct run *now, *before;
	struct run_diff *diff;

	ck_assert_msg(export_to(made[_i].source, "out", made[_i].as, &text), "%s", text.text);
	ck_assert_ptr_nonnull(strstr(text.text, "Wrote "));
	str_fmt(&file, "%s%s", path_in("out"), made[_i].file);
	before = load(made[_i].source);
	now = load(file.text);
	diff = run_diff_new(now, before, &exact, &pairing, NULL, &err);
	ck_assert_uint_eq(diff->count[DIFF_SAME], made[_i].same);
	ck_assert_uint_eq(diff->pairs.len, made[_i].same + made[_i].unreadable);
	run_diff_free(diff);
	run_close(now);
	run_close(before);
	str_release(&text);
	str_release(&file);
}
END_TEST

/*
 * All files are written, or none: what is there stays, and no directory is left that was not there.
 * $0 is the program, $1 testdata; one of the files can't be written.
 */
static const struct { const char *made, *line, *left; } failing[] = {
	{ "mkdir -p out/model.layers.2.mlp.up_proj.weight.npy && echo old >out/lm_head.weight.npy",
	  "$0 -c 'export out' $1/array_files/model.safetensors",
	  "1 out out/lm_head.weight.npy out/model.layers.2.mlp.up_proj.weight.npy old\n" },
	{ "echo old >lm_head.weight.npy; mkdir model.layers.0.mlp.up_proj.weight.npy",
	  "$0 -c 'export .' $1/array_files/model.safetensors",
	  "1 lm_head.weight.npy model.layers.0.mlp.up_proj.weight.npy old\n" },
	{ "true", "(ulimit -f 8; $0 -c 'export new/in' $1/mnist_nan)", "1 " },
	{ "mkdir new", "(ulimit -f 8; $0 -c 'export new/in' $1/mnist_nan)", "1 new " },
	{ "true", "(ulimit -f 8; $0 -c 'export new/in --as npz' $1/mnist_nan)", "1 " },
};

START_TEST(all_files_are_written_or_none)
{
	struct str line = {0};
	struct program_run ran;
	char *program = realpath(program_path(), NULL), *data = realpath("testdata", NULL);

	str_fmt(&line, "cd %s && %s && { %s >/dev/null 2>&1; printf '%%s ' $?; "
	        "find . -mindepth 1 | sort | sed 's|^./||' | tr '\n' ' '; "
	        "find . -name 'lm*' -type f -exec cat {} +; }",
	        root, failing[_i].made, failing[_i].line);
	program_run((const char *const[]){ "sh", "-c", line.text, program, data, NULL }, NULL,
	            NULL, &ran);
	ck_assert_str_eq(str_text(&ran.out), failing[_i].left);
	program_release(&ran);
	str_release(&line);
	free(program);
	free(data);
}
END_TEST

/* "../../etc/passwd", "/abs", a name of 300 letters, one with a control character */
/* What can't be read is named with the reason, in the warnings too; the rest is written. */
START_TEST(what_is_left_out_is_named)
{
	static const char *const formats[] = { "--format=text", "--format=json" };
	struct str line = {0};
	struct program_run ran;
	const char *named;

	str_fmt(&line, "export %s --as npz", path_in("out"));
	program_run((const char *[]){ program_path(), formats[_i], "-c", line.text,
	                              "testdata/damaged_tensors", NULL }, NULL, NULL, &ran);
	named = strstr(str_text(_i ? &ran.out : &ran.err), "left out: ");
	ck_assert_int_eq(ran.status, 1);
	ck_assert_msg(named && strstr(named, ", offset "), "%s", str_text(&ran.err));
	ck_assert_msg(strstr(str_text(&ran.out), _i ? "\"ok\":true" : "that could not be read\n"),
	              "%s", ran.out.text);
	ck_assert_int_eq(access(path_in("out/tensors.npz"), F_OK), 0);
	program_release(&ran);
	str_release(&line);
}
END_TEST

/* A value that was never recorded is no failure to read. */
START_TEST(what_has_no_value_is_counted)
{
	struct str line = {0};
	struct program_run ran;

	str_fmt(&line, "export %s --as npy", path_in("out"));
	program_run((const char *[]){ program_path(), "-c", "run --last", "-c", line.text,
	                              "testdata/msprobe/statistics", NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_str_eq(str_text(&ran.err), "");
	ck_assert_msg(strstr(str_text(&ran.out), "without a value"), "%s", ran.out.text);
	program_release(&ran);
	str_release(&line);
}
END_TEST

START_TEST(no_name_leads_out)
{
	struct str text = {0};
	struct stat st;
	struct run *run;

	ck_assert_msg(export_to("testdata/array_files/bad_paths.npz", "a/b/out", "npy", &text),
	              "%s", text.text);
	ck_assert_int_eq(stat(path_in("a/b/out/_./_./etc/passwd.npy"), &st), 0);
	ck_assert_int_eq(stat(path_in("a/b/out/_/abs.npy"), &st), 0);
	run = load(path_in("a/b/out"));
	ck_assert_uint_eq(run->tensors.len, 5);
	run_close(run);
	run = load("testdata/array_files/bad_paths.npz");
	ck_assert_uint_eq(run->tensors.len, 5);
	run_close(run);
	str_release(&text);
}
END_TEST

START_TEST(nothing_is_written_into_what_is_open)
{
	static const char *const places[] = { "d", "d/sub/sub", "d/../d/x" };
	struct str text = {0}, line = {0};
	struct shell *shell;
	struct stat st;

	ck_assert(export_to("testdata/array_files/deflated.npz", "d", "npy", &text));
	shell = session_of(path_in("d"));
	for (size_t i = 0; i < ROWS(places); i++) {
		str_reset(&line);
		str_fmt(&line, "export %s", path_in(places[i]));
		ck_assert(!session_ask(shell, line.text, &text));
		ck_assert_msg(strstr(text.text, "nothing is written there"), "%s", text.text);
	}
	ck_assert_int_ne(stat(path_in("d/x"), &st), 0);
	shell_free(shell);
	str_release(&text);
	str_release(&line);
}
END_TEST

START_TEST(mistakes_are_told)
{
	struct str text = {0};

	ck_assert(!export_to("testdata/array_files/deflated.npz", "d", "zip", &text));
	ck_assert_ptr_nonnull(strstr(text.text, "--as is npy, npz or safetensors"));
	dump_put(root, "file", "", 0);
	ck_assert(!export_to("testdata/array_files/deflated.npz", "file/d", "npy", &text));
	ck_assert(!export_to("testdata/array_files/deflated.npz", "file", "npz", &text));
	str_release(&text);
}
END_TEST

SUITE_MAIN("export",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_loop_test(t, what_is_left_out_is_named, 0, 2);
	tcase_add_loop_test(t, what_is_written_is_the_same, 0, ROWS(made));
	tcase_add_test(t, what_has_no_value_is_counted);
	tcase_add_loop_test(t, all_files_are_written_or_none, 0, ROWS(failing));
	tcase_add_test(t, no_name_leads_out);
	tcase_add_test(t, nothing_is_written_into_what_is_open);
	tcase_add_test(t, mistakes_are_told);)
