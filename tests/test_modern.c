/* The screen in our style. What both styles share the other suites ask, in tfdbg's. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/suite.h"

#define MODERN "LC_ALL=C.UTF-8 --screen=modern "

static const struct session sessions[] = {
	{ "regions of a list", 24, 80, MODERN "mnist_nan",
	  { { "", 0, " tensordbg  mnist_nan  301 tensors  1 device  14.76ms" },
	    { "", 1, " ‹ › lt" }, { "", 2, "  301 dumped tensor(s):" },
	    { "", 21, "row 1/301  0 %" }, { "", 22, ":" },
	    { "", 23, " Enter open  v detail  p picture  o node  & filter  / search  s sort" },
	    { "", 23, "? keys" } } },
	{ "the screen starts in the view", 24, 80, MODERN "mnist_nan",
	  { { "jj", 21, "row 3/301" }, { "G", 21, "row 301/301  100 %" },
	    { "gg", 21, "row 1/301" }, { "7gg", 21, "row 7/301" }, { "9G", 21, "row 9/301" } } },
	{ "a command leads back to the view", 24, 80, MODERN "mnist_nan",
	  { { ":", 23, " Esc view  Tab complete  F1 keys  ^C stop" },
	    { "pt logits/Wx_plus_b/add:0", 22, ": pt logits/Wx_plus_b/add:0" },
	    { "\r", 1, " ‹ › pt logits/Wx_plus_b/add:0" }, { "", 23, "? keys" },
	    { "q", 1, " ‹ › (-1) lt" } } },
	{ "i stays at the prompt", 24, 80, MODERN "mnist_nan",
	  { { "i", 23, "^C stop" }, { "ni cross_entropy/Log\r", 1, "ni cross_entropy/Log" },
	    { "li cross_entropy/Log\r", 1, "li cross_entropy/Log" }, { "", 23, "^C stop" },
	    { "<Esc>", 23, "? keys" } } },
	{ "Esc keeps the text", 24, 80, MODERN "mnist_nan",
	  { { ":lt -n Log", 22, ": lt -n Log" }, { "<Esc>", 23, " Esc view" },
	    { "<Esc>", 23, "? keys" },
	    { "", 22, ": lt -n Log" }, { ":\r", 1, "lt -n Log" } } },
	{ "Esc drops the innermost", 24, 80, MODERN "mnist_nan",
	  { { "&Log\r", 1, "[&Log 3/301]" }, { "v", ANYWHERE, "─ pt cross_entropy/Log:0 ─" },
	    { "<Esc>", GONE, "─ pt cross" }, { "<Esc>", GONE, "[&Log" },
	    { "<Esc>", 21, ": is the prompt, q leaves" } } },
	{ "q asks at the first screen", 24, 80, MODERN "mnist_nan",
	  { { "q", 21, "Leave tensordbg? (y/n)" }, { "", 23, " y leave  n stay" },
	    { "n", 23, "? keys" } } },
	{ "keys that wait are told", 24, 80, MODERN "mnist_nan",
	  { { "g", 23,
	      " g first row  t tensors  r runs  k kernels  l lanes  m memory  Esc drop it" },
	    { "<Esc>", 23, "? keys" } } },
	{ "g leads to views", 24, 100, MODERN "profile/gpu_like",
	  { { "", 1, "kernels" }, { "gm", 1, " ‹ › memory" }, { "gl", 1, " ‹ › timeline" },
	    { "gs", 1, " ‹ › scopes" }, { "gk", 1, " ‹ › kernels" } } },
	{ "the sheet of keys", 24, 80, MODERN "mnist_nan",
	  { { "", 23, "s sort" }, { "?", 2, "In tables" }, { "", 23, " Esc close" },
	    { "<Esc>", 23, "? keys" } } },
	{ "headings stay", 24, 80, MODERN "mnist_nan",
	  { { "", 4, "  t (ms)    Size (B) Op type" }, { "G", 2, "  t (ms)    Size (B) Op type" },
	    { "gg", 2, "  301 dumped tensor(s):" } } },
	{ "panes have frames", 24, 80, MODERN "mnist_nan",
	  { { "v", 2, "─ lt ── row 1/301 ──" },
	    { "", 13, "─ pt hidden/weights/summaries/range/start:0 ──" },
	    { "V", 2, "─ pt hidden" }, { "", 3, "Tensor" } } },
	{ "long names lose their middle", 24, 80, MODERN "mnist_nan",
	  { { "", 5, "hidden/…ghts/summaries/range/start:0" },
	    { "", 7, "hidden/…ghts/summaries/range/delta:0" },
	    { "<Right>", 5, "hidden/weights/summaries/range/start:0" } } },
	{ "a root begins with its runs", 24, 100, MODERN "train20",
	  { { "", 0, " tensordbg  train20  2 runs" }, { "", 1, " ‹ › runs" },
	    { "\r", 0, " tensordbg  train20  run 1 of 2  32 tensors  1 device" },
	    { "", 2, "─ runs ──" }, { "", 4, "> 1 " }, { "", 10, "─ lt ── row 1/32 ──" } } },
	{ "steps are entered likewise", 26, 100, MODERN "v2/mode_CONCISE_HEALTH",
	  { { "", 1, " ‹ › lx" }, { "jjj\r", 2, "─ lx ─" } } },
	{ "the menu has letters", 24, 80, MODERN "mnist_nan",
	  { { "\r", 1, "pt hidden" }, { "f", 23, "_info | " }, { "<Esc>", 23, "? keys" } } },
	{ "signs of ASCII", 24, 80, "LC_ALL=C.UTF-8 --screen=modern --ascii mnist_nan",
	  { { "", 1, " < > lt" }, { "v", 2, "- lt -- row 1/301 --" } } },
	{ "a second key without a meaning", 24, 80, MODERN "mnist_nan",
	  { { "Q", 21, "No key \"Q\" here." }, { "Q", 21, ": opens the prompt" },
	    { "j", 21, "row 2/301" }, { "Q", 21, "No key \"Q\" here." } } },
	{ "N searches backward", 24, 80, MODERN "mnist_nan",
	  { { "GN", 22, ": ?" }, { "Log\r", 21, "match " }, { "gg", 21, "row 1/301" },
	    { "N", 21, "match " } } },
	{ "clicks on the bar are keys", 24, 80, MODERN "mnist_nan",
	  { { ":mouse on\r", 21, "Mouse mode: on" },
	    { "<Click(23,13)>", ANYWHERE, "─ pt hidden/weights/summaries/range/start:0 ─" },
	    { "<Click(23,13)>", GONE, "─ pt hidden" }, { "<Click(23,71)>", 2, "In tables" },
	    { "<Click(23,3)>", 2, "dumped tensor(s):" } } },
	{ "clicks on headings sort", 24, 80, MODERN "mnist_nan",
	  { { ":mouse on\r", 21, "Mouse mode: on" }, { "<Click(4,15)>", 1, "size_bytes▲" },
	    { "<Click(4,15)>", 1, "size_bytes▼" }, { "<Click(4,15)>", 1, "size_bytes▲" },
	    { "<Click(4,25)>", 1, "op▲" }, { "<Click(4,30)>", 4, "Op type▲" } } },
	{ "keys are bound", 24, 80, MODERN "mnist_nan",
	  { { ":bind tables X ni -a %n\r", 21, "Bound and saved" },
	    { "X", 1, "ni -a hidden/weights/summaries/r" }, { "q", 1, "lt" },
	    { "?", 2, "Bound" }, { "", 3, "X                   ni -a %n" }, { "q", 2, "dumped" },
	    { ":bind tables X pt %t\r", 21, "Bound and saved" },
	    { "X", 1, "pt hidden/weights/summaries/r" }, { "q", 1, "lt" },
	    { ":bind view Y lt -n %r.*%n\r", 21, "Bound and saved" },
	    { "Y", 1, "lt -n 1.*hidden/weights/summaries/r" },
	    { ":messages\r", 1, "messages" }, { "Y", 21, "about no node: lt -n %r.*%n" },
	    { ":bind\r", 4, "view                 Y          lt -n %r.*%n" },
	    { ":unbind tables X\r", 21, "Not bound any more" }, { ":lt\r", 1, "lt" },
	    { "X", 21, "No key \"X\" here" } } },
	{ "aliases", 24, 80, MODERN "mnist_nan",
	  { { ":alias big lt -s dump_size\r", 2, "Alias \"big\": lt -s dump_size" },
	    { ":big -r\r", 1, "lt -s dump_size -r" }, { ":alias\r", 2, "1 alias(es):" },
	    { ":alias lt ls\r", ANYWHERE, "lt is a command" },
	    { ":unalias big\r", 2, "Removed alias" } } },
	{ "another style at once", 24, 80, MODERN "mnist_nan",
	  { { ":config set style tfdbg\r", ANYWHERE, "tfdbg>" },
	    { "", 0, "--- tfdbg offline @" }, { "config set style modern\r", 0, " tensordbg " },
	    { "", 22, ":" } } },
	{ "little room", 10, 40, MODERN "mnist_nan",
	  { { "", 0, " tensordbg  mnist_nan" }, { "", 9, "? keys" } } },
	{ "the keys give way to the prompt", 8, 40, MODERN "mnist_nan",
	  { { ":", 7, ":" }, { "<Esc>", 7, "? keys" } } },
};

START_TEST(screens)
{
	play_session(&sessions[_i]);
}
END_TEST

SUITE_MAIN("modern",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, screens, 0, ROWS(sessions));)
