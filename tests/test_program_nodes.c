/*
 * ni, li and lo about recorded programs. Stacks and neighbours are those that TensorFlow's own
 * reader found in the recordings.
 */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "tests/program.h"
#include "tests/program_files.h"
#include "tests/small_dump.h"

#define NESTED "testdata/v2/nested"
#define TRAINING "testdata/v2/mode_CONCISE_HEALTH"
#define LEGEND "\nLegend:\n  (d): recursion depth = d.\n"
#define LEGEND_OPS LEGEND "  [Op]: Input node has op type Op.\n"
#define NO_CONTROL "Control edges are not recorded in v2 dumps.\n"

static const struct { const char *root, *before, *line, *answer; } answers[] = {
	{ NESTED, NULL, "li -r -t while/Identity_2 -g 5030663d",
	  "Inputs to node \"while/Identity_2\" (Depth limit = 20):\n"
	  "|- (1) [AddV2] while/add\n"
	  "   |- (2) [Placeholder] while/Placeholder (function input)\n"
	  "   |- (2) [Placeholder] while/add/x (function input)\n" LEGEND_OPS },
	{ NESTED, NULL, "li -c while -g 0f20d293",
	  "Inputs to node \"while\" (Depth limit = 1):\n"
	  "|- (1) while/loop_counter\n"
	  "|- (1) while/maximum_iterations\n"
	  "|- (1) zeros_like\n"
	  "|- (1) Const\n"
	  "|- (1) times (function input)\n"
	  "|- (1) x (function input)\n" LEGEND NO_CONTROL
	  "\n3 graph(s) created in repeated_add, for its calls, loops and branches:\n"
	  "  51ac204b  tmp\n"
	  "  c6c45e54  while_cond_69\n"
	  "  5030663d  while_body_70\n" },
	{ NESTED, NULL, "li -r Identity -g f03f0db5",
	  "Inputs to node \"Identity\" (Depth limit = 20):\n"
	  "|- (1) add\n"
	  "   |- (2) StatefulPartitionedCall_2 (never dumped)\n"
	  "   |- (2) StatefulPartitionedCall_3 (never dumped)\n" LEGEND
	  "\n3 graph(s) created in my_function, for its calls, loops and branches:\n"
	  "  7693632e  unstack_and_sum\n"
	  "  0f20d293  repeated_add\n"
	  "  70e9ee63  choose\n" },
	{ NESTED, NULL, "lo -t unstack -g 7693632e",
	  "Recipients of node \"unstack\" (Depth limit = 1):\n"
	  "|- (1) [AddV2] add (takes output 0)\n"
	  "|  |- ...\n"
	  "|- (1) [AddV2] add (takes output 1)\n"
	  "|  |- ...\n"
	  "|- (1) [AddV2] add_1 (takes output 2)\n"
	  "   |- ...\n" LEGEND_OPS },
	{ NESTED, NULL, "lo while -g 0f20d293 -t",
	  "Recipients of node \"while\" (Depth limit = 1):\n"
	  "|- (1) [Identity] Identity (takes output 2, never dumped)\n" LEGEND_OPS
	  "\n3 graph(s) created in repeated_add, for its calls, loops and branches:\n"
	  "  51ac204b  tmp\n"
	  "  c6c45e54  while_cond_69\n"
	  "  5030663d  while_body_70\n" },
	{ NESTED, NULL, "li -r -t -d 2 -c __inference_my_function_169#7",
	  "Inputs to node \"__inference_my_function_169#7\" (Depth limit = 2):\n"
	  "|- (1) [Mul] Mul#6\n"
	  "|  |- (2) [Fill] Fill#5\n"
	  "|  |  |- ...\n"
	  "|  |- (2) [IteratorGetNext] IteratorGetNext#4\n"
	  "|     |- ...\n"
	  "|- (1) [?] tensor 28 (no producer recorded)\n" LEGEND_OPS NO_CONTROL },
	{ NESTED, NULL, "li Mul#31:0",
	  "Inputs to node \"Mul#31\" (Depth limit = 1):\n"
	  "|- (1) Unpack#20:2\n"
	  "|  |- ...\n"
	  "|- (1) Unpack#20:2\n"
	  "   |- ...\n" LEGEND },
	{ NESTED, NULL, "lo -r '#4'",
	  "Recipients of node \"IteratorGetNext#4\" (Depth limit = 20):\n"
	  "|- (1) Mul#6\n"
	  "   |- (2) __inference_my_function_169#7\n" LEGEND },
	{ NESTED, NULL, "lo '#37'",
	  "Recipients of node \"EagerPyFunc#37\" (Depth limit = 1):\n"
	  "  [None]\n" LEGEND },
	{ NESTED, "run", "ni -a -d while/add",
	  "Node while/add\n"
	  "\n"
	  "  Op: AddV2\n"
	  "  Graph: while_body_70 < repeated_add < my_function (5030663d)\n"
	  "  Device: /job:localhost/replica:0/task:0/device:CPU:0\n"
	  "  Outputs: 1, tensor id 37\n"
	  "  Dumps: 3 in step #7, 9 in all\n"
	  "\n"
	  "  2 input(s):\n"
	  "      [Placeholder] while/Placeholder (function input)\n"
	  "      [Placeholder] while/add/x (function input)\n"
	  "\n"
	  "  1 recipient(s):\n"
	  "      [Identity] while/Identity_2 (never dumped)\n"
	  "\n"
	  "Attributes are not recorded in v2 dumps.\n"
	  "\n"
	  "3 dumped tensor(s):\n"
	  "\n"
	  "  Slot 0 @ FULL_HEALTH @ 0.077 ms  ok\n"
	  "  Slot 0 @ FULL_HEALTH @ 0.159 ms  ok\n"
	  "  Slot 0 @ FULL_HEALTH @ 0.191 ms  ok\n" },
	{ TRAINING, NULL, "ni -d Log",
	  "Node Log\n"
	  "\n"
	  "  Op: Log\n"
	  "  Graph: cross_entropy < train_step (5209667a)\n"
	  "  Device: /job:localhost/replica:0/task:0/device:CPU:0\n"
	  "  Outputs: 1, tensor id 14\n"
	  "  Dumps: 5\n"
	  "\n"
	  "  1 input(s):\n"
	  "      [Placeholder] p (function input)\n"
	  "\n"
	  "  1 recipient(s):\n"
	  "      [Mul] mul\n"
	  "\n"
	  "5 dumped tensor(s):\n"
	  "\n"
	  "  Slot 0 @ CONCISE_HEALTH @ 916.766 ms  step #7  ok\n"
	  "  Slot 0 @ CONCISE_HEALTH @ 941.661 ms  step #15  ok\n"
	  "  Slot 0 @ CONCISE_HEALTH @ 952.467 ms  step #23  ok\n"
	  "  Slot 0 @ CONCISE_HEALTH @ 963.711 ms  step #31  -inf x10\n"
	  "  Slot 0 @ CONCISE_HEALTH @ 970.077 ms  step #39  nan x16\n" },
	{ TRAINING, NULL, "ni -d '#31'",
	  "Node __inference_train_step_232#31\n"
	  "\n"
	  "  Op: __inference_train_step_232\n"
	  "  Graph: train_step (c50991a8)\n"
	  "  Device: /job:localhost/replica:0/task:0/device:CPU:0\n"
	  "  Outputs: 3, tensor ids 329, 330, 331\n"
	  "\n"
	  "  6 input(s):\n"
	  "      [Mul] Mul#30 (as x)\n"
	  "      [?] tensor 327 (no producer recorded, as y)\n"
	  "      [?] tensor 328 (no producer recorded, as rate)\n"
	  "      [VarHandleOp] VarHandleOp#0 (as MatMul/ReadVariableOp/resource)\n"
	  "      [VarHandleOp] VarHandleOp#2 (as MatMul_1/ReadVariableOp/resource)\n"
	  "      [VarHandleOp] VarHandleOp#4 (as AssignAddVariableOp/resource)\n"
	  "\n"
	  "  1 recipient(s):\n"
	  "      [AddV2] AddV2#36 (takes output 0)\n"
	  "\n"
	  "3 dumped tensor(s):\n"
	  "\n"
	  "  Slot 0 @ CONCISE_HEALTH @ 1.571 ms  nan x1\n"
	  "  Slot 1 @ CONCISE_HEALTH @ 1.571 ms  ?\n"
	  "  Slot 2 @ CONCISE_HEALTH @ 1.571 ms  ?\n" },
};

