#include "tests/on_screen.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

/* The program on a screen of its own, with a home of its own. */

static struct terminal *start_with(const char *const *env, int rows, int cols)
{
	return start_in("testdata", (const char *const[]){ "mnist_nan", NULL }, env, rows, cols);
}

static struct terminal *start(int rows, int cols)
{
	return start_with(NULL, rows, cols);
}

/* Waits until the first screen stands and the prompt listens. */
static struct terminal *started(int rows, int cols)
{
	struct terminal *t = start(rows, cols);

	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	ck_assert(terminal_wait_row(t, rows - 2, "tfdbg>"));
	return t;
}

/* The first screen and what is typed. */

START_TEST(first_screen_is_tfdbgs)
{
	struct terminal *t = started(24, 80);
	struct terminal_cell cell;

	ck_assert(terminal_wait_row(t, 0, "--- tfdbg offline @ mnist_nan ---------"));
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | lt"));
	ck_assert(terminal_wait_row(
		t, 2,
		"| list_tensors | node_info | print_tensor | list_inputs | list_outputs | run_"));
	ck_assert(terminal_wait_row(t, 5, "Size (B) Op type"));
	ck_assert(terminal_wait_row(
		t, 21,
		"--- Scroll (PgDn): 0.00% ----------------------------------------- Mouse: OFF --"));
	ck_assert(terminal_wait_cursor(t, 22, 7));
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

/* What a word may have meant is told beside the answer, which stays as it is. */
START_TEST(suggestions_are_toasts)
{
	struct terminal *t = started(24, 80);

	terminal_enter(t, "ltt");
	ck_assert(terminal_wait_row(t, 2, "ERROR: Invalid command prefix \"ltt\""));
	ck_assert(terminal_wait_row(t, 20, "ltt: did you mean lt?"));
	terminal_enter(t, "lt > no/such/place");
	ck_assert(terminal_wait_row(
		t, 20,
		"ERROR: Failed to write output to no/such/place: No such file or directory"));
	leave_by_exit(t);
}
END_TEST

START_TEST(command_screens_and_history)
{
	struct terminal *t = started(24, 80);

	terminal_enter(t, "lt -f has_inf_or_nan");
	ck_assert(terminal_wait_row(t, 3, "passing filter \"has_inf_or_nan\""));
	terminal_enter(t, "nosuch");
	ck_assert(terminal_wait_row(t, 2, "ERROR: Invalid command prefix \"nosuch\""));
	ck_assert(terminal_wait_row(
		t, 21,
		"------------------------------------------------------------------ Mouse: OFF --"));
	terminal_enter(t, "prev");
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | (-1) lt -f has_inf_or_nan"));
	terminal_enter(t, "prev");
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | (-2) lt"));
	terminal_enter(t, "prev");
	ck_assert(terminal_wait_row(t, 20, "At the OLDEST in navigation history!"));
	terminal_press(t, TKEY_UP);
	ck_assert(terminal_wait_row(t, 22, "tfdbg> nosuch"));
	terminal_press(t, TKEY_UP);
	ck_assert(terminal_wait_row(t, 22, "tfdbg> lt -f has_inf_or_nan"));
	terminal_press(t, TKEY_DOWN);
	ck_assert(terminal_wait_row(t, 22, "tfdbg> nosuch"));
	terminal_type(t, "\x03");
	ck_assert(terminal_wait_cursor(t, 22, 7));
	terminal_type(t, "lt");
	terminal_press(t, TKEY_UP);
	ck_assert(terminal_wait_row(t, 22, "tfdbg> lt -f has_inf_or_nan"));
	terminal_press(t, TKEY_DOWN);
	ck_assert(terminal_wait_cursor(t, 22, 9));
	terminal_type(t, "\x03");
	ck_assert(terminal_wait_cursor(t, 22, 7));
	leave_by_exit(t);
}
END_TEST

START_TEST(paging)
{
	struct terminal *t = started(24, 80);

	ck_assert(terminal_wait_row(t, 6, "[0.000] "));
	terminal_press(t, TKEY_PAGE_DOWN);
	ck_assert(terminal_wait_row(t, 21, "Scroll (PgDn/PgUp)"));
	terminal_press(t, TKEY_END);
	ck_assert(terminal_wait_row(t, 21, "--- Scroll (PgUp): 100.00% "));
	ck_assert(terminal_wait_row(t, 3, "stats:0"));   /* the last row, on top */
	ck_assert(terminal_wait_row(t, 4, ""));
	terminal_press(t, TKEY_PAGE_UP);
	ck_assert(terminal_wait_row(t, 21, "(PgDn/PgUp)"));
	terminal_press(t, TKEY_PAGE_DOWN);
	ck_assert(terminal_wait_row(t, 20, "stats:0"));  /* at the bottom */
	ck_assert(terminal_wait_row(t, 21, "(PgUp): 100.00%"));
	terminal_press(t, TKEY_HOME);
	ck_assert(terminal_wait_row(t, 21, "--- Scroll (PgDn): 0.00% "));
	terminal_type(t, "\033[1;2B\033[1;2B\033[1;2B");        /* Shift-Down */
	ck_assert(terminal_wait_row(t, 3, "[0.000] "));
	leave_by_exit(t);
}
END_TEST

START_TEST(view_focus_and_links)
{
	struct terminal *t = started(24, 80);

	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 21, "row 1/"));
	ck_assert(terminal_wait_cursor(t, 6, 0));        /* the first row of data */
	terminal_type(t, "jj");                          /* one takes two rows of the screen */
	ck_assert(terminal_wait_row(t, 21, "row 2/301 "));
	ck_assert(terminal_wait_cursor(t, 8, 0));
	terminal_type(t, "3k");
	ck_assert(terminal_wait_row(t, 21, "row -/301 "));
	terminal_press(t, TKEY_TAB);
	ck_assert(terminal_wait_cursor(t, 5, 0));        /* the heading's links come first */
	terminal_type(t, "j");
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | pt "));
	ck_assert(terminal_wait_row(t, 3, "Tensor \""));
	terminal_type(t, "H");
	ck_assert(terminal_wait_row(t, 1, "(-1) lt"));
	terminal_type(t, "#");
	ck_assert(terminal_wait_row(t, 20, "Names of tensors have one form"));
	terminal_type(t, "%");
	ck_assert(
		terminal_wait_row(t, 20, "No key \"%\" here. h shows the keys, : is the prompt."));
	terminal_type(t, "h");
	ck_assert(terminal_wait_row(t, 3, "In tables"));
	ck_assert(terminal_wait_text(t, "Everywhere"));
	terminal_type(t, "q");
	ck_assert(terminal_wait_gone(t, "Everywhere"));
	terminal_type(t, "q");
	ck_assert(terminal_wait_row(t, 21, "Leave tensordbg? (y/n)"));
	terminal_type(t, "n");
	ck_assert(terminal_wait_gone(t, "Leave tensordbg"));
	terminal_type(t, ":");
	ck_assert(terminal_wait_cursor(t, 22, 7));
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
	struct terminal *t = started(24, 80);

	terminal_enter(t, "/no such thing");
	ck_assert(terminal_wait_row(t, 20, "Pattern not found"));
	terminal_enter(t, "/(");
	ck_assert(terminal_wait_row(t, 20, "ERROR: Invalid regular expression: \"(\""));
	terminal_enter(t, "/Op type");
	ck_assert(terminal_wait(t, op_type_is_marked, NULL));
	terminal_enter(t, "/");
	ck_assert(terminal_wait_row(t, 20, "INFO: Search went on from the top"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 21, "row 1/301"));
	terminal_type(t, "/dumped");
	ck_assert(terminal_wait_row(t, 22, "tfdbg> /dumped"));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 21, "row -/301"));
	terminal_type(t, ":");
	leave_by_exit(t);
}
END_TEST

START_TEST(elements_by_index)
{
	static const struct { const char *line, *toast; } wrong[] = {
		{ "@", "ERROR: Empty indices." },
		{ "@a,b", "ERROR: invalid literal for int() with base 10: 'a'" },
		{ "@[0,1,2]", "ERROR: Dimensions mismatch: requested: 3; actual: 2" },
		{ "@[0,99999999]", "ERROR: Indices exceed tensor dimensions." },
		{ "@[-1,0]", "ERROR: Indices contain negative value(s)." },
	};
	struct terminal *t = started(24, 80);

	terminal_enter(t, "@1");
	ck_assert(terminal_wait_row(t, 20,
	                            "ERROR: tensor_metadata is not available in annotations."));
	terminal_enter(t, "pt cross_entropy/Log:0");
	ck_assert(terminal_wait_row(t, 3, "cross_entropy/Log:0:DebugIdentity"));
	for (size_t i = 0; i < ROWS(wrong); i++) {
		terminal_enter(t, wrong[i].line);
		ck_assert(terminal_wait_row(t, 20, wrong[i].toast));
	}
	terminal_enter(t, "@[1, 0]");
	ck_assert(terminal_wait_row(t, 21, " [1,0]-"));
	leave_by_exit(t);
}
END_TEST

