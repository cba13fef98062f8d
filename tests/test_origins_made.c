/* Dumps made by hand, for what recordings don't show: damage, circles, clocks that go back. */
#include "tests/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "dump/model/origin_value.h"
#include "dump/readers.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define MOST 6

/*
 * Nodes: "NAME OP INPUT..."; none: there is no graph. Dumps: "RUN/NODE_SLOT_OP_TIME VALUE", of one
 * float; RUN may be left out; no value: an empty file.
 */
static const struct made {
	const char *what, *nodes[MOST], *dumps[MOST], *line, *told[3];
} made[] = {
	{ "an input that is clean", { "x Placeholder", "a Log x", "b Neg a", "r _Retval b" },
	  { "x_0_DebugIdentity_100 0", "a_0_DebugIdentity_101 -inf",
	    "b_0_DebugIdentity_102 inf" },
	  "origins", { "1 origin of NaN/Inf; 2 of 3 tensors bad, first in run 1\n#1 a:0  Log  "
	               "log_of_zero  exact  -inf 1 of 1  spreads to 1, reaches fetch" } },
	{ "no graph", { NULL }, { "a_0_DebugIdentity_100 nan" }, "origins",
	  { "#1 a:0  ?  unknown  bounded  nan 1 of 1",
	    "cannot order: no graph says what went into it" } },
	{ "a node that the graph lacks", { "b NoOp" }, { "a_0_DebugIdentity_100 nan" }, "origins",
	  { "cannot order: the graph does not have this node" } },
	{ "an input that the graph lacks", { "a Exp zzz", "r _Retval a" },
	  { "a_0_DebugIdentity_100 nan" },
	  "origins", { "bounded", "this node or one not dumped: zzz" } },
	{ "a circle at one time", { "a Exp b", "b Exp a", "c Exp b", "r _Retval c" },
	  { "a_0_DebugIdentity_100 nan", "b_0_DebugIdentity_100 nan",
	    "c_0_DebugIdentity_101 nan" },
	  "origins", { "1 origin of NaN/Inf; 3 of 3",
	               "cannot order: it comes of itself, by others of the same time" } },
	{ "a circle of flow", { "w TensorArrayWriteV3 h i v m", "m Merge n", "n NextIteration w" },
	  { "m_0_DebugIdentity_100 nan", "w_0_DebugIdentity_101 nan",
	    "n_0_DebugIdentity_102 nan" },
	  "origins -a", { "0 origins of NaN/Inf, 1 benign", " - m:0  Merge  benign: flow" } },
	{ "a node that feeds itself", { "a Exp a", "r _Retval a" },
	  { "a_0_DebugIdentity_100 1", "a_0_DebugIdentity_101 inf", "a_0_DebugIdentity_102 nan" },
	  "origins", { "#1 a:0 [exec 1]  Exp  overflow  exact  +inf" } },
	{ "a clock that went back", { "x Placeholder", "a Log x", "r _Retval a" },
	  { "x_0_DebugIdentity_105 0", "a_0_DebugIdentity_101 -inf" },
	  "origins", { "bounded", "this node or one not dumped: x" } },
	{ "an input that was not dumped",
	  { "x Placeholder", "a Exp x", "b Mul a a", "r _Retval b" },
	  { "x_0_DebugIdentity_100 1", "b_0_DebugIdentity_102 inf" },
	  "origins", { "#1 b:0  Mul  unknown  bounded", "this node or one not dumped: a\n" } },
	{ "one that others show to be clean",
	  { "x Placeholder", "a Exp x", "b Log a", "c AddV2 a a", "r _Retval b" },
	  { "x_0_DebugIdentity_100 1", "b_0_DebugIdentity_102 -inf", "c_0_DebugIdentity_103 2" },
	  "origins", { "#1 b:0  Log  log_of_zero  exact" } },
	{ "a logarithm that its input gives away",
	  { "x Placeholder", "a Log x", "b Mul a a", "r _Retval b" },
	  { "x_0_DebugIdentity_100 0", "b_0_DebugIdentity_102 inf" },
	  "origins", { "#1 b:0  Mul  log_of_zero  bounded", "not dumped: a (most likely)\n" } },
	{ "a mask", { "x Placeholder", "a Mul x x", "s Softmax a" },
	  { "x_0_DebugIdentity_100 1", "a_0_DebugIdentity_101 -inf", "s_0_DebugIdentity_102 0" },
	  "origins -a", { "0 origins of NaN/Inf, 1 benign; 1 of 3 tensors bad",
	                  " - a:0  Mul  benign: mask, absorbed by s  -inf 1 of 1" } },
	{ "a constant that nobody takes", { "c Const" }, { "c_0_DebugIdentity_101 inf" },
	  "origins -a", { " - c:0  Const  benign: unused  +inf 1 of 1" } },
	{ "a variable that was written unseen", { "v VariableV2", "x Placeholder", "u Assign v x" },
	  { "run_100_0/v_0_DebugIdentity_101 0", "run_200_1/v_0_DebugIdentity_201 nan" },
	  "origins", { "#1 v:0 [run 2]  VariableV2  variable  bounded",
	               "written by what was not dumped: u\n" } },
	{ "one that was bad from the start", { "v VariableV2" },
	  { "run_100_0/v_0_DebugIdentity_101 nan", "run_200_1/v_0_DebugIdentity_201 nan" },
	  "origins", { "1 origin of NaN/Inf; 2 of 2", "spreads to 1, reaches variable\n",
	               "written before the first run" } },
	{ "one that an earlier run left bad", { "v VariableV2", "x Placeholder", "u Assign v x" },
	  { "run_100_0/v_0_DebugIdentity_101 0", "run_100_0/x_0_DebugIdentity_102 nan",
	    "run_200_1/v_0_DebugIdentity_201 nan" },
	  "origins", { "1 origin of NaN/Inf; 2 of 3", "#1 x:0 [run 1]  Placeholder  fed",
	               "spreads to 1" } },
	{ "a file without a tensor", { "x Placeholder", "a Exp x", "r _Retval a" },
	  { "x_0_DebugIdentity_100", "a_0_DebugIdentity_101 inf" },
	  "origins", { "#1 a:0  Exp  unknown  bounded", "this node or one not readable: x" } },
	{ "debug ops of others", { "a Exp a" }, { "a_0_DebugFoo_100 1", "a_0_DebugBar_101 1" },
	  "origins", { "ERROR: this dump holds no health data: Debug" } },
	{ "a newer debug op", { "a Exp a" }, { "a_0_DebugIdentityV3_100 nan" }, "origins -a",
	  { " - a:0  Exp  benign: unused  nan 1 of 1" } },
	{ "nothing bad", { "a Exp a" }, { "a_0_DebugIdentity_100 1" }, "origins",
	  { "No NaN or Inf in 1 tensor\n" } },
};

