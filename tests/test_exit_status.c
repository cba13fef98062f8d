/*
 * What --exit-code means, the same for every command that has it: 1 if the command found what it
 * looks for, else 3 if something could not be judged or the command failed, else 0. Without it a
 * finding is no failure.
 */
#include "tests/suite.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/message.h"
#include "tests/program.h"
#include "tests/program_files.h"
#include "tests/small_dump.h"

/* Made in the directory $0, of testdata in $1. */
static const struct { const char *name, *made; } made[] = {
	{ "clean_first", "mkdir $0/clean_first && cp -r $1/train20/run*_11 "
	  "$0/clean_first/run_1_11 && cp -r $1/train20/run*_12 $0/clean_first/run_2_12" },
	{ "bad_first", "mkdir $0/bad_first && cp -r $1/train20/run*_12 $0/bad_first/run_1_11 && "
	  "cp -r $1/train20/run*_11 $0/bad_first/run_2_12" },
	{ "cut_tensor", "cp -r $1/linear $0/cut_tensor && "
	  "for f in $0/cut_tensor/*/loss/sq_0_*; do head -c 100 $f >$f.n && mv $f.n $f; done" },
	{ "cut_trace.json", "gzip -dc $1/traces/torch.json.gz | head -c 9000 >$0/cut_trace.json" },
	{ "cut_step", "mkdir $0/cut_step && "
	  "head -c 300 $1/profile/linear/run_metadata.pb >$0/cut_step/run_metadata_1.pb && "
	  "cp $1/profile/linear/run_metadata.pb $0/cut_step" },
	{ "cut_record", "cp -r $1/v2/circular $0/cut_record && cd $0/cut_record && "
	  "for f in *.execution; do head -c 2000 $f >n && mv n $f; done" },
	{ "cut_space", "s=$(ls $1/xspace/tf2_train/*.pb) && "
	  "head -c $(($(wc -c <$s) * 3 / 5)) $s >$0/cut_space.pb" },
	{ "cut_arrays", "cp -r $1/recorders/jax $0/cut_arrays && cd $0/cut_arrays/step_2/rank0 && "
	  "head -c 40 arrays.safetensors >n && mv n arrays.safetensors" },
	{ "cut_last", "cp -r $1/recorders/pytorch $0/cut_last && cd $0/cut_last/step_3/rank0 && "
	  "head -c 300 arrays.safetensors >n && mv n arrays.safetensors" },
	{ "array.npz", "cp $1/array_files/mixed.npz $0/array.npz" },
	{ "same.npy", "cp $1/arrays/le_f4.npy $0/same.npy" },
	{ "objects", "mkdir $0/objects && cp $1/arrays/object.npy $1/arrays/le_f4.npy $0/objects" },
};