START_TEST(completion)
{
	struct terminal *t = started(24, 80);

	terminal_type(t, "list_i\t");
	ck_assert(terminal_wait_cursor(t, 22, 7 + (int)strlen("list_inputs")));
	terminal_type(t, "\x03" "list_\t");
	ck_assert(terminal_wait_text(t, "Candidates: list_inputs list_outputs"));
	ck_assert_int_eq(terminal_cell(t, 20, 12).fg, 3);
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_gone(t, "Candidates:"));
	terminal_type(t, "\x03" "pt \t");
	ck_assert(terminal_wait_text(t, " more"));  /* all tensors: too many for half a screen */
	terminal_type(t, "\x03\x03");
	leave_by_exit(t);
}
END_TEST

START_TEST(mouse)
{
	struct terminal *t = started(24, 80);

	ck_assert(!terminal_wants_mouse(t));
	terminal_enter(t, "mouse");
	ck_assert(terminal_wait_row(t, 20, "INFO: Mouse mode: off"));
	terminal_enter(t, "mouse maybe");
	ck_assert(terminal_wait_row(t, 20, "ERROR: Invalid mouse mode: maybe"));
	terminal_enter(t, "m ON");
	ck_assert(terminal_wait_row(t, 21, " Mouse: ON --"));
	terminal_type(t, "half");
	terminal_click(t, 23, 20);
	terminal_click(t, 20, 78);                       /* DN */
	ck_assert(terminal_wait_row(t, 21, "(PgDn/PgUp)"));
	terminal_click(t, 3, 78);
	ck_assert(terminal_wait_row(t, 21, "(PgDn): 0.00%"));
	terminal_click(t, 5, 12);                        /* a heading */
	ck_assert(terminal_wait_row(t, 1, "list_tensors -s dump_size"));
	ck_assert(terminal_wait_row(t, 22, "tfdbg> half"));
	terminal_click(t, 1, 3);
	ck_assert(terminal_wait_row(t, 1, "(-1) lt"));
	terminal_type(t, "\x03");
	ck_assert(terminal_wait_cursor(t, 22, 7));
	leave_by_exit(t);
}
END_TEST

START_TEST(paste_runs_nothing)
{
	struct terminal *t = started(24, 80);

	terminal_paste(t, "lt -s\ndump_size\n");
	ck_assert(terminal_wait_row(t, 22, "tfdbg> lt -s dump_size"));
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | lt"));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | lt -s dump_size"));
	leave_by_exit(t);
}
END_TEST

START_TEST(long_lines_take_two_rows)
{
	struct terminal *t = started(24, 80);
	char text[104] = "lt ";

	memset(text + 3, 'x', 100);
	terminal_type(t, text);
	ck_assert(terminal_wait_cursor(t, 23, 37));
	ck_assert_uint_eq(strlen(terminal_row(t, 22)), 80);
	ck_assert(terminal_wait_row(t, 23, "       xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"));
	terminal_type(t, "\x01\x0b" "日本");
	ck_assert(terminal_wait_cursor(t, 22, 11));
	terminal_type(t, "\x03");
	leave_by_exit(t);
}
END_TEST

/* What the view's keys do. */

static struct terminal *in_view(int rows, int cols)
{
	struct terminal *t = started(rows, cols);

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

START_TEST(rows_are_chopped_and_numbered)
{
	struct terminal *t = in_view(24, 60);

	ck_assert(terminal_wait_row(t, 6, "hidden/weights/su"));
	ck_assert(terminal_wait_row(t, 7, "mmaries/range/start:0"));
	terminal_type(t, "-");
	ck_assert(terminal_wait_row(t, 21, "- S chop or wrap rows  N row numbers"));
	terminal_type(t, "S");
	ck_assert(terminal_wait_row(t, 6, "hidden/weights/s>"));
	ck_assert(terminal_wait_row(t, 7, "[0.758]"));
	terminal_press(t, TKEY_RIGHT);
	ck_assert(terminal_wait_row(t, 6, "hidden/weights/summaries/range/start:0"));
	terminal_type(t, "0");
	ck_assert(terminal_wait_row(t, 6, "[0.000]"));
	terminal_type(t, "-N");
	ck_assert(terminal_wait_row(t, 6, "  1 [0.000]"));
	terminal_type(t, "-N-S");
	ck_assert(terminal_wait_row(t, 7, "mmaries/range/start:0"));
	terminal_type(t, ":");
	leave_by_exit(t);
}
END_TEST

START_TEST(filter_as_it_is_typed)
{
	struct terminal *t = in_view(24, 80);

	terminal_type(t, "&cross_entropy/Lo");
	ck_assert(terminal_wait_row(t, 21, "--- 3 of 301 --"));
	ck_assert(terminal_wait_row(t, 5, "t (ms)    Size (B)"));
	ck_assert(terminal_wait_row(t, 6, "cross_entropy/Log:0"));
	terminal_type(t, "(");
	ck_assert(terminal_wait_row(t, 21, "no pattern yet"));
	terminal_press(t, TKEY_ESCAPE);                  /* all rows, and the view, come back */
	ck_assert(terminal_wait_row(t, 21, "row 1/301 - "));
	ck_assert(terminal_wait_row(t, 6, "[0.000]"));
	terminal_type(t, "&Log:");
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 21, "row 1/1 of 301"));
	terminal_type(t, "&!cross");
	ck_assert(terminal_wait_row(t, 21, "--- 0 of 301 --"));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 21, "row -/0 of 301"));
	terminal_type(t, "&\r");
	ck_assert(terminal_wait_row(t, 21, "row 1/1 of 301"));
	terminal_press(t, TKEY_F0 + 4);
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 21, "row 204/301 - "));
	terminal_type(t, ":&(");
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 20, "ERROR: Invalid regular expression: \"(\""));
	leave_by_exit(t);
}
END_TEST

/* Sizes as lt prints them: the list of the tensors without the head. */
START_TEST(tables_are_sorted)
{
	struct terminal *t = in_view(24, 80);

	terminal_type(t, ">>S");
	ck_assert(terminal_wait_row(t, 5, "Size (B)▼Op type"));
	ck_assert(terminal_wait_row(t, 6, "7.27k"));
	terminal_type(t, "S");
	ck_assert(terminal_wait_row(t, 5, "Size (B)▲Op type"));
	ck_assert(terminal_wait_row(t, 6, "188"));
	terminal_type(t, "<s");
	ck_assert(terminal_wait_row(t, 5, "t (ms)▲"));
	ck_assert(terminal_wait_row(t, 6, "[0.000]"));
	terminal_type(t, ":help\r");
	ck_assert(terminal_wait_row(t, 1, "| help"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 21, "row 1/"));
	terminal_type(t, "s");
	ck_assert(terminal_wait_row(t, 20, "No key \"s\" here."));
	terminal_type(t, ":");
	leave_by_exit(t);
}
END_TEST

START_TEST(ways_to_a_row)
{
	struct terminal *t = in_view(24, 80);

	terminal_type(t, "7Gma17G");
	ck_assert(terminal_wait_row(t, 21, "row 17/301"));
	terminal_type(t, "'a");
	ck_assert(terminal_wait_row(t, 21, "row 7/301"));
	terminal_type(t, "''");
	ck_assert(terminal_wait_row(t, 21, "row 17/301"));
	terminal_type(t, "'b");
	ck_assert(terminal_wait_row(t, 20, "ERROR: Mark b is not set"));
	terminal_type(t, "g/Log:\r");
	ck_assert(terminal_wait_row(t, 21, " - match 1 of 1 -"));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "| pt cross_entropy/Log:0"));
	terminal_type(t, "]");
	ck_assert(terminal_wait_row(t, 21, "] n next NaN or Inf  d next difference"));
	terminal_type(t, "n");
	ck_assert(terminal_wait_row(t, 21, "row 5/196"));
	terminal_type(t, "]n");
	ck_assert(terminal_wait_row(t, 21, "row 8/196"));
	terminal_type(t, "[n");
	ck_assert(terminal_wait_row(t, 21, "row 5/196"));
	terminal_type(t, "]e");
	ck_assert(terminal_wait_row(t, 20, "No error here"));
	terminal_type(t, "'a");                          /* its screen comes back */
	ck_assert(terminal_wait_row(t, 1, "(-1) lt"));
	ck_assert(terminal_wait_row(t, 21, "row 7/301"));
	terminal_type(t, "o");
	ck_assert(terminal_wait_row(t, 1, "| ni -a -d -t logits/weights/summaries/range_2/start"));
	terminal_type(t, ":marks\r");
	ck_assert(terminal_wait_row(t, 1, "| marks"));
	ck_assert(terminal_wait_text(t, "1 mark(s):"));
	ck_assert(terminal_wait_text(t, "  a  tfdbg offline @ mnist_nan: logits/weights/summaries/range_2/start:0"));
	terminal_type(t, ":messages\r");
	ck_assert(terminal_wait_row(t, 1, "| messages"));
	ck_assert(terminal_wait_text(t, "ERROR: Mark b is not set"));
	leave_by_exit(t);
}
END_TEST

