/* A GraphDef as PATH on the screen, as programs leave them behind in TF_DUMP_GRAPH_PREFIX. */
#include "tests/suite.h"

#include <stdlib.h>

#include "tests/on_screen.h"
#include "tests/program.h"

static const char *const files[] = {
	"testdata/profile/linear/graph.pb", "testdata/profile/linear/graph.pbtxt",
};

#define MODULE "testdata/hlo/traced/module_0007.jit_step.sm_8.0_gpu_after_optimizations.txt"

START_TEST(nodes_are_shown_and_searched)
{
	struct terminal *t = start_in(NULL, (const char *const[]){ files[_i], NULL }, NULL, 24, 80);

	PLAY(t, { "", 22, "tfdbg>" }, { "ni model/y_hat\r", ANYWHERE, "  Op: BiasAdd" },
	     { "/no such thing\r", 20, "Pattern not found" },
	     { "/b.read\r/\r", 20, "INFO: Search went on from the top" },
	     { "li -r model/y_hat\r", ANYWHERE, "Inputs to node \"model/y_hat\"" });
	leave_by_exit(t);
}
END_TEST

/* A module of XLA: into a fusion, and into what that is made of. */
START_TEST(computations_are_entered)
{
	struct terminal *t = start_in(NULL, (const char *const[]){ MODULE, NULL }, NULL, 24, 80);

	PLAY(t, { "", ANYWHERE, "4 computation(s) of jit_step:" },
	     { "graph input-reduce-fusion\r", ANYWHERE, "[[input-reduce-fusion fusion kInput]]" },
	     { "<Esc><Enter>", ANYWHERE, "[[reduce.1 " },
	     { "<Enter>", ANYWHERE, "[[sum.2 " });
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("screen_graph",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_test(t, computations_are_entered);
	tcase_add_loop_test(t, nodes_are_shown_and_searched, 0, ROWS(files));
)
