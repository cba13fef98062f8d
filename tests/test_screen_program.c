/* Recorded programs on the screen: steps above, what the step computed below, from step to step. */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/shell.h"
#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/program_files.h"

static const struct session sessions[] = {
	{ "the first screen", 24, 80, "v2/mode_CONCISE_HEALTH", {
		{ "", 0, "--- tensordbg @ v2/mode_CONCISE_HEALTH ---" },
		{ "", 1, "| <-- --> | run_info" },
		{ "", 2, "46 executions. (mode CONCISE_HEALTH)" },
		{ "", 4, "  #  t (ms)  Kind      Op type                     Out  Health" },
		{ "", 5, "  0    55.6  op        VarHandleOp                   1  ?" },
		{ "", 10, "--- run_info ---" },
		{ "", ANYWHERE, "executions   46, 5 of them functions" },
		{ "layout\r", ANYWHERE, "INFO: Layout: runs (single, " },
		{ "layout single\r", GONE, "46 executions." },
		{ "layout runs\r", 2, "46 executions." } } },
	{ "where there is no room for two panes", 10, 40, "v2/mode_CONCISE_HEALTH", {
		{ "", 1, "| <-- --> | lx" },
		{ "run\r", 1, "| <-- --> | lt" },
		{ "", 2, "57 dumped tensor(s) of step #7 " } } },
	{ "a wide one", 50, 200, "v2/mode_CONCISE_HEALTH", {
		{ "run --to 31\r", 0, ": step #31 __inference_train_step_232 ---" },
		{ "", ANYWHERE,
		  "[0.345]  0        16  Placeholder     gradients/mul_1_grad/Mul/Log_1:0" },
		{ "", ANYWHERE, "Log_1:0                                  -inf x6" } } },
	{ "steps are opened from their list", 24, 80, "v2/mode_CONCISE_HEALTH", {
		{ "", ANYWHERE, "flagged " }, { "<Esc>", ANYWHERE, "h keys" },
		{ "w10j", ANYWHERE, "row 8/46" },
		{ "<Enter>", 0, ": step #7 __inference_train_step_232" },
		{ "", ANYWHERE, "> 7   918.7  function  __inference_train_step_232    3  ?" },
		{ "", ANYWHERE,
		  "[0.000]   0        12  ReadVariableOp  MatMul/ReadVariable...  ok" },
		{ "", 10, "--- lt ---" } } },
	{ "from step to step", 24, 80, "v2/mode_CONCISE_HEALTH", {
		{ "", ANYWHERE, "flagged " }, { "<Esc>", ANYWHERE, "h keys" },
		{ "]s", 0, ": step #0 VarHandleOp" },
		{ "]s", 0, ": step #1 AssignVariableOp" }, { "", ANYWHERE, "> 1 " },
		{ "4]s", 0, ": step #5 AssignVariableOp" }, { "", ANYWHERE, "> 5 " },
		{ "2[s", 0, ": step #3 " }, { "", ANYWHERE, "> 3 " }, { "", GONE, "> 5 " },
		{ "]r", 0, ": step #7 __inference_train_step_232" },
		{ "2]r", 0, ": step #23 __inference_train_step_232" },
		{ "[r", 0, ": step #15 __inference_train_step_232" },
		{ "]", 22, "" },
		{ "s", 0, ": step #16 Square" },
		{ "", ANYWHERE, "Enter open  ]s step  ]r function step" } } },
	{ "the current step in a filtered list", 24, 80, "v2/mode_CONCISE_HEALTH", {
		{ "layout single\r", GONE, "--- run_info" }, { "run --to 39\r", 0, ": step #39 " },
		{ "lx -f has_nan\r", ANYWHERE, "12 of 46 executions match." },
		{ "", ANYWHERE, ">39 " }, { "run -n\r", 0, ": step #40 " },
		{ "lx -t __inf\r", ANYWHERE, "5 of 46 " }, { "", GONE, ">39 " },
		{ "prev\r", 0, ": step #40 " }, { "prev\r", ANYWHERE, ">39 " } } },
	{ "screens remember their step", 24, 80, "v2/mode_CONCISE_HEALTH", {
		{ "run --to 31\r", 0, ": step #31 " },
		{ "lt -n Log\r", ANYWHERE, "2 of 57 dumped tensor(s)" },
		{ "run -n\r", 0, ": step #32 Square" }, { "", ANYWHERE, ">32 " },
		{ "prev\r", 1, "lt -n Log" }, { "", 0, ": step #31 " }, { "", ANYWHERE, ">31 " },
		{ "lt -n MatMul\r", ANYWHERE, "of 57 dumped tensor(s) of step #31 " },
		{ "run -n\r", 0, ": step #32 " },
		{ "back -n\r", 1, "| lt -n MatMul" }, { "", 0, ": step #31 " },
		{ "<Esc>", ANYWHERE, " row " },
		{ "<Backspace>", 1, "lt" }, { "", ANYWHERE, ">32 " } } },
	{ "rows with NaN or Inf are found", 24, 80, "v2/mode_CONCISE_HEALTH", {
		{ "", ANYWHERE, "flagged " }, { "<Esc>", ANYWHERE, "h keys" },
		{ "w]n", ANYWHERE, "row 32/46" }, { "]n", ANYWHERE, "row 33/46" },
		{ "6]n", ANYWHERE, "row 41/46" }, { "[n", ANYWHERE, "row 40/46" },
		{ "<Enter>", 0, ": step #39 " },
		{ ":run --to 31\r", 0, ": step #31 " },
		{ "<Esc>", ANYWHERE, " row " }, { "w]n", ANYWHERE, "row 7/57" },
		{ "]n", ANYWHERE, "row 8/57" },
		{ ":la\r", ANYWHERE, "81 of 338 dumped tensor(s) with NaN or Inf" },
		{ "<Esc>", ANYWHERE, "row 1/81" }, { "3]n", ANYWHERE, "row 4/81" },
		{ ":run --to 7\r", 0, ": step #7 " },
		{ "<Esc>", ANYWHERE, "row 1/57" }, { "]n", ANYWHERE, "No NaN or Inf here" } } },
	{ "names are completed", 24, 80, "v2/mode_CONCISE_HEALTH", {
		{ "lis<Tab>", ANYWHERE, "list_alerts list_executions list_graphs" },
		{ "<Ctrl-U>run --to 3<Tab>", ANYWHERE, "3 30 31 32 33 34 35 36 37 38 39" },
		{ "<Ctrl-U>run --to 31\r", 0, ": step #31 " },
		{ "pt Lo<Tab>", 22, "tfdbg> pt Log" }, { "", ANYWHERE, "Log:0 Log_1:0" },
		{ "<Ctrl-U>ni Square#<Tab>", ANYWHERE, "Square#16 Square#24" },
		{ "<Ctrl-U>lt -f has_i<Tab>", 22, "tfdbg> lt -f has_inf" },
		{ "<Ctrl-U>lt -g cross<Tab>", 22, "tfdbg> lt -g cross_entropy" },
		{ "<Ctrl-U>run --to 32\r", 0, ": step #32 " },
		{ "pt <Tab>", 22, "tfdbg> pt Square#32:0" }, { "<Ctrl-U>", GONE, "pt Square" } } },
	{ "occurrences of a tensor in a loop", 24, 80, "v2/while_overflow", {
		{ "run\r", ANYWHERE,
		  "[0.096]  0  [.]......!             2  -         while/Plac..." },
		{ "<Esc>", ANYWHERE, "row 1/42" }, { "2j", ANYWHERE, "row 3/42" },
		{ "", ANYWHERE, "[0.113]  0  [.].....!!" },
		{ "]", 21, "] i next occurrence of the tensor" }, { "i", ANYWHERE, "row 8/42" },
		{ "5]i", ANYWHERE, "row 33/42" },
		{ "", ANYWHERE, "6  ......[!]!             2  -         while/sq:0     +inf x1" },
		{ "2]i", ANYWHERE, "No more: it occurs 8 times in this step" },
		{ "2[i", ANYWHERE, "row 23/42" }, { "42g", ANYWHERE, "row 42/42" },
		{ "[i", ANYWHERE, "An output of a step occurs once" },
		{ ":lt -n while/sq -f has_inf\r", ANYWHERE, "2 of 42 dumped" },
		{ "<Esc>", ANYWHERE, "row 1/2" }, { "]i", ANYWHERE, "row 2/2" },
		{ "2[i", ANYWHERE, "That occurrence is not in this list" } } },
	{ "occurrences of a value", 24, 80, "v2/while_overflow", {
		{ "run\r", ANYWHERE, "[0.096] " },
		{ "pt while/sq:0 -n 2\r", ANYWHERE, "Occurrence 3 of 8 in step #0: ..[.]...!!" },
		{ "<Esc>", ANYWHERE, "]i occurrence" },
		{ "]i", ANYWHERE, "Occurrence 4 of 8 in step #0: ...[.]..!!" },
		{ "3]i", ANYWHERE, "Occurrence 7 of 8 in step #0: ......[!]!" },
		{ "", 1, "| print_tensor while/sq:0 --trace " },
		{ "2]i", ANYWHERE, "No more: it occurs 8 times in this step" },
		{ "2[i", ANYWHERE, "Occurrence 5 of 8 in step #0: ....[.].!!" },
		{ "<Backspace>", 1, "(-1) lt" } } },
	{ "the detail follows the row", 24, 160, "v2/mode_CONCISE_HEALTH", {
		{ "run --to 31\r", 0, ": step #31 " }, { "<Esc>", ANYWHERE, "row 1/57" },
		{ "6j", ANYWHERE, "Tensor \"Log:0\"" },
		{ "j", ANYWHERE, "Tensor \"mul:0\" (step #31, graph cross_entropy < train_step):" },
		{ "o", ANYWHERE, "Node mul" } } },
	{ "frames of libraries are one line", 50, 100, "v2/mode_CONCISE_HEALTH", {
		{ "layout single\r", GONE, "46 executions." },
		{ "run --to 31\r", 0, ": step #31 " },
		{ "ni -t Log\r", ANYWHERE, "0: /tmp/demo/v2/train.py" },
		{ "", ANYWHERE, "1-10: 10 library frames" },
		{ "", ANYWHERE, "Text:     \"return -tf.reduce_mean(y * tf.math.log(p)" },
		{ "<Esc>", ANYWHERE, "row 1/" }, { "/10 library\r", ANYWHERE, "match 1 of 2" },
		{ "<Tab>", ANYWHERE, "row 21/44" },
		{ "<Enter>", ANYWHERE, "1: /tmp/demo/v2/venv/lib/" },
		{ "", GONE, "library frames" },
		{ "<Backspace>", ANYWHERE, "1-10: 10 library" },
		{ ":ni -t Log | head -60\r", GONE, "library frames" } } },
	{ "damage is told", 24, 80, "v2/while_overflow", {
		{ "", ANYWHERE, "3 problem(s) in the dump: tfdbg_events" },
		{ "", ANYWHERE, "flagged " }, { "<Esc>", ANYWHERE, "h keys" },
		{ "W", ANYWHERE, ".graphs: there is no such file (missing)" },
		{ "", ANYWHERE, "Named but not recorded: 3 graphs, 5 ops, 13 stack frames" },
		{ "", ANYWHERE, "  op while/sq of graph c86867c6, named in tfdbg_events." },
		{ "q", GONE, "there is no such file" } } },
	{ "of several programs", 24, 100, "v2/workers", {
		{ "", ANYWHERE, "executions" },
		{ "runs 1\r", 0, ": run 1 of 2" }, { "runs 2\r", 0, ": run 2 of 2" },
		{ "run\r", 0, ": run 2 of 2: step #" }, { "prev\r", 0, ": run 2 of 2 ---" },
		{ "prev\r", 0, ": run 1 of 2 ---" } } },
};