/* Whatever a row links to, it is about that node or tensor; without a link about that of its screen. */
static const struct { const char *command, *first, *keys, *bar; } rows_about[] = {
	{ "li -r cross_entropy/Neg", "Inputs to node", "o", "| ni -a -d -t cross_entropy/mul" },
	{ "li -c -r cross_entropy/Neg", "Inputs to node", "3Go", "| ni -a -d -t cross_entropy/Log" },
	{ "lo cross_entropy/Neg", "Recipients of node", "o", "| ni -a -d -t cross_entropy/total/Mean" },
	{ "ni -a -d -t cross_entropy/Log", "Node cross_entropy/Log", "8Go", "| ni -a -d -t softmax" },
	{ "ni -a -d -t cross_entropy/Log", "Node cross_entropy/Log", "e", "| explain cross_entropy/Log" },
	{ "pt cross_entropy/Log:0[1, :]", "Tensor", "o", "| ni -a -d -t cross_entropy/Log" },
	{ "pt cross_entropy/Log:0 -n 0", "Tensor", "9Ge", "| explain cross_entropy/Log:0 -n 0 -e " },
	{ "li cross_entropy/Neg", "Inputs to node", "e", "| explain cross_entropy/mul" },
};

START_TEST(rows_are_about_what_they_link_to)
{
	struct terminal *t = started(24, 80);

	terminal_enter(t, rows_about[_i].command);
	ck_assert(terminal_wait_row(t, 3, rows_about[_i].first));
	to_view(t);
	terminal_type(t, rows_about[_i].keys);
	ck_assert(terminal_wait_row(t, 1, rows_about[_i].bar));
	leave_by_key(t);
}
END_TEST

START_TEST(pictures_and_details_of_nodes)
{
	struct terminal *t = started(40, 100);

	terminal_enter(t, "li -r cross_entropy/Neg");
	ck_assert(terminal_wait_row(t, 3, "Inputs to node"));
	to_view(t);
	terminal_type(t, "3Gp");
	ck_assert(terminal_wait_text(t, "--- picture cross_entropy/Log:0 ---"));
	terminal_type(t, "pv");
	ck_assert(terminal_wait_text(t, "--- pt cross_entropy/Log:0 ---"));
	terminal_type(t, "9G");
	ck_assert(terminal_wait_text(t, "--- pt hidden2/Wx_plus_b/add:0 ---"));
	terminal_type(t, ":lo -c -r train/Adam/beta1\r");
	ck_assert(terminal_wait_row(t, 3, "Recipients of node"));
	to_view(t);
	terminal_type(t, "j");                           /* what has no output has no dump */
	ck_assert(terminal_wait_text(t, "--- ni -a -d -t train/Adam ---"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_gone(t, "--- ni -a -d -t"));
	terminal_enter(t, ":pt cross_entropy/Log:0");
	ck_assert(terminal_wait_row(t, 3, "Tensor"));
	to_view(t);
	terminal_type(t, "v");
	ck_assert(terminal_wait_text(t, "--- ni -a -d -t cross_entropy/Log ---"));
	leave_by_key(t);
}
END_TEST

/* The row that the run's filter has a hit for, in any list; what is looked for is tested first. */
START_TEST(bad_rows_are_found)
{
	struct terminal *t = in_view(24, 100);

	terminal_type(t, "]n");
	ck_assert(terminal_wait_row(t, 21, "row 204/301"));      /* cross_entropy/Log:0 */
	terminal_type(t, "2]n");
	ck_assert(terminal_wait_row(t, 21, "row 209/301"));
	terminal_type(t, "[n");
	ck_assert(terminal_wait_row(t, 21, "row 208/301"));
	terminal_type(t, "2[n");
	ck_assert(terminal_wait_row(t, 20, "INFO: Search went on from the bottom"));
	terminal_type(t, ":li -r train/gradients/cross_entropy/mul_grad/Mul\r");
	ck_assert(terminal_wait_row(t, 3, "Inputs to node"));
	to_view(t);
	terminal_type(t, "]n");
	ck_assert(terminal_wait_row(t, 21, "row 10/"));
	terminal_type(t, ":lt -n hidden\r");
	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s)"));
	to_view(t);
	terminal_type(t, "]n");
	ck_assert(terminal_wait_row(t, 20, "No NaN or Inf here"));
	leave_by_key(t);
}
END_TEST

/* Under tfdbg's words stands what to do; only on the screen. */
START_TEST(errors_say_what_to_do)
{
	static const char *const args[] = { "--stacks=linear.stacks.json", "linear", NULL };
	struct terminal *t = started(24, 100);

	terminal_enter(t, "ls");
	ck_assert(terminal_wait_text(t, "ValueError: Cannot"));
	ck_assert(terminal_wait_text(t, "--stacks FILE names them, or lay stacks.json beside it."));
	leave_by_exit(t);
	t = start_in("testdata", args, NULL, 24, 100);
	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	terminal_enter(t, "ps nosuch.py");
	ck_assert(terminal_wait_text(t, "OSError: Source path neither exists"));
	ck_assert(terminal_wait_text(t, "If the file is elsewhere now: --source-map FROM=TO says where."));
	leave_by_exit(t);
	t = start_in("testdata/profile/gpu_like", (const char *[]){ "run_metadata.pb", NULL }, NULL, 24, 100);
	ck_assert(terminal_wait_row(t, 2, "kernels: GPU kernels"));
	terminal_enter(t, "lp");
	ck_assert(terminal_wait_text(t, "Device 1 of 8"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_text(t, "h keys"));
	terminal_type(t, "u");
	ck_assert(terminal_wait_row(t, 1, "| list_profile --time_unit ms"));
	terminal_type(t, "uu");
	ck_assert(terminal_wait_gone(t, "--time_unit"));
	terminal_type(t, "#");
	ck_assert(terminal_wait_text(t, "Names of nodes have one form"));
	leave_by_key(t);
}
END_TEST

/* Each u the next unit of the times of lt, which are in ms by themselves; the headings keep it. */
START_TEST(times_of_tensors_have_units)
{
	struct terminal *t = in_view(24, 100);

	terminal_type(t, "u");
	ck_assert(terminal_wait_row(t, 1, "| list_tensors --time_unit us"));
	ck_assert(terminal_wait_row(t, 5, "t (us)   Size (B)"));
	ck_assert(terminal_wait_row(t, 7, "[758]"));
	terminal_type(t, "u");
	ck_assert(terminal_wait_row(t, 7, "[0.000758]"));
	terminal_type(t, "g2k\t\r");
	ck_assert(terminal_wait_row(t, 1, "| list_tensors --time_unit s -s timestamp -r"));
	terminal_type(t, "u");
	ck_assert(terminal_wait_row(t, 1, "| list_tensors --sort_by timestamp --reverse"));
	ck_assert(terminal_wait_row(t, 5, "t (ms)    Size (B)"));
	terminal_type(t, "#");
	ck_assert(terminal_wait_text(t, "Names of tensors have one form"));
	leave_by_key(t);
}
END_TEST

/* Enter never leaves the view; the status line names it only where it opens something. */
START_TEST(enter_says_when_there_is_nothing)
{
	struct terminal *t = in_view(24, 80);

	ck_assert(terminal_wait_row(t, 21, "row 1/301 - Enter open  / search"));
	terminal_type(t, "2k");
	ck_assert(terminal_wait_row(t, 21, "row -/301 - / search"));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 20, "Nothing to open on this row"));
	terminal_type(t, "j\r");
	ck_assert(terminal_wait_row(t, 20, "Tab chooses a link of this row"));
	terminal_press(t, TKEY_TAB);
	ck_assert(terminal_wait_row(t, 21, "row -/301 - Enter open"));
	terminal_type(t, "j");
	ck_assert(terminal_wait_row(t, 21, "row 1/301 - Enter open"));
	terminal_press(t, TKEY_F0 + 1);
	ck_assert(terminal_wait_row(t, 21, "- Esc close -"));
	leave_by_key(t);
}
END_TEST

/* To the view; there the innermost goes: a pane, then a filter, then nothing is left to go. */
START_TEST(escape_drops_the_innermost)
{
	struct terminal *t = in_view(24, 80);

	terminal_type(t, "&Log\r");
	ck_assert(terminal_wait_row(t, 21, "of 301"));
	terminal_type(t, "&cross\r");
	ck_assert(terminal_wait_row(t, 21, "of 301"));
	terminal_type(t, "v");
	ck_assert(terminal_wait_row(t, 13, "--- pt cross_entropy/Log:0 ---"));
	terminal_type(t, "i");
	ck_assert(terminal_wait_cursor(t, 22, 7));
	terminal_type(t, "abc");
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 21, "of 301"));
	ck_assert(terminal_wait_row(t, 22, "tfdbg> abc"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_gone(t, "--- pt cross_entropy/Log:0 ---"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 20, "INFO: The last filter was dropped."));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 21, "/301 - "));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 20, ": is the prompt, q leaves"));
	terminal_type(t, ":");
	ck_assert(terminal_wait_cursor(t, 22, 10));
	terminal_type(t, "\x03:lt -n cross_entropy/Log$\r");  /* taken without the colon */
	ck_assert(terminal_wait_row(t, 1, "| lt -n cross_entropy/Log$"));
	terminal_press(t, TKEY_UP);
	ck_assert(terminal_wait_row(t, 22, "tfdbg> lt -n"));
	terminal_type(t, "\x03");
	ck_assert(terminal_wait_cursor(t, 22, 7));
	leave_by_exit(t);
}
END_TEST

