/*
 * What is said about recordings of arrays: their own words, not those of a dump of TensorFlow; no
 * time where none is known; and the program's own number of a step behind that of the run.
 */
#include <string.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/suite.h"

/*
 * "$0/late"    a recording whose first step is clean
 * "$0/more"    arrays of two kinds, and a file that can't be read
 * "$0/sum"     a summary
 * "$0/packed"  an archive of a recording with its directory
 * "$0/grown"   an array that grows from 1 to 100, 10000 and Inf
 */
#define MADE \
	"cp -r testdata/recorders/numpy \"$0/late\"; rm \"$0\"/late/step_1/layer/log*; " \
	"\"$1\" summarize testdata/recorders/pytorch -o \"$0/sum\"; " \
	"mkdir \"$0/more\"; cd testdata; cp array_files/stored.npz arrays/le_f4.npy " \
	"array_files/bad_hole.safetensors \"$0/more\"; " \
	"tar cf \"$0/packed\" -C recorders pytorch; " \
	"npy() { mkdir -p \"$0/grown/step_$1\"; " \
	"printf '\\223NUMPY\\001\\000\\166\\000%-117s\\n%b' \"$HEAD\" \"$2\" " \
	">\"$0/grown/step_$1/w.npy\"; }; " \
	"HEAD=\"{'descr': '<f4', 'fortran_order': False, 'shape': (), }\"; " \
	"npy 5 '\\000\\000\\0200\\077'; npy 7 '\\000\\000\\0310\\102'; " \
	"npy 9 '\\000\\0100\\034\\106'; npy 11 '\\000\\000\\0200\\0177'"

static char *dir;

static void make_all(void)
{
	struct program_run ran;

	make_home();
	dir = scratch_new();
	program_run((const char *[]){ "sh", "-ec", MADE, dir, program_path(), NULL }, NULL, NULL,
	            &ran);
	ck_assert_msg(ran.status == 0, "%s", str_text(&ran.err));
	program_release(&ran);
}

static void remove_all(void)
{
	scratch_remove(dir);
	remove_home();
}

#define TORCH "testdata/recorders/pytorch"
#define JAX "testdata/recorders/jax"
#define NUMPY "testdata/recorders/numpy"
#define SESSION "testdata/recorders/session"

