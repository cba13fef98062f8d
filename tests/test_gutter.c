/* Signs beside rows in our style, and the columns of health where there is room for them. */
#include <locale.h>
#include <stdlib.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/suite.h"

#define MODERN "LC_ALL=C.UTF-8 --screen=modern "

static const struct session sessions[] = {
	{ "what is bad has a sign", 24, 100, MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", ANYWHERE, "● [10.148]  2.70k    Log" },
	    { "", ANYWHERE, "  [9.915]   2.68k    Softmax               softmax:0" } } },
	{ "without colour too", 24, 100, "NO_COLOR=1 " MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", ANYWHERE, "● [10.148]  2.70k    Log" } } },
	{ "and in ASCII", 24, 100, MODERN "--ascii mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", ANYWHERE, "! [10.148]  2.70k    Log" } } },
	{ "on little room", 10, 40, MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", ANYWHERE, "● [10.148]  2.70k    Log" } } },
	{ "what is damaged has one", 24, 80, MODERN "damaged_tensors",
	  { { "", ANYWHERE, "▲ [0.377]  0        MatMul     linear/xw:0" },
	    { "", ANYWHERE, "  [0.239]  196      VariableV2 linear/w:0" } } },
	{ "and what nobody knows", 24, 80, MODERN "dtypes",
	  { { ":lt -n uninit\r", ANYWHERE, "? [23.877]  192      VariableV2  uninit/matrix:0" },
	    { "", ANYWHERE, "  [23.906]  232      Assign      uninit/matrix/Assign:0" } } },
	{ "nodes in trees", 24, 80, MODERN "mnist_nan",
	  { { ":li -r cross_entropy/mul\r", ANYWHERE, "● |- (1) cross_entropy/Log" },
	    { "", ANYWHERE, "     |- (2) softmax" } } },
	{ "runs", 30, 100, MODERN "train20",
	  { { "", ANYWHERE, "●   2 23:48:22.329" }, { "", ANYWHERE, "    1 23:48:22.312" } } },
	{ "steps of a program", 30, 100, MODERN "v2/mode_CONCISE_HEALTH",
	  { { ":lx -f has_nan\r", ANYWHERE, "●  31" } } },
	{ "marks", 24, 80, MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "mx", 5, "x [0.000]" },
	    { ":lt -n .*Log$\r", ANYWHERE, "● [10.148]" }, { "my", ANYWHERE, "●y[10.148]" },
	    { "q", 5, "x [0.000]" } } },
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
	      "● [10.148]  2.70k    -inf 64       float32  (64,10)    -82.43    -0.4311   ▂ ▂" },
	    { ":ni softmax\r", 1, "ni softmax" }, { "q", 1, " lt --health" } } },
	{ "it follows the width", 24, 100, MODERN "mnist_nan",
	  { { "", ANYWHERE, "[0.000]" }, { "/Log:0\r", 1, " ‹ › lt" }, { "", GONE, "Shape  " },
	    { "<Resize(140x24)>", 1, " ‹ › lt --health" },
	    { "", ANYWHERE, "● [10.148]  2.70k    -inf 64       float32" },
	    { "<Resize(100x24)>", ANYWHERE, "● [10.148]  2.70k    Log" },
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

SUITE_MAIN("gutter",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, screens, 0, ROWS(sessions));)