/* Row, screen, run, file and offset; the answer of explain is that of batch mode. */
START_TEST(rows_are_explained)
{
	struct terminal *t = in_view(24, 100);

	terminal_type(t, "2k=");
	ck_assert(terminal_wait_row(t, 3, "Where am I"));
	ck_assert(terminal_wait_row(t, 5, "Row     none of the 301"));
	ck_assert(terminal_wait_row(t, 7, "Run     tfdbg offline @ mnist_nan"));
	terminal_type(t, "q2G=");
	ck_assert(terminal_wait_row(t, 5, "Row     2 of 301"));
	ck_assert(terminal_wait_row(t, 9, "elements: offset 101, 4 bytes of _tfdbg_device_,job"));
	terminal_type(t, "qe");
	ck_assert(terminal_wait_row(t, 1, "| explain hidden/weights/summaries/Rank:0"));
	ck_assert(terminal_wait_row(t, 3, "elements: offset 101, 4 bytes of"));
	terminal_type(t, ":pt -a cross_entropy/Log:0[3] -r [0,1]\r");
	ck_assert(terminal_wait_row(t, 1, "| pt -a cross_entropy/Log:0[3] -r [0,1]"));
	to_view(t);
	terminal_type(t, "6Ge");                         /* the row that begins with element 6 */
	ck_assert(terminal_wait_row(t, 1, "| explain cross_entropy/Log:0[3] -e 6"));
	ck_assert(terminal_wait_row(t, 3, "element: offset 231, 4 bytes of"));
	terminal_type(t, ":help lt\r");
	ck_assert(terminal_wait_row(t, 1, "| help lt"));
	to_view(t);
	terminal_type(t, "e");
	ck_assert(terminal_wait_text(t, "ERROR: This row is about no tensor and no node"));
	leave_by_key(t);
}
END_TEST

START_TEST(source_lines_are_found)
{
	static const char *const args[] = { "--stacks=linear.stacks.json", "linear", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 80);

	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	terminal_enter(t, "ni linear/w");
	ck_assert(terminal_wait_row(t, 3, "Node linear/w"));
	to_view(t);
	terminal_type(t, "O");
	ck_assert(terminal_wait_row(t, 1, "| ps linear.py -b 15"));
	leave_by_key(t);
	t = in_view(24, 80);
	terminal_type(t, "2GO");
	ck_assert(terminal_wait_row(t, 20, "ERROR: It is not known which line made this node"));
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
	ck_assert(terminal_wait_row(t, 3, "4 dumped tensor(s):"));
	terminal_enter(t, "pt linear/w:0");
	ck_assert(terminal_wait_row(t, 3, "Tensor \"linear/w:0"));
	str_fmt(&path, "%s/%s", dump.dir, dump.part[0].name);
	str_fmt(&away, "%s/away", dump.dir);
	ck_assert_int_eq(rename(path.text, away.text), 0);
	to_view(t);
	terminal_type(t, "R");
	ck_assert(terminal_wait_row(t, 20, "INFO: Read again: the dump"));
	terminal_type(t, "H");
	ck_assert(terminal_wait_row(t, 3, "3 dumped tensor(s):"));
	terminal_type(t, "2GF");
	ck_assert(terminal_wait_row(t, 20, "INFO: Following the dump: on"));
	terminal_type(t, "F");
	ck_assert(terminal_wait_row(t, 20, "INFO: Following the dump: off"));
	ck_assert_int_eq(rename(away.text, path.text), 0);
	terminal_type(t, "2GR");
	ck_assert(terminal_wait_row(t, 3, "4 dumped tensor(s):"));
	ck_assert(terminal_wait_row(t, 21, "row 2/"));   /* the cursor stays */
	scratch_remove(dump.dir);
	terminal_type(t, "FR");
	ck_assert(terminal_wait_row(t, 20, "ERROR: "));
	ck_assert(terminal_wait_row(t, 3, "4 dumped tensor(s):"));
	leave_by_key(t);
	dump.dir = scratch_new();
	small_dump_remove(&dump);
	str_release(&path);
	str_release(&away);
}
END_TEST

/* These run commands; others answer them. */
START_TEST(keys_run_commands)
{
	static const struct { const char *keys, *command; } pairs[] = {
		{ "]r", "run" }, { "[r", "run -b" }, { "3]r", "run -t 3" }, { "3[r", "run -b 3" },
		{ "]s", "step next" }, { "[s", "step prev" },
	};
	struct terminal *t = in_view(24, 80);
	struct str bar = {0};

	terminal_type(t, pairs[_i].keys);
	str_fmt(&bar, "| %s", pairs[_i].command);
	ck_assert(terminal_wait_row(t, 1, bar.text));
	str_release(&bar);
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
	ck_assert(terminal_wait_row(t, 21, "letters follow a link"));
	type_hint_at(t, 5, 10);                          /* the heading of the sizes */
	ck_assert(terminal_wait_row(t, 1, "| list_tensors -s dump_size"));
	ck_assert(terminal_wait_gone(t, "letters follow a link"));
	terminal_type(t, "f");
	ck_assert(terminal_wait_row(t, 21, "letters follow a link"));
	type_hint_at(t, 1, 2);                           /* the arrow back */
	ck_assert(terminal_wait_row(t, 1, "(-1) lt"));
	ck_assert(terminal_wait_gone(t, "letters follow a link"));
	terminal_type(t, "f");
	ck_assert(terminal_wait_row(t, 21, "letters follow a link"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_gone(t, "letters follow a link"));
	terminal_type(t, ":");
	leave_by_exit(t);
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
	terminal_type(t, "g2kyl");
	ck_assert(terminal_wait_row(t, 20, "ERROR: There is no link to copy here"));
	terminal_type(t, "W");
	ck_assert(terminal_wait_row(t, 3, "0 problem(s) in the dump:"));
	terminal_type(t, "q:");
	leave_by_exit(t);
}
END_TEST

/* What the comparison with the graph finds comes after the first screen. */
START_TEST(validation_is_told)
{
	struct terminal *t = start_in("testdata", (const char *const[]){ "acausal", NULL }, NULL, 24, 160);

	ck_assert(terminal_wait_text(t, "1 problem(s) in the dump: _tfdbg_device_"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 21, "row 1/"));
	terminal_type(t, "W");
	ck_assert(terminal_wait_text(t, "Causality violated in timing relations of debug dumps: linear/pred"));
	terminal_type(t, "q:");
	leave_by_exit(t);
}
END_TEST

/* As with a dump: what was not opened, and what is damaged, which W lists. */
START_TEST(profiles_tell_what_is_wrong)
{
	static const char *const args[] = { ".", NULL };
	struct str bytes = {0};
	char *dir = scratch_new();
	struct terminal *t;

	ck_assert(read_whole("testdata/profile/linear/run_metadata.pb", &bytes));
	dump_put(dir, "run_metadata.pb", bytes.text, bytes.len);
	str_reset(&bytes);
	ck_assert(read_whole("testdata/profile/linear/graph.pb", &bytes));
	dump_put(dir, "a.pb", bytes.text, bytes.len);
	dump_put(dir, "b.pb", bytes.text, bytes.len);
	t = start_in(dir, args, NULL, 24, 80);
	ck_assert(terminal_wait_row(t, 20, "INFO: not opened: b.pb (GraphDef)"));
	leave_by_exit(t);
	dump_put(dir, "a.pb", bytes.text, bytes.len - 40);
	t = start_in(dir, args, NULL, 24, 80);
	ck_assert(terminal_wait_row(t, 20, "1 problem(s) in the profile: a.pb, offset "));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 21, "row 1/"));
	terminal_type(t, "W");
	ck_assert(terminal_wait_text(t, "1 problem(s) in the profile:"));
	ck_assert(terminal_wait_text(t, "not opened: b.pb (GraphDef)"));
	terminal_type(t, "q:");
	leave_by_exit(t);
	str_release(&bytes);
	scratch_remove(dir);
}
END_TEST

START_TEST(typed_answers_show)
{
	struct terminal *t = started(24, 80);

	terminal_enter(t, "lt -o csv -n cross_entropy/Log$");
	ck_assert(terminal_wait_row(t, 2, "tensor,debug_op,dump,time_us,size_bytes,op,device"));
	ck_assert(terminal_wait_row(t, 3, "cross_entropy/Log:0,DebugIdentity,0,"));
	leave_by_exit(t);
}
END_TEST

