/*
 * The command: two recorded runs against what numpy found in them (tests/diff_runs.py), made ones
 * for what no recording has, and the keys of the screen.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/session/envelope.h"
#include "cmds/session/shell.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"
#include "tests/terminal.h"
#include "tests/word_dump.h"

#define NEW_RUN "testdata/train20/run_1795218502329437_12"
#define OLD_RUN "testdata/train20/run_1795218502312451_11"

static char *dir;
static struct str now_dir, old_dir;

static void setup(void)
{
	dir = scratch_new();
	str_fmt(&now_dir, "%s/now", dir);
	str_fmt(&old_dir, "%s/old", dir);
	ck_assert_int_eq(mkdir(now_dir.text, 0700), 0);
	ck_assert_int_eq(mkdir(old_dir.text, 0700), 0);
}

static void teardown(void)
{
	scratch_remove(dir);
	str_release(&now_dir);
	str_release(&old_dir);
}

static int run_program(const char *line, const char *path, struct str *out)
{
	struct program_run ran;
	int status;

	program_run((const char *[]){ program_path(), "-c", line, path, NULL }, NULL, NULL, &ran);
	str_reset(out);
	str_put(out, str_text(&ran.out), ran.out.len);
	status = ran.status;
	program_release(&ran);
	return status;
}

START_TEST(as_numpy_has_it)
{
	struct str out = {0}, want = {0};

	ck_assert(read_whole("testdata/train20.diff.csv", &want));
	ck_assert_int_eq(run_program("diff " OLD_RUN " --all -o csv", NEW_RUN, &out), 0);
	ck_assert_str_eq(str_text(&out), str_text(&want));
	str_release(&out);
	str_release(&want);
}
END_TEST

static const struct { const char *line; int status; } statuses[] = {
	{ "diff " OLD_RUN, 0 },
	{ "diff " OLD_RUN " --exit-code", 1 },
	{ "diff " OLD_RUN " --exit-code -n nothing", 1 },
	{ "diff " NEW_RUN " --exit-code", 0 },
	{ "diff " NEW_RUN " --exit-code --nan-differs", 1 },
	{ "diff hidden/bias " OLD_RUN " --exit-code", 1 },
	{ "diff hidden/bias " OLD_RUN " --exit-code --atol 1", 0 },
	{ "diff Const " OLD_RUN " --exit-code", 0 },
	{ "diff nowhere/", 1 },
	{ "diff nowhere/ --exit-code", 3 },
};
enum { N_STATUSES = ROWS(statuses) };

START_TEST(exit_status_tells)
{
	struct str out = {0};

	ck_assert_int_eq(run_program(statuses[_i].line, NEW_RUN, &out), statuses[_i].status);
	str_release(&out);
}
END_TEST

/* A script goes on after a difference: it is no failure. */
START_TEST(differences_end_no_script)
{
	struct program_run ran;

	program_run((const char *[]){ program_path(), "-c", "diff " OLD_RUN " --exit-code", "-c",
	                              "version", NEW_RUN, NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 1);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "tensordbg"));
	program_release(&ran);
}
END_TEST

