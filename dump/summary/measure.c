/*
 * Counts, extremes and moments are those of dump/model/stats.h, which sums in blocks of a fixed
 * size. Then the exponents are counted.
 */
#include "dump/summary/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/elem_counts.h"
#include "dump/model/stats.h"

#define HELD_MOST (UINT64_C(16) << 20)   /* bytes of a value that is read once */

/* How many elements have which exponent from `least` on, by sign: n of each. */
struct tally {
	int least, n;
	uint64_t *below, *above;
};

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
	uint64_t times;
	bool ok = elems_each(value, tally_window, &tally, &times, progress, err);

	for (int i = 0; ok && i < tally.n; i++) {
		tally.below[i] *= times;
		tally.above[i] *= times;
	}
	if (ok) {
		TAKE_BINS(&out->below, tally, tally.below);
		TAKE_BINS(&out->above, tally, tally.above);
	}
	free(tally.below);
	return ok;
}

/* ---- counts */

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

/* Types without moments. */
static bool take_counts(struct value *value, struct summary_value *out, struct progress *progress,
                        struct err *err)
{
	struct elem_counts counts;

	if (!elem_counts_of(value, &counts, progress, err))
		return false;
	out->nan = counts.nan;
	out->neg_inf = counts.neg_inf;
	out->pos_inf = counts.pos_inf;
	out->negative = counts.negative;
	out->zero = counts.zero;
	out->positive = counts.positive;
	out->has_ends = counts.has_ends;
	memcpy(out->min, counts.min, sizeof out->min);
	memcpy(out->max, counts.max, sizeof out->max);
	out->modulus = counts.modulus;
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
		return take_counts(value, out, progress, err) &&
		       count_exponents(value, out, progress, err);
	case KIND_COMPLEX:
		return take_counts(value, out, progress, err);
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
