/* The program on a screen: keys, mouse, and what they show. */
#include "tests/on_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/str.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

/* What is typed, and what the screen shows. */
static const struct session sessions[] = {
	/* What a word may have meant is told beside the answer, which stays as it is. */
	{ "suggestions are toasts", 24, 80, NULL, {
		{ "ltt\r", 2, "ERROR: Invalid command prefix \"ltt\"" },
		{ "", 20, "ltt: did you mean lt?" },
		{ "lt > no/such/place\r", 20,
		  "ERROR: Failed to write output to no/such/place: No such file or directory" },
	} },
	{ "command screens and history", 24, 80, NULL, {
		{ "lt -f has_inf_or_nan\r", 3, "passing filter \"has_inf_or_nan\"" },
		{ "nosuch\r", 2, "ERROR: Invalid command prefix \"nosuch\"" },
		{ "", 21,
		  "------------------------------------------------------------------ Mouse: OFF "
		  "--" },
		{ "prev\r", 1, "| <-- --> | (-1) lt -f has_inf_or_nan" },
		{ "prev\r", 1, "| <-- --> | (-2) lt" },
		{ "prev\r", 20, "At the OLDEST in navigation history!" },
		{ "<Up>", 22, "tfdbg> nosuch" }, { "<Up>", 22, "tfdbg> lt -f has_inf_or_nan" },
		{ "<Down>", 22, "tfdbg> nosuch" }, { "\x03", CURSOR, "22,7" },
		{ "lt<Up>", 22, "tfdbg> lt -f has_inf_or_nan" }, { "<Down>", CURSOR, "22,9" },
		{ "\x03", CURSOR, "22,7" },
	} },
	{ "paging", 24, 80, NULL, {
		{ "", 6, "[0.000] " }, { "<PgDn>", 21, "Scroll (PgDn/PgUp)" },
		{ "<End>", 21, "--- Scroll (PgUp): 100.00% " },
		{ "", 3, "stats:0" }, /* the last row, on top */
		{ "", 4, "" }, { "<PgUp>", 21, "(PgDn/PgUp)" },
		{ "<PgDn>", 20, "stats:0" }, /* at the bottom */
		{ "", 21, "(PgUp): 100.00%" }, { "<Home>", 21, "--- Scroll (PgDn): 0.00% " },
		{ "\033[1;2B\033[1;2B\033[1;2B", 3, "[0.000] " }, /* Shift-Down */
	} },
	{ "view focus and links", 24, 80, NULL, {
		{ "<Esc>", 21, "row 1/" }, { "", CURSOR, "6,0" }, /* the first row of data */
		{ "jj", 21, "row 2/301 " }, /* one takes two rows of the screen */
		{ "", CURSOR, "8,0" }, { "3k", 21, "row -/301 " },
		{ "\t", CURSOR, "5,0" }, /* the heading's links come first */
		{ "j\r", 1, "| <-- --> | pt " }, { "", 3, "Tensor \"" }, { "H", 1, "(-1) lt" },
		{ "#", 20, "Names of tensors have one form" },
		{ "%", 20, "No key \"%\" here. h shows the keys, : is the prompt." },
		{ "h", 3, "In tables" }, { "", ANYWHERE, "Everywhere" },
		{ "q", GONE, "Everywhere" }, { "q", 21, "Leave tensordbg? (y/n)" },
		{ "n", GONE, "Leave tensordbg" }, { ":", CURSOR, "22,7" },
	} },
	{ "the cursor comes back with its screen", 24, 80, NULL, {
		{ "<Esc>", 21, "row " }, { "5G", 21, "row 5/301 " }, { "\r", 1, "| <-- --> | pt " },
		{ "4GH", 21, "row 5/301 " }, { "L", 21, "row 4/" },
	} },
	{ "elements by index", 24, 80, NULL, {
		{ "@1\r", 20, "ERROR: tensor_metadata is not available in annotations." },
		{ "pt cross_entropy/Log:0\r", 3, "cross_entropy/Log:0:DebugIdentity" },
		{ "@\r", 20, "ERROR: Empty indices." },
		{ "@a,b\r", 20, "ERROR: invalid literal for int() with base 10: 'a'" },
		{ "@[0,1,2]\r", 20, "ERROR: Dimensions mismatch: requested: 3; actual: 2" },
		{ "@[0,99999999]\r", 20, "ERROR: Indices exceed tensor dimensions." },
		{ "@[-1,0]\r", 20, "ERROR: Indices contain negative value(s)." },
		{ "@[1, 0]\r", 21, " [1,0]-" },
	} },
	{ "rows are chopped and numbered", 24, 60, NULL, {
		{ "<Esc>", 21, "row 1/301" }, { "", 6, "hidden/weights/su" },
		{ "", 7, "mmaries/range/start:0" },
		{ "-", 21, "- S cut or wrap long rows  N row numbers" },
		{ "S", 6, "hidden/weights/s>" }, { "", 7, "[0.758]" },
		{ "<Right>", 6, "hidden/weights/summaries/range/start:0" }, { "0", 6, "[0.000]" },
		{ "-N", 6, "  1 [0.000]" }, { "-N-S", 7, "mmaries/range/start:0" },
	} },
	{ "filter as it is typed", 24, 80, NULL, {
		{ "<Esc>", 21, "row 1/301" }, { "&cross_entropy/Lo", 21, "--- 3 of 301 --" },
		{ "", 5, "t (ms)    Size (B)" }, { "", 6, "cross_entropy/Log:0" },
		{ "(", 21, "no pattern yet" },
		{ "<Esc>", 21, "row 1/301 - " }, /* all rows, and the view, come back */
		{ "", 6, "[0.000]" }, { "&Log:\r", 21, "row 1/1 of 301" },
		{ "&!cross", 21, "--- 0 of 301 --" }, { "\r", 21, "row -/0 of 301" },
		{ "&\r", 21, "row 1/1 of 301" }, { "<F4>\r", 21, "row 204/301 - " },
		{ ":&(\r", 20, "ERROR: Invalid regular expression: \"(\"" },
	} },
	/* Sizes as lt prints them: the list of the tensors without the head. */
	{ "tables are sorted", 24, 80, NULL, {
		{ "<Esc>", 21, "row 1/301" }, { ">>S", 5, "Size (B)▼Op type" }, { "", 6, "7.27k" },
		{ "S", 5, "Size (B)▲Op type" }, { "", 6, "188" }, { "<s", 5, "t (ms)▲" },
		{ "", 6, "[0.000]" }, { ":help\r", 1, "| help" }, { "<Esc>", 21, "row 1/" },
		{ "s", 20, "No key \"s\" here." },
	} },
	{ "ways to a row", 24, 80, NULL, {
		{ "<Esc>", 21, "row 1/301" }, { "7Gma17G", 21, "row 17/301" },
		{ "'a", 21, "row 7/301" }, { "''", 21, "row 17/301" },
		{ "'b", 20, "ERROR: Mark b is not set" }, { "g/Log:\r", 21, " - match 1 of 1 -" },
		{ "\r", 1, "| pt cross_entropy/Log:0" },
		{ "]", 21, "] n next NaN or Inf  d next difference" }, { "n", 21, "row 5/196" },
		{ "]n", 21, "row 8/196" }, { "[n", 21, "row 5/196" }, { "]e", 20, "No error here" },
		{ "'a", 1, "(-1) lt" }, /* its screen comes back */
		{ "", 21, "row 7/301" },
		{ "o", 1, "| ni -a -d -t logits/weights/summaries/range_2/start" },
		{ ":marks\r", 1, "| marks" }, { "", ANYWHERE, "1 mark(s):" },
		{ "", ANYWHERE,
		  "  a  logits/weights/summaries/range_2/start:0  row 7 of lt  (tfdbg" },
		{ ":messages\r", 1, "| messages" }, { "", ANYWHERE, "ERROR: Mark b is not set" },
	} },
	{ "pictures and details of nodes", 40, 100, NULL, {
		{ "li -r cross_entropy/Neg\r", 3, "Inputs to node" }, { "<Esc>", 37, "row " },
		{ "3Gp", ANYWHERE, "--- picture cross_entropy/Log:0 ---" },
		{ "pv", ANYWHERE, "--- pt cross_entropy/Log:0 ---" },
		{ "9G", ANYWHERE, "--- pt hidden2/Wx_plus_b/add:0 ---" },
		{ ":lo -c -r train/Adam/beta1\r", 3, "Recipients of node" },
		{ "<Esc>", 37, "row " },
		/* what has no output has no dump */
		{ "j", ANYWHERE, "--- ni -a -d -t train/Adam ---" },
		{ "<Esc>", GONE, "--- ni -a -d -t" }, { ":pt cross_entropy/Log:0\r", 3, "Tensor" },
		{ "<Esc>", 37, "row " }, { "v", ANYWHERE, "--- ni -a -d -t cross_entropy/Log ---" },
	} },
	/*
	 * In any list, rows for which the run's filter has a hit; what is not tested yet is tested.
	 */
	{ "bad rows are found", 24, 100, NULL, {
		{ "<Esc>", 21, "row 1/301" }, { "]n", 21, "row 204/301" }, /* cross_entropy/Log:0 */
		{ "2]n", 21, "row 209/301" }, { "[n", 21, "row 208/301" },
		{ "2[n", 20, "INFO: Search went on from the bottom" },
		{ ":li -r train/gradients/cross_entropy/mul_grad/Mul\r", 3, "Inputs to node" },
		{ "<Esc>", 21, "row " }, { "]n", 21, "row 10/" },
		{ ":lt -n hidden\r", 3, "dumped tensor(s)" }, { "<Esc>", 21, "row " },
		{ "]n", 20, "No NaN or Inf here" },
	} },
	/* Under tfdbg's words stands what to do; only on the screen. */
	{ "errors say what to do: no stacks", 24, 100, NULL, {
		{ "ls\r", ANYWHERE, "ValueError: Cannot" },
		{ "", ANYWHERE, "--stacks FILE names them, or lay stacks.json beside it." },
	} },
	{ "errors say what to do: no source file", 24, 100, "--stacks=linear.stacks.json linear", {
		{ "", 3, "dumped tensor(s):" },
		{ "ps nosuch.py\r", ANYWHERE, "OSError: Source path neither exists" },
		{ "", ANYWHERE, "If the file is elsewhere now: --source-map FROM=TO says where." },
	} },
	{ "lists of profiles have keys of their own", 24, 100, "profile/gpu_like/run_metadata.pb", {
		{ "", 2, "kernels: GPU kernels" }, { "lp\r", ANYWHERE, "Device 1 of 8" },
		{ "<Esc>", ANYWHERE, "h keys" }, { "u", 1, "| list_profile --time_unit ms" },
		{ "uu", GONE, "--time_unit" }, { "#", ANYWHERE, "Names of nodes have one form" },
	} },
	/*
	 * Each u shows the times of lt in the next unit; without one it is ms. The headings keep
	 * it.
	 */
	{ "times of tensors have units", 24, 100, NULL, {
		{ "<Esc>", 21, "row 1/301" }, { "u", 1, "| list_tensors --time_unit us" },
		{ "", 5, "t (us)   Size (B)" }, { "", 7, "[758]" }, { "u", 7, "[0.000758]" },
		{ "g2k\t\r", 1, "| list_tensors --time_unit s -s timestamp -r" },
		{ "u", 1, "| list_tensors --sort_by timestamp --reverse" },
		{ "", 5, "t (ms)    Size (B)" },
		{ "#", ANYWHERE, "Names of tensors have one form" },
	} },
	/* Enter never leaves the view; the status line names it only where it opens something. */
	{ "enter says when there is nothing", 24, 80, NULL, {
		{ "<Esc>", 21, "row 1/301" }, { "", 21, "row 1/301 - Enter open  / search" },
		{ "2k", 21, "row -/301 - / search" }, { "\r", 20, "Nothing to open on this row" },
		{ "j\r", 20, "Tab chooses a link of this row" },
		{ "\t", 21, "row -/301 - Enter open" }, { "j", 21, "row 1/301 - Enter open" },
		{ "<F1>", 21, "- Esc close -" },
	} },
	/*
	 * Esc goes to the view, and there drops the innermost: a pane, then a filter, then nothing.
	 */
	{ "escape drops the innermost", 24, 80, NULL, {
		{ "<Esc>", 21, "row 1/301" }, { "&Log\r", 21, "of 301" },
		{ "&cross\r", 21, "of 301" }, { "v", 13, "--- pt cross_entropy/Log:0 ---" },
		{ "i", CURSOR, "22,7" }, { "abc<Esc>", 21, "of 301" }, { "", 22, "tfdbg> abc" },
		{ "<Esc>", GONE, "--- pt cross_entropy/Log:0 ---" },
		{ "<Esc>", 20, "INFO: The last filter was removed." }, { "<Esc>", 21, "/301 - " },
		{ "<Esc>", 20, ": is the prompt, q leaves" }, { ":", CURSOR, "22,10" },
		/* taken without the colon */
		{ "\x03:lt -n cross_entropy/Log$\r", 1, "| lt -n cross_entropy/Log$" },
		{ "<Up>", 22, "tfdbg> lt -n" }, { "\x03", CURSOR, "22,7" },
	} },
	/* Row, screen, run, file and offset; the answer of explain is that of batch mode. */
	{ "rows are explained", 24, 100, NULL, {
		{ "<Esc>", 21, "row 1/301" }, { "2k=", 3, "Where am I" },
		{ "", 5, "Row     none of the 301" },
		{ "", 7, "Run     tfdbg offline @ mnist_nan" }, { "q2G=", 5, "Row     2 of 301" },
		{ "", 9, "elements: offset 101, 4 bytes of _tfdbg_device_,job" },
		{ "qe", 1, "| explain hidden/weights/summaries/Rank:0" },
		{ "", 3, "elements: offset 101, 4 bytes of" },
		{ ":pt -a cross_entropy/Log:0[3] -r [0,1]\r", 1,
		  "| pt -a cross_entropy/Log:0[3] -r [0,1]" },
		{ "<Esc>", 21, "row " },
		/* the row that begins with element 6 */
		{ "6Ge", 1, "| explain cross_entropy/Log:0[3] -e 6" },
		{ "", 3, "element: offset 231, 4 bytes of" }, { ":help lt\r", 1, "| help lt" },
		{ "<Esc>", 21, "row " },
		{ "e", ANYWHERE, "ERROR: This row is about no tensor and no node" },
	} },
	{ "source lines are found", 24, 80, "--stacks=linear.stacks.json linear", {
		{ "", 3, "dumped tensor(s):" }, { "ni linear/w\r", 3, "Node linear/w" },
		{ "<Esc>", 21, "row " }, { "O", 1, "| ps linear.py -b 15" },
	} },
	{ "unknown source lines are told", 24, 80, NULL, {
		{ "<Esc>", 21, "row 1/301" },
		{ "2GO", 20, "ERROR: It is not known which line made this node" },
	} },
	/* What the comparison with the graph finds comes after the first screen. */
	{ "validation is told", 24, 160, "acausal", {
		{ "", ANYWHERE, "1 problem(s) in the dump: _tfdbg_device_" },
		{ "<Esc>", 21, "row 1/" },
		{ "W", ANYWHERE,
		  "Causality violated in timing relations of debug dumps: linear/pred" },
	} },
	{ "typed answers show", 24, 80, NULL, {
		{ "lt -o csv -n cross_entropy/Log$\r", 2,
		  "tensor,debug_op,dump,time_us,size_bytes,op,device" },
		{ "", 3, "cross_entropy/Log:0,DebugIdentity,0," },
	} },
	{ "detail follows the row", 24, 80, NULL, {
		{ "<Esc>", 21, "row 1/301" },
		{ "v2G", 13, "--- pt hidden/weights/summaries/Rank:0 ----" },
		{ "", 14, "Tensor \"hidden/weights/summaries/Rank:0:DebugIdentity\":" },
		{ "", 1, "| <-- --> | lt" },
		{ "j", 13, "--- pt hidden/weights/summaries/range/delta:0 ---" },
		{ "}}", 15, "--- pt hidden/weights/summaries/range/delta:0 ---" },
		{ "{{w", CURSOR, "14,0" }, { "", 1, "| pt hidden/weights/summaries/range/delta:0" },
		{ "z", 3, "Tensor \"hidden" }, { "", 0, " [1/2] ---" },
		{ "zV", 3, "│Tensor \"hidden" },
		{ "<Resize(38x24)>", 3, "Tensor \"hidden" }, /* the list is hidden, not the focus */
		{ "<Resize(80x24)>", 3, "│Tensor \"hidden" }, { "q", GONE, "│" }, { "", 1, "| lt" },
	} },
	{ "panes have their own screens", 24, 80, NULL, {
		{ "split h\r", 11, "--- lt ---" },
		{ "focus 2\rhelp\r", 11, "--- help ---" }, /* help has no menu */
		{ "", 1, "| <-- --> | help" }, { "", 2, "301 dumped tensor(s):" },
		{ "prev\r", 11, "--- lt ---" }, { "resize +3\r", 8, "--- lt ---" },
		{ "layout\r", 20,
		  "INFO: Layout: list:30/lt (single, detail, side, runs, timeline)" },
		{ "layout sideways\r", 20, "ERROR: No layout \"sideways\"" },
		{ "close\r", GONE, "--- lt ---" },
		{ "close\r", 20, "ERROR: The last pane cannot be closed" },
		{ "layout side\r", ANYWHERE, "│" }, { "layout single\r", GONE, "│" },
		{ "split x\r", 20, "ERROR: Say split h" },
		{ "focus 3\r", 20, "ERROR: No pane 3; there are 1" },
	} },
	/* The detail pane that is left is a pane like others. */
	{ "detail pane is left alone", 24, 80, NULL, {
		{ "layout detail\r", 13, "---  ---" }, { "close\r", GONE, "dumped tensor(s)" },
		{ "help\r", 1, "| <-- --> | help" },
		{ "", ANYWHERE, "Names for command lines" },
		{ "split h\r", ANYWHERE, "--- help ---" },
	} },
	{ "no focus on a pane that is gone", 24, 80, "train20", {
		{ "", 22, "tfdbg>" },
		{ "run\rlayout timeline\rsplit h\rlt\rfocus 2\rlayout detail\rclose\rfocus "
		  "2\rfocus next\rlt\rsplit h\rfocus 1\r", 1, "| lt" },
		{ "", ANYWHERE, "--- lt ---" },
	} },
	/* A table of runs, or what stands in for it, keeps its rows; answers come below it. */
	{ "layouts open their panes", 24, 80, NULL, {
		{ "layout runs\r", 3, "dt (ms)" }, { "", 10, "--- lt ----" },
		{ "", 1, "| <-- --> | lt" }, { "focus 1\rhelp lt\r", ANYWHERE, "--- help lt ----" },
		{ "", ANYWHERE, "complete" },
		{ "<Resize(200x50)>layout runs\r", 1, "| <-- --> | help lt" },
		{ "", ANYWHERE, "│" },
		{ "layout\r", ANYWHERE,
		  "INFO: Layout: runs (single, detail, side, runs, timeline)" },
		{ "<Resize(80x24)>layout timeline\r", 11, "--- timeline ----" },
		{ "", 1, "| kernels" },
	} },
	/* Curses makes one event of a press and a release that are read together. */
	{ "clicks in a burst", 24, 80, NULL, {
		{ "<Esc>", 21, "row 1/301" }, { "M", 20, "INFO: Mouse mode: on" },
		{ "\033[<0;80;21M\033[<0;80;21m", 5, "[0.000]" }, { "", 21, "row 1/301" },
		/* wheel; it was out of sight */
		{ "\033[<65;5;8M\033[<65;5;8M\033[<64;5;8M", 21, "row 3/301" },
		{ "\033[<0;5;9M\033[<0;5;9m", 21, "row 5/301" }, { "g", 21, "row 1/301" },
		{ "\033[<0;3;6M\033[<0;3;6m", 1, "| list_tensors -s timestamp -r" }, /* a link */
	} },
	{ "settings of the screen", 24, 80, NULL, {
		{ "config set mouse_mode true\r", 21, " Mouse: ON --" },
		{ "config set mouse_mode false\r", 21, " Mouse: OFF --" },
		{ "config set page_keys line\r", 1, "| config set page_keys line" },
		{ "lt\r", 3, "301 dumped" }, { "<PgDn>", 4, "t (ms)" },
	} },
	{ "small screens give up parts", 24, 80, NULL, {
		{ "<Resize(40x10)>", 8, "tfdbg>" }, { "", 7, "--- Scroll (PgDn): 0.00% " },
		{ "<Resize(20x6)>", 5, "tfdbg>" }, { "", 1, "dumped" },
		{ "<Resize(10x3)>", 0, "terminal t" },
		{ "<Resize(80x24)>", 3, "dumped tensor(s):" },
	} },
	{ "vt100 works without colour", 24, 80, "TERM=vt100 mnist_nan", {
		{ "", 3, "dumped tensor(s):" },
		{ "<PgDn>", 21, "(PgDn/PgUp)" }, /* terminfo has no such key */
	} },
};

