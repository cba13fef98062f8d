/*
 * What tfprof answered, asked of this program: every
 * testdata/profile/MODEL/tfprof[_parts|_nostream]/NN.cmd is one run in an empty directory. NN.out
 * is standard output, NN.err the end of standard error, NN.file.NAME a file that was written,
 * NN.options the options that tfprof dumps.
 */
#include "tests/suite.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tests/program.h"
#include "tests/small_pprof.h"

static glob_t goldens;

struct golden {
	char model[PATH_MAX], part[PATH_MAX], base[PATH_MAX];    /* base: without .cmd */
	struct str command;
};

static void golden_open(struct golden *golden, const char *path)
{
	char real[PATH_MAX], *slash;

	*golden = (struct golden){0};
	ck_assert_ptr_nonnull(realpath(path, real));
	real[strlen(real) - strlen(".cmd")] = '\0';
	snprintf(golden->base, sizeof golden->base, "%s", real);
	slash = strrchr(real, '/');
	*slash = '\0';
	slash = strrchr(real, '/');
	snprintf(golden->part, sizeof golden->part, "%s", slash + 1);
	*slash = '\0';
	snprintf(golden->model, sizeof golden->model, "%s", real);
	ck_assert(read_whole(path, &golden->command));
	while (golden->command.len && golden->command.text[golden->command.len - 1] == '\n')
		str_cut(&golden->command, golden->command.len - 1);
}

static void run_golden(const struct golden *golden, const char *dir, struct program_run *ran)
{
	struct str line = {0}, graph = {0}, steps = {0}, log = {0}, context = {0};
	bool nostream = strstr(golden->part, "nostream");

	str_fmt(&line, "tfprof %s", golden->command.text);
	str_fmt(&graph, "--graph=%s/graph.pb", golden->model);
	str_fmt(&steps, "--run-metadata=%s/run_metadata%s.pb", golden->model,
	        nostream ? "_nostream" : "");
	str_fmt(&log, "--op-log=%s/op_log.pb", golden->model);
	str_fmt(&context, "%s/profile.context", golden->model);
	if (!strcmp(golden->part, "tfprof"))
		program_run((const char *const[]){ program_path(), "-c", line.text, context.text,
		                                   NULL }, dir, NULL, ran);
	else
		program_run((const char *const[]){ program_path(), "-c", line.text, graph.text,
		                                   steps.text, log.text, NULL },
		            dir, NULL, ran);
	str_release(&line);
	str_release(&graph);
	str_release(&steps);
	str_release(&log);
	str_release(&context);
}

/* Blocks of an advice, which come in any order: lines of each together, empty ones left out. */
static size_t cut_blocks(char *text, const char **block, size_t max)
{
	size_t n = 0;

	for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
		bool name = end > at && end[-1] == ':' && n < max;

		if (name || (!n && end > at))
			block[n++] = at;
	}
	for (char *c = text; *c; c++)
		if (*c == '\n' && (c[1] == '\n' || !c[1]))
			*c = ' ';
	return n;
}

static bool same_advice(const char *want, const char *got)
{
	char *a = strdup(want), *b = strdup(got);
	const char *wanted[8], *given[8];
	size_t n = cut_blocks(a, wanted, 8), m = cut_blocks(b, given, 8), same = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++) {
			size_t x = i + 1 < n && wanted[i + 1] > wanted[i]
			           ? (size_t)(wanted[i + 1] - wanted[i]) : strlen(wanted[i]);
			size_t y = k + 1 < m && given[k + 1] > given[k]
			           ? (size_t)(given[k + 1] - given[k]) : strlen(given[k]);

			while (x && strchr(" \n", wanted[i][x - 1]))
				x--;
			while (y && strchr(" \n", given[k][y - 1]))
				y--;
			same += x == y && !memcmp(wanted[i], given[k], x);
		}
	free(a);
	free(b);
	return n == m && same == n;
}

static void check_out(const struct golden *golden, const struct program_run *ran)
{
	struct str want = {0}, path = {0};
	bool same;

	str_fmt(&path, "%s.out", golden->base);
	ck_assert(read_whole(path.text, &want));
	same = !strncmp(golden->command.text, "advise", 6)
	       ? same_advice(str_text(&want), str_text(&ran->out))
	       : want.len == ran->out.len &&
	       !memcmp(str_text(&want), str_text(&ran->out), want.len);
	ck_assert_msg(same, "%s: %s: printed\n%.2000s\nfor\n%.2000s", golden->base,
	              golden->command.text, str_text(&ran->out), str_text(&want));
	str_release(&want);
	str_release(&path);
}

