/* Dumps of msprobe: names, order and statistics of dump.json, values of the files beside it. */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/arrays/msprobe.h"
#include "dump/arrays/msprobe_graph.h"
#include "dump/arrays/msprobe_stacks.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define RECORDED "testdata/msprobe/"
#define T "{\"type\": \"torch.Tensor\", \"dtype\": \"torch.float32\", \"shape\": [2, 3]"

static struct arena mem;
static struct array_list list;

static bool list_text(const char *text, struct err *err)
{
	*err = (struct err){0};
	list = (struct array_list){ .mem = &mem };
	return array_msprobe.list(file_of(text, strlen(text)), &list, err);
}

static void done(void)
{
	array_list_release(&list);
	arena_release(&mem);
}

/* What an array is called, its type and shape, and why there is no value. */
static void show_arrays(struct str *out)
{
	for (size_t i = 0; i < list.at.len; i++) {
		const struct array *a = list.at.at[i];
		const struct dtype_info *type = dtype_info(a->dtype);

		str_fmt(out, "%s%s %s", i ? ", " : "", a->name, type ? type->name : a->type_name);
		for (uint32_t k = 0; k < a->rank; k++)
			str_fmt(out, " %lld", (long long)a->dim[k]);
		if (a->why || a->not_stored)
			str_fmt(out, " (%s)", a->why ? a->why : a->not_stored);
	}
}

#define NONE " (Only statistics were recorded.)"

static const struct { const char *json, *arrays; } sound[] = {
	{ "{\"task\": \"statistics\", \"data\": {}}", "" },
	{ "{\"data\": {\"F.a.0.forward\": {\"input_args\": [" T "}, {\"type\": \"int\", "
	  "\"value\": 1}, [null, " T "}]], \"input_kwargs\": {\"k\": " T "}}, \"output\": [" T
	  "}]}}}",
	  "F.a.0.forward.input.0 float32 2 3" NONE ", F.a.0.forward.input.2.1 float32 2 3" NONE
	  ", F.a.0.forward.input.k float32 2 3" NONE ", F.a.0.forward.output.0 float32 2 3" NONE },
	{ "{\"data\": {\"M.b.parameters_grad.0\": {\"w\": [" T "}, " T "}], \"v\": [" T "}]}}}",
	  "M.b.parameters_grad.0.w float32 2 3" NONE ", M.b.parameters_grad.0.w.1 float32 2 3" NONE
	  ", M.b.parameters_grad.0.v float32 2 3" NONE },
	{ "{\"data\": {\"a\": {\"parameters\": {\"w\": " T ", \"data_name\": \"x.y.pt\"}}}}}",
	  "x.y float32 2 3" },
	{ "{\"data\": {\"a\": {\"o\": [" T ", \"data_name\": \"../x.pt\"}]}}}",
	  "../x float32 2 3 (Its file would lie elsewhere.)" },
	{ "{\"data\": {\"a\": {\"o\": [" T ", \"data_name\": \".\"}]}}}",
	  " float32 2 3 (Its file would lie elsewhere.)" },
	{ "{\"data\": {\"a\": {\"o\": {\"dtype\": \"BFloat16\", \"shape\": []}}}}",
	  "a.o bfloat16" NONE },
	{ "{\"data\": {\"a\": {\"o\": {\"dtype\": \"torch.qint32x\", \"shape\": [1]}}}}",
	  "a.o torch.qint32x 1 (Elements of this type are not read.)" },
	{ "{\"data\": {\"a\": {\"o\": {\"dtype\": \"torch.int8\", \"shape\": [1, {}]}}}}", "" },
	{ "{\"data\": {\"a\": {\"o\": {\"dtype\": \"torch.int8\", \"shape\": [-1]}}}}", "" },
	{ "{\"other\": [1, {\"data\": 2}], \"data\": {\"a\\u0041\": {\"o\": " T "}}}}",
	  "aA.o float32 2 3" NONE },
};

