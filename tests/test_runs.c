/* Lists of runs: which there are, in what order, who wrote them, how they stand. */
#include "dump/runs.h"

#include <string.h>
#include <unistd.h>

#include "dump/readers.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

#define FETCHES "_tfdbg_fetches_info_"
#define FEEDS "_tfdbg_feed_keys_info_"
#define METADATA "_tfdbg_core_metadata_sessionrun0000000000000"

static char *root;

static void setup(void)
{
	root = scratch_new();
}

static void teardown(void)
{
	scratch_remove(root);
}

/* An empty file, or a directory if the name ends in "/". */
static void put(const char *name)
{
	dump_put(root, name, "", 0);
}

/* The Event of a log message. */
static void put_log(const char *name, const char *text)
{
	struct str event = {0}, message = {0};

	put_bytes(&message, 2, text, strlen(text));
	put_message(&event, 6, &message);
	dump_put(root, name, event.text, event.len);
	str_release(&event);
	str_release(&message);
}

static struct runs *open_runs(const char *path)
{
	struct arena mem = {0};
	struct place place = {0};
	struct err err = {0};
	const struct reader *reader = readers_look(path, &mem, &place, &err);
	struct runs *runs;

	ck_assert_msg(reader != NULL, "%s: %s", path, err.msg);
	runs = runs_of(reader, &place);
	place_release(&place);
	arena_release(&mem);
	return runs;
}

/* "name:writer name:writer" */
static void check_list(const struct runs *runs, const char *wanted)
{
	struct str got = {0};

	for (size_t i = 0; i < runs->list.len; i++) {
		const struct run_entry *entry = runs->list.at[i];

		ck_assert_uint_eq(entry->position, i + 1);
		str_fmt(&got, "%s%s:%u", i ? " " : "", entry->name, entry->writer);
	}
	ck_assert_str_eq(str_text(&got), wanted);
	str_release(&got);
}

/* What lies in a directory, and the list that comes of it. */
static const struct { const char *files[8], *list, *problem; } roots[] = {
	{ { "run_20_1/a", "run_9_0/a", "run_100_2/a" }, "run_9_0:1 run_20_1:1 run_100_2:1", NULL },
	{ { "run_5_10/a", "run_5_9/a" }, "run_5_9:0 run_5_10:0", NULL },
	{ { "run_7_0/a", "run_8_1/a", "run_9_0/a", "run_10_2/a" },
	  "run_7_0:1 run_8_1:1 run_9_0:2 run_10_2:1", NULL },
	{ { "run_1_0/a", "run_2_0/a", "run_3_1/a", "run_4_0/a" },
	  "run_1_0:1 run_2_0:2 run_3_1:0 run_4_0:3", NULL },
	{ { "run_1_0/a", "run_2_2/a" }, "run_1_0:1 run_2_2:0", NULL },
	{ { "run_9_0/a", "run_5_1/a", "run_6_2/a" }, "run_9_0:1 run_5_1:1 run_6_2:1",
	  "clock had been set back" },
	{ { "run_9_0/a", "run_5_0/a" }, "run_5_0:1 run_9_0:2", NULL },
	{ { "run_2_0a1b/a", "run_1_ff/a" }, "run_1_ff:0 run_2_0a1b:0", NULL },
	{ { "run_2_1234567890123456789/a" }, "run_2_1234567890123456789:0", NULL },
	{ { "run_1_0/a", "notes/a", "run_x_1/a", "run_1/a", "run_2_/a" }, "run_1_0:1", NULL },
	{ { "run_1_0/a", FETCHES }, ".:0 run_1_0:1", NULL },
	{ { "late/" SMALL_DEVICE "/a", "early/" FETCHES, "notes/a" }, "early:0 late:0", NULL },
};
enum { N_ROOTS = ROWS(roots) };

START_TEST(lists_a_root)
{
	struct runs *runs;

	for (size_t i = 0; i < 8 && roots[_i].files[i]; i++)
		put(roots[_i].files[i]);
	runs = open_runs(root);
	ck_assert(runs->is_root);
	check_list(runs, roots[_i].list);
	ck_assert_uint_eq(runs->problems.len, roots[_i].problem != NULL);
	if (roots[_i].problem)
		ck_assert(strstr(runs->problems.at[0].text, roots[_i].problem));
	runs_close(runs);
}
END_TEST

