/* Files made to do harm: each gets a short message, and the rest of the dump is shown. */
#include "tests/suite.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/v1/v1_name.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define GOOD SMALL_DEVICE "/good_0_DebugIdentity_1000"
#define BAD SMALL_DEVICE "/bad_0_DebugIdentity_1001"
#define GRAPH SMALL_DEVICE "/_tfdbg_graph_hash1_999"

/* Every test has a dump of its own, with the scalar "good". */
static char *dir;

static void put_event_file(const char *name, const struct str *tensor)
{
	struct str event = {0};

	put_event(&event, tensor);
	dump_put(dir, name, event.text, event.len);
	str_release(&event);
}

static void put_scalar_file(const char *name)
{
	struct str tensor = {0};

	put_tensor_head(&tensor, 1, 0, NULL);
	put_bytes(&tensor, 4, "\0\0\x80?", 4);
	put_event_file(name, &tensor);
	str_release(&tensor);
}

static void make_dump(void)
{
	dir = scratch_new();
	put_scalar_file(GOOD);
}

static void remove_dump(void)
{
	scratch_remove(dir);
}

static char *in_dump(const char *name)
{
	struct str path = {0};

	str_fmt(&path, "%s/%s", dir, name);
	return path.text;
}

static bool print(struct shell *shell, const char *tensor, struct str *out)
{
	struct str line = {0};
	bool ok;

	str_fmt(&line, "pt -D CPU %s", tensor);
	ok = session_ask(shell, line.text, out);
	str_release(&line);
	return ok;
}

static void good_is_shown(struct shell *shell)
{
	struct str text = {0};

	ck_assert_msg(print(shell, "good:0", &text) &&
	                      strstr(text.text, "array(1., dtype=float32)"),
	              "%s", str_text(&text));
	session_ask(shell, "lt", &text);
	ck_assert_ptr_nonnull(strstr(text.text, "good:0"));
	str_release(&text);
}

/* The tensor "bad" can't be shown, and the answer has these words and the place. */
static void bad_is_refused(const char *words)
{
	struct shell *shell = session_of(dir);
	struct str text = {0};

	ck_assert_msg(!print(shell, "bad:0", &text), "%s", str_text(&text));
	ck_assert_msg(strstr(text.text, words) &&
	                      strstr(text.text, "bad_0_DebugIdentity_1001, offset "),
	              "%s", text.text);
	session_ask(shell, "lt -f has_inf_or_nan", &text);
	good_is_shown(shell);
	str_release(&text);
	shell_free(shell);
}

/* Tensors. */

static const struct {
	uint32_t rank;
	int64_t dim;             /* all of them */
	const char *words;
} shapes[] = {
	{ 2, INT64_C(1) << 40, "a dimension is negative or too large" },
	{ 32, 4, "a dimension is negative or too large" },
	{ 3, INT64_MAX, "a dimension is negative or too large" },
	{ 1, -1, "a dimension is negative or too large" },
	{ 1, INT64_MIN, "a dimension is negative or too large" },
	{ 33, 1, "more than 32 dimensions" },
	{ 1000000, 1, "more than 32 dimensions" },
	{ 1, INT64_C(1) << 62, "4 bytes of content for 4611686018427387904 elements of 4" },
	{ 2, 1, "" },
};

START_TEST(shape_is_refused)
{
	int64_t *dims = mem_alloc(shapes[_i].rank * sizeof *dims);
	struct str tensor = {0};

	for (uint32_t i = 0; i < shapes[_i].rank; i++)
		dims[i] = shapes[_i].dim;
	put_tensor_head(&tensor, 1, shapes[_i].rank, dims);
	put_bytes(&tensor, 4, "\0\0\0\0", 4);
	put_event_file(BAD, &tensor);
	if (*shapes[_i].words) {
		bad_is_refused(shapes[_i].words);
	} else {
		struct shell *shell = session_of(dir);
		struct str text = {0};

		ck_assert(print(shell, "bad:0", &text)); /* the same file, but for its shape */
		str_release(&text);
		shell_free(shell);
	}
	str_release(&tensor);
	free(dims);
}
END_TEST

/* A field of 2^63 bytes at each height of the message. */
static const uint32_t heights[] = { 5, 1, 8, 4 };

