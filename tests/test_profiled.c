/* Views of profiles and graphs on screens of several sizes: what they draw, what keys do. */
#include <string.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

#define GPU "testdata/profile/gpu_like"
#define LINEAR "testdata/profile/linear"

static struct terminal *start(const char *path, const char *locale, int rows, int cols)
{
	const char *const of_gpu[] = { "--graph=" GPU "/graph.pb", GPU "/run_metadata.pb", NULL };
	const char *const of_path[] = { path, NULL };
	struct terminal *t = start_in(NULL, strcmp(path, GPU) ? of_path : of_gpu,
	                              (const char *[]){ locale, NULL }, rows, cols);

	ck_assert(terminal_wait_row(t, 1, strcmp(path, LINEAR) ? "| kernels" : "| scopes"));
	return t;
}

/* The command's screen, with the focus in it. */
static struct terminal *show(const char *path, const char *locale, int rows, int cols,
                             const char *command, const char *shows)
{
	struct terminal *t = start(path, locale, rows, cols);

	terminal_enter(t, command);
	ck_assert(terminal_wait_text(t, shows));
	terminal_press(t, TKEY_F0 + 6);
	return t;
}

static const struct { int rows, cols; const char *locale; } screens[] = {
	{ 24, 80, "LC_ALL=C.UTF-8" }, { 10, 40, "LC_ALL=C.UTF-8" }, { 50, 200, "LC_ALL=C.UTF-8" },
	{ 24, 80, "LC_ALL=C" }, { 10, 40, "LC_ALL=C" }, { 50, 200, "LC_ALL=C" },
};

static struct terminal *show_at(int i, const char *command, const char *shows)
{
	return show(GPU, screens[i].locale, screens[i].rows, screens[i].cols, command, shows);
}

/* Commands and their keys, and what the screen shows. */
#define OF_GPU(locale) \
	"LC_ALL=" locale " --graph=profile/gpu_like/graph.pb profile/gpu_like/run_metadata.pb"