START_TEST(sound_lists)
{
	struct str shown = {0};
	struct err err;

	ck_assert_msg(list_text(sound[_i].json, &err), "%s", err.msg);
	show_arrays(&shown);
	ck_assert_str_eq(str_text(&shown), sound[_i].arrays);
	str_release(&shown);
	done();
}
END_TEST

START_TEST(statistics_are_kept)
{
	const struct array_stats *stats;
	struct err err;

	ck_assert(list_text("{\"data\": {\"a\": {\"o\": [" T ", \"Max\": NaN, \"Min\": \"-inf\", "
	                    "\"Mean\": 2.5, \"Norm\": null}, " T "}]}}}", &err));
	stats = list.at.at[0]->stats;
	ck_assert(stats->has[STATS_MAX] && isnan(stats->at[STATS_MAX]));
	ck_assert(stats->has[STATS_MIN] && isinf(stats->at[STATS_MIN]));
	ck_assert(stats->has[STATS_MEAN] && stats->at[STATS_MEAN] == 2.5);
	ck_assert(!stats->has[STATS_NORM]);
	ck_assert_uint_eq(list.at.at[0]->size_bytes, 24);
	ck_assert_ptr_null(list.at.at[1]->stats);
	done();
}
END_TEST

static const struct { const char *json; enum err_code code; const char *words; } refused[] = {
	{ "{}", ERR_FORMAT, "not a dump of msprobe (no calls in it)." },
	{ "[]", ERR_FORMAT, "not a dump of msprobe (no calls in it)." },
	{ "{\"data\": []}", ERR_FORMAT, "not a dump of msprobe (no calls in it)." },
	{ "", ERR_FORMAT, "" },
	{ "{\"data\": {\"a\": {\"o\": [", ERR_FORMAT, "" },
	{ "{\"data\": {\"a\" {\"o\": [", ERR_FORMAT, "" },
};

START_TEST(refused_lists)
{
	struct err err;

	ck_assert(!list_text(refused[_i].json, &err));
	ck_assert_int_eq(err.code, refused[_i].code);
	ck_assert_msg(strstr(err.msg, refused[_i].words), "%s", err.msg);
	done();
}
END_TEST

START_TEST(depth_is_bounded)
{
	struct str text = {0};
	struct err err;

	str_puts(&text, "{\"data\": {\"a\": {\"o\": ");
	str_fill(&text, '[', 5000);
	str_puts(&text, T "}");
	str_fill(&text, ']', 5000);
	str_puts(&text, "}}}");
	ck_assert_msg(list_text(text.text, &err), "%s", err.msg);
	ck_assert_uint_eq(list.at.len, 0);
	str_release(&text);
	done();
}
END_TEST

START_TEST(every_cut_and_change)
{
	struct str bytes = {0};
	struct err err;

	str_puts(&bytes, sound[1].json);
	for (size_t i = 0; i < bytes.len; i++) {
		char was = bytes.text[i];

		bytes.text[i] = '\0';
		ck_assert(!list_text(bytes.text, &err) && err.code);
		done();
		for (const char *c = "{}[]\",:1n\x80"; *c; c++) {
			bytes.text[i] = *c;
			ck_assert(list_text(bytes.text, &err) == (err.code == ERR_NONE));
			done();
		}
		bytes.text[i] = was;
	}
	str_release(&bytes);
}
END_TEST

START_TEST(recorded_values)
{
	struct shell *shell = session_of(RECORDED "tensor");

	session_answers(shell, "run", "12 dumped tensor(s)");
	session_answers(shell, "lt", "(4, 3, 3, 3) Module.conv.Conv2d.forward.0.parameters.weight");
	session_answers(shell, "pt Functional.cross_entropy.0.forward.input.1", "array([1, 2])");
	session_answers(shell, "pt Functional.cross_entropy.0.forward.output.0", "array(1.69");
	session_answers(shell, "run", "12 dumped tensor(s)");
	shell_free(shell);
}
END_TEST

