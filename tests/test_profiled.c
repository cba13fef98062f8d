/* Views of profiles and graphs on screens of several sizes: what they draw, what keys make of them. */
#include <string.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"
#include "tests/terminal.h"

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
static struct terminal *show(const char *path, const char *locale, int rows, int cols, const char *command,
                             const char *shows)
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

/* Keys, and what the line is then. */
struct step { const char *keys, *line; };

static void press_steps(struct terminal *t, const struct step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		terminal_type(t, steps[i].keys);
		ck_assert_msg(terminal_wait_row(t, 1, steps[i].line), "%s: %s", steps[i].keys, steps[i].line);
	}
}
#define PRESS(t, steps) press_steps(t, steps, ROWS(steps))

/* Kernels. */

START_TEST(kernel_keys_rewrite_the_line)
{
	static const struct step steps[] = {
		{ "u", "| kernels --time_unit us" }, { "u", "| kernels --time_unit ms" },
		{ "uu", "| kernels" },
		{ "#", "| kernels --names full" }, { "#", "| kernels --names raw" }, { "#", "| kernels" },
		{ "B", "| kernels --group shape" }, { "B", "| kernels --group op" }, { "B", "| kernels --group type" },
		{ "U", "| kernels --group type --universe copy" },
		{ "U", "| kernels --group type --universe device" },
		{ "D", "| kernels --group type --universe device --device_name_filter " },
	};
	struct terminal *t = show(GPU, "LC_ALL=C.UTF-8", 24, 120, "kernels", "GPU kernels by kernel, step 0");

	PRESS(t, steps);
	terminal_type(t, "H");           /* all of that was one screen */
	ck_assert(terminal_wait_row(t, 1, "(-1) kernels"));
	leave_by_key(t);
}
END_TEST

START_TEST(host_times_have_no_kernels_to_group_by)
{
	struct terminal *t = show(GPU, "LC_ALL=C", 24, 80, "kernels -u device", "kernels and copies by kernel");

	terminal_type(t, "U");
	ck_assert(terminal_wait_row(t, 1, "| kernels --universe host"));
	ck_assert(terminal_wait_text(t, "Host"));
	leave_by_key(t);
}
END_TEST

/* What shows in the first row of the pane when the line is this one. */
static const struct { const char *keys, *line, *first; } rounds[] = {
	/* From host times on to where it began: the group is that of kernels again. */
	{ "U", "| kernels --universe copy", "kernels: GPU copies by kernel, step 0" },
	{ "U", "| kernels --universe device", "kernels: GPU kernels and copies by kernel, step 0" },
	{ "U", "| kernels --universe host", "kernels: host times by op, step 0" },
	{ "U", "| kernels --universe kernel", "kernels: GPU kernels by kernel, step 0" },
	/* Only devices that have kernels. */
	{ "D", "| kernels --universe kernel --device_name_filter GPU:0$", "kernels: GPU kernels by kernel, step 0" },
	{ "D", "| kernels --universe kernel", "kernels: GPU kernels by kernel, step 0" },
	/* Of host times all; the head gets shorter and longer, and stays on top. */
	{ "UUU", "| kernels --universe host", "kernels: host times by op, step 0" },
	{ "D", "| kernels --universe host --device_name_filter CPU:0$", "kernels: host times by op, step 0" },
	{ "D", "| kernels --universe host --device_name_filter GPU:0$", "kernels: host times by op, step 0" },
	{ "D", "| kernels --universe host", "kernels: host times by op, step 0" },
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
	struct terminal *t = show(GPU, "LC_ALL=C.UTF-8", 24, 120, "kernels", "GPU kernels by kernel, step 0");
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
	t = start_in(dir, (const char *[]){ "run_metadata.pb", NULL }, (const char *[]){ "LC_ALL=C.UTF-8", NULL }, 24, 120);
	ck_assert(terminal_wait_row(t, 1, "| kernels"));
	terminal_press(t, TKEY_F0 + 6);
	ck_assert(terminal_wait_text(t, "Enter drill  e rows  B group"));
	terminal_type(t, "o");
	ck_assert(terminal_wait_text(t, "ERROR: no graph is open: --graph FILE, or open the directory"));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "--of "));
	ck_assert(terminal_wait_text(t, "Where"));
	terminal_press(t, TKEY_ENTER);           /* a record leads nowhere */
	ck_assert(terminal_wait_text(t, "Nothing to open on this row"));
	terminal_type(t, ":");
	ck_assert(terminal_wait_gone(t, "e rows"));
	terminal_enter(t, "ni stem");
	ck_assert(terminal_wait_row(t, 1, "| ni stem"));
	ck_assert(!terminal_find(t, "LookupError", NULL, NULL));
	terminal_enter(t, "timeline");
	ck_assert(terminal_wait_text(t, "timeline: "));
	terminal_press(t, TKEY_F0 + 6);
	ck_assert(terminal_wait_text(t, "Enter kernel  , . zoom"));
	leave_by_key(t);
	scratch_remove(dir);
}
END_TEST

