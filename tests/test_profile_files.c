/*
 * What kind of file something is, and graphs in text format against the binary file of the same
 * graph.
 */
#include "tests/suite.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cmds/session/shell.h"
#include "dump/base/str.h"
#include "dump/files/recognise.h"
#include "dump/format/pbtxt.h"
#include "dump/profile/profile.h"
#include "tests/message.h"
#include "tests/small_dump.h"

#define LINEAR "testdata/profile/linear"

/* Recognition. */

static const struct { const char *path; enum file_kind kind; } kinds[] = {
	{ LINEAR "/run_metadata.pb", FILE_RUN_METADATA },
	{ LINEAR "/graph.pb", FILE_GRAPH },
	{ LINEAR "/graph.pbtxt", FILE_GRAPH_TEXT },
	{ LINEAR "/op_log.pb", FILE_OP_LOG },
	{ LINEAR "/profile.context", FILE_PROFILE_PROTO },
	{ LINEAR "/src/profile_linear.py", FILE_NONE },
	{ "testdata/profile/gpu_like/run_metadata.pb", FILE_RUN_METADATA },
	{ "testdata/profile/while_loop/op_log.pb", FILE_OP_LOG },
	{ "testdata/linear.stacks.json", FILE_STACKS },
	{ "testdata/profile/others/function.xplane.pb", FILE_XSPACE },
	{ "testdata/xspace/gpu_worker/worker.xplane.pb.gz", FILE_XSPACE_GZIP },
	{ "testdata/profile/others/jax_cpu.trace.json.gz", FILE_TRACE_GZIP },
	{ LINEAR "/timelines/timeline.json", FILE_TRACE },
};

START_TEST(files_are_recognised)
{
	enum file_kind kind;

	ck_assert(recognise(kinds[_i].path, &kind, NULL));
	ck_assert_str_eq(file_kind_name(kind), file_kind_name(kinds[_i].kind));
}
END_TEST

static const struct { const char *text; enum file_kind kind; } heads[] = {
	{ "", FILE_NONE },
	{ "# a comment\n node {", FILE_GRAPH_TEXT },
	{ "node: <", FILE_GRAPH_TEXT },
	{ "nodes {", FILE_NONE },
	{ "step_stats {", FILE_RUN_METADATA_TEXT },
	{ "dev_stats {", FILE_STEP_STATS_TEXT },
	{ "HloModule m, entry", FILE_HLO },
	{ "[ {\"ph\": \"X\"}]", FILE_TRACE },
	{ "{\"a\": [], \"traceEvents\": []}", FILE_TRACE },
	{ "{\"a\": 1}", FILE_NONE },
	{ "\x1f\x8b\x08", FILE_GZIP },
	{ "\x83\xaf\x70\xd1\x0d\x88\x4a\x3f", FILE_RIEGELI },
	{ "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x01", FILE_NONE },
};

START_TEST(heads_are_recognised)
{
	enum file_kind kind;

	ck_assert(recognise(file_of(heads[_i].text, strlen(heads[_i].text)), &kind, NULL));
	ck_assert_str_eq(file_kind_name(kind), file_kind_name(heads[_i].kind));
}
END_TEST

/* Text format. */

static struct graph *graph_of_text(const char *path, struct err *err)
{
	int fd = pbtxt_convert(path, PBTXT_GRAPH_DEF, NULL, err);
	struct str converted = {0};
	struct graph *graph = NULL;

	if (fd >= 0) {
		str_fmt(&converted, "/proc/self/fd/%d", fd);
		graph = graph_open(converted.text, 0, UINT64_MAX, NULL, NULL, err);
		close(fd);
	}
	str_release(&converted);
	return graph;
}

START_TEST(text_and_binary_are_one_graph)
{
	struct err err = {0};
	struct graph *text = graph_of_text(LINEAR "/graph.pbtxt", &err);
	struct graph *binary = graph_open(LINEAR "/graph.pb", 0, UINT64_MAX, NULL, NULL, &err);

	ck_assert_msg(text && binary, "%s", err.msg);
	ck_assert_uint_eq(graph_len(text), 61);
	ck_assert_uint_eq(graph_len(binary), 62);        /* written later: it has "init", too */
	for (uint32_t i = 0; i < graph_len(text); i++) {
		const char *name = graph_name(text, i);
		uint32_t same = graph_find(binary, name, strlen(name));

		ck_assert_uint_ne(same, GRAPH_NONE);
		ck_assert_str_eq(graph_op(text, i), graph_op(binary, same));
		ck_assert_str_eq(graph_device(text, i), graph_device(binary, same));
	}
	graph_close(text);
	graph_close(binary);
}
END_TEST

