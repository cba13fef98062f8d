/* Signs beside rows in our style, and the columns of health where there is room for them. */
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/str.h"
#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/suite.h"

#define MODERN "LC_ALL=C.UTF-8 --screen=modern "

static const struct session sessions[] = {
	{ "what is bad has a sign", 24, 100, MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", ANYWHERE, "◆ [10.148]  2.70k    Log" },
	    { "", ANYWHERE, "  [9.915]   2.68k    Softmax               softmax:0" } } },
	{ "without colour too", 24, 100, "NO_COLOR=1 " MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", ANYWHERE, "◆ [10.148]  2.70k    Log" } } },
	{ "and in ASCII", 24, 100, MODERN "--ascii mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", ANYWHERE, "* [10.148]  2.70k    Log" } } },
	{ "on little room", 10, 40, MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", ANYWHERE, "◆ [10.148]  2.70k    Log" } } },
	{ "what is damaged has one", 24, 80, MODERN "damaged_tensors",
	  { { "", ANYWHERE, "▲ [0.377]  0        MatMul     linear/xw:0" },
	    { "", ANYWHERE, "  [0.239]  196      VariableV2 linear/w:0" } } },
	{ "and what nobody knows", 24, 80, MODERN "dtypes",
	  { { ":lt -n uninit\r", ANYWHERE, "? [23.877]  192      VariableV2  uninit/matrix:0" },
	    { "", ANYWHERE, "  [23.906]  232      Assign      uninit/matrix/Assign:0" } } },
	{ "nodes in trees", 24, 80, MODERN "mnist_nan",
	  { { ":li -r cross_entropy/mul\r", ANYWHERE, "◆ |- (1) cross_entropy/Log" },
	    { "", ANYWHERE, "     |- (2) softmax" } } },
	{ "ops of a program, in its step", 30, 100, MODERN "v2/mode_CONCISE_HEALTH",
	  { { ":run --to 7\r", ANYWHERE, "step #7" },
	    { ":lo -r Log\r", ANYWHERE, "  |- (1) mul  " },
	    { "", ANYWHERE, "  ok" }, { ":run --to 31\r", ANYWHERE, "step #31" },
	    { ":lo -r Log\r", ANYWHERE, "● |- (1) mul  " }, { "", ANYWHERE, "  nan x7 -inf x3" },
	    { "", ANYWHERE, "          |- (5) Identity (never dumped)" } } },
	{ "steps in trees", 30, 100, MODERN "v2/mode_CONCISE_HEALTH",
	  { { ":lo -r '#31'\r", ANYWHERE, "● |- (1) AddV2#36 (takes output 0)  nan x1" } } },
	{ "runs", 30, 100, MODERN "train20",
	  { { "", ANYWHERE, "●   2 23:48:22.329" }, { "", ANYWHERE, "    1 23:48:22.312" } } },
	{ "steps of a program", 30, 100, MODERN "v2/mode_CONCISE_HEALTH",
	  { { ":lx -f has_nan\r", ANYWHERE, "●  31" } } },
	{ "marks", 24, 80, MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "mx", 5, "x [0.000]" },
	    { ":lt -n .*Log$\r", ANYWHERE, "◆ [10.148]" }, { "my", ANYWHERE, "◆y[10.148]" },
	    { "q", 5, "x [0.000]" } } },
	{ "marks of their own run", 24, 80, MODERN "train20",
	  { { ":run -t 2\r", 1, "lt" }, { ":lt -n hidden.*\r", 1, "hidden" },
	    { "mx", ANYWHERE, "x[0.799]" }, { ":run -b 1\r", 0, "run 1 of 2" },
	    { ":lt -n hidden.*\r", 1, "hidden" }, { "", ANYWHERE, "hidden/log_x:0" },
	    { "", GONE, "x[" }, { "", GONE, "x [" } } },
	{ "bad elements", 24, 80, MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" },
	    { ":pt cross_entropy/Log:0\r", 7, "● array([[        -inf" },
	    { "", 8, "          -19.396154" } } },
	{ "differences", 24, 80, MODERN "train20",
	  { { ":run\r", 0, "run 1 of 2" }, { ":run\r", 0, "run 2 of 2" },
	    { ":diff 1\r", ANYWHERE, "≠ " } } },
	{ "another style has none", 24, 100, "LC_ALL=C.UTF-8 --screen=tfdbg mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", ANYWHERE, "[10.148]  2.70k    Log" },
	    { "", GONE, "●" } } },
	{ "health where there is room", 24, 140, MODERN "mnist_nan",
	  { { "", 1, " ‹ › lt --health" },
	    { "", 4, "Size (B) Bad           Dtype    Shape" },
	    { "/Log:0\r", ANYWHERE,
	      "◆ [10.148]  2.70k    -inf 64       float32  (64,10)    -82.43    -0.4311   ▂ ▂" },
	    { ":ni softmax\r", 1, "ni softmax" }, { "q", 1, " lt --health" } } },
	{ "a wrapped row has one sign", 24, 24, MODERN "mnist_nan",
	  { { ":li -r cross_entropy/mul\r", 7, "◆ |- (1) cross_entropy/" }, { "", 8, "  Log" } } },
	{ "it follows the width", 24, 100, MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", 21, "match 1 of 1" },
	    { "", 2, " Size (B) Op type  " },
	    { "<Resize(140x24)>", 1, " ‹ › lt --health" },
	    { "", ANYWHERE, "◆ [10.148]  2.70k    -inf 64       float32" },
	    { "<Resize(100x24)>", ANYWHERE, "◆ [10.148]  2.70k    Log" },
	    { "", GONE, "--health" } } },
	{ "not in a list that asks for it itself", 24, 140, MODERN "mnist_nan",
	  { { ":lt -s bad -r\r", 1, " ‹ › lt -s bad -r" }, { "", GONE, "-r --health" },
	    { "", ANYWHERE, "● [12.739]  7.27k    nan 1792" } } },
};

START_TEST(screens)
{
	play_session(&sessions[_i]);
}
END_TEST

/* ]n asks the signs beside the rows first: while a job runs, nothing else could answer. */
START_TEST(signs_need_no_job)
{
	struct str fifo = {0}, line = {0};
	struct terminal *t;
	int end;

	str_fmt(&fifo, "%s/fifo", home);
	ck_assert_int_eq(mkfifo(fifo.text, 0600), 0);
	t = start_in("testdata", (const char *[]){ "--screen=modern", "mnist_nan", NULL },
	             (const char *[]){ "SHELL=/bin/sh", "LC_ALL=C.UTF-8", NULL }, 24, 80);
	PLAY(t, { "", 21, "row 1/301" }, { ":lt -n cross_entropy\r", 21, "row 1/5" },
	     { "", 7, "◆ [10.148]" }, { "", 9, "● [10.334]" }, { "", GONE, "·" });
	str_fmt(&line, ":lt | cat %s\r", fifo.text);
	terminal_type(t, line.text);
	PLAY(t, { "", 21, "Ctrl-C stops" }, { "]n", 21, "row 2/5" }, { "2]n", 21, "row 4/5" },
	     { "[n", 21, "row 3/5" }, { "", 21, "Ctrl-C stops" });
	end = open(fifo.text, O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(end, 0);
	close(end);
	ck_assert(terminal_wait_gone(t, "Ctrl-C stops"));
	leave_by_key(t);
	str_release(&fifo);
	str_release(&line);
}
END_TEST

SUITE_MAIN("gutter",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, screens, 0, ROWS(sessions));
	tcase_add_test(t, signs_need_no_job);)