START_TEST(keys_and_what_they_show)
{
	play_session(&sessions[_i]);
}
END_TEST

/* The first screen and what is typed. */

START_TEST(first_screen_is_tfdbgs)
{
	struct terminal *t = mnist_started(24, 80);
	struct terminal_cell cell;

	PLAY(t, { "", 0, "--- tfdbg offline @ mnist_nan ---------" }, { "", 1, "| <-- --> | lt" },
	     { "", 2,
	       "| list_tensors | node_info | print_tensor | list_inputs | list_outputs | run_" },
	     { "", 5, "Size (B) Op type" },
	     { "", 21,
	       "--- Scroll (PgDn): 0.00% ----------------------------------------- Mouse: OFF --" },
	     { "", CURSOR, "22,7" });
	ck_assert_uint_eq(strlen(terminal_row(t, 2)), 77);
	cell = terminal_cell(t, 0, 0);
	ck_assert_int_eq(cell.fg, 0);
	ck_assert_int_eq(cell.bg, 7);
	ck_assert(terminal_cell(t, 22, 0).bold);
	ck_assert(terminal_cell(t, 2, 18).underline == false);   /* node_info: there is no node */
	ck_assert_str_eq(terminal_cell(t, 3, 78).text, "U");
	leave_by_exit(t);
}
END_TEST

