/* Stepping through runs: where a line of commands leads, and what is read on the way. */
#include "tests/suite.h"

#include <string.h>
#include <unistd.h>

#include "cmds/session/position.h"
#include "cmds/session/suggest.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define INC "inc_v"

/*
 * The stop sequences that tfdbg's own tests prove, turned into positions: a root of so many runs,
 * the commands, where each leads; "!" if it has to fail. In run k v is k + 8, and the op that makes
 * it, inc_v, puts out what v becomes: k + 9.
 */
static const struct { size_t runs; const char *commands[4], *stops; } walks[] = {
	{ 2, { "run", "run" }, "1 2" },
	{ 2, { "run", "run", "run" }, "1 2 2!" },
	{ 4, { "run -n", "run -n", "run -n" }, "1 2 3" },
	{ 4, { "run -n", "run --no_debug", "run" }, "1 2 3" },
	{ 3, { "run -t 3" }, "3" },
	{ 2, { "run -t 3" }, "0!" },
	{ 4, { "run -n", "run -t 2", "run" }, "1 3 4" },
	{ 5, { "run -f big", "run -f big" }, "4 5" },
	{ 5, { "run -f big", "run -f big", "run -f big" }, "4 5 5!" },
	{ 5, { "run -f bigger" }, "3" },
	{ 5, { "run -f bigger -fenn " INC ".*" }, "4" },
	{ 5, { "run -f bigger --node_name_filter v$" }, "4" },
	{ 5, { "run -t 5 -f big", "back", "run -f big --backward" }, "5 4 4!" },
	{ 5, { "run --last", "run -f big --backward", "run -f big --backward" }, "5 4 4!" },
	{ 4, { "run -t 0", "run -t -3", "r -t1" }, "1 2 3" },
	{ 4, { "run -t3 -n", "run --times=2" }, "1 3" },
	{ 4, { "run --last", "run -b2", "run --back", "back 1" }, "4 2 1 0" },
	{ 4, { "run --to 3", "run --first", "run --to run_4", "back 9" }, "3 1 4 0" },
	{ 4, { "run --to 5", "run --to run_", "run --to x", "run --to 0" }, "0! 0! 0! 0" },
	{ 5, { "run --till big", "run --fi " INC, "run --no" }, "4 4! 4!" },
	{ 4, { "run -p -t 2", "run -f nothing", "run -f big -n", "run -fenn x" }, "0! 0! 0! 0!" },
	{ 4, { "lt", "pt v:0", "ni v", "ev 1+1" }, "0! 0! 0! 0!" },
	{ 4, { "run -n", "lt", "back", "lt" }, "1 1 0 0!" },
	{ 1, { "lt", "run", "back", "run --to 1" }, "1 1! 1! 1" },
};

static char *root;

/* A tensor of one float: "NAME_0_DebugIdentity_TIME". */
static void put_float(size_t run, const char *name, float value)
{
	struct str path = {0}, tensor = {0}, event = {0};

	str_fmt(&path, "run_%zu_%zu/" SMALL_DEVICE "/%s_0_DebugIdentity_%zu", run, run - 1, name,
	        100 * run);
	put_tensor_head(&tensor, 1, 0, NULL);
	put_bytes(&tensor, 4, &value, sizeof value);
	put_event(&event, &tensor);
	dump_put(root, path.text, event.text, event.len);
	str_release(&path);
	str_release(&tensor);
	str_release(&event);
}

static void make_runs(size_t n)
{
	for (size_t i = 1; i <= n; i++) {
		put_float(i, "v", (float)i + 8.5f);
		put_float(i, INC, (float)i + 9.5f);
	}
}

static void setup(void)
{
	root = scratch_new();
}

static void teardown(void)
{
	scratch_remove(root);
}

static struct shell *session(void)
{
	struct shell *shell = session_of(root);
	struct str out = {0};

	ck_assert(session_ask(shell, "filter add big 'max > 12 && node == \"v\"' --session", &out));
	ck_assert(session_ask(shell, "filter add bigger 'max > 12' --session", &out));
	str_release(&out);
	return shell;
}

START_TEST(commands_lead_to_runs)
{
	struct str out = {0}, stops = {0};
	struct shell *shell;

	make_runs(walks[_i].runs);
	shell = session();
	for (size_t i = 0; i < 4 && walks[_i].commands[i]; i++) {
		bool ok = session_ask(shell, walks[_i].commands[i], &out);

		str_fmt(&stops, "%s%zu%s", i ? " " : "", position_number(shell), ok ? "" : "!");
	}
	ck_assert_str_eq(str_text(&stops), walks[_i].stops);
	shell_free(shell);
	str_release(&out);
	str_release(&stops);
}
END_TEST

static void check_title(struct shell *shell, const char *line, const char *wanted,
                        enum title_look look)
{
	struct answer answer;

	shell_run(shell, line, 0, NULL, &answer);
	ck_assert_str_eq(doc_title(answer.doc)->text, wanted);
	ck_assert_int_eq(doc_title(answer.doc)->look, look);
	answer_release(&answer);
}

