/*
 * Arrays that are larger than their file: axes along which all elements are one (torch's expand),
 * and elements that overlap. What is counted is read once and counted as often as it is there; what
 * needs each element of too many is refused.
 */
#include <stdio.h>
#include <string.h>

#include "dump/format/input.h"
#include "dump/model/elem_counts.h"
#include "dump/model/stats.h"
#include "dump/model/value.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/suite.h"

#define EXPAND "testdata/hostile/expand.pt"      /* 6 floats as (2^30, 2^28) */

/* ---- counts */

static const struct {
	const char *what;
	uint32_t rank;
	int64_t dim[4], stride[4];
} shapes[] = {
	{ "as it is", 2, { 3, 4 }, { 4, 1 } },
	{ "rows", 2, { 5, 12 }, { 0, 1 } },
	{ "columns", 2, { 12, 5 }, { 1, 0 } },
	{ "in the middle", 3, { 3, 7, 4 }, { 4, 0, 1 } },
	{ "all", 3, { 5, 6, 7 }, { 0, 0, 0 } },
	{ "on the outside", 3, { 2, 12, 9000 }, { 0, 1, 0 } },
	{ "transposed", 3, { 4, 2, 3 }, { 1, 0, 4 } },
	{ "overlapping", 2, { 6, 6 }, { 1, 1 } },
	{ "an axis of one", 3, { 1, 12, 1 }, { 0, 1, 0 } },
};

static struct value *open_shape(int i, enum dtype dtype, const void *elems, size_t bytes)
{
	struct shape shape = { .rank = shapes[i].rank };
	struct value_layout layout = { .dtype = dtype, .stride = shapes[i].stride };
	struct input input;
	struct err err = {0};
	struct value *value;

	memcpy(shape.dim, shapes[i].dim, sizeof shapes[i].dim);
	ck_assert_msg(input_of_file(&input, file_of(elems, bytes), 0, bytes, &err), "%s", err.msg);
	value = value_open_input(&input, &shape, &layout, &err);
	ck_assert_msg(value != NULL, "%s: %s", shapes[i].what, err.msg);
	return value;
}

static void same_counts(int i, enum dtype dtype, const void *elems, size_t bytes)
{
	struct value *value = open_shape(i, dtype, elems, bytes), *plain;
	unsigned char *all = calloc(value->count, value->type->elem_bytes);
	struct elem_counts got, wanted;
	struct stats stats, plain_stats;
	struct view view;

	ck_assert(value_read(value, 0, value->count, all, NULL));
	plain = value_of_memory(dtype, &value->shape, all, value->count * value->type->elem_bytes);
	ck_assert(elem_counts_of(value, &got, NULL, NULL));
	ck_assert(elem_counts_of(plain, &wanted, NULL, NULL));
	ck_assert_msg(got.nan == wanted.nan && got.neg_inf == wanted.neg_inf
	              && got.pos_inf == wanted.pos_inf && got.negative == wanted.negative
	              && got.zero == wanted.zero && got.positive == wanted.positive
	              && got.has_ends == wanted.has_ends && got.modulus == wanted.modulus
	              && !memcmp(got.min, wanted.min, value->type->elem_bytes)
	              && !memcmp(got.max, wanted.max, value->type->elem_bytes),
	              "%s", shapes[i].what);
	ck_assert_int_eq(has_inf_or_nan(value, NULL, NULL), has_inf_or_nan(plain, NULL, NULL));
	if (value->type->kind == KIND_FLOAT) {
		view_all(&view, value);
		ck_assert(stats_of(&view, &stats, NULL, NULL));
		view_all(&view, plain);
		ck_assert(stats_of(&view, &plain_stats, NULL, NULL));
		ck_assert(stats.mean == plain_stats.mean && stats.std == plain_stats.std
		          && stats.total == plain_stats.total);
	}
	value_close(value);
	value_close(plain);
	free(all);
}