/* The first "Op type" on the screen, and nothing before it, is drawn as a match. */
static bool op_type_is_marked(struct terminal *t, const void *ctx)
{
	int row, col;

	(void)ctx;
	return terminal_find(t, "Op type", &row, &col) && row == 3 &&
	       terminal_cell(t, 3, col).bg == 7 && terminal_cell(t, 3, col + 6).bg == 7 &&
	       terminal_cell(t, 3, col - 1).bg == -1;
}

START_TEST(search_from_prompt_and_view)
{
	struct terminal *t = mnist_started(24, 80);

	PLAY(t, { "/no such thing\r", 20, "Pattern not found" },
	     { "/(\r", 20, "ERROR: Invalid regular expression: \"(\"" });
	terminal_enter(t, "/Op type");
	ck_assert(terminal_wait(t, op_type_is_marked, NULL));
	PLAY(t, { "/\r", 20, "INFO: Search went on from the top" }, { "<Esc>", 21, "row 1/301" },
	     { "/dumped", 22, "tfdbg> /dumped" }, { "\r", 21, "row -/301" });
	leave_by_key(t);
}
END_TEST

START_TEST(completion)
{
	struct terminal *t = mnist_started(24, 80);

	PLAY(t, { "list_i\t", CURSOR, "22,18" },
	     { "\x03list_\t", ANYWHERE, "Candidates: list_inputs list_outputs" });
	ck_assert_int_eq(terminal_cell(t, 20, 12).fg, 3);
	PLAY(t, { "<Esc>", GONE, "Candidates:" },
	     { "\x03pt \t", ANYWHERE, " more" }); /* all tensors: too many for half a screen */
	terminal_type(t, "\x03\x03");
	leave_by_exit(t);
}
END_TEST