/* What is no root is a list of one: a run, or the directory of one of its devices. */
static const char *const singles[] = { "dump", "dump/" SMALL_DEVICE };

START_TEST(lists_a_single_dump)
{
	struct str path = {0};
	struct runs *runs;
	struct err err = {0};
	struct run *run;

	put("dump/" SMALL_DEVICE "/a_0_DebugIdentity_12");
	str_fmt(&path, "%s/%s", root, singles[_i]);
	runs = open_runs(path.text);
	ck_assert(!runs->is_root);
	check_list(runs, "dump:0");
	run = runs_open_run(runs, runs_at(runs, 1), &err);
	ck_assert(run && run_load(run, NULL, &err));
	ck_assert_uint_eq(run->tensors.len, 1);
	run_close(run);
	ck_assert_ptr_null(runs_at(runs, 0));
	ck_assert_ptr_null(runs_at(runs, 2));
	runs_close(runs);
	str_release(&path);
}
END_TEST

START_TEST(refuses_what_holds_no_run)
{
	struct arena mem = {0};
	struct place place = {0};
	struct err err = {0};

	put("notes/a");
	ck_assert_ptr_null(readers_look(root, &mem, &place, &err));
	place_release(&place);
	arena_release(&mem);
	ck_assert_int_eq(err.code, ERR_MISSING);
	ck_assert(strstr(err.msg, "run_* directories"));
}
END_TEST

/* The recording: three writers, of which two could have written run 10. */
START_TEST(writers_of_a_recording)
{
	static const uint32_t writers[] = { 1, 1, 2, 1, 1, 1, 3, 1, 1, 0, 1, 1, 1, 1 };
	struct runs *runs = open_runs("testdata/runs/mixed");

	ck_assert_uint_eq(runs->list.len, 14);
	for (size_t i = 0; i < 14; i++)
		ck_assert_uint_eq(runs->list.at[i]->writer, writers[i]);
	ck_assert_int_eq(runs->list.at[9]->time_us, 1795218503632305);
	ck_assert_int_eq(runs->list.at[9]->counter, 1);
	ck_assert_str_eq(runs->list.at[9]->suffix, "1");
	runs_close(runs);
}
END_TEST

/* Three runs in one directory, told apart by the times of their core metadata. */
START_TEST(splits_runs_that_are_mixed)
{
	static const uint64_t tensors[] = { 2, 1, 2 };
	struct runs *runs;
	struct err err = {0};

	put(METADATA "1_100");
	put(METADATA "3_300");
	put(METADATA "2_200");
	put(SMALL_DEVICE "/early_0_DebugIdentity_90");
	put(SMALL_DEVICE "/a_0_DebugIdentity_100");
	put(SMALL_DEVICE "/a_0_DebugIdentity_299");
	put(SMALL_DEVICE "/a_0_DebugIdentity_300");
	put(SMALL_DEVICE "/a_0_DebugIdentity_900");
	runs = open_runs(root);
	ck_assert_uint_eq(runs->list.len, 1);
	ck_assert_uint_eq(runs->problems.len, 1);
	ck_assert(strstr(runs->problems.at[0].text, "3 runs are mixed"));
	ck_assert(strstr(runs->problems.at[0].text, "a guess"));
	ck_assert_uint_eq(runs_info(runs, runs_at(runs, 1), RUN_NAMES, NULL, &err)->tensors, 5);
	ck_assert(runs_split(runs));
	ck_assert(!runs_split(runs));
	ck_assert_uint_eq(runs->list.len, 3);
	for (size_t i = 0; i < 3; i++) {
		struct run_entry *entry = runs_at(runs, i + 1);

		ck_assert_int_eq(entry->time_us, 100 * ((int64_t)i + 1));
		ck_assert_uint_eq(runs_info(runs, entry, RUN_NAMES, NULL, &err)->tensors,
		                  tensors[i]);
	}
	runs_close(runs);
}
END_TEST

/* How a run stands, alone and with another one behind it. */
static const struct { const char *file; enum run_status last, followed; } states[] = {
	{ "run_1_0/", RUN_EMPTY, RUN_EMPTY },
	{ "run_1_0/" FETCHES, RUN_STARTED, RUN_COMPLETE },
	{ "run_1_0/" SMALL_DEVICE "/", RUN_STARTED, RUN_COMPLETE },
	{ "run_1_0/" SMALL_DEVICE "/a_0_DebugIdentity_12", RUN_COMPLETE, RUN_COMPLETE },
};
enum { N_STATES = ROWS(states) };

