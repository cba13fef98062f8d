/* Pictures of profiles and graphs in our style: they take the room of their pane. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

#define FINE "LC_ALL=C.UTF-8 --screen=modern "
#define ASCII "LC_ALL=C.UTF-8 --screen=modern --ascii "

static const struct session sessions[] = {
	{ "bars in eighths of a column", 24, 120, FINE "profile/gpu_like",
	  { { ":kernels\r", 7, "6.13M  ██████████████  block_2/expand" },
	    { "", 8, "6.13M  █████████████▉  stem" }, { "", 11, "█████████████▍  " } } },
	{ "bars grow with their pane", 24, 200, FINE "profile/gpu_like",
	  { { ":kernels\r", 7, "6.13M  ██████████████████████████████" },
	    { "", 7, "█  block_2/expand" },
	    { "<Resize(80x24)>", 7, "37.77us  ████████  block_2/expand" },
	    { "<Resize(50x24)>", GONE, "███" } } },
	{ "bars of ASCII", 24, 120, ASCII "profile/gpu_like",
	  { { ":kernels\r", 7, "6.13M  ##############  block_2/expand" } } },
	{ "scopes in eighths", 24, 120, FINE "profile/gpu_like",
	  { { ":scopes\r", 3, "▕gradients ██" }, { "", 4, "▕block_1 █▏" },
	    { "", 7, " ██▋ stem_grad" }, { "", 14, " ▌ BiasAdd_grad" } } },
	{ "scopes of ASCII", 24, 120, ASCII "profile/gpu_like",
	  { { ":scopes\r", 3, "[gradients===" }, { "", 7, " ## stem_grad" } } },
	{ "memory as high as its pane", 30, 80, FINE "profile/gpu_like",
	  { { ":memory GPU_0_bfc\r", 2, " 75.16M       " }, { "", 15, "        0      ▁▁▁▁██" },
	    { "", 16, "^ +2.172ms  75.16M in 90 tensors" }, { "", 26, "block_" },
	    { "<Right>", 16, "^ +2.2" } } },
	{ "memory of ASCII", 30, 80, ASCII "profile/gpu_like",
	  { { ":memory GPU_0_bfc\r", 2, " 75.16M       " }, { "", 15, "        0      ######" },
	    { "", 16, "^ +2.172ms" } } },
	{ "a chart for each allocator", 30, 80, FINE "profile/gpu_like",
	  { { ":memory\r", 6, "    1.15M ████" }, { "", 9, "^ cpu  +7.000us  1.15M in 2" },
	    { "", 11, "   75.16M     " }, { "", 25, "^ GPU_0_bfc  +2.172ms" },
	    { "", 26, "          +0      " }, { "", 26, "+4.769ms" } } },
	{ "strips where charts have no room", 12, 80, FINE "profile/gpu_like",
	  { { ":memory\r", 6, "cpu        ████" }, { "", 7, "GPU_0_bfc       ▁" } } },
	{ "the chart grows with its pane", 24, 80, FINE "profile/gpu_like",
	  { { ":memory GPU_0_bfc\r", 12, "^ +2.172ms" },
	    { "<Resize(80x40)>", 23, "^ +2.172ms" } } },
	{ "a picture as large as its pane", 24, 80, FINE "mnist_nan",
	  { { ":picture hidden/Wx_plus_b/add:0\r", 5, "  ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀" },
	    { "", 19, "half a cell is 2 to 3 rows x 1 column" }, { "", 20, "-131.8  " },
	    { "", 21, " rows 0-1, col 0  mean " }, { "jj<Right>", 21, " rows 4-5, col 1  mean " },
	    { "$", 21, "col 15" }, { "G", 21, " rows 59-60, " }, { "k", 21, " rows 5" },
	    { "", 21, "-58, col 15" },
	    { "<Resize(120x40)>", 36, "-131.8  " }, { "", 35, "half a cell is 1 to 2 rows" } } },
	{ "bins are told", 24, 80, FINE "mnist_nan",
	  { { ":picture hidden/Wx_plus_b/add:0 --kind hist\r", 21,
	      " bin 1/77  -119 <= x < -115.8  " },
	    { "", 18, "-----" }, { "", 20, "77 bins" },
	    { "<Right><Right>", 21, " bin 3/77  -112.5 <= x < -109.3  count 22" },
	    { "$", 21, " bin 77/77  128.5 <= x <= 131.8  count 2" },
	    { "%", 21, " bin 77/77  " }, { "", 21, " <= x  count " } } },
	{ "a sparkline as high as its pane", 24, 80, FINE "mnist_nan",
	  { { ":picture hidden/Wx_plus_b/add:0 --kind spark\r", 18, "  ████████████████████" },
	    { "", 20, "heights 0 to 131.8" }, { "<Right>", 21, " elements 13-25  max abs " } } },
	{ "a list of few runs takes few rows", 24, 80, FINE "train20",
	  { { ":run -t 2\r", 5, "> 2 23:48:22.329" }, { "", 6, "─ lt ── row 1/32 ──" } } },
	{ "a tensor is drawn as it was", 24, 100, FINE "train20",
	  { { "", 1, "runs" }, { ":run -t 2\r", 1, "lt" },
	    { ":picture hidden/log_x:0\r", 1, "log_x:0" }, { "%", 1, "log_x:0 --percentiles" },
	    { "c", 1, "log_x:0 --colors gray --percentiles" },
	    { ":run -b 1\r", 0, "run 1 of 2" },
	    { ":picture hidden/log_x\r", 1, "log_x --colors gray --percentiles" },
	    { "%", GONE, "--percentiles" }, { "", 1, "log_x --colors gray" },
	    { ":picture hidden/add:0\r", 1, "hidden/add:0" }, { "", GONE, "--colors" },
	    { ":picture hidden/log_x:0[:2]\r", 1, "log_x:0[:2] --colors gray" },
	    { "", GONE, "--percentiles" }, { "%", 1, "--percentiles" },
	    { ":grid hidden/log_x:0\r", 1, "grid hidden/log_x:0" }, { "", GONE, "--percentiles" },
	    { "c", 1, "grid hidden/log_x:0 --colors heat" }, { "%", 1, "heat --percentiles" },
	    { ":ni hidden/log_x\r", 1, "ni hidden" },
	    { ":grid hidden/log_x:0\r", 1, "log_x:0 --colors heat --percentiles" } } },
	{ "a picture of one element", 24, 80, FINE "mnist_nan",
	  { { ":picture hidden/weights/summaries/Rank:0\r", 18, "██" },
	    { "", GONE, "Left Right" } } },
	{ "lanes in blocks", 24, 120, FINE "profile/gpu_like",
	  { { ":timeline\r", 4, "─┬────" }, { "", 5, " CPU:0 host  <1% ▁" },
	    { "", 6, " GPU:0 host  58%         ▁▃▂▃▂▆▇█▆" } } },
	{ "lanes of ASCII", 24, 120, ASCII "profile/gpu_like",
	  { { ":timeline\r", 4, "-|----" }, { "", 6, " GPU:0 host  58%         [" },
	    { "", 9, "| " } } },
	{ "names in slices that have room", 24, 120, FINE "profile/gpu_like",
	  { { ":timeline\r", 5, " CPU:0 host" }, { "j", 21, " Momentum/momentum Const" },
	    { "........", 6, "▕momentum ██" }, { "", 6, "  ▕Const_1 ██▏" } } },
	{ "slices that are cut have no side there", 24, 120, FINE "profile/gpu_like",
	  { { ":timeline\r", 5, " CPU:0 host" }, { "j", 21, " Momentum/momentum Const" },
	    { "..........", 6, "58% momentum ██" } } },
	{ "what runs from the cursor on", 24, 120, FINE "profile/gpu_like",
	  { { ":timeline\r", 8, "     From      Took  Lane        Name" },
	    { "", 9, "  2.151us   2.107us  CPU:0 host  images  Placeholder" },
	    { "", 20, "490.6us   1.698us  GPU:0 host  block_0/dw  VariableV2" },
	    { "j", 9, "  410.3us   3.067us  GPU:0 host  Momentum/momentum" },
	    { "j", 21, " Momentum/momentum Const" }, { "G", 21, " Momentum/momentum Const" } } },
	{ "the list grows with its pane", 14, 120, FINE "profile/gpu_like",
	  { { ":timeline\r", 8, "  From      Took" },
	    { "<Resize(120x30)>", 26, "GPU:0 host" } } },
	{ "no list without room for it", 10, 40, FINE "profile/gpu_like",
	  { { ":timeline\r", 3, "CPU:0 h" }, { "", GONE, "Took" } } },
	{ "boxes and lines", 24, 120, FINE "mnist_nan",
	  { { ":graph cross_entropy/Log\r", 4, "┐    ╔═════" }, { "", 4, "═╗    ┌───" },
	    { "", 5, "│softmax   " }, { "", 5, "Softmax│───>║cross_entropy/Log   " },
	    { "", 5, " Log║─┬─>│" }, { "", 6, "╝ │  └─" }, { "", 8, " ├─>│cross_entropy/mul " },
	    { "", 11, " └─>│" } } },
	{ "as many boxes as there is room for", 40, 200, FINE "mnist_nan",
	  { { ":graph cross_entropy/Log\r", 2, "depth 3" }, { "", 3, "  inputs 3" },
	    { "<Right>", 37, " train/gradients/cross_entropy/mul_grad/Shape_1 " },
	    { "<Resize(120x40)>", 2, "depth 1" }, { "", 37, "/mul_grad/Shape_1 " },
	    { ".", 1, "--depth 2" }, { "", 2, "depth 2" } } },
	{ "a click chooses a box, another opens it", 24, 120, FINE "mnist_nan",
	  { { ":graph cross_entropy/Log\r", 5, "║cross_entropy/Log" },
	    { ":mouse on\r", 21, "Mouse mode: on" },
	    { "<Click(8,90)>", 21, " cross_entropy/mul Mul  " },
	    { "", 1, "graph cross_entropy/Log" },
	    { "<Click(14,40)>", 21, " cross_entropy/mul Mul  " },
	    { "<Click(8,88)>", 1, "graph cross_entropy/mul" },
	    { "", 5, "║cross_entropy/mul" }, { "q", 1, "graph cross_entropy/Log" },
	    { "<Click(11,91)><Click(11,91)>", 1, "graph train/gradients" } } },
	{ "a click chooses a slice, another opens it", 24, 120, FINE "profile/gpu_like",
	  { { ":timeline\r", 9, "2.151us" }, { ":mouse on\r", 21, "Mouse mode: on" },
	    { "<Click(12,60)>", 21, " block_" }, { "", 21, " GPU:0 host" },
	    { "<Click(12,60)>", 1, "kernels -g op --of block_" }, { "q", 1, "timeline" },
	    { "<Click(6,60)>", 21, " Mul 1.988ms + 24.48us" } } },
	{ "the wheel goes on in time", 24, 120, FINE "profile/gpu_like",
	  { { ":timeline\r", 9, "2.151us" }, { ":mouse on\r", 21, "Mouse mode: on" },
	    { "...", 3, "300" }, { "<Wheeld(6,60)><Wheeld(6,60)>", 3, "600" },
	    { "<Wheelu(6,60)><Wheelu(6,60)>", 3, "300" } } },
	{ "a click chooses a bin", 24, 80, FINE "mnist_nan",
	  { { ":picture hidden/Wx_plus_b/add:0 --kind hist\r", 21, " bin 1/77  " },
	    { ":mouse on\r", 21, "Mouse mode: on" }, { "<Click(12,11)>", 21, " bin 10/77  " },
	    { "<Click(12,11)>", 21, " bin 10/77  " } } },
	{ "the cell of the cursor shows", 24, 80, FINE "mnist_nan",
	  { { ":grid cross_entropy/Log:0\r", 3, "[,0]" },
	    { "<Right><Right><Right><Right><Right><Right>", 21, "cell [0,6]" },
	    { "", 3, "[,0]" }, { "<Right>", 3, "[,7]" }, { "", GONE, "[,0]" } } },
	{ "26 links have a letter each", 29, 80, FINE "mnist_nan",
	  { { "", 26, "row 1/301" }, { "f", 26, "type the letters of a link" },
	    { "m", 1, "pt logits/weights/summaries/Const:0" } } },
	{ "rows of boxes", 24, 120, FINE "mnist_nan",
	  { { ":graph cross_entropy/Log\r", 5, "║cross_entropy/Log" },
	    { "<Right>", 21, "cross_entropy/mul_grad/Shape_1 Shape" },
	    { "j", 21, " cross_entropy/mul Mul" }, { "", 5, "║─┐" },
	    { "", 8, " └─>│cross_entropy/mul " },
	    { "jj", 21, "cross_entropy/mul_grad/Mul Mul" }, { "k", 21, " cross_entropy/mul Mul" },
	    { "kk", 21, "cross_entropy/mul_grad/Shape_1 Shape" } } },
	{ "boxes without frames", 11, 120, FINE "mnist_nan",
	  { { ":graph cross_entropy/Log\r", 4, "Softmax│───>║cross_entropy/Log   " },
	    { "", 5, " ├─>│cross_entropy/mul " }, { "", 6, " └─>│" } } },
	{ "boxes of ASCII", 24, 120, ASCII "mnist_nan",
	  { { ":graph cross_entropy/Log\r", 4, "Softmax]--->[[cross_entropy/Log" } } },
	{ "trees tell what nodes hold", 24, 100, FINE "mnist_nan",
	  { { ":li -r -t cross_entropy/Log\r", 3, "|- (1) [Softmax] softmax" },
	    { "", 3, "ok  0 … 0.6498" }, { "", 6, "ok  -32.29 … 56.6" } } },
	{ "words behind a tree that leaves much room", 24, 200, FINE "mnist_nan",
	  { { ":li -r -t cross_entropy/Log\r", 3,
	      "|- (1) [Softmax] softmax                                   "
	      "                    ok  0 … " },
	    { "", 14, "[Identity] hidden/weights/Variable/read  ok  -7.637 … " } } },
	{ "what is bad in a tree", 24, 100, FINE "mnist_nan",
	  { { ":lo -r -d 3 cross_entropy/Log\r", 3, "ok  10 … 64" },
	    { "", 5, "● |  |  |- (3) train/gradients/cross_entropy/mul_grad/Sum " },
	    { "", 5, "  inf 64" }, { "]n", 21, "row 3/" } } },
	{ "what nodes hold in ASCII", 24, 100, ASCII "mnist_nan",
	  { { ":li -r -t cross_entropy/Log\r", 3, "ok  0 .. 0.6498" } } },
};

START_TEST(screens)
{
	play_session(&sessions[_i]);
}
END_TEST

/* "X" in lanes writes the step, and only says so. */
START_TEST(a_step_is_written)
{
	const char *args[] = { "--screen=modern", NULL, NULL };
	char *profile = realpath("testdata/profile/gpu_like", NULL);
	struct str path = {0};
	struct terminal *t;

	args[1] = profile;
	t = start_in(home, args, (const char *const[]){ "LC_ALL=C.UTF-8", NULL }, 24, 100);
	PLAY(t, { "", 1, "kernels" }, { ":timeline --step 0\r", 5, " CPU:0 host" },
	     { "X", 21, "INFO: Timeline written to timeline_0.json." },
	     { "", 1, "timeline --step 0" }, { "", 5, " CPU:0 host" });
	str_reset(&path);
	str_fmt(&path, "%s/timeline_0.json", home);
	ck_assert_int_eq(access(path.text, R_OK), 0);
	remove(path.text);
	str_release(&path);
	free(profile);
	leave_by_key(t);
}
END_TEST

