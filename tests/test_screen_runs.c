/* Runs on the screen: titles, their colours, screens that remember their run, tables of runs. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "tests/on_screen.h"
#include "tests/program.h"

enum { BLACK = 0, RED = 1, BLUE = 4, WHITE = 7 };

static struct terminal *start(void)
{
	struct terminal *t = terminal_start((const char *const[]){ program_path(),
	                                                           "testdata/runs/mixed", NULL },
	                                                           NULL, NULL,
	                                    24, 80);

	ck_assert_ptr_nonnull(t);
	ck_assert(terminal_wait_row(t, 22, "tfdbg>"));
	return t;
}

static void check_title(struct terminal *t, const char *title, int colour)
{
	ck_assert(terminal_wait_row(t, 0, title));
	ck_assert_int_eq(terminal_cell(t, 0, 0).fg, colour);
	ck_assert_int_eq(terminal_cell(t, 0, 0).bg, WHITE);
}

START_TEST(titles_have_their_colours)
{
	struct terminal *t = start();

	ck_assert(terminal_wait_row(t, 1, "| <-- --> | run_info"));
	check_title(t, "--- run-start: run #1: 1 fetch (layer/prod:0); 1 feed (layer/a:0) ---",
	            BLUE);
	terminal_enter(t, "run");
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | lt"));
	check_title(t, "--- run-end: run #1: 1 fetch (layer/prod:0); 1 feed (layer/a:0) ---",
	            BLACK);
	terminal_enter(t, "run -f has_inf_or_nan");
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | lt -f has_inf_or_nan"));
	check_title(t, "--- run-end: run #2: 2 fetches; 1 feed (layer/a:0) ---", RED);
	terminal_enter(t, "run --till-partial");
	ck_assert(terminal_wait_row(t, 1, "| <-- --> | help"));
	check_title(t, "--- run-end: run #13: 1 fetch (after_bad:0); 2 feeds ---", RED);
	ck_assert(terminal_wait_text(t, "This run looks unfinished"));
	leave_by_exit(t);
}
END_TEST

START_TEST(the_list_of_runs_follows)
{
	struct terminal *t = start();

	PLAY(t, { "", ANYWHERE, "  1 " }, { "run\r", ANYWHERE, "> 1 " },
	     { "run -f has_inf_or_nan\r", ANYWHERE, "> 2 " }, { "run --last\r", ANYWHERE, ">14 " });
	leave_by_exit(t);
}
END_TEST

/* prev leads to another run's screen, and what is typed there is about that run. */
START_TEST(screens_remember_their_run)
{
	struct terminal *t = start();

	terminal_enter(t, "run");
	check_title(t, "run-end: run #1: ", BLACK);
	terminal_enter(t, "run -t 7");
	check_title(t, "run-end: run #8: ", BLACK);
	ck_assert(terminal_wait_text(t, "10 dumped tensor(s):"));
	terminal_enter(t, "prev");
	check_title(t, "run-end: run #1: ", BLACK);
	PLAY(t, { "", ANYWHERE, "4 dumped tensor(s):" },
	     { "lt -n layer/p.*\r", ANYWHERE, "1 dumped tensor(s):" });
	check_title(t, "run-end: run #1: ", BLACK);
	terminal_enter(t, "run");
	check_title(t, "run-end: run #2: ", BLACK);
	leave_by_exit(t);
}
END_TEST

/* A screen of another run makes that the current one, in the list too. */
static const char *const ways_back[] = { "\n" /* prev at the prompt */, "H" };

START_TEST(the_list_follows_the_screen)
{
	struct terminal *t = start();

	PLAY(t, { "run -t 3\r", ANYWHERE, "> 3 " }, { "run\r", ANYWHERE, "> 4 " });
	if (*ways_back[_i] == '\n') {
		terminal_enter(t, "prev");
	} else {
		terminal_press(t, TKEY_ESCAPE);
		ck_assert(terminal_wait_row(t, 21, "row 1/"));
		terminal_type(t, ways_back[_i]);
	}
	check_title(t, "run-end: run #3: ", BLACK);
	PLAY(t, { "", ANYWHERE, "> 3 " }, { "", GONE, "> 4 " });
	if (*ways_back[_i] != '\n')
		terminal_type(t, ":");
	terminal_enter(t, "run");
	check_title(t, "run-end: run #4: ", BLACK);
	leave_by_exit(t);
}
END_TEST

/* Coming back shows the run's latest screen, not its first. */
START_TEST(coming_back_shows_the_latest_screen)
{
	struct terminal *t = start();

	terminal_enter(t, "run");
	check_title(t, "run-end: run #1: ", BLACK);
	terminal_enter(t, "ni layer/prod");
	ck_assert(terminal_wait_text(t, "Node layer/prod"));
	terminal_enter(t, "run");
	check_title(t, "run-end: run #2: ", BLACK);
	PLAY(t, { "run -b\r", 1, "| <-- --> | ni layer/prod" },
	     { "", ANYWHERE, "Node layer/prod" });
	check_title(t, "run-end: run #1: ", BLACK);
	leave_by_exit(t);
}
END_TEST

/* Sorted by name, and "MatMul" left out. */
static void check_rows(struct terminal *t)
{
	ck_assert(terminal_wait_row(t, 14, "layer/ratio:0"));
	ck_assert(terminal_wait_row(t, 18, "layer/w:0"));
	ck_assert(terminal_wait_gone(t, "MatMul"));
}