/* Errors end standard error and make the command fail; a note does not. */
static void check_err(const struct golden *golden, const struct program_run *ran)
{
	struct str want = {0}, path = {0};
	bool has, is_note;

	str_fmt(&path, "%s.err", golden->base);
	has = read_whole(path.text, &want);
	while (want.len && want.text[want.len - 1] == '\n')
		str_cut(&want, want.len - 1);
	is_note = has && !strncmp(str_text(&want), "Note:", 5);
	ck_assert_msg(ran->status == (has && !is_note), "%s: status %d", golden->base, ran->status);
	if (has)
		ck_assert_msg(ran->err.len > want.len &&
		              !memcmp(ran->err.text + ran->err.len - want.len - 1, want.text,
		                      want.len),
		              "%s: %s\nfor\n%s", golden->base, str_text(&ran->err), want.text);
	str_release(&want);
	str_release(&path);
}

static void check_files(const struct golden *golden, const char *dir)
{
	struct str pattern = {0};
	glob_t files;

	str_fmt(&pattern, "%s.file.*", golden->base);
	if (glob(pattern.text, 0, NULL, &files)) {
		str_release(&pattern);
		return;
	}
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *name = strstr(files.gl_pathv[i], ".file.") + strlen(".file.");
		struct str path = {0}, want = {0}, got = {0};

		str_fmt(&path, "%s/%s", dir, name);
		ck_assert_msg(read_whole(path.text, &got), "%s is not written", path.text);
		ck_assert(read_whole(files.gl_pathv[i], &want));
		if (strstr(name, ".gz")) {
			pprof_as_text(&want);
			pprof_as_text(&got);
		}
		ck_assert_msg(want.len == got.len &&
		              !memcmp(str_text(&want), str_text(&got), want.len),
		              "%s differs:\n%.1000s\nfor\n%.1000s", files.gl_pathv[i],
		              str_text(&got), str_text(&want));
		str_release(&path);
		str_release(&want);
		str_release(&got);
	}
	globfree(&files);
	str_release(&pattern);
}

START_TEST(answers_as_tfprof_did)
{
	struct golden golden;
	struct program_run ran;
	char *dir = scratch_new();

	golden_open(&golden, goldens.gl_pathv[_i]);
	run_golden(&golden, dir, &ran);
	check_out(&golden, &ran);
	check_err(&golden, &ran);
	check_files(&golden, dir);
	program_release(&ran);
	str_release(&golden.command);
	scratch_remove(dir);
}
END_TEST

/* `tfprof` alone prints the options that `tfprof set` left: NN.options, after those of NN.cmd. */
static const char *const dumped[] = { "00", "06" };

START_TEST(dumps_the_options)
{
	struct str command = {0}, want = {0}, path = {0}, set = {0};
	struct program_run ran;

	str_fmt(&path, "testdata/profile/linear/tfprof/%s.cmd", dumped[_i]);
	ck_assert(read_whole(path.text, &command));
	str_cut(&command, strcspn(command.text, "\n"));
	str_fmt(&set, "tfprof set%s", command.text + strcspn(command.text, " "));
	str_reset(&path);
	str_fmt(&path, "testdata/profile/linear/tfprof/%s.options", dumped[_i]);
	ck_assert(read_whole(path.text, &want));
	/* the API ends the dump with an empty line */
	while (want.len > 1 && want.text[want.len - 2] == '\n')
		str_cut(&want, want.len - 1);
	program_run((const char *const[]){ program_path(), "-c", set.text, "-c", "tfprof",
	                                   "testdata/profile/linear/profile.context", NULL }, NULL,
	                                   NULL, &ran);
	ck_assert_str_eq(str_text(&ran.out), str_text(&want));
	ck_assert_int_eq(ran.status, 0);
	program_release(&ran);
	str_release(&command);
	str_release(&want);
	str_release(&path);
	str_release(&set);
}
END_TEST

static void find_goldens(void)
{
	glob("testdata/profile/*/tfprof*/*.cmd", 0, NULL, &goldens);
}

SUITE_MAIN("tfprof_golden",
	find_goldens();
	tcase_add_loop_test(t, answers_as_tfprof_did, 0, (int)goldens.gl_pathc);
	tcase_add_loop_test(t, dumps_the_options, 0, 2);
)