/* The directory of a run in `dump`: what stands before the /, or none. */
static int run_len(const char *dump)
{
	const char *slash = strchr(dump, '/');

	return slash ? (int)(slash - dump) + 1 : 0;
}

static void put_graph(const struct made *m, const char *dir, const char *dump)
{
	struct str graph = {0}, event = {0}, name = {0};

	for (size_t i = 0; i < MOST && m->nodes[i]; i++) {
		char node[16], op[32];
		int begin = 0;

		ck_assert_int_eq(sscanf(m->nodes[i], "%15s %31s %n", node, op, &begin), 2);
		put_node_def(&graph, node, op, m->nodes[i] + begin, "");
	}
	put_message(&event, 4, &graph);
	str_fmt(&name, "%.*s" SMALL_DEVICE "/_tfdbg_graph_hash1_99", run_len(dump), dump);
	if (m->nodes[0])
		dump_put(dir, name.text, event.text, event.len);
	str_release(&graph);
	str_release(&event);
	str_release(&name);
}

static void put_dump(const char *dir, const char *dump)
{
	const char *value = strchr(dump, ' ');
	struct str name = {0}, tensor = {0}, event = {0};
	int run = run_len(dump), len = value ? (int)(value - dump) : (int)strlen(dump);

	str_fmt(&name, "%.*s" SMALL_DEVICE "/%.*s", run, dump, len - run, dump + run);
	if (value) {
		float number = strtof(value, NULL);

		put_tensor_head(&tensor, 1, 1, (int64_t[]){ 1 });
		put_bytes(&tensor, 4, &number, sizeof number);
		put_event(&event, &tensor);
	}
	dump_put(dir, name.text, str_text(&event), event.len);
	str_release(&name);
	str_release(&tensor);
	str_release(&event);
}

static char *make(const struct made *m)
{
	char *dir = scratch_new();

	for (size_t i = 0; i < MOST && m->dumps[i]; i++) {
		put_graph(m, dir, m->dumps[i]);
		put_dump(dir, m->dumps[i]);
	}
	return dir;
}