/* Filters and order too, by H and L as by coming to the run. */
START_TEST(screens_keep_filters_and_order)
{
	struct terminal *t = start();

	terminal_enter(t, "run -t 7");
	check_title(t, "run-end: run #7: ", BLACK);
	PLAY(t, { "", ANYWHERE, "8 dumped tensor(s):" }, { "&!MatMul\r", GONE, "MatMul" },
	     { "<Esc>", 21, " row " });
	terminal_type(t, "<s");
	check_rows(t);
	terminal_type(t, "H");
	ck_assert(terminal_wait_row(t, 1, "(-1) run_info"));
	terminal_type(t, "L");
	check_rows(t);
	terminal_type(t, ":");
	terminal_enter(t, "run");
	check_title(t, "run-end: run #8: ", BLACK);
	ck_assert(terminal_wait_text(t, "10 dumped tensor(s):"));
	terminal_enter(t, "run -b");
	check_title(t, "run-end: run #7: ", BLACK);
	check_rows(t);
	leave_by_exit(t);
}
END_TEST

/* The table stands above the run's screen; what it does not know yet is read while it shows. */
START_TEST(rows_of_the_table_fill_in)
{
	struct terminal *t = start();

	PLAY(t, { "", 3, "# time         dt (ms) writer tensors  bytes status   nan/inf fetches" },
	     { "", ANYWHERE, "  1       4    898 complete       - layer/prod:0" });
	terminal_enter(t, "run -t 2");
	check_title(t, "run-end: run #2: ", BLACK);
	ck_assert(terminal_wait_text(t, "> 2 "));
	leave_by_exit(t);
}
END_TEST

/* "nan/inf in runs 1-14", a sign for each run: what was tested, and where something was found. */
START_TEST(hits_show_on_the_rule)
{
	struct terminal *t = start();

	PLAY(t, { "", 10, "--- run_info ------" },
	     { "run -f has_inf_or_nan\r", 10, "- nan/inf in runs 1-14 ▁█             -" },
	     { "", ANYWHERE,
	       "  1 23:48:23.552              1       4    898 complete       0 layer/prod:0" },
	     { "<Resize(55x24)>", 10, "--- lt -f has_inf_or_nan - nan/inf in runs 1-14 █     -" },
	     { "<Resize(50x24)>", 10, "--- lt -f has_inf_or_nan ------------------------" });
	leave_by_exit(t);
}
END_TEST

/* ]n tests all runs of the table and goes to the next one with NaN or Inf; none need be open. */
START_TEST(bad_runs_are_found)
{
	struct terminal *t = start();

	PLAY(t, { "close\rruns\r", 1, "| <-- --> | runs" }, { "<Esc>", ANYWHERE, "row 1/14" },
	     { "]n", ANYWHERE, "row 2/14" }, { "2]n", ANYWHERE, "row 12/14" },
	     { "[n", ANYWHERE, "row 7/14" });
	leave_by_key(t);
}
END_TEST

START_TEST(line_mode_says_where_it_goes)
{
	struct terminal *t = terminal_start((const char *const[]){ program_path(), "--ui=line",
	                                                           "testdata/runs/mixed", NULL },
	                                    NULL, NULL, 60, 100);

	PLAY(t, { "", ANYWHERE, "run-start: run #1: 1 fetch (layer/prod:0)" },
	     { "", ANYWHERE, "tfdbg>" },
	     { "run\r", ANYWHERE, "run-end: run #1: 1 fetch (layer/prod:0)" },
	     { "", ANYWHERE, "4 dumped tensor(s):" });
	leave_by_exit(t);
}
END_TEST

/*
 * Several roots of runs: their list is the first screen, and any of them can be opened, and its
 * screens come back.
 */
START_TEST(roots_are_opened_from_their_list)
{
	struct terminal *t = terminal_start(
		(const char *const[]){ program_path(), "testdata", NULL }, NULL, NULL, 120, 90);

	ck_assert_ptr_nonnull(t);
	ck_assert(terminal_wait_row(t, 1, "| runs"));
	ck_assert(terminal_wait_text(t, "tfdbg v1 dump     2 ")
	          && terminal_wait_text(t, " session"));
	PLAY(t, { "lt\r", ANYWHERE, "ERROR: No run is open: " },
	     { "runs session\r", 0, "run-start: run #1" },
	     { "runs\r", ANYWHERE, "train, loss/mse:0" },
	     { "runs linear\r", ANYWHERE, "41 dumped tensor(s)" },
	     { "runs profile/linear\r", 1, "| scopes" },
	     { "prev\r", ANYWHERE, "41 dumped tensor(s)" },
	     { "prev\r", ANYWHERE, "train, loss/mse:0" },
	     { "runs --roots\r", ANYWHERE, "profile/linear" });
	leave_by_exit(t);
}
END_TEST

SUITE_MAIN("screen_runs",
	tcase_add_test(t, roots_are_opened_from_their_list);
	tcase_add_test(t, titles_have_their_colours);
	tcase_add_test(t, the_list_of_runs_follows);
	tcase_add_test(t, screens_remember_their_run);
	tcase_add_loop_test(t, the_list_follows_the_screen, 0, 2);
	tcase_add_test(t, coming_back_shows_the_latest_screen);
	tcase_add_test(t, screens_keep_filters_and_order);
	tcase_add_test(t, rows_of_the_table_fill_in);
	tcase_add_test(t, hits_show_on_the_rule);
	tcase_add_test(t, bad_runs_are_found);
	tcase_add_test(t, line_mode_says_where_it_goes);
)