START_TEST(on_the_screen)
{
	play_session(&sessions[_i]);
}
END_TEST

/* A loop that runs four times; its values are stored. */
static void put_loop(void)
{
	static const double values[][4] = {
		{ 1, 0, -1, 0 }, { 0, -10, 2, 0 }, { 100, 0, 0, 1 }, { 5, INFINITY, 0, 0 },
	};
	struct str tensor = {0};

	put_metadata(100, "run");
	put_graph("g", "f", "");
	put_graph("b", "while_body_1", "g");
	put_op("b", "Mul", "x", "");
	for (int i = 0; i < ROWS(values); i++) {
		put_doubles(&tensor, values[i], 4);
		put_trace_of(101 + i, "b", "x", 0, "CPU", FULL, &tensor);
	}
	put_step(110, "__inference_f_1", "g", 0, 0);
	write_set("1.host");
}

/* Grids and pictures go from one iteration to the next, as values do. */
START_TEST(iterations_of_a_loop)
{
	struct terminal *t;

	make_scratch();
	put_loop();
	t = start_in(scratch, (const char *[]){ "--ascii", ".", NULL }, NULL, 24, 80);
	PLAY(t, { "", ANYWHERE, "executions" }, { "run\r", ANYWHERE, "[0.000]" },
	     { "pt x:0 -n 1\r", ANYWHERE, "Occurrence 2 of 4 in step #0: .[.].!" },
	     { "", ANYWHERE, "Largest element: .[+]#!  1 to 100" },
	     { "<Esc>", ANYWHERE, "]i occurrence" }, { "]i", ANYWHERE, "Largest element: .+[#]!" },
	     { ":grid x:0 -n 0 -f full\r", ANYWHERE, "Occurrence 1 of 4 in step #0: [.]..!" },
	     { "", ANYWHERE, "Largest element: [.]+#!" }, { "<Esc>", ANYWHERE, "]i occurrence" },
	     { "2]i", ANYWHERE, "Occurrence 3 of 4 in step #0: ..[.]!" },
	     { "", ANYWHERE, "max 100.0  nan 0" }, { "", 1, "grid x:0 --form full --trace 2" },
	     { "p", ANYWHERE, "picture x:0 --trace 2" },
	     { "[i", ANYWHERE, "Occurrence 2 of 4 in step #0: .[.].!" },
	     { "", ANYWHERE, "elements 0-3" }, { "", ANYWHERE, "--- picture x:0 --trace 1 ---" },
	     { "3]i", ANYWHERE, "No more: it occurs 4 times in this step" });
	leave_by_key(t);
	remove_scratch();
}
END_TEST

