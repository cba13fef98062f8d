/* The screen in our style. What both styles share the other suites ask, in tfdbg's. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

#define MODERN "LC_ALL=C.UTF-8 --screen=modern "

static const struct session sessions[] = {
	{ "columns of what a search for origins has read before", 24, 120,
	  "LC_ALL=C.UTF-8 --screen=modern mnist_nan",
	  { { "", 0, "◆ 1 origin" }, { "G", 21, "row 301/301" },
	    { "", 16, "ok            (28,16)    █▁▁▂▁▁▁▂ Sub" } } },
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
	{ "the cursor stays while a command is typed", 24, 80, MODERN "mnist_nan",
	  { { "jjj", 21, "row 4/301" }, { ":x", 23, "Esc close" }, { "<Esc>", 23, " Esc view" },
	    { "<Esc>", 23, "? keys" }, { "", 21, "row 4/301" },
	    { "j", 21, "row 5/301" } } },
	{ "Esc keeps the text", 24, 80, MODERN "mnist_nan",
	  { { ":lt -n Log", 22, ": lt -n Log" }, { "", 23, "Esc close" },
	    { "<Esc>", 23, " Esc view" },
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
	      " g first row  t tensors  r runs  k kernels  l lanes  m memory  Esc cancel" },
	    { "<Esc>", 23, "? keys" } } },
	{ "g leads to views", 24, 100, MODERN "profile/gpu_like",
	  { { "", 1, "kernels" }, { "gm", 1, " ‹ › memory" }, { "gl", 1, " ‹ › timeline" },
	    { "gs", 1, " ‹ › scopes" }, { "gk", 1, " ‹ › kernels" } } },
	{ "the sheet of keys", 24, 80, MODERN "mnist_nan",
	  { { "", 23, "s sort" }, { "?", 2, " keys:" }, { "", 3, " here" },
	    { "", 4, " <  " }, { "", 21, " <: choose the previous column, to sort by" },
	    { "", 23, " Enter do it  a-z narrow  Up Down choose  Esc close" },
	    { "<Esc>", 23, "? keys" }, { "", 5, "[0.000]" } } },
	{ "the sheet narrows", 24, 80, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { "?sor", 2, " keys: sor" }, { "", GONE, "filter" },
	    { "", 5, " >  " }, { "<Backspace><Backspace><Backspace>", 2, " keys:" },
	    { "", ANYWHERE, "copy the row" }, { "zzz", 3, "No key matches" },
	    { "\r", 2, " keys: zzz" },
	    { "<Esc>", 23, "? keys" } } },
	{ "Enter on a key does it", 24, 80, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { "?last row", 21, "G, End: last row" },
	    { "\r", 21, "row 301/301  100 %" },
	    { "?", 2, " keys:" }, { "gg", 21, "gg, Home: first row" },
	    { "\r", 21, "row 1/301" },
	    { "?m{", 21, "m{a-z}: mark this row" }, { "\r", 23, " {a-z} mark this row" },
	    { "aG'a", 21, "row 1/301" } } },
	{ "a click on a key does it", 24, 80, MODERN "mnist_nan",
	  { { "M", 21, "Mouse mode: on" }, { "?last row", 21, "G, End: last row" },
	    { "<Click(3,5)>", 2, " keys: last row" },
	    { "<Click(4,5)>", 21, "row 301/301  100 %" } } },
	{ "a click behind a key does nothing", 24, 80, MODERN "mnist_nan",
	  { { ":mouse on\r", 21, "Mouse mode: on" },
	    { ":filter\r", 23, " & filter  / search  q back  : command  ? keys" },
	    { "<Click(23,46)>j", 21, "row 2/3" }, { "", GONE, " keys:" },
	    { "<Click(23,45)>", 2, " keys:" } } },
	{ "the sheet of the prompt", 24, 80, MODERN "mnist_nan",
	  { { ":lt<F1>", 2, " keys:" }, { "", 4, " Tab " }, { "older", 21, "Up: older command" },
	    { "<F1>", 22, ": lt" } } },
	{ "help in groups", 24, 80, MODERN "mnist_nan",
	  { { ":help\r", 2, "  Look" }, { "", 3, "        doctor        What is damaged" },
	    { "", ANYWHERE, "pt    print_tensor" }, { "jjjjjjjjjjj\r", 1, " help list_tensors" },
	    { "", 3, "Aliases: lt" }, { "q", 2, "  Look" },
	    { ":help --all\r", 2, "alias" }, { "", GONE, "  Look" },
	    { ":help lt\r", 2, "list_tensors" } } },
	{ "help as it was in tfdbg's style", 24, 80, NULL,
	  { { "help\r", 2, "alias" }, { "", GONE, "  Look" } } },
	{ "why there are no rows", 24, 80, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { "&zzzz", 6, "no row matches zzzz; Esc gives it up" },
	    { "\r", 6, "no row matches zzzz; & Enter removes it" },
	    { "&yy\r", 6, "no row matches zzzz and yy; & Enter removes the last one" },
	    { "&\r&\r", GONE, "no row matches" },
	    { ":lt -n zzzz\r", 7, "nothing matches lt -n zzzz; q goes back" } } },
	{ "keys of the view's own", 40, 130, MODERN "profile/gpu_like",
	  { { "", 1, "kernels" }, { "?", 3, " here" }, { "", GONE, "older command" },
	    { "<Right>", ANYWHERE, "find" }, { "?", 39, "? keys" } } },
	{ "a little sheet scrolls", 10, 40, MODERN "mnist_nan",
	  { { "", 7, "row 1/301" }, { "?", 3, " here" }, { "<End>", 7, "Esc: to the view" },
	    { "<Home>", 3, " here" },
	    { "<Esc>", 9, "? keys" } } },
	{ "headings stay", 24, 80, MODERN "mnist_nan",
	  { { "", 4, "  t (ms)    Size (B) Op type" }, { "G", 2, "  t (ms)    Size (B) Op type" },
	    { "gg", 2, "  301 dumped tensor(s):" } } },
	{ "panes have frames", 24, 80, MODERN "mnist_nan",
	  { { "v", 2, "─ lt ── row 1/301 ──" },
	    { "", 13, "─ pt hidden/weights/summaries/range/start:0 ──" },
	    { "V", 2, "─ pt hidden" }, { "", 4, "Tensor" } } },
	{ "a tensor begins with what is known of it", 24, 80, MODERN "mnist_nan",
	  { { "]n", 21, " float32 (64,10)  -inf 64  min -82.43  max -0.4311   " },
	    { "v", 14, "  float32 (64,10)  -inf 64  min -82.43  max -0.4311  mean -25.96" },
	    { "", 15, "  Tensor \"cross_entropy/Log:0:DebugIdentity\":" } } },
	{ "where there is room, what there is none of too", 24, 120, MODERN "mnist_nan",
	  { { "]n", 21, "row 204/301" },
	    { "\r", 2, "  float32 (64,10)  nan 0  -inf 64  inf 0  zero 0  min -82.43" },
	    { "", 2, "max -0.4311  mean -25.96" },
	    { ":pt logits/Wx_plus_b/add:0[0]\r", 2, "float32 (64,10)  nan 0  -inf 0" },
	    { ":ni softmax\r", 2, "  Node softmax" } } },
	{ "long names lose their middle", 24, 80, MODERN "mnist_nan",
	  { { "", 5, "hidden/…ghts/summaries/range/start:0" },
	    { "", 7, "hidden/…ghts/summaries/range/delta:0" },
	    { "<Right>", 5, "hidden/weights/summaries/range/start:0" } } },
	{ "d compares a tensor", 24, 100, MODERN "runs/hooks",
	  { { "", 1, "runs" }, { ":run --to 5\r", 0, "run 5 (step 0) of 6" }, { "", 22, ":" },
	    { "", 21, "row 1/13" }, { "", 23, "d compare" }, { "jjj", 21, "row 4/13" },
	    { "d", 1, " diff model/y:0" }, { "", ANYWHERE, "was " },
	    { ":diff 2\r", 1, " diff 2" }, { "", 23, "d compare" }, { "jjj", 21, "row 4/" },
	    { "d", 1, " diff model/" }, { "H", 1, " diff 2" },
	    { ":lt -n model\r", 1, " lt -n model" }, { "jjj", 21, "row 4/5" },
	    { "d", 1, " diff model/Sqrt:0 2" },
	    { ":pt model/y:0[0]\r", 1, " pt model/y:0[0]" }, { "d", 1, " diff model/y:0[0] 2" },
	    { ":run --to 2\r", 0, "run 2 (step 0) of 6" },
	    { ":pt model/y:0\r", 1, " pt model/y:0" },
	    { "d", ANYWHERE, "model/y:0" }, { "", 1, " diff model/y:0" }, { "", GONE, "y:0 2" } } },
	{ "d compares a tensor of a step", 24, 120, MODERN "v2/tf2.1.3_FULL_TENSOR",
	  { { "", 1, " lx" }, { ":run --to 40\r", 2, "row 41/55" },
	    { ":lt -n MatMul\r", 1, " lt -n MatMul" }, { "", 23, "d compare" },
	    { "d", 1, " diff MatMul/ReadVariableOp:0 --trace 138" },
	    { "", ANYWHERE, "step #40 against step #32: changed" },
	    { ":diff MatMul:0 24\r", ANYWHERE, "against step #24" },
	    { ":lt -n MatMul\r", 1, " lt -n MatMul" },
	    { "d", 1, " diff MatMul/ReadVariableOp:0 24 --trace 138" },
	    { "", ANYWHERE, "against step #24" } } },
	{ "d compares with nothing", 24, 100, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { "", 23, "o node  & filter" },
	    { "d", ANYWHERE, "There is no other run: this is a single dump" } } },
	{ "a root begins with its runs", 24, 100, MODERN "train20",
	  { { "", 0, " tensordbg  train20  2 runs" }, { "", 1, " ‹ › runs" },
	    { "\r", 0, " tensordbg  train20  run 1 of 2  32 tensors  1 device" },
	    { "", 2, "─ runs ──" }, { "", 4, "> 1 " }, { "", 6, "─ lt ── row 1/32 ──" } } },
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
	    { "<Click(23,13)>", GONE, "─ pt hidden" }, { "<Click(23,71)>", 2, " keys:" },
	    { "<Click(23,3)>", 2, "dumped tensor(s):" } } },
	{ "clicks on headings sort", 24, 80, MODERN "mnist_nan",
	  { { ":mouse on\r", 21, "Mouse mode: on" }, { "<Click(4,15)>", 1, "size_bytes▲" },
	    { "<Click(4,20)>", 1, "size_bytes▼" }, { "<Click(4,15)>", 1, "size_bytes▲" },
	    { "<Click(4,25)>", 1, "op▲" }, { "<Click(4,30)>", 4, "Op type▲" } } },
	{ "keys are bound", 24, 80, MODERN "mnist_nan",
	  { { ":bind tables X ni -a %n\r", 21, "Bound and saved" },
	    { "X", 1, "ni -a hidden/weights/summaries/r" }, { "q", 1, "lt" },
	    { "?", 4, " X             ni -a %n" }, { "<Esc>", 2, "dumped" },
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
	    { ":bi", ANYWHERE, "alias  lt -s dump_size" }, { "", 23, "Esc close" },
	    { "<Esc>", 23, "Esc view" },
	    { "<Esc>", 23, "? keys" }, { ":<Ctrl-C>", 23, "Esc view" },
	    { "<Esc>", 23, "? keys" },
	    { ":unalias bi<Tab>\r", 2, "Removed alias" } } },
	{ "keys of two are bound", 24, 80, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { ":bind view gx ls\r", 21, "Bound and saved" },
	    { "g", 23, "t tensors" }, { "x", 1, " ls" }, { ":bind view gt ls -r\r", 21, "Bound" },
	    { "gt", 1, " ls -r" }, { "gg", 21, "row 1/" },
	    { ":unbind \"In the view\" gt\r", 21, "Not bound any more" }, { "gt", 1, "lt" },
	    { "gx", 1, " ls" }, { ":unbind view gx\r", 21, "Not bound" },
	    { "gx", 21, "No key \"gx\" here" } } },
	{ "bound keys for others", 24, 80, MODERN "mnist_nan",
	  { { "", 21, "row 1/301" }, { ":bind view F9 ls\r", 21, "Bound and saved" },
	    { ":bind -o csv\r", 2, "context,key,command" }, { "", ANYWHERE, "view,F9,ls" },
	    { ":bind | cat\r", 2, " bound key(s):" }, { ":unbind view F9\r", 21, "Not bound" },
	    { ":bind vi<Tab> ", 22, ": bind view" }, { "F1<Tab>", 22, ": bind view F1" } } },
	{ "another style at once", 24, 80, MODERN "mnist_nan",
	  { { ":config set style tfdbg\r", ANYWHERE, "tfdbg>" },
	    { "", 0, "--- tfdbg offline @" }, { "config set style modern\r", 0, " tensordbg " },
	    { "", 22, ":" } } },
	{ "little room", 10, 40, MODERN "mnist_nan",
	  { { "", 0, " tensordbg  mnist_nan" }, { "", 9, "? keys" } } },
	{ "no number is cut", 10, 40, MODERN "mnist_nan",
	  { { "]n", 7, " float32 (64,10)     " }, { "", 7, "   row 204/301  66 %" },
	    { "<Resize(60x10)>", 7, "min -82.43     row" } } },
	{ "nor in the title", 10, 40, MODERN "train20",
	  { { "\r", 0, " tensordbg  train20  run 1 of 2" }, { "", GONE, " 32 tens" } } },
	{ "the keys give way to the prompt", 8, 40, MODERN "mnist_nan",
	  { { ":", 7, ":" }, { "<Esc>", 7, "? keys" } } },
};

START_TEST(screens)
{
	play_session(&sessions[_i]);
}
END_TEST

/* Of a heading only the chosen column is reversed, with the focus and without it. */
START_TEST(headings_are_not_reversed)
{
	const char *const args[] = { "--screen=modern", "train20", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 100);
	int row, col;

	PLAY(t, { "", ANYWHERE, "row 1/2" });
	if (_i)
		PLAY(t, { "\r", ANYWHERE, "─ lt ── row 1/32" });
	PLAY(t, { "", ANYWHERE, "dt (ms)" });
	ck_assert(terminal_find(t, "dt (ms)", &row, &col));
	ck_assert(!terminal_cell(t, row, col).reverse);
	ck_assert(terminal_find(t, "status", &row, &col));
	ck_assert(!terminal_cell(t, row, col).reverse);
	if (!_i) {
		PLAY(t, { ">>s", ANYWHERE, "time▲" });
		ck_assert(terminal_find(t, "time▲", NULL, NULL));
		col = (int)(strstr(terminal_row(t, row), "time") - terminal_row(t, row));
		ck_assert_int_eq(terminal_cell(t, row, col).reverse, true);
	}
	leave_by_key(t);
}
END_TEST

