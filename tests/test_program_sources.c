/* ls and ps of recorded programs: what is counted where; names that fit several files or none. */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "cmds/program/source_files.h"
#include "tests/program.h"
#include "tests/program_files.h"

static struct program_run ran;

static void setup(void)
{
	make_scratch();
}

static void teardown(void)
{
	program_release(&ran);
	remove_scratch();
}

/* What the command answers about scratch. option: one more, or NULL. */
static const char *answer(const char *format, const char *option, const char *command)
{
	const char *argv[] = { program_path(), format, "-c", command, scratch, option, NULL };

	program_release(&ran);
	program_run(argv, NULL, NULL, &ran);
	return str_text(&ran.out);
}

static const char *typed(const char *command)
{
	return answer("--format=json", NULL, command);
}

static void expect_rows(const char *command, const char *rows)
{
	const char *got = typed(command), *at = strstr(got, "\"rows\":");

	ck_assert_msg(at != NULL, "%s: %s", command, got);
	ck_assert_msg(!strncmp(at + 7, rows, strlen(rows)) && !strcmp(at + 7 + strlen(rows), "}\n"),
	              "%s:\n%s, expected\n%s", command, at + 7, rows);
}

/* The command fails and says so. */
static void expect_error(const char *command, const char *error)
{
	const char *got = typed(command);

	ck_assert_msg(strstr(got, "\"ok\":false") && strstr(got, error) && ran.status == 1,
	              "%s: %s, expected \"%s\"", command, got, error);
}

static void write_small(void)
{
	put_small();
	write_set("1.host");
}

#define A_PY "{\"index\":0,\"set\":0,\"host\":\"host\",\"path\":\"a.py\",\"library\":false," \
	"\"lines\":2,\"nodes\":2,\"executions\":3,\"dumps\":5,\"flagged\":2,\"line\":2}"
#define B_PY "{\"index\":1,\"set\":0,\"host\":\"host\",\"path\":\"b.py\",\"library\":false," \
	"\"lines\":2,\"nodes\":2,\"executions\":3,\"dumps\":5,\"flagged\":2,\"line\":1}"

/* Two traces of y and three outputs; z was never created, so it is nowhere. */
START_TEST(files_and_their_counts)
{
	write_small();
	expect_rows("ls", "[" A_PY "," B_PY "]");
	expect_rows("ls -p b", "[" B_PY "]");
	expect_rows("ls -p c", "[]");
	expect_rows("ls --skip 1", "[" B_PY "]");
	expect_rows("ls --max 1", "[" A_PY "]");
	expect_rows("ls --skip 2", "[]");
	expect_rows("ls -n Mul#1 -p a",
	            "[{\"index\":0,\"set\":0,\"host\":\"host\",\"path\":\"a.py\","
	            "\"library\":false,\"lines\":2,\"nodes\":0,\"executions\":1,\"dumps\":1,"
	            "\"flagged\":0,\"line\":2}]");
	expect_rows("ls -n nothing", "[]");
	expect_error("ls -n (", "");
}
END_TEST

#define FRAME_A "{\"frame\":\"a\",\"set\":0,\"host\":\"host\",\"path\":\"a.py\"," \
	"\"file_index\":0,\"line\":2,\"function\":\"f\",\"nodes\":2,\"executions\":3}"
#define FRAME_B "{\"frame\":\"b\",\"set\":0,\"host\":\"host\",\"path\":\"b.py\"," \
	"\"file_index\":1,\"line\":1,\"function\":\"f\",\"nodes\":2,\"executions\":3}"
#define FRAME_C "{\"frame\":\"c\",\"set\":0,\"host\":null,\"path\":null," \
	"\"file_index\":7,\"line\":3,\"function\":\"f\",\"nodes\":0,\"executions\":0}"