START_TEST(mouse)
{
	struct terminal *t = mnist_started(24, 80);

	ck_assert(!terminal_wants_mouse(t));
	PLAY(t, { "mouse\r", 20, "INFO: Mouse mode: off" },
	     { "mouse maybe\r", 20, "ERROR: Invalid mouse mode: maybe" },
	     { "m ON\r", 21, " Mouse: ON --" },
	     { "half<Click(23,20)><Click(20,78)>", 21, "(PgDn/PgUp)" }, /* DN */
	     { "<Click(3,78)>", 21, "(PgDn): 0.00%" },
	     { "<Click(5,12)>", 1, "list_tensors -s dump_size" }, /* a heading */
	     { "", 22, "tfdbg> half" }, { "<Click(1,3)>", 1, "(-1) lt" },
	     { "\x03", CURSOR, "22,7" });
	leave_by_exit(t);
}
END_TEST

START_TEST(paste_runs_nothing)
{
	struct terminal *t = mnist_started(24, 80);

	terminal_paste(t, "lt -s\ndump_size\n");
	PLAY(t, { "", 22, "tfdbg> lt -s dump_size" }, { "", 1, "| <-- --> | lt" },
	     { "\r", 1, "| <-- --> | lt -s dump_size" });
	leave_by_exit(t);
}
END_TEST

