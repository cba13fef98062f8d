/* Ranges against ast.literal_eval, and comparisons against numpy 1.24. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "cmds/array/ranges.h"
#include "tests/suite.h"

static const struct { const char *text; size_t n; double bounds[4]; } good[] = {
	{ "", 0, { 0 } },
	{ "()", 0, { 0 } },
	{ "[-0.5,0.5]", 1, { -0.5, 0.5 } },
	{ " [-1, 1]", 1, { -1, 1 } },
	{ "[[-inf,-1],[1,inf]]", 2, { -DBL_MAX, -1, 1, DBL_MAX } },
	{ "[0,1],[5,6]", 2, { 0, 1, 5, 6 } },
	{ "[[0,1],(5,6),]", 2, { 0, 1, 5, 6 } },
	{ "[True, 0x10]", 1, { 1, 16 } },
	{ "[1_0, 1e400]", 1, { 10, INFINITY } },
	{ "[(.5), - 5.]", 1, { 0.5, -5 } },
	/* Ours: a pair needs no brackets. */
	{ "0,1e-8", 1, { 0, 1e-8 } },
	{ "-1, 1", 1, { -1, 1 } },
};

START_TEST(ranges_are_read)
{
	struct arena mem = {0};
	struct ranges ranges;
	struct err err = {0};

	ck_assert_msg(ranges_parse(good[_i].text, &mem, &ranges, &err), "%s", err.msg);
	ck_assert_uint_eq(ranges.len, good[_i].n);
	for (size_t i = 0; i < ranges.len; i++) {
		ck_assert(ranges.at[i].low.real == good[_i].bounds[2 * i]);
		ck_assert(ranges.at[i].high.real == good[_i].bounds[2 * i + 1]);
	}
	arena_release(&mem);
}
END_TEST

/* msg NULL: the wording is ours. */
static const struct { const char *text; enum err_code code; const char *msg; } bad[] = {
	{ "[]", ERR_INDEX, "list index out of range" },
	{ "[1,2,3]", ERR_VALUE, "Incorrect number of elements in range" },
	{ "[inf]", ERR_VALUE, "Incorrect number of elements in range" },
	{ "['a',1]", ERR_VALUE, "Incorrect type in the 1st element of range: <class 'str'>" },
	{ "[1,'a']", ERR_VALUE, "Incorrect type in the 2nd element of range: <class 'int'>" },
	{ "[0.5,None]", ERR_VALUE, "Incorrect type in the 2nd element of range: <class 'float'>" },
	{ "[(0,1),(2,3)]", ERR_VALUE,
	  "Incorrect type in the 1st element of range: <class 'tuple'>" },
	{ "[[1,2],3]", ERR_TYPE, "object of type 'int' has no len()" },
	{ "1,2,3", ERR_TYPE, "object of type 'int' has no len()" },
	{ "5", ERR_TYPE, "'int' object is not iterable" },
	{ "-inf", ERR_TYPE, "'float' object is not iterable" },
	{ "None", ERR_TYPE, "'NoneType' object is not iterable" },
	{ "[1j,1]", ERR_VALUE, "Incorrect type in the 1st element of range: <class 'complex'>" },
	{ "foo", ERR_VALUE, NULL },
	{ "[1, np.pi]", ERR_VALUE, NULL },
	{ "[--1, 2]", ERR_VALUE, NULL },
	{ "{1: 2}", ERR_VALUE, NULL },
	{ "[1", ERR_SYNTAX, NULL },
	{ "[1,,2]", ERR_SYNTAX, NULL },
	{ "[1 2]", ERR_SYNTAX, NULL },
	{ "[1,2)", ERR_SYNTAX, NULL },
	{ "[007,8]", ERR_SYNTAX, NULL },
	{ "['a,1]", ERR_SYNTAX, NULL },
	{ "[1e,2]", ERR_SYNTAX, NULL },
	{ "[1,info]", ERR_SYNTAX, NULL },
};