/* Panes. */

START_TEST(detail_follows_the_row)
{
	struct terminal *t = in_view(24, 80);

	terminal_type(t, "v2G");
	ck_assert(terminal_wait_row(t, 13, "--- pt hidden/weights/summaries/Rank:0 ----"));
	ck_assert(terminal_wait_row(t, 14,
	                            "Tensor \"hidden/weights/summaries/Rank:0:DebugIdentity\":"));
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | lt"));
	terminal_type(t, "j");
	ck_assert(terminal_wait_row(t, 13, "--- pt hidden/weights/summaries/range/delta:0 ---"));
	terminal_type(t, "}}");
	ck_assert(terminal_wait_row(t, 15, "--- pt hidden/weights/summaries/range/delta:0 ---"));
	terminal_type(t, "{{w");
	ck_assert(terminal_wait_cursor(t, 14, 0));
	ck_assert(terminal_wait_row(t, 1, "| pt hidden/weights/summaries/range/delta:0"));
	terminal_type(t, "z");
	ck_assert(terminal_wait_row(t, 3, "Tensor \"hidden"));
	ck_assert(terminal_wait_row(t, 0, " [1/2] ---"));
	terminal_type(t, "zV");
	ck_assert(terminal_wait_row(t, 3, "│Tensor \"hidden"));
	terminal_resize(t, 24, 38);                      /* the list is hidden, not the focus */
	ck_assert(terminal_wait_row(t, 3, "Tensor \"hidden"));
	terminal_resize(t, 24, 80);
	ck_assert(terminal_wait_row(t, 3, "│Tensor \"hidden"));
	terminal_type(t, "q");
	ck_assert(terminal_wait_gone(t, "│"));
	ck_assert(terminal_wait_row(t, 1, "| lt"));
	terminal_type(t, ":");
	leave_by_exit(t);
}
END_TEST

START_TEST(panes_have_their_own_screens)
{
	struct terminal *t = started(24, 80);

	terminal_enter(t, "split h");
	ck_assert(terminal_wait_row(t, 11, "--- lt ---"));
	terminal_enter(t, "focus 2");
	terminal_enter(t, "help");
	ck_assert(terminal_wait_row(t, 11, "--- help ---"));     /* help has no menu */
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | help"));
	ck_assert(terminal_wait_row(t, 2, "301 dumped tensor(s):"));
	terminal_enter(t, "prev");
	ck_assert(terminal_wait_row(t, 11, "--- lt ---"));
	terminal_enter(t, "resize +3");
	ck_assert(terminal_wait_row(t, 8, "--- lt ---"));
	terminal_enter(t, "layout");
	ck_assert(terminal_wait_row(t, 20, "INFO: Layout: list:30/lt (single, detail, side, runs, timeline)"));
	terminal_enter(t, "layout sideways");
	ck_assert(terminal_wait_row(t, 20, "ERROR: No layout \"sideways\""));
	terminal_enter(t, "close");
	ck_assert(terminal_wait_gone(t, "--- lt ---"));
	terminal_enter(t, "close");
	ck_assert(terminal_wait_row(t, 20, "ERROR: The last pane stays"));
	terminal_enter(t, "layout side");
	ck_assert(terminal_wait_text(t, "│"));
	terminal_enter(t, "layout single");
	ck_assert(terminal_wait_gone(t, "│"));
	terminal_enter(t, "split x");
	ck_assert(terminal_wait_row(t, 20, "ERROR: Say split h"));
	terminal_enter(t, "focus 3");
	ck_assert(terminal_wait_row(t, 20, "ERROR: No pane 3; there are 1"));
	leave_by_exit(t);
}
END_TEST

/* The detail pane that is left is a pane like others. */
START_TEST(detail_pane_is_left_alone)
{
	struct terminal *t = started(24, 80);

	terminal_enter(t, "layout detail");
	ck_assert(terminal_wait_row(t, 13, "---  ---"));
	terminal_enter(t, "close");
	ck_assert(terminal_wait_gone(t, "dumped tensor(s)"));
	terminal_enter(t, "help");
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | help"));
	ck_assert(terminal_wait_text(t, "Close the pane with the focus"));
	terminal_enter(t, "split h");
	ck_assert(terminal_wait_text(t, "--- help ---"));
	leave_by_exit(t);
}
END_TEST

START_TEST(no_focus_on_a_pane_that_is_gone)
{
	static const char *const lines[] = { "layout timeline", "split h", "lt", "focus 2", "layout detail",
	                                     "close", "focus 2", "focus next", "lt", "split h", "focus 1" };
	struct terminal *t = start_in("testdata", (const char *const[]){ "train20", NULL }, NULL, 24, 80);

	ck_assert(terminal_wait_row(t, 22, "tfdbg>"));
	terminal_enter(t, "run");
	for (size_t i = 0; i < ROWS(lines); i++)
		terminal_enter(t, lines[i]);
	ck_assert(terminal_wait_row(t, 1, "| lt"));
	ck_assert(terminal_wait_text(t, "--- lt ---"));
	leave_by_exit(t);
}
END_TEST

/* A table of runs, or what stands for it, keeps its rows; what is typed there is answered below. */
START_TEST(layouts_open_their_panes)
{
	struct terminal *t = started(24, 80);

	terminal_enter(t, "layout runs");
	ck_assert(terminal_wait_row(t, 3, "dt (ms)"));
	ck_assert(terminal_wait_row(t, 10, "--- lt ----"));
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | lt"));
	terminal_enter(t, "focus 1");
	terminal_enter(t, "help lt");
	ck_assert(terminal_wait_text(t, "--- help lt ----"));
	ck_assert(terminal_wait_text(t, "complete"));
	terminal_resize(t, 50, 200);
	terminal_enter(t, "layout runs");
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | help lt"));
	ck_assert(terminal_wait_text(t, "│"));
	terminal_enter(t, "layout");
	ck_assert(terminal_wait_text(t, "INFO: Layout: runs (single, detail, side, runs, timeline)"));
	terminal_resize(t, 24, 80);
	terminal_enter(t, "layout timeline");
	ck_assert(terminal_wait_row(t, 11, "--- timeline ----"));
	ck_assert(terminal_wait_row(t, 1, "| kernels"));
	leave_by_exit(t);
}
END_TEST

START_TEST(layouts_are_saved)
{
	struct terminal *t = started(24, 80);

	terminal_enter(t, "layout detail");
	terminal_enter(t, "resize +2");
	terminal_enter(t, "layout save mine");
	ck_assert(terminal_wait_row(t, 20, "INFO: Saved: layout mine list:71/detail"));
	terminal_enter(t, "layout save detail");
	ck_assert(terminal_wait_row(t, 20, "ERROR: The layout \"detail\" is built in"));
	terminal_enter(t, "layout save a/b");
	ck_assert(terminal_wait_row(t, 20, "ERROR: \"a/b\" can't be a layout's name"));
	terminal_enter(t, "layout save");
	ck_assert(terminal_wait_row(t, 20, "ERROR: Say layout save NAME"));
	terminal_enter(t, "layout single");
	terminal_enter(t, "layout mine");
	ck_assert(terminal_wait_row(t, 15, "-----"));
	terminal_enter(t, "layout");
	ck_assert(terminal_wait_row(t, 20, "INFO: Layout: mine (single, detail, side, runs, timeline, mine)"));
	terminal_enter(t, "config set layout mine");
	ck_assert(terminal_wait_row(t, 1, "| config set layout mine"));
	leave_by_exit(t);
	t = started(24, 80);
	ck_assert(terminal_wait_row(t, 15, "-----"));
	leave_by_exit(t);
}
END_TEST

/* One message for the first bad line of the config, whatever it is about. */
START_TEST(bad_config_is_told_once)
{
	static const char text[] = "config set toast_seconds 60\nlayout mine list:60/detail|lt\nfuture\n";
	struct terminal *t;

	dump_put(home, "config/tensordbg/config", text, strlen(text));
	t = start(24, 80);
	ck_assert(terminal_wait_row(t, 20, "ERROR: config line 2: layout mine: column 15: / and | need "));
	terminal_enter(t, "layout mine");
	ck_assert(terminal_wait_row(t, 20, "ERROR: layout mine: column 15: / and | need parentheses"));
	leave_by_exit(t);
}
END_TEST

START_TEST(ascii_on_request)
{
	static const char *const args[] = { "--ascii", "mnist_nan", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 80);
	size_t len;
	const char *bytes;

	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	terminal_enter(t, "layout side");
	ck_assert(terminal_wait_row(t, 5, "|"));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, 21, "row 1/"));
	terminal_type(t, "s");
	ck_assert(terminal_wait_row(t, 5, "t (ms)^"));
	bytes = terminal_bytes(t, &len);
	for (size_t i = 0; i < len; i++)
		ck_assert_msg((unsigned char)bytes[i] < 0x80, "byte %zu", i);
	terminal_type(t, ":");
	leave_by_exit(t);
}
END_TEST

