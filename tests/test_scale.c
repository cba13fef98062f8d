/* Ends, percentiles and steps of scales, by values worked out by hand; then what keys make of
 * command lines. */
#include "cmds/array/scale.h"

#include <math.h>
#include <string.h>

#include "cmds/array/grid.h"
#include "dump/base/mem.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

enum { N_RAMP = 1000 };

/* 0 to 999 mixed up, as any type that has them; the last two are bad. */
static struct value *ramp_value(enum dtype dtype, void **elems, struct view *view)
{
	struct shape shape = { 1, { N_RAMP + 2 } };
	size_t bytes = dtype_info(dtype)->elem_bytes;
	struct value *value;

	*elems = mem_alloc((size_t)(N_RAMP + 2) * bytes);
	for (int i = 0; i < N_RAMP; i++) {
		int n = i * 7 % N_RAMP - 500;

		if (dtype == DTYPE_FLOAT32)
			((float *)*elems)[i] = (float)n;
		else
			((double *)*elems)[i] = n * 1e-300;
	}
	for (int i = N_RAMP; i < N_RAMP + 2; i++)
		if (dtype == DTYPE_FLOAT32)
			((float *)*elems)[i] = i & 1 ? NAN : INFINITY;
		else
			((double *)*elems)[i] = i & 1 ? NAN : -INFINITY;
	value = value_of_memory(dtype, &shape, *elems, (size_t)(N_RAMP + 2) * bytes);
	view_all(view, value);
	return value;
}

/* Of 1000 numbers the 1st percentile is the 10th, the 99th the 990th. */
static const struct { enum dtype dtype; bool percentiles; double low, top; } ends[] = {
	{ DTYPE_FLOAT32, false, -500, 499 },
	{ DTYPE_FLOAT32, true, -491, 489 },
	{ DTYPE_FLOAT64, false, -500e-300, 499e-300 },
	{ DTYPE_FLOAT64, true, -491 * 1e-300, 489 * 1e-300 },
};

START_TEST(ends_are_found)
{
	struct scale scale = { .percentiles = ends[_i].percentiles };
	struct survey survey;
	struct view view;
	void *elems;
	struct value *value = ramp_value(ends[_i].dtype, &elems, &view);

	ck_assert(survey_of(&view, &survey, NULL, NULL));
	ck_assert(scale_take_ends(&scale, &view, &survey, NULL, NULL));
	ck_assert_double_eq(scale.low, ends[_i].low);
	ck_assert_double_eq(scale.top, ends[_i].top);
	value_close(value);
	free(elems);
}
END_TEST

static const struct { struct scale scale; double x; enum role role; int step; } steps[] = {
	{ { 0, 15, false, false, COLOURS_HEAT }, 0, ROLE_SCALE, 1 },
	{ { 0, 15, false, false, COLOURS_HEAT }, 7.5, ROLE_SCALE, 8 },
	{ { 0, 15, false, false, COLOURS_HEAT }, 15, ROLE_SCALE, 15 },
	{ { 0, 15, false, false, COLOURS_HEAT }, 99, ROLE_SCALE, 15 },
	{ { 0, 15, false, false, COLOURS_HEAT }, -99, ROLE_SCALE, 1 },
	{ { 0, 1000, true, false, COLOURS_HEAT }, 31, ROLE_SCALE, 8 },
	/* both signs: 0 is the middle, however far the ends are */
	{ { -1, 10, false, false, COLOURS_HEAT }, 0, ROLE_SIGNED_SCALE, 8 },
	{ { -1, 10, false, false, COLOURS_HEAT }, -1, ROLE_SIGNED_SCALE, 7 },
	{ { -1, 10, false, false, COLOURS_HEAT }, 10, ROLE_SIGNED_SCALE, 15 },
	{ { -10, 1, false, false, COLOURS_HEAT }, -10, ROLE_SIGNED_SCALE, 1 },
	{ { -10, 1, false, false, COLOURS_GRAY }, -10, ROLE_GRAY_SCALE, 1 },
	{ { -10, 1, false, false, COLOURS_GRAY }, 1, ROLE_GRAY_SCALE, 15 },
	{ { 3, 3, false, false, COLOURS_HEAT }, 3, ROLE_SCALE, 1 },
};

START_TEST(numbers_have_steps)
{
	ck_assert_int_eq(scale_step(&steps[_i].scale, steps[_i].x), steps[_i].step);
	ck_assert_int_eq(scale_role(&steps[_i].scale), steps[_i].role);
}
END_TEST

START_TEST(places_on_a_scale_go_both_ways)
{
	static const struct scale scales[] = { { .low = -2, .top = 8 },
		                               { .low = -2, .top = 8, .log = true } };

	for (size_t i = 0; i < 2; i++)
		for (int k = 0; k <= 10; k++)
			ck_assert_double_eq_tol(
				scale_part(&scales[i], scale_at(&scales[i], k / 10.0)), k / 10.0,
				1e-12);
}
END_TEST