static enum run_status status_of_first(void)
{
	struct runs *runs = open_runs(root);
	struct run_entry *entry = runs_at(runs, 1);
	struct err err = {0};
	const struct run_info *info = runs_info(runs, entry, RUN_WHOLE, NULL, &err);
	enum run_status status;

	ck_assert(info != NULL);
	ck_assert_ptr_eq(info, run_entry_info(entry, RUN_HEAD));
	status = runs_status(runs, entry, info);
	runs_close(runs);
	return status;
}

START_TEST(tells_how_a_run_stands)
{
	put(states[_i].file);
	ck_assert_int_eq(status_of_first(), states[_i].last);
	put("run_2_1/");
	ck_assert_int_eq(status_of_first(), states[_i].followed);
}
END_TEST

START_TEST(knows_a_run_that_went)
{
	struct runs *runs;
	struct err err = {0};
	struct str path = {0};

	put("run_1_0/");
	put("run_2_1/");
	runs = open_runs(root);
	str_fmt(&path, "%s/run_1_0", root);
	ck_assert_int_eq(rmdir(path.text), 0);
	ck_assert(runs_info(runs, runs_at(runs, 1), RUN_NAMES, NULL, &err)->gone);
	ck_assert_int_eq(runs_status(runs, runs_at(runs, 1),
	                             run_entry_info(runs_at(runs, 1), RUN_NAMES)), RUN_GONE);
	str_release(&path);
	runs_close(runs);
}
END_TEST

/* Of the recordings just one run is cut short, and by one op. */
static const struct { const char *path; size_t partial; } recordings[] = {
	{ "testdata/runs/mixed", 13 }, { "testdata/runs/hooks", 0 },
	{ "../shared/corpus/runs/train20", 0 },
};

START_TEST(finds_the_run_that_failed)
{
	struct runs *runs;

	if (access(recordings[_i].path, F_OK))
		return;
	runs = open_runs(recordings[_i].path);
	for (size_t i = 1; i <= runs->list.len; i++) {
		struct run_entry *entry = runs_at(runs, i);
		struct err err = {0};
		const struct run_info *info = runs_info(runs, entry, RUN_WHOLE, NULL, &err);

		ck_assert_uint_eq(info->n_suspects, i == recordings[_i].partial);
		ck_assert_int_eq(runs_status(runs, entry, info),
		                 info->n_suspects ? RUN_PARTIAL : RUN_COMPLETE);
		if (info->n_suspects)
			ck_assert_str_eq(info->suspects[0].node, "bad_reshape");
	}
	runs_close(runs);
}
END_TEST

/* Graphs: "NODE OP INPUT INPUT" a line. Nodes whose names begin with "un" are not watched. */
static const char branch[] =
	"p Placeholder\ns Switch p p\nt Identity s\nthen Add t t\nunwatched Neg s:1\n"
	"els Neg unwatched\n"
	"join Merge then els\nend Neg join ^p\n";
static const char loop[] =
	"in Enter\nm Merge in next\nless Less m\nc LoopCond less\ns Switch m c\nbody Neg s:1\n"
	"next NextIteration body\n"
	"out Exit s\nend Neg out\n";
/* The loop is led from another device. */
static const char led_loop[] =
	"in Enter\nm Merge in next\nc _Recv\ns Switch m c\nbody Neg s:1\nnext NextIteration body\n"
	"out Exit s\n";
/* A loop on one side of a Switch. */
static const char guarded_loop[] =
	"p Placeholder\ng Switch p p\nin Enter g:1\nm Merge in next\nc LoopCond m\ns Switch m c\n"
	"body Neg s:1\n"
	"next NextIteration body\nout Exit s\nelse Neg g\njoin Merge out else\n";
/* Nothing of TensorFlow's. */
static const char circle[] = "p Placeholder\na Add p b\nb Neg a\n";