/* What a command says of made dumps; "OLD" in the line is the old one's directory. */
static const struct {
	const char *graph, *now, *before, *line, *wanted;
} answers[] = {
	/* everything that is not as it was, gone ones last; the file that can't be read is named */
	{ "a Const; b Neg a", "b:0@20=2 a:0@10=1,2 c:0@30=! d:0@40=1 e:0@50=1",
	  "a:0@11=1 b:0@12=i2 c:0@13=1 e:0@14=1 f:0@15=1", "diff OLD",
	  "now against old: 6 tensor(s), 1 same, 1 shape, 1 dtype, 1 added, 1 gone, 1 unreadable\n"
	  "First divergence: a:0 (source)\n\n"
	  "Status      Tensor name  Dump  Dtype            Shape  Old shape  Differ  Bad  First "
	  "at  Max abs  Max rel  Max ulps\n"
	  "shape       a:0             0  float32          (2,)   ()\n"
	  "dtype       b:0             0  float32 (int32)  ()     ()\n"
	  "unreadable  c:0             0  float32                 ()\n"
	  "added       d:0             0  float32          ()\n"
	  "gone        f:0             0  float32                 ()\n"
	  "ERROR: .../c_0_DebugIdentity_30, offset 1: a length of 127 bytes, 0 are left\n" },
	/* dumps have numbers, debug ops names, devices a column */
	{ "", "a:0@10=1 a:0@20=2", "a:0@10=1 a:0@20=3", "diff OLD --all",
	  "now against old: 2 tensor(s), 1 same, 1 changed\n"
	  "First divergence: not known, this run has no graph\n\n"
	  "Status   Tensor name  Dump  Dtype    Shape  Old shape  Differ  Bad  First at  Max abs  "
	  "Max rel  Max ulps\n"
	  "same     a:0             0  float32  ()     ()              0    0\n"
	  "changed  a:0             1  float32  ()     ()              1    0  []              1   "
	  "0.3333   4194304\n" },
	{ "", "a:0@10=1 1/a:0*DebugNanCount@20=i1", "a:0@10=1 1/a:0*DebugNanCount@20=i0",
	  "diff OLD",
	  "now against old: 2 tensor(s), 1 same, 1 changed\n"
	  "First divergence: not known, this run has no graph\n\n"
	  "Status   Tensor name        Dump  Dtype  Shape  Old shape  Differ  Bad  First at  Max "
	  "abs  Max rel  Max ulps  Device\n"
	  "changed  a:0:DebugNanCount     0  int32  ()     ()              1    0  []              "
	  "1      inf            "
	  "/job:localhost/replica:0/task:0/device:CPU:1\n" },
	{ "", "a:0@10=1", "a:0@10=1", "diff OLD", "now against old: 1 tensor(s), 1 same\n\n"
	  "Status  Tensor name  Dump  Dtype  Shape  Old shape  Differ  Bad  First at  Max abs  Max "
	  "rel  Max ulps\n" },
	/* one tensor */
	{ "", "a:0@10=1,2:3,4", "a:0@10=1,2:3,5", "diff a:0 OLD -D CPU:0",
	  "Tensor \"a:0:DebugIdentity\", now against old: changed\n  float32 (2, 2)\n"
	  "  1 of 4 elements differs\n  max abs 1  max rel 0.2  max ulps 2097152\n"
	  "  first at [1,1]: 4.0, was 5.0\n\n"
	  "               [,0]            [,1]\n"
	  "[0]             1.0             2.0\n"
	  "[1]             3.0             4.0\n" },
	{ "a Const", "a:0@10=1,2", "a:0@10=i1", "diff a OLD",
	  "Tensor \"a:0:DebugIdentity\", now against old: dtype\n  float32 (2,), was int32 ()\n" },
	{ "a Const", "a:0@10=1,2", "a:0@10=1,2,3", "diff a:0[0] OLD",
	  "Tensor \"a:0:DebugIdentity[0]\", now against old: shape\n"
	  "  float32 (2,), was float32 (3,)\n" },
	{ "a Const", "a:0@10=1,2", "b:0@10=1", "diff a OLD",
	  "Tensor \"a:0:DebugIdentity\", now against old: added\n  float32 (2,)\n" },
	{ "a Const", "a:0@10=1,2", "a:0@10=!", "diff a OLD",
	  "ERROR: .../a_0_DebugIdentity_10, offset 1: a length of 127 bytes, 0 are left\n" },
	{ "a Const", "a:0@10=\"x,y", "a:0@10=\"x,z", "diff a OLD",
	  "Tensor \"a:0:DebugIdentity\", now against old: changed\n  string (2,)\n"
	  "  1 of 2 elements differs\n  first at [1]: b'y', was b'z'\n\n" },
	{ "a Const", "a:0@10=\"x,y", "a:0@10=\"x,z", "diff a OLD -o csv",
	  "index,new,old\n[1],y,z\n" },
	{ "a Const", "a:0@10=1 a:0@20=2", "a:0@10=1 a:0@20=4", "diff a OLD --dump 1 -o csv",
	  "index,new,old\n[],2.0,4.0\n" },
	{ "a Const", "a:0@10=1 a:0@20=2", "a:0@10=1", "diff a OLD",
	  "Tensor \"a\" generated 2 dumps:\n" },
};
enum { N_ANSWERS = ROWS(answers) };

