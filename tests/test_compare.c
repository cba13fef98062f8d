/*
 * What differs in two arrays, held against what tests/compare.py found out with numpy and Python
 * (testdata/compare.expected tells how a line reads); then arrays larger than a window, views, and
 * files that end early.
 */
#include "dump/model/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dump/base/mem.h"
#include "tests/message.h"
#include "tests/suite.h"

#define EXPECTED "testdata/compare.expected"
enum { MAX_BYTES = 4096, ROOM = 64 };

struct expected {
	char dtype[ROOM], now[2 * MAX_BYTES], before[2 * MAX_BYTES];
	char n_diff[ROOM], n_bad[ROOM], n_bits[ROOM], first[ROOM], max_abs[ROOM], max_rel[ROOM],
	     max_ulps[ROOM];
	unsigned count;
	double atol, rtol;
	int nan_differs;
};

static bool read_expected(FILE *file, struct expected *out)
{
	static char line[4 * MAX_BYTES + 1024];
	int n, from = 0, skip = 0;

	if (!fgets(line, sizeof line, file))
		return false;
	n = sscanf(line, "%63s %u %lf %lf %d %n", out->dtype, &out->count, &out->atol, &out->rtol,
	           &out->nan_differs, &from);
	out->now[0] = out->before[0] = '\0';
	if (!out->count)
		from += (int)strlen("= =");
	else
		ck_assert_int_eq(sscanf(line + from, "=%8191s =%8191s%n", out->now, out->before,
		                        &skip), 2);
	n += sscanf(line + from + skip, "%63s %63s %63s %63s %63s %63s %63s", out->n_diff,
	            out->n_bad, out->first, out->max_abs, out->max_rel, out->max_ulps, out->n_bits);
	ck_assert_msg(n == 12, "%s: %d words in: %s", EXPECTED, n, line);
	return true;
}

static const struct dtype_info *type_named(const char *name)
{
	for (uint64_t wire = 1; wire < 33; wire++)
		if (dtype_on_wire(wire) && !strcmp(dtype_on_wire(wire)->name, name))
			return dtype_on_wire(wire);
	ck_abort_msg("no type %s", name);
}

static size_t bytes_of_hex(const char *hex, unsigned char *out)
{
	size_t n = strlen(hex) / 2;
	unsigned byte;

	for (size_t i = 0; i < n; i++) {
		ck_assert_int_eq(sscanf(hex + 2 * i, "%2x", &byte), 1);
		out[i] = (unsigned char)byte;
	}
	return n;
}

/* A tensor of strings: what stands between commas. */
static void put_strings(struct str *out, const char *list, int64_t count)
{
	put_tensor_head(out, DTYPE_STRING, 1, &count);
	for (size_t len; ; list += len + 1) {
		len = strcspn(list, ",");
		put_bytes(out, 8, list, len);
		if (!list[len])
			break;
	}
}

/* Both in one file. */
static void open_strings(const struct expected *e, struct value *value[2])
{
	struct str file = {0};
	struct err err = {0};
	const char *path;
	size_t middle;

	put_strings(&file, e->now, e->count);
	middle = file.len;
	put_strings(&file, e->before, e->count);
	path = file_of(file.text, file.len);
	value[0] = value_open_proto(path, 0, middle, false, &err);
	value[1] = value_open_proto(path, middle, file.len - middle, false, &err);
	ck_assert_msg(value[0] && value[1], "%s", err.msg);
	str_release(&file);
}

static void open_both(const struct expected *e, struct value *value[2])
{
	static unsigned char elems[2][MAX_BYTES];
	const struct dtype_info *type = type_named(e->dtype);
	struct shape shape = { 1, { e->count } };

	if (type->kind == KIND_STRING) {
		open_strings(e, value);
		return;
	}
	for (int i = 0; i < 2; i++) {
		size_t n = bytes_of_hex(i ? e->before : e->now, elems[i]);

		ck_assert_uint_eq(n, e->count * type->elem_bytes);
		value[i] = value_of_memory(type->dtype, &shape, elems[i], n);
	}
}

static void number_is(uint64_t got, const char *wanted, bool known, const char *what, int line)
{
	char text[ROOM];

	snprintf(text, sizeof text, "%" PRIu64, got);
	ck_assert_msg(!strcmp(known ? text : "-", wanted), "line %d: %s is %s, not %s", line, what,
	              known ? text : "-", wanted);
}

