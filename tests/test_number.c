/*
 * Digits are held against printf: for every value, the fewest digits that read back. printf alone
 * is not enough where the float below is nearer than the one above, there the next decimal up is
 * tried as well.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/lang/format.h"
#include "cmds/lang/number.h"
#include "cmds/profile/profile_time.h"
#include "tests/suite.h"

/* Does the decimal read back to x, which is a float of that many bits? */
static bool reads_back(const char *text, double x, int bits)
{
	double y = strtod(text, NULL), step;
	int exponent;

	if (bits == 64)
		return y == x;
	if (bits == 32)
		return strtof(text, NULL) == (float)x;
	frexp(x, &exponent);
	step = ldexp(1, exponent - 11 < -24 ? -24 : exponent - 11);
	if (y < x && x == ldexp(0.5, exponent) && x > 0x1p-14)
		step /= 2;
	return fabs(y - x) < step / 2 || (fabs(y - x) == step / 2 && fmod(x / step, 2) == 0);
}

static void expected_digits(double x, int bits, struct digits *out)
{
	char text[40], up[40];
	unsigned long long m;
	int n = 0, exponent;

	do {
		snprintf(text, sizeof text, "%.*e", n, x);
		exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
		if (reads_back(text, x, bits))
			break;
		m = 0;
		for (const char *p = text; *p != 'e'; p++)
			m = *p == '.' ? m : m * 10 + (unsigned)(*p - '0');
		snprintf(up, sizeof up, "%llue%d", m + 1, exponent - n);
		if (reads_back(up, x, bits)) {
			snprintf(text, sizeof text, "%llue%d", m + 1, exponent);
			break;
		}
	} while (++n < 17);
	out->n = 0;
	for (const char *p = text; *p != 'e'; p++)
		if (*p != '.')
			out->digit[out->n++] = *p;
	out->point = exponent + 1;
	while (out->n > 1 && out->digit[out->n - 1] == '0')
		out->n--;
}

static void check_digits(double x, int bits)
{
	struct digits got, want;

	shortest_digits(x, bits, &got);
	expected_digits(fabs(x), bits, &want);
	ck_assert_msg(got.n == want.n && got.point == want.point &&
	                      !memcmp(got.digit, want.digit, (size_t)got.n),
	              "%d bits, %a: 0.%.*se%d, not 0.%.*se%d", bits, x, got.n, got.digit,
	              got.point, want.n, want.digit, want.point);
}

START_TEST(digits_of_every_half)
{
	for (uint32_t bits = 1; bits < 0x7c00; bits++)
		check_digits(half_value((uint16_t)bits), 16);
}
END_TEST

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state ^ *state >> 29;
}

START_TEST(digits_of_random_floats)
{
	uint64_t state = 1;

	for (int i = 0; i < 40000; i++) {
		uint64_t bits = next_random(&state);
		uint32_t low = (uint32_t)bits;
		double x;
		float y;

		memcpy(&x, &bits, sizeof x);
		memcpy(&y, &low, sizeof y);
		if (isfinite(x) && x != 0)
			check_digits(x, 64);
		if (isfinite(y) && y != 0)
			check_digits(y, 32);
		check_digits((double)(1 + bits % 1000000) / 1000, 64);
		check_digits((float)(1 + bits % 1000000) / 1000, 32);
	}
}
END_TEST

START_TEST(digits_of_powers_of_two)
{
	for (int e = -1074; e < 1024; e++) {
		check_digits(ldexp(1, e), 64);
		check_digits(nextafter(ldexp(1, e), INFINITY), 64);
		if (e > -1074)
			check_digits(nextafter(ldexp(1, e), 0), 64);
		if (e >= -149 && e < 128)
			check_digits(ldexp(1, e), 32);
	}
}
END_TEST

static const struct { double x; int n; const char *digits; int point; } rounded[] = {
	{ 0.125, 2, "12", 0 }, { 0.375, 2, "38", 0 }, { 9.9999, 2, "1", 2 }, { 1200, 9, "12", 4 },
	{ 1e-5, 3, "1", -4 }, { 0.1, 17, "10000000000000001", 0 }, { -2.5, 1, "2", 1 },
};

START_TEST(rounds_exact_values)
{
	struct digits d;

	rounded_digits(rounded[_i].x, rounded[_i].n, &d);
	ck_assert_int_eq(d.n, (int)strlen(rounded[_i].digits));
	ck_assert_int_eq(memcmp(d.digit, rounded[_i].digits, (size_t)d.n), 0);
	ck_assert_int_eq(d.point, rounded[_i].point);
}
END_TEST