/* plain: the status without --exit-code. $0: the directory of what is made, $1: testdata. */
static const struct { const char *path, *line; int status, plain; } lines[] = {
	/* origins: those that are not benign. */
	{ "$1/linear", "origins", 0, 0 },
	{ "$1/origins/attention_mask", "origins", 0, 0 },
	{ "$1/origins/log_zero", "origins", 1, 0 },
	{ "$1/origins/log_zero", "origins 1", 1, 0 },
	{ "$1/origins/log_zero", "origins 7", 3, 1 },
	{ "$1/origins/log_zero", "origins --max-bytes 10", 3, 1 },
	{ "$1/origins/log_zero", "origins --none", 3, 1 },
	{ "$1/origins/log_zero", "origins -n", 3, 1 },
	{ "$0/cut_tensor", "origins", 3, 0 },
	{ "$1/recorders/jax", "origins", 0, 0 },
	{ "$0/cut_arrays", "origins", 3, 0 },
	{ "$0/array.npz", "origins", 3, 0 },
	{ "$1/v2/circular", "origins", 0, 0 },
	{ "$1/v2/where_gradient", "origins", 1, 0 },
	{ "$0/cut_record", "origins", 3, 0 },
	{ "$0/shapes", "origins", 3, 1 },
	{ "$1/traces/torch.json.gz", "origins", 3, 1 },
	/* overview: those, damage, runs cut short. */
	{ "$1/linear", "overview", 0, 0 },
	{ "$1/origins/attention_mask", "overview", 0, 0 },
	{ "$1/origins/log_zero", "overview", 1, 0 },
	{ "$0/cut_arrays", "overview", 1, 0 },
	{ "$1/linear", "overview --max-bytes 10", 3, 0 },
	{ "$1/linear", "overview --none", 3, 1 },
	{ "$0/cut_tensor", "overview", 1, 0 },
	{ "$0/array.npz", "overview", 3, 0 },
	{ "$1/runs/mixed", "overview", 1, 0 },
	{ "$0/shapes", "overview", 3, 0 },
	{ "$1/traces/torch.json.gz", "overview", 0, 0 },
	{ "$0/cut_trace.json", "overview", 1, 0 },
	{ "$0/cut_step", "overview", 1, 0 },
	{ "$0/cut_record", "overview", 1, 0 },
	/* doctor: damage and loss, to which files belong that cannot be read. */
	{ "$1/linear", "doctor", 0, 0 },
	{ "$1/workers", "doctor", 0, 0 },
	{ "$1/runs/mixed", "doctor", 1, 0 },
	{ "$0/cut_tensor", "doctor", 1, 0 },
	{ "$0/cut_record", "doctor", 1, 0 },
	{ "$1/linear", "doctor none", 3, 1 },
	{ "$1/traces/torch.json.gz", "doctor", 3, 1 },
	/* diff: anything that differs. */
	{ "$1/linear", "diff $1/linear", 0, 0 },
	{ "$1/linear", "diff $0/cut_tensor", 3, 0 },
	{ "$0/cut_tensor", "diff $0/cut_tensor", 3, 0 },
	{ "$1/linear", "diff $1/mnist_nan", 1, 0 },
	{ "$1/linear", "diff $1/linear --atol x", 3, 1 },
	{ "$1/linear", "diff $1/linear --map $0/none", 3, 1 },
	{ "$1/linear", "diff", 3, 1 },
	{ "$1/linear", "diff $0/none", 3, 1 },
	{ "$1/linear", "diff $1/traces/torch.json.gz", 3, 1 },
	{ "$0/cut_tensor", "diff loss/sq:0 $1/linear", 3, 1 },
	{ "$1/linear", "diff loss/sq:0 $1/linear", 0, 0 },
	{ "$0/same.npy", "diff $1/arrays/le_f4.npy", 1, 0 },
	{ "$1/v2/mode_CONCISE_HEALTH", "diff #30 --step 31", 1, 0 },
	/* Several lines: what was found counts, then what could not be judged. */
	{ "$1/linear", "overview --max-bytes 10 --exit-code;origins", 3, 3 },
	{ "$1/origins/log_zero", "overview --max-bytes 10 --exit-code;origins", 1, 3 },
	{ "$1/origins/log_zero", "origins --exit-code;overview --max-bytes 10", 1, 1 },
	{ "$1/origins/log_zero", "origins --exit-code;overview --none", 1, 1 },
	/* What can't be written is a failure. */
	{ "$1/linear", "overview > /dev/full", 3, 1 },
	{ "$1/origins/log_zero", "overview > /dev/full", 1, 1 },
};

static char *data;

/* $0, $1 in a line become what they stand for. */
static char *filled(const char *text)
{
	struct str out = {0};

	for (; *text; text++)
		if (text[0] == '$' && (text[1] == '0' || text[1] == '1'))
			str_puts(&out, *++text == '0' ? scratch : data);
		else
			str_putc(&out, *text);
	return out.text;
}

/* A program that recorded the shapes of its tensors. */
static void make_shapes(void)
{
	struct str tensor = {0}, dir = {0};
	char *whole = scratch;

	str_fmt(&dir, "%s/shapes", scratch);
	ck_assert_int_eq(mkdir(dir.text, 0777), 0);
	scratch = dir.text;
	put_metadata(1, "run");
	put_graph("G", "f", "");
	put_op("G", "Placeholder", "x", "");
	put_doubles(&tensor, (const double[]){ 1, 1, 0, 1, 0, 0, 0, 0, 0, 0 }, 10);
	put_trace_of(2, "G", "x", 0, "cpu", SHAPE, &tensor);
	write_set("1.host");
	scratch = whole;
	str_release(&dir);
}

static void setup(void)
{
	struct program_run ran;
	struct str path = {0};
	char here[4096];

	ck_assert(getcwd(here, sizeof here));
	make_scratch();
	str_fmt(&path, "%s/testdata", here);
	data = path.text;
	for (int i = 0; i < ROWS(made); i++) {
		program_run((const char *[]){ "sh", "-c", made[i].made, scratch, data, NULL }, NULL,
		            NULL, &ran);
		ck_assert_msg(ran.status == 0, "%s: %s", made[i].name, str_text(&ran.err));
		program_release(&ran);
	}
	make_shapes();
}

static void teardown(void)
{
	free(data);
	remove_scratch();
}