START_TEST(long_lines_take_two_rows)
{
	struct terminal *t = mnist_started(24, 80);
	char text[104] = "lt ";

	memset(text + 3, 'x', 100);
	terminal_type(t, text);
	ck_assert(terminal_wait_cursor(t, 23, 37));
	ck_assert_uint_eq(strlen(terminal_row(t, 22)), 80);
	PLAY(t, { "", 23, "       xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" },
	     { "\x01\x0b日本", CURSOR, "22,11" });
	terminal_type(t, "\x03");
	leave_by_exit(t);
}
END_TEST

/* What the view's keys do. */

static struct terminal *in_view(int rows, int cols)
{
	struct terminal *t = mnist_started(rows, cols);

	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, rows - 3, "row 1/301"));
	return t;
}

/* A key behind Esc that comes at once would be one with Alt. */
static void to_view(struct terminal *t)
{
	int rows, cols;

	terminal_size(t, &rows, &cols);
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, rows - 3, "row "));
}

/* A row is about the node or tensor it links to; without a link, about that of its screen. */
static const struct { const char *command, *first, *keys, *bar; } rows_about[] = {
	{ "li -r cross_entropy/Neg", "Inputs to node", "o", "| ni -a -d -t cross_entropy/mul" },
	{ "li -c -r cross_entropy/Neg", "Inputs to node", "3Go",
	  "| ni -a -d -t cross_entropy/Log" },
	{ "lo cross_entropy/Neg", "Recipients of node", "o",
	  "| ni -a -d -t cross_entropy/total/Mean" },
	{ "ni -a -d -t cross_entropy/Log", "Node cross_entropy/Log", "8Go",
	  "| ni -a -d -t softmax" },
	{ "ni -a -d -t cross_entropy/Log", "Node cross_entropy/Log", "e",
	  "| explain cross_entropy/Log" },
	{ "pt cross_entropy/Log:0[1, :]", "Tensor", "o", "| ni -a -d -t cross_entropy/Log" },
	{ "pt cross_entropy/Log:0 -n 0", "Tensor", "9Ge",
	  "| explain cross_entropy/Log:0 -n 0 -e " },
	{ "li cross_entropy/Neg", "Inputs to node", "e", "| explain cross_entropy/mul" },
};