/* A path without a slash is in the scratch directory. What is not there may not be there: */
static const struct { const char *path, *format, *command, *has, *lacks; } answers[] = {
	/* What it is, before and after a step is open, and as a summary. */
	{ TORCH, "text", "overview", "Arrays of 2 runs\n  36 tensors, 1 device, 864\n", "tfdbg" },
	{ TORCH, "text", "run;overview", "Arrays of 2 runs\n", "tfdbg" },
	{ "sum", "text", "overview", "Arrays of 2 runs\n", "tfdbg" },
	{ "testdata/msprobe/tensor", "text", "overview", "Arrays of 2 runs\n", "tfdbg" },
	{ "testdata/checkpoint/tf2", "text", "overview", "Arrays of 2 runs\n", "tfdbg" },
	{ TORCH, "json", "overview", "\"kind\":\"arrays\"", NULL },
	{ "sum", "json", "overview", "\"kind\":\"arrays\"", NULL },
	{ "testdata/checkpoint/tf2", "json", "overview", "\"kind\":\"arrays\"", NULL },
	{ "testdata/train20", "json", "overview", "\"kind\":\"v1\"", NULL },
	{ TORCH, "text", "overview",
	  "Next      origins   run -f has_inf_or_nan   runs   lt\n", NULL },
	/* Times and kinds of files: only where they tell something. */
	{ TORCH, "text", "run;lt", "\nSize (B) Dtype    Shape  Tensor name\n", "t (ms)" },
	{ TORCH, "text", "run;lt --time_unit s", "\nSize (B) Dtype    Shape  Tensor name\n",
	  "t (s)" },
	{ TORCH, "text", "run;lt", "\n48       float32  (4, 3) fc1.weight\n", "Op type" },
	{ TORCH, "text", "run;lt -f has_inf_or_nan", "\nSize (B) Dtype    Shape  Tensor name\n",
	  NULL },
	{ TORCH, "json", "run;lt",
	  "\"time_us\":1000,\"size_bytes\":16,\"op\":\"safetensors\",", NULL },
	{ TORCH, "csv", "run;lt", "fc1.bias,,0,1000,16,safetensors,", NULL },
	{ "sum", "text", "run;lt", "\nSize (B) Dtype    Shape  Tensor name\n", "t (ms)" },
	{ NUMPY, "text", "run;lt", "\nt (ms)   Size (B) Dtype   Shape  Tensor name\n", "Op type" },
	{ "more", "text", "lt", "\nSize (B) Dtype   Shape  Op type Tensor name\n", "t (ms)" },
	{ "testdata/linear", "text", "lt", "\nt (ms)   Size (B) Op type", NULL },
	{ TORCH, "text", "runs", "  #   step tensors  bytes status   nan/inf\n", "fetches" },
	/* Words. */
	{ TORCH, "text", "run;ls", "that created tensors in this run\n", "nodes in this run" },
	{ TORCH, "text", "run;ls", "\nFile(s) outside PyTorch Python library:\n", "TensorFlow" },
	{ TORCH, "text", "run;ls", "\nPyTorch Python library file(s):\n", "TensorFlow" },
	{ "packed", "text", "run;ls", "\nPyTorch Python library file(s):\n", "ERROR" },
	{ "packed", "text", "run;lt", " fc1.weight\n", "pytorch/" },
	{ JAX, "text", "run;ls", "\nFile(s) outside JAX Python library:\n", "TensorFlow" },
	{ NUMPY, "text", "run;ls", "\nFile(s) outside NumPy Python library:\n", "TensorFlow" },
	{ "testdata/msprobe/tensor", "text", "run;ls", "\nFile(s) outside Python library:\n",
	  "TensorFlow" },
	{ TORCH, "text", "run_info", "\nRun #1 (step 1):\n", "Session.run" },
	{ TORCH, "text", "run_info", "    Go to this run and list its tensors\n", "Fetch" },
	{ TORCH, "text", "run --last;diff", "\nstep_3 against step_1: 18 tensor(s)", NULL },
	{ TORCH, "text", "run --last;diff fc1", "\nTensor \"fc1\", step_3 against step_1: ", NULL },
	{ "sum", "text", "run --last;diff", "\nstep_3 against step_1: 18 tensor(s)", NULL },
	{ TORCH, "text", "run;explain fc1", "\nelements fc1\n", "DebugIdentity" },
	{ TORCH, "text", "doctor", " doubtful of 2 files, 36 tensors, 2 runs\n", NULL },
	{ NUMPY, "text", "doctor", " doubtful of 6 files, 6 tensors, 2 runs\n", NULL },
	{ "sum", "text", "doctor", " 0 doubtful of 36 tensors, 2 runs\n", NULL },
	{ "sum", "json", "doctor", "\"files\":null,", NULL },
	{ "more", "text", "doctor", "1 damaged, 0 lost, 0 doubtful of 3 files, 5 tensors,", NULL },
	{ "sum", "text", "run;explain fc1", "No place in a file is known of \"fc1\".", NULL },
	{ "sum", "text", "run;explain fc1 -e 0,0", "ERROR: ", NULL },
	{ TORCH, "text", "version", "tensordbg version: ", "TensorFlow" },
	{ TORCH, "text", "run -p", "No step statistics here: these are arrays.\n", "TensorFlow" },
	/* The program's own number of a run. */
	{ "late", "text", "origins", " tensors bad, first in run 2 (step 3)\n#1 layer/log", NULL },
	{ "late", "text", "origins", "layer/log#2:0 [run 2]  ", "[run 2 (" },
	{ "late", "text", "overview", " bad, first in run 2 (step 3)\n  #1 layer/log", NULL },
	{ "late", "json", "origins", "\"first_bad_run\":2,\"first_bad_step\":3,", NULL },
	{ "late", "json", "origins", "\"run\":2,\"step\":3,\"runs\":[2]", NULL },
	{ "late", "json", "overview", "\"first_bad_run\":2,\"first_bad_step\":3,", NULL },
	{ "late", "json", "run -f has_inf_or_nan",
	  "\"from\":0,\"to\":2,\"step\":3,\"moved\":true", NULL },
	{ "late", "json", "run -f has_inf_or_nan", "\"hit\":{\"run\":2,\"step\":3,", NULL },
	{ "late", "json", "run -b", "", "\"step\":3" },
	{ JAX, "text", "run -f has_inf_or_nan",
	  " in runs #1 (step 1)-#2 (step 2) (2 runs, 6 tensors, 0 unreadable).", NULL },
	{ JAX, "text", "run;run -f has_inf_or_nan", "in run #2 (step 2) (1 run, ", NULL },
	{ NUMPY, "text", "run -t 5", "Only 2 more runs; \"run --last\" goes to #2 (step 3).",
	  NULL },
	{ "grown", "text", "overview",
	  "\nDrift     w grew 100 times a run from run 1 (step 5) to 3 (step 9), then bad\n",
	  NULL },
	{ "grown", "text", "drift",
	  "w grew 100 times a run from run 1 (step 5); first bad in run 4 (step 11)\n", NULL },
	{ SESSION, "text", "origins", " bad, first in run 1 (step 2)\n#1 loss:0 [run 1]  ", NULL },
	{ SESSION, "text", "overview", " bad, first in run 1 (step 2)\n  #1 loss:0 [run 1]  ",
	  NULL },
	{ SESSION, "json", "origins", "\"first_bad_run\":1,\"first_bad_step\":2,", NULL },
	{ SESSION, "json", "origins", "\"run\":1,\"step\":2,\"runs\":[1,2]", NULL },
	{ SESSION, "json", "run -b", "", "\"step\":" },
	{ SESSION, "text", "run --last;diff", "", "(step" },
	{ "testdata/train20", "text", "origins", ", first in run 2\n", NULL },
	{ "testdata/train20", "json", "origins", "\"first_bad_run\":2,\"growth\"", "step\":" },
	{ "testdata/train20", "json", "run", "\"to\":1,\"moved\":true", "step\":" },
	/* A number at the end of a name that stands alone is no step. */
	{ "testdata/arrays", "text", "origins", ", first in run 1\n", "step" },
	{ "testdata/arrays", "json", "runs", "\"step\":null", NULL },
};