START_TEST(types_drill_down_to_records)
{
	struct terminal *t = show_at(_i, "kernels -g type", "by type");

	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "kernels --group op --op_t"));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "kernels --group kernel -"));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_text(t, "+4.388ms"));
	terminal_type(t, "B");
	ck_assert(terminal_wait_text(t, "These are records"));
	terminal_type(t, "HHH");
	ck_assert(terminal_wait_row(t, 1, "(-3) kernels -g type"));
	leave_by_key(t);
}
END_TEST

START_TEST(rows_of_kernels_lead_on)
{
	struct terminal *t = show(GPU, "LC_ALL=C.UTF-8", 24, 120, "kernels -g op -n ^fc$", "1 row of");

	terminal_type(t, "e");
	ck_assert(terminal_wait_row(t, 1, "--of fc"));
	ck_assert(terminal_wait_text(t, "Where"));
	ck_assert(terminal_wait_text(t, "Enter op  / search  h keys"));
	ck_assert(!terminal_find(t, "B group", NULL, NULL));
	terminal_type(t, "o");
	ck_assert(terminal_wait_row(t, 1, "ni -a -d -t fc"));
	leave_by_key(t);
}
END_TEST

START_TEST(without_a_dump_nothing_is_bad)
{
	struct terminal *t = show(GPU, "LC_ALL=C.UTF-8", 24, 120, "kernels", "kernels: ");

	terminal_type(t, "]n");
	ck_assert(terminal_wait_text(t, "ERROR: No dump is open"));
	leave_by_key(t);
}
END_TEST

/* Timelines. */

START_TEST(lanes_are_drawn)
{
	struct terminal *t = show_at(_i, "timeline", "GPU:0 h");
	bool narrow = screens[_i].cols < 60, low = screens[_i].rows < 12;

	ck_assert(terminal_wait_text(t, narrow ? "GPU:0 s14" : "GPU:0 stream 14"));
	ck_assert(terminal_wait_text(t, "|---------"));
	if (!low)
		ck_assert(terminal_wait_text(t, "0 ms "));
	terminal_type(t, "j");
	ck_assert(terminal_wait_text(t, "op"));
	terminal_type(t, "j");
	terminal_press(t, TKEY_TAB);
	ck_assert(terminal_wait_text(t, " + "));
	terminal_type(t, "g");
	ck_assert(terminal_wait_text(t, "labels "));      /* the nearest in time */
	ck_assert(terminal_wait_text(t, "11.68us + 2.212us"));
	leave_by_key(t);
}
END_TEST

START_TEST(time_is_zoomed_and_panned)
{
	struct terminal *t = show(GPU, "LC_ALL=C", 24, 80, "timeline", "GPU:0 stream 15");

	terminal_type(t, "jjj");
	ck_assert(terminal_wait_row(t, 21, " 720.0us + 1.000us  GPU:0 stream 15"));
	ck_assert(terminal_wait_row(t, 3, "0 ms      2 "));
	terminal_type(t, "..");
	ck_assert(terminal_wait_row(t, 3, "1000 us   1500       2000"));
	terminal_type(t, ".");
	ck_assert(terminal_wait_row(t, 3, "1000 us             1500"));
	terminal_type(t, "a");
	ck_assert(terminal_wait_row(t, 3, "0 ms      2 "));
	terminal_type(t, ".");
	ck_assert(terminal_wait_row(t, 3, "1 ms      2          3"));
	terminal_press(t, TKEY_RIGHT);
	ck_assert(terminal_wait_row(t, 3, "2 ms      3         4"));
	terminal_press(t, TKEY_LEFT);
	ck_assert(terminal_wait_row(t, 3, "1 ms      2          3"));
	terminal_type(t, ",");
	ck_assert(terminal_wait_row(t, 3, "0 ms      2 "));
	leave_by_key(t);
}
END_TEST

/* What shows of the cursor's slice stays where it is; a slice that went out of sight hands the cursor on. */
START_TEST(zooming_keeps_the_slice_in_sight)
{
	struct terminal *t = show(GPU, "LC_ALL=C", 24, 80, "timeline", "GPU:0 stream 15");

	terminal_type(t, "jj0....");
	ck_assert(terminal_wait_row(t, 7, "GPU:0 stream 14 volta_scu]     [MI]"));
	terminal_type(t, "...");
	ck_assert(terminal_wait_row(t, 7, "GPU:0 stream 14 volta_scudnn_128x64_relu_interior_]"));
	ck_assert(terminal_wait_row(t, 21, "stem Conv2D 781.0us + 150.0us"));
	terminal_type(t, "a...");
	ck_assert(terminal_wait_row(t, 7, "GPU:0 stream 14  [volt]   []"));
	terminal_press(t, TKEY_RIGHT);
	ck_assert(terminal_wait_row(t, 21, "stem Conv2D 992.0us + 48.00us"));
	leave_by_key(t);
}
END_TEST