/* Typed before the first frame: the same comes of it as if one had waited. */
static const struct { const char *path, *keys; int row; const char *shows; } ahead[] = {
	{ "mnist_nan", "G", 21, "row 301/301  100 %" },
	{ "mnist_nan", "jj", 21, "row 3/301" },
	{ "mnist_nan", "/y.Log\rn", 21, "match 2 of 3" },
	{ "mnist_nan", "&entropy/Log\rv", ANYWHERE, "─ pt cross_entropy/Log:0 ─" },
	{ "mnist_nan", "&Log", 1, "lt" },
	{ "mnist_nan", "]n\r", 1, "pt cross_entropy/Log:0" },
	{ "mnist_nan", "7gg", 21, "row 7/301" },
	{ "mnist_nan", "Gq", 21, "Leave tensordbg? (y/n)" },
	{ "train20", "j\r", 0, "run 2 of 2" },
	{ "profile/gpu_like", "jjgm", 1, " ‹ › memory" },
};

START_TEST(keys_typed_ahead_count)
{
	const char *const args[] = { "--screen=modern", ahead[_i].path, NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 80);

	terminal_type(t, ahead[_i].keys);
	PLAY(t, { "", ahead[_i].row, ahead[_i].shows });
	terminal_free(t);
}
END_TEST

