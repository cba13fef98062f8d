/*
 * Windows whose bytes are the same hold no difference (unless NaN is one), and most windows of two
 * runs are; only the others are looked at element by element. Floats of all sizes are compared as
 * doubles, which hold each of them; integers as a sign and 64 bits, so that differences and ratios
 * of any two are exact.
 */
#include "dump/model/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/wide.h"
#include "dump/model/compare_floats.h"

#define WINDOW_BYTES (256 * 1024)
#define STEP_STRINGS 1024        /* between two looks at progress */

/* A number of integer type. */
struct whole {
	bool negative;
	uint64_t size;           /* the absolute value */
};

/* One comparison. */
struct work {
	const struct dtype_info *type;
	const struct tolerance *tolerance;
	struct compared *out;
	struct { uint64_t num, den; } rel; /* of integers: the largest ratio; den 0: infinite */
};

/* Floats. */

static double real_of(const struct dtype_info *type, const unsigned char *elem)
{
	uint16_t half;
	float single;
	double full;

	if (type->kind == KIND_SMALL_FLOAT)
		return small_float_value(type->dtype, elem);
	switch (type->elem_bytes) {
	case 2:
		memcpy(&half, elem, sizeof half);
		return half_value(half);
	case 4:
		memcpy(&single, elem, sizeof single);
		return single;
	default:
		memcpy(&full, elem, sizeof full);
		return full;
	}
}

/* The place of a finite float among all floats of its type, 0 for both zeros. */
static int64_t place_of(const unsigned char *elem, size_t bytes)
{
	uint64_t bits = 0, sign = UINT64_C(1) << (8 * bytes - 1);

	for (size_t i = 0; i < bytes; i++)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		bits = bits << 8 | elem[i];
#else
		bits |= (uint64_t)elem[i] << 8 * i;
#endif
	return bits & sign ? -(int64_t)(bits & ~sign) : (int64_t)bits;
}