static const struct session sessions[] = {
	{ "kernel keys rewrite the line", 24, 120, OF_GPU("C.UTF-8"), {
		{ "kernels\r", ANYWHERE, "GPU kernels, step 0" },
		{ "<F6>u", 1, "| kernels --time_unit us" }, { "u", 1, "| kernels --time_unit ms" },
		{ "uu", 1, "| kernels" }, { "#", 1, "| kernels --names full" },
		{ "#", 1, "| kernels --names raw" }, { "#", 1, "| kernels" },
		{ "B", 1, "| kernels --group shape" }, { "B", 1, "| kernels --group op" },
		{ "B", 1, "| kernels --group type" },
		{ "U", 1, "| kernels --group type --count copy" },
		{ "U", 1, "| kernels --group type --count device" },
		{ "D", 1, "| kernels --group type --count device --device_name_filter " },
		{ "H", 1, "(-1) kernels" }, /* all of that was one screen */
	} },
	{ "host times have no kernels to group by", 24, 80, OF_GPU("C"), {
		{ "kernels -u device\r", ANYWHERE, "GPU kernels and copies" },
		{ "<F6>U", 1, "| kernels --count host" }, { "", ANYWHERE, "Host" },
	} },
	{ "rows of kernels lead on", 24, 120, OF_GPU("C.UTF-8"), {
		{ "kernels -g op -n ^fc$\r", ANYWHERE, "1 row of" }, { "<F6>e", 1, "--of fc" },
		{ "", ANYWHERE, "Where" }, { "", ANYWHERE, "Enter op  / search  h keys" },
		{ "", GONE, "B group" }, { "o", 1, "ni -a -d -t fc" },
	} },
	{ "without a dump nothing is bad", 24, 120, OF_GPU("C.UTF-8"), {
		{ "kernels\r", ANYWHERE, "kernels: " },
		{ "<F6>]n", ANYWHERE, "ERROR: No dump is open" },
	} },
	{ "time is zoomed and panned", 24, 80, OF_GPU("C"), {
		{ "timeline\r", ANYWHERE, "GPU:0 stream 15" },
		{ "<F6>jjj", 21, " 720.0us + 1.000us  GPU:0 stream 15" }, { "", 3, "0 ms      2 " },
		{ "..", 3, "1000 us   1500       2000" }, { ".", 3, "1000 us             1500" },
		{ "a", 3, "0 ms      2 " }, { ".", 3, "1 ms      2          3" },
		{ "<Right>", 3, "2 ms      3         4" },
		{ "<Left>", 3, "1 ms      2          3" }, { ",", 3, "0 ms      2 " },
	} },
	/*
	 * The cursor's slice stays where it is on the screen; once out of sight it hands the cursor
	 * on.
	 */
	{ "zooming keeps the slice in sight", 24, 80, OF_GPU("C"), {
		{ "timeline\r", ANYWHERE, "GPU:0 stream 15" },
		{ "<F6>jj0....", 7, "GPU:0 stream 14 volta_scu]     [MI]" },
		{ "...", 7, "GPU:0 stream 14 volta_scudnn_128x64_relu_interior_]" },
		{ "", 21, "stem Conv2D 781.0us + 150.0us" },
		{ "a...", 7, "GPU:0 stream 14  [volt]   []" },
		{ "<Right>", 21, "stem Conv2D 992.0us + 48.00us" },
	} },
	{ "slices lead on", 24, 80, OF_GPU("C.UTF-8"), {
		{ "timeline\r", ANYWHERE, "GPU:0 stream 15" },
		{ "<F6>jjj<BackTab><BackTab>", ANYWHERE, "images " },
		{ "\r", 1, "kernels -g kernel --of [copy H2D]" }, { "", ANYWHERE, "Where" },
		{ "H", ANYWHERE, "step 0" }, { "o", 1, "ni -a -d -t images" },
	} },
	{ "place in time is kept by the history", 24, 80, OF_GPU("C.UTF-8"), {
		{ "timeline\r", ANYWHERE, "GPU:0 stream 15" }, { "<F6>jjj....", 3, " us" },
		{ "e", 1, "kernels -g op --of " }, { "H", 3, " us" }, { "", ANYWHERE, "labels " },
	} },
	{ "allocators have a strip each", 24, 80, OF_GPU("C"), {
		{ "memory\r", ANYWHERE, "..::++###" }, { "<F6>j\r", 1, "memory GPU_0_bfc" },
	} },
	{ "graph keys rewrite the line", 24, 80, OF_GPU("C.UTF-8"), {
		{ "graph fc\r", ANYWHERE, "[[fc" }, { "<F6>.", 1, "| graph fc --depth 2" },
		{ "2.", 1, "| graph fc --depth 4" }, { ",", 1, "| graph fc --depth 3" },
		{ "C", 1, "| graph fc --depth 3 --control" },
		{ "B", 1, "| graph fc --depth 3 --control --scopes 1" },
		{ "B", 1, "| graph fc --depth 3 --control" }, { "C", 1, "| graph fc --depth 3" },
		{ "9,", 1, "| graph fc --depth 1" }, { "<Left>", ANYWHERE, "pool Mean" },
		{ "j", ANYWHERE, "fc_w/read Identity" }, { "o", 1, "ni -a -d -t fc_w/read" },
	} },
	{ "help has the keys of the view", 24, 80, OF_GPU("C.UTF-8"), {
		{ "kernels\r", ANYWHERE, "GPU kernels" },
		{ "<F6>h", 2, "In tables of kernels" }, { "", ANYWHERE, "group by" },
		{ "q", GONE, "group by" },
	} },
};

START_TEST(keys_and_what_they_show)
{
	play_session(&sessions[_i]);
}
END_TEST