START_TEST(rows_are_about_what_they_link_to)
{
	struct terminal *t = mnist_started(24, 80);

	terminal_enter(t, rows_about[_i].command);
	ck_assert(terminal_wait_row(t, 3, rows_about[_i].first));
	to_view(t);
	terminal_type(t, rows_about[_i].keys);
	ck_assert(terminal_wait_row(t, 1, rows_about[_i].bar));
	leave_by_key(t);
}
END_TEST

/* PATH is read again in place: what is new shows, the screens stay, a failure changes nothing. */
START_TEST(path_is_read_again)
{
	struct small_dump dump;
	struct str path = {0}, away = {0};
	struct terminal *t;

	small_dump_make(&dump);
	t = start_in(dump.dir, (const char *const[]){ ".", NULL }, NULL, 24, 80);
	PLAY(t, { "", 3, "4 dumped tensor(s):" }, { "pt linear/w:0\r", 3, "Tensor \"linear/w:0" });
	str_fmt(&path, "%s/%s", dump.dir, dump.part[0].name);
	str_fmt(&away, "%s/away", dump.dir);
	ck_assert_int_eq(rename(path.text, away.text), 0);
	to_view(t);
	PLAY(t, { "R", 20, "INFO: Read again: the dump" }, { "H", 3, "3 dumped tensor(s):" },
	     { "2GF", 20, "INFO: Following the dump: on" },
	     { "F", 20, "INFO: Following the dump: off" });
	ck_assert_int_eq(rename(away.text, path.text), 0);
	PLAY(t, { "2GR", 3, "4 dumped tensor(s):" }, { "", 21, "row 2/" }); /* the cursor stays */
	scratch_remove(dump.dir);
	PLAY(t, { "FR", 20, "ERROR: " }, { "", 3, "4 dumped tensor(s):" });
	leave_by_key(t);
	dump.dir = scratch_new();
	small_dump_remove(&dump);
	str_release(&path);
	str_release(&away);
}
END_TEST

/* These run commands; others answer them. */
static const struct press commands_of_keys[] = {
	{ "]r", 1, "| run" }, { "[r", 1, "| run -b" }, { "3]r", 1, "| run -t 3" },
	{ "3[r", 1, "| run -b 3" }, { "]s", 1, "| step next" }, { "[s", 1, "| step prev" },
};