static const struct { double x; int bits; const char *text; } floats[] = {
	{ 3, 64, "3.0" },
	{ 0.375, 64, "0.375" },
	{ 68788952, 32, "68788950.0" },
	{ 1e-5, 64, "1e-05" },
	{ 1.5e-7, 64, "1.5e-07" },
	{ 1e16, 64, "1e+16" },
	{ 1e15, 64, "1000000000000000.0" },
	{ 1e-4, 64, "0.0001" },
	{ 1e-4f, 32, "1e-04" },
	{ -0.0, 64, "-0.0" },
	{ 0, 32, "0.0" },
	{ NAN, 64, "nan" },
	{ -INFINITY, 32, "-inf" },
	{ INFINITY, 16, "inf" },
	{ 65504, 16, "65500.0" },
	{ 5e-324, 64, "5e-324" },
	{ 1.25e100, 64, "1.25e+100" },
	{ 0x1p-6, 16, "0.01563" },
	{ 9007199254740992, 64, "9007199254740992.0" },
	{ 0.1f, 32, "0.1" },
};

START_TEST(single_floats)
{
	struct str out = { 0 };

	put_float(&out, floats[_i].x, floats[_i].bits);
	ck_assert_str_eq(out.text, floats[_i].text);
	str_release(&out);
}
END_TEST

#define BYTES(...) { __VA_ARGS__ }
static const struct { enum dtype dtype; unsigned char elem[16]; const char *text; } scalars[] = {
	{ DTYPE_INT8, BYTES(0xff), "-1" },
	{ DTYPE_UINT8, BYTES(0xff), "255" },
	{ DTYPE_BOOL, BYTES(1), "True" },
	{ DTYPE_BOOL, BYTES(0), "False" },
	{ DTYPE_QINT16, BYTES(0, 0xc0), "(-16384,)" },
	{ DTYPE_QUINT8, BYTES(5), "(5,)" },
	{ DTYPE_INT4, BYTES(0x0f), "-1" },
	{ DTYPE_UINT4, BYTES(0x0f), "15" },
	{ DTYPE_INT2, BYTES(0x02), "-2" },
	{ DTYPE_UINT2, BYTES(0x02), "2" },
	{ DTYPE_UINT64, BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
	  "18446744073709551615" },
	{ DTYPE_INT64, BYTES(0, 0, 0, 0, 0, 0, 0, 0x80), "-9223372036854775808" },
	{ DTYPE_BFLOAT16, BYTES(0xab, 0x3e), "0.333984" },
	{ DTYPE_BFLOAT16, BYTES(0x80, 0x3f), "1" },
	{ DTYPE_BFLOAT16, BYTES(0xad, 0x60), "9.97277e+19" },
	{ DTYPE_BFLOAT16, BYTES(0x80, 0xff), "-inf" },
	{ DTYPE_BFLOAT16, BYTES(0xc0, 0x7f), "nan" },
	{ DTYPE_BFLOAT16, BYTES(0x20, 0xc0), "-2.5" },
	{ DTYPE_FLOAT8_E5M2, BYTES(0x7c), "inf" },
	{ DTYPE_FLOAT8_E5M2, BYTES(0x3c), "1" },
	{ DTYPE_FLOAT8_E4M3FN, BYTES(0x7e), "448" },
	{ DTYPE_FLOAT8_E4M3FN, BYTES(0xff), "nan" },
	{ DTYPE_FLOAT8_E4M3FN, BYTES(0x01), "0.00195312" },
	{ DTYPE_FLOAT8_E4M3FNUZ, BYTES(0x40), "1" },
	{ DTYPE_FLOAT8_E4M3FNUZ, BYTES(0x80), "nan" },
	{ DTYPE_FLOAT8_E4M3B11FNUZ, BYTES(0x58), "1" },
	{ DTYPE_FLOAT8_E5M2FNUZ, BYTES(0xc0), "-1" },
	{ DTYPE_FLOAT16, BYTES(0x00, 0xc0), "-2.0" },
	{ DTYPE_FLOAT32, BYTES(0, 0, 0xc0, 0x7f), "nan" },
	{ DTYPE_COMPLEX64, BYTES(0, 0, 0x80, 0x3f, 0, 0, 0, 0x40), "(1+2j)" },
	{ DTYPE_COMPLEX64, BYTES(0, 0, 0, 0, 0, 0, 0x40, 0x40), "3j" },
	{ DTYPE_COMPLEX64, BYTES(0, 0, 0, 0x80, 0, 0, 0x40, 0xc0), "(-0-3j)" },
	{ DTYPE_COMPLEX64, BYTES(0, 0, 0xc0, 0x7f, 0, 0, 0xc0, 0x7f), "(nan+nanj)" },
};

START_TEST(single_elements)
{
	struct str out = { 0 };

	put_scalar(&out, dtype_info(scalars[_i].dtype), scalars[_i].elem);
	ck_assert_str_eq(out.text, scalars[_i].text);
	str_release(&out);
}
END_TEST

static const struct { const char *bytes; size_t len; const char *text; } literals[] = {
	{ "abc", 3, "b'abc'" },
	{ "", 0, "b''" },
	{ "it's", 4, "b\"it's\"" },
	{ "say \"hi\"", 8, "b'say \"hi\"'" },
	{ "both ' and \"", 12, "b'both \\' and \"'" },
	{ "a\n\r\t\\", 5, "b'a\\n\\r\\t\\\\'" },
	{ "\xff\xfe\0raw", 6, "b'\\xff\\xfe\\x00raw'" },
	{ "\x7f\x1f~", 3, "b'\\x7f\\x1f~'" },
};