/* The lines are parted by ";"; the last of them gets the option, before its redirect. */
static int status_of(const char *path, char *line, const char *option)
{
	const char *argv[12] = { program_path(), "--keep-going" };
	char *at, *words, *redirect;
	struct str last = {0};
	struct program_run ran;
	size_t n = 2;
	int status;

	while ((at = strchr(line, ';'))) {
		*at = '\0';
		argv[n++] = "-c";
		argv[n++] = line;
		line = at + 1;
	}
	words = line;
	redirect = strstr(words, " >");
	str_fmt(&last, "%.*s%s%s", (int)(redirect ? redirect - words : (long)strlen(words)), words,
	        option, redirect ? redirect : "");
	argv[n++] = "-c";
	argv[n++] = last.text;
	argv[n] = path;
	program_run(argv, NULL, NULL, &ran);
	status = ran.status;
	program_release(&ran);
	str_release(&last);
	return status;
}

START_TEST(it_means_one_thing)
{
	char *path = filled(lines[_i].path), *line = filled(lines[_i].line);
	int status, plain;

	status = status_of(path, line, " --exit-code");
	free(line);
	line = filled(lines[_i].line);
	plain = status_of(path, line, "");
	ck_assert_msg(status == lines[_i].status && plain == lines[_i].plain,
	              "%s, %s: %d for %d, without --exit-code %d for %d", lines[_i].path,
	              lines[_i].line, status, lines[_i].status, plain, lines[_i].plain);
	free(path);
	free(line);
}
END_TEST

/* A run that is gone can't be judged; what the other one has still counts. */
static const struct { const char *root, *line; int status; } gone[] = {
	{ "clean_first", "origins", 0 },
	{ "clean_first", "origins --exit-code", 3 },
	{ "clean_first", "overview --exit-code", 1 },
	{ "clean_first", "doctor --exit-code", 1 },
	{ "bad_first", "origins --exit-code", 1 },
};

START_TEST(a_run_that_cannot_be_read)
{
	struct str root = {0}, away = {0}, back = {0};
	struct answer answer;
	struct shell *shell;

	str_fmt(&root, "%s/%s", scratch, gone[_i].root);
	str_fmt(&away, "cp -r %s/run_*_12 %s/kept && rm -r %s/run_*_12", root.text, scratch,
	        root.text);
	str_fmt(&back, "mv %s/kept %s/run_2_12", scratch, root.text);
	shell = session_of(root.text);
	ck_assert_int_eq(system(away.text), 0);
	shell_run(shell, gone[_i].line, 0, NULL, &answer);
	ck_assert_int_eq(answer_status(&answer), gone[_i].status);
	answer_release(&answer);
	shell_free(shell);
	ck_assert_int_eq(system(back.text), 0);
	str_release(&root);
	str_release(&away);
	str_release(&back);
}
END_TEST

/* Of lines of a shell in which $T is the program. */
static const struct { const char *line; int status; const char *says; } others[] = {
	{ "$T --diff $0/none -c diff $1/linear", 3, "No such file" },
	{ "$T --diff $0/none -c 'diff --exit-code' $1/linear", 3, "No such file" },
	/* A run of arrays of which nothing can be read is neither complete nor clean. */
	{ "$T -c runs $0/cut_last", 0, "  2      3       0      0 unreadable" },
	{ "$T -c overview $0/cut_last", 0, "  runs 1-2  #?" },
	/* What was found counts before an answer that could not be written. */
	{ "$T -c 'origins --exit-code > /dev/full' $1/origins/log_zero", 1, "/dev/full" },
	{ "$T -c 'origins --exit-code > /dev/full' $1/linear", 3, "/dev/full" },
	{ "$T -c 'origins > /dev/full' $1/linear", 1, "/dev/full" },
	/* A setting that can't be saved holds for the session, and the answer says so. */
	{ "HOME=/dev/null $T -c 'config set graph_recursion_depth 9' $1/linear", 1,
	  "graph_recursion_depth: 9" },
	{ "HOME=/dev/null $T -c 'config set origins_ignore x' $1/linear", 1, "/dev/null" },
	{ "HOME=/dev/null $T -c 'filter add a nan --save' $1/linear", 1, "Filter \"a\": nan" },
	{ "HOME=/dev/null $T -c 'filter add a nan --save' -c 'lt -f a' $1/linear", 1,
	  "0 dumped tensor(s) passing filter \"a\":" },
	{ "HOME=/dev/null $T -c 'filter add a nan --session' $1/linear", 0, "Filter \"a\": nan" },
	{ "HOME=$0 $T -c 'config set graph_recursion_depth 9' $1/linear", 0,
	  "graph_recursion_depth: 9" },
	/* Nobody waits for what never becomes a dump. */
#define FOLLOWED "tensordbg: only a directory with a dump can be followed\n"
	{ "$T --follow -c kernels $1/xspace/tf2_train", 2, FOLLOWED },
	{ "$T --follow -c kernels $1/traces/torch.json.gz", 2, FOLLOWED },
	{ "$T --follow -c kernels $1/profile/linear", 2, FOLLOWED },
	{ "$T --follow -c lg $1/hlo/jax_loop.txt", 2, FOLLOWED },
	{ "$T --follow -c kernels $1/tables/nsys.sqlite", 2, FOLLOWED },
	{ "$T --follow -c lt $1/torch/tensor.pt", 2, FOLLOWED },
	{ "head -c 90 $1/arrays/le_f4.npy >$0/half.npy; $T --follow -c lt $0/half.npy", 2,
	  FOLLOWED },
	{ "head -c 500 $1/torch/tensor.pt >$0/half.pt; $T --follow -c lt $0/half.pt", 2,
	  FOLLOWED },
	{ "$T --follow -c lt $1/vitals.tsv", 3, "no TensorFlow dump here" },
	{ "$T -c 'lt --format=json' $1/linear", 0,
	  "{\"command\":\"lt --format=json\",\"ok\":true" },
	{ "$T -c 'lt --format=xml' $1/linear", 1, "unrecognized arguments: --format=xml" },
	/* CSV has no notes: what is missing from it is on standard error. */
	{ "head -c -20 $1/tables/nvprof_two_processes.csv >$0/cut.csv; "
	  "$T --format=csv -c kernels $0/cut.csv >/dev/null", 0,
	  "tensordbg: 1 row is left out: a quoted field has no end (byte 2836).\n" },
};