/* What shows while the record is read: the steps that are there by then. */
struct watching {
	struct progress progress;
	struct shell *shell;
	struct str text;         /* of the last look */
};

static void look(struct progress *progress)
{
	struct watching *w = progress->owner;
	struct doc *doc = shell_so_far(w->shell);
	struct line line = {0};

	str_reset(&w->text);
	for (uint64_t row = 0; doc && row < doc_rows(doc) && doc_line(doc, row, 80, &line); row++)
		str_fmt(&w->text, "%s\n", str_text(&line.text));
	line_release(&line);
	doc_free(doc);
}

START_TEST(steps_show_while_they_are_read)
{
	struct watching w = { .progress = { .tick = look }, .shell = shell_new() };
	struct err err = {0};

	w.progress.owner = &w;
	ck_assert(shell_open(w.shell, "testdata/v2/mode_CONCISE_HEALTH", &err));
	ck_assert(shell_load(w.shell, &w.progress, &err));
	ck_assert_msg(strstr(str_text(&w.text), "46 executions so far...\n"), "%s", w.text.text);
	ck_assert(strstr(w.text.text, "\n    7     918.7  function  __inference_train_step_"));
	ck_assert(!shell_so_far(w.shell));
	ck_assert_str_eq(shell_so_far_command(w.shell), "lx");
	str_release(&w.text);
	shell_free(w.shell);
}
END_TEST