START_TEST(titles_say_where)
{
	struct shell *shell = session_of("testdata/runs/mixed");

	ck_assert_str_eq(shell_title(shell),
	                 "run-start: run #1: 1 fetch (layer/prod:0); 1 feed (layer/a:0)");
	ck_assert_str_eq(shell_first_command(shell), "run_info");
	check_title(shell, "ri", "run-start: run #1: 1 fetch (layer/prod:0); 1 feed (layer/a:0)",
	            TITLE_START);
	check_title(shell, "run -f has_inf_or_nan",
	            "run-end: run #2: 2 fetches; 1 feed (layer/a:0)", TITLE_ALARM);
	check_title(shell, "run -n",
	            "run (not indexed): run #3: 1 fetch (layer/prod:0); 1 feed (layer/a:0)",
	            TITLE_PLAIN);
	check_title(shell, "lt", "run-end: run #3: 1 fetch (layer/prod:0); 1 feed (layer/a:0)",
	            TITLE_PLAIN);
	check_title(shell, "run --to 8 --node_name_filter layer/p.*",
	            "run-end: run #8: 2 fetches; 1 feed (layer/a:0); filtered: 1 of 10 tensors",
	            TITLE_PLAIN);
	check_title(shell, "ri --all", "run-end: run #8: 2 fetches; 1 feed (layer/a:0)",
	            TITLE_PLAIN);
	check_title(shell, "run --to 11", "run-end: runner from make_callable()", TITLE_PLAIN);
	check_title(shell, "run --till-partial", "run-end: run #13: 1 fetch (after_bad:0); 2 feeds",
	            TITLE_ALARM);
	shell_free(shell);
}
END_TEST

/* What an answer is about stays readable after its run is left, and leads back there. */
START_TEST(an_answer_keeps_its_run)
{
	struct str out = {0};
	struct answer answer;
	struct shell *shell;

	make_runs(12);
	shell = session();
	ck_assert(session_ask(shell, "run", &out));
	shell_run(shell, "lt", 0, NULL, &answer);
	for (int i = 0; i < 10; i++)
		ck_assert(session_ask(shell, "run", &out));
	ck_assert_uint_eq(position_number(shell), 11);
	ck_assert_uint_eq(doc_rows(answer.doc), 5);
	shell_stand_at(shell, doc_title(answer.doc)->about);
	ck_assert_uint_eq(position_number(shell), 1);
	ck_assert(session_ask(shell, "pt v:0 -D CPU:0", &out));
	ck_assert(strstr(out.text, "9.5"));
	answer_release(&answer);
	shell_free(shell);
	str_release(&out);
}
END_TEST

