/*
 * What a recorder left out of its recording: left_out.json and left_out_rankN.json in its root are
 * rows of doctor and counted by overview, whatever was recorded, and nothing else changes.
 */
#include <stdio.h>
#include <string.h>

#include "tests/program.h"
#include "tests/suite.h"

#define ENTRY(what, more) "{\"what\": \"" what "\", \"why\": \"a sparse tensor\"" more "}"
#define TWO "[" ENTRY("embed.grad", ", \"count\": 12, \"first_step\": 3") ",\n" \
            ENTRY("int4", ", \"count\": 1, \"first_step\": null") "]"
#define ONE "[" ENTRY("late", ", \"first_step\": 0, \"more\": {\"a\": [1]}") "]"

/* What of a recording is put into "$0/d", the archive of which may be what is opened. */
static const struct { const char *from, *opened; } recordings[] = {
	{ "testdata/linear", "d" }, { "testdata/train20", "d" }, { "testdata/tf0.12.1_loop", "d" },
	{ "testdata/v2/nested", "d" }, { "testdata/recorders/numpy", "d" },
	{ "testdata/recorders/jax", "d" }, { "testdata/recorders/pytorch", "d" },
	{ "testdata/array_files", "d" }, { "testdata/arrays", "d" }, { "testdata/torch", "d" },
	{ "testdata/checkpoint/tf2", "d" }, { "testdata/msprobe/tensor", "d" },
	{ "testdata/profile/linear", "d" }, { "testdata/xspace/jax_step", "d" },
	{ "testdata/recorders/jax", "d.tar" }, { "testdata/linear", "d.tar" },
	{ "testdata/v2/nested", "d.tar" },
};

static void shell(const char *line, const char *const *args)
{
	struct program_run ran;

	program_run((const char *[]){ "sh", "-ec", line, args[0], args[1], args[2], NULL }, NULL,
	            NULL, &ran);
	ck_assert_msg(ran.status == 0, "%s", str_text(&ran.err));
	program_release(&ran);
}

/* What these commands answer and say, one after the other. */
static void ask(const char *dir, const char *opened, const char *format,
                const char *const *commands, struct str *out)
{
	const char *argv[20] = { program_path(), "--keep-going", "--no-cache", format };
	struct str path = {0};
	struct program_run ran;
	int n = 4;

	for (; *commands; commands++) {
		argv[n++] = "-c";
		argv[n++] = *commands;
	}
	str_fmt(&path, "%s/%s", dir, opened);
	argv[n] = path.text;
	program_run(argv, NULL, NULL, &ran);
	str_fmt(out, "%s%s", str_text(&ran.out), str_text(&ran.err));
	ck_assert_int_le(ran.status, 1);
	program_release(&ran);
	str_release(&path);
}

