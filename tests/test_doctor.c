/*
 * What is wrong with a dump: each word that there is, on a dump that has just that; and that the
 * counts are those of other commands.
 */
#include "cmds/overview/findings.h"

#include <string.h>

#include "tests/message.h"
#include "tests/program.h"
#include "tests/program_files.h"
#include "tests/small_dump.h"
#include "tests/suite.h"
#include "tests/word_dump.h"

#define LINEAR "cp -r testdata/linear \"$0/d\"; cd \"$0\"/d/*device*; "
#define LAST "last=$(find . -name '*_DebugIdentity_*' | sed 's,.*_\\(.*\\),\\1 &,' | sort | " \
             "sed 's,.* ,,' | tail -n 1); "

/* A recording, or what sh does to make one of it at $0/d. */
static const struct {
	const char *path, *made;
	enum finding_what what;
	const char *cause;
	enum finding_level level;
	size_t n;                /* so many of them */
} samples[] = {
	{ "testdata/damaged_tensors", NULL, FINDING_TRUNCATED, NULL, LEVEL_DAMAGE, 2 },
	{ "testdata/damaged_tensors", NULL, FINDING_NOT_AN_EVENT, NULL, LEVEL_DAMAGE, 2 },
	{ "testdata/damaged_tensors", NULL, FINDING_EMPTY, NULL, LEVEL_LOSS, 1 },
	{ NULL, LINEAR "for graph in _tfdbg_graph*; do head -c 2000 $graph >g && mv g $graph; done",
	  FINDING_TRUNCATED, NULL, LEVEL_DAMAGE, 1 },
	{ NULL, LINEAR ": >loss/sq_0_DebugIdentity_1795219542613819", FINDING_EMPTY, NULL,
	  LEVEL_LOSS, 1 },
	{ NULL, "mkdir -p \"$0/d/run_1795219542556263_0\" && "
	        "cp -r testdata/session/*_2 \"$0/d/run_1795219542642410_2\"",
	  FINDING_EMPTY, NULL, LEVEL_LOSS, 1 },
	{ "testdata/v2/while_overflow", NULL, FINDING_UNREADABLE, NULL, LEVEL_DAMAGE, 3 },
	{ NULL, LINEAR "echo >notes.txt", FINDING_STRANGER, NULL, LEVEL_DOUBT, 1 },
	{ "testdata/runs/mixed", NULL, FINDING_PARTIAL_RUN, NULL, LEVEL_LOSS, 1 },
	{ "testdata/runs/mixed", NULL, FINDING_MISSING_TENSOR, "run_failed", LEVEL_LOSS, 2 },
	{ "testdata/runs/hooks", NULL, FINDING_MISSING_TENSOR, "not_taken", LEVEL_NOTE, 12 },
	{ NULL, LINEAR "rm linear/xw_*", FINDING_MISSING_TENSOR, "unknown", LEVEL_LOSS, 1 },
	{ NULL, LINEAR LAST "rm \"$last\"; " LAST ": >\"$last\"", FINDING_MISSING_TENSOR,
	  "disk_full", LEVEL_LOSS, 1 },
	{ NULL, LINEAR "rm _tfdbg_graph*", FINDING_RUN_WITHOUT_GRAPH, NULL, LEVEL_LOSS, 1 },
	{ NULL, LINEAR "find . -name '*_DebugIdentity_*' -exec rm {} +; rm ../*core*",
	  FINDING_GRAPH_WITHOUT_RUN, NULL, LEVEL_DOUBT, 1 },
	{ "testdata/v2/crash_circular", NULL, FINDING_GRAPH_WITHOUT_RUN, NULL, LEVEL_DOUBT, 1 },
	{ "testdata/workers", NULL, FINDING_MIXED_WRITERS, NULL, LEVEL_DOUBT, 1 },
	{ NULL, "mkdir \"$0/d\"; cp -r testdata/linear \"$0/d/run_1700000000000000_0\"; "
	        "cp -r testdata/linear \"$0/d/run_1795219542604784_1\"",
	  FINDING_CLOCK, NULL, LEVEL_DOUBT, 1 },
	{ NULL, "mkdir \"$0/d\"; cp -r testdata/session/*_0 \"$0/d/run_1795219542642410_1\"; "
	        "cp -r testdata/session/*_2 \"$0/d/run_1795219542642409_0\"",
	  FINDING_CLOCK, NULL, LEVEL_DOUBT, 1 },
	{ NULL, LINEAR "echo '[{\"what\": \"a\", \"why\": \"b\"}]' >../left_out.json",
	  FINDING_LEFT_OUT, NULL, LEVEL_LOSS, 1 },
	{ "testdata/v2/circular", NULL, FINDING_WINDOW, NULL, LEVEL_LOSS, 1 },
	{ NULL, "cp -r testdata/v2/nested \"$0/d\"; cd \"$0/d\"; set -- *.execution; "
	        "head -c 10679 \"$1\" >half && mv half \"$1\"",
	  FINDING_PARTIAL_RUN, NULL, LEVEL_LOSS, 1 },
	{ NULL, "cp -r testdata/v2/nested \"$0/d\"; cd \"$0/d\"; set -- *.execution; "
	        "head -c 10679 \"$1\" >half && mv half \"$1\"",
	  FINDING_WINDOW, NULL, LEVEL_LOSS, 0 },
	{ "testdata/v2/while_overflow", NULL, FINDING_UNRESOLVED, NULL, LEVEL_DOUBT, 21 },
	{ "testdata/v2/nested", NULL, FINDING_NO_VALUES, NULL, LEVEL_NOTE, 1 },
	{ NULL, "cp -r testdata/linear \"$0/d\"; cd \"$0/d\"; find . -name '*_DebugIdentity_*' | "
	        "while read -r f; do mv $f $(echo $f | sed s/DebugIdentity/Own/); done",
	  FINDING_NO_HEALTH, NULL, LEVEL_NOTE, 1 },
	{ "testdata/arrays", NULL, FINDING_VERSION, NULL, LEVEL_NOTE, 2 },
};

