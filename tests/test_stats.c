/*
 * Means and deviations of recorded arrays are in test_array; here sums longer than a chunk are
 * held against the rule written out plainly, and counts, extremes and tables against known ones.
 */
#include <math.h>
#include <string.h>

#include "cmds/array/summary.h"
#include "dump/model/stats.h"
#include "tests/suite.h"

#define N 40000

/* Shapes of one axis. */
static bool stats_of_memory(enum dtype dtype, const void *elems, size_t n, struct stats *out)
{
	const struct dtype_info *type = dtype_info(dtype);
	struct shape shape = { 1, { (int64_t)n } };
	struct value *value = value_of_memory(dtype, &shape, elems, n * type->elem_bytes);
	struct err err = { 0 };
	struct view view;
	bool ok;

	view_all(&view, value);
	ok = stats_of(&view, out, NULL, &err);
	value_close(value);
	if (!ok)
		ck_assert_int_eq(err.code, ERR_TYPE);
	return ok;
}

/* numpy's pairwise sum as a plain rule. */
#define PLAIN_SUM(name, real) \
	static real name##_pair(const real *a, size_t n) \
	{ \
		real r[8], sum = 0; \
		size_t i, half = n / 2 / 8 * 8; \
		\
		if (n > 128) \
			return name##_pair(a, half) + name##_pair(a + half, n - half); \
		for (i = 0; n >= 8 && i < n - n % 8; i++) \
			r[i % 8] = i < 8 ? a[i] : r[i % 8] + a[i]; \
		if (n >= 8) \
			sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7])); \
		for (; i < n; i++) \
			sum += a[i]; \
		return sum; \
	} \
	static real name(const real *a, size_t n) \
	{ \
		real sum = 0; \
		\
		for (size_t i = 0; i < n; i += 8192) \
			sum += name##_pair(a + i, n - i < 8192 ? n - i : 8192); \
		return sum; \
	}

PLAIN_SUM(plain_sum32, float)
PLAIN_SUM(plain_sum64, double)

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Lengths, and every how many elements one is not finite; 0: never. */
static const struct { size_t n, odd; } sums[] = {
	{ 1, 0 },     { 7, 0 },         { 8, 0 },        { 129, 0 },
	{ 8192, 0 },  { 8193, 0 },      { 40000, 0 },    { 40000, 1000 },
	{ 40000, 3 }, { 16385, 16385 }, { 33000, 8192 },
};

START_TEST(sums_of_float32)
{
	static float elems[N], finite[N];
	size_t n = 0;
	uint64_t state = 1;
	struct stats got;
	float mean;

	for (size_t i = 0; i < sums[_i].n; i++) {
		elems[i] = (float)next_random(&state) / 0x1p31f - 0.5f;
		if (sums[_i].odd && i % sums[_i].odd == sums[_i].odd - 1)
			elems[i] = i % 2 ? NAN : INFINITY;
		else
			finite[n++] = elems[i];
	}
	ck_assert(stats_of_memory(DTYPE_FLOAT32, elems, sums[_i].n, &got));
	ck_assert_uint_eq(got.n_finite, n);
	mean = (float)((double)plain_sum32(finite, n) / (double)n);
	ck_assert(got.mean == mean);
	for (size_t i = 0; i < n; i++) {
		finite[i] -= mean;
		finite[i] *= finite[i];
	}
	ck_assert(got.std == sqrtf((float)((double)plain_sum32(finite, n) / (double)n)));
}
END_TEST