static void pack(const char *dir, const char *opened)
{
	if (strstr(opened, ".tar"))
		shell("cd \"$0\"; tar cf \"$1\" d", (const char *const[]){ dir, opened, NULL });
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

START_TEST(it_is_told_of_every_recording)
{
	static const char *const others[] = { "lt", "runs", "ri", "run 1", "lt", "kernels", NULL };
	const char *opened = recordings[_i].opened;
	char *dir = scratch_new();
	struct str before = {0}, after = {0}, told = {0}, page = {0};

	shell("cp -r \"$1\" \"$0/d\"", (const char *const[]){ dir, recordings[_i].from, NULL });
	pack(dir, opened);
	ask(dir, opened, "--format=text", others, &before);
	shell("printf %s \"$1\" >\"$0/d/left_out.json\"; "
	      "printf %s \"$2\" >\"$0/d/left_out_rank12.json\"",
	      (const char *const[]){ dir, TWO, ONE });
	pack(dir, opened);
	ask(dir, opened, "--format=text", others, &after);
	ck_assert_str_eq(str_text(&after), str_text(&before));
	ask(dir, opened, "--format=csv", (const char *const[]){ "doctor", NULL }, &told);
	ck_assert_msg(strstr(told.text, "loss,left_out,left_out.json,1,"
	                     "\"embed.grad: a sparse tensor (12 times, first in step 3)\","),
	              "%s", told.text);
	ck_assert_ptr_nonnull(strstr(told.text, "left_out.json,81,int4: a sparse tensor,"));
	ck_assert_ptr_nonnull(strstr(told.text, "loss,left_out,left_out_rank12.json,1,"
	                                        "late: a sparse tensor (in step 0),"));
	ck_assert_uint_eq(count(told.text, "loss,left_out,"), 3);
	ask(dir, opened, "--format=json", (const char *const[]){ "overview", NULL }, &page);
	ck_assert_msg(strstr(page.text, "\"left_out\":3"), "%s", page.text);
	str_reset(&page);
	ask(dir, opened, "--format=text", (const char *const[]){ "overview", NULL }, &page);
	ck_assert_msg(strstr(page.text, " cut short, 3 left out by the recorder\n"), "%s",
	              page.text);
	ck_assert_ptr_null(strstr(page.text, "complete"));
	str_release(&before);
	str_release(&after);
	str_release(&told);
	str_release(&page);
	scratch_remove(dir);
}
END_TEST

/* What a file holds, a row of doctor about it, and how many entries come of it. */
static const struct { const char *text, *row; size_t n; } files[] = {
	{ "[]", "Nothing is wrong", 0 },
	{ "", "loss,empty,left_out.json,0,", 0 },
	{ " \n", "damage,truncated,left_out.json,2,a list expected", 0 },
	{ "{}", "damage,not_an_event,left_out.json,0,a list expected", 0 },
	{ "[3]", "damage,not_an_event,left_out.json,1,an object expected", 0 },
	{ "[" ENTRY("a", "") "] x", "left_out.json,42,the end of the file expected", 1 },
	{ "[" ENTRY("a", "") ", {\"what\": \"b", "damage,truncated,left_out.json,53,", 1 },
	{ "[" ENTRY("a", "") ", {\"what\": 1}]", "left_out.json,51,a text in double quotes", 1 },
	{ "[{\"what\": \"a\"}]", "left_out.json,1,\"an entry without \"\"what\"\" or \"\"why", 0 },
	{ "[" ENTRY("a", ", \"count\": \"2\"") "]", ",left_out.json,50,a number expected", 0 },
	{ "[" ENTRY("a", ", \"count\": 1.5") "]", ",left_out.json,50,a whole number expected", 0 },
	{ "[" ENTRY("a", ", \"count\": -1") "]", ",left_out.json,1,an entry whose count is -1", 0 },
	{ "[" ENTRY("a", ", \"count\": 0") "]", ",left_out.json,1,an entry whose count is 0", 0 },
	{ "[" ENTRY("a", ", \"count\": 2") "]", ",left_out.json,1,a: a sparse tensor (2 times),",
	  1 },
	{ "[" ENTRY("a", ", \"first_step\": -1") "]", ",left_out.json,1,a: a sparse tensor,", 1 },
	{ "[" ENTRY("a", ", \"first_step\": []") "]", ",left_out.json,55,a number expected", 0 },
	{ "[" ENTRY("a", ", \"x\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["),
	  "left_out.json,76,nested more than 32 deep", 0 },
	{ "[" ENTRY("a\033[31m", "") "]", "left_out.json,12,an escape for a control character", 0 },
	{ "[" ENTRY("\\u001b[31m\\u0000\\n\\u202e\xff", "") "]",
	  "^[[31m?^J\\u202e\\xff: a sparse tensor", 1 },
};

START_TEST(no_file_breaks_it)
{
	char *dir = scratch_new();
	struct str told = {0}, text = {0};
	const char *row = files[_i].row;
	bool is_text = *row == '^' || *row == 'N';

	shell("cp -r testdata/recorders/numpy \"$0/d\"; printf %s \"$1\" >\"$0/d/left_out.json\"",
	      (const char *const[]){ dir, files[_i].text, NULL });
	ask(dir, "d", "--format=csv", (const char *const[]){ "doctor", NULL }, &told);
	ask(dir, "d", "--format=text", (const char *const[]){ "doctor", "overview", NULL }, &text);
	ck_assert_msg(strstr(is_text ? text.text : told.text, row), "no %s in\n%s%s", row,
	              told.text, text.text);
	ck_assert_uint_eq(count(told.text, "loss,left_out,"), files[_i].n);
	ck_assert_ptr_null(strchr(text.text, '\033'));
	str_release(&told);
	str_release(&text);
	scratch_remove(dir);
}
END_TEST

/* Large ones: texts are cut between two characters, a file that no recorder writes is not read. */
static const struct { const char *made, *row; } large[] = {
	{ "printf '[{\"what\":\"a'; yes é | head -n 9000 | tr -d '\\n'; "
	  "printf '\",\"why\":\"b\"}]'", "é...: b," },
	{ "head -c 16777216 /dev/zero | tr '\\0' ' '", "truncated,left_out.json,16777216,a list" },
	{ "head -c 16777217 /dev/zero",
	  "unreadable,left_out.json,,16777217 bytes: at most 16777216 are read" },
};

START_TEST(no_file_is_too_large)
{
	char *dir = scratch_new();
	struct str told = {0};

	shell("cp -r testdata/recorders/numpy \"$0/d\"; { eval \"$1\"; } >\"$0/d/left_out.json\"",
	      (const char *const[]){ dir, large[_i].made, NULL });
	ask(dir, "d", "--format=csv", (const char *const[]){ "doctor", NULL }, &told);
	ck_assert_msg(strstr(told.text, large[_i].row), "%.200s", told.text);
	ck_assert_uint_lt(told.len, 2000);
	str_release(&told);
	scratch_remove(dir);
}
END_TEST

static int status_of(const char *dir, const char *command)
{
	struct program_run ran;
	struct str path = {0};
	int status;

	str_fmt(&path, "%s/d", dir);
	program_run((const char *[]){ program_path(), "-c", command, path.text, NULL }, NULL, NULL,
	            &ran);
	status = ran.status;
	program_release(&ran);
	str_release(&path);
	return status;
}

/* It is a loss, and no origin, damage or partial run. */
START_TEST(the_exit_status_tells)
{
	char *dir = scratch_new();

	shell("cp -r testdata/linear \"$0/d\"; printf %s \"$1\" >\"$0/d/left_out.json\"",
	      (const char *const[]){ dir, TWO, NULL });
	ck_assert_int_eq(status_of(dir, "doctor"), 0);
	ck_assert_int_eq(status_of(dir, "doctor --exit-code"), 1);
	ck_assert_int_eq(status_of(dir, "overview --exit-code"), 0);
	scratch_remove(dir);
}
END_TEST

/* A summary has it too, of a root beside its runs, and says nothing of it when it is opened. */
START_TEST(a_summary_keeps_it)
{
	static const char *const from[] = {
		"testdata/linear", "testdata/train20", "testdata/v2/nested",
		"testdata/recorders/jax",
	};
	char *dir = scratch_new();
	struct str told = {0}, before = {0}, after = {0};

	shell("cp -r \"$1\" \"$0/d\"", (const char *const[]){ dir, from[_i], NULL });
	shell("\"$1\" summarize \"$0/d\" -o \"$0/before\"; "
	      "printf %s \"$2\" >\"$0/d/left_out.json\"; "
	      "\"$1\" summarize \"$0/d\" -o \"$0/after\"",
	      (const char *const[]){ dir, program_path(), TWO });
	ask(dir, "after", "--format=csv", (const char *const[]){ "doctor", NULL }, &told);
	ck_assert_msg(count(told.text, "loss,left_out,left_out.json,1,\"embed.grad: a") == 1
	              && count(told.text, "loss,left_out,left_out.json,81,int4: a") == 1,
	              "%s", told.text);
	ask(dir, "before", "--format=text", (const char *const[]){ "runs", NULL }, &before);
	ask(dir, "after", "--format=text", (const char *const[]){ "runs", NULL }, &after);
	ck_assert_str_eq(after.text, before.text);
	str_release(&told);
	str_release(&before);
	str_release(&after);
	scratch_remove(dir);
}
END_TEST

/*
 * One step, opened by itself, is of the recording above it: what was left out of that, and where
 * its arrays come from, is found. A recording of one step has the names of one with several. $0 is
 * the program; the recording is rec.
 */
static const struct { const char *line, *has, *has_not; } steps[] = {
	{ "$0 -c doctor rec/step_1", "embed.grad: a sparse tensor (12 times", NULL },
	{ "$0 -c doctor rec/step_1/", "embed.grad: a sparse tensor (12 times", NULL },
	{ "cd rec/step_1; $0 -c doctor", "embed.grad: a sparse tensor (12 times", NULL },
	{ "$0 -c overview rec/step_1", "left_out: ", NULL },
	{ "$0 -c 'explain layer/log' rec/step_1", "line 9 of /demo/walk.py", NULL },
	{ "cd rec/step_1; $0 -c 'explain layer/log'", "line 9 of /demo/walk.py", NULL },
	{ "cp -r rec/step_1 rec/other; $0 -c doctor rec/other", "Nothing is wrong", "embed.grad" },
	{ "$0 -c doctor rec/step_1/layer/x.npy", "Nothing is wrong", "embed.grad" },
	{ "$0 summarize rec/step_1 -o s; $0 -c doctor s", "embed.grad: a sparse tensor (12", NULL },
	{ "rm -r rec/step_3; $0 -c lt rec", "layer/log#2\n", "step_1" },
	{ "rm -r rec/step_3; $0 -c 'ri -o json' rec", "\"step\":1", NULL },
	{ "rm -r rec/step_3 rec/*.json; $0 -c lt rec", "step_1/layer/x\n", NULL },
};

START_TEST(a_step_is_of_its_recording)
{
	char *dir = scratch_new();
	struct program_run ran;
	struct str line = {0};

	str_fmt(&line, "cp -r testdata/recorders/numpy %s/rec; cd %s; printf '%%s' '%s' "
	        ">rec/left_out.json; (%s) 2>&1", dir, dir, TWO, steps[_i].line);
	program_run((const char *[]){ "sh", "-c", line.text, program_path(), NULL }, NULL, NULL,
	            &ran);
	ck_assert_msg(strstr(str_text(&ran.out), steps[_i].has), "%s", str_text(&ran.out));
	ck_assert_msg(!steps[_i].has_not || !strstr(ran.out.text, steps[_i].has_not), "%s",
	              ran.out.text);
	program_release(&ran);
	str_release(&line);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("left_out",
	tcase_add_loop_test(t, a_step_is_of_its_recording, 0, ROWS(steps));
	tcase_add_loop_test(t, it_is_told_of_every_recording, 0, ROWS(recordings));
	tcase_add_loop_test(t, no_file_breaks_it, 0, ROWS(files));
	tcase_add_loop_test(t, no_file_is_too_large, 0, ROWS(large));
	tcase_add_test(t, the_exit_status_tells);
	tcase_add_loop_test(t, a_summary_keeps_it, 0, 4);)