/*
 * The button goes down and stays down: a second report of that is none, but the move is. Curses
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
	terminal_click(t, 7, 2);
	ck_assert(terminal_wait_row(t, 21, "row 2/301"));
	ck_assert(terminal_wait_row(t, 9, "--- pt hidden/weights/summaries/Rank:0 ---"));
	terminal_mouse(t, 12, 40, 5, true);              /* the wheel moves what is under it */
	ck_assert(terminal_wait_row(t, 10, ""));
	ck_assert(terminal_wait_row(t, 21, "row 2/301"));
	terminal_click(t, 8, 3);
	ck_assert(terminal_wait_row(t, 21, "row 3/301"));
	terminal_click(t, 7, 3);
	ck_assert(terminal_wait_row(t, 21, "row 2/301"));
	terminal_click(t, 7, 3);
	ck_assert(terminal_wait_row(t, 1, "| pt hidden/weights/summaries/Rank:0"));
	terminal_type(t, ":");
	leave_by_exit(t);
}
END_TEST

/* Curses makes one event of a press and a release that are read together. */
START_TEST(clicks_in_a_burst)
{
	static const char click[] = "\033[<0;5;9M\033[<0;5;9m", bar_end[] = "\033[<0;80;21M\033[<0;80;21m";
	struct terminal *t = in_view(24, 80);

	terminal_type(t, "M");
	ck_assert(terminal_wait_row(t, 20, "INFO: Mouse mode: on"));
	terminal_type(t, bar_end);
	ck_assert(terminal_wait_row(t, 5, "[0.000]"));
	ck_assert(terminal_wait_row(t, 21, "row 1/301"));
	terminal_type(t, "\033[<65;5;8M\033[<65;5;8M\033[<64;5;8M");      /* wheel */
	ck_assert(terminal_wait_row(t, 21, "row 3/301"));        /* it was out of sight */
	terminal_type(t, click);
	ck_assert(terminal_wait_row(t, 21, "row 5/301"));
	terminal_type(t, "g");
	ck_assert(terminal_wait_row(t, 21, "row 1/301"));
	terminal_type(t, "\033[<0;3;6M\033[<0;3;6m");  /* a link */
	ck_assert(terminal_wait_row(t, 1, "| list_tensors -s timestamp -r"));
	leave_by_key(t);
}
END_TEST

START_TEST(settings_of_the_screen)
{
	struct terminal *t = started(24, 80);

	terminal_enter(t, "config set mouse_mode true");
	ck_assert(terminal_wait_row(t, 21, " Mouse: ON --"));
	terminal_enter(t, "config set mouse_mode false");
	ck_assert(terminal_wait_row(t, 21, " Mouse: OFF --"));
	terminal_enter(t, "config set page_keys line");
	ck_assert(terminal_wait_row(t, 1, "| config set page_keys line"));
	terminal_enter(t, "lt");
	ck_assert(terminal_wait_row(t, 3, "301 dumped"));
	terminal_press(t, TKEY_PAGE_DOWN);
	ck_assert(terminal_wait_row(t, 4, "t (ms)"));
	leave_by_exit(t);
}
END_TEST

/* Sizes. */

static const struct { int rows, cols; } sizes[] = {
	{ 24, 80 }, { 10, 40 }, { 6, 20 }, { 3, 10 }, { 1, 1 }, { 2, 1 }, { 1, 80 }, { 24, 1 },
	{ 60, 220 }, { 80, 300 },
};

START_TEST(starts_at_any_size)
{
	struct terminal *t = start(sizes[_i].rows, sizes[_i].cols);

	terminal_resize(t, 24, 80);
	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	leave_by_exit(t);
}
END_TEST

START_TEST(resizes_to_any_size_and_back)
{
	struct terminal *t = started(24, 80);

	terminal_type(t, "typed");
	ck_assert(terminal_wait_row(t, 22, "tfdbg> typed"));
	terminal_resize(t, sizes[_i].rows, sizes[_i].cols);
	terminal_resize(t, 25, 81);
	ck_assert(terminal_wait_row(t, 23, "tfdbg> typed"));
	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	ck_assert_uint_eq(strlen(terminal_row(t, 0)), 81);
	terminal_type(t, "\x03");
	leave_by_exit(t);
}
END_TEST

START_TEST(small_screens_give_up_parts)
{
	struct terminal *t = started(24, 80);

	terminal_resize(t, 10, 40);
	ck_assert(terminal_wait_row(t, 8, "tfdbg>"));
	ck_assert(terminal_wait_row(t, 7, "--- Scroll (PgDn): 0.00% "));
	terminal_resize(t, 6, 20);
	ck_assert(terminal_wait_row(t, 5, "tfdbg>"));
	ck_assert(terminal_wait_row(t, 1, "dumped"));
	terminal_resize(t, 3, 10);
	ck_assert(terminal_wait_row(t, 0, "terminal t"));
	terminal_resize(t, 24, 80);
	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	leave_by_exit(t);
}
END_TEST

/* Endings. */

START_TEST(dies_by_the_signal_with_the_terminal_restored)
{
	static const int numbers[] = { SIGTERM, SIGQUIT, SIGSEGV, SIGABRT, SIGHUP };
	struct terminal *t = started(24, 80);

	terminal_enter(t, "mouse on");
	ck_assert(terminal_wait_row(t, 21, " Mouse: ON --"));
	terminal_signal(t, numbers[_i]);
	expect_end(t, numbers[_i]);
}
END_TEST

/* The tag and length of a field whose message is `head` and `rest` bytes more, around it. */
static void put_around(struct str *head, uint32_t field, uint64_t rest)
{
	struct str out = {0};

	put_varint(&out, (uint64_t)field << 3 | 2);
	put_varint(&out, head->len + rest);
	str_put(&out, head->text, head->len);
	str_release(head);
	*head = out;
}

/* The tensor of a part gets so many zeros; the file has holes in place of them. */
static void make_huge(const struct small_dump *dump, const struct part *part, int64_t floats)
{
	uint64_t bytes = 4 * (uint64_t)floats;
	struct str head = {0}, path = {0};

	put_tensor_head(&head, 1, 1, &floats);
	put_varint(&head, 4 << 3 | 2);
	put_varint(&head, bytes);
	put_around(&head, 8, bytes);
	put_around(&head, 1, bytes);
	put_around(&head, 5, bytes);
	dump_put(dump->dir, part->name, head.text, head.len);
	str_fmt(&path, "%s/%s", dump->dir, part->name);
	ck_assert_int_eq(truncate(path.text, (off_t)(head.len + bytes)), 0);
	str_release(&head);
	str_release(&path);
}

static size_t count_entries(const char *dir)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static bool writes_beside(struct terminal *t, const void *dir)
{
	(void)t;
	return count_entries(dir) > 2 + 2;       /* . .. a b, and what is being written */
}

/* The job is stopped before the program ends: what it had written so far is gone. */
START_TEST(a_signal_stops_the_job)
{
	struct small_dump dump;
	struct str line = {0}, work = {0};
	struct terminal *t;

	small_dump_make(&dump);
	make_huge(&dump, &dump.part[0], (int64_t)1 << 30);
	dump_put(home, "work/a", "", 0);
	dump_put(home, "work/b", "", 0);
	str_fmt(&work, "%s/work", home);
	t = start_in(dump.dir, (const char *const[]){ ".", NULL }, NULL, 24, 80);
	ck_assert(terminal_wait_row(t, 3, "4 dumped tensor(s):"));
	str_fmt(&line, "pt linear/w:0 -w %s/x.csv", work.text);
	terminal_enter(t, line.text);
	ck_assert(terminal_wait_row(t, 21, "(Ctrl-C stops)"));
	ck_assert(terminal_wait(t, writes_beside, work.text));
	terminal_signal(t, SIGTERM);
	expect_end(t, SIGTERM);
	ck_assert_uint_eq(count_entries(work.text), 4);
	small_dump_remove(&dump);
	str_release(&line);
	str_release(&work);
}
END_TEST

START_TEST(ctrl_c_asks_before_it_leaves)
{
	struct terminal *t = started(24, 80);

	terminal_type(t, "\x03");
	ck_assert(terminal_wait_row(t, 20, "Press Ctrl-C again to leave."));
	terminal_signal(t, SIGINT);
	ck_assert(terminal_wait_row(t, 21, "Leave tensordbg? (y/n)"));
	terminal_type(t, "x");
	ck_assert(terminal_wait_gone(t, "Leave tensordbg?"));
	terminal_type(t, "\x04");                        /* Ctrl-D does nothing */
	terminal_type(t, "\x03\x03");
	ck_assert(terminal_wait_row(t, 21, "Leave tensordbg? (y/n)"));
	terminal_type(t, "\x03");
	expect_end(t, 0);
}
END_TEST