START_TEST(sums_of_float64)
{
	static double elems[N], finite[N];
	size_t n = 0;
	uint64_t state = 1;
	struct stats got;
	double mean;

	for (size_t i = 0; i < sums[_i].n; i++) {
		elems[i] = (double)next_random(&state) / 0x1p31 - 0.5;
		if (sums[_i].odd && i % sums[_i].odd == sums[_i].odd - 1)
			elems[i] = i % 2 ? NAN : -INFINITY;
		else
			finite[n++] = elems[i];
	}
	ck_assert(stats_of_memory(DTYPE_FLOAT64, elems, sums[_i].n, &got));
	mean = plain_sum64(finite, n) / (double)n;
	ck_assert(got.mean == mean);
	for (size_t i = 0; i < n; i++) {
		finite[i] -= mean;
		finite[i] *= finite[i];
	}
	ck_assert(got.std == sqrt(plain_sum64(finite, n) / (double)n));
}
END_TEST

START_TEST(counts_and_extremes_of_floats)
{
	static const float elems[] = {
		NAN, -INFINITY, -3, -0.0f, 0, 2, INFINITY, 7, NAN, -3, 1, INFINITY,
	};
	struct stats got;
	float min, max;

	ck_assert(stats_of_memory(DTYPE_FLOAT32, elems, 12, &got));
	memcpy(&min, got.min.bytes, sizeof min);
	memcpy(&max, got.max.bytes, sizeof max);
	ck_assert_uint_eq(got.total, 12);
	ck_assert_uint_eq(got.n_nan, 2);
	ck_assert_uint_eq(got.n_neg_inf, 1);
	ck_assert_uint_eq(got.n_neg, 2);
	ck_assert_uint_eq(got.n_zero, 2);
	ck_assert_uint_eq(got.n_pos, 3);
	ck_assert_uint_eq(got.n_pos_inf, 2);
	ck_assert_uint_eq(got.n_finite, 7);
	ck_assert(min == -3 && max == 7);
}
END_TEST

START_TEST(extremes_anywhere)
{
	static float elems[N];
	struct stats got;
	float min, max;

	for (size_t at = 0; at < 20000; at += 1 + at / 3) {
		memset(elems, 0, sizeof elems);
		elems[at] = -2;
		elems[at + 1] = 5;
		ck_assert(stats_of_memory(DTYPE_FLOAT32, elems, 20011, &got));
		memcpy(&min, got.min.bytes, sizeof min);
		memcpy(&max, got.max.bytes, sizeof max);
		ck_assert(min == -2 && max == 5);
		ck_assert_uint_eq(got.n_neg, 1);
		ck_assert_uint_eq(got.n_pos, 1);
	}
}
END_TEST

START_TEST(first_zero_wins)
{
	static const double negative_first[] = { -0.0, 0, 0 }, positive_first[] = { 0, -0.0, 1 };
	struct stats got;
	double min, max;

	ck_assert(stats_of_memory(DTYPE_FLOAT64, negative_first, 3, &got));
	memcpy(&min, got.min.bytes, sizeof min);
	memcpy(&max, got.max.bytes, sizeof max);
	ck_assert(signbit(min) && signbit(max));
	ck_assert(stats_of_memory(DTYPE_FLOAT64, positive_first, 3, &got));
	memcpy(&min, got.min.bytes, sizeof min);
	ck_assert(min == 0 && !signbit(min));
}
END_TEST

START_TEST(extremes_of_integers)
{
	static const uint64_t wide[] = { 5, UINT64_MAX, 0 };
	static const int8_t narrow[] = { 3, -128, 127, 0 };
	static const unsigned char fours[] = { 0x07, 0x08, 0x0f };
	struct stats got;
	uint64_t max;

	ck_assert(stats_of_memory(DTYPE_UINT64, wide, 3, &got));
	memcpy(&max, got.max.bytes, sizeof max);
	ck_assert(max == UINT64_MAX && got.n_zero == 1 && got.n_pos == 2 && got.n_neg == 0);
	ck_assert(stats_of_memory(DTYPE_INT8, narrow, 4, &got));
	ck_assert_int_eq((int8_t)got.min.bytes[0], -128);
	ck_assert_int_eq((int8_t)got.max.bytes[0], 127);
	ck_assert(got.mean == 0.5);
	ck_assert_int_eq(got.mean_type, DTYPE_FLOAT64);
	ck_assert(stats_of_memory(DTYPE_INT4, fours, 3, &got));
	ck_assert_int_eq(int_value(DTYPE_INT4, got.min.bytes), -8);
	ck_assert_int_eq(int_value(DTYPE_INT4, got.max.bytes), 7);
}
END_TEST

