/* diff of steps whose function was traced anew: which is the step before, what goes with what. */
#include "tests/suite.h"

#include <string.h>

#include "tests/program.h"
#include "tests/program_files.h"

static struct program_run ran;

static void teardown(void)
{
	program_release(&ran);
	remove_scratch();
}

static const char *answer(const char *command)
{
	program_release(&ran);
	program_run((const char *[]){ program_path(), "-c", command, scratch, NULL }, NULL, NULL,
	            &ran);
	return str_text(&ran.out);
}

static void expect(const char *command, const char *text)
{
	const char *got = answer(command);

	ck_assert_msg(strstr(got, text), "%s: expected \"%s\" in\n%s", command, text, got);
}

/* Two loops in a function that was traced twice. */
static void put_calls(void)
{
	static const struct { const char *id, *name, *outer; } graphs[] = {
		{ "old", "f", "" }, { "old_1", "while_body_1", "old" },
		{ "old_2", "while_body_22", "old" }, { "new", "f", "" },
		{ "new_1", "while_body_8", "new" }, { "new_2", "while_body_9", "new" },
		{ "new_3", "while_body_10", "new" },
	};

	put_metadata(100, "run");
	for (size_t i = 0; i < ROWS(graphs); i++)
		put_graph(graphs[i].id, graphs[i].name, graphs[i].outer);
	put_trace(100.1, "old", "x");
	put_trace(100.2, "old_1", "x");
	put_trace(100.3, "old_2", "y");
	put_trace(100.4, "old_2", "z");
	put_step(101, "__inference_f_5", "old", 0, 0);
	put_step(102, "__backward_f_6", "new", 0, 0);
	put_trace(102.1, "new", "x");
	put_trace(102.2, "new_1", "x");
	put_trace(102.3, "new_2", "y");
	put_trace(102.4, "new_3", "y");
	put_step(103, "__inference_f_77", "new", 0, 0);
	put_step(104, "__inference_g_7", "", 0, 0);
	put_step(105, "__inference_f_5", "old", 0, 0);
	write_set("1.host");
}

START_TEST(the_step_before)
{
	put_calls();
	expect("diff --step 2", "step #2 against step #0: ");
	expect("diff --step 4", "step #4 against step #0: ");
	expect("diff --step 4 2", "step #4 against step #2: ");
	expect("diff --step 3", "ERROR: There is no __inference_g_7 before step #3");
	expect("diff --step 1", "ERROR: There is no __backward_f_6 before step #1");
}
END_TEST

/* The loops go by their order, as the numbers in their names say nothing. */
START_TEST(graphs_by_name)
{
	put_calls();
	expect("diff --step 2 --all",
	       "step #2 against step #0: 6 tensor(s), 3 same, 1 added, 1 gone, 1 unknown\n"
	       "The graphs differ: that of step #2 is f (new), that of step #0 is f (old); "
	       "tensors are paired by the names of their ops.\n");
	expect("diff --step 2 --all", "\nadded    y:0 ");
	expect("diff --step 2 --all", "\ngone     z:0 ");
	expect("diff --step 2 y:0 -g new_2", "\nTensor \"y:0\", step #2 against step #0: same\n");
	expect("diff --step 2 y:0 -g new_3", "\nTensor \"y:0\", step #2 against step #0: added\n");
	expect("diff --step 4 --all", "step #4 against step #0: 5 tensor(s), 4 gone, 1 unknown\n"
	       "1 compared");
}
END_TEST

SUITE_MAIN("program_diff",
	tcase_add_checked_fixture(t, make_scratch, teardown);
	tcase_add_test(t, the_step_before);
	tcase_add_test(t, graphs_by_name);
)
