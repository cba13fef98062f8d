/*
 * What the screen is for, with every key counted: each job is done from the first frame on in so
 * many keys at most, and what it asks for then stands on the screen.
 */
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/suite.h"

/* One key is one byte here: no key with a name is typed. */
static const struct job {
	const char *name, *path;         /* below testdata */
	const char *first;               /* on the first frame */
	size_t most_keys;
	struct press presses[12];
	const char *writes;              /* a file in the current directory; NULL: none */
} jobs[] = {
	{ "where the NaN began, and the value before it", "mnist_nan", "301 dumped tensor", 8,
	  { { "]n", 21, "row 204/301" },
	    { "", ANYWHERE, "◆ [10.148]  2.70k    Log                   cross_entropy/Log:0" },
	    { "o", 1, "ni -a -d -t cross_entropy/Log" }, { "", ANYWHERE, "[Softmax] softmax" },
	    { "\t\r", 1, "ni -a -d -t softmax" },
	    { "v", ANYWHERE, "array([[0.0000000e+00, 6.4236053e-07" } }, NULL },
	{ "the first bad run, and what changed in it", "train20_whole", "20 runs", 8,
	  { { "]n", 21, "row 13/20" }, { "d", 0, "run 13 of 20" }, { "", 1, " ‹ › diff" },
	    { "", ANYWHERE, "● >13 " },
	    { "", ANYWHERE, "First bad: hidden/log_x:0 (1 element(s) differ by NaN or Inf)" },
	    { "", ANYWHERE, "32 tensor(s), 4 same, 28 changed" } }, NULL },
	{ "the slowest kernel, its line, the timeline", "profile/gpu_like/run_metadata.pb",
	  "32.5   32.5  3.057ms", 12,
	  { { "\r", 1, "kernels --group kernel --of " },
	    { "", ANYWHERE, "gradients/block_2/depthwise" },
	    { "O", 1, "ps profile_gpu_like.py --init_line 112" },
	    { "", ANYWHERE, "L112     train = tf.compat.v1.train.MomentumOptimizer(" },
	    { ":ti", 22, ": ti" }, { "\t", 22, ": timeline" }, { " -oT", 22, ": timeline -oT" },
	    { "\r", ANYWHERE, "Timeline written to T." } }, "T" },
};

static size_t count_keys(const struct job *job)
{
	size_t n = 0;

	for (const struct press *press = job->presses; press->keys; press++)
		n += strlen(press->keys);
	return n;
}

static void expect_written(const char *name)
{
	char path[PATH_MAX];
	struct str text = {0};

	snprintf(path, sizeof path, "%s/%s", home, name);
	read_whole(path, &text);
	ck_assert(strstr(str_text(&text), "\"traceEvents\""));
	str_release(&text);
}

START_TEST(jobs_take_few_keys)
{
	const struct job *job = &jobs[_i];
	char below[PATH_MAX], path[PATH_MAX];
	struct terminal *t;

	ck_assert_uint_le(count_keys(job), job->most_keys);
	snprintf(below, sizeof below, "testdata/%s", job->path);
	ck_assert_ptr_nonnull(realpath(below, path));
	t = start_in(home, (const char *const[]){ "--screen=modern", path, NULL },
	             (const char *const[]){ "LC_ALL=C.UTF-8", NULL }, 24, 100);
	ck_assert_msg(terminal_wait_text(t, job->first), "%s", job->name);
	ck_assert(terminal_wait_text(t, "Enter "));      /* the keys: it is the whole first frame */
	play(t, job->presses);
	leave_by_key(t);
	if (job->writes)
		expect_written(job->writes);
}
END_TEST

SUITE_MAIN("jobs",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, jobs_take_few_keys, 0, ROWS(jobs));)