START_TEST(answer_in_words)
{
	struct shell *shell = session_of(answers[_i].root);
	struct str out = {0};

	if (answers[_i].before)
		ck_assert(session_ask(shell, answers[_i].before, &out));
	ck_assert(session_ask(shell, answers[_i].line, &out));
	ck_assert_str_eq(out.text, answers[_i].answer);
	str_release(&out);
	shell_free(shell);
}
END_TEST

static const struct { const char *line, *answer; } failures[] = {
	{ "ni nothing",
	  "ERROR: There is no node named \"nothing\" in the graphs of this program.\n" },
	{ "li x",
	  "ERROR: 9 graphs have \"x\"; -g GRAPH says which: my_function (f03f0db5), "
	  "unstack_and_sum (7693632e), repeated_add (0f20d293), choose (70e9ee63)" },
	{ "lo while -g my_function", "ERROR: 2 graphs are \"my_function\": f03f0db5, de84726e.\n" },
	{ "li while -g shared_twice",
	  "ERROR: There is no node \"while\" in the graph shared_twice.\n" },
	{ "ni '#38'", "ERROR: There is no step \"#38\": \"lx\" lists them.\n" },
	{ "lo AddV2#6", "ERROR: There is no step \"AddV2#6\": \"lx\" lists them.\n" },
	{ "ni while/add --step 38", "ERROR: There is no step #38: there are 38.\n" },
};

