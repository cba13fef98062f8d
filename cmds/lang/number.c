/*
 * Shortest digits: a float x = c * 2^q stands for every real number that reads back to it, from
 * half a step below to half a step above. With k so that this interval is at least 10^k but less
 * than 10^(k+1) wide, at most one multiple of 10^(k+1) lies in it; if there is one it is the
 * answer, else the nearer one of the two multiples of 10^k around x that are in it. x and the ends
 * of the interval are taken in units of 10^k, times 4, by one 64 x 128 bit product each. The last
 * bit of the result says "and a bit more", which is enough for exact comparisons.
 * Source: Raffaello Giulietti, The Schubfach way to render doubles.
 */
#include "cmds/lang/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "dump/base/wide.h"

#define POWER_MIN (-292)
#define POWER_MAX 324
#define FRACTION_WORDS 18       /* of 10^-292 with 128 bits to spare */

/*
 * 10^n is at least power[n - POWER_MIN] - 1 and less than power[n - POWER_MIN], in units that make
 * it 128 bits long.
 */
static wide_uint power[POWER_MAX - POWER_MIN + 1];
static once_flag power_made = ONCE_FLAG_INIT;

/* The top 128 bits of a number given as words, least first. */
static wide_uint top_bits(const uint64_t *word, int n)
{
	int shift;
	wide_uint top;

	while (n > 3 && word[n - 1] == 0)
		n--;
	shift = __builtin_clzll(word[n - 1]);
	top = (wide_uint)word[n - 1] << 64 | word[n - 2];
	return shift ? top << shift | word[n - 3] >> (64 - shift) : top;
}

static void make_powers(void)
{
	uint64_t word[FRACTION_WORDS + 3] = { 0 };
	int n = FRACTION_WORDS + 3;

	word[2] = 1;                    /* 10^0, two words up so that there always are 128 bits */
	for (int e = 0; e <= POWER_MAX; e++) {
		wide_uint carry = 0;

		power[e - POWER_MIN] = top_bits(word, n) + 1;
		for (int i = 2; i < n; i++) {
			carry += (wide_uint)word[i] * 10;
			word[i] = (uint64_t)carry;
			carry >>= 64;
		}
	}
	memset(word, 0, sizeof word);
	word[n - 1] = 1;                /* 10^0 as a fraction */
	for (int e = -1; e >= POWER_MIN; e--) {
		wide_uint rest = 0;

		for (int i = n - 1; i >= 0; i--) {
			rest = rest << 64 | word[i];
			word[i] = (uint64_t)(rest / 10);
			rest %= 10;
		}
		power[e - POWER_MIN] = top_bits(word, n) + 1;
	}
}

/* floor(log10(2^q)), floor(log10(2^q * 3 / 4)), floor(log2(10^e)) for any exponent of a double. */
static int log10_of_power2(int q)
{
	return (int)(((int64_t)q * 1262611) >> 22);
}

static int log10_of_three_quarters(int q)
{
	return (int)(((int64_t)q * 1262611 - 524031) >> 22);
}

static int log2_of_power10(int e)
{
	return (int)(((int64_t)e * 1741647) >> 19);
}