/* The line with the directory in it. */
static void put_line(struct str *out, const char *line)
{
	const char *old = strstr(line, "OLD");

	str_put(out, line, (size_t)(old - line));
	str_puts(out, str_text(&old_dir));
	str_puts(out, old + strlen("OLD"));
}

/* Paths of this test become "...". */
static void hide_paths(struct str *text)
{
	struct str out = {0};
	const char *at = str_text(text), *found;

	for (; (found = strstr(at, dir)) != NULL;
	     at = strstr(found, "device_CPU_0/") + strlen("device_CPU_0")) {
		str_put(&out, at, (size_t)(found - at));
		str_puts(&out, "...");
		if (!strstr(found, "device_CPU_0/"))
			break;
	}
	str_puts(&out, found ? "" : at);
	str_reset(text);
	str_put(text, str_text(&out), out.len);
	str_release(&out);
}

START_TEST(answers_to_made_runs)
{
	struct str line = {0}, out = {0};

	word_dump_make(now_dir.text, answers[_i].graph, answers[_i].now);
	word_dump_make(old_dir.text, answers[_i].graph, answers[_i].before);
	put_line(&line, answers[_i].line);
	run_program(line.text, now_dir.text, &out);
	hide_paths(&out);
	ck_assert_msg(!strncmp(str_text(&out), answers[_i].wanted, strlen(answers[_i].wanted)),
	              "%s\n%s, not\n%s", answers[_i].line, str_text(&out), answers[_i].wanted);
	str_release(&line);
	str_release(&out);
}
END_TEST

/* Of a matrix of any rank: the last two axes, where the first difference is. */
START_TEST(grid_shows_the_first_difference)
{
	static const char wanted[] = "  the last two axes at [1,0,1]:\n\n";
	struct shell *shell;
	struct str out = {0}, line = {0};

	word_dump_make(now_dir.text, "a Const", "a:0@10=1,2:3,4;5,6:7,8");
	word_dump_make(old_dir.text, "", "a:0@10=1,2:3,4;5,7:7,9");
	shell = session_of(now_dir.text);
	put_line(&line, "diff a OLD");
	ck_assert(session_ask(shell, line.text, &out));
	ck_assert_msg(strstr(out.text, wanted) != NULL, "%s", out.text);
	ck_assert_ptr_nonnull(strstr(out.text, "first at [1,0,1]: 6.0, was 7.0\n"));
	ck_assert_ptr_nonnull(strstr(out.text, "[1]             7.0             8.0\n"));
	str_release(&out);
	str_release(&line);
	shell_free(shell);
}
END_TEST

/* The answer in the format that the line asks for. */
static void ask(struct shell *shell, const char *line, struct str *out)
{
	struct answer answer;
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);

	shell_run(shell, line, 0, NULL, &answer);
	ck_assert_msg(!answer.failed, "%s", line);
	ck_assert(answer_write(&answer, line, DOC_TEXT, false, NULL, memory));
	ck_assert_msg(!answer.failed, "%s", line);
	fclose(memory);
	str_reset(out);
	str_put(out, text, len);
	free(text);
	answer_release(&answer);
}