START_TEST(bad_ranges_are_refused)
{
	struct arena mem = {0};
	struct ranges ranges = { .len = 77 };
	struct err err = {0};

	ck_assert(!ranges_parse(bad[_i].text, &mem, &ranges, &err));
	ck_assert_int_eq(err.code, bad[_i].code);
	ck_assert_uint_eq(ranges.len, 77);
	if (bad[_i].msg)
		ck_assert_str_eq(err.msg, bad[_i].msg);
	arena_release(&mem);
}
END_TEST

START_TEST(depth_is_bounded)
{
	struct arena mem = {0};
	struct str text = {0};
	struct ranges ranges;
	struct err err = {0};

	str_fill(&text, '[', 1000000);
	ck_assert(!ranges_parse(text.text, &mem, &ranges, &err));
	ck_assert_int_eq(err.code, ERR_SYNTAX);
	str_release(&text);
	arena_release(&mem);
}
END_TEST

union elem {
	float f[2];
	double d[2];
	uint16_t half;
	int8_t i8;
	int64_t i64;
	uint64_t u64;
};

static const struct { enum dtype dtype; union elem elem; const char *ranges; bool in; } elems[] = {
	/* the bound is rounded */
	{ DTYPE_FLOAT32, { .f = { 0.333f } }, "[0.333,0.333]", true },
	/* an integer bound is not */
	{ DTYPE_FLOAT32, { .f = { 16777216 } }, "[16777217,2e9]", false },
	{ DTYPE_FLOAT32, { .f = { 16777216 } }, "[16777217.0,2e9]", true },
	{ DTYPE_FLOAT32, { .f = { INFINITY } }, "[1,inf]", false },
	{ DTYPE_FLOAT32, { .f = { NAN } }, "[-inf,inf]", false },
	{ DTYPE_FLOAT32, { .f = { 5.5f } }, "[[0,1],[5,6]]", true },
	{ DTYPE_FLOAT32, { .f = { 3 } }, "[[0,1],[5,6]]", false },
	{ DTYPE_FLOAT64, { .d = { 0.1 } }, "[0.1,0.1]", true },
	{ DTYPE_FLOAT64, { .d = { INFINITY } }, "[1,1e999]", true },
	{ DTYPE_FLOAT16, { .half = 0x6800 /* 2048 */ }, "[2049,3000]", false },
	{ DTYPE_FLOAT16, { .half = 0x6800 }, "[2048.5,3000]", true },
	{ DTYPE_FLOAT16, { .half = 0x7bef /* 64992 */ }, "[64999.0,65504]", true },
	{ DTYPE_FLOAT16, { .half = 0x7bef }, "[65000.0,65504]", false },
	{ DTYPE_FLOAT16, { .half = 0x7bef }, "[65001.0,65504]", false },
	{ DTYPE_FLOAT16, { .half = 0x7c00 /* inf */ }, "[0,70000]", false },
	{ DTYPE_BFLOAT16, { .half = 0x3f80 /* 1 */ }, "[0.99999999,1]", true },
	{ DTYPE_INT8, { .i8 = -128 }, "[-inf,-128]", true },
	{ DTYPE_INT64, { .i64 = INT64_C(9007199254740993) }, "[0,9007199254740992]", false },
	{ DTYPE_INT64, { .i64 = INT64_C(9007199254740993) }, "[0,9007199254740992.0]", true },
	{ DTYPE_UINT64, { .u64 = UINT64_MAX },
	  "[18446744073709551615,99999999999999999999999]", true },
	{ DTYPE_UINT64, { .u64 = UINT64_MAX }, "[-5,18446744073709551614]", false },
	/* equal real parts: the imaginary ones count */
	{ DTYPE_COMPLEX64, { .f = { 1, 1 } }, "[1,2]", true },
	{ DTYPE_COMPLEX64, { .f = { 1, -1 } }, "[1,2]", false },
	{ DTYPE_COMPLEX64, { .f = { 0.1f, 0 } }, "[0.1,2]", true },
	{ DTYPE_COMPLEX128, { .d = { 1.5, NAN } }, "[1,2]", false },
};