START_TEST(legend_has_numbers_and_steps)
{
	struct scale scale = { .low = -1, .top = 4, .colours = COLOURS_HEAT };
	struct line line = {0};

	scale_put_steps(&scale, &line);
	ck_assert_str_eq(line.text.text, "-4         0          4");
	ck_assert_uint_eq(line.segs.len, SCALE_STEPS);
	for (size_t i = 0; i < line.segs.len; i++) {
		ck_assert_uint_eq(line.segs.at[i].ground, i + 1);
		ck_assert_int_eq(line.segs.at[i].role, ROLE_SIGNED_SCALE);
	}
	line_release(&line);
}
END_TEST

/* Changes of a command, one after the other. */
static struct doc *answer_of(struct shell *shell, const char *line)
{
	struct answer answer;
	struct doc *doc;

	shell_run(shell, line, 80, NULL, &answer);
	ck_assert_msg(!answer.failed, "%s", line);
	doc = answer.doc;
	answer.doc = NULL;
	answer_release(&answer);
	return doc;
}

static const struct {
	const char *line;
	int key;
	int64_t n;
	const char *becomes;
} changes[] = {
	{ "grid f32/r3", ')', 1, "grid f32/r3[1, :, :]" },
	{ "grid f32/r3[1]", '(', -5, "grid f32/r3[0, :, :]" },
	{ "grid f32/r3[1, 0:1]", 'X', 0, "grid f32/r3[1, 0:1:1, :] --axes 2,1" },
	{ "grid f32/r3 -i 1 -f hex", '#', 0, "grid f32/r3[1, :, :]" },
	{ "grid f32/r3 -a 0,2 -i 1", 'a', 0, "grid f32/r3[:, :, 0]" },
	{ "grid f32/r3[0, 1]", 'a', 0, "grid f32/r3[0, 1, :] --step 1" },
	{ "grid f32/r3[0, 1, :] -x 1", 'a', 0, "grid f32/r3[0, :, 0] --step 2" },
	{ "grid f32/r3", DOC_KEY_SLICE, 1, "grid f32/r3[1, :, :]" },
	{ "grid f32/r3 -C heat", 'c', 0, "grid f32/r3[0, :, :] --colors gray" },
	{ "grid f32/r3[1] -C heat -n 0", 'p', 0, "picture f32/r3[1, :, :] --number 0" },
	{ "picture f32/r3[1] -k hist -l", 'p', 0, "grid f32/r3[1, :, :]" },
	{ "picture f32/r3[1] -k hist -l -w 9", DOC_KEY_WAY, 0, " --kind hist --log --width 9" },
	{ "picture f32/r3[1]", 's', 0, "picture f32/r3[1] --kind hist" },
	{ "picture f32/r3[1]", '.', 0, "picture f32/r3[1] --bucket 2x2" },
	{ "picture f32/r3[1] -b 2x2", ',', 0, "picture f32/r3[1] --bucket 1x1" },
	{ "picture f32/r3", ')', 1, "picture f32/r3[1, :, :]" },
};

START_TEST(keys_have_command_lines)
{
	struct shell *shell = session_of("testdata/dtypes");
	struct doc *doc = answer_of(shell, changes[_i].line), *again;
	struct str line = {0};

	ck_assert(doc_put_line(doc, &(struct doc_at){ .key = changes[_i].key, .n = changes[_i].n },
	                       &line));
	ck_assert_str_eq(line.text, changes[_i].becomes);
	if (line.text[0] != ' ') {
		again = answer_of(shell, line.text);
		doc_free(again);
	}
	str_release(&line);
	doc_free(doc);
	shell_free(shell);
}
END_TEST

static const struct {
	const char *line;
	int key;
	int64_t n;
	const char *why;
} refusals[] = {
	{ "grid f32/r3", '(', -1, "Axis 0 ends here" },
	{ "grid f32/r3[1]", ')', 1, "Axis 0 ends here" },
	{ "grid f32/r3[0, 0]", 'X', 0, "There are no rows and columns to swap" },
	{ "picture f32/r3[0]", ',', 0, "A cell is one element already" },
	{ "picture f32/r3[0] -k hist", '.', 0, "A histogram has bins and no cells" },
	{ "picture f32/r3[0]", '#', 0, "There is nothing here that this key changes" },
};

START_TEST(what_cannot_be_says_why)
{
	struct shell *shell = session_of("testdata/dtypes");
	struct doc *doc = answer_of(shell, refusals[_i].line);
	struct str why = {0};

	ck_assert(!doc_put_line(doc, &(struct doc_at){ .key = refusals[_i].key,
	                                               .n = refusals[_i].n }, &why));
	ck_assert_str_eq(why.text, refusals[_i].why);
	str_release(&why);
	doc_free(doc);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("scale",
	tcase_add_loop_test(t, ends_are_found, 0, ROWS(ends));
	tcase_add_loop_test(t, numbers_have_steps, 0, ROWS(steps));
	tcase_add_test(t, places_on_a_scale_go_both_ways);
	tcase_add_test(t, legend_has_numbers_and_steps);
	tcase_add_loop_test(t, keys_have_command_lines, 0, ROWS(changes));
	tcase_add_loop_test(t, what_cannot_be_says_why, 0, ROWS(refusals));
)