START_TEST(bytes_literals)
{
	struct str out = { 0 };

	put_bytes_literal(&out, literals[_i].bytes, literals[_i].len);
	ck_assert_str_eq(out.text, literals[_i].text);
	str_release(&out);
}
END_TEST

static const struct { uint64_t wire; const char *name; } types[] = {
	{ 1, "float32" }, { 101, "float32" },   { 14, "bfloat16" }, { 32, "uint2" },
	{ 132, "uint2" }, { 0, NULL },          { 33, NULL },       { 100, NULL },
	{ 133, NULL },    { UINT64_MAX, NULL }, { 99, NULL },       { 199, NULL },
};

START_TEST(types_by_wire_number)
{
	const struct dtype_info *info = dtype_on_wire(types[_i].wire);

	if (!types[_i].name)
		ck_assert_ptr_null(info);
	else
		ck_assert_str_eq(info->name, types[_i].name);
}
END_TEST

static const int64_t times_us[] = {
	1, -1, 999, 123456789, 9999999999, -9999999999, 10000000000, -10000000000, 12345678901234,
	INT64_MAX, INT64_MIN,
};

START_TEST(unit_times_are_as_printf)
{
	static const struct { double us; const char *name; } units[N_TIME_UNITS] = {
		{ 1, "us" }, { 1e3, "ms" }, { 1e6, "s" },
	};

	for (int unit = 0; unit < N_TIME_UNITS; unit++) {
		struct str got = {0};
		char want[64];

		snprintf(want, sizeof want, "%.10g%s", (double)times_us[_i] / units[unit].us,
		         units[unit].name);
		put_unit_time(&got, times_us[_i], (enum time_unit)unit);
		ck_assert_str_eq(got.text, want);
		ck_assert_uint_eq(unit_time_length(times_us[_i], (enum time_unit)unit), got.len);
		str_release(&got);
	}
}
END_TEST

/* As printf rounds the quotient, which a double holds exactly; halves among them. */
START_TEST(sizes_are_as_printf)
{
	static const struct { int64_t unit; char letter; } units[] = {
		{ 1 << 10, 'k' }, { 1 << 20, 'M' }, { 1 << 30, 'G' },
	};
	int64_t unit = units[_i].unit, last = _i == 2 ? INT64_C(1) << 50 : 1023 * unit;
	uint64_t dice = 7;
	char want[40];

	for (int i = 0; i < 20000; i++) {
		int64_t bytes = unit + unit / 200 * i;
		struct str got = {0};

		if (i % 2) {
			dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407;
			bytes = unit + (int64_t)((dice >> 12) % (uint64_t)last);
		}
		if (_i < 2 && bytes >= 1024 * unit)
			continue;
		snprintf(want, sizeof want, "%.2f%c", (double)bytes / (double)unit,
		         units[_i].letter);
		put_size(&got, bytes);
		ck_assert_str_eq(got.text, want);
		str_release(&got);
	}
}
END_TEST

START_TEST(small_sizes_are_bytes)
{
	struct str got = {0};

	put_size(&got, 0);
	put_size(&got, 1023);
	put_size(&got, -1);
	ck_assert_str_eq(got.text, "01023None");
	str_release(&got);
}
END_TEST

/* Four digits, and a unit in which they are at least 1. */
static const struct { int64_t ns; const char *text; } fitting[] = {
	{ 0, "0" }, { 1, "1ns" }, { 999, "999ns" }, { 1000, "1.000us" }, { 9999, "9.999us" },
	{ 10000, "10.00us" }, { 99990, "99.99us" }, { 100000, "100.0us" }, { 999900, "999.9us" },
	{ 1000000, "1.000ms" }, { 999900000, "999.9ms" }, { 1000000000, "1.000s" },
	{ -999, "-999ns" }, { -10000, "-10.00us" },
};

START_TEST(times_have_fitting_units)
{
	struct str out = {0};

	put_time(&out, fitting[_i].ns, UNIT_AUTO);
	ck_assert_str_eq(out.text, fitting[_i].text);
	str_release(&out);
}
END_TEST

SUITE_MAIN("number",
	tcase_add_loop_test(t, times_have_fitting_units, 0, ROWS(fitting));
	tcase_add_loop_test(t, sizes_are_as_printf, 0, 3);
	tcase_add_test(t, small_sizes_are_bytes);
	tcase_add_test(t, digits_of_every_half);
	tcase_add_test(t, digits_of_random_floats);
	tcase_add_test(t, digits_of_powers_of_two);
	tcase_add_loop_test(t, rounds_exact_values, 0, ROWS(rounded));
	tcase_add_loop_test(t, single_floats, 0, ROWS(floats));
	tcase_add_loop_test(t, single_elements, 0, ROWS(scalars));
	tcase_add_loop_test(t, bytes_literals, 0, ROWS(literals));
	tcase_add_loop_test(t, unit_times_are_as_printf, 0, ROWS(times_us));
	tcase_add_loop_test(t, types_by_wire_number, 0, ROWS(types));
)