static void look(struct shell *shell, struct findings *f)
{
	struct err err = {0};

	findings_of_root(f, shell);
	for (size_t i = 0; shell->runs && i < shell->runs->list.len; i++)
		ck_assert(findings_of_run(f, shell, shell->runs->list.at[i], NULL, NULL, &err));
	if (shell->programs)
		ck_assert(findings_of_program(f, shell, 0, NULL, &err));
	findings_sort(f);
}

static size_t count(const struct findings *f, enum finding_what what)
{
	size_t n = 0;

	for (size_t i = 0; i < f->list.len; i++)
		n += f->list.at[i].what == what;
	return n;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void make(const char *with, const char *dir)
{
	struct program_run ran;

	program_run((const char *[]){ "sh", "-ec", with, dir, NULL }, NULL, NULL, &ran);
	ck_assert_msg(ran.status == 0, "%s", str_text(&ran.err));
	program_release(&ran);
}

START_TEST(every_word_is_found)
{
	char *dir = scratch_new();
	struct findings f = {0};
	struct str path = {0};
	struct shell *shell;
	size_t n = 0;

	str_fmt(&path, "%s/d", dir);
	if (samples[_i].made)
		make(samples[_i].made, dir);
	shell = session_of(samples[_i].made ? path.text : samples[_i].path);
	look(shell, &f);
	for (size_t i = 0; i < f.list.len; i++) {
		const struct finding *one = &f.list.at[i];

		ck_assert(*one->text && *one->cure && one->link && *one->link);
		if (one->what != samples[_i].what || !same_text(one->cause, samples[_i].cause))
			continue;
		ck_assert_int_eq(one->level, samples[_i].level);
		n++;
	}
	ck_assert_msg(n == samples[_i].n, "%zu findings \"%s\" in sample %d", n,
	              finding_words[samples[_i].what], _i);
	findings_release(&f);
	shell_free(shell);
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

/* A word that no sample has would be a word that nothing tests. */
START_TEST(no_word_is_left_out)
{
	static const enum finding_what elsewhere[] = {
		FINDING_CHECKSUM, FINDING_CAUSALITY, FINDING_UNKNOWN_NODE,
		FINDING_MISSING_SHARDS,
	};

	for (int what = 0; what < N_FINDINGS; what++) {
		bool has = false;

		for (size_t i = 0; i < ROWS(samples); i++)
			has |= (int)samples[i].what == what;
		for (size_t i = 0; i < ROWS(elsewhere); i++)
			has |= (int)elsewhere[i] == what;
		ck_assert_msg(has, "%s", finding_words[what]);
	}
}
END_TEST

START_TEST(what_is_whole_is_fine)
{
	static const char *const whole[] = {
		"testdata/linear", "testdata/mnist_nan", "testdata/train20",
		"testdata/two_devices", "testdata/v2/dtypes_full",
	};

	for (size_t i = 0; i < ROWS(whole); i++) {
		struct shell *shell = session_of(whole[i]);
		struct findings f = {0};

		look(shell, &f);
		ck_assert_msg(!f.list.len, "%s: %s", whole[i], f.list.len ? f.list.at[0].text : "");
		ck_assert_uint_gt(f.files, 0);
		ck_assert_uint_gt(f.tensors, 0);
		findings_release(&f);
		shell_free(shell);
	}
}
END_TEST

/* Warnings have the first on each device. */
START_TEST(a_comparison_with_the_graph_goes_on)
{
	char *dir = scratch_new();
	struct findings f = {0};
	struct shell *shell;

	word_dump_make(dir, "a Const; b Neg a; c Neg b; d Neg c",
	               "d:0@1=1 c:0@2=1 a:0@3=1 b:0@4=1 x:0@5=1 y:0@6=1 y:0@7=1");
	shell = session_of(dir);
	look(shell, &f);
	ck_assert_uint_eq(count(&f, FINDING_UNKNOWN_NODE), 2);
	ck_assert_uint_eq(count(&f, FINDING_CAUSALITY), 2);
	ck_assert_ptr_nonnull(strstr(f.list.at[0].file, "/x_0_DebugIdentity_5"));
	findings_release(&f);
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

START_TEST(a_program_that_was_spoiled)
{
	struct findings f = {0};
	struct shell *shell;
	struct str m = {0};

	make_scratch();
	put_small();
	str_reset(&files[PROGRAM_FILE_METADATA]);
	put_word(&m, 1, "2.15.0");
	put_word(&m, 2, "debug.Event:2");
	put_what(PROGRAM_FILE_METADATA, 1, METADATA, &m);
	files[PROGRAM_FILE_EXECUTION].text[files[PROGRAM_FILE_EXECUTION].len - 6] ^= 1;
	write_set("1.host");
	shell = session_of(scratch);
	look(shell, &f);
	ck_assert_uint_eq(count(&f, FINDING_CHECKSUM), 1);
	ck_assert_uint_eq(count(&f, FINDING_VERSION), 1);
	ck_assert_uint_eq(count(&f, FINDING_UNRESOLVED),
	                  shell->program->unresolved.graphs + shell->program->unresolved.ops +
	                  shell->program->unresolved.frames + shell->program->unresolved.sources);
	findings_release(&f);
	shell_free(shell);
	str_release(&m);
	remove_scratch();
}
END_TEST

/* As many as `W` and `ri` tell. */
START_TEST(counts_are_those_of_warnings)
{
	static const char *const paths[] = {
		"testdata/v2/while_overflow", "testdata/v2/remote", "testdata/workers",
		"testdata/arrays", "testdata/acausal",
	};

	for (size_t i = 0; i < ROWS(paths); i++) {
		struct shell *shell = session_of(paths[i]);
		struct findings f = {0};
		size_t n = 0;

		shell_validate(shell, NULL, NULL);
		shell_take_findings(shell, true);
		look(shell, &f);
		for (size_t k = 0; k < f.list.len; k++)
			n += f.list.at[k].what != FINDING_UNRESOLVED &&
			     f.list.at[k].what != FINDING_WINDOW &&
			     f.list.at[k].what != FINDING_PARTIAL_RUN &&
			     f.list.at[k].what != FINDING_MISSING_TENSOR &&
			     (shell->runs || f.list.at[k].level != LEVEL_NOTE);
		ck_assert_msg(n == shell_warnings(shell), "%s: %zu, warnings %zu", paths[i], n,
		              shell_warnings(shell));
		findings_release(&f);
		shell_free(shell);
	}
}
END_TEST

static int status_of(const char *path)
{
	struct program_run ran;
	int status;

	program_run((const char *[]){ program_path(), "-c", "doctor --exit-code", path, NULL },
	            NULL, NULL, &ran);
	status = ran.status;
	program_release(&ran);
	return status;
}

START_TEST(the_exit_status_tells)
{
	ck_assert_int_eq(status_of("testdata/damaged_tensors"), 1);
	ck_assert_int_eq(status_of("testdata/runs/mixed"), 1);   /* nothing but loss */
	ck_assert_int_eq(status_of("testdata/linear"), 0);
	ck_assert_int_eq(status_of("testdata/runs/hooks"), 0);   /* notes */
	ck_assert_int_eq(status_of("testdata/workers"), 0);      /* a doubt */
}
END_TEST

START_TEST(the_worst_is_first)
{
	struct shell *shell = session_of("testdata/damaged_tensors");
	struct findings f = {0};

	look(shell, &f);
	for (size_t i = 1; i < f.list.len; i++) {
		const struct finding *a = &f.list.at[i - 1], *b = &f.list.at[i];

		ck_assert(a->level < b->level || (a->level == b->level && a->order < b->order));
	}
	ck_assert_uint_eq(f.count[LEVEL_DAMAGE], 4);
	findings_release(&f);
	shell_free(shell);
}
END_TEST

/* A dump in which nothing watched linear/xw, and the graph of its program. */
#define UNWATCHED LINEAR "rm linear/xw_*; for graph in _tfdbg_graph*; do " \
                  "sed s,__dbg_linear/xw,__dbx_linear/xw, $graph >g && mv g $graph; done; " \
                  "for node in 'loss/sq Square' 'linear/xw MatMul' 'linear/fused BiasAdd' " \
                  "'train NoOp' 'init NoOp'; do set -- \"$0\" $node; " \
                  "echo \"node { name: '$2' op: '$3' }\"; done >\"$0/graph.pbtxt\""

START_TEST(against_the_programs_graph)
{
	char *dir = scratch_new();
	struct str option = {0}, path = {0};
	struct program_run ran;

	make(UNWATCHED, dir);
	str_fmt(&option, "--graph=%s/graph.pbtxt", dir);
	str_fmt(&path, "%s/d", dir);
	program_run((const char *[]){ program_path(), "--format=csv", "-c", "doctor", option.text,
	                              path.text, NULL }, NULL, NULL, &ran);
	ck_assert_str_eq(str_text(&ran.out),
	                 "level,what,file,offset,text,cure,run,cause\n"
	                 "note,missing_tensor,.,,no dump (filtered) of linear/xw,"
	                 "record with a filter that lets it through,1,filtered\n"
	                 "note,missing_tensor,.,,no dump (optimised_away) of linear/fused,"
	                 "\"nothing: it was folded, fused or not needed before it ran\",1,"
	                 "optimised_away\n");
	program_release(&ran);
	str_release(&option);
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("doctor",
	tcase_add_loop_test(t, every_word_is_found, 0, ROWS(samples));
	tcase_add_test(t, no_word_is_left_out);
	tcase_add_test(t, what_is_whole_is_fine);
	tcase_add_test(t, a_comparison_with_the_graph_goes_on);
	tcase_add_test(t, a_program_that_was_spoiled);
	tcase_add_test(t, counts_are_those_of_warnings);
	tcase_add_test(t, the_exit_status_tells);
	tcase_add_test(t, the_worst_is_first);
	tcase_add_test(t, against_the_programs_graph);)