START_TEST(suspends_and_comes_back)
{
	static const char script[] =
		"set -m; \"$0\" mnist_nan; printf 'stopped %s\\n' \"$(stty -a | grep -c ' icanon')\"; "
		"fg >/dev/null; exit $?";
	const char *const argv[] = { "sh", "-c", script, program_path(), NULL };
	struct terminal *t = terminal_start(argv, NULL, "testdata", 24, 80);

	ck_assert_ptr_nonnull(t);
	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	terminal_type(t, "\x1a");
	ck_assert(terminal_wait_text(t, "dumped tensor(s):"));
	terminal_enter(t, "lt -s dump_size");
	ck_assert(terminal_wait_row(t, 1, "lt -s dump_size"));
	leave_by_exit(t);
}
END_TEST

/* Terminals. */

START_TEST(no_color_means_none)
{
	static const char *const env[] = { "NO_COLOR=1", NULL };
	struct terminal *t = start_with(env, 24, 80);

	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	ck_assert(terminal_wait_cursor(t, 22, 7));
	for (int row = 0; row < 24; row++)
		for (int col = 0; col < 80; col++) {
			ck_assert_int_eq(terminal_cell(t, row, col).fg, -1);
			ck_assert_int_eq(terminal_cell(t, row, col).bg, -1);
		}
	ck_assert(terminal_cell(t, 0, 0).reverse);
	leave_by_exit(t);
}
END_TEST

/* Text in the terminal's own colour, bars the other way round than on a dark background. */
START_TEST(light_backgrounds)
{
	static const char text[] = "config set background light\n";
	struct terminal *t;
	struct terminal_cell cell;

	dump_put(home, "config/tensordbg/config", text, strlen(text));
	t = started(24, 80);
	cell = terminal_cell(t, 0, 0);
	ck_assert_int_eq(cell.fg, 7);
	ck_assert_int_eq(cell.bg, 0);
	cell = terminal_cell(t, 3, 0);
	ck_assert_int_eq(cell.fg, -1);
	ck_assert_int_eq(cell.bg, -1);
	terminal_enter(t, "@x");
	ck_assert(terminal_wait_row(t, 20, "ERROR: "));
	cell = terminal_cell(t, 20, 0);
	ck_assert_int_eq(cell.fg, 7);
	ck_assert_int_eq(cell.bg, 1);
	leave_by_exit(t);
}
END_TEST

/* A terminal with direct colours: the number of a gray would be a blue. */
START_TEST(direct_colours)
{
	static const char entry[] =
		"direct|with direct colours,\n\tRGB, colors#0x1000000, pairs#0x7FFF,\n"
		"\tsetaf=\\E[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d"
		";%p1%{255}%&%d%;m,\n"
		"\tsetab=\\E[%?%p1%{8}%<%t4%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d"
		";%p1%{255}%&%d%;m,\n\tuse=xterm-256color,\n";
	static const char *const env[] = { "TERM=direct", NULL };
	static const char *const tic[] = { "/bin/sh", "-c", "tic -x -o .terminfo entry", NULL };
	struct program_run made;
	struct terminal *t;
	uint8_t fg[3], bg[3];

	dump_put(home, "entry", entry, strlen(entry));
	program_run(tic, home, NULL, &made);
	ck_assert_msg(!made.status, "%s", str_text(&made.err));
	program_release(&made);
	t = start_with(env, 24, 80);
	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	terminal_enter(t, "split h");
	ck_assert(terminal_wait_row(t, 11, "--- lt ---"));
	terminal_cell_rgb(t, 11, 0, fg, bg);
	ck_assert_uint_eq(fg[0], 138);           /* gray 245 */
	ck_assert_uint_eq(fg[1], 138);
	ck_assert_uint_eq(fg[2], 138);
	leave_by_exit(t);
}
END_TEST

START_TEST(vt100_works_without_colour)
{
	static const char *const env[] = { "TERM=vt100", NULL };
	struct terminal *t = start_with(env, 24, 80);

	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	terminal_press(t, TKEY_PAGE_DOWN);               /* terminfo has no such key */
	ck_assert(terminal_wait_row(t, 21, "(PgDn/PgUp)"));
	leave_by_exit(t);
}
END_TEST

START_TEST(dumb_terminals_get_lines)
{
	static const char *const env[] = { "TERM=dumb", NULL };
	struct terminal *t = start_with(env, 50, 80);
	const char *bytes;
	size_t len;

	ck_assert(terminal_wait_text(t, "tfdbg>"));
	bytes = terminal_bytes(t, &len);
	ck_assert_int_eq(strncmp(bytes, "tfdbg offline @ mnist_nan\r\n", 27), 0);
	terminal_enter(t, "nosuch");
	ck_assert(terminal_wait_text(t, "ERROR: Invalid command prefix \"nosuch\""));
	bytes = terminal_bytes(t, &len);
	ck_assert_ptr_null(memchr(bytes, '\033', len));
	ck_assert(terminal_wait_row(t, 6, "tfdbg>"));    /* an end of input counts at a prompt */
	terminal_type(t, "\x04");
	expect_end(t, 0);
}
END_TEST

START_TEST(line_interface_on_request)
{
	static const char *const args[] = { "--ui=line", "mnist_nan", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 50, 80);

	ck_assert(terminal_wait_text(t, "tfdbg>"));
	terminal_type(t, "half");
	ck_assert(terminal_wait_text(t, "tfdbg> half"));
	terminal_signal(t, SIGINT);
	terminal_type(t, "list_i\t xyzzy\r");
	ck_assert(terminal_wait_text(t, "tfdbg> list_inputs xyzzy"));
	leave_by_exit(t);
}
END_TEST

START_TEST(unknown_terminals_are_named)
{
	static const char *const env[] = { "TERM=nosuchterm", NULL };
	struct terminal *t = start_with(env, 24, 80);
	int status;

	ck_assert(terminal_wait_end(t, &status));
	ck_assert_int_eq(WEXITSTATUS(status), 2);
	ck_assert(terminal_wait_text(t, "nosuchterm"));
	ck_assert(terminal_settings_kept(t));
	terminal_free(t);
}
END_TEST

START_TEST(commands_before_the_keyboard)
{
	static const char *const args[] = { "-i", "-c", "lt -s dump_size", "-c", "nosuch",
	                                    "mnist_nan", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 80);

	ck_assert(terminal_wait_row(t, 1, "| <-- --> | nosuch"));
	terminal_enter(t, "prev");
	ck_assert(terminal_wait_row(t, 1, "(-1) lt -s dump_size"));
	terminal_enter(t, "exit");
	expect_end(t, 1 << 8);                           /* one of them failed */
}
END_TEST

START_TEST(history_lasts)
{
	struct terminal *t = started(24, 80);
	struct str path = {0}, text = {0};
	struct stat info;

	terminal_enter(t, "help");
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | help"));
	terminal_enter(t, "help");
	ck_assert(terminal_wait_cursor(t, 22, 7));
	terminal_enter(t, "prev");
	ck_assert(terminal_wait_row(t, 1, "(-1)"));
	terminal_enter(t, "/x");
	leave_by_exit(t);
	str_fmt(&path, "%s/state/tensordbg/history", home);
	ck_assert(read_whole(path.text, &text));
	ck_assert_str_eq(text.text, "help\n/x\n");
	ck_assert_int_eq(stat(path.text, &info), 0);
	ck_assert_uint_eq(info.st_mode & 0777, 0600);
	t = started(24, 80);
	terminal_press(t, TKEY_UP);
	ck_assert(terminal_wait_row(t, 22, "tfdbg> /x"));
	terminal_type(t, "\x03");
	leave_by_exit(t);
	str_release(&path);
	str_release(&text);
}
END_TEST

/*
 * The screens of the real tfdbg, where the recordings lie beside the checkout: the same keys, the
 * same text. What was mended since (tui.md) is let through row by row.
 */
static const char *const recorded[] = { "offline-80x24", "offline-120x40", "offline-60x12",
                                        "edge-80x24", "edge-120x40",
                                        "edge-60x12" };
#define RECORDINGS "../shared/corpus/screens"

/* Screens that differ by intention, by the number they begin with. */
static const char *const mended[] = {
	"offline 022", "offline 023",    /* run_info and run exist */
	"offline 025",                   /* Tab knows the nodes */
	/* slow clicks on the track count */
	"offline 026", "offline 027", "offline 028", "offline 029", "offline 030",
	"edge 004", "edge 005",          /* resize: the same line stays on top */
	"edge 011", "edge 012",          /* input outside ASCII */
	"offline 031",                   /* the button is held for a second */
	"offline 024",                   /* below run's answer; candidates that don't fit are counted */
	"edge 014", "edge 015",          /* no end at 220 columns */
	/* stray cells */
	"edge-60x12 007", "edge-60x12 008", "edge-60x12 009", "edge-60x12 010", "edge-60x12 013",
};

struct recording {
	char *text;              /* of the file, cut into lines */
	const char *keys;
	VEC(const char *) rows;
};