/* Stops what looks at tensors, once. */
static void stop(struct progress *progress)
{
	atomic_store(&progress->cancel, true);
	progress->tick = NULL;
}

static void put_answer(struct shell *shell, const char *command, struct progress *progress,
                       struct str *out)
{
	struct line line = {0};
	struct answer answer;

	shell_run(shell, command, 80, progress, &answer);
	ck_assert(!answer.failed);
	str_reset(out);
	for (uint64_t row = 0; row < doc_rows(answer.doc); row++) {
		line_reset(&line);
		doc_line(answer.doc, row, 80, &line);
		str_fmt(out, "%s\n", str_text(&line.text));
	}
	line_release(&line);
	answer_release(&answer);
}

/* On a screen a list shows with what is known so far; asked again, it goes on. */
START_TEST(lists_show_before_all_is_known)
{
	struct progress stopped = { .tick = stop };
	struct shell *shell = shell_new();
	struct err err = {0};
	struct str text = {0};

	shell_on_screen(shell);
	ck_assert(shell_open(shell, "testdata/v2/tf2.1.3_FULL_TENSOR", &err));
	ck_assert(shell_load(shell, NULL, &err));
	put_answer(shell, "lx", &stopped, &text);
	ck_assert_msg(strstr(text.text, "\n55 executions") || !strncmp(text.text, "55 exec", 7),
	              "%s", text.text);
	ck_assert_msg(strstr(text.text, "  1  ~  "), "%s", text.text);
	ck_assert_msg(strstr(text.text, " tensors were not looked at yet: "), "%s", text.text);
	put_answer(shell, "la", &(struct progress){ .tick = stop }, &text);
	ck_assert_msg(strstr(text.text, " tensors were not looked at yet: "), "%s", text.text);
	put_answer(shell, "lx", NULL, &text);
	ck_assert_msg(!strstr(text.text, "~"), "%s", text.text);
	ck_assert_msg(!strstr(text.text, " not looked at "), "%s", text.text);
	str_release(&text);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("screen_program",
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_test(t, iterations_of_a_loop);
	tcase_add_test(t, lists_show_before_all_is_known);
	tcase_add_test(t, steps_show_while_they_are_read);
	tcase_add_loop_test(t, on_the_screen, 0, ROWS(sessions));
)