/* What has a dump, what was fetched, and which of the nodes that have none are suspects. */
static const struct { const char *graph, *dumped, *fetched, *suspects; } cut[] = {
	{ branch, "p s:0 t then join end", "end:0", "" },
	{ branch, "p s:1 els join end", "end:0", "" },
	{ branch, "p s:0 t then join", "end:0", "end" },
	{ branch, "p s:0 t", "end:0", "then" },
	{ branch, "p", "end:0", "s:0 s:1" },
	{ branch, "p s:0 s:1 t els then", "end:0", "join" },
	{ branch, "", "end:0", "p" },
	{ branch, "p s:0 t then join end", "els:0", "els" },
	{ branch, "p s:0 t then join end", "els:1", "" },
	{ loop, "in m less c s:1 s:0 body next out end", "end:0", "" },
	{ loop, "in m less c s:0 out end", "end:0", "" },
	{ loop, "in m less c s:0 out end", "body:0", "body" },
	{ loop, "in m less c s:1 body next", "end:0", "s:0" },
	{ loop, "in m less c s:1", "end:0", "s:0 body" },
	{ loop, "in m less c", "end:0", "s:0 s:1" },
	{ loop, "in", "end:0", "m" },
	{ led_loop, "in m c s:1 body next", "out:0", "s:0" },
	{ led_loop, "in m c s:0 out", "out:0", "" },
	{ guarded_loop, "p g:0 else join", "join:0", "" },
	{ guarded_loop, "p g:0 else", "join:0", "join" },
	{ guarded_loop, "p g:1 in m c s:1 body next", "join:0", "s:0" },
	{ circle, "p", "b:0", "a b" },
};

static void watch(struct str *graph, const char *node, unsigned slot)
{
	struct str name = {0};

	str_fmt(&name, "__dbg_%s:%u_0_DebugIdentity", node, slot);
	put_node_def(graph, name.text, "DebugIdentity", node, "");
	str_release(&name);
}

static void put_graph(const char *lines)
{
	struct str graph = {0}, event = {0};

	for (const char *line = lines; *line; line += strcspn(line, "\n") + 1) {
		char node[32], op[32], inputs[32] = "";

		ck_assert_int_ge(sscanf(line, "%31s %31s%*1[ ]%31[^\n]", node, op, inputs), 2);
		put_node_def(&graph, node, op, inputs, "");
		if (strncmp(node, "un", 2))
			watch(&graph, node, 0);
		if (!strcmp(op, "Switch"))
			watch(&graph, node, 1);
	}
	put_message(&event, 4, &graph);
	dump_put(root, SMALL_DEVICE "/_tfdbg_graph_hash1_10", event.text, event.len);
	str_release(&graph);
	str_release(&event);
}

START_TEST(suspects_wait_for_nothing_that_is_missing)
{
	struct str name = {0}, got = {0}, metadata = {0};
	const struct run_info *info;
	struct err err = {0};
	struct runs *runs;

	put_graph(cut[_i].graph);
	str_fmt(&metadata, "{\"output_names\":[\"%s\"]}", cut[_i].fetched);
	put_log(METADATA "1_11", metadata.text);
	for (const char *at = cut[_i].dumped; *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " "), node = strcspn(at, " :");

		str_reset(&name);
		str_fmt(&name, SMALL_DEVICE "/%.*s_%c_DebugIdentity_12", (int)node, at,
		        node < len ? at[node + 1] : '0');
		put(name.text);
		at += len;
	}
	runs = open_runs(root);
	info = runs_info(runs, runs_at(runs, 1), RUN_WHOLE, NULL, &err);
	for (size_t i = 0; i < info->n_suspects; i++) {
		str_fmt(&got, "%s%s", i ? " " : "", info->suspects[i].node);
		if (!strcmp(info->suspects[i].node, "s") || !strcmp(info->suspects[i].node, "g"))
			str_fmt(&got, ":%u", info->suspects[i].slot);
	}
	ck_assert_str_eq(str_text(&got), cut[_i].suspects);
	runs_close(runs);
	str_release(&name);
	str_release(&got);
	str_release(&metadata);
}
END_TEST

#define OBJECT "<m.SparseTensor object at 0x7f>"
#define TENSOR(name) "<tf.Tensor '" name "' shape=(2, 3) dtype=float32>"

/*
 * What the text says, what the core metadata says was put out and run, the names listed, how many
 * were asked for.
 */