START_TEST(answers_have_words_of_their_own)
{
	const char *argv[12] = { program_path(), "--keep-going", "--no-cache" }, *path;
	struct str format = {0}, made = {0}, commands = {0};
	struct program_run ran;
	int n = 4;

	str_fmt(&format, "--format=%s", answers[_i].format);
	argv[3] = format.text;
	str_puts(&commands, answers[_i].command);
	for (char *at = commands.text, *end = at; end; at = end + 1) {
		end = strchr(at, ';');
		if (end)
			*end = '\0';
		argv[n++] = "-c";
		argv[n++] = at;
	}
	str_fmt(&made, "%s/%s", dir, answers[_i].path);
	path = strchr(answers[_i].path, '/') ? answers[_i].path : made.text;
	argv[n] = path;
	program_run(argv, NULL, NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), answers[_i].has), "no %s in\n%s", answers[_i].has,
	              str_text(&ran.out));
	ck_assert_msg(!answers[_i].lacks || !strstr(str_text(&ran.out), answers[_i].lacks),
	              "%s in\n%s", answers[_i].lacks, str_text(&ran.out));
	program_release(&ran);
	str_release(&format);
	str_release(&made);
	str_release(&commands);
}
END_TEST

static const struct session sessions[] = {
	{ "the title has the step behind the run", 24, 120, "--screen=modern recorders/numpy",
	  { { "", 0, "first in run 1 (step 1)" }, { "\r", 0, "run 1 (step 1) of 2" },
	    { ":run\r", 0, "run 2 (step 3) of 2" } } },
	{ "the title has the global step", 24, 120, "--screen=modern recorders/session",
	  { { "", 0, "first in run 1 (step 2)" }, { "\r", 0, "run 1 (step 2) of 2" } } },
	{ "a title of tfdbg too", 24, 120, "--screen=tfdbg recorders/pytorch",
	  { { "", ANYWHERE, "run-start: run #1 (step 1)" },
	    { "run\r", ANYWHERE, "run-end: run #1 (step 1)" } } },
	{ "and no time that is none", 24, 120, "--screen=modern recorders/pytorch",
	  { { "\r", 0, "run 1 (step 1) of 2  18 tensors  1 device" },
	    { "", GONE, "17.00ms" } } },
};

START_TEST(titles)
{
	play_session(&sessions[_i]);
}
END_TEST

SUITE_MAIN("recordings",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_all, remove_all);
	tcase_add_loop_test(t, answers_have_words_of_their_own, 0, ROWS(answers));
	tcase_add_loop_test(t, titles, 0, ROWS(sessions));)