START_TEST(says_what_is_not_there)
{
	struct shell *shell = session_of(NESTED);
	struct str out = {0};

	ck_assert(!session_ask(shell, failures[_i].line, &out));
	ck_assert_msg(!strncmp(out.text, failures[_i].answer, strlen(failures[_i].answer)), "%s",
	              out.text);
	str_release(&out);
	shell_free(shell);
}
END_TEST

static const struct { const char *line, *hint; } hints[] = {
	{ "ni whil/add", "whil/add: did you mean while/add?\n" },
	{ "li whil:2", "whil: did you mean while?\n" },
	{ "lo -g 7693632e unstak", "unstak: did you mean unstack?\n" },
};

START_TEST(near_names_are_offered)
{
	struct program_run ran;

	program_run((const char *const[]){ program_path(), "-c", hints[_i].line, NESTED, NULL },
	            NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 1);
	ck_assert_str_eq(ran.err.text, hints[_i].hint);
	program_release(&ran);
}
END_TEST

/* Typed. */

static void ask_json(const char *root, const char *line, struct str *out)
{
	struct program_run ran;

	program_run((const char *const[]){ program_path(), "--format=json", "-c", line, root,
	                                   NULL }, NULL, NULL, &ran);
	ck_assert_msg(ran.status == 0, "%s: %s", line, str_text(&ran.out));
	str_reset(out);
	str_puts(out, str_text(&ran.out));
	program_release(&ran);
}

