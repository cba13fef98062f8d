/* Steps of a profile on the screen: what is about the current one is asked again for another. */
#include "tests/suite.h"

#include <stdlib.h>

#include "tests/on_screen.h"
#include "tests/program.h"

#define STEP_0 "CPU:0: span 254.3us"
#define STEP_1 "CPU:0: span 261.8us"

static struct terminal *start(void)
{
	struct terminal *t = start_in(NULL, (const char *const[]){ "testdata/profile/linear",
	                                                           NULL }, NULL, 30, 100);

	ck_assert(terminal_wait_row(t, 28, "tfdbg>"));
	return t;
}

START_TEST(profile_views_follow_the_step)
{
	struct terminal *t = start();

	PLAY(t, { "kernels -g op\r", ANYWHERE, STEP_1 }, { "<Esc>", ANYWHERE, "row " },
	     { "[s", ANYWHERE, STEP_0 }, { "", ANYWHERE, "INFO: Step 0 (1 of 3): " },
	     { "", 1, "| kernels -g op" }, { "]s", ANYWHERE, STEP_1 });
	terminal_press(t, TKEY_F0 + 10);
	expect_end(t, 0);
}
END_TEST

/* Both panes of the layout; what doesn't depend on the step stays as it is. */
START_TEST(all_panes_follow)
{
	struct terminal *t = start();

	PLAY(t, { "layout timeline\r", ANYWHERE, STEP_1 },
	     { "", ANYWHERE, "timeline: 1 lane, span 284.3us" },
	     { "step 2\r", ANYWHERE, "CPU:0: span 292.0us" },
	     { "", ANYWHERE, "timeline: 1 lane, span 304.3us" }, { "ni w\r", ANYWHERE, "Node w" },
	     { "step prev\r", ANYWHERE, "timeline: 1 lane, span 284.3us" },
	     { "", ANYWHERE, "Node w" });
	leave_by_exit(t);
}
END_TEST

SUITE_MAIN("screen_steps",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_test(t, profile_views_follow_the_step);
	tcase_add_test(t, all_panes_follow);
)