/* Each tensor of a recording with all types, shapes without elements and what is no array. */
START_TEST(every_tensor_is_like_itself)
{
	static const char *const options[] = {
		"", "-o json", "-o csv", "-c 100", "--nan-differs -o json",
	};
	struct shell *shell = session_of("testdata/dtypes");
	struct str list = {0}, out = {0}, line = {0};
	size_t n = 0;

	ask(shell, "lt -o csv", &list);
	for (const char *at = strchr(list.text, '\n') + 1; *at; at = strchr(at, '\n') + 1) {
		for (size_t i = 0; i < ROWS(options); i++) {
			str_reset(&line);
			str_fmt(&line, "diff %.*s testdata/dtypes %s", (int)strcspn(at, ","), at,
			        options[i]);
			ask(shell, line.text, &out);
			ck_assert_msg(i || strstr(out.text, "against dtypes: same\n"), "%s\n%.300s",
			              line.text, out.text);
		}
		n++;
	}
	ck_assert_uint_eq(n, 139);
	str_release(&list);
	str_release(&out);
	str_release(&line);
	shell_free(shell);
}
END_TEST

/* The links of the table. */
static const struct { const char *now, *before, *line, *link; } links[] = {
	{ "a:0@10=1", "a:0@10=2", "diff OLD", "diff a:0 OLD" },
	{ "a:0@10=1 a:0@20=1", "a:0@10=1 a:0@20=2", "diff OLD", "diff a:0 OLD --dump 1" },
	{ "a:0@10=1 a:0*DebugNanCount@20=i1", "a:0@10=1 a:0*DebugNanCount@20=i0", "diff OLD",
	  "diff a:0 OLD --dump 1" },
	{ "a:0@10=1 1/b:0@20=1", "a:0@10=2 1/b:0@20=1", "diff OLD",
	  "diff a:0 OLD -D /job:localhost/replica:0/task:0/device:CPU:0" },
	{ "a:0@10=1", "b:0@10=2", "diff OLD", "pt a:0" },
	{ "b:0@10=1", "a:0@10=2 b:0@10=1", "diff OLD", NULL },
};
enum { N_LINKS = ROWS(links) };

/* The first row of the body. */
static void read_row(struct shell *shell, const char *line, uint64_t row, struct answer *answer,
                     struct line *out)
{
	shell_run(shell, line, 0, NULL, answer);
	ck_assert(!answer->failed);
	ck_assert(doc_line(answer->doc, doc_body_row(answer->doc) + row, 0, out));
}

START_TEST(rows_lead_to_their_tensor)
{
	struct str line = {0}, want = {0};
	struct answer answer;
	struct line row = {0};
	const char *link = NULL;
	struct shell *shell;

	word_dump_make(now_dir.text, "a Const; b Const", links[_i].now);
	word_dump_make(old_dir.text, "", links[_i].before);
	shell = session_of(now_dir.text);
	put_line(&line, links[_i].line);
	read_row(shell, line.text, 0, &answer, &row);
	for (size_t i = 0; i < row.segs.len; i++)
		link = seg_link(&row, &row.segs.at[i]) ? seg_link(&row, &row.segs.at[i]) : link;
	if (links[_i].link && strstr(links[_i].link, "OLD"))
		put_line(&want, links[_i].link);
	else
		str_puts(&want, links[_i].link ? links[_i].link : "");
	ck_assert_str_eq(link ? link : "", str_text(&want));
	answer_release(&answer);
	line_release(&row);
	if (link && want.len) {
		shell_run(shell, want.text, 0, NULL, &answer);
		ck_assert(!answer.failed);
		answer_release(&answer);
	}
	str_release(&line);
	str_release(&want);
	shell_free(shell);
}
END_TEST

/* Cells of a grid that differ, and the labels of their rows even if those cells are off screen. */
static const struct { const char *line; uint64_t row; const char *marked; } marks[] = {
	{ "diff a:0 OLD", 0, "" },
	{ "diff a:0 OLD", 1, "" },
	{ "diff a:0 OLD", 2, "[1] 6.0 nan" },
	{ "diff a:0 OLD", 3, "[2] 9.0" },
	{ "diff a:0 OLD -c 1", 3, "[2]" },
	{ "diff a:0 OLD --atol 2", 3, "" },
	{ "diff a:0 OLD --nan-differs", 1, "[0] nan" },
};
enum { N_MARKS = ROWS(marks) };