START_TEST(keys_run_commands)
{
	struct terminal *t = in_view(24, 80);

	PLAY(t, commands_of_keys[_i]);
	leave_by_key(t);
}
END_TEST

/* The letter on the link that is drawn at a cell. */
static void type_hint_at(struct terminal *t, int row, int col)
{
	struct terminal_cell first = terminal_cell(t, row, col),
			     second = terminal_cell(t, row, col + 1);

	terminal_type(t, first.text);
	if (second.fg == first.fg && second.bg == first.bg)
		terminal_type(t, second.text);
}

START_TEST(letters_follow_links)
{
	struct terminal *t = in_view(24, 80);

	terminal_type(t, "f");
	ck_assert(terminal_wait_row(t, 21, "type the letters of a link"));
	type_hint_at(t, 5, 10);                          /* the heading of the sizes */
	PLAY(t, { "", 1, "| list_tensors -s dump_size" },
	     { "", GONE, "type the letters of a link" },
	     { "f", 21, "type the letters of a link" });
	type_hint_at(t, 1, 2);                           /* the arrow back */
	PLAY(t, { "", 1, "(-1) lt" }, { "", GONE, "type the letters of a link" },
	     { "f", 21, "type the letters of a link" }, { "<Esc>", GONE, "letters of a link" });
	leave_by_key(t);
}
END_TEST

static bool wrote(struct terminal *t, const void *bytes)
{
	size_t len;
	const char *all = terminal_bytes(t, &len);

	return memmem(all, len, bytes, strlen(bytes)) != NULL;
}

START_TEST(copies_go_to_the_clipboard)
{
	struct terminal *t = in_view(24, 80);

	terminal_type(t, "yp");                          /* lt */
	ck_assert(terminal_wait(t, wrote, "\033]52;c;bHQ=\a"));
	ck_assert(terminal_wait_row(t, 20, "INFO: Copied the command: lt"));
	terminal_type(t, "2Gyl");        /* pt hidden/weights/summaries/Rank:0 */
	ck_assert(terminal_wait(t, wrote,
	                        "\033]52;c;cHQgaGlkZGVuL3dlaWdodHMvc3VtbWFyaWVzL1Jhbms6MA==\a"));
	terminal_type(t, ">>yc");                        /* 222 */
	ck_assert(terminal_wait(t, wrote, "\033]52;c;MjIy\a"));
	PLAY(t, { "g2kyl", 20, "ERROR: There is no link to copy here" },
	     { "W", 3, "No problem was found when the dump was opened: \"doctor\" reads " });
	leave_by_key(t);
}
END_TEST

/* As with a dump: what was not opened, and what is damaged, which W lists. */
START_TEST(profiles_tell_what_is_wrong)
{
	static const char *const args[] = { ".", NULL };
	struct str bytes = {0};
	char *dir = scratch_new();
	struct terminal *t;

	dump_copy(dir, "run_metadata.pb", "testdata/profile/linear/run_metadata.pb");
	ck_assert(read_whole("testdata/profile/linear/graph.pb", &bytes));
	dump_put(dir, "a.pb", bytes.text, bytes.len);
	dump_put(dir, "b.pb", bytes.text, bytes.len);
	t = start_in(dir, args, NULL, 24, 80);
	ck_assert(terminal_wait_row(t, 20, "INFO: not opened: b.pb (GraphDef)"));
	leave_by_exit(t);
	dump_put(dir, "a.pb", bytes.text, bytes.len - 40);
	t = start_in(dir, args, NULL, 24, 80);
	PLAY(t, { "", 20, "1 problem(s) in the profile: a.pb, offset " }, { "<Esc>", 21, "row 1/" },
	     { "W", ANYWHERE, "1 problem(s) in the profile:" },
	     { "", ANYWHERE, "not opened: b.pb (GraphDef)" });
	leave_by_key(t);
	str_release(&bytes);
	scratch_remove(dir);
}
END_TEST

/* What a table lacks is listed by W, though opening it said nothing of it. */
START_TEST(what_a_table_lacks_is_listed)
{
	char *dir = scratch_new();
	const char *const args[] = { "cut.csv", NULL };
	struct str bytes = {0};
	struct terminal *t;

	ck_assert(read_whole("testdata/tables/nvprof_two_processes.csv", &bytes));
	dump_put(dir, "cut.csv", bytes.text, bytes.len - 20);
	t = start_in(dir, args, NULL, 24, 80);
	PLAY(t, { "", ANYWHERE, " 2 rows" }, { "<Esc>", 21, "row 1/" },
	     { "W", ANYWHERE, "1 problem(s) in the profile:" },
	     { "", ANYWHERE, "1 row is left out: a quoted field has no end" });
	leave_by_key(t);
	str_release(&bytes);
	scratch_remove(dir);
}
END_TEST

