/* Rows that are tagged or marked, and what is done with them. */
#include <stdlib.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/suite.h"

#define MODERN "SHELL=/bin/sh LC_ALL=C.UTF-8 --screen=modern "

static const struct session sessions[] = {
	{ "t goes from row to row", 24, 80, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { "t", 5, "+ [0.000]" }, { "", 21, "row 2/301" },
	    { "", 1, "1 tagged" }, { "3t", 8, "+ " }, { "", 1, "4 tagged" },
	    { "", 21, "row 5/301" }, { "kt", 1, "3 tagged" }, { "", 8, "  [0.838]" },
	    { "T", 21, "3 tag(s) taken away" }, { "", GONE, " tagged" },
	    { "", 5, "  [0.000]" } } },
	{ "a tag is on what the row is about", 24, 80, MODERN "mnist_nan",
	  { { ":lt -n .*/Log$\r", ANYWHERE, "◆ [10.148]" }, { "", 21, "row 1/" },
	    { "t", ANYWHERE, "◆+[10.148]" },
	    { ":lt -n cross_entropy/Log -s op_type\r", 1, "-s op_type" },
	    { "", ANYWHERE, "◆+[10.148]" },
	    { ":li -r cross_entropy/mul\r", ANYWHERE, "(1) cross_entropy/Log" },
	    { "", GONE, "●+" }, { "", 1, "1 tagged" } } },
	{ "what the list has", 24, 80, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { ":tagged\r", 2, "0 tagged row(s):" },
	    { "t", 21, "nothing that can be tagged" },
	    { ":tagged > file\r", 21, "Say tagged or tagged COMMAND" },
	    { "qtt", 1, "2 tagged" }, { ":tagged\r", 2, "2 tagged row(s):" },
	    { "", 3, "  hidden/weights/summaries/range/start:0  (tfdbg offline @ mnist_nan)" },
	    { "jj\r", 1, " pt hidden/weights/summaries/Rank:0" } } },
	{ "a command for each", 24, 80, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { ":tagged pt %t\r", 21, "No row is tagged here" },
	    { "tt", 1, "2 tagged" },
	    { ":tagged pt %t\r", 1, " pt hidden/weights/summaries/Rank:0" },
	    { "H", 1, " pt hidden/weights/summaries/range/start:0" },
	    { ":tagged ni -a %n\r", 1, " ni -a hidden/weights/summaries/Rank" },
	    { ":lt\r", 1, " lt" }, { "T99t", 1, "99 tagged" }, { "tt", 1, "101 tagged" },
	    { ":tagged pt %t\r", 21, "101 rows are tagged; a command goes over 100 at most" } } },
	{ "through a program", 24, 80, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { "tt", 1, "2 tagged" },
	    { ":tagged pt %t | sed s/^/%%/\r", 1, " pt hidden/weights/summaries/Rank:0 | sed" },
	    { "", 2, "%Tensor \"hidden/weights/summaries/Rank:0" } } },
	{ "of runs", 24, 100, MODERN "runs/hooks",
	  { { "", 1, "runs" }, { "tt", 1, "2 tagged" }, { "", 4, "+ " },
	    { ":tagged lt -n %n\r", 21, "2 of 2 left out: This row is about no node" },
	    { ":tagged runs %r\r", ANYWHERE, "runs" },
	    { ":run --to 3\r", 0, "run 3 (step 0) of 6" }, { "", 1, "2 tagged" },
	    { "t", 1, "3 tagged" },
	    { ":run --to 2\r", 0, "run 2 (step 0) of 6" }, { "", 1, "2 tagged" } } },
	{ "in tfdbg's style", 24, 80, "mnist_nan",
	  { { "", 3, "301 dumped tensor(s)" }, { "", ANYWHERE, "Mouse: O" },
	    { "<Esc>", 21, "row 1/301" }, { "t", ANYWHERE, "1 row(s) tagged" },
	    { "t", ANYWHERE, "2 row(s) tagged" },
	    { "T", ANYWHERE, "2 tag(s) taken away" } } },
	{ "marks lead back", 24, 80, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { "jjma", 21, "Mark a set" }, { "G", 21, "row 301/301" },
	    { ":pt logits/Wx_plus_b/add:0\r", 1, " pt logits" }, { "jjjjjjjmb", 21, "Mark b set" },
	    { ":marks\r", 2, "2 mark(s):" },
	    { "", 3, "a  hidden/weights/summaries/range/delta:0  row 3 of lt  (tfdbg " },
	    { "", 5, "b  logits/Wx_plus_b/add:0 [1,5]  row 8 of pt logits/Wx" },
	    { "j\r", 21, "row 3/301" }, { "", 1, " lt" }, { ":marks b\r", 1, " pt logits" },
	    { ":marks c\r", 21, "Mark c is not set" }, { ":marks 7\r", 21, "marks LETTER" },
	    { "'a", 21, "row 3/301" } } },
	{ "marks of another run", 24, 100, MODERN "train20",
	  { { ":run\r", 0, "run 1 of 2" }, { "", ANYWHERE, "row 1/32" },
	    { "jma", 21, "Mark a set" }, { ":run\r", 0, "run 2 of 2" },
	    { ":marks\r", ANYWHERE, "row 2 of lt  (run-end: run #1" },
	    { ":marks a\r", 21, "Mark a is not set" } } },
};

START_TEST(screens)
{
	play_session(&sessions[_i]);
}
END_TEST

SUITE_MAIN("tags",
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, screens, 0, ROWS(sessions));)