START_TEST(cells_that_differ_are_marked)
{
	struct str line = {0}, got = {0};
	struct answer answer;
	struct line row = {0};
	struct shell *shell;

	word_dump_make(now_dir.text, "a Const", "a:0@10=1,2,nan:4,6,nan:9,8,7");
	word_dump_make(old_dir.text, "", "a:0@10=1,2,nan:4,5,6:7,8,7");
	shell = session_of(now_dir.text);
	put_line(&line, marks[_i].line);
	read_row(shell, line.text, marks[_i].row, &answer, &row);
	for (size_t i = 0; i < row.segs.len; i++) {
		const struct seg *seg = &row.segs.at[i];

		if (seg->role != ROLE_DIFFERS)
			continue;
		str_puts(&got, got.len ? " " : "");
		str_put(&got, row.text.text + seg->begin, seg->end - seg->begin);
	}
	ck_assert_str_eq(str_text(&got), marks[_i].marked);
	answer_release(&answer);
	line_release(&row);
	str_release(&line);
	str_release(&got);
	shell_free(shell);
}
END_TEST

/* An Esc that nothing follows. */
static void into_view(struct terminal *t, const char *shows)
{
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_text(t, shows));
}

/* ]d and [d, in the table and in a tensor; v shows the tensor of the row. */
START_TEST(keys_go_to_differences)
{
	struct str home = {0};
	struct terminal *t;

	str_fmt(&home, "HOME=%s", dir);
	t = terminal_start((const char *[]){ program_path(), NEW_RUN, NULL },
	                   (const char *[]){ home.text, "XDG_CONFIG_HOME", "XDG_STATE_HOME", NULL },
	                   NULL, 40, 160);
	ck_assert_ptr_nonnull(t);
	ck_assert(terminal_wait_text(t, "32 dumped tensor(s)"));
	terminal_enter(t, "diff " OLD_RUN " --all");
	ck_assert(terminal_wait_text(t, "4 same, 28 changed"));
	into_view(t, " row ");
	terminal_type(t, "]d");
	ck_assert(terminal_wait_text(t, "row 2/"));
	terminal_type(t, "2]d");
	ck_assert(terminal_wait_text(t, "row 8/"));
	terminal_type(t, "2[d");
	ck_assert(terminal_wait_text(t, "row 2/"));
	terminal_type(t, ":diff hidden/log_x " OLD_RUN " --atol 0.9\r");
	ck_assert(terminal_wait_text(t, "2 of 32 elements differ"));
	into_view(t, "cell [");
	terminal_type(t, "g]d");
	ck_assert(terminal_wait_text(t, "cell [2,"));
	terminal_type(t, "]d");
	ck_assert(terminal_wait_text(t, "cell [6,"));
	terminal_type(t, "]d");
	ck_assert(terminal_wait_text(t, "Search went on from the top"));
	terminal_type(t, ":lt\r");
	ck_assert(terminal_wait_text(t, "dumped tensor(s)"));
	into_view(t, " row ");
	terminal_type(t, "]d");
	ck_assert(terminal_wait_text(t, "No difference here"));
	terminal_type(t, ":exit\r");
	ck_assert(terminal_wait_end(t, NULL));
	terminal_free(t);
	str_release(&home);
}
END_TEST

SUITE_MAIN("diff",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, as_numpy_has_it);
	tcase_add_loop_test(t, exit_status_tells, 0, N_STATUSES);
	tcase_add_test(t, differences_end_no_script);
	tcase_add_loop_test(t, answers_to_made_runs, 0, N_ANSWERS);
	tcase_add_test(t, grid_shows_the_first_difference);
	tcase_add_test(t, every_tensor_is_like_itself);
	tcase_add_loop_test(t, rows_lead_to_their_tensor, 0, N_LINKS);
	tcase_add_loop_test(t, cells_that_differ_are_marked, 0, N_MARKS);
	tcase_add_test(t, keys_go_to_differences);
)