/* On each of the screens. */
static const struct session sized[] = {
	{ "types drill down to records", 0, 0, NULL, {
		{ "kernels -g type\r", ANYWHERE, "by type" },
		{ "<F6>\r", 1, "kernels --group op --op_t" },
		{ "\r", 1, "kernels --group kernel -" }, { "\r", ANYWHERE, "+4.388ms" },
		{ "B", ANYWHERE, "These are records" }, { "HHH", 1, "(-3) kernels -g type" },
	} },
	{ "scopes are zoomed", 0, 0, NULL, {
		{ "scopes\r", ANYWHERE, "[gradients===" }, { "<F6>\r", 1, "scopes --under grad" },
		{ "j\r", 1, "scopes --under gradients/" }, { "", 3, "[block_2===" },
		{ "\r", 1, "kernels --group op --node" },
		{ "<Backspace><Backspace>", 1, "(-2) scopes --under" },
	} },
	{ "memory is shown over time", 0, 0, NULL, {
		{ "memory GPU_0_bfc\r", ANYWHERE, "^ +2.161ms  75.16M" },
		{ "<F6>", ANYWHERE, "75.16M " }, { "<Right>", 1, "GPU_0_bfc --at 2" },
		{ "99<Left>", 1, "GPU_0_bfc --at 0" },
	} },
	{ "graph is drawn around a node", 0, 0, NULL, {
		{ "graph fc\r", ANYWHERE, "graph: 725 nodes, depth 1" },
		{ "<F6>", ANYWHERE, "inputs 1 (2)" }, { "", ANYWHERE, "->[[fc" },
		{ "<Right>", ANYWHERE, "BiasAdd" }, { "\r", 1, "graph BiasAdd" },
		{ "", ANYWHERE, "[[BiasAdd" },
	} },
};

START_TEST(keys_and_what_they_show_at_any_size)
{
	struct session session = sized[_i / ROWS(screens)];
	int i = _i % ROWS(screens);

	session.rows = screens[i].rows;
	session.cols = screens[i].cols;
	session.args = strcmp(screens[i].locale, "LC_ALL=C") ? OF_GPU("C.UTF-8") : OF_GPU("C");
	play_session(&session);
}
END_TEST

/* What shows in the first row of the pane when the line is this one. */
static const struct { const char *keys, *line, *first; } rounds[] = {
	/* From host times on to where it began: the group is that of kernels again. */
	{ "U", "| kernels --count copy", "kernels: GPU copies, step 0" },
	{ "U", "| kernels --count device", "kernels: GPU kernels and copies, step 0" },
	{ "U", "| kernels --count host", "kernels: host times by op, step 0" },
	{ "U", "| kernels --count kernel", "kernels: GPU kernels, step 0" },
	/* Only devices that have kernels. */
	{ "D", "| kernels --count kernel --device_name_filter GPU:0$",
	  "kernels: GPU kernels, step 0" },
	{ "D", "| kernels --count kernel", "kernels: GPU kernels, step 0" },
	/* Of host times all; the head gets shorter and longer, and stays on top. */
	{ "UUU", "| kernels --count host", "kernels: host times by op, step 0" },
	{ "D", "| kernels --count host --device_name_filter CPU:0$",
	  "kernels: host times by op, step 0" },
	{ "D", "| kernels --count host --device_name_filter GPU:0$",
	  "kernels: host times by op, step 0" },
	{ "D", "| kernels --count host", "kernels: host times by op, step 0" },
};

/* The line of the pane is this one, to its end. */
static bool line_is(struct terminal *t, const void *line)
{
	const char *row = terminal_row(t, 1);
	size_t len = strlen(row), n = strlen(line);

	return len >= n && !strcmp(row + len - n, line);
}