START_TEST(slices_lead_on)
{
	struct terminal *t = show(GPU, "LC_ALL=C.UTF-8", 24, 80, "timeline", "GPU:0 stream 15");

	terminal_type(t, "jjj");
	terminal_press(t, TKEY_BACKTAB);
	terminal_press(t, TKEY_BACKTAB);
	ck_assert(terminal_wait_text(t, "images "));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "kernels -g kernel --of [copy H2D]"));
	ck_assert(terminal_wait_text(t, "Where"));
	terminal_type(t, "H");
	ck_assert(terminal_wait_text(t, "step 0"));
	terminal_type(t, "o");
	ck_assert(terminal_wait_row(t, 1, "ni -a -d -t images"));
	leave_by_key(t);
}
END_TEST

START_TEST(place_in_time_is_kept_by_the_history)
{
	struct terminal *t = show(GPU, "LC_ALL=C.UTF-8", 24, 80, "timeline", "GPU:0 stream 15");

	terminal_type(t, "jjj....");
	ck_assert(terminal_wait_row(t, 3, " us"));
	terminal_type(t, "e");
	ck_assert(terminal_wait_row(t, 1, "kernels -g op --of "));
	terminal_type(t, "H");
	ck_assert(terminal_wait_row(t, 3, " us"));
	ck_assert(terminal_wait_text(t, "labels "));
	leave_by_key(t);
}
END_TEST

/* Tables of changes and of records, sorted: the keys, the row of the screen that is first, it and the next. */
#define DIFF "kernels -u host -g type --diff step:2"
#define OF "kernels -u device -g op --of stem"
static const struct { const char *path, *command, *shows, *keys; int row; const char *first, *second; } sorted[] = {
	{ LINEAR, DIFF, "Delta%", ">>S", 6, "faster  32.30us  19.87us", "faster  20.88us  6.348us" },
	{ LINEAR, DIFF, "Delta%", ">>s", 6, "faster    126ns     87ns", "faster    739ns    457ns" },
	{ LINEAR, DIFF, "Delta%", ">>>S", 6, "faster  32.30us  19.87us", "slower  3.724us  15.48us" },
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
	struct terminal *t = show(sorted[_i].path, "LC_ALL=C.UTF-8", 24, 80, sorted[_i].command, sorted[_i].shows);

	terminal_type(t, sorted[_i].keys);
	ck_assert_msg(terminal_wait_row(t, sorted[_i].row, sorted[_i].first), "%s", sorted[_i].first);
	ck_assert_msg(terminal_wait_row(t, sorted[_i].row + 1, sorted[_i].second), "%s", sorted[_i].second);
	leave_by_key(t);
}
END_TEST

/* Scopes. */

START_TEST(scopes_are_zoomed)
{
	struct terminal *t = show_at(_i, "scopes", "[gradients===");

	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "scopes --under grad"));
	terminal_type(t, "j");
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "scopes --under gradients/"));
	ck_assert(terminal_wait_row(t, 3, "[block_2==="));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "kernels --group op --node"));
	terminal_press(t, TKEY_BACKSPACE);
	terminal_press(t, TKEY_BACKSPACE);
	ck_assert(terminal_wait_row(t, 1, "(-2) scopes --under"));
	leave_by_key(t);
}
END_TEST

/* Memory. */

START_TEST(memory_is_shown_over_time)
{
	struct terminal *t = show_at(_i, "memory GPU_0_bfc", "^ +2.161ms  75.16M");

	ck_assert(terminal_wait_text(t, "75.16M "));
	terminal_press(t, TKEY_RIGHT);
	ck_assert(terminal_wait_row(t, 1, "GPU_0_bfc --at 2"));
	terminal_type(t, "99");
	terminal_press(t, TKEY_LEFT);
	ck_assert(terminal_wait_row(t, 1, "GPU_0_bfc --at 0"));
	leave_by_key(t);
}
END_TEST

START_TEST(allocators_have_a_strip_each)
{
	struct terminal *t = show(GPU, "LC_ALL=C", 24, 80, "memory", "..::++###");

	terminal_type(t, "j");
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "memory GPU_0_bfc"));
	leave_by_key(t);
}
END_TEST

/* Graphs. */