START_TEST(extremes_of_halves)
{
	static uint16_t elems[0x7c00];
	struct stats got;
	uint16_t bits;

	for (uint32_t i = 1; i < 0x7c00; i += 13) {
		elems[0] = (uint16_t)(i | 0x8000);
		elems[1] = (uint16_t)i;
		ck_assert(stats_of_memory(DTYPE_FLOAT16, elems, 2, &got));
		memcpy(&bits, got.min.bytes, sizeof bits);
		ck_assert_uint_eq(bits, i | 0x8000);
		memcpy(&bits, got.max.bytes, sizeof bits);
		ck_assert_uint_eq(bits, i);
	}
}
END_TEST

/* 2, -1, 0, -inf, NaN, 3 */
START_TEST(small_floats_are_counted)
{
	static const uint16_t elems[] = { 0x4000, 0xbf80, 0, 0xff80, 0x7fc0, 0x4040 };
	struct stats got;

	ck_assert(stats_of_memory(DTYPE_BFLOAT16, elems, 6, &got));
	ck_assert_uint_eq(got.total, 6);
	ck_assert_uint_eq(got.n_finite, 4);
	ck_assert_uint_eq(got.n_nan + got.n_neg_inf + got.n_neg + got.n_zero, 4);
	ck_assert_uint_eq(got.n_pos_inf, 0);
	ck_assert_uint_eq(got.n_pos, 2);
	ck_assert_mem_eq(got.min.bytes, &elems[1], 2);
	ck_assert_mem_eq(got.max.bytes, &elems[5], 2);
	ck_assert_double_eq(got.mean, 1);
	ck_assert_double_eq(got.std, sqrt(2.5));
}
END_TEST

START_TEST(other_types_are_refused)
{
	static const unsigned char elems[16];
	struct stats got;

	ck_assert(!stats_of_memory(DTYPE_COMPLEX64, elems, 1, &got));
	ck_assert(!stats_of_memory(DTYPE_QINT8, elems, 1, &got));
}
END_TEST

/* One odd element, at each place of a short array. */
static const struct { enum dtype dtype; uint64_t bits; size_t bytes; bool found; } odd[] = {
	{ DTYPE_FLOAT16, 0x7c00, 2, true },
	{ DTYPE_FLOAT16, 0xfe00, 2, true },
	{ DTYPE_FLOAT16, 0x7bff, 2, false },
	{ DTYPE_FLOAT32, 0x7f800000, 4, true },
	{ DTYPE_FLOAT32, 0xff800001, 4, true },
	{ DTYPE_FLOAT32, 0x7f7fffff, 4, false },
	{ DTYPE_FLOAT32, 0xff7fffff, 4, false },
	{ DTYPE_FLOAT64, 0x7ff0000000000000, 8, true },
	{ DTYPE_FLOAT64, 0xfff8000000000000, 8, true },
	{ DTYPE_FLOAT64, 0x7fefffffffffffff, 8, false },
	{ DTYPE_COMPLEX64, 0x7f800000, 4, true },
	{ DTYPE_COMPLEX128, 0x7ff0000000000000, 8, true },
	{ DTYPE_INT32, 0x7f800000, 4, false },
	{ DTYPE_BFLOAT16, 0x7f80, 2, false },
	{ DTYPE_QINT32, 0x7f800000, 4, false },
};