/* Typed while the list still grows: rows that come later are meant too. */
enum { MANY = 20000 };
static const struct { const char *keys, *shows; } growing[] = {
	{ "G", "row 20000/20000  100 %" }, { "19000gg", "row 19000/20000" },
	{ "G\f", "row 20000/20000  100 %" },     /* Ctrl-L moves nothing */
};

START_TEST(keys_go_beyond_what_has_come)
{
	char *dir = scratch_new();
	const char *const args[] = { "--screen=modern", "many", NULL };
	struct terminal *t;
	struct str name = {0};

	for (int i = 0; i < MANY; i++) {
		str_reset(&name);
		str_fmt(&name, "many/" SMALL_DEVICE "/n%d_0_DebugIdentity_1", i);
		dump_put(dir, name.text, "", 0);
	}
	t = start_in(dir, args, NULL, 24, 80);
	PLAY(t, { "", ANYWHERE, "Tensor name" },
	     { growing[_i].keys, 21, growing[_i].shows });
	leave_by_key(t);
	str_release(&name);
	scratch_remove(dir);
}
END_TEST

/* Typed in one go when all is quiet: a key behind a line is about what the line shows. */
static const struct { const char *path, *keys; int row; const char *shows; } behind[] = {
	{ "mnist_nan", ":lt -n softmax$\r\r", 1, "pt softmax:0" },
	{ "mnist_nan", ":pt softmax:0\rG", 21, "row 196/196" },
	{ "mnist_nan", ":lt -n .*entropy\r/Log\rv", ANYWHERE, "─ pt cross_entropy/Log:0 ─" },
	{ "mnist_nan", "goj\r", 1, "origins 1" },
	{ "mnist_nan", "G\rHH:lt -n .*Log$\r\r", 1, "pt cross_entropy/Log:0" },
	{ "train20", ":run -t 2\rG\r", 1, "pt " },
	{ "profile/gpu_like", ":kernels -g op\rG", 21, " 100 %" },
};

START_TEST(keys_behind_a_line_count)
{
	const char *const args[] = { "--screen=modern", behind[_i].path, NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 80);

	PLAY(t, { "", ANYWHERE, "? keys" });
	terminal_drain(t);
	terminal_type(t, behind[_i].keys);
	PLAY(t, { "", behind[_i].row, behind[_i].shows });
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("modern",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, screens, 0, ROWS(sessions));
	tcase_add_loop_test(t, headings_are_not_reversed, 0, 2);
	tcase_add_loop_test(t, keys_typed_ahead_count, 0, ROWS(ahead));
	tcase_add_loop_test(t, keys_go_beyond_what_has_come, 0, ROWS(growing));
	tcase_add_loop_test(t, keys_behind_a_line_count, 0, ROWS(behind));)
