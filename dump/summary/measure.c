/*
 * Counts, extremes and moments are those of dump/model/stats.h, which sums in blocks of a fixed
 * size; types it does not know are counted here. Then the exponents are counted.
 */
#include "dump/summary/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/stats.h"

#define HELD_MOST (UINT64_C(16) << 20)   /* bytes of a value that is read once */

enum { WINDOW = 8192 };          /* elements */
/* How many elements have which exponent from `least` on, by sign: n of each. */
struct tally {
	int least, n;
	uint64_t *below, *above;
};

typedef void elems_use(void *context, const struct dtype_info *type, const unsigned char *elems,
                       size_t n);

static bool each_window(struct value *value, elems_use *use, void *context,
                        struct progress *progress, struct err *err)
{
	size_t room = value->count < WINDOW ? (size_t)value->count : WINDOW;
	unsigned char *elems = mem_alloc(room * value->type->elem_bytes + 1);
	bool ok = true;

	for (uint64_t at = 0; ok && at < value->count; at += WINDOW) {
		size_t n = value->count - at < WINDOW ? (size_t)(value->count - at) : WINDOW;

		ok = value_read(value, at, n, elems, err);
		if (ok)
			use(context, value->type, elems, n);
		if (ok && progress_cancelled(progress))
			ok = err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
	}
	free(elems);
	return ok;
}

/* ---- exponents */

/* The smallest double is 2^-1074, of all other types 2^-149; below 2^128 are all but doubles. */
static struct tally tally_of(const struct dtype_info *type)
{
	struct tally t = { .least = -149, .n = 149 + 128 };

	if (type->dtype == DTYPE_FLOAT64)
		t = (struct tally){ .least = -1074, .n = 1074 + 1024 };
	t.below = mem_alloc(2 * (size_t)t.n * sizeof *t.below);
	t.above = t.below + t.n;
	return t;
}

static void tally_double(struct tally *t, double x)
{
	if (isfinite(x) && x != 0)
		(x < 0 ? t->below : t->above)[ilogb(x) - t->least]++;
}

/* What most tensors are: the exponent is read from the bits. */
static void tally_floats(struct tally *t, const float *elems, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t bits, exponent;

		memcpy(&bits, &elems[i], sizeof bits);
		exponent = bits >> 23 & 0xff;
		if (exponent == 0)
			tally_double(t, elems[i]);
		else if (exponent < 0xff)
			(bits >> 31 ? t->below : t->above)[(int)exponent - 127 - t->least]++;
	}
}

static void tally_whole(struct tally *t, uint64_t size, bool negative)
{
	if (size)
		(negative ? t->below : t->above)[63 - __builtin_clzll(size) - t->least]++;
}

static void tally_elem(struct tally *t, const struct dtype_info *type, const unsigned char *elem)
{
	int64_t whole;
	double real;
	uint16_t half;

	switch (type->kind) {
	case KIND_FLOAT:
		if (type->elem_bytes == sizeof half) {
			memcpy(&half, elem, sizeof half);
			real = half_value(half);
		} else {
			memcpy(&real, elem, sizeof real);
		}
		tally_double(t, real);
		break;
	case KIND_SMALL_FLOAT:
		tally_double(t, small_float_value(type->dtype, elem));
		break;
	case KIND_UINT:
		tally_whole(t, (uint64_t)int_value(type->dtype, elem), false);
		break;
	default:
		whole = int_value(type->dtype, elem);
		tally_whole(t, whole < 0 ? -(uint64_t)whole : (uint64_t)whole, whole < 0);
	}
}