START_TEST(finds_inf_and_nan)
{
	static unsigned char elems[11 * 16];
	struct shape shape = { 1, { 11 } };
	size_t elem_bytes = dtype_info(odd[_i].dtype)->elem_bytes;
	struct value *value = value_of_memory(odd[_i].dtype, &shape, elems, 11 * elem_bytes);
	struct err err = { 0 };

	ck_assert(!has_inf_or_nan(value, NULL, &err));
	for (size_t at = 0; at < 11 * elem_bytes; at += odd[_i].bytes) {
		memcpy(elems + at, &odd[_i].bits, odd[_i].bytes);
		ck_assert_int_eq(has_inf_or_nan(value, NULL, &err), odd[_i].found);
		memset(elems + at, 0, odd[_i].bytes);
	}
	ck_assert_int_eq(err.code, ERR_NONE);
	value_close(value);
}
END_TEST

/* Tables. */

static const float mixed[] = { 0.5f, -2, NAN, 3, 0, INFINITY };
static const unsigned char bools[] = { 1, 0, 1 };
static const float no_finite[] = { NAN, INFINITY };
static const unsigned char zeros[1234567 + 16];

static const struct {
	enum dtype dtype;
	struct shape shape;
	const void *elems;
	const char *text;
} tables[] = {
	{ DTYPE_FLOAT32,
	  { 2, { 2, 3 } },
	  mixed,
	  "|  nan    -    0    + +inf | total |\n|    1    1    1    2    1 |     6 |\n"
	  "|       min       max      mean       std |\n|      -2.0       3.0     0.375 1.7809758 "
	  "|\n" },
	{ DTYPE_BOOL, { 1, { 3 } }, bools, "| False  True | total |\n|     1     2 |     3 |\n" },
	{ DTYPE_FLOAT32,
	  { 1, { 2 } },
	  no_finite,
	  "|  nan +inf | total |\n|    1    1 |     2 |\n" },
	{ DTYPE_UINT8,
	  { 1, { 1234567 } },
	  zeros,
	  "|       0 |  total |\n| 1234567 |1234567 |\n|  min  max mean  std |\n|    0    0  0.0  "
	  "0.0 |\n" },
	{ DTYPE_FLOAT32,
	  { 2, { 0, 3 } },
	  mixed,
	  "No numeric summary available due to empty tensor.\n" },
	{ DTYPE_COMPLEX64,
	  { 1, { 2 } },
	  mixed,
	  "No numeric summary available due to tensor dtype: complex64.\n" },
	{ DTYPE_QUINT8,
	  { 1, { 2 } },
	  bools,
	  "No numeric summary available due to tensor dtype: [('quint8', 'u1')].\n" },
};

START_TEST(summary_tables)
{
	struct value *value = value_of_memory(tables[_i].dtype, &tables[_i].shape,
	                                      tables[_i].elems, sizeof zeros);
	struct doc *doc = doc_new();
	struct line line = { 0 };
	struct str text = { 0 };
	struct view view;

	view_all(&view, value);
	ck_assert(summary_put(doc, &view, false, NULL, NULL));
	for (uint64_t row = 0; row < doc_rows(doc); row++) {
		ck_assert(doc_line(doc, row, 0, &line));
		str_put(&text, line.text.text, line.text.len);
		str_putc(&text, '\n');
	}
	ck_assert_str_eq(text.text, tables[_i].text);
	str_release(&text);
	line_release(&line);
	doc_free(doc);
	value_close(value);
}
END_TEST


SUITE_MAIN("stats",
	tcase_add_loop_test(t, sums_of_float32, 0, ROWS(sums));
	tcase_add_loop_test(t, sums_of_float64, 0, ROWS(sums));
	tcase_add_test(t, counts_and_extremes_of_floats);
	tcase_add_test(t, extremes_anywhere);
	tcase_add_test(t, first_zero_wins);
	tcase_add_test(t, extremes_of_integers);
	tcase_add_test(t, extremes_of_halves);
	tcase_add_test(t, small_floats_are_counted);
	tcase_add_test(t, other_types_are_refused);
	tcase_add_loop_test(t, finds_inf_and_nan, 0, ROWS(odd));
	tcase_add_loop_test(t, summary_tables, 0, ROWS(tables));
)
