/* What a summary keeps of a value, against the plainest way to count it. */
#include "tests/suite.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "dump/summary/measure.h"

static struct summary_value measure(enum dtype dtype, const void *elems, size_t n, size_t bytes)
{
	struct shape shape = { 1, { (int64_t)n } };
	struct value *value = value_of_memory(dtype, &shape, elems, bytes);
	struct summary_value out = {0};
	struct err err = {0};

	ck_assert_msg(summary_measure(value, &out, NULL, &err), "%s", err.msg);
	ck_assert_int_eq(out.state, SUMMARY_ARRAY);
	value_close(value);
	return out;
}

/* How many of an exponent; 0: there is no such bin. */
static uint64_t n_of(const struct summary_value *v, bool below, int exponent)
{
	for (size_t i = 0; i < (below ? v->below.len : v->above.len); i++) {
		const struct summary_bin *bin = below ? &v->below.at[i] : &v->above.at[i];

		if (bin->exponent == exponent)
			return bin->n;
	}
	return 0;
}

static uint64_t n_in(const struct summary_value *v, bool below)
{
	uint64_t n = 0;

	for (size_t i = 0; i < (below ? v->below.len : v->above.len); i++)
		n += below ? v->below.at[i].n : v->above.at[i].n;
	return n;
}

START_TEST(floats_by_sign_and_exponent)
{
	static const float elems[] = {
		1, 1.99f, 2, -0.5f, -FLT_MAX, FLT_MAX, 0, -0.0f, 0x1p-149f, -0x1p-127f, NAN,
		INFINITY, -INFINITY, -INFINITY,
	};
	struct summary_value v = measure(DTYPE_FLOAT32, elems, 14, sizeof elems);

	ck_assert_uint_eq(v.nan, 1);
	ck_assert_uint_eq(v.pos_inf, 1);
	ck_assert_uint_eq(v.neg_inf, 2);
	ck_assert_uint_eq(v.zero, 2);
	ck_assert_uint_eq(v.negative, 3);
	ck_assert_uint_eq(v.positive, 5);
	ck_assert_uint_eq(n_of(&v, false, 0), 2);
	ck_assert_uint_eq(n_of(&v, false, 1), 1);
	ck_assert_uint_eq(n_of(&v, false, 127), 1);
	ck_assert_uint_eq(n_of(&v, false, -149), 1);
	ck_assert_uint_eq(n_of(&v, true, -1), 1);
	ck_assert_uint_eq(n_of(&v, true, 127), 1);
	ck_assert_uint_eq(n_of(&v, true, -127), 1);
	ck_assert_uint_eq(n_in(&v, true), v.negative);
	ck_assert_uint_eq(n_in(&v, false), v.positive);
	summary_value_release(&v);
}
END_TEST

START_TEST(doubles_reach_further)
{
	static const double elems[] = { DBL_MAX, -DBL_TRUE_MIN, 3 };
	struct summary_value v = measure(DTYPE_FLOAT64, elems, 3, sizeof elems);

	ck_assert_uint_eq(n_of(&v, false, 1023), 1);
	ck_assert_uint_eq(n_of(&v, false, 1), 1);
	ck_assert_uint_eq(n_of(&v, true, -1074), 1);
	summary_value_release(&v);
}
END_TEST

/* As doubles these would be a power of two higher. */
START_TEST(whole_numbers_are_not_rounded)
{
	static const int64_t elems[] = { INT64_MAX, INT64_MIN, -1, 0 };
	static const uint64_t more[] = { UINT64_MAX, 1 };
	struct summary_value v = measure(DTYPE_INT64, elems, 4, sizeof elems);
	struct summary_value u = measure(DTYPE_UINT64, more, 2, sizeof more);

	ck_assert_uint_eq(n_of(&v, false, 62), 1);
	ck_assert_uint_eq(n_of(&v, true, 63), 1);
	ck_assert_uint_eq(n_of(&v, true, 0), 1);
	ck_assert_uint_eq(n_of(&u, false, 63), 1);
	ck_assert_uint_eq(n_of(&u, false, 0), 1);
	summary_value_release(&v);
	summary_value_release(&u);
}
END_TEST

START_TEST(complex_and_bools_are_counted)
{
	static const float complex[] = { 3, 4, NAN, INFINITY, 0, 0, 1, -INFINITY };
	static const unsigned char bools[] = { 0, 1, 1 };
	struct summary_value c = measure(DTYPE_COMPLEX64, complex, 4, sizeof complex);
	struct summary_value b = measure(DTYPE_BOOL, bools, 3, sizeof bools);

	ck_assert(c.nan == 1 && c.pos_inf == 1 && c.neg_inf == 1 && c.zero == 1);
	ck_assert(c.modulus == 5 && !c.has_ends && !c.above.len);
	ck_assert(b.zero == 1 && b.positive == 2 && !b.has_ends);
	summary_value_release(&c);
	summary_value_release(&b);
}
END_TEST

START_TEST(types_of_other_sizes)
{
	static const uint16_t halves[] = { 0x3c00, 0x0001, 0xfbff };     /* 1, 2^-24, -65504 */
	static const int8_t quantised[] = { -128, 5, 0 };
	struct summary_value h = measure(DTYPE_FLOAT16, halves, 3, sizeof halves);
	struct summary_value s = measure(DTYPE_BFLOAT16, halves, 3, sizeof halves);
	struct summary_value q = measure(DTYPE_QINT8, quantised, 3, sizeof quantised);

	ck_assert(n_of(&h, false, 0) == 1 && n_of(&h, false, -24) == 1 && n_of(&h, true, 15) == 1);
	ck_assert(n_in(&s, false) == 2 && n_in(&s, true) == 1);
	ck_assert(n_of(&q, true, 7) == 1 && n_of(&q, false, 2) == 1 && q.zero == 1);
	ck_assert((int8_t)q.min[0] == -128 && q.max[0] == 5);
	summary_value_release(&h);
	summary_value_release(&s);
	summary_value_release(&q);
}
END_TEST

SUITE_MAIN("summary_measure",
	tcase_add_test(t, floats_by_sign_and_exponent);
	tcase_add_test(t, doubles_reach_further);
	tcase_add_test(t, whole_numbers_are_not_rounded);
	tcase_add_test(t, complex_and_bools_are_counted);
	tcase_add_test(t, types_of_other_sizes);
)