/* As doubles; moduli may be off by their roundings. */
static void real_is(double got, const char *wanted, bool known, double within, const char *what,
                    int line)
{
	double want;

	ck_assert_msg(known == (strcmp(wanted, "-") != 0), "line %d: %s is %g, not %s", line, what,
	              got, wanted);
	if (!known)
		return;
	want = strtod(wanted, NULL);
	ck_assert_msg(got == want || fabs(got - want) <= within * fabs(want),
	              "line %d: %s is %a, not %a", line, what, got, want);
}

static void check(const struct expected *e, int line)
{
	struct tolerance tolerance = { .atol = e->atol, .rtol = e->rtol,
	                               .nan_differs = e->nan_differs };
	double within = type_named(e->dtype)->kind == KIND_COMPLEX ? 1e-14 : 0;
	struct value *both[2];
	struct compared got;
	struct err err = {0};
	struct view a, b;

	open_both(e, both);
	view_all(&a, both[0]);
	view_all(&b, both[1]);
	ck_assert_msg(compare_views(&a, &b, &tolerance, &got, NULL, &err), "line %d: %s", line,
	              err.msg);
	ck_assert_uint_eq(got.total, e->count);
	number_is(got.n_diff, e->n_diff, true, "n_diff", line);
	number_is(got.n_bad, e->n_bad, true, "n_bad", line);
	number_is(got.first, e->first, got.n_diff, "first", line);
	if (got.whole)
		number_is(got.max_whole, e->max_abs, got.measured, "max_abs", line);
	else
		real_is(got.max_abs, e->max_abs, got.measured, within, "max_abs", line);
	real_is(got.max_rel, e->max_rel, got.measured, within, "max_rel", line);
	number_is(got.max_ulps, e->max_ulps, got.measured && got.has_ulps, "max_ulps", line);
	number_is(got.n_bits, e->n_bits, true, "n_bits", line);
	value_close(both[0]);
	value_close(both[1]);
}

START_TEST(as_numpy_has_it)
{
	FILE *file = fopen(EXPECTED, "r");
	static struct expected e;
	int line = 0;

	ck_assert_ptr_nonnull(file);
	while (read_expected(file, &e))
		check(&e, ++line);
	ck_assert_int_ge(line, 800);
	fclose(file);
}
END_TEST

/* Larger than a window: one element of a type differs, at each of these places. */
enum { LARGE = 300000 };
static const uint64_t places[] = { 0, 1, 32767, 32768, 65535, 65536, 131072, LARGE - 1 };
enum { N_PLACES = ROWS(places) };

START_TEST(one_of_many)
{
	float *now = mem_alloc(LARGE * sizeof *now), *before = mem_alloc(LARGE * sizeof *before);
	struct shape shape = { 2, { LARGE / 3, 3 } };
	struct tolerance exact = {0};
	struct compared got;
	struct err err = {0};
	struct value *x, *y;
	struct view a, b;

	for (size_t i = 0; i < LARGE; i++)
		now[i] = before[i] = (float)i + 0.5f;
	now[places[_i]] += 0.25f;
	x = value_of_memory(DTYPE_FLOAT32, &shape, now, LARGE * sizeof *now);
	y = value_of_memory(DTYPE_FLOAT32, &shape, before, LARGE * sizeof *before);
	view_all(&a, x);
	view_all(&b, y);
	ck_assert(compare_views(&a, &b, &exact, &got, NULL, &err));
	ck_assert_uint_eq(got.n_diff, 1);
	ck_assert_uint_eq(got.first, places[_i]);
	ck_assert(got.max_abs == 0.25);
	value_close(x);
	value_close(y);
	free(now);
	free(before);
}
END_TEST

/* The same numbers as float32 and as float64, which are compared apart, differ in the same way. */
enum { PAIRS = 5000 };
static const struct { struct tolerance tolerance; size_t odd; } floats[] = {
	{ { .atol = 0 }, PAIRS }, { { .rtol = 0.01 }, PAIRS }, { { .atol = 0.5 }, PAIRS },
	{ { .atol = 1e-3, .rtol = 1e-3, .nan_differs = true }, PAIRS },
	{ { .atol = 0 }, 0 }, { { .rtol = 0.01 }, 2500 }, { { .nan_differs = true }, PAIRS - 1 },
};

