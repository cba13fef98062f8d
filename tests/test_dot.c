/* Graphviz reads what `dot` writes. Where Graphviz is not installed there is nothing to ask. */
#include "tests/suite.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

static bool has_graphviz(void)
{
	struct program_run ran;
	bool has;

	program_run((const char *const[]){ "sh", "-c", "command -v dot && command -v nop", NULL }, NULL, NULL, &ran);
	has = ran.status == 0;
	program_release(&ran);
	return has;
}

/* nop only parses: the layout of a large graph takes minutes. */
static void check_drawn(const char *reader, const char *path, const char *line, const char *what)
{
	struct program_run ran;

	program_run((const char *const[]){ "sh", "-c", "\"$0\" \"$1\" -c \"$2\" | $3", program_path(), path, line, reader, NULL }, NULL, NULL,
	            &ran);
	ck_assert_msg(ran.status == 0 && ran.out.len, "%s, %s: %s", path, line, str_text(&ran.err));
	ck_assert_msg(!strstr(str_text(&ran.err), "rror") && !strstr(str_text(&ran.err), "arning"), "%s, %s: %s", what, line,
	              str_text(&ran.err));
	program_release(&ran);
}

static const struct {
	const char *path, *reader;
} recorded[] = {
	{ "testdata/linear", "dot -Tsvg" },
	{ "testdata/two_devices", "dot -Tsvg" },
	{ "testdata/profile/linear/graph.pb", "dot -Tsvg" },
	{ "testdata/mnist_nan", "nop" },
	{ "../shared/corpus/profile/cnn_step/graph.pb", "nop" },
	{ "../shared/corpus/profile/gpu_like/graph.pb", "nop" },
	{ "../shared/corpus/profile/linear_tf2/graph.pb", "dot -Tsvg" },
	{ "../shared/corpus/profile/rnn/graph.pb", "nop" },
	{ "../shared/corpus/profile/two_devices/graph.pb", "dot -Tsvg" },
	{ "../shared/corpus/profile/while_loop/graph.pb", "nop" },
	{ "../shared/corpus/v1/cnn_big", "nop" },
	{ "../shared/corpus/v1/control", "nop" },
};

START_TEST(graphviz_reads_recorded_graphs)
{
	static const char *const lines[] = { "dot", "dot -c --scopes 1", "dot -c --chains" };

	if (!has_graphviz() || access(recorded[_i].path, R_OK))
		return;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		check_drawn(recorded[_i].reader, recorded[_i].path, lines[i], recorded[_i].path);
}
END_TEST

/* Names that would end a string, begin an escape or a comment, or are no text at all. */
static const char *const names[] = {
	"a\"b", "a\\", "\\N", "a\\nb", "a\"]; b [label=\"", "node", "digraph", "-> b", "// c", "/* c", "# c", "<b>bold</b>",
	"\x1b[31m", "a\nb", "\xff\xfe", "\xc3", "\xe2\x80\xae" "b", "&amp;", "&#0;",
};

START_TEST(graphviz_reads_hostile_names)
{
	struct str graph = {0}, path = {0};
	char *dir;

	if (!has_graphviz())
		return;
	dir = scratch_new();
	put_node_def(&graph, "first", "Const", "", "");
	put_node_def(&graph, names[_i], names[_i], "first first:1 ^first", "");
	put_node_def(&graph, "last", "Add", "first", "");
	dump_put(dir, "graph.pb", graph.text, graph.len);
	str_fmt(&path, "%s/graph.pb", dir);
	check_drawn("dot -Tsvg", path.text, "dot -c", names[_i]);
	str_release(&graph);
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("dot",
	tcase_add_loop_test(t, graphviz_reads_recorded_graphs, 0, sizeof recorded / sizeof *recorded);
	tcase_add_loop_test(t, graphviz_reads_hostile_names, 0, sizeof names / sizeof *names);
)