START_TEST(recorded_statistics)
{
	struct shell *shell = session_of(RECORDED "statistics");
	struct str text = {0};

	session_answers(shell, "run", "(2, 3, 8, 8) Functional.conv2d.0.forward.input.0");
	session_answers(shell, "pt Functional.cross_entropy.0.forward.input.1",
	        "  dtype: int64\n  shape: (2,)\n  max: 2\n  min: 1\n\n"
	        "Only statistics were recorded.");
	ck_assert(!session_ask(shell, "pt Functional.cross_entropy.0.forward.input.1[0]", &text));
	ck_assert_str_eq(text.text, "ERROR: Only statistics were recorded.\n");
	str_release(&text);
	shell_free(shell);
}
END_TEST

/* Without values what was recorded tells, as far as it does. */
START_TEST(the_filter_asks_what_was_recorded)
{
	static const char json[] =
		"{\"data\": {\"a\": {\"o\": ["
		T ", \"Max\": 2, \"Min\": 1}, " T ", \"Max\": NaN, \"Min\": NaN}, "
		T ", \"Max\": 2, \"Min\": \"-inf\"}, " T ", \"Max\": null}, " T "}]}}}";
	char *dir = scratch_new();
	struct str text = {0};
	struct shell *shell;

	dump_put(dir, "dump.json", json, strlen(json));
	shell = session_of(dir);
	ck_assert(session_ask(shell, "lt -f has_inf_or_nan", &text));
	ck_assert_msg(strstr(text.text, "2 dumped tensor(s) passing filter"), "%s", text.text);
	ck_assert_ptr_nonnull(strstr(text.text, "a.o.1"));
	ck_assert_ptr_nonnull(strstr(text.text, "a.o.2"));
	str_release(&text);
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

/* Stacks: the calls and frames of a stack.json. */

#define F(file, line, function, text) \
	"\"File " file ", line " line ", in " function ", \\n " text "\""

static const struct { const char *json, *call, *frames; } stacks[] = {
	{ "{\"0\": [[\"a\", \"b\"], [" F("/x/in.py", "3", "f", "y = 1") ", "
	  F("/x/out.py", "20", "<module>", "f()") "]], \"1\": [[\"c\"], []]}",
	  "b", "/x/out.py:20 <module> f()|/x/in.py:3 f y = 1|" },
	{ "{\"0\": [[\"a\"], [\"File x, line 1, in f\", \"what\", 3, [1], "
	  F("y", "1x", "g", "") "]]}", "a", "y:1 g -|" },
	{ "{\"0\": [[\"a\", 3, {}], {}, 4], \"1\": 5, \"2\": {\"x\": [1]}}", "a", "" },
	{ "{}", "a", NULL },
	{ "[]", NULL, "an object of stacks was expected" },
	{ "{\"0\": [[\"a\"], [", NULL, "" },
	{ "{\"0\": [[\"a\"} ", NULL, "" },
};

static void show_frames(struct stacks *of, const struct stack_node *node, struct str *out)
{
	for (uint32_t i = 0; i < node->n_frames; i++) {
		const struct stack_frame *frame = stacks_frame(of, node, i);

		str_fmt(out, "%s:%u %s %s|", of->files.at[frame->file], frame->line,
		        frame->function, frame->text ? frame->text : "-");
	}
}

START_TEST(stacks_of_calls)
{
	const char *text = stacks[_i].json, *call = stacks[_i].call;
	struct stacks *of = calloc(1, sizeof *of);
	struct call_stacks calls;
	struct str shown = {0};
	struct err err = {0};
	uint32_t id;
	bool ok = call_stacks_read(&calls, file_of(text, strlen(text)), of, NULL, &err);

	ck_assert_msg(ok == (call != NULL), "%s", err.msg);
	if (!ok) {
		ck_assert_msg(err.code && strstr(err.msg, stacks[_i].frames), "%s", err.msg);
	} else {
		id = map_find(&calls.calls, call, strlen(call));
		ck_assert_int_eq(id != MAP_NONE, stacks[_i].frames != NULL);
		if (id != MAP_NONE)
			show_frames(of, &calls.of.at[id], &shown);
		ck_assert_str_eq(str_text(&shown), stacks[_i].frames ? stacks[_i].frames : "");
	}
	str_release(&shown);
	call_stacks_release(&calls);
	stacks_close(of);
}
END_TEST

START_TEST(every_change_of_stacks)
{
	char text[400];
	size_t len = strlen(stacks[0].json);

	for (size_t i = 0; i < len; i++)
		for (const char *c = "{}[]\",:n\\0\x80"; *c; c++) {
			struct stacks *of = calloc(1, sizeof *of);
			struct call_stacks calls;
			struct err err = {0};

			memcpy(text, stacks[0].json, len + 1);
			text[i] = *c;
			ck_assert(call_stacks_read(&calls, file_of(text, len), of, NULL, &err)
			          == (err.code == ERR_NONE));
			call_stacks_release(&calls);
			stacks_close(of);
		}
}
END_TEST

START_TEST(recorded_sources)
{
	struct shell *shell = session_of(RECORDED "tensor");

	session_answers(shell, "run", "12 dumped tensor(s)");
	session_answers(shell, "ls",
	                "/srv/me/out/corpus/gen/record_msprobe.py 7        7          7\n");
	session_answers(shell, "ls", "library file(s):\nSource file path");
	shell_free(shell);
}
END_TEST

/* Steps 1 to 3 of one call in `dir`, all but one with a stack.json. */
static void put_steps(const char *dir, int without)
{
	static const char calls[] = "{\"data\": {\"F.a.0.forward\": {\"output\": [" T "}]}}}";

	for (int step = 1; step <= 3; step++) {
		struct str name = {0}, stack = {0};

		str_fmt(&name, "step%d/rank0/dump.json", step);
		dump_put(dir, name.text, calls, sizeof calls - 1);
		str_reset(&name);
		str_fmt(&name, "step%d/rank0/stack.json", step);
		str_fmt(&stack, "{\"0\": [[\"F.a.0.forward\"], [\"File /srv/%s.py, line %d, in f, "
		        "\\n x\"]]}", step < 3 ? "first" : "last", step);
		if (step != without)
			dump_put(dir, name.text, stack.text, stack.len);
		str_release(&name);
		str_release(&stack);
	}
}

/* Of each step what its own stack.json says; it may lie in a step whose calls are others. */
START_TEST(each_step_has_its_sources)
{
	char *dir = scratch_new(), *old = getcwd(NULL, 0);
	struct str text = {0};
	struct shell *shell;

	put_steps(dir, 2);
	ck_assert_int_eq(chdir(dir), 0);
	shell = session_of(".");
	session_answers(shell, "run", "1 dumped tensor(s)");
	session_answers(shell, "ls", "/srv/first.py");
	session_answers(shell, "run", "1 dumped tensor(s)");
	session_answers(shell, "ls", "/srv/first.py");
	session_answers(shell, "run", "1 dumped tensor(s)");
	session_answers(shell, "ls", "/srv/last.py");
	ck_assert(session_ask(shell, "ls", &text) && !strstr(text.text, "/srv/first.py"));
	session_answers(shell, "run --to 1", "1 dumped tensor(s)");
	session_answers(shell, "ls", "/srv/first.py");
	shell_free(shell);
	ck_assert_int_eq(chdir(old), 0);
	scratch_remove(dir);
	str_release(&text);
	free(old);
}
END_TEST

/* The first step may have none. */
START_TEST(a_later_step_has_its_sources)
{
	char *dir = scratch_new();
	struct str text = {0};
	struct shell *shell;

	put_steps(dir, 1);
	shell = session_of(dir);
	session_answers(shell, "run", "1 dumped tensor(s)");
	session_ask(shell, "ls", &text);
	ck_assert_msg(!strstr(str_text(&text), "/srv/"), "%s", text.text);
	session_answers(shell, "run", "1 dumped tensor(s)");
	session_answers(shell, "ls", "/srv/first.py");
	session_answers(shell, "run", "1 dumped tensor(s)");
	session_answers(shell, "ls", "/srv/last.py");
	shell_free(shell);
	scratch_remove(dir);
	str_release(&text);
}
END_TEST

/* Graphs: the calls of a construct.json, and two arrays of one of them. */

static const struct { const char *json, *graph; } graphs[] = {
	{ "{\"a.0.forward\": \"Module.m.Conv.forward.0\", \"Module.m.Conv.forward.0\": null}",
	  "a.0.forward[a]( in) Module.m.Conv.forward.0[Conv]( ^a.0.forward) in[msprobe]() "
	  "out[msprobe]( a.0.forward)" },
	{ "{}", "a.0.forward[a]( in) in[msprobe]() out[msprobe]( a.0.forward)" },
	/* a call in itself, one in two, one that is an array, what is no call */
	{ "{\"x\": \"x\", \"a.0.forward\": \"x\", \"a.0.forward\": \"y\", \"\": \"x\", "
	  "\"in\": [\"x\", {}], \"7\": \"\", \"z\": {\"x\": 1}, \"v\": 3}",
	  "x[x]( ^a.0.forward) a.0.forward[a]( in) y[y]() in[in]() 7[7]() z[z]() v[v]() "
	  "out[msprobe]( a.0.forward)" },
	{ "[]", NULL }, { "{\"a\"", NULL }, { "{\"a\": \"b\"", NULL }, { "", NULL },
};

static struct graph *graph_of(const char *text, size_t len, struct err *err)
{
	static const struct call_part in = { "a.0.forward", false }, out = { "a.0.forward", true };
	const struct array arrays[] = {
		{ .name = "in", .format = &array_msprobe, .own = &in },
		{ .name = "out", .format = &array_msprobe, .own = &out },
	};
	const struct array *const both[] = { &arrays[0], &arrays[1] };

	*err = (struct err){0};
	return call_graph_read(file_of(text, len), both, 2, NULL, err);
}

/* "NODE[OP]( INPUT ^CONTROL)" a node. */
static void show_graph(struct graph *graph, struct str *out)
{
	for (uint32_t node = 0; node < graph_len(graph); node++) {
		str_fmt(out, "%s%s[%s](", node ? " " : "", graph_name(graph, node),
		        graph_op(graph, node));
		for (int kind = EDGE_INPUT; kind <= EDGE_CONTROL; kind++) {
			struct edges edges;

			ck_assert(graph_edges(graph, node, (enum edge_kind)kind, &edges, NULL));
			for (size_t i = 0; i < edges.len; i++)
				str_fmt(out, kind == EDGE_CONTROL ? " ^%s" : " %s",
				        edge_node_name(graph, &edges.at[i]));
		}
		str_putc(out, ')');
	}
}

START_TEST(graphs_of_calls)
{
	struct err err;
	struct graph *graph = graph_of(graphs[_i].json, strlen(graphs[_i].json), &err);
	struct str shown = {0};

	ck_assert_msg((graph != NULL) == (graphs[_i].graph != NULL), "%s", err.msg);
	ck_assert_int_eq(graph == NULL, err.code != ERR_NONE);
	if (graph) {
		show_graph(graph, &shown);
		ck_assert_str_eq(shown.text, graphs[_i].graph);
	}
	str_release(&shown);
	graph_close(graph);
}
END_TEST

START_TEST(every_change_of_graphs)
{
	char text[400];
	size_t len = strlen(graphs[2].json);

	for (size_t i = 0; i < len; i++)
		for (const char *c = "{}[]\",:n\\0\x80"; *c; c++) {
			struct graph *graph;
			struct err err;

			memcpy(text, graphs[2].json, len + 1);
			text[i] = *c;
			graph = graph_of(text, len, &err);
			ck_assert_int_eq(graph == NULL, err.code != ERR_NONE);
			graph_close(graph);
		}
}
END_TEST

START_TEST(recorded_graph)
{
	struct shell *shell = session_of(RECORDED "tensor");
	struct str text = {0};

	session_answers(shell, "run", "12 dumped tensor(s)");
	session_answers(shell, "ni Functional.conv2d.0.forward",
	                "  Op: conv2d\n  Device: proc30441\n");
	session_answers(shell, "li -c Module.conv.Conv2d.forward.0",
	        "|- (1) (Ctrl) Functional.conv2d.0.forward\n");
	session_answers(shell, "lo -r Functional.cross_entropy.0.forward.input.0",
	        "|- (1) Functional.cross_entropy.0.forward\n"
	        "   |- (2) Functional.cross_entropy.0.forward.output.0\n");
	shell_free(shell);
	/* without construct.json there is none */
	shell = session_of(RECORDED "statistics/step1");
	ck_assert(!session_ask(shell, "ni Functional.conv2d.0.forward", &text));
	ck_assert_ptr_nonnull(strstr(text.text, "There is no graph for this source"));
	str_release(&text);
	shell_free(shell);
}
END_TEST

/* What is wrong with it is said, and the arrays are there. */
START_TEST(damaged_graph)
{
	static const char json[] = "{\"data\": {\"a\": {\"o\": [" T "}]}}}";
	char *dir = scratch_new();
	struct shell *shell;

	dump_put(dir, "dump.json", json, strlen(json));
	dump_put(dir, "construct.json", "{\"a\": ", strlen("{\"a\": "));
	shell = session_of(dir);
	session_answers(shell, "lt", "(2, 3) a.o.0");
	session_answers(shell, "doctor", "its graph: ");
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

/* So is that it can't be opened: a link to nothing is no dump without a graph. */
START_TEST(unreadable_graph)
{
	static const char json[] = "{\"data\": {\"a\": {\"o\": [" T "}]}}}";
	char *dir = scratch_new();
	struct str link = {0}, said = {0};
	struct shell *shell;

	dump_put(dir, "dump.json", json, strlen(json));
	str_fmt(&link, "%s/construct.json", dir);
	ck_assert_int_eq(symlink("nowhere", link.text), 0);
	shell = session_of(dir);
	session_warnings(shell, &said);
	ck_assert_msg(strstr(str_text(&said), "its graph: No such file"), "%s", str_text(&said));
	shell_free(shell);
	str_release(&link);
	str_release(&said);
	scratch_remove(dir);
}
END_TEST

/* Its own files are no sources, those of another directory are. */
START_TEST(files_of_values_are_owned)
{
	ck_assert(array_msprobe.owns("a/dump.json", "a/dump_tensor_data/x.pt"));
	ck_assert(!array_msprobe.owns("a/dump.json", "a/x.pt"));
	ck_assert(!array_msprobe.owns("a/dump.json", "b/dump_tensor_data/x.pt"));
	ck_assert(array_msprobe.owns("dump.json", "dump_tensor_data/x.pt"));
}
END_TEST

SUITE_MAIN("msprobe",
	tcase_add_loop_test(t, sound_lists, 0, ROWS(sound));
	tcase_add_test(t, statistics_are_kept);
	tcase_add_loop_test(t, refused_lists, 0, ROWS(refused));
	tcase_add_test(t, depth_is_bounded);
	tcase_add_test(t, every_cut_and_change);
	tcase_add_test(t, recorded_values);
	tcase_add_test(t, recorded_statistics);
	tcase_add_test(t, the_filter_asks_what_was_recorded);
	tcase_add_loop_test(t, stacks_of_calls, 0, ROWS(stacks));
	tcase_add_test(t, every_change_of_stacks);
	tcase_add_test(t, recorded_sources);
	tcase_add_test(t, each_step_has_its_sources);
	tcase_add_test(t, a_later_step_has_its_sources);
	tcase_add_loop_test(t, graphs_of_calls, 0, ROWS(graphs));
	tcase_add_test(t, every_change_of_graphs);
	tcase_add_test(t, recorded_graph);
	tcase_add_test(t, unreadable_graph);
	tcase_add_test(t, damaged_graph);
	tcase_add_test(t, files_of_values_are_owned);)
