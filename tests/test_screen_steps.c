/* Steps of a profile on the screen: what tells of the current one is asked again when that is another. */
#include "tests/suite.h"

#include <stdlib.h>

#include "tests/on_screen.h"
#include "tests/program.h"

#define STEP_0 "CPU:0: span 254.3us"
#define STEP_1 "CPU:0: span 261.8us"

static struct terminal *start(void)
{
	struct terminal *t = start_in(NULL, (const char *const[]){ "testdata/profile/linear", NULL }, NULL, 30, 100);

	ck_assert(terminal_wait_row(t, 28, "tfdbg>"));
	return t;
}

START_TEST(profile_views_follow_the_step)
{
	struct terminal *t = start();

	terminal_enter(t, "kernels -g op");
	ck_assert(terminal_wait_text(t, STEP_1));
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_text(t, "row "));
	terminal_type(t, "[s");
	ck_assert(terminal_wait_text(t, STEP_0));
	ck_assert(terminal_wait_text(t, "INFO: Step 0 (1 of 3): "));
	ck_assert(terminal_wait_row(t, 1, "| kernels -g op"));
	terminal_type(t, "]s");
	ck_assert(terminal_wait_text(t, STEP_1));
	terminal_press(t, TKEY_F0 + 10);
	expect_end(t, 0);
}
END_TEST

/* Both panes of the layout; what doesn't depend on the step stays as it is. */
START_TEST(all_panes_follow)
{
	struct terminal *t = start();

	terminal_enter(t, "layout timeline");
	ck_assert(terminal_wait_text(t, STEP_1));
	ck_assert(terminal_wait_text(t, "timeline: 1 lane, span 284.3us"));
	terminal_enter(t, "step 2");
	ck_assert(terminal_wait_text(t, "CPU:0: span 292.0us"));
	ck_assert(terminal_wait_text(t, "timeline: 1 lane, span 304.3us"));
	terminal_enter(t, "ni w");
	ck_assert(terminal_wait_text(t, "Node w"));
	terminal_enter(t, "step prev");
	ck_assert(terminal_wait_text(t, "timeline: 1 lane, span 284.3us"));
	ck_assert(terminal_wait_text(t, "Node w"));
	leave_by_exit(t);
}
END_TEST

SUITE_MAIN("screen_steps",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_test(t, profile_views_follow_the_step);
	tcase_add_test(t, all_panes_follow);
)
