/* A GraphDef as PATH on the screen, as programs leave them behind in TF_DUMP_GRAPH_PREFIX. */
#include "tests/suite.h"

#include <stdlib.h>

#include "tests/on_screen.h"
#include "tests/program.h"

static const char *const files[] = { "testdata/profile/linear/graph.pb", "testdata/profile/linear/graph.pbtxt" };

START_TEST(nodes_are_shown_and_searched)
{
	struct terminal *t = start_in(NULL, (const char *const[]){ files[_i], NULL }, NULL, 24, 80);

	ck_assert(terminal_wait_row(t, 22, "tfdbg>"));
	terminal_enter(t, "ni model/y_hat");
	ck_assert(terminal_wait_text(t, "  Op: BiasAdd"));
	terminal_enter(t, "/no such thing");
	ck_assert(terminal_wait_row(t, 20, "Pattern not found"));
	terminal_enter(t, "/b.read");
	terminal_enter(t, "/");
	ck_assert(terminal_wait_row(t, 20, "INFO: Search went on from the top"));
	terminal_enter(t, "li -r model/y_hat");
	ck_assert(terminal_wait_text(t, "Inputs to node \"model/y_hat\""));
	leave_by_exit(t);
}
END_TEST

SUITE_MAIN("screen_graph",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, nodes_are_shown_and_searched, 0, ROWS(files));
)