static size_t count_of(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

#define DUMPER "/tmp/demo/v2/venv/lib/python3.11/site-packages/tensorflow/python/debug/lib/" \
	"dumping_callback.py"
#define LAST "{\"file\":\"" DUMPER "\",\"line\":247,\"function\":\"_process_stack_frames\"," \
	"\"text\":null,\"host\":\"demo-host\",\"frame\":"

static const struct { const char *line; unsigned n, first_line; } stacks[] = {
	{ "ni -t '#0'", 8, 47 },
	{ "ni -t '#12'", 7, 48 },
	{ "ni -t '#19'", 13, 52 },
	{ "ni -t '#37'", 9, 54 },
	{ "ni -t args_0 -g 90430b42", 17, 47 },
	{ "ni -t Sum -g 70e9ee63", 33, 50 },
	{ "ni -t NoOp -g f03f0db5", 15, 50 },
	{ "ni -t NoOp -g de84726e", 15, 52 },
};

START_TEST(stacks_are_those_of_the_recording)
{
	struct str out = {0}, first = {0};

	ask_json(NESTED, stacks[_i].line, &out);
	str_fmt(&first, "\"traceback\":[{\"file\":\"/tmp/demo/v2/nested.py\",\"line\":%u,"
	        "\"function\":\"<module>\",\"text\":\"", stacks[_i].first_line);
	ck_assert_msg(strstr(out.text, first.text) != NULL, "%s", out.text);
	ck_assert_uint_eq(count_of(out.text, "\"frame\":"), stacks[_i].n);
	ck_assert_uint_eq(count_of(out.text, LAST), 1);
	str_release(&first);
	str_release(&out);
}
END_TEST

static const struct { const char *line, *part; } parts[] = {
	{ "ni args_0 -g 90430b42",
	  "\"inputs\":[],\"recipients\":[{\"node\":\"Cast\",\"slot\":0,\"op\":\"Cast\","
	  "\"input\":0}]" },
	{ "ni Sum -g 70e9ee63",
	  "\"inputs\":[{\"node\":\"x\",\"slot\":0,\"op\":\"Placeholder\"},"
	  "{\"node\":\"Const\",\"slot\":0,\"op\":\"Const\"}],"
	  "\"recipients\":[{\"node\":\"Greater\",\"slot\":0,\"op\":\"Greater\",\"input\":0}]" },
	{ "ni NoOp -g f03f0db5", "\"inputs\":[],\"recipients\":[]" },
	{ "ni Neg -g f03f0db5",
	  "\"inputs\":[{\"node\":\"StatefulPartitionedCall_1\",\"slot\":0,\"op\":null}]" },
	{ "ni StatefulPartitionedCall_1 -g f03f0db5",
	  "\"node\":\"StatefulPartitionedCall_1\",\"op\":null,"
	  "\"graph\":\"f03f0db5-3a83-4ae4-ac16-adf9bf258720\"" },
	{ "ni -t StatefulPartitionedCall_1 -g f03f0db5", "\"traceback\":null" },
	{ "ni '#7'",
	  "\"value\":{\"node\":\"__inference_my_function_169#7\","
	  "\"op\":\"__inference_my_function_169\",\"inputs\":[{\"input\":0,\"id\":26,"
	  "\"placeholder\":\"x\",\"producer\":\"Mul#6:0\"},{\"input\":1,\"id\":28,"
	  "\"placeholder\":\"times\",\"producer\":null}],\"recipients\":[]" },
	{ "ni '#20'",
	  "\"recipients\":[{\"node\":\"Mul#23\",\"slot\":0,\"op\":\"Mul\",\"input\":0}" },
	{ "li Identity -g 0f20d293",
	  "\"rows\":[{\"id\":0,\"parent\":null,\"depth\":1,\"node\":\"while\",\"slot\":2,"
	  "\"op\":\"While\",\"input\":0,\"control\":false,\"cut\":true}]" },
	{ "li '#7'",
	  "{\"id\":2,\"parent\":null,\"depth\":1,\"node\":null,\"slot\":null,\"op\":null,"
	  "\"input\":1,\"control\":false,\"cut\":false}]" },
};

START_TEST(neighbours_are_those_of_the_recording)
{
	struct str out = {0};

	ask_json(NESTED, parts[_i].line, &out);
	ck_assert_msg(strstr(out.text, parts[_i].part) != NULL, "%s", out.text);
	str_release(&out);
}
END_TEST

/* As many as lt has of it, and the same rows. */
START_TEST(dumps_are_rows_of_lt)
{
	struct str dumps = {0}, rows = {0};
	char *row, *end;

	ask_json(NESTED, "ni -d --step 7 while/add", &dumps);
	ask_json(NESTED, "lt --step 7 -n while/add$", &rows);
	ck_assert_uint_eq(count_of(dumps.text, "\"attribution\":"), 3);
	ck_assert_uint_eq(count_of(rows.text, "\"attribution\":"), 3);
	row = strstr(rows.text, "\"rows\":[") + strlen("\"rows\":[");
	end = strstr(row, "}]");
	ck_assert_ptr_nonnull(end);
	*end = '\0';
	ck_assert_msg(strstr(dumps.text, row) != NULL, "%s", dumps.text);
	str_release(&dumps);
	str_release(&rows);
}
END_TEST

/* A copy of the recording without one of its files. */
static char *copy_without(const char *suffix)
{
	static const char *const suffixes[] = {
		"metadata", "source_files", "stack_frames", "graphs", "execution",
		"graph_execution_traces",
	};
	char *dir = scratch_new();

	for (int i = 0; i < ROWS(suffixes); i++) {
		struct str name = {0}, from = {0};

		str_fmt(&name, "tfdbg_events.1795219425.demo-host.%s", suffixes[i]);
		str_fmt(&from, NESTED "/%s", name.text);
		if (strcmp(suffixes[i], suffix) != 0)
			dump_copy(dir, name.text, from.text);
		str_release(&name);
		str_release(&from);
	}
	return dir;
}

static const struct { const char *without, *line, *typed, *text; } losses[] = {
	{ "stack_frames", "ni -t '#0'",
	  "{\"file\":null,\"line\":null,\"function\":null,\"text\":null,\"host\":null,"
	  "\"frame\":\"", "\nTraceback of the call:\n0: <unknown frame " },
	{ "source_files", "ni -t '#0'",
	  "{\"file\":null,\"line\":47,\"function\":\"<module>\",\"text\":null,\"host\":null,"
	  "\"frame\":\"",
	  "\nTraceback of the call:\n0: <unknown file #0>\n  Line:     47\n"
	  "  Function: <module>\n  Text:     None\n" },
	{ "graphs", "ni -d '#7'", "\"placeholder\":null", "\n      [Mul] Mul#6\n" },
};

START_TEST(what_is_lost_is_null)
{
	char *dir = copy_without(losses[_i].without);
	struct shell *shell = session_of(dir);
	struct str out = {0};

	ck_assert(session_ask(shell, losses[_i].line, &out));
	ck_assert_msg(strstr(out.text, losses[_i].text) != NULL, "%s", out.text);
	ask_json(dir, losses[_i].line, &out);
	ck_assert_msg(strstr(out.text, losses[_i].typed) != NULL, "%s", out.text);
	str_release(&out);
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

/* ---- records made here: what no program wrote so far */

/* Two hosts have a file of one name; an input without a slot, one along a control edge. */
static void make_odd(void)
{
	put_metadata(1, NULL);
	put_source_of("one", "/a.py", (const char *const[]){ "def f():", "\treturn 1 ", NULL });
	put_source_of("two", "/a.py", (const char *const[]){ "def f():", "\treturn 2", NULL });
	put_frame("a", 1, 2);
	put_frame("b", 0, 3);
	put_graph("root", "", "");
	put_graph("inner", "f", "root");
	put_op_of("inner", "Placeholder", "x", "", 1, "abc");
	put_op_of("inner", "Split", "split", "x:0", 2, "");
	put_op_of("inner", "AddN", "sum", "split:1 x ^x", 1, "");
	put_op_of("inner", "Neg", "sum", "sum@2:0", 1, "");
	put_op_of("root", "Placeholder", "p", "", 1, "");
	put_op_of("root", "Log", "l", "p:0", 1, "");
	write_set("1.host");
}

static const struct { const char *format, *line, *part; } oddities[] = {
	{ "--format=text", "li -c sum",
	  "|- (1) split:1\n|  |- ...\n|- (1) x (function input)\n"
	  "|- (1) (Ctrl) x (function input)\n" LEGEND NO_CONTROL },
	{ "--format=text", "li sum",
	  "|- (1) split:1\n|  |- ...\n|- (1) x (function input)\n" LEGEND },
	{ "--format=text", "lo x", "|- (1) split\n|  |- ...\n|- (1) sum\n" LEGEND },
	{ "--format=text", "lo -c x", "|- (1) sum\n|- (1) (Ctrl) sum\n" },
	{ "--format=text", "li -r l", "|- (1) p\n" LEGEND },
	{ "--format=text", "ni sum@2", "  Op: Neg\n  Graph: f (inner)\n" },
	{ "--format=text", "ni -t x",
	  "0: /a.py\n  Line:     2\n  Function: f\n  Text:     \"return 2\"\n\n"
	  "1: <unknown file #0>\n  Line:     3\n  Function: f\n  Text:     None\n\n"
	  "2: <unknown frame c>\n" },
	{ "--format=doc", "ni -t x", "link:ps /a.py --host two -b 2\n" },
	{ "--format=json", "li sum -c",
	  "\"node\":\"x\",\"slot\":0,\"op\":\"Placeholder\",\"input\":1,"
	  "\"control\":false" },
	{ "--format=json", "li sum -c",
	  "\"node\":\"x\",\"slot\":null,\"op\":\"Placeholder\",\"input\":2,"
	  "\"control\":true" },
	{ "--format=json", "ni -t x",
	  "\"traceback\":[{\"file\":\"/a.py\",\"line\":2,\"function\":\"f\",\"text\":\"return 2\","
	  "\"host\":\"two\",\"frame\":\"a\"},{\"file\":\"/a.py\",\"line\":3,\"function\":\"f\","
	  "\"text\":null,\"host\":\"one\",\"frame\":\"b\"},{\"file\":null," },
};

START_TEST(odd_records_are_told)
{
	struct program_run ran;

	make_odd();
	program_run((const char *const[]){ program_path(), oddities[_i].format, "-c",
	                                   oddities[_i].line, scratch, NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_msg(strstr(ran.out.text, oddities[_i].part) != NULL, "%s", ran.out.text);
	program_release(&ran);
}
END_TEST

START_TEST(op_is_called_from_its_step)
{
	struct shell *shell = session_of(NESTED);
	struct str out = {0};

	ck_assert(session_ask(shell, "ni -t --step 11 while/add -g 5030663d", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "\n  Text:     \"total += x\"\n"));
	ck_assert_ptr_nonnull(strstr(out.text,
	                             "\nCalled from (__inference_my_function_169#11):\n"
	                             "0: /tmp/demo/v2/nested.py\n  Line:     50\n"));
	ck_assert(session_ask(shell, "ni -t --step 17 while/add -g 5030663d", &out));
	ck_assert_ptr_null(strstr(out.text, "\nCalled from"));
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* Every link to a node or a graph names one alone. */
static const char *const linked[] = {
	"li -r -t Identity -g f03f0db5", "lo -r unstack -g 7693632e", "ni cond -g 70e9ee63",
	"ni '#7'", "lo -r '#4'",
};

START_TEST(links_name_one_node)
{
	struct shell *shell = session_of(NESTED);
	struct str out = {0};
	struct program_run ran;
	size_t n = 0;

	program_run((const char *const[]){ program_path(), "--format=doc", "-c", linked[_i], NESTED,
	                                   NULL }, NULL, NULL, &ran);
	for (char *at = ran.out.text, *end; (at = strstr(at, " link:")); at = end + 1, n++) {
		at += strlen(" link:");
		end = strchr(at, '\n');
		*end = '\0';
		ck_assert_msg(session_ask(shell, at, &out), "%s: %s", at, out.text);
	}
	ck_assert_uint_gt(n, 1);
	program_release(&ran);
	str_release(&out);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("program_nodes",
	tcase_add_checked_fixture(t, make_scratch, remove_scratch);
	tcase_add_loop_test(t, answer_in_words, 0, ROWS(answers));
	tcase_add_loop_test(t, says_what_is_not_there, 0, ROWS(failures));
	tcase_add_loop_test(t, near_names_are_offered, 0, ROWS(hints));
	tcase_add_loop_test(t, stacks_are_those_of_the_recording, 0, ROWS(stacks));
	tcase_add_loop_test(t, neighbours_are_those_of_the_recording, 0, ROWS(parts));
	tcase_add_test(t, dumps_are_rows_of_lt);
	tcase_add_loop_test(t, what_is_lost_is_null, 0, ROWS(losses));
	tcase_add_loop_test(t, odd_records_are_told, 0, ROWS(oddities));
	tcase_add_test(t, op_is_called_from_its_step);
	tcase_add_loop_test(t, links_name_one_node, 0, ROWS(linked));)