START_TEST(length_is_refused)
{
	struct str inner = {0}, outer = {0};

	put_varint(&inner, heights[_i] << 3 | 2);
	put_varint(&inner, UINT64_C(1) << 63);
	str_puts(&inner, "abcd");
	for (int i = _i; i-- > 0; ) {
		str_reset(&outer);
		put_message(&outer, heights[i], &inner);
		str_reset(&inner);
		str_put(&inner, outer.text, outer.len);
	}
	dump_put(dir, BAD, inner.text, inner.len);
	bad_is_refused("a length of 9223372036854775808 bytes, 4 are left");
	str_release(&inner);
	str_release(&outer);
}
END_TEST

/* A file that is cut after it was opened; the array is larger than any window. */
START_TEST(shrinking_tensor_is_told)
{
	enum { N = 300000 };
	static const int64_t dim = N;
	char *elems = mem_alloc(N * 4), *path = in_dump(BAD);
	struct str tensor = {0}, text = {0};
	struct answer answer;
	struct shell *shell;
	struct line line = {0};

	put_tensor_head(&tensor, 1, 1, &dim);
	put_bytes(&tensor, 4, elems, N * 4);
	put_event_file(BAD, &tensor);
	shell = session_of(dir);
	shell_run(shell, "pt -a -D CPU bad:0", 0, NULL, &answer);
	ck_assert(!answer.failed);
	ck_assert_int_eq(truncate(path, 5000), 0);
	ck_assert_uint_gt(doc_rows(answer.doc), 10000);
	ck_assert(!doc_line(answer.doc, 10000, 0, &line));
	ck_assert_msg(strstr(str_text(&line.text), "the file ends"), "%s", str_text(&line.text));
	answer_release(&answer);
	ck_assert(!print(shell, "bad:0", &text));
	ck_assert_msg(strstr(text.text, "bad_0_DebugIdentity_1001, offset "), "%s", text.text);
	good_is_shown(shell);
	line_release(&line);
	shell_free(shell);
	str_release(&tensor);
	str_release(&text);
	free(elems);
	free(path);
}
END_TEST

enum { TEXT, JSON, CSV, DOC };
static const char *const formats[] = {
	[TEXT] = "--format=text",
	[JSON] = "--format=json",
	[CSV] = "--format=csv",
	[DOC] = "--format=doc",
};

/* Graphs. */

static void put_graph(const struct str *graph)
{
	struct str event = {0};

	put_message(&event, 4, graph);
	dump_put(dir, GRAPH, event.text, event.len);
	str_release(&event);
}

/* A NodeDef; attr may be NULL. */
static void put_node(struct str *graph, const char *name, const char *op, const char *input,
                     const struct str *attr)
{
	struct str node = {0};

	put_bytes(&node, 1, name, strlen(name));
	put_bytes(&node, 2, op, strlen(op));
	if (input)
		put_bytes(&node, 3, input, strlen(input));
	if (attr)
		put_message(&node, 5, attr);
	put_message(graph, 1, &node);
	str_release(&node);
}

/* A length of 2^63 for the graph, a node, a name. */
static const uint32_t graph_heights[] = { 4, 1, 1 };

START_TEST(length_in_a_graph_is_told)
{
	struct str inner = {0}, outer = {0}, text = {0};
	struct shell *shell;

	put_varint(&inner, graph_heights[_i] << 3 | 2);
	put_varint(&inner, UINT64_C(1) << 63);
	str_puts(&inner, "abcd");
	for (int i = _i; i-- > 0; ) {
		str_reset(&outer);
		put_message(&outer, graph_heights[i], &inner);
		str_reset(&inner);
		str_put(&inner, outer.text, outer.len);
	}
	dump_put(dir, GRAPH, inner.text, inner.len);
	shell = session_of(dir);
	session_warnings(shell, &text);
	ck_assert_msg(strstr(str_text(&text), GRAPH ", offset "), "%s", str_text(&text));
	ck_assert(print(shell, "good:0", &text));
	shell_free(shell);
	str_release(&inner);
	str_release(&outer);
	str_release(&text);
}
END_TEST

/*
 * An AttrValue of a function with an attribute of a function with ..., from the inside out: each
 * height puts its head before what is there, so the message is built at the end of a large block.
 */