START_TEST(element_is_compared_by_its_type)
{
	struct arena mem = {0};
	struct ranges ranges;

	ck_assert(ranges_parse(elems[_i].ranges, &mem, &ranges, NULL));
	ck_assert_int_eq(ranges_hold(&ranges, dtype_info(elems[_i].dtype), &elems[_i].elem),
	                 elems[_i].in);
	arena_release(&mem);
}
END_TEST

static struct value *open_value(enum dtype dtype, const void *at, int64_t n, size_t bytes,
                                struct view *view)
{
	struct shape shape = { 1, { n } };
	struct value *value = value_of_memory(dtype, &shape, at, bytes);

	ck_assert_ptr_nonnull(value);
	view_all(view, value);
	return value;
}

START_TEST(hits_are_counted_over_all_windows)
{
	enum { COUNT = 100000 };
	struct arena mem = {0};
	int32_t *at = arena_alloc(&mem, COUNT * sizeof *at);
	struct ranges ranges;
	struct view view;
	struct value *value;
	uint64_t hits = 0;

	for (int i = 0; i < COUNT; i++)
		at[i] = i;
	value = open_value(DTYPE_INT32, at, COUNT, COUNT * sizeof *at, &view);
	ck_assert(ranges_parse("[[0,9],[50000,50009],[99990,200000]]", &mem, &ranges, NULL));
	ck_assert(ranges_count(&ranges, &view, &hits, NULL, NULL));
	ck_assert_uint_eq(hits, 30);
	value_close(value);
	arena_release(&mem);
}
END_TEST

START_TEST(count_can_be_cancelled)
{
	struct arena mem = {0};
	int32_t at[4] = { 0 };
	struct ranges ranges;
	struct progress progress = { .cancel = true };
	struct view view;
	struct value *value = open_value(DTYPE_INT32, at, 4, sizeof at, &view);
	struct err err = {0};
	uint64_t hits = 77;

	ck_assert(ranges_parse("[0,1]", &mem, &ranges, NULL));
	ck_assert(!ranges_count(&ranges, &view, &hits, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_uint_eq(hits, 77);
	value_close(value);
	arena_release(&mem);
}
END_TEST

static const struct { const char *ranges, *msg; } quantised[] = {
	{ "[0,1]", "'>=' not supported between instances of 'numpy.ndarray' and 'int'" },
	{ "[0.5,1]", "'>=' not supported between instances of 'numpy.ndarray' and 'float'" },
	{ "[False,1]", "'>=' not supported between instances of 'numpy.ndarray' and 'bool'" },
};

START_TEST(quantised_has_no_order)
{
	struct arena mem = {0};
	uint8_t at[2] = { 0 };
	struct ranges ranges;
	struct view view;
	struct value *value = open_value(DTYPE_QUINT8, at, 2, sizeof at, &view);
	struct err err = {0};
	uint64_t hits;

	ck_assert(ranges_parse(quantised[_i].ranges, &mem, &ranges, NULL));
	ck_assert(!ranges_count(&ranges, &view, &hits, NULL, &err));
	ck_assert_int_eq(err.code, ERR_TYPE);
	ck_assert_str_eq(err.msg, quantised[_i].msg);
	value_close(value);
	arena_release(&mem);
}
END_TEST

SUITE_MAIN("ranges",
	tcase_add_loop_test(t, ranges_are_read, 0, ROWS(good));
	tcase_add_loop_test(t, bad_ranges_are_refused, 0, ROWS(bad));
	tcase_add_test(t, depth_is_bounded);
	tcase_add_loop_test(t, element_is_compared_by_its_type, 0, ROWS(elems));
	tcase_add_test(t, hits_are_counted_over_all_windows);
	tcase_add_test(t, count_can_be_cancelled);
	tcase_add_loop_test(t, quantised_has_no_order, 0, ROWS(quantised));
)