START_TEST(frames)
{
	put_small();
	put_frame("c", 7, 3);
	put_frame("d", 0, 99);
	write_set("1.host");
	expect_rows("ls --frames --max 3", "[" FRAME_A "," FRAME_B "," FRAME_C "]");
	expect_rows("ls --frames --skip 2 --max 1", "[" FRAME_C "]");
	expect_rows("ls --frames -p b", "[" FRAME_B "]");
	expect_error("ls --frames -n x", "-n does not go with --frames");
	ck_assert_ptr_nonnull(strstr(answer("--format=text", NULL, "ls --frames"),
	                             "<unknown file #7>:3\n"));
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "<unknown file #0>:99\n"));
	ck_assert_ptr_nonnull(strstr(answer("--format=text", NULL, "ls"),
	                             "\n1 stack frame of files that were not recorded here;"));
}
END_TEST

START_TEST(lines_and_what_they_made)
{
	write_small();
	expect_rows("ps a.py",
	            "[{\"line\":1,\"text\":\"first\",\"nodes\":[],\"steps\":[],\"flagged\":0},"
	            "{\"line\":2,\"text\":\"second\",\"nodes\":[\"x\",\"y\"],\"steps\":[0,1,2],"
	            "\"flagged\":2}]");
	expect_rows("ps -t b.py",
	            "[{\"line\":1,\"text\":\"first\",\"nodes\":[\"x\",\"y\"],\"steps\":[0,1,2],"
	            "\"flagged\":2,\"tensors\":[\"__inference_f_1#0:0\",\"Mul#1:0\","
	            "\"__inference_f_1#2:0\",\"y:0\"]},"
	            "{\"line\":2,\"text\":\"second\",\"nodes\":[],\"steps\":[],"
	            "\"flagged\":0,\"tensors\":[]}]");
	ck_assert_str_eq(answer("--format=text", NULL, "ps -t b.py -m 3"),
	                 "L1  first  !2\n"
	                 "    __inference_f_1#0:0\n"
	                 "    Mul#1:0\n"
	                 "    __inference_f_1#2:0\n"
	                 "    y:0  !2\n"
	                 "L2  second\n");
	ck_assert_str_eq(answer("--format=text", NULL, "ps a.py -m 1"),
	                 "L1  first\n"
	                 "L2  second  !2\n"
	                 "    __inference_f_1#0\n"
	                 "    (... Omitted 2 of 3 step(s) ...) +5\n"
	                 "    x\n"
	                 "    (... Omitted 1 of 2 op(s) ...) +5  !2\n");
}
END_TEST

/* A line that calls itself made a thing once; the graph tells nodes of one name apart. */
START_TEST(a_thing_once_a_line)
{
	put_small();
	put_graph("h", "other", "root");
	put_op("h", "Log", "y", "");
	str_reset(&files[PROGRAM_FILE_FRAMES]);
	put_frame("a", 0, 2);
	put_frame("b", 0, 2);
	write_set("1.host");
	ck_assert_str_eq(answer("--format=text", NULL, "ps a.py"),
	                 "L1  first\n"
	                 "L2  second  !2\n"
	                 "    __inference_f_1#0\n"
	                 "    Mul#1\n"
	                 "    __inference_f_1#2\n"
	                 "    x\n"
	                 "    y  f  !2\n"
	                 "    y  other\n");
}
END_TEST

/* The same path on two hosts, in one run. */
static void write_two_hosts(void)
{
	put_small();
	write_set("1.host");
	str_reset(&files[PROGRAM_FILE_SOURCES]);
	str_reset(&files[PROGRAM_FILE_EXECUTION]);
	str_reset(&files[PROGRAM_FILE_TRACES]);
	str_reset(&files[PROGRAM_FILE_GRAPHS]);
	put_source_of("other", "a.py", (const char *const[]){ "elsewhere", NULL });
	write_set("2.other");
}