static void tally_window(void *context, const struct dtype_info *type, const unsigned char *elems,
                         size_t n)
{
	if (type->dtype == DTYPE_FLOAT32) {
		tally_floats(context, (const float *)(const void *)elems, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		tally_elem(context, type, elems + i * type->elem_bytes);
}

#define TAKE_BINS(out, t, counts) \
	for (int i = 0; i < (t).n; i++) \
		if ((counts)[i]) \
			vec_push(out, ((struct summary_bin){ i + (t).least, (counts)[i] }))

static bool count_exponents(struct value *value, struct summary_value *out,
                            struct progress *progress, struct err *err)
{
	struct tally tally = tally_of(value->type);
	bool ok = each_window(value, tally_window, &tally, progress, err);

	if (ok) {
		TAKE_BINS(&out->below, tally, tally.below);
		TAKE_BINS(&out->above, tally, tally.above);
	}
	free(tally.below);
	return ok;
}

/* ---- counts */

static void count_complex(void *context, const struct dtype_info *type, const unsigned char *elems,
                          size_t n)
{
	struct summary_value *out = context;
	size_t part = type->elem_bytes / 2;

	for (size_t i = 0; i < 2 * n; i += 2) {
		double real, imag, modulus;

		if (part == sizeof(float)) {
			real = ((const float *)(const void *)elems)[i];
			imag = ((const float *)(const void *)elems)[i + 1];
		} else {
			real = ((const double *)(const void *)elems)[i];
			imag = ((const double *)(const void *)elems)[i + 1];
		}
		modulus = hypot(real, imag);
		if (isfinite(modulus) && modulus > out->modulus)
			out->modulus = modulus;
		out->nan += isnan(real) || isnan(imag);
		out->neg_inf += real == -INFINITY || imag == -INFINITY;
		out->pos_inf += real == INFINITY || imag == INFINITY;
		out->zero += real == 0 && imag == 0;
	}
}

static void count_quantised(void *context, const struct dtype_info *type,
                            const unsigned char *elems, size_t n)
{
	struct summary_value *out = context;

	for (size_t i = 0; i < n; i++, elems += type->elem_bytes) {
		int64_t x = int_value(type->dtype, elems);

		out->zero += x == 0;
		out->negative += x < 0;
		out->positive += x > 0;
		if (!out->has_ends || x < int_value(type->dtype, out->min))
			memcpy(out->min, elems, type->elem_bytes);
		if (!out->has_ends || x > int_value(type->dtype, out->max))
			memcpy(out->max, elems, type->elem_bytes);
		out->has_ends = true;
	}
}

static bool take_stats(struct value *value, struct summary_value *out, struct progress *progress,
                       struct err *err)
{
	struct progress own = progress_of_part(progress);
	struct stats stats;
	struct view view;

	view_all(&view, value);
	if (!stats_of(&view, &stats, &own, err))
		return false;
	out->nan = stats.n_nan;
	out->neg_inf = stats.n_neg_inf;
	out->pos_inf = stats.n_pos_inf;
	out->negative = stats.n_neg;
	out->zero = stats.n_zero + stats.n_false;
	out->positive = stats.n_pos + stats.n_true;
	out->has_ends = out->has_moments = stats.n_finite && value->type->kind != KIND_BOOL;
	if (!out->has_ends)
		return true;
	memcpy(out->min, stats.min.bytes, sizeof out->min);
	memcpy(out->max, stats.max.bytes, sizeof out->max);
	out->mean = stats.mean;
	out->std = stats.std;
	return true;
}

static bool count(struct value *value, struct summary_value *out, struct progress *progress,
                  struct err *err)
{
	switch (value->type->kind) {
	case KIND_FLOAT:
	case KIND_SMALL_FLOAT:
	case KIND_INT:
	case KIND_UINT:
		return take_stats(value, out, progress, err) &&
		       count_exponents(value, out, progress, err);
	case KIND_BOOL:
		return take_stats(value, out, progress, err);
	case KIND_QUANT:
		return each_window(value, count_quantised, out, progress, err) &&
		       count_exponents(value, out, progress, err);
	case KIND_COMPLEX:
		return each_window(value, count_complex, out, progress, err);
	default:
		return true;
	}
}

/* The same with all elements in memory, which are read once. */
static bool count_held(struct value *value, size_t bytes, struct summary_value *out,
                       struct progress *progress, struct err *err)
{
	unsigned char *elems = mem_alloc(bytes);
	struct value *held;
	bool ok = value_read(value, 0, (size_t)value->count, elems, err);

	if (ok) {
		held = value_of_memory(value->type->dtype, &value->shape, elems, bytes);
		ok = count(held, out, progress, err);
		value_close(held);
	}
	free(elems);
	return ok;
}

bool summary_measure(struct value *value, struct summary_value *out, struct progress *progress,
                     struct err *err)
{
	uint64_t bytes;

	out->type = value->type;
	out->shape = value->shape;
	out->modulus = -1;
	out->state = value->state == VALUE_ARRAY           ? SUMMARY_ARRAY
	             : value->state == VALUE_UNINITIALISED ? SUMMARY_UNINITIALISED
	                                                   : SUMMARY_OPAQUE;
	if (value->state != VALUE_ARRAY || !value->count)
		return true;
	if (!__builtin_mul_overflow(value->count, value->type->elem_bytes, &bytes) && bytes &&
	    bytes <= HELD_MOST)
		return count_held(value, (size_t)bytes, out, progress, err);
	return count(value, out, progress, err);
}