static void put_nested(struct str *out, int levels)
{
	/* NameAttrList's entry, its value, AttrValue.func */
	static const uint32_t fields[] = { 2, 2, 10 };
	size_t size = (size_t)levels * 3 * 8, begin = size;
	char *block = mem_alloc(size);

	for (int i = 0; i < levels * 3; i++) {
		struct str head = {0};

		put_varint(&head, fields[i % 3] << 3 | 2);
		put_varint(&head, size - begin);
		begin -= head.len;
		memcpy(block + begin, head.text, head.len);
		str_release(&head);
	}
	put_bytes(out, 1, "f", 1);
	put_bytes(out, 2, block + begin, size - begin);
	free(block);
}

START_TEST(deep_nesting_is_refused)
{
	struct str graph = {0}, attr = {0}, text = {0};
	struct shell *shell;

	put_nested(&attr, 100000);
	put_node(&graph, "good", "Deep", NULL, &attr);
	put_graph(&graph);
	shell = session_of(dir);
	ck_assert(session_ask(shell, "ni -a good", &text));
	ck_assert_msg(strstr(text.text, "(damaged at offset "), "%.500s", text.text);
	good_is_shown(shell);
	shell_free(shell);
	str_release(&graph);
	str_release(&attr);
	str_release(&text);
}
END_TEST

START_TEST(million_empty_nodes_are_passed_over)
{
	struct str graph = {0}, text = {0};
	struct shell *shell;

	for (int i = 0; i < 1000000; i++)
		str_put(&graph, "\x0a\0", 2);
	put_node(&graph, "good", "Last", NULL, NULL);
	put_graph(&graph);
	shell = session_of(dir);
	session_warnings(shell, &text);
	ck_assert_msg(strstr(text.text, "a node without a name; 1 node could be read"), "%.500s",
	              text.text);
	ck_assert_uint_lt(text.len, 2000);
	ck_assert(session_ask(shell, "ni good", &text) && strstr(text.text, "Op: Last"));
	good_is_shown(shell);
	shell_free(shell);
	str_release(&graph);
	str_release(&text);
}
END_TEST

/* A user may follow a loop of nodes without end: stack, memory and time must not run out. */
START_TEST(loop_ends_at_a_depth)
{
	struct str graph = {0}, text = {0};
	struct shell *shell;

	put_node(&graph, "good", "Loop", "next", NULL);
	put_node(&graph, "next", "Loop", "good", NULL);
	put_graph(&graph);
	shell = session_of(dir);
	ck_assert(session_ask(shell, "li -r -d 9223372036854775807 good", &text));
	ck_assert_ptr_nonnull(strstr(text.text, "|- (500) good\n"));
	ck_assert_ptr_nonnull(strstr(text.text, "|- ...\n"));
	ck_assert(session_ask(shell, "lo -r -c -d 9223372036854775807 good", &text));
	ck_assert_ptr_nonnull(strstr(text.text, "|- ...\n"));
	shell_free(shell);
	str_release(&graph);
	str_release(&text);
}
END_TEST

/*
 * Each way doubles at each depth, and rows are as long as they are deep: what there is of text is
 * bounded, and that is said.
 */
#define CUT_OFF "Output cut off at 64 MB of text!"

