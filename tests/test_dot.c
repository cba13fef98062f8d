/*
 * What `dot` writes can be read: by a strict reader of the part of the language that it uses, and
 * by Graphviz. Where Graphviz is not installed the suite says so.
 */
#include "tests/suite.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "dump/base/map.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

static bool has_graphviz(void)
{
	struct program_run ran;
	bool has;

	program_run((const char *const[]){ "sh", "-c", "command -v dot && command -v nop", NULL },
	            NULL, NULL, &ran);
	has = ran.status == 0;
	program_release(&ran);
	return has;
}

/*
 * The reader: a digraph of nodes and edges with attributes; edges are between nodes named before.
 */

struct reading {
	const char *at;
	struct map nodes;
	struct arena mem;
	struct str id;
	bool quoted;             /* the id */
	size_t n_edges;
};

static void skip_blanks(struct reading *r)
{
	r->at += strspn(r->at, " \n");
}

static bool takes(struct reading *r, const char *token)
{
	skip_blanks(r);
	if (strncmp(r->at, token, strlen(token)) != 0)
		return false;
	r->at += strlen(token);
	return true;
}

static void must(struct reading *r, const char *token)
{
	ck_assert_msg(takes(r, token), "%s is missing before %.60s", token, r->at);
}

static bool is_printable(char c)
{
	return (unsigned char)c >= 0x20 && c != 0x7f;
}

/* A name: in quotes printable characters only, with what is special behind a backslash. */
static void read_id(struct reading *r)
{
	str_reset(&r->id);
	r->quoted = takes(r, "\"");
	if (!r->quoted) {
		for (; isalnum((unsigned char)*r->at) || (*r->at && strchr("_.", *r->at)); r->at++)
			str_putc(&r->id, *r->at);
		ck_assert_msg(r->id.len > 0, "no name at %.60s", r->at);
		return;
	}
	for (; *r->at != '"'; r->at++) {
		if (*r->at == '\\')
			str_putc(&r->id, *r->at++);
		ck_assert_msg(is_printable(*r->at), "a raw byte or no end in %s",
		              str_text(&r->id));
		str_putc(&r->id, *r->at);
	}
	r->at++;
}

static void read_attributes(struct reading *r)
{
	if (!takes(r, "["))
		return;
	do {
		read_id(r);
		ck_assert_msg(!r->quoted, "an attribute's name in quotes: %s", str_text(&r->id));
		must(r, "=");
		read_id(r);
	} while (takes(r, ","));
	must(r, "]");
}

static void check_known(struct reading *r)
{
	ck_assert_msg(map_find(&r->nodes, str_text(&r->id), r->id.len) != MAP_NONE, "no node %s",
	              str_text(&r->id));
}

static void read_statement(struct reading *r)
{
	read_id(r);
	if (takes(r, "->")) {
		check_known(r);
		read_id(r);
		check_known(r);
		r->n_edges++;
	} else if (r->quoted) {
		map_add(&r->nodes, &r->mem, str_text(&r->id), r->id.len);
	}
	read_attributes(r);
	must(r, ";");
}

static void check_read(const char *text)
{
	struct reading r = { .at = text };

	must(&r, "digraph");
	read_id(&r);
	must(&r, "{");
	while (!takes(&r, "}"))
		read_statement(&r);
	skip_blanks(&r);
	ck_assert_str_eq(r.at, "");
	ck_assert_uint_gt(r.nodes.len, 0);
	map_release(&r.nodes);
	arena_release(&r.mem);
	str_release(&r.id);
}

/* nop only parses: the layout of a large graph takes minutes. */
static void check_drawn(const char *reader, const char *path, const char *line, const char *what)
{
	struct program_run ran;

	program_run((const char *const[]){ program_path(), path, "-c", line, NULL }, NULL, NULL,
	            &ran);
	ck_assert_msg(ran.status == 0, "%s, %s: %s", path, line, str_text(&ran.err));
	check_read(str_text(&ran.out));
	program_release(&ran);
	if (!has_graphviz())
		return;
	program_run((const char *const[]){ "sh", "-c", "\"$0\" \"$1\" -c \"$2\" | $3",
	                                   program_path(), path, line, reader, NULL }, NULL, NULL,
	            &ran);
	ck_assert_msg(ran.status == 0 && ran.out.len, "%s, %s: %s", path, line, str_text(&ran.err));
	ck_assert_msg(!strstr(str_text(&ran.err), "rror") && !strstr(str_text(&ran.err), "arning"),
	              "%s, %s: %s", what, line, str_text(&ran.err));
	program_release(&ran);
}

static const struct {
	const char *path, *reader;
} recorded[] = {
	{ "testdata/linear", "dot -Tsvg" },
	{ "testdata/two_devices", "dot -Tsvg" },
	{ "testdata/profile/linear/graph.pb", "dot -Tsvg" },
	{ "testdata/mnist_nan", "nop" },
	{ "testdata/profile/gpu_like/graph.pb", "nop" },
	{ "testdata/profile/two_devices/graph.pb", "dot -Tsvg" },
	{ "testdata/profile/while_loop/graph.pb", "nop" },
	{ "testdata/train20/run_1795218502312451_11", "nop" },
};

START_TEST(recorded_graphs_can_be_read)
{
	static const char *const lines[] = { "dot", "dot -c --scopes 1", "dot -c --chains" };

	for (size_t i = 0; i < ROWS(lines); i++)
		check_drawn(recorded[_i].reader, recorded[_i].path, lines[i], recorded[_i].path);
}
END_TEST

/* Names that would end a string, begin an escape or a comment, or are no text at all. */
static const char *const names[] = {
	"a\"b", "a\\", "\\N", "a\\nb", "a\"]; b [label=\"", "node", "digraph", "-> b", "// c",
	"/* c", "# c", "<b>bold</b>", "\x1b[31m", "a\nb", "\xff\xfe", "\xc3", "\xe2\x80\xae" "b",
	"&amp;", "&#0;",
};

START_TEST(hostile_names_can_be_read)
{
	struct str graph = {0}, path = {0};
	char *dir = scratch_new();

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
	if (!has_graphviz())
		puts("skipped: Graphviz (dot, nop) is not installed and did not read the graphs");
	tcase_add_loop_test(t, recorded_graphs_can_be_read, 0, ROWS(recorded));
	tcase_add_loop_test(t, hostile_names_can_be_read, 0, ROWS(names));
)