static void read_recording(const char *path, struct recording *r)
{
	struct str file = {0};

	ck_assert(read_whole(path, &file));
	r->text = file.text;
	for (char *line = r->text, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!strncmp(line, "# keys ", 7))
			r->keys = line + 7;
		else if (line[0] == '|')
			vec_push(&r->rows, line + 1);
	}
}

static void press_named(struct terminal *t, const char *name)
{
	static const struct { const char *name; enum terminal_key key; } keys[] = {
		{ "Enter", TKEY_ENTER }, { "Tab", TKEY_TAB }, { "Home", TKEY_HOME },
		{ "End", TKEY_END }, { "Up", TKEY_UP },
		{ "Down", TKEY_DOWN },
	};
	int row, col;

	if (!strncmp(name, "Ctrl-", 5))
		terminal_type(t, (const char[]){ name[5] & 0x1f, '\0' });
	else if (sscanf(name, "Click(%d,%d)", &row, &col) == 2)
		terminal_click(t, row, col);
	else if (sscanf(name, "Resize(%dx%d)", &col, &row) == 2)
		terminal_resize(t, row, col);
	for (size_t i = 0; i < ROWS(keys); i++)
		if (!strcmp(keys[i].name, name))
			terminal_press(t, keys[i].key);
}

static void play(struct terminal *t, const char *keys)
{
	while (*keys) {
		size_t len = keys[0] == '"' ? strcspn(keys + 1, "\"") + 2 : strcspn(keys, " ");
		char *word = keys[0] == '"' ? mem_copy(keys + 1, len - 2) : mem_copy(keys, len);

		if (keys[0] == '"')
			terminal_type(t, word);
		else
			press_named(t, word);
		free(word);
		keys += len;
		keys += strspn(keys, " ");
	}
}

/* Theirs is ours and an end of a scroll bar. */
static bool has_bar_end(const char *theirs, const char *ours)
{
	size_t len = strlen(theirs), ours_len = strlen(ours);

	if (len < 2 || (strcmp(theirs + len - 2, "UP") && strcmp(theirs + len - 2, "DN")))
		return false;
	return ours_len <= len - 2 && !strncmp(theirs, ours, ours_len) &&
	       strspn(theirs + ours_len, " ") == len - 2 - ours_len;
}

/*
 * The same text, but for what was mended: no scroll bar where all shows, a badge covers no text, a
 * toast owns its row, the title follows the size.
 */
static bool row_agrees(const char *theirs, const char *ours, int row)
{
	size_t badge = theirs[0] == '@' ? strcspn(theirs, "]") + 2 : 0;

	if (row == 0)
		return !strncmp(ours, "--- tfdbg offline @ single ---", 22);
	if (!strncmp(theirs, "--- Scroll (PgDn): 0.00%", 24) && !strstr(ours, "Scroll"))
		return strlen(theirs) == strlen(ours) && !strcmp(theirs + 40, ours + 40);
	if (has_bar_end(theirs, ours))
		return true;
	if (badge && strlen(ours) >= badge && strlen(theirs) >= badge)
		return !strcmp(theirs + badge, ours + badge);
	if (!strncmp(theirs, "ERROR: ", 7) || !strncmp(theirs, "Pattern not", 11))
		return !strncmp(ours, theirs, strcspn(ours, " ") + 6);
	return !strcmp(theirs, ours);
}

static bool agrees(struct terminal *t, const void *ctx)
{
	const struct recording *r = ctx;
	int rows, cols;

	terminal_size(t, &rows, &cols);
	for (int row = 0; row < rows && (size_t)row < r->rows.len; row++)
		if (!row_agrees(r->rows.at[row], terminal_row(t, row), row))
			return false;
	return true;
}

static bool is_mended(const char *folder, const char *name)
{
	for (size_t i = 0; i < ROWS(mended); i++)
		if (!strncmp(folder, mended[i], strcspn(mended[i], " ")) &&
		    !strncmp(name, mended[i] + strcspn(mended[i], " ") + 1, 3))
			return true;
	return false;
}

static int only_screens(const struct dirent *entry)
{
	return strstr(entry->d_name, ".screen") != NULL && !strstr(entry->d_name, "-after-exit") &&
	       !strstr(entry->d_name, "-after-quit");
}

START_TEST(replays_recorded_screens)
{
	struct str path = {0};
	struct dirent **files;
	struct terminal *t;
	int rows, cols, n, bad = 0;

	if (access(RECORDINGS, R_OK) != 0)
		return;
	ck_assert_int_eq(sscanf(strchr(recorded[_i], '-'), "-%dx%d", &cols, &rows), 2);
	t = start_in("../shared/corpus/runs", (const char *const[]){ "single", NULL }, NULL, rows,
	             cols);
	terminal_enter(t, "mouse on");
	str_fmt(&path, RECORDINGS "/%s", recorded[_i]);
	n = scandir(path.text, &files, only_screens, alphasort);
	for (int i = 0; i < n; i++) {
		struct recording r = {0};

		str_reset(&path);
		str_fmt(&path, RECORDINGS "/%s/%s", recorded[_i], files[i]->d_name);
		read_recording(path.text, &r);
		if (i)
			play(t, r.keys);
		if (!is_mended(recorded[_i], files[i]->d_name) && !terminal_wait(t, agrees, &r)) {
			fprintf(stderr, "not as %s\n", path.text);
			bad++;
		}
		free(r.text);
		vec_release(&r.rows);
		free(files[i]);
	}
	free(files);
	str_release(&path);
	ck_assert_int_eq(bad, 0);
	terminal_free(t);
}
END_TEST

SUITE_MAIN("screen",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_test(t, first_screen_is_tfdbgs);
	tcase_add_test(t, suggestions_are_toasts);
	tcase_add_test(t, command_screens_and_history);
	tcase_add_test(t, paging);
	tcase_add_test(t, view_focus_and_links);
	tcase_add_test(t, cursor_comes_back_with_its_screen);
	tcase_add_test(t, search_from_prompt_and_view);
	tcase_add_test(t, elements_by_index);
	tcase_add_test(t, completion);
	tcase_add_test(t, mouse);
	tcase_add_test(t, rows_are_chopped_and_numbered);
	tcase_add_test(t, filter_as_it_is_typed);
	tcase_add_test(t, tables_are_sorted);
	tcase_add_test(t, ways_to_a_row);
	tcase_add_loop_test(t, rows_are_about_what_they_link_to, 0, ROWS(rows_about));
	tcase_add_test(t, pictures_and_details_of_nodes);
	tcase_add_test(t, bad_rows_are_found);
	tcase_add_test(t, errors_say_what_to_do);
	tcase_add_test(t, times_of_tensors_have_units);
	tcase_add_test(t, enter_says_when_there_is_nothing);
	tcase_add_test(t, escape_drops_the_innermost);
	tcase_add_test(t, rows_are_explained);
	tcase_add_test(t, source_lines_are_found);
	tcase_add_test(t, path_is_read_again);
	tcase_add_loop_test(t, keys_run_commands, 0, 6);
	tcase_add_test(t, letters_follow_links);
	tcase_add_test(t, copies_go_to_the_clipboard);
	tcase_add_test(t, profiles_tell_what_is_wrong);
	tcase_add_test(t, validation_is_told);
	tcase_add_test(t, typed_answers_show);
	tcase_add_test(t, detail_follows_the_row);
	tcase_add_test(t, panes_have_their_own_screens);
	tcase_add_test(t, detail_pane_is_left_alone);
	tcase_add_test(t, no_focus_on_a_pane_that_is_gone);
	tcase_add_test(t, layouts_open_their_panes);
	tcase_add_test(t, layouts_are_saved);
	tcase_add_test(t, bad_config_is_told_once);
	tcase_add_test(t, ascii_on_request);
	tcase_add_test(t, drags_and_double_clicks);
	tcase_add_test(t, settings_of_the_screen);
	tcase_add_test(t, paste_runs_nothing);
	tcase_add_test(t, long_lines_take_two_rows);
	tcase_add_loop_test(t, starts_at_any_size, 0, ROWS(sizes));
	tcase_add_loop_test(t, resizes_to_any_size_and_back, 0, ROWS(sizes));
	tcase_add_test(t, small_screens_give_up_parts);
	tcase_add_loop_test(t, dies_by_the_signal_with_the_terminal_restored, 0, 5);
	tcase_add_test(t, a_signal_stops_the_job);
	tcase_add_test(t, clicks_in_a_burst);
	tcase_add_test(t, ctrl_c_asks_before_it_leaves);
	tcase_add_test(t, suspends_and_comes_back);
	tcase_add_test(t, no_color_means_none);
	tcase_add_test(t, light_backgrounds);
	tcase_add_test(t, direct_colours);
	tcase_add_test(t, vt100_works_without_colour);
	tcase_add_test(t, dumb_terminals_get_lines);
	tcase_add_test(t, line_interface_on_request);
	tcase_add_test(t, unknown_terminals_are_named);
	tcase_add_test(t, commands_before_the_keyboard);
	tcase_add_test(t, history_lasts);
	tcase_add_loop_test(t, replays_recorded_screens, 0, ROWS(recorded));)