START_TEST(a_path_of_several_hosts)
{
	write_two_hosts();
	expect_error("ps a.py", "2 hosts have a.py; --host HOST says which: host, other.");
	expect_rows("ps --host other a.py",
	            "[{\"line\":1,\"text\":\"elsewhere\",\"nodes\":[],\"steps\":[],"
	            "\"flagged\":0}]");
	ck_assert_ptr_nonnull(strstr(typed("ps --host host a.py"), "\"text\":\"second\""));
	ck_assert_ptr_nonnull(strstr(typed("ps b.py"), "\"text\":\"second\""));
	expect_error("ps --host nowhere a.py", "There is no host \\\"nowhere\\\": host, other.");
	ck_assert_ptr_nonnull(strstr(answer("--format=doc", NULL, "ls"),
	                             "ps --host other a.py"));
	ck_assert_ptr_nonnull(strstr(answer("--format=doc", NULL, "ps --host host a.py -m 1"),
	                             "ps a.py --host host  -b 2 -m 6"));
}
END_TEST

START_TEST(paths_and_their_ends)
{
	static const char *const line[] = { "x", NULL };

	put_small();
	put_source_of("host", "/p/c.py", line);
	put_source_of("host", "/q/c.py", line);
	put_source_of("host", "/q/dd.py", line);
	write_set("1.host");
	expect_error("ps c.py", "\\\"c.py\\\" is the end of 2 paths. Choose one:");
	expect_rows("ps q/c.py", "[{\"line\":1,\"text\":\"x\",\"nodes\":[],\"steps\":[],"
	                         "\"flagged\":0}]");
	ck_assert_ptr_nonnull(strstr(typed("ps dd.py"), "\"ok\":true"));
	expect_error("ps d.py", "Source path neither exists");
	expect_error("ps /c.py", "Source path neither exists");
}
END_TEST

START_TEST(lines_that_were_not_recorded)
{
	struct str option = {0}, here = {0};
	FILE *file;

	put_small();
	put_source_of("host", "/nowhere/at/all/e.py", (const char *const[]){ NULL });
	write_set("1.host");
	expect_error("ps e.py", "No text of /nowhere/at/all/e.py: add --source-map");
	str_fmt(&here, "%s/e.py", scratch);
	file = fopen(here.text, "we");
	ck_assert_ptr_nonnull(file);
	fputs("local\n", file);
	ck_assert_int_eq(fclose(file), 0);
	str_fmt(&option, "--source-map=/nowhere/at/all=%s", scratch);
	ck_assert_ptr_nonnull(strstr(answer("--format=json", option.text, "ps e.py"),
	                             "\"rows\":[{\"line\":1,\"text\":\"local\","));
	str_release(&option);
	str_release(&here);
}
END_TEST

/* Nothing of it reaches a terminal, and it can be named. */
START_TEST(a_path_with_control_characters)
{
	put_small();
	put_source_of("host", "/x\033[31m\n\t.py", (const char *const[]){ "\033]0;line", NULL });
	put_frame("c", 2, 1);
	write_set("1.host");
	ck_assert_ptr_null(strchr(answer("--format=text", NULL, "ls"), '\033'));
	ck_assert_ptr_null(strchr(answer("--format=text", NULL, "ls --frames"), '\033'));
	ck_assert_ptr_null(strchr(answer("--format=text", NULL, "ps \"x\033[31m\n\t.py\""),
	                          '\033'));
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "0;line"));
	ck_assert_ptr_nonnull(strstr(typed("ls"), "\"path\":\"/x\\u001b[31m\\n\\t.py\""));
}
END_TEST