START_TEST(graph_is_drawn_around_a_node)
{
	struct terminal *t = show_at(_i, "graph fc", "graph: 725 nodes, depth 1");

	ck_assert(terminal_wait_text(t, "inputs 1 (2)"));
	ck_assert(terminal_wait_text(t, "->[[fc"));
	terminal_press(t, TKEY_RIGHT);
	ck_assert(terminal_wait_text(t, "BiasAdd"));
	terminal_press(t, TKEY_ENTER);
	ck_assert(terminal_wait_row(t, 1, "graph BiasAdd"));
	ck_assert(terminal_wait_text(t, "[[BiasAdd"));
	leave_by_key(t);
}
END_TEST

START_TEST(graph_keys_rewrite_the_line)
{
	static const struct step steps[] = {
		{ ".", "| graph fc --depth 2" }, { "2.", "| graph fc --depth 4" }, { ",", "| graph fc --depth 3" },
		{ "C", "| graph fc --depth 3 --control" }, { "B", "| graph fc --depth 3 --control --scopes 1" },
		{ "B", "| graph fc --depth 3 --control" }, { "C", "| graph fc --depth 3" }, { "9,", "| graph fc --depth 1" },
	};
	struct terminal *t = show(GPU, "LC_ALL=C.UTF-8", 24, 80, "graph fc", "[[fc");

	PRESS(t, steps);
	terminal_press(t, TKEY_LEFT);
	ck_assert(terminal_wait_text(t, "pool Mean"));
	terminal_type(t, "j");
	ck_assert(terminal_wait_text(t, "fc_w/read Identity"));
	terminal_type(t, "o");
	ck_assert(terminal_wait_row(t, 1, "ni -a -d -t fc_w/read"));
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
		ck_assert(terminal_wait_text(t, "GPU kernels by kernel"));
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

	ck_assert(terminal_wait_row(t, 1, "| graph"));
	ck_assert(terminal_wait_text(t, "[[gradients/pool"));
	leave_by_key(t);
}
END_TEST

START_TEST(help_has_the_keys_of_the_view)
{
	struct terminal *t = show(GPU, "LC_ALL=C.UTF-8", 24, 80, "kernels", "GPU kernels by kernel");

	terminal_type(t, "h");
	ck_assert(terminal_wait_row(t, 2, "In tables of kernels"));
	ck_assert(terminal_wait_text(t, "group by"));
	terminal_type(t, "q");
	ck_assert(terminal_wait_gone(t, "group by"));
	leave_by_key(t);
}
END_TEST

START_TEST(host_only_steps_have_views_too)
{
	struct terminal *t = show(LINEAR, screens[_i].locale, screens[_i].rows, screens[_i].cols, "timeline", "CPU:0 h");

	terminal_type(t, ":");
	terminal_enter(t, "scopes");
	ck_assert(terminal_wait_text(t, "[gradients"));
	terminal_enter(t, "memory");
	ck_assert(terminal_wait_text(t, "Peak"));
	terminal_enter(t, "graph model/y_hat");
	ck_assert(terminal_wait_text(t, "[[model/y_hat"));
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("profiled",
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, without_a_dump_nothing_is_bad);
	tcase_add_test(t, kernel_keys_rewrite_the_line);
	tcase_add_test(t, host_times_have_no_kernels_to_group_by);
	tcase_add_test(t, universes_and_devices_come_round);
	tcase_add_test(t, without_a_graph_no_node_is_offered);
	tcase_add_loop_test(t, types_drill_down_to_records, 0, ROWS(screens));
	tcase_add_test(t, rows_of_kernels_lead_on);
	tcase_add_loop_test(t, lanes_are_drawn, 0, ROWS(screens));
	tcase_add_test(t, time_is_zoomed_and_panned);
	tcase_add_test(t, zooming_keeps_the_slice_in_sight);
	tcase_add_test(t, slices_lead_on);
	tcase_add_test(t, place_in_time_is_kept_by_the_history);
	tcase_add_loop_test(t, changes_and_records_are_sorted, 0, ROWS(sorted));
	tcase_add_loop_test(t, scopes_are_zoomed, 0, ROWS(screens));
	tcase_add_loop_test(t, memory_is_shown_over_time, 0, ROWS(screens));
	tcase_add_test(t, allocators_have_a_strip_each);
	tcase_add_loop_test(t, graph_is_drawn_around_a_node, 0, ROWS(screens));
	tcase_add_test(t, graph_keys_rewrite_the_line);
	tcase_add_test(t, edges_are_those_of_the_cursor);
	tcase_add_loop_test(t, kernels_above_lanes, 0, ROWS(screens));
	tcase_add_test(t, graph_alone_opens_as_graph);
	tcase_add_test(t, help_has_the_keys_of_the_view);
	tcase_add_loop_test(t, host_only_steps_have_views_too, 0, ROWS(screens));
)