START_TEST(other_statuses)
{
	char *line = filled(others[_i].line);
	struct str all = {0};
	struct program_run ran;

	str_fmt(&all, "T='%s'; (%s) 2>&1", program_path(), line);
	program_run((const char *[]){ "sh", "-c", all.text, NULL }, NULL, NULL, &ran);
	ck_assert_msg(ran.status == others[_i].status, "%s: %d for %d\n%s", line, ran.status,
	              others[_i].status, str_text(&ran.out));
	ck_assert_msg(strstr(str_text(&ran.out), others[_i].says), "%s: %s", line, ran.out.text);
	program_release(&ran);
	str_release(&all);
	free(line);
}
END_TEST

/*
 * What is wrong with an input: summarize says it, and so does the program that opens the summary.
 * $0, $1 as above.
 */
enum { N_PROFILES = 2 };         /* the first ones: answers warn, too */
static const struct { const char *path, *says, *warns; } damaged[] = {
	{ "$0/cut_trace.json", "1 problem(s) in the profile: This file stops in the middle: ",
	  ",\"This file stops in the middle: " },
	{ "$0/cut_step", "1 problem(s) in the profile: run_metadata_1.pb, offset 22",
	  "run_metadata_1.pb, offset 22" },
	{ "$0/cut_space.pb", ": This file stops in the middle: 1061 events read (byte 0: ", NULL },
	{ "$0/cut_record", "problem(s) in the dump: tfdbg_events.", NULL },
	{ "$1/v2/remote", "problem(s) in the dump: tfdbg_events.", NULL },
};

START_TEST(a_summary_keeps_the_damage)
{
	char *path = filled(damaged[_i].path);
	struct str summary = {0};
	struct program_run ran;

	str_fmt(&summary, "%s/summary", scratch);
	program_run((const char *[]){ program_path(), "summarize", path, "-o", summary.text,
	                              NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_msg(strstr(str_text(&ran.err), damaged[_i].says), "%s: %s", path, ran.err.text);
	program_release(&ran);
	program_run((const char *[]){ program_path(), "-c", "overview", summary.text, NULL }, NULL,
	            NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.err), damaged[_i].says), "%s, opened: %s", path,
	              ran.err.text);
	program_release(&ran);
	if (_i < N_PROFILES) {
		program_run((const char *[]){ program_path(), "--format=json", "-c", "steps",
		                              summary.text, NULL }, NULL, NULL, &ran);
		ck_assert_msg(strstr(str_text(&ran.out), damaged[_i].warns), "%s: %s", path,
		              ran.out.text);
		program_release(&ran);
	}
	str_release(&summary);
	free(path);
}
END_TEST

SUITE_MAIN("exit_status",
	tcase_add_loop_test(t, other_statuses, 0, ROWS(others));
	tcase_add_loop_test(t, a_summary_keeps_the_damage, 0, ROWS(damaged));
	tcase_add_loop_test(t, a_run_that_cannot_be_read, 0, ROWS(gone));
	tcase_add_unchecked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, it_means_one_thing, 0, ROWS(lines));
)