START_TEST(the_answer_says_it)
{
	const struct made *m = &made[_i];
	char *dir = make(m);
	struct shell *shell = session_of(dir);
	struct str answer = {0};

	session_ask(shell, m->line, &answer);
	for (size_t i = 0; i < 3 && m->told[i]; i++)
		ck_assert_msg(strstr(str_text(&answer), m->told[i]), "%s: no \"%s\" in\n%s",
		              m->what, m->told[i], str_text(&answer));
	str_release(&answer);
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

/*
 * In a loop each read of an array may have what was written before: of many that is added up, and
 * what stands for it is no tensor.
 */
START_TEST(many_writes_to_an_array)
{
	enum { TIMES = 200 };
	static const struct made loop = {
		.nodes = { "h TensorArrayV3", "x Placeholder", "v Exp x",
		           "w TensorArrayWriteV3 h i v h:1", "r TensorArrayReadV3 h i w",
		           "o _Retval r" } };
	char *dir = scratch_new();
	struct str text = {0};
	struct shell *shell;

	put_graph(&loop, dir, "");
	put_dump(dir, "x_0_DebugIdentity_50 1");
	for (int i = 0; i < TIMES; i++) {
		str_reset(&text);
		str_fmt(&text, "v_0_DebugIdentity_%d %s", 100 + 2 * i, i < 10 ? "1" : "inf");
		put_dump(dir, text.text);
		str_reset(&text);
		str_fmt(&text, "r_0_DebugIdentity_%d %s", 101 + 2 * i, i < 10 ? "1" : "nan");
		put_dump(dir, text.text);
	}
	shell = session_of(dir);
	session_ask(shell, "origins 1", &text);
	ck_assert_msg(strstr(text.text, "#1 v:0 [exec 10]  Exp  overflow  exact  +inf 1 of 1  "
	                                "spreads to 190, reaches fetch, undumped, "
	                                "190 times\n"),
	              "%s", text.text);
	ck_assert_msg(strstr(text.text, "\n  v:0  Exp               +inf 1 of 1  exec 10\n"
	                                "  r:0  TensorArrayReadV3  nan 1 of 1  exec 10\n"),
	              "%s", text.text);
	str_release(&text);
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

START_TEST(a_list_leaves_origins_out_and_says_so)
{
	static const char list[] = "# known\n\n^b\r\n^a$\r\n(\n";
	char *dir = make(&made[0]);
	struct shell *shell;
	struct str answer = {0}, warnings = {0};

	dump_put(dir, "origins.ignore", list, strlen(list));
	shell = session_of(dir);
	ck_assert(session_ask(shell, "origins -a", &answer));
	ck_assert_msg(strstr(answer.text, "0 origins of NaN/Inf, 1 ignored by ") &&
	              strstr(answer.text, "/origins.ignore; 2 of 3 tensors bad") &&
	              strstr(answer.text, " - a:0  Log  benign: ignored"), "%s", answer.text);
	session_warnings(shell, &warnings);
	shell_free(shell);
	str_release(&answer);
	str_release(&warnings);
	scratch_remove(dir);
}
END_TEST

/* -Inf is a negative number for the rules, -0 is none. */
static const struct { const char *value; bool negative, zero; } signs[] = {
	{ "-inf", true, false }, { "-1", true, false }, { "-0.0", false, true },
	{ "0", false, true }, { "inf", false, false }, { "nan", false, false },
};

START_TEST(values_have_signs)
{
	struct str dump = {0};
	struct made one = { .nodes = { "a Const" } };
	struct origin_health health;
	struct err err = {0};
	struct run *run;
	char *dir;

	str_fmt(&dump, "a_0_DebugIdentity_100 %s", signs[_i].value);
	one.dumps[0] = dump.text;
	dir = make(&one);
	run = run_open(dir, &err);
	ck_assert_msg(run && run_load(run, NULL, &err), "%s", err.msg);
	ck_assert(origin_health_read(run, &run->tensors.at[0], &health, NULL, &err));
	ck_assert_int_eq(health.has_negative, signs[_i].negative);
	ck_assert_int_eq(health.has_zero, signs[_i].zero);
	run_close(run);
	str_release(&dump);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("origins_made",
	tcase_add_loop_test(t, values_have_signs, 0, ROWS(signs));
	tcase_add_loop_test(t, the_answer_says_it, 0, ROWS(made));
	tcase_add_test(t, many_writes_to_an_array);
	tcase_add_test(t, a_list_leaves_origins_out_and_says_so);
)