/* It is not told as done if it was not. */
START_TEST(a_step_is_not_written)
{
	const char *args[] = { "--screen=modern", NULL, NULL };
	char *profile = realpath("testdata/profile/gpu_like", NULL);
	struct terminal *t;

	args[1] = profile;
	t = start_in("/proc", args, (const char *const[]){ "LC_ALL=C.UTF-8", NULL }, 24, 100);
	PLAY(t, { "", 1, "kernels" }, { ":timeline --step 0\r", 5, " CPU:0 host" },
	     { "X", 21, "timeline_0.json" }, { "", 21, "ERROR" }, { "", 5, " CPU:0 host" });
	free(profile);
	leave_by_key(t);
}
END_TEST

#define KERNEL(ts, dur, id) \
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":" #ts \
	",\"dur\":" #dur ",\"args\":{\"device\":0,\"stream\":7,\"correlation\":" #id "}}"

/* Three kernels side by side, too narrow for boxes of their own: two columns, then three. */
START_TEST(a_box_holds_the_number_of_ops)
{
	static const char trace[] =
		"[" KERNEL(0, 1.5, 1) "," KERNEL(2, 1.5, 2) "," KERNEL(4, 1.5, 3) ","
		KERNEL(6, 1, 4) "," KERNEL(290, 10, 5) "]";
	struct terminal *t;

	dump_put(home, "ops.json", trace, sizeof trace - 1);
	t = start_in(home, (const char *[]){ "--screen=modern", "--ascii", "ops.json", NULL },
	             (const char *const[]){ "LC_ALL=C.UTF-8", NULL }, 24, 120);
	PLAY(t, { ":timeline\r", 5, " GPU:0 stream 7/0   5% ##   " },
	     { "<Resize(140x24)>", 5, " GPU:0 stream 7/0   5% [3]   " });
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("full_panes",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, screens, 0, ROWS(sessions));
	tcase_add_test(t, a_box_holds_the_number_of_ops);
	tcase_add_test(t, a_step_is_written);
	tcase_add_test(t, a_step_is_not_written);)