static const struct {
	const char *text, *outputs, *targets, *names;
	size_t n;
	bool single;
} fetched[] = {
	{ TENSOR("a:0"), "", "", "a:0", 1, true },
	{ "[" TENSOR("a:0") "]", "", "", "a:0", 1, false },
	{ "(" TENSOR("a:0") ",)", "", "", "a:0", 1, false },
	{ "('a:0', 'b')", "", "", "a:0|b", 2, false },
	{ "'a:0'", "", "", "a:0", 1, false },
	{ "<tf.Operation 'b' type=NoOp>", "", "", "b", 1, true },
	{ "<tf.Variable 'v:0' shape=() dtype=int64_ref>", "v/Read/ReadVariableOp:0", "", "v:0", 1,
	  true },
	{ "Pair(left=" TENSOR("a:0") ", right=<tf.Operation 'b' type=NoOp>)", "", "", "a:0|b", 2,
	  false },
	{ "{'j': <tf.Variable 'n:0' shape=() dtype=int64_ref>}", "", "", "n:0", 1, false },
	{ "{\"k'1\": " TENSOR("a:0") ", ('t', 2): 'b:0', 3: {}}", "", "", "a:0|b:0", 2, false },
	{ "OrderedDict([('z', " TENSOR("a:0") "), ('y', [" TENSOR("b:0") ", 'c'])])", "", "",
	  "a:0|b:0|c", 3, false },
	{ "OrderedDict({'z': " TENSOR("a:0") "})", "", "", "a:0", 1, false },
	{ "OrderedDict()", "", "", "", 0, false },
	{ "defaultdict(<class 'list'>, {'z': [" TENSOR("a:0") "]})", "", "", "a:0", 1, false },
	{ "[[], {}, ()]", "", "", "", 0, false },
	{ OBJECT, "i:0 s:0 v:0", "", "i:0|s:0|v:0", 1, false },
	{ "[" TENSOR("v:0") ", " OBJECT ", 'b', " OBJECT "]", "i:0 s:0 v:0 x:0", "b",
	  "v:0|i:0|s:0|x:0|b", 4, false },
	{ "[<tf.Variable 'v:0' shape=()>, " OBJECT "]", "i:0 v/Read/ReadVariableOp:0", "",
	  "v:0|i:0", 2, false },
	{ OBJECT, "", "", OBJECT, 1, false },
	{ "[" OBJECT ", 'a:0']", "a:0", "", OBJECT "|a:0", 2, false },
	{ "tf.Ragged(values=Tensor(\"v:0\", shape=(3,)), row_splits=Tensor(\"s:0\"))", "s:0 v:0",
	  "", "tf.Ragged(values=Tensor(\"v:0\", shape=(3,)), row_splits=Tensor(\"s:0\"))", 1,
	  false },
	{ "[tf.Ragged(values=Tensor(\"v:0\")), " OBJECT "]", "i:0 v:0", "",
	  "tf.Ragged(values=Tensor(\"v:0\"))|i:0", 2, false },
	{ "Mirrored:{\n  0 cpu: <tf.Variable 'v:0' shape=()>\n}", "", "",
	  "Mirrored:{\n  0 cpu: <tf.Variable 'v:0' shape=()>\n}", 1, false },
	{ "[" TENSOR("a:0"), "", "", "[" TENSOR("a:0"), 1, false },
	{ "['a:0", "a:0", "", "a:0", 1, false },
	{ "", "", "", "", 0, false },
};

/* The same of feeds: keys of a dictionary. */
static const struct { const char *text, *inputs, *names; size_t n; } fed[] = {
	{ "None", "", "", 0 },
	{ "{}", "", "", 0 },
	{ "dict_keys([" TENSOR("x:0") ", 'y:0'])", "x:0 y:0", "x:0|y:0", 2 },
	{ "odict_keys([" TENSOR("x:0") "])", "x:0", "x:0", 1 },
	{ "[" TENSOR("x:0") "]", "x:0", "x:0", 1 },
	{ "dict_keys([" OBJECT "])", "i:0 s:0 v:0", "i:0|s:0|v:0", 1 },
	{ "dict_keys([" TENSOR("i:0") ", " OBJECT "])", "i:0 s:0 v:0", "i:0|s:0|v:0", 2 },
	{ "dict_keys([('x:0', " TENSOR("y:0") ")])", "x:0 y:0", "('x:0', " TENSOR("y:0") ")", 1 },
	{ "dict_keys([(" OBJECT ", " TENSOR("y:0") ")])", "x:0 y:0", "x:0|y:0", 1 },
};

/* {"KEY":["a:0","b:0"]} of "a:0 b:0" */
static void put_name_list(struct str *json, const char *key, const char *names)
{
	const char *before = "";

	str_fmt(json, "%s\"%s\":[", json->len ? "," : "", key);
	for (; *names; names += strspn(names, " ")) {
		size_t len = strcspn(names, " ");

		str_fmt(json, "%s\"%.*s\"", before, (int)len, names);
		before = ",";
		names += len;
	}
	str_puts(json, "]");
}