START_TEST(text_of_a_tree_is_bounded)
{
	struct str graph = {0}, command = {0};
	struct program_run ran;

	put_node_def(&graph, "good", "Loop", "good good", "");
	put_graph(&graph);
	str_fmt(&command, "l%c -r -d 99999999999999 good", _i % 2 ? 'o' : 'i');
	program_run(
		(const char *[]){ program_path(), formats[_i / 2], "-c", command.text, dir, NULL },
		NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_uint_lt(ran.out.len, 70000000);
	/* Behind it: what feeds itself was there before what feeds it. */
	ck_assert_msg(!strncmp(str_text(&ran.err), CUT_OFF "\n", strlen(CUT_OFF "\n")), "%.300s",
	              str_text(&ran.err));
	ck_assert(_i / 2 == CSV || strstr(str_text(&ran.out), CUT_OFF));
	program_release(&ran);
	str_release(&graph);
	str_release(&command);
}
END_TEST

START_TEST(shrinking_graph_is_told)
{
	struct str graph = {0}, text = {0}, attr = {0};
	struct shell *shell;
	char *path = in_dump(GRAPH);

	put_bytes(&attr, 1, "T", 1);
	put_bytes(&attr, 2, "\x30\x01", 2);
	put_node(&graph, "good", "First", "other", &attr);
	put_graph(&graph);
	shell = session_of(dir);
	ck_assert_int_eq(truncate(path, 10), 0);
	session_ask(shell, "ni -a -d good", &text);
	session_ask(shell, "li -r good", &text);
	session_ask(shell, "lo -r good", &text);
	good_is_shown(shell);
	shell_free(shell);
	str_release(&graph);
	str_release(&attr);
	str_release(&text);
	free(path);
}
END_TEST

/* What is there in place of files. */

/* Opens, lists, and prints what has a dump's name. */
static void look(struct str *warnings)
{
	struct shell *shell = session_of(dir);
	struct str text = {0};

	session_warnings(shell, warnings);
	print(shell, "bad:0", &text);
	session_ask(shell, "lt -f has_inf_or_nan", &text);
	good_is_shown(shell);
	str_release(&text);
	shell_free(shell);
}

enum thing { FIFO, DIRECTORY, LOOP, DANGLING, N_THINGS };

static void put_thing(enum thing thing, const char *name)
{
	char *path = in_dump(name);

	switch (thing) {
	case FIFO:
		ck_assert_int_eq(mkfifo(path, 0600), 0);
		break;
	case DIRECTORY:
		ck_assert_int_eq(mkdir(path, 0700), 0);
		break;
	case LOOP:
		ck_assert_int_eq(symlink(path_name(name), path), 0);
		break;
	default:
		ck_assert_int_eq(symlink("/nowhere/at/all", path), 0);
		break;
	}
	free(path);
}

static const char *const thing_names[] = {
	BAD, GRAPH, "_tfdbg_core_metadata_x_1", "_tfdbg_fetches_info_", "_tfdbg_device_,job_other",
};

START_TEST(thing_that_is_no_file)
{
	const char *name = thing_names[_i / N_THINGS];
	enum thing thing = (enum thing)(_i % N_THINGS);
	struct str warnings = {0};

	put_thing(thing, name);
	look(&warnings);
	if (thing != DIRECTORY || !v1_begins(name, V1_DEVICE)) /* there a directory does no harm */
		ck_assert_msg(strstr(str_text(&warnings), name), "%s", str_text(&warnings));
	str_release(&warnings);
}
END_TEST

/* The file was one when the dump was loaded. */
START_TEST(thing_that_was_a_file)
{
	struct str text = {0};
	struct shell *shell;
	char *path = in_dump(BAD);

	put_scalar_file(BAD);
	shell = session_of(dir);
	ck_assert_int_eq(unlink(path), 0);
	put_thing((enum thing)_i, BAD);
	ck_assert(!print(shell, "bad:0", &text));
	ck_assert_msg(strstr(text.text, "bad_0_DebugIdentity_1001: "), "%s", text.text);
	good_is_shown(shell);
	shell_free(shell);
	str_release(&text);
	free(path);
}
END_TEST

START_TEST(links_in_a_circle)
{
	struct str warnings = {0};
	char *path = in_dump(SMALL_DEVICE "/a/b/up");

	put_scalar_file(SMALL_DEVICE "/a/b/c_0_DebugIdentity_1002");
	ck_assert_int_eq(symlink("../..", path), 0);
	look(&warnings);
	ck_assert_ptr_nonnull(strstr(str_text(&warnings), "a/b/up"));
	str_release(&warnings);
	free(path);
}
END_TEST

START_TEST(directory_without_permission)
{
	struct str warnings = {0};
	char *path = in_dump("_tfdbg_device_,job_closed");

	ck_assert(permissions_hold());
	ck_assert_int_eq(mkdir(path, 0), 0);
	look(&warnings);
	ck_assert_msg(strstr(str_text(&warnings), "_tfdbg_device_,job_closed: Permission denied\n"),
	              "%s", str_text(&warnings));
	chmod(path, 0700);
	str_release(&warnings);
	free(path);
}
END_TEST

/* Names. */

#define TEXT_256 \
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" \
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" \
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" \
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define TEXT_1024 TEXT_256 TEXT_256 TEXT_256 TEXT_256
static const char *const evil_names[] = {
	"esc\033[31m", "osc\033]0;title\007", "csi\302\2330m", "raw\2331m", "rtl\342\200\256gpj",
	"iso\342\201\246x", "bad\377\376\300\257", "cut\342\202", "cr\rlf\nff\f", "tab\tbell\a",
	"del\177", "zero\342\200\213width", TEXT_1024 TEXT_1024 TEXT_1024 TEXT_1024,
};

/* A dump whose nodes, ops, inputs, attributes and file names are these. */
static void put_evil_dump(void)
{
	struct str graph = {0}, attr = {0}, value = {0};

	for (size_t i = 0; i < ROWS(evil_names); i++) {
		const char *name = evil_names[i];
		struct str file = {0};

		str_reset(&attr);
		str_reset(&value);
		put_bytes(&value, 2, name, strlen(name));
		put_bytes(&attr, 1, name, strlen(name));
		put_message(&attr, 2, &value);
		put_node(&graph, name, name, evil_names[(i + 1) % ROWS(evil_names)], &attr);
		put_node(&graph, i ? "next" : "good", name, name, &attr);
		str_fmt(&file, SMALL_DEVICE "/%.200s_0_DebugIdentity_%zu", name, 2000 + i);
		put_scalar_file(file.text);
		str_reset(&file);
		str_fmt(&file, SMALL_DEVICE "/%.200s", name);
		dump_put(dir, file.text, "", 0);
		str_release(&file);
	}
	put_graph(&graph);
	str_release(&graph);
	str_release(&attr);
	str_release(&value);
}

static void no_controls(const struct str *text, int format)
{
	size_t bad = unsafe_at(str_text(text), text->len, format == CSV);

	ck_assert_msg(bad == text->len, "%s: %.100s", formats[format],
	              str_text(text) + (bad > 50 ? bad - 50 : 0));
}

/* The whole program: what it writes holds nothing that a terminal would obey. */
START_TEST(names_do_not_reach_the_terminal)
{
	const char *argv[] = {
		program_path(), formats[_i], "--keep-going", "-c", "lt", "-c",
		"lt -f has_inf_or_nan", "-c", "ni -a -d good", "-c", "ni next", "-c",
		"li -r -c good", "-c", "lo -r -c good", "-c", "pt good:0", "-c",
		"ni -a 'rtl\342\200\256gpj'", "-c", "no\033[31m such\2331m", "-c",
		"pt 'esc\033[31m:0'", "-c", "ni 'osc\033]0;title\007'", "-c", "lt -n '\033['", "-c",
		"h \033c", dir, NULL,
	};
	struct program_run ran;

	put_evil_dump();
	program_run(argv, NULL, NULL, &ran);
	ck_assert_int_lt(ran.status, 2);
	ck_assert_msg(strstr(str_text(&ran.out), "good"), "%.3000s", str_text(&ran.out));
	no_controls(&ran.out, _i);
	no_controls(&ran.err, TEXT);
	program_release(&ran);
}
END_TEST

static void add_tests(TCase *t)
{
	tcase_add_checked_fixture(t, make_dump, remove_dump);
	tcase_add_loop_test(t, shape_is_refused, 0, ROWS(shapes));
	tcase_add_loop_test(t, length_is_refused, 0, ROWS(heights));
	tcase_add_test(t, shrinking_tensor_is_told);
	tcase_add_loop_test(t, length_in_a_graph_is_told, 0, ROWS(graph_heights));
	tcase_add_test(t, deep_nesting_is_refused);
	tcase_add_test(t, million_empty_nodes_are_passed_over);
	tcase_add_test(t, loop_ends_at_a_depth);
	tcase_add_loop_test(t, text_of_a_tree_is_bounded, 0, 2 * 3);
	tcase_add_test(t, shrinking_graph_is_told);
	tcase_add_loop_test(t, thing_that_is_no_file, 0, ROWS(thing_names) * N_THINGS);
	tcase_add_loop_test(t, thing_that_was_a_file, 0, N_THINGS);
	tcase_add_test(t, links_in_a_circle);
	tcase_add_test(t, directory_without_permission);
	tcase_add_loop_test(t, names_do_not_reach_the_terminal, 0, ROWS(formats));
}

SUITE_MAIN("hostile", add_tests(t);)