static void remove_run(size_t i)
{
	struct str path = {0};
	struct program_run ran;

	str_fmt(&path, "%s/run_%zu_%zu", root, i, i - 1);
	program_run((const char *[]){ "rm", "-r", path.text, NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	program_release(&ran);
	str_release(&path);
}

START_TEST(says_when_a_run_is_gone)
{
	struct str out = {0};
	struct shell *shell;

	make_runs(3);
	shell = session();
	ck_assert(session_ask(shell, "run", &out));
	remove_run(1);
	remove_run(2);
	ck_assert(!session_ask(shell, "run", &out));
	ck_assert_str_eq(out.text,
	                 "Run #2 has been deleted (by the program?). Loaded screens stay "
	                 "readable.\n");
	ck_assert_uint_eq(position_number(shell), 1);
	ck_assert(session_ask(shell, "lt", &out));
	ck_assert(!session_ask(shell, "run -f big", &out));
	ck_assert(strstr(out.text,
	                 "No tensor passed big in runs #2-#3 (2 runs, 2 tensors, 0 unreadable)."));
	ck_assert(strstr(out.text, "Run #2 could not be read: "));
	shell_free(shell);
	str_release(&out);
}
END_TEST

/* A search goes on behind a run that it can't read: it says which one, and why; the status is 1. */
START_TEST(a_search_tells_what_it_passed_over)
{
	static const char *const lines[] = { "run -f big", "runs -f big" };

	for (size_t i = 0; i < ROWS(lines); i++) {
		struct answer answer;
		struct shell *shell;

		make_runs(4);
		shell = session();

		remove_run(2);
		shell_run(shell, lines[i], 0, NULL, &answer);
		ck_assert(!answer.failed);
		ck_assert_int_eq(answer.status, 1);
		ck_assert_uint_eq(doc_warnings(answer.doc), 1);
		ck_assert_msg(strstr(doc_warning(answer.doc, 0), "Run #2 could not be read: /") &&
		              strstr(doc_warning(answer.doc, 0), "No such file or directory"),
		              "%s", doc_warning(answer.doc, 0));
		answer_release(&answer);
		shell_free(shell);
	}
}
END_TEST

static void cancel_at_once(struct progress *progress)
{
	atomic_store(&progress->cancel, true);
}

START_TEST(a_search_can_be_stopped)
{
	struct progress progress = { .tick = cancel_at_once };
	struct answer answer;
	struct shell *shell;

	make_runs(5);
	shell = session();
	shell_run(shell, "run -f big", 0, &progress, &answer);
	ck_assert(answer.failed);
	ck_assert_msg(strstr(answer.error.text, "Stopped."), "%s", answer.error.text);
	ck_assert_uint_lt(position_number(shell), 4);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

/* A run that is open stays as it was opened, whatever a search finds in its place. */
START_TEST(a_search_stops_at_a_run_that_has_changed)
{
	struct str out = {0};
	struct shell *shell;

	make_runs(4);
	for (int i = 0; i < 40; i++) {
		str_reset(&out);
		str_fmt(&out, "other_%d", i);
		put_float(4, out.text, 0);
	}
	shell = session();
	ck_assert(session_ask(shell, "run --last", &out));
	for (int i = 0; i < 40; i++) {
		str_reset(&out);
		str_fmt(&out, "%s/run_4_3/" SMALL_DEVICE "/other_%d_0_DebugIdentity_400", root, i);
		ck_assert_int_eq(unlink(out.text), 0);
	}
	ck_assert(session_ask(shell, "back 3", &out));
	ck_assert(session_ask(shell, "run -f big", &out));
	ck_assert_uint_eq(position_number(shell), 4);
	ck_assert_msg(strstr(out.text, "v:0"), "%s", out.text);
	ck_assert(session_ask(shell, "lt", &out));
	ck_assert_msg(strstr(out.text, "42 dumped tensor(s)"), "%s", out.text);
	shell_free(shell);
	str_release(&out);
}
END_TEST

/* Tensor files of runs that nobody went to were never opened: their access times are old. */
START_TEST(opening_reads_no_tensor_of_another_run)
{
	struct program_run ran;
	struct str trace = {0};

	program_run((const char *[]){ "sh", "-c",
	                              "command -v strace >/dev/null && strace -f -o \"$0/trace\" "
	                              "true", root, NULL }, NULL, NULL, &ran);
	if (ran.status) {
		program_release(&ran);
		return;
	}
	program_release(&ran);
	str_fmt(&trace, "%s/trace", root);
	program_run((const char *[]){ "strace", "-f", "-E", "ASAN_OPTIONS=detect_leaks=0", "-e",
	                              "trace=open,openat", "-o", trace.text, program_path(), "-c",
	                              "ri", "testdata/runs/mixed", NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	program_release(&ran);
	program_run((const char *[]){ "grep", "-c",
	                              "DebugIdentity\\|run_17952185035874\\|_tfdbg_graph",
	                              trace.text, NULL },
	            NULL, NULL, &ran);
	ck_assert_str_eq(str_text(&ran.out), "0\n");
	program_release(&ran);
	str_release(&trace);
}
END_TEST

/* Letters that are swapped are one mistake; a word of one letter is like none, but for its case. */
static const struct { const char *word, *name; bool near; } words[] = {
	{ "tl", "lt", true }, { "xt", "lt", true }, { "tx", "lt", false }, { "l", "k", false },
	{ "l", "L", true }, { "", "k", false }, { "abcd", "abdc", true },
	{ "abcd", "badc", false }, { "abcde", "badce", true }, { "loss", "a/loss", true },
	{ "a", "a/loss", true }, { "loss", "a/loss2", false },
};

START_TEST(words_are_near_names)
{
	struct suggest suggest = { .word = words[_i].word };

	suggest_try(&suggest, words[_i].name);
	ck_assert_msg((suggest.n > 0) == words[_i].near, "%s, %s", words[_i].word, words[_i].name);
}
END_TEST

/* A run is named by its number, its name, or a beginning that no other name has. */
static const struct { const char *line; bool ok; const char *says; } named[] = {
	{ "run --to run_1795218502312451_11", true, NULL },
	{ "run --to run_17952185023124", true, NULL },
	{ "run --to run_17952185023", false, "2 runs begin with \"run_17952185023\"" },
	{ "run --to run_2", false, "There is no run \"run_2\"" },
	{ "run --to 2", true, NULL }, { "run --to 3", false, "There is no run #3: the last is #2" },
};

START_TEST(runs_have_names)
{
	struct shell *shell = session_of("testdata/train20");
	struct str out = {0};

	ck_assert_int_eq(session_ask(shell, named[_i].line, &out), named[_i].ok);
	ck_assert_msg(!named[_i].says || strstr(out.text, named[_i].says), "%s", out.text);
	str_release(&out);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("stepping",
	tcase_add_loop_test(t, runs_have_names, 0, ROWS(named));
	tcase_add_loop_test(t, words_are_near_names, 0, ROWS(words));
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, commands_lead_to_runs, 0, ROWS(walks));
	tcase_add_test(t, titles_say_where);
	tcase_add_test(t, an_answer_keeps_its_run);
	tcase_add_test(t, says_when_a_run_is_gone);
	tcase_add_test(t, a_search_tells_what_it_passed_over);
	tcase_add_test(t, a_search_can_be_stopped);
	tcase_add_test(t, a_search_stops_at_a_run_that_has_changed);
	tcase_add_test(t, opening_reads_no_tensor_of_another_run);
)