static uint64_t places_between(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static bool near(double gap, double before, const struct tolerance *t)
{
	return gap <= t->atol + t->rtol * before;
}

static bool reals_differ(double now, double before, const struct tolerance *t)
{
	if (now == before)
		return false;
	if (isnan(now) && isnan(before))
		return t->nan_differs;
	return !isfinite(now) || !isfinite(before) || !near(fabs(now - before), fabs(before), t);
}

static void add_gap(struct compared *out, double gap, double rel)
{
	out->measured = true;
	out->max_abs = gap > out->max_abs ? gap : out->max_abs;
	out->max_rel = rel > out->max_rel ? rel : out->max_rel;
}

/* What two that differ tell. */
static void add_real(struct work *w, const unsigned char *now, const unsigned char *before)
{
	struct compared *out = w->out;
	double x = real_of(w->type, now), y = real_of(w->type, before), gap = fabs(x - y), rel;
	uint64_t ulps;

	if (!isfinite(x) || !isfinite(y)) {
		out->n_bad++;
		return;
	}
	rel = isfinite(gap) ? gap / fabs(y) : 2 * (fabs(x / 2 - y / 2) / fabs(y));
	add_gap(out, gap, rel);
	ulps = places_between(place_of(now, w->type->elem_bytes),
	                      place_of(before, w->type->elem_bytes));
	out->max_ulps = ulps > out->max_ulps ? ulps : out->max_ulps;
}

/* Complex numbers. */

struct parts {
	double re, im;
};

static struct parts parts_of(const struct dtype_info *type, const unsigned char *elem)
{
	float single[2];
	double full[2];

	if (type->elem_bytes == sizeof full) {
		memcpy(full, elem, sizeof full);
		return (struct parts){ full[0], full[1] };
	}
	memcpy(single, elem, sizeof single);
	return (struct parts){ single[0], single[1] };
}

static bool is_nan(struct parts z)
{
	return isnan(z.re) || isnan(z.im);
}

static bool is_finite(struct parts z)
{
	return isfinite(z.re) && isfinite(z.im);
}

static bool complex_differ(struct parts now, struct parts before, const struct tolerance *t)
{
	if (now.re == before.re && now.im == before.im)
		return false;
	if (is_nan(now) && is_nan(before))
		return t->nan_differs;
	return !is_finite(now) || !is_finite(before) ||
	       !near(hypot(now.re - before.re, now.im - before.im), hypot(before.re, before.im), t);
}

static void add_complex(struct work *w, struct parts x, struct parts y)
{
	double gap = hypot(x.re - y.re, x.im - y.im), size = hypot(y.re, y.im);

	if (!is_finite(x) || !is_finite(y)) {
		w->out->n_bad++;
		return;
	}
	if (isfinite(gap) && isfinite(size))
		add_gap(w->out, gap, gap / size);
	else
		add_gap(w->out, gap, hypot(x.re / 4 - y.re / 4, x.im / 4 - y.im / 4) /
		                     hypot(y.re / 4, y.im / 4));
}

/* Integers. */

static struct whole whole_of(const struct dtype_info *type, const unsigned char *elem)
{
	int64_t value = int_value(type->dtype, elem);

	if (type->kind == KIND_UINT || value >= 0)
		return (struct whole){ false, (uint64_t)value };
	return (struct whole){ true, -(uint64_t)value };
}

/* It fits: both are of one type of at most 64 bits. */
static uint64_t gap_of(struct whole x, struct whole y)
{
	if (x.negative != y.negative)
		return x.size + y.size;
	return x.size > y.size ? x.size - y.size : y.size - x.size;
}

/* A long double has room for 64 bits where the machine has such a type. */
static bool wholes_differ(struct whole now, struct whole before, const struct tolerance *t)
{
	uint64_t gap = gap_of(now, before);

	return gap && !(gap <= (long double)t->atol + (long double)t->rtol * before.size);
}

static void add_whole(struct work *w, struct whole now, struct whole before)
{
	struct compared *out = w->out;
	uint64_t gap = gap_of(now, before);

	if (!out->measured) {
		w->rel.num = gap;
		w->rel.den = before.size;
	} else if ((wide_uint)gap * w->rel.den > (wide_uint)w->rel.num * before.size) {
		w->rel.num = gap;
		w->rel.den = before.size;
	}
	out->measured = true;
	out->max_whole = gap > out->max_whole ? gap : out->max_whole;
}

/* The double nearest to a ratio. */
static double ratio(uint64_t num, uint64_t den)
{
	int up, down;
	wide_uint top, quotient;

	if (!den)
		return INFINITY;
	if (!num)
		return 0;
	up = __builtin_clzll(num);
	down = __builtin_clzll(den);
	top = (wide_uint)(num << up) << 64;
	den <<= down;
	quotient = top / den; /* at least 64 bits: the lowest says "and something more" */
	quotient |= top % den != 0;
	return ldexp((double)quotient, down - up - 64);
}

/* Elements. */

bool elems_differ(const struct dtype_info *type, const void *now, const void *before,
                  const struct tolerance *t)
{
	switch (type->kind) {
	case KIND_FLOAT:
	case KIND_SMALL_FLOAT:
		return reals_differ(real_of(type, now), real_of(type, before), t);
	case KIND_COMPLEX:
		return complex_differ(parts_of(type, now), parts_of(type, before), t);
	case KIND_BOOL:
		return int_value(type->dtype, now) != int_value(type->dtype, before);
	default:
		return wholes_differ(whole_of(type, now), whole_of(type, before), t);
	}
}

static void add_difference(struct work *w, uint64_t at, const unsigned char *now,
                           const unsigned char *before)
{
	if (!w->out->n_diff++)
		w->out->first = at;
	switch (w->type->kind) {
	case KIND_FLOAT:
	case KIND_SMALL_FLOAT:
		add_real(w, now, before);
		break;
	case KIND_COMPLEX:
		add_complex(w, parts_of(w->type, now), parts_of(w->type, before));
		break;
	case KIND_BOOL:
	case KIND_STRING:
		break;
	default:
		add_whole(w, whole_of(w->type, now), whole_of(w->type, before));
		break;
	}
}

static bool is_of_floats(const struct dtype_info *type)
{
	return type->kind == KIND_FLOAT || type->kind == KIND_SMALL_FLOAT ||
	       type->kind == KIND_COMPLEX;
}

static void add_elems(struct work *w, uint64_t first, const unsigned char *now,
                      const unsigned char *before, size_t n)
{
	static const struct tolerance exact = {0};
	size_t size = w->type->elem_bytes;
	bool of_floats = is_of_floats(w->type);

	for (size_t i = 0; i < n; i++, now += size, before += size) {
		bool differ = elems_differ(w->type, now, before, w->tolerance);

		if (differ)
			add_difference(w, first + i, now, before);
		/* Two that are near enough may be unequal; two NaN that differ are NaN still. */
		if (of_floats && (!differ || w->tolerance->nan_differs) &&
		    memcmp(now, before, size) && !elems_differ(w->type, now, before, &exact))
			w->out->n_bits++;
	}
}

static void add_floats(struct work *w, uint64_t first, const unsigned char *now,
                       const unsigned char *before, size_t n)
{
	const float *x = (const void *)now, *y = (const void *)before;

	for (size_t i = 0; i < n; i += COMPARE_FLOATS_MOST) {
		size_t some = n - i < COMPARE_FLOATS_MOST ? n - i : COMPARE_FLOATS_MOST;

		if (!compare_floats(x + i, y + i, some, w->tolerance, first + i, w->out))
			add_elems(w, first + i, now + i * sizeof *x, before + i * sizeof *y, some);
	}
}

/* Windows are as aligned as memory is. */
static void add_window(struct work *w, uint64_t first, const unsigned char *now,
                       const unsigned char *before, size_t n)
{
	if (!w->tolerance->nan_differs && !memcmp(now, before, n * w->type->elem_bytes))
		return;
	if (w->type->dtype == DTYPE_FLOAT32)
		add_floats(w, first, now, before, n);
	else
		add_elems(w, first, now, before, n);
}

/* Arrays. */

static bool stopped(uint64_t done, uint64_t total, struct err *err)
{
	return err_at(err, ERR_CANCELLED, "command", 0,
	              "stopped after %" PRIu64 " of %" PRIu64 " elements", done, total);
}

static bool compare_windows(struct work *w, struct view *now, struct view *before,
                            struct progress *progress, struct err *err)
{
	size_t size = w->type->elem_bytes, room = WINDOW_BYTES / size;
	uint64_t total = now->count;
	size_t cap = total < room ? (size_t)total : room;
	unsigned char *a = mem_alloc(2 * cap * size + 1), *b = a + cap * size;
	bool ok = true;

	for (uint64_t done = 0; ok && done < total; ) {
		size_t n = total - done < cap ? (size_t)(total - done) : cap;

		ok = view_read(now, done, n, a, err) && view_read(before, done, n, b, err);
		if (ok)
			add_window(w, done, a, b, n);
		done += n;
		if (ok && !progress_step(progress, done, total))
			ok = stopped(done, total, err);
	}
	free(a);
	return ok;
}

static bool compare_strings(struct work *w, struct view *now, struct view *before,
                            struct progress *progress, struct err *err)
{
	const char *a, *b;
	size_t n, m;

	for (uint64_t i = 0; i < now->count; i++) {
		if (!(i % STEP_STRINGS) && !progress_step(progress, i, now->count))
			return stopped(i, now->count, err);
		if (!view_string(now, i, &a, &n, err) || !view_string(before, i, &b, &m, err))
			return false;
		if (n != m || memcmp(a, b, n))
			add_difference(w, i, NULL, NULL);
	}
	return true;
}

bool compare_views(struct view *now, struct view *before, const struct tolerance *tolerance,
                   struct compared *out, struct progress *progress, struct err *err)
{
	const struct dtype_info *type = now->value->type;
	struct work w = { .type = type, .tolerance = tolerance, .out = out };
	bool ok;

	*out = (struct compared){ .total = now->count };
	ok = type->kind == KIND_STRING ? compare_strings(&w, now, before, progress, err)
	                               : compare_windows(&w, now, before, progress, err);
	if (!ok || !out->measured)
		return ok;
	out->whole = type->kind == KIND_INT || type->kind == KIND_UINT || type->kind == KIND_QUANT;
	out->has_ulps = type->kind == KIND_FLOAT || type->kind == KIND_SMALL_FLOAT;
	if (out->whole) {
		out->max_abs = (double)out->max_whole;
		out->max_rel = ratio(w.rel.num, w.rel.den);
	}
	return true;
}

struct tolerance tolerance_of(const struct tolerance *tolerance, const struct dtype_info *type)
{
	/* What torch.testing.assert_close takes by default; a complex number as its parts. */
	static const struct { enum dtype dtype; double rtol, atol; } close[] = {
		{ DTYPE_FLOAT16, 1e-3, 1e-5 }, { DTYPE_BFLOAT16, 1.6e-2, 1e-5 },
		{ DTYPE_FLOAT32, 1.3e-6, 1e-5 }, { DTYPE_FLOAT64, 1e-7, 1e-7 },
		{ DTYPE_COMPLEX64, 1.3e-6, 1e-5 }, { DTYPE_COMPLEX128, 1e-7, 1e-7 },
	};
	struct tolerance out = *tolerance;

	if (!out.by_type)
		return out;
	out.by_type = false;
	out.atol = out.rtol = 0;
	for (size_t i = 0; i < sizeof close / sizeof *close; i++)
		if (close[i].dtype == type->dtype) {
			out.rtol = close[i].rtol;
			out.atol = close[i].atol;
		}
	return out;
}