/* n * p / 2^128, rounded down, its last bit set if something was lost. */
static uint64_t times_power(uint64_t n, wide_uint p)
{
	wide_uint low = (wide_uint)n * (uint64_t)p;
	wide_uint high = (wide_uint)n * (uint64_t)(p >> 64) + (low >> 64);

	return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/*
 * The shortest decimal m * 10^*k for c * 2^q. uneven: the float below is only half as far as the
 * one above.
 */
static uint64_t shortest(uint64_t c, int q, bool uneven, int *k)
{
	uint64_t odd = c & 1, low, mid, high, m;
	bool below, above;
	int shift;
	wide_uint p;

	*k = uneven ? log10_of_three_quarters(q) : log10_of_power2(q);
	shift = q + log2_of_power10(-*k) + 1;
	p = power[-*k - POWER_MIN];
	mid = times_power((c << 2) << shift, p);
	low = times_power(((c << 2) - (uneven ? 1 : 2)) << shift, p) + odd;
	high = times_power(((c << 2) + 2) << shift, p) - odd;

	m = mid >> 2;
	if (m >= 10) {
		uint64_t tens = m / 10 * 10;

		below = low <= tens << 2;
		above = (tens + 10) << 2 <= high;
		if (below != above)
			return below ? tens : tens + 10;
	}
	below = low <= m << 2;
	above = (m + 1) << 2 <= high;
	if (below != above)
		return below ? m : m + 1;
	if (mid == (m << 2) + 2)
		return m + (m & 1);
	return mid < (m << 2) + 2 ? m : m + 1;
}

void shortest_digits(double x, int bits, struct digits *out)
{
	int precision = bits == 64 ? 53 : bits == 32 ? 24 : 11;
	int q_min = bits == 64 ? -1074 : bits == 32 ? -149 : -24;
	uint64_t raw, c, m;
	int q, exponent, k, n = 0;
	char text[24];

	call_once(&power_made, make_powers);
	memcpy(&raw, &x, sizeof raw);
	exponent = (int)(raw >> 52 & 0x7ff);
	c = raw & 0xfffffffffffff;
	if (exponent)
		c |= (uint64_t)1 << 52;
	else
		exponent = 1;
	q = exponent - 1075 + 53 - precision;
	if (q < q_min)
		q = q_min;
	c >>= q - (exponent - 1075);
	m = shortest(c, q, c == (uint64_t)1 << (precision - 1) && q > q_min, &k);
	while (m % 10 == 0) {
		m /= 10;
		k++;
	}
	for (; m; m /= 10)
		text[n++] = (char)('0' + m % 10);
	out->n = n;
	out->point = n + k;
	for (int i = 0; i < n; i++)
		out->digit[i] = text[n - 1 - i];
}

void rounded_digits(double x, int n, struct digits *out)
{
	char text[48];
	const char *p = text;

	snprintf(text, sizeof text, "%.*e", n - 1, fabs(x));
	out->n = 0;
	for (; *p && *p != 'e'; p++)    /* the locale's point is passed over, whatever it is */
		if (*p >= '0' && *p <= '9' && out->n < (int)sizeof out->digit)
			out->digit[out->n++] = *p;
	while (out->n > 1 && out->digit[out->n - 1] == '0')
		out->n--;
	out->point = *p ? (int)strtol(p + 1, NULL, 10) + 1 : 1;
}

/* Digits with a point and without an exponent. */
static void put_positional(struct str *out, const struct digits *d)
{
	if (d->point <= 0) {
		str_puts(out, "0.");
		str_fill(out, '0', (size_t)-d->point);
		str_put(out, d->digit, (size_t)d->n);
	} else if (d->point >= d->n) {
		str_put(out, d->digit, (size_t)d->n);
		str_fill(out, '0', (size_t)(d->point - d->n));
	} else {
		str_put(out, d->digit, (size_t)d->point);
		str_putc(out, '.');
		str_put(out, d->digit + d->point, (size_t)(d->n - d->point));
	}
}

static void put_with_exponent(struct str *out, const struct digits *d)
{
	int exponent = d->point - 1;

	str_putc(out, d->digit[0]);
	if (d->n > 1) {
		str_putc(out, '.');
		str_put(out, d->digit + 1, (size_t)d->n - 1);
	}
	str_fmt(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
}

/* True if x is nan, inf or zero, which have no digits. Puts it, without a sign. */
static bool put_special(struct str *out, double x)
{
	if (isnan(x))
		str_puts(out, "nan");
	else if (isinf(x))
		str_puts(out, "inf");
	else if (x == 0)
		str_putc(out, '0');
	else
		return false;
	return true;
}

/* Python's repr without the ".0" of whole numbers; says if such a ".0" belongs there. */
static bool put_part(struct str *out, double x, int bits)
{
	struct digits d;

	if (signbit(x) && !isnan(x))
		str_putc(out, '-');
	if (put_special(out, x))
		return x == 0;
	shortest_digits(x, bits, &d);
	if (fabs(x) < 1e-4 || fabs(x) >= 1e16) {
		put_with_exponent(out, &d);
		return false;
	}
	put_positional(out, &d);
	return d.point >= d.n;
}

void put_float(struct str *out, double x, int bits)
{
	if (put_part(out, x, bits))
		str_puts(out, ".0");
}

/* printf's %.6g, which no locale changes. */
static void put_small_float(struct str *out, double x)
{
	struct digits d;

	if (signbit(x) && !isnan(x))
		str_putc(out, '-');
	if (put_special(out, x))
		return;
	rounded_digits(x, 6, &d);
	if (d.point < -3 || d.point > 6)
		put_with_exponent(out, &d);
	else
		put_positional(out, &d);
}

static void put_complex(struct str *out, double real, double imag, int bits)
{
	bool has_real = real != 0 || signbit(real);

	if (has_real) {
		str_putc(out, '(');
		put_part(out, real, bits);
		if (!signbit(imag) || isnan(imag))
			str_putc(out, '+');
	}
	put_part(out, imag, bits);
	str_puts(out, has_real ? "j)" : "j");
}

void put_whole(struct str *out, const struct dtype_info *type, const void *elem)
{
	int64_t value = int_value(type->dtype, elem);

	if (type->dtype == DTYPE_UINT64)
		str_fmt(out, "%" PRIu64, (uint64_t)value);
	else
		str_fmt(out, "%" PRId64, value);
}

int float_parts(const struct dtype_info *type, const void *elem, double *real, double *imag)
{
	bool two = type->kind == KIND_COMPLEX;
	size_t bytes = two ? type->elem_bytes / 2 : type->elem_bytes;
	uint16_t half;
	float single[2] = { 0 };
	double full[2] = { 0 };

	switch (bytes) {
	case 2:
		memcpy(&half, elem, sizeof half);
		*real = half_value(half);
		*imag = 0;
		return 16;
	case 4:
		memcpy(single, elem, two ? 8 : 4);
		*real = single[0];
		*imag = single[1];
		return 32;
	default:
		memcpy(full, elem, two ? 16 : 8);
		*real = full[0];
		*imag = full[1];
		return 64;
	}
}

void put_scalar(struct str *out, const struct dtype_info *type, const void *elem)
{
	double real, imag;
	int bits;

	switch (type->kind) {
	case KIND_FLOAT:
		bits = float_parts(type, elem, &real, &imag);
		put_float(out, real, bits);
		break;
	case KIND_COMPLEX:
		bits = float_parts(type, elem, &real, &imag);
		put_complex(out, real, imag, bits);
		break;
	case KIND_SMALL_FLOAT:
		put_small_float(out, small_float_value(type->dtype, elem));
		break;
	case KIND_BOOL:
		str_puts(out, int_value(type->dtype, elem) ? "True" : "False");
		break;
	case KIND_QUANT:
		str_putc(out, '(');
		put_whole(out, type, elem);
		str_puts(out, ",)");
		break;
	default:
		put_whole(out, type, elem);
	}
}

void put_bytes_literal(struct str *out, const char *text, size_t len)
{
	char quote = memchr(text, '\'', len) && !memchr(text, '"', len) ? '"' : '\'';

	str_putc(out, 'b');
	str_putc(out, quote);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '\\' || c == (unsigned char)quote)
			str_fmt(out, "\\%c", c);
		else if (c == '\n')
			str_puts(out, "\\n");
		else if (c == '\r')
			str_puts(out, "\\r");
		else if (c == '\t')
			str_puts(out, "\\t");
		else if (c < 0x20 || c >= 0x7f)
			str_fmt(out, "\\x%02x", c);
		else
			str_putc(out, (char)c);
	}
	str_putc(out, quote);
}