static const struct { const char *path; bool library; } libraries[] = {
	{ "/v/lib/python3.11/site-packages/tensorflow/python/ops/math_ops.py", true },
	{ "/v/site-packages/tensorflow/core/x.py", true },
	{ "/v/site-packages/keras/layers.py", true },
	{ "/v/site-packages/tensorflow_probability/x.py", true },
	{ "/v/site-packages/tensorflow_x.py", false },
	{ "/v/site-packages/tensorflow.py", false },
	{ "/v/site-packages/tensorflows/x.py", false },
	{ "/v/site-packages/keras_cv/x.py", false },
	{ "/v/site-packages/numpy/x.py", false },
	{ "/v/dist-packages/tensorflow/x.py", false },
	{ "/src/tensorflow/python/framework/ops.py", true },
	{ "/src/tensorflow/models/x.py", false },
	{ "/src/my_tensorflow/python/x.py", false },
	{ "/home/me/keras/src/trainer.py", true },
	{ "/home/me/keras/train.py", false },
	{ "tensorflow/python/x.py", false },
	{ "train.py", false },
	{ "", false },
};

START_TEST(library_files)
{
	ck_assert_int_eq(is_tensorflow_file(libraries[_i].path), libraries[_i].library);
}
END_TEST

static const struct { const char *path; bool library; } pythons[] = {
	{ "/usr/lib/python3.11/runpy.py", true }, { "/usr/lib/python3/os.py", true },
	{ "/usr/lib/python3.11/site-packages/mine/net.py", false },
	{ "/usr/lib/python3/dist-packages/mine/net.py", false },
	{ "/usr/lib/python3.11/site-packages/tensorflow/x.py", true },
	{ "<frozen importlib._bootstrap>", true }, { "/home/me/python/net.py", false },
	{ "/home/me/python3.11.py", false }, { "<stdin>", false },
};

START_TEST(libraries_of_python)
{
	ck_assert_int_eq(is_library_file(pythons[_i].path), pythons[_i].library);
}
END_TEST

/* Graphs in each other, each with an op of the same name: every answer ends soon. */
START_TEST(deeply_nested_graphs)
{
	enum { N = 100000 };
	static const struct { const char *command, *text; } answers[] = {
		{ "lg --max 1 --skip 99999", " 99999    1      0  g99999\n" },
		{ "li w -g g99999", "(1) v" }, { "li -r w -g g00000", "f00001" },
		{ "ls", " 100000 " }, { "ps a.py", "(... Omitted 99990 of 100000 op(s) ...)" },
		{ "ni w -g g50000", " < f < ... and 49985 more (g50000)\n" },
		{ "lt --step 0 --skip 99998", "w:0 " }, { "pt w:0 -g g99999 --step 0", " more)" },
		{ "diff --step 0 0", "100001 tensor(s)" },
	};
	char id[16], around[16] = "";

	put_metadata(100, "run");
	put_source("a.py");
	put_frame("a", 0, 1);
	put_frame("b", 0, 2);
	for (int i = 0; i < N; i++) {
		snprintf(id, sizeof id, "g%05d", i);
		put_graph(id, i == 1 ? "f00001" : "f", around);
		put_op(id, "While", "w", "v:0");
		put_trace(101 + i * 1e-6, id, "w");
		memcpy(around, id, sizeof id);
	}
	put_step(102, "__inference_f_1", "g00000", 0, 0);
	write_set("1.host");
	for (int i = 0; i < ROWS(answers); i++)
		ck_assert_msg(strstr(answer("--format=text", NULL, answers[i].command),
		                     answers[i].text), "%s: %.2000s", answers[i].command,
		              ran.out.text);
}
END_TEST

SUITE_MAIN("program_sources",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, files_and_their_counts);
	tcase_add_test(t, deeply_nested_graphs);
	tcase_add_test(t, frames);
	tcase_add_test(t, lines_and_what_they_made);
	tcase_add_test(t, a_thing_once_a_line);
	tcase_add_test(t, a_path_of_several_hosts);
	tcase_add_test(t, paths_and_their_ends);
	tcase_add_test(t, lines_that_were_not_recorded);
	tcase_add_test(t, a_path_with_control_characters);
	tcase_add_loop_test(t, libraries_of_python, 0, ROWS(pythons));
	tcase_add_loop_test(t, library_files, 0, ROWS(libraries));)