START_TEST(universes_and_devices_come_round)
{
	struct terminal *t = show(GPU, "LC_ALL=C.UTF-8", 24, 120, "kernels",
	                          "GPU kernels, step 0");
	int row;

	ck_assert(terminal_find(t, "kernels: GPU", &row, NULL));
	for (size_t i = 0; i < ROWS(rounds); i++) {
		terminal_type(t, rounds[i].keys);
		ck_assert_msg(terminal_wait(t, line_is, rounds[i].line), "%zu", i);
		ck_assert_msg(terminal_wait_row(t, row, rounds[i].first), "%zu", i);
		ck_assert_msg(!terminal_find(t, "No device activity", NULL, NULL), "%zu", i);
	}
	leave_by_key(t);
}
END_TEST

/* A step without a graph: nothing leads to a node, and no key says it does. */
START_TEST(without_a_graph_no_node_is_offered)
{
	char *dir = scratch_new();
	struct terminal *t;

	dump_copy(dir, "run_metadata.pb", GPU "/run_metadata.pb");
	t = start_in(dir, (const char *[]){ "run_metadata.pb", NULL },
	             (const char *[]){ "LC_ALL=C.UTF-8", NULL }, 24, 120);
	PLAY(t, { "", 1, "| kernels" }, { "<F6>", ANYWHERE, "Enter drill  e rows  B group" },
	     { "o", ANYWHERE, "ERROR: no graph is open: --graph FILE, or open the directory" },
	     { "\r", 1, "--of " }, { "", ANYWHERE, "Where" },
	     { "\r", ANYWHERE, "Nothing to open on this row" }, /* a record leads nowhere */
	     { ":", GONE, "e rows" }, { "ni stem\r", 1, "| ni stem" });
	ck_assert(!terminal_find(t, "LookupError", NULL, NULL));
	PLAY(t, { "timeline\r", ANYWHERE, "timeline: " },
	     { "<F6>", ANYWHERE, "Enter kernel  , . zoom" });
	leave_by_key(t);
	scratch_remove(dir);
}
END_TEST

START_TEST(lanes_are_drawn)
{
	struct terminal *t = show_at(_i, "timeline", "GPU:0 h");
	bool narrow = screens[_i].cols < 60, low = screens[_i].rows < 12;

	ck_assert(terminal_wait_text(t, narrow ? "GPU:0 s14" : "GPU:0 stream 14"));
	ck_assert(terminal_wait_text(t, "|---------"));
	if (!low)
		ck_assert(terminal_wait_text(t, "0 ms "));
	PLAY(t, { "j", ANYWHERE, "op" }, { "j\t", ANYWHERE, " + " },
	     { "g", ANYWHERE, "labels " }, /* the nearest in time */
	     { "", ANYWHERE, "11.68us + 2.212us" });
	leave_by_key(t);
}
END_TEST

/* Sorted tables: the keys, the row of the screen that comes first, and what two rows show. */
#define DIFF "kernels -u host -g type --diff step:2"
#define OF "kernels -u device -g op --of stem"
static const struct {
	const char *path, *command, *shows, *keys;
	int row;
	const char *first, *second;
} sorted[] = {
	{ LINEAR, DIFF, "Delta%", ">>S", 6, "faster  32.30us  19.87us",
	  "faster  20.88us  6.348us" },
	{ LINEAR, DIFF, "Delta%", ">>s", 6, "faster    126ns     87ns",
	  "faster    739ns    457ns" },
	{ LINEAR, DIFF, "Delta%", ">>>S", 6, "faster  32.30us  19.87us",
	  "slower  3.724us  15.48us" },
	{ LINEAR, DIFF, "Delta%", ">>>>S", 6, "+11.76us", "-39ns" },
	{ LINEAR, DIFF, "Delta%", ">>>>>s", 6, "-81.7%", "-79.7%" },
	{ LINEAR, DIFF, "Delta%", ">>>>>>s", 6, "NoOp", "Prod" },
	{ GPU, OF, "602.9us", ">S", 3, "+992.0us", "+781.0us" },
	{ GPU, OF, "602.9us", ">>s", 3, "29.15us", "48.00us" },
	{ GPU, OF, "602.9us", ">>S", 3, "150.0us", "48.00us" },
	{ GPU, OF, "602.9us", ">>>>>S", 3, "6.13M", "+781.0us" },
};