START_TEST(escapes_comments_and_lists)
{
	static const char text[] = "# head\nnode < name: 'a\\x62' \"\\143\" op: \"Op\\n\\u00e9\" ; "
	                           "input: [ \"x\", 'y' ],\n"
		"  attr { key: \"T\" value { type: DT_INT32_REF } }\n"
		"  unknown { deep: [1, 2] [a.b/c]: 5 } >\n";
	struct err err = {0};
	struct graph *graph = graph_of_text(file_of(text, strlen(text)), &err);

	ck_assert_msg(graph != NULL, "%s", err.msg);
	ck_assert_uint_eq(graph_len(graph), 1);
	ck_assert_str_eq(graph_name(graph, 0), "abc");
	ck_assert_str_eq(graph_op(graph, 0), "Op\n\xc3\xa9");
	graph_close(graph);
}
END_TEST

static const struct { const char *text; uint64_t off; const char *msg; } bad_texts[] = {
	{ "node {\n name: \"a\n\" }", 16, "line 2: the end of a string expected" },
	{ "node {\n name: 5 }", 14, "line 2: a string expected" },
	{ "node { name \"a\" }", 12, "line 1: : or { expected" },
	{ "node {", 6, "line 1: the file ends within a message" },
	{ "}", 0, "line 1: a field expected" },
	{ "node { name: \"\\q\" }", 16, "line 1: an escape expected" },
	{ "node: 5", 6, "line 1: a message expected" },
	{ "versions { producer: x }", 22, "line 1: a whole number expected" },
};

START_TEST(bad_text_has_a_place)
{
	struct err err = {0};

	ck_assert_ptr_null(graph_of_text(file_of(bad_texts[_i].text, strlen(bad_texts[_i].text)),
	                                 &err));
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_str_eq(err.msg, bad_texts[_i].msg);
	ck_assert_uint_eq(err.off, bad_texts[_i].off);
}
END_TEST

START_TEST(deep_text_is_refused)
{
	struct str text = {0};
	struct err err = {0};

	for (int i = 0; i < 100000; i++)
		str_puts(&text, "a{");
	ck_assert_ptr_null(graph_of_text(file_of(text.text, text.len), &err));
	ck_assert_str_eq(err.msg, "line 1: messages nested less than 64 deep expected");
	ck_assert_uint_eq(err.off, 129);
	str_release(&text);
}
END_TEST

START_TEST(kinds_that_are_not_opened_say_so)
{
	static const char text[] = "digraph G {\n";
	struct shell *shell = shell_new();
	struct err err = {0};

	ck_assert(!shell_open(shell, file_of(text, strlen(text)), &err));
	ck_assert_str_eq(err.msg, file_kind_answer(FILE_GRAPHVIZ));
	shell_free(shell);
}
END_TEST

START_TEST(a_graph_alone_opens)
{
	struct shell *shell = session_of(LINEAR "/graph.pbtxt");
	struct str out = {0};

	ck_assert(session_ask(shell, "ni loss/Square", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "[Sub] loss/sub"));
	ck_assert(!session_ask(shell, "lp", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "No RunMetadata passed for profile analysis."));
	str_release(&out);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("profile_files",
	tcase_add_loop_test(t, files_are_recognised, 0, ROWS(kinds));
	tcase_add_loop_test(t, heads_are_recognised, 0, ROWS(heads));
	tcase_add_test(t, text_and_binary_are_one_graph);
	tcase_add_test(t, escapes_comments_and_lists);
	tcase_add_loop_test(t, bad_text_has_a_place, 0, ROWS(bad_texts));
	tcase_add_test(t, deep_text_is_refused);
	tcase_add_test(t, kinds_that_are_not_opened_say_so);
	tcase_add_test(t, a_graph_alone_opens);
)