START_TEST(layouts_are_saved)
{
	struct terminal *t = mnist_started(24, 80);

	PLAY(t, { "layout detail\rresize +2\rlayout save mine\r", 20,
	       "INFO: Saved: layout mine list:71/detail" },
	     { "layout save detail\r", 20, "ERROR: The layout \"detail\" is built in" },
	     { "layout save a/b\r", 20, "ERROR: \"a/b\" can't be a layout's name" },
	     { "layout save\r", 20, "ERROR: Say layout save NAME" },
	     { "layout single\rlayout mine\r", 15, "-----" },
	     { "layout\r", 20, "INFO: Layout: mine (single, detail, side, runs, timeline, mine)" },
	     { "config set layout mine\r", 1, "| config set layout mine" });
	leave_by_exit(t);
	t = mnist_started(24, 80);
	ck_assert(terminal_wait_row(t, 15, "-----"));
	leave_by_exit(t);
}
END_TEST

/* One message for the first bad line of the config, whatever it is about. */
START_TEST(bad_config_is_told_once)
{
	static const char text[] = "config set toast_seconds 60\nlayout mine list:60/detail|lt\n"
	                           "future\n";
	struct terminal *t;

	dump_put(home, "config/tensordbg/config", text, strlen(text));
	t = start_mnist(24, 80);
	PLAY(t, { "", 20, "ERROR: config line 2: layout mine: column 15: / and | need " },
	     { "layout mine\r", 20, "ERROR: layout mine: column 15: / and | need parentheses" });
	leave_by_exit(t);
}
END_TEST

START_TEST(ascii_on_request)
{
	static const char *const args[] = { "--ascii", "mnist_nan", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 80);
	size_t len;
	const char *bytes;

	PLAY(t, { "", 3, "dumped tensor(s):" }, { "layout side\r", 5, "|" },
	     { "<Esc>", 21, "row 1/" }, { "s", 5, "t (ms)^" });
	bytes = terminal_bytes(t, &len);
	for (size_t i = 0; i < len; i++)
		ck_assert_msg((unsigned char)bytes[i] < 0x80, "byte %zu", i);
	leave_by_key(t);
}
END_TEST

/*
 * The button goes down and stays down: to report that twice is no second press, but a move. Curses
 * loses a press that is read together with the move, so something is waited for in between.
 */
static void drag(struct terminal *t, int from_row, int to_row, int col)
{
	terminal_mouse(t, from_row, col, 1, true);
	terminal_type(t, "-i");
	ck_assert(terminal_wait_row(t, 20, "INFO: Case in searches: "));
	terminal_type(t, "k");
	ck_assert(terminal_wait_gone(t, "INFO: Case in searches: "));
	terminal_mouse(t, to_row, col, 1, true);
}

START_TEST(drags_and_double_clicks)
{
	struct terminal *t = in_view(24, 80);

	terminal_type(t, "M");
	ck_assert(terminal_wait_row(t, 20, "INFO: Mouse mode: on"));
	drag(t, 4, 19, 78);                              /* the block, from its upper end */
	ck_assert(terminal_wait_row(t, 21, "(PgUp): 100.00%"));
	terminal_mouse(t, 19, 78, 1, false);
	terminal_type(t, "gv");
	ck_assert(terminal_wait_row(t, 13, "-------------------"));
	drag(t, 13, 9, 40);                              /* the rule */
	ck_assert(terminal_wait_row(t, 9, "-------------------"));
	terminal_mouse(t, 9, 40, 1, false);
	PLAY(t, { "<Click(7,2)>", 21, "row 2/301" },
	     { "", 9, "--- pt hidden/weights/summaries/Rank:0 ---" });
	terminal_mouse(t, 12, 40, 5, true);              /* the wheel moves what is under it */
	PLAY(t, { "", 10, "" }, { "", 21, "row 2/301" }, { "<Click(8,3)>", 21, "row 3/301" },
	     { "<Click(7,3)>", 21, "row 2/301" },
	     { "<Click(7,3)>", 1, "| pt hidden/weights/summaries/Rank:0" });
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("screen",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, keys_and_what_they_show, 0, ROWS(sessions));
	tcase_add_test(t, first_screen_is_tfdbgs);
	tcase_add_test(t, search_from_prompt_and_view);
	tcase_add_test(t, completion);
	tcase_add_test(t, mouse);
	tcase_add_loop_test(t, rows_are_about_what_they_link_to, 0, ROWS(rows_about));
	tcase_add_test(t, path_is_read_again);
	tcase_add_loop_test(t, keys_run_commands, 0, ROWS(commands_of_keys));
	tcase_add_test(t, letters_follow_links);
	tcase_add_test(t, copies_go_to_the_clipboard);
	tcase_add_test(t, profiles_tell_what_is_wrong);
	tcase_add_test(t, what_a_table_lacks_is_listed);
	tcase_add_test(t, layouts_are_saved);
	tcase_add_test(t, bad_config_is_told_once);
	tcase_add_test(t, ascii_on_request);
	tcase_add_test(t, drags_and_double_clicks);
	tcase_add_test(t, paste_runs_nothing);
	tcase_add_test(t, long_lines_take_two_rows);
)