START_TEST(changes_and_records_are_sorted)
{
	struct terminal *t = show(sorted[_i].path, "LC_ALL=C.UTF-8", 24, 80, sorted[_i].command,
	                          sorted[_i].shows);

	terminal_type(t, sorted[_i].keys);
	ck_assert_msg(terminal_wait_row(t, sorted[_i].row, sorted[_i].first), "%s",
	              sorted[_i].first);
	ck_assert_msg(terminal_wait_row(t, sorted[_i].row + 1, sorted[_i].second), "%s",
	              sorted[_i].second);
	leave_by_key(t);
}
END_TEST

START_TEST(edges_are_those_of_the_cursor)
{
	struct terminal *t = show(GPU, "LC_ALL=C", 24, 80, "graph fc", "[[fc");
	int row, col;

	ck_assert(terminal_find(t, "[pool ", &row, &col));
	ck_assert(terminal_wait_row(t, row, "]-+->[[fc"));
	ck_assert(terminal_wait_row(t, row + 1, "]-+"));
	ck_assert(terminal_wait_row(t, row, "]]--->[BiasAdd"));
	terminal_press(t, TKEY_LEFT);
	ck_assert(terminal_wait_row(t, row, "]--->[[fc"));
	leave_by_key(t);
}
END_TEST

/* How it begins. */

START_TEST(kernels_above_lanes)
{
	struct terminal *t = start(GPU, screens[_i].locale, screens[_i].rows, screens[_i].cols);

	terminal_enter(t, "layout timeline");
	if (screens[_i].rows >= 16) {
		ck_assert(terminal_wait_text(t, "GPU kernels"));
		ck_assert(terminal_wait_text(t, "--- timeline "));
		ck_assert(terminal_wait_text(t, "GPU:0 stream 14"));
		terminal_press(t, TKEY_F0 + 6);
		terminal_type(t, "w");
		ck_assert(terminal_wait_text(t, "3.310us + 2.214us  CPU:0 host"));
	}
	leave_by_key(t);
}
END_TEST

START_TEST(graph_alone_opens_as_graph)
{
	struct terminal *t = start_in(NULL, (const char *[]){ GPU "/graph.pb", NULL },
	                              (const char *[]){ "LC_ALL=C.UTF-8", NULL }, 24, 80);

	PLAY(t, { "", 1, "| graph" }, { "", ANYWHERE, "[[gradients/pool" });
	leave_by_key(t);
}
END_TEST

START_TEST(host_only_steps_have_views_too)
{
	struct terminal *t = show(LINEAR, screens[_i].locale, screens[_i].rows, screens[_i].cols,
	                          "timeline", "CPU:0 h");

	PLAY(t, { ":scopes\r", ANYWHERE, "[gradients" }, { "memory\r", ANYWHERE, "Peak" },
	     { "graph model/y_hat\r", ANYWHERE, "[[model/y_hat" });
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("profiled",
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, keys_and_what_they_show, 0, ROWS(sessions));
	tcase_add_loop_test(t, keys_and_what_they_show_at_any_size, 0, ROWS(sized) * ROWS(screens));
	tcase_add_test(t, universes_and_devices_come_round);
	tcase_add_test(t, without_a_graph_no_node_is_offered);
	tcase_add_loop_test(t, lanes_are_drawn, 0, ROWS(screens));
	tcase_add_loop_test(t, changes_and_records_are_sorted, 0, ROWS(sorted));
	tcase_add_test(t, edges_are_those_of_the_cursor);
	tcase_add_loop_test(t, kernels_above_lanes, 0, ROWS(screens));
	tcase_add_test(t, graph_alone_opens_as_graph);
	tcase_add_loop_test(t, host_only_steps_have_views_too, 0, ROWS(screens));
)