START_TEST(counts_are_those_of_all_elements)
{
	static const float floats[] = {
		0, -1.5f, 3, INFINITY, NAN, 2, -INFINITY, 7, 0.25f, -8, 1e-30f, 5,
	};
	static const double complex[] = {
		0, 0, 1, -1, NAN, 0, 3, INFINITY, 2, 2, -1, 0, 5, 6, 0, 1, 1, 1, 2, 3, 4, 4, 9, 9,
	};
	static const signed char small[] = { 0, -3, 5, 0, 7, 1, 1, -128, 127, 2, 3, 4 };

	same_counts(_i, DTYPE_FLOAT32, floats, sizeof floats);
	same_counts(_i, DTYPE_COMPLEX128, complex, sizeof complex);
	same_counts(_i, DTYPE_QINT8, small, sizeof small);
	same_counts(_i, DTYPE_INT8, small, sizeof small);
}
END_TEST

/* Of complex numbers one is 0 if both its parts are. */
START_TEST(counts_of_complex_numbers)
{
	static const float parts[] = { 0, 0, 0, 2, -1, 0, NAN, 0, 3, -INFINITY, INFINITY, 0 };
	struct shape shape = { .rank = 1, .dim = { 6 } };
	struct value *value = value_of_memory(DTYPE_COMPLEX64, &shape, parts, sizeof parts);
	struct elem_counts counts;

	ck_assert(elem_counts_of(value, &counts, NULL, NULL));
	ck_assert_uint_eq(counts.zero, 1);
	ck_assert_uint_eq(counts.nan, 1);
	ck_assert_uint_eq(counts.neg_inf, 1);
	ck_assert_uint_eq(counts.pos_inf, 1);
	ck_assert_double_eq(counts.modulus, 2);
	value_close(value);
}
END_TEST

/* ---- six floats as 2^58 */

static const struct { const char *line, *has; int status; } answers[] = {
	{ "lt --health", "G ok  float32 (1073741824, 268435456) 1   1 ", 0 },
	{ "overview", "No NaN or Inf in 1 tensor", 0 },
	{ "origins", "No NaN or Inf in 1 tensor", 0 },
	{ "lt -f has_inf_or_nan", "0 dumped tensor(s)", 0 },
	{ "pt w[0:2,0:3]", "[[1., 1., 1.],", 0 },
	{ "pt -a w", "ERROR: 288230376151711744 elements, which are not all in the file: too many "
	             "to show each.", 1 },
	{ "grid w", "too many to show each.", 1 },
	{ "export out", "too many to read each", 1 },
	{ "picture w", "too many to read each", 1 },
};

START_TEST(a_vast_tensor_is_answered_or_refused)
{
	struct program_run ran;
	char *dir = scratch_new();
	struct str path = {0};

	str_fmt(&path, "%s/" EXPAND, getenv("PWD"));
	program_run((const char *const[]){ program_path(), "--no-cache", "-c", answers[_i].line,
	                                   path.text, NULL }, dir, NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), answers[_i].has)
	              || strstr(str_text(&ran.err), answers[_i].has), "%s: %s%s",
	              answers[_i].line, str_text(&ran.out), str_text(&ran.err));
	ck_assert_int_eq(ran.status, answers[_i].status);
	program_release(&ran);
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

/* Dicts that share dicts, of 10^9 values: refused before they are copied. */
START_TEST(shared_dicts_are_counted_first)
{
	struct program_run ran;

	program_run((const char *const[]){ program_path(), "--no-cache", "-c", "lt",
	                                   "testdata/hostile/laughs.pt", NULL },
	            NULL, NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.err), "a pickle of too many values"), "%s",
	              str_text(&ran.err));
	ck_assert_int_eq(ran.status, 3);
	program_release(&ran);
}
END_TEST

SUITE_MAIN("vast",
	tcase_add_test(t, counts_of_complex_numbers);
	tcase_add_loop_test(t, counts_are_those_of_all_elements, 0, ROWS(shapes));
	tcase_add_loop_test(t, a_vast_tensor_is_answered_or_refused, 0, ROWS(answers));
	tcase_add_test(t, shared_dicts_are_counted_first);
)