static const struct run_info *info_with(struct runs **runs, const char *file, const char *text,
                                        const struct str *lists)
{
	struct str metadata = {0};
	struct err err = {0};

	str_fmt(&metadata, "{%s}", lists->text);
	put_log(file, text);
	put_log(METADATA "1_11", metadata.text);
	str_release(&metadata);
	*runs = open_runs(root);
	return runs_info(*runs, runs_at(*runs, 1), RUN_HEAD, NULL, &err);
}

static void assert_names(const struct names *names, const char *want)
{
	struct str got = {0};

	for (size_t i = 0; i < names->list.len; i++)
		str_fmt(&got, "%s%s", i ? "|" : "", names->list.at[i]);
	ck_assert_str_eq(str_text(&got), want);
	str_release(&got);
}

START_TEST(lists_what_was_fetched)
{
	const struct run_info *info;
	struct str lists = {0};
	struct runs *runs;

	put_name_list(&lists, "output_names", fetched[_i].outputs);
	put_name_list(&lists, "target_nodes", fetched[_i].targets);
	info = info_with(&runs, FETCHES, fetched[_i].text, &lists);
	ck_assert_str_eq(info->fetches, fetched[_i].text);
	assert_names(&info->names.fetches, fetched[_i].names);
	ck_assert_uint_eq(info->names.n_fetches, fetched[_i].n);
	ck_assert_int_eq(info->names.single, fetched[_i].single);
	ck_assert(!info->counted);
	runs_close(runs);
	str_release(&lists);
}
END_TEST

START_TEST(lists_what_was_fed)
{
	const struct run_info *info;
	struct str lists = {0};
	struct runs *runs;

	put_name_list(&lists, "input_names", fed[_i].inputs);
	info = info_with(&runs, FEEDS, fed[_i].text, &lists);
	assert_names(&info->names.feeds, fed[_i].names);
	ck_assert_uint_eq(info->names.n_feeds, fed[_i].n);
	runs_close(runs);
	str_release(&lists);
}
END_TEST

/* As deep as a file may nest them. */
START_TEST(containers_in_one_another)
{
	struct str text = {0}, lists = {0};
	const struct run_info *info;
	struct runs *runs;

	for (int i = 0; i < 100000; i++)
		str_puts(&text, "[");
	put_name_list(&lists, "output_names", "a:0");
	info = info_with(&runs, FETCHES, text.text, &lists);
	assert_names(&info->names.fetches, "a:0");
	runs_close(runs);
	str_release(&text);
	str_release(&lists);
}
END_TEST

/* make_callable() says nothing outside the core metadata: no names in the title. */
START_TEST(lists_what_a_callable_fetched)
{
	const struct run_info *info;
	struct str lists = {0};
	struct runs *runs;

	put_name_list(&lists, "output_names", "a:0");
	put_name_list(&lists, "input_names", "x:0 y:0");
	put_log(FEEDS, "None");
	info = info_with(&runs, FETCHES, "None", &lists);
	ck_assert(info->names.callable);
	assert_names(&info->names.fetches, "a:0");
	assert_names(&info->names.feeds, "x:0|y:0");
	runs_close(runs);
	str_release(&lists);
}
END_TEST

SUITE_MAIN("runs",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, lists_a_root, 0, N_ROOTS);
	tcase_add_loop_test(t, lists_a_single_dump, 0, 2);
	tcase_add_test(t, refuses_what_holds_no_run);
	tcase_add_test(t, writers_of_a_recording);
	tcase_add_test(t, splits_runs_that_are_mixed);
	tcase_add_loop_test(t, tells_how_a_run_stands, 0, N_STATES);
	tcase_add_test(t, knows_a_run_that_went);
	tcase_add_loop_test(t, finds_the_run_that_failed, 0, 3);
	tcase_add_loop_test(t, suspects_wait_for_nothing_that_is_missing, 0, ROWS(cut));
	tcase_add_loop_test(t, lists_what_was_fetched, 0, ROWS(fetched));
	tcase_add_loop_test(t, lists_what_was_fed, 0, ROWS(fed));
	tcase_add_test(t, containers_in_one_another);
	tcase_add_test(t, lists_what_a_callable_fetched);
)