static void put_floats(float *now, float *before, size_t odd)
{
	static const float from_odd[] = { NAN, NAN, INFINITY, INFINITY, -INFINITY, NAN, 1 };
	uint64_t state = 1;

	for (size_t i = 0; i < PAIRS; i++) {
		state = state * 6364136223846793005 + 1442695040888963407;
		before[i] = (float)((int64_t)state >> 40) * (i % 11 ? 1 : 1e-30f);
		now[i] = before[i] * (1 + (float)(i % 7) * (i % 3 ? 0.006f : -1e-7f));
		now[i] = i % 97 ? now[i] : -0.0f;
		before[i] = i % 194 ? before[i] : 0;
	}
	for (size_t k = 0; k + 1 < ROWS(from_odd) && odd + k < PAIRS; k++) {
		now[odd + k] = from_odd[k];
		before[odd + k] = from_odd[k + 1];
	}
}

START_TEST(floats_as_doubles)
{
	static float f[2][PAIRS];
	static double d[2][PAIRS];
	struct shape shape = { 1, { PAIRS } };
	struct compared single, full;
	struct value *values[4];
	struct view views[4];

	put_floats(f[0], f[1], floats[_i].odd);
	for (size_t i = 0; i < 2 * PAIRS; i++)
		d[i / PAIRS][i % PAIRS] = f[i / PAIRS][i % PAIRS];
	for (int i = 0; i < 4; i++) {
		values[i] = i < 2 ? value_of_memory(DTYPE_FLOAT32, &shape, f[i], sizeof f[i])
		                  : value_of_memory(DTYPE_FLOAT64, &shape, d[i - 2], sizeof d[0]);
		view_all(&views[i], values[i]);
	}
	ck_assert(compare_views(&views[0], &views[1], &floats[_i].tolerance, &single, NULL, NULL));
	ck_assert(compare_views(&views[2], &views[3], &floats[_i].tolerance, &full, NULL, NULL));
	ck_assert_uint_gt(single.n_diff, 100);
	ck_assert_uint_eq(single.n_diff, full.n_diff);
	ck_assert_uint_eq(single.n_bad, full.n_bad);
	ck_assert_uint_gt(single.n_bits, 10);
	ck_assert_uint_eq(single.n_bits, full.n_bits);
	ck_assert_uint_eq(single.first, full.first);
	ck_assert(single.measured && single.max_abs == full.max_abs
	          && single.max_rel == full.max_rel);
	for (int i = 0; i < 4; i++)
		value_close(values[i]);
}
END_TEST

/* Every other column, counted from the right. */
START_TEST(views_count_their_own_elements)
{
	static const int32_t now[] = { 1, 2, 3, 4, 5, 6 }, before[] = { 1, 9, 3, 4, 5, 7 };
	struct shape shape = { 2, { 2, 3 } };
	struct value *x = value_of_memory(DTYPE_INT32, &shape, now, sizeof now);
	struct value *y = value_of_memory(DTYPE_INT32, &shape, before, sizeof before);
	struct tolerance exact = {0};
	struct compared got;
	struct err err = {0};
	struct view a, b;

	view_all(&a, x);
	a.start = 2;
	a.stride[1] = -2;
	a.shape.dim[1] = 2;
	a.count = 4;
	b = a;
	b.value = y;
	ck_assert(compare_views(&a, &b, &exact, &got, NULL, &err));
	ck_assert_uint_eq(got.total, 4);
	ck_assert_uint_eq(got.n_diff, 1);
	ck_assert_uint_eq(got.first, 2);
	ck_assert_uint_eq(got.max_whole, 1);
	value_close(x);
	value_close(y);
}
END_TEST

/* Stops at the second look. */
static void stop_soon(struct progress *progress)
{
	uint64_t *looks = progress->owner;

	if (++*looks == 2)
		atomic_store(&progress->cancel, true);
}

START_TEST(a_cancel_stops_it)
{
	static double elems[2 * 32768 + 5];
	struct shape shape = { 1, { ROWS(elems) } };
	struct value *x = value_of_memory(DTYPE_FLOAT64, &shape, elems, sizeof elems);
	uint64_t looks = 0;
	struct progress progress = { .tick = stop_soon, .owner = &looks };
	struct tolerance exact = {0};
	struct compared got;
	struct err err = {0};
	struct view a;

	view_all(&a, x);
	ck_assert(!compare_views(&a, &a, &exact, &got, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_uint_eq(looks, 2);
	value_close(x);
}
END_TEST

SUITE_MAIN("compare",
	tcase_add_test(t, as_numpy_has_it);
	tcase_add_loop_test(t, one_of_many, 0, N_PLACES);
	tcase_add_loop_test(t, floats_as_doubles, 0, ROWS(floats));
	tcase_add_test(t, views_count_their_own_elements);
	tcase_add_test(t, a_cancel_stops_it);
)
