/*
 * One simple loop for each thing to know, so that the compiler makes vectors of them. What counts
 * as equal is made equal first: it has no gap then. gcc makes no vectors of the largest of doubles,
 * as NaN has no order: there they are written out.
 */
#include "dump/model/compare_floats.h"

#include <math.h>
#include <string.h>

#define INFINITE INT32_C(0x7f800000)

typedef float pair32 __attribute__((vector_size(8), aligned(4), may_alias));
typedef double pair64 __attribute__((vector_size(16)));
typedef int64_t mask64 __attribute__((vector_size(16)));
enum { LANES = 2 };

static void bits_of(const float *floats, size_t n, int32_t *bits)
{
	memcpy(bits, floats, n * sizeof *bits);
}

static bool are_finite(const int32_t *bits, size_t n)
{
	int32_t odd = 0;

	for (size_t i = 0; i < n; i++)
		odd |= (bits[i] & INT32_MAX) >= INFINITE;
	return !odd;
}

/* What is near enough becomes the same. */
static void settle(const float *now, const float *before, size_t n, const struct tolerance *t,
                   float *out)
{
	double atol = t->atol, rtol = t->rtol;

	for (size_t i = 0; i < n; i++) {
		double x = now[i], y = before[i];

		out[i] = fabs(x - y) <= atol + rtol * fabs(y) ? now[i] : before[i];
	}
}

static size_t count_differing(const float *now, const float *before, size_t n)
{
	int32_t same = 0;

	for (size_t i = 0; i < n; i++)
		same += now[i] == before[i];
	return n - (size_t)same;
}

/* Of finite floats those that are equal and written otherwise are zeros. */
static size_t count_other_zeros(const int32_t *now, const int32_t *before, size_t n)
{
	int32_t others = 0;

	for (size_t i = 0; i < n; i++)
		others += ((now[i] | before[i]) & INT32_MAX) == 0 && now[i] != before[i];
	return (size_t)others;
}

static pair64 size_of(pair64 v)
{
	return (pair64)((mask64)v & INT64_MAX);
}

/* In each lane the larger one; NaN is no larger than anything. */
static pair64 larger(pair64 v, pair64 high)
{
	mask64 more = v > high;

	return (pair64)(((mask64)v & more) | ((mask64)high & ~more));
}

static void add_gap(struct compared *out, double gap, double rel)
{
	out->max_abs = gap > out->max_abs ? gap : out->max_abs;
	out->max_rel = rel > out->max_rel ? rel : out->max_rel;
}

/* Where there is no gap the ratio is 0 or NaN. */
static void add_gaps(const float *now, const float *before, size_t n, struct compared *out)
{
	pair64 abs = { 0 }, rel = { 0 };
	size_t i = 0;

	for (; i + LANES <= n; i += LANES) {
		pair64 x = __builtin_convertvector(*(const pair32 *)(now + i), pair64);
		pair64 y = __builtin_convertvector(*(const pair32 *)(before + i), pair64);
		pair64 gap = size_of(x - y);

		abs = larger(gap, abs);
		rel = larger(gap / size_of(y), rel);
	}
	for (; i < n; i++) {
		double gap = fabs((double)now[i] - before[i]);

		add_gap(out, gap, gap / fabs((double)before[i]));
	}
	for (int k = 0; k < LANES; k++)
		add_gap(out, abs[k], rel[k]);
}

/* The place of a finite float among all floats, 0 for both zeros. */
static int32_t place_of(int32_t bits)
{
	int32_t sign = bits >> 31;

	return ((bits & INT32_MAX) ^ sign) - sign;
}

static void add_ulps(const int32_t *now, const int32_t *before, size_t n, struct compared *out)
{
	uint32_t most = 0;

	for (size_t i = 0; i < n; i++) {
		int32_t x = place_of(now[i]), y = place_of(before[i]);
		uint32_t gap = x > y ? (uint32_t)x - (uint32_t)y : (uint32_t)y - (uint32_t)x;

		most = gap > most ? gap : most;
	}
	out->max_ulps = most > out->max_ulps ? most : out->max_ulps;
}

bool compare_floats(const float *now, const float *before, size_t n, const struct tolerance *t,
                    uint64_t at, struct compared *out)
{
	int32_t a[COMPARE_FLOATS_MOST], b[COMPARE_FLOATS_MOST];
	float settled[COMPARE_FLOATS_MOST];
	size_t n_diff;

	bits_of(now, n, a);
	bits_of(before, n, b);
	if (!are_finite(a, n) || !are_finite(b, n))
		return false;
	out->n_bits += count_other_zeros(a, b, n);
	if (t->atol > 0 || t->rtol > 0) {
		settle(now, before, n, t, settled);
		before = settled;
		bits_of(before, n, b);
	}
	n_diff = count_differing(now, before, n);
	if (!n_diff)
		return true;
	for (size_t i = 0; !out->n_diff; i++)
		if (now[i] != before[i]) {
			out->first = at + i;
			break;
		}
	out->n_diff += n_diff;
	out->measured = true;
	add_gaps(now, before, n, out);
	add_ulps(a, b, n, out);
	return true;
}
