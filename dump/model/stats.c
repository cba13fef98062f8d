/*
 * Elements come in blocks of numpy's chunk, 8192. A block is brought to the type in which sums are
 * kept and, while no nan and no infinity was met, summed where it lies; after that the finite ones
 * are gathered until a chunk is full. The order of additions is numpy's, eight lanes wide, so that
 * vector instructions give the same bits. A second pass over the view adds the squares of the
 * differences from the mean.
 */
#include "dump/model/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/known.h"

#define CHUNK 8192
#define LEAF 128
#define LANES 8
#define WINDOW_CHUNKS 4
#define SEARCH_BYTES (256 * 1024)

/* Eight neighbours; they may lie at any address. */
typedef float lanes32 __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef double lanes64 __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

/* What is compared goes by single registers: gcc takes comparisons of wider vectors apart. */
typedef float part32 __attribute__((vector_size(16), aligned(4), may_alias));
typedef double part64 __attribute__((vector_size(16), aligned(8), may_alias));
typedef int32_t mask32 __attribute__((vector_size(16)));
typedef int64_t mask64 __attribute__((vector_size(16)));

#define PAIRWISE(name, real, lanes) \
	real name(const real *a, size_t n) \
	{ \
		lanes r; \
		real sum = 0; \
		size_t i = 0; \
		\
		if (n > LEAF) { \
			size_t half = n / 2 / LANES * LANES; \
			\
			return name(a, half) + name(a + half, n - half); \
		} \
		if (n >= LANES) { \
			r = *(const lanes *)a; \
			for (i = LANES; i + LANES <= n; i += LANES) \
				r += *(const lanes *)(a + i); \
			sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7])); \
		} \
		for (; i < n; i++) \
			sum += a[i]; \
		return sum; \
	}

PAIRWISE(stats_sum32, float, lanes32)
PAIRWISE(stats_sum64, double, lanes64)

/* Rounds to the nearest float16, half to even. */
static double to_half(double x)
{
	uint64_t bits, exponent;
	double size = fabs(x), magic;

	if (!(size < 65520))
		return isnan(x) ? x : copysign(INFINITY, x);
	memcpy(&bits, &size, sizeof bits);
	exponent = bits >> 52;
	if (exponent < 1023 - 14)
		exponent = 1023 - 14;
	bits = (exponent + 42) << 52;   /* adding this leaves the ten bits after the first */
	memcpy(&magic, &bits, sizeof magic);
	return copysign((size + magic) - magic, x);
}

/* Squares of the differences from the mean; both roundings are the type's own. */
#define SQUARES(name, real, lanes) \
	static void name(const real *a, size_t n, real mean, real *out) \
	{ \
		size_t i = 0; \
		\
		for (; i + LANES <= n; i += LANES) { \
			lanes d = *(const lanes *)(a + i) - mean; \
			\
			*(lanes *)(out + i) = d * d; \
		} \
		for (; i < n; i++) { \
			real d = a[i] - mean; \
			\
			out[i] = d * d; \
		} \
	}

SQUARES(squares32, float, lanes32)
SQUARES(squares64, double, lanes64)

static void half_squares(const float *a, size_t n, float mean, float *out)
{
	for (size_t i = 0; i < n; i++) {
		float d = (float)to_half(a[i] - mean);

		out[i] = (float)to_half(d * d);
	}
}

/*
 * Signs and extremes of finite floats. Which zero is the smallest or largest is not decided here.
 */
#define SURVEY(name, real, part, mask) \
	static void name(const real *a, size_t n, uint64_t *n_neg, uint64_t *n_pos, real *min, \
	                 real *max) \
	{ \
		mask neg = { 0 }, pos = { 0 }, less; \
		part low = { 0 }, high = { 0 }; \
		const size_t per = sizeof low / sizeof low[0]; \
		size_t i = 0; \
		\
		low += *min; \
		high += *max; \
		for (; i + per <= n; i += per) { \
			part v = *(const part *)(a + i); \
			\
			neg -= v < 0; \
			pos -= v > 0; \
			less = v < low; \
			low = (part)(((mask)v & less) | ((mask)low & ~less)); \
			less = v > high; \
			high = (part)(((mask)v & less) | ((mask)high & ~less)); \
		} \
		for (int k = 0; k < (int)per; k++) { \
			*n_neg += (uint64_t)neg[k]; \
			*n_pos += (uint64_t)pos[k]; \
			*min = low[k] < *min ? low[k] : *min; \
			*max = high[k] > *max ? high[k] : *max; \
		} \
		for (; i < n; i++) { \
			*n_neg += a[i] < 0; \
			*n_pos += a[i] > 0; \
			*min = a[i] < *min ? a[i] : *min; \
			*max = a[i] > *max ? a[i] : *max; \
		} \
	}

SURVEY(survey32, float, part32, mask32)
SURVEY(survey64, double, part64, mask64)

/* What a pass gathers, and the sums of the chunks so far. */
struct sum {
	bool is_double;          /* else float32, for float16 too */
	size_t n;                /* gathered */
	void *gathered;          /* up to CHUNK */
	double total;            /* exact: a value of the type */
	double half_total;       /* rounded to float16 after each chunk */
};

static void sum_chunk(struct sum *sum, const void *chunk, size_t n)
{
	float part;

	if (!n)
		return;
	if (sum->is_double) {
		sum->total += stats_sum64(chunk, n);
		return;
	}
	part = stats_sum32(chunk, n);
	sum->total = (float)sum->total + part;
	sum->half_total = to_half((float)sum->half_total + part);
}

static void sum_add(struct sum *sum, const void *elems, size_t n)
{
	size_t bytes = sum->is_double ? sizeof(double) : sizeof(float);
	const unsigned char *at = elems;

	while (n) {
		size_t some = CHUNK - sum->n < n ? CHUNK - sum->n : n;

		if (some == CHUNK) {
			sum_chunk(sum, at, CHUNK);
		} else {
			memcpy((unsigned char *)sum->gathered + sum->n * bytes, at, some * bytes);
			sum->n += some;
		}
		if (sum->n == CHUNK) {
			sum_chunk(sum, sum->gathered, CHUNK);
			sum->n = 0;
		}
		at += some * bytes;
		n -= some;
	}
}

static void sum_end(struct sum *sum)
{
	sum_chunk(sum, sum->gathered, sum->n);
	sum->n = 0;
}

/* Everything of one call. */
struct work {
	const struct dtype_info *type;
	struct stats *out;
	struct sum sum;
	double mean;             /* what the second pass takes off */
	double first_zero, min, max;     /* of floats */
	void *finite, *squares;  /* CHUNK of the sum's type */
};

/*
 * Exponents of floats that are all ones, several floats to a word: adding `one` carries into the
 * sign.
 */
struct exponents {
	uint64_t mask, one, sign;
};

static const struct exponents *exponents_of(size_t bytes)
{
	static const struct exponents half = {
		0x7c007c007c007c00, 0x0400040004000400, 0x8000800080008000,
	};
	static const struct exponents single = {
		0x7f8000007f800000, 0x0080000000800000, 0x8000000080000000,
	};
	static const struct exponents full = {
		0x7ff0000000000000, 0x0010000000000000, 0x8000000000000000,
	};

	return bytes == 2 ? &half : bytes == 4 ? &single : &full;
}

/* len bytes of floats of `bytes` each: is one of them nan or infinite? */
static bool any_odd(const void *elems, size_t len, size_t bytes)
{
	const struct exponents *e = exponents_of(bytes);
	const unsigned char *at = elems;
	uint64_t found = 0, word;

	for (; len >= sizeof word; at += sizeof word, len -= sizeof word) {
		memcpy(&word, at, sizeof word);
		found |= (word & e->mask) + e->one;
	}
	word = 0;
	if (len)
		memcpy(&word, at, len);
	found |= (word & e->mask) + e->one;
	return found & e->sign;
}

/*
 * The finite elements of a block in the type of the sum; *n is how many. Counts the others if
 * `count` is set.
 */
static const void *finite_floats(struct work *w, const void *elems, size_t *n, bool count)
{
	struct stats dropped = { 0 };
	struct stats *out = count ? w->out : &dropped;
	size_t bytes = w->type->elem_bytes, kept = 0;
	bool odd = any_odd(elems, *n * bytes, bytes);

	if (!odd && bytes != 2)
		return elems;
	for (size_t i = 0; i < *n; i++) {
		double x;

		if (bytes == 8) {
			x = ((double *)w->finite)[kept] = ((const double *)elems)[i];
		} else {
			float real = bytes == 4 ? ((const float *)elems)[i]
			                        : (float)half_value(((const uint16_t *)elems)[i]);

			x = ((float *)w->finite)[kept] = real;
		}
		if (isfinite(x))
			kept++;
		else if (isnan(x))
			out->n_nan++;
		else if (x < 0)
			out->n_neg_inf++;
		else
			out->n_pos_inf++;
	}
	*n = kept;
	return w->finite;
}

static double float_at(const struct work *w, const void *elems, size_t i)
{
	return w->sum.is_double ? ((const double *)elems)[i] : ((const float *)elems)[i];
}

static void survey_floats(struct work *w, const void *block, size_t n)
{
	struct stats *out = w->out;
	const void *elems = finite_floats(w, block, &n, true);
	uint64_t n_neg = 0, n_pos = 0;
	float min, max;

	if (!n)
		return;
	if (!out->n_finite)
		w->min = w->max = float_at(w, elems, 0);
	if (w->sum.is_double) {
		survey64(elems, n, &n_neg, &n_pos, &w->min, &w->max);
	} else {
		min = (float)w->min;
		max = (float)w->max;
		survey32(elems, n, &n_neg, &n_pos, &min, &max);
		w->min = min;
		w->max = max;
	}
	if (!out->n_zero && n_neg + n_pos < n) {
		size_t i = 0;

		while (float_at(w, elems, i) != 0)
			i++;
		w->first_zero = float_at(w, elems, i);
	}
	out->n_neg += n_neg;
	out->n_pos += n_pos;
	out->n_zero += n - n_neg - n_pos;
	out->n_finite += n;
	sum_add(&w->sum, elems, n);
}

/* Whole numbers of one C type: signs, extremes, and each as a double. */
#define WHOLES(name, whole) \
	static void name(struct work *w, const whole *a, size_t n) \
	{ \
		struct stats *out = w->out; \
		double *real = w->finite; \
		whole min = a[0], max = a[0], old; \
		size_t zeros = 0, above = 0; \
		\
		for (size_t i = 0; i < n; i++) { \
			zeros += a[i] == 0; \
			above += a[i] > 0; \
			min = a[i] < min ? a[i] : min; \
			max = a[i] > max ? a[i] : max; \
		} \
		for (size_t i = 0; i < n; i++) \
			real[i] = (double)a[i]; \
		memcpy(&old, out->min.bytes, sizeof old); \
		if (!out->n_finite || min < old) \
			memcpy(out->min.bytes, &min, sizeof min); \
		memcpy(&old, out->max.bytes, sizeof old); \
		if (!out->n_finite || max > old) \
			memcpy(out->max.bytes, &max, sizeof max); \
		out->n_zero += zeros; \
		out->n_pos += above; \
		out->n_neg += n - zeros - above; \
		out->n_finite += n; \
	}

WHOLES(wholes_int8, int8_t)
WHOLES(wholes_uint8, uint8_t)
WHOLES(wholes_int16, int16_t)
WHOLES(wholes_uint16, uint16_t)
WHOLES(wholes_int32, int32_t)
WHOLES(wholes_uint32, uint32_t)
WHOLES(wholes_int64, int64_t)
WHOLES(wholes_uint64, uint64_t)

/* Fills w->finite, and counts: a second time that is left out of account. */
static void wholes(struct work *w, void *block, size_t n)
{
	unsigned char *bytes = block;

	switch (w->type->dtype) {
	case DTYPE_INT4:
	case DTYPE_INT2:
	case DTYPE_UINT4:
	case DTYPE_UINT2:
		for (size_t i = 0; i < n; i++)
			bytes[i] = (unsigned char)int_value(w->type->dtype, bytes + i);
		wholes_int8(w, block, n);
		break;
	case DTYPE_INT8:
		wholes_int8(w, block, n);
		break;
	case DTYPE_UINT8:
		wholes_uint8(w, block, n);
		break;
	case DTYPE_INT16:
		wholes_int16(w, block, n);
		break;
	case DTYPE_UINT16:
		wholes_uint16(w, block, n);
		break;
	case DTYPE_INT32:
		wholes_int32(w, block, n);
		break;
	case DTYPE_UINT32:
		wholes_uint32(w, block, n);
		break;
	case DTYPE_INT64:
		wholes_int64(w, block, n);
		break;
	default:
		wholes_uint64(w, block, n);
	}
}

/* bfloat16 and the float8 types: fills w->finite, and returns how many are. */
static size_t small_floats(struct work *w, const unsigned char *block, size_t n)
{
	size_t size = w->type->elem_bytes, n_finite = 0;
	double *finite = w->finite;

	for (size_t i = 0; i < n; i++) {
		double x = small_float_value(w->type->dtype, block + i * size);

		if (isfinite(x))
			finite[n_finite++] = x;
	}
	return n_finite;
}

static void survey_small_floats(struct work *w, const unsigned char *block, size_t n)
{
	size_t size = w->type->elem_bytes;
	struct stats *out = w->out;

	for (size_t i = 0; i < n; i++) {
		const unsigned char *elem = block + i * size;
		double x = small_float_value(w->type->dtype, elem);

		out->n_nan += isnan(x);
		out->n_neg_inf += x == -INFINITY;
		out->n_pos_inf += x == INFINITY;
		if (!isfinite(x))
			continue;
		out->n_neg += x < 0;
		out->n_zero += x == 0;
		out->n_pos += x > 0;
		if (!out->n_finite || x < w->min) {
			w->min = x;
			memcpy(out->min.bytes, elem, size);
		}
		if (!out->n_finite || x > w->max) {
			w->max = x;
			memcpy(out->max.bytes, elem, size);
		}
		out->n_finite++;
	}
	sum_add(&w->sum, w->finite, small_floats(w, block, n));
}

static void survey_block(struct work *w, void *block, size_t n)
{
	const unsigned char *bytes = block;
	uint64_t n_true = 0;

	if (w->type->kind == KIND_FLOAT) {
		survey_floats(w, block, n);
	} else if (w->type->kind == KIND_SMALL_FLOAT) {
		survey_small_floats(w, block, n);
	} else if (w->type->kind == KIND_BOOL) {
		for (size_t i = 0; i < n; i++)
			n_true += bytes[i] != 0;
		w->out->n_true += n_true;
		w->out->n_false += n - n_true;
		w->out->n_finite += n;
	} else {
		wholes(w, block, n);
		sum_add(&w->sum, w->finite, n);
	}
}

static void spread_block(struct work *w, void *block, size_t n)
{
	struct stats *out = w->out, dropped = { 0 };
	const void *elems = w->finite;

	if (w->type->kind == KIND_FLOAT && out->n_finite == out->total &&
	    w->type->elem_bytes != 2) {
		elems = block;
	} else if (w->type->kind == KIND_FLOAT) {
		elems = finite_floats(w, block, &n, false);
	} else if (w->type->kind == KIND_SMALL_FLOAT) {
		n = small_floats(w, block, n);
	} else {
		w->out = &dropped;
		wholes(w, block, n);
		w->out = out;
	}
	if (w->sum.is_double)
		squares64(elems, n, w->mean, w->squares);
	else if (out->mean_type == DTYPE_FLOAT16)
		half_squares(elems, n, (float)w->mean, w->squares);
	else
		squares32(elems, n, (float)w->mean, w->squares);
	sum_add(&w->sum, w->squares, n);
}

/* Room for so many elements of a view; a small one needs less. */
static size_t room_for(const struct view *view, size_t most)
{
	return view->count < most ? (size_t)view->count : most;
}

/* Hands all elements of the view to use, in blocks of a chunk. done: of earlier passes. */
static bool each_block(struct work *w, struct view *view,
                       void (*use)(struct work *, void *, size_t), uint64_t done, uint64_t total,
                       struct progress *progress, struct err *err)
{
	size_t bytes = w->type->elem_bytes, window = WINDOW_CHUNKS * CHUNK;
	unsigned char *elems = mem_alloc(room_for(view, window) * bytes);
	bool ok = true;

	for (uint64_t at = 0; ok && at < view->count; at += window) {
		size_t n = view->count - at < window ? (size_t)(view->count - at) : window;

		ok = view_read(view, at, n, elems, err);
		for (size_t i = 0; ok && i < n; i += CHUNK)
			use(w, elems + i * bytes, n - i < CHUNK ? n - i : CHUNK);
		if (ok && !progress_step(progress, done + at + n, total))
			ok = err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
	}
	free(elems);
	return ok;
}

/* One element of the tensor's own type; x is a value of it. */
static void store_float(const struct dtype_info *type, double x, unsigned char *out)
{
	float single = (float)x;
	uint32_t bits;
	uint16_t half;

	if (type->dtype == DTYPE_FLOAT64) {
		memcpy(out, &x, sizeof x);
	} else if (type->dtype == DTYPE_FLOAT32) {
		memcpy(out, &single, sizeof single);
	} else {
		single = fabsf(single) * 0x1p-112f; /* the exponents of a half begin 112 lower */
		memcpy(&bits, &single, sizeof bits);
		half = (uint16_t)(bits >> 13 | (signbit(x) ? 0x8000 : 0));
		memcpy(out, &half, sizeof half);
	}
}

/* After the first pass: extremes, mean, and what the second one takes off. */
static void end_survey(struct work *w)
{
	struct stats *out = w->out;
	double n = (double)out->n_finite;

	sum_end(&w->sum);
	w->mean = w->sum.total / n;
	if (out->mean_type == DTYPE_FLOAT16) {
		out->mean = to_half(w->mean);
		w->mean = to_half(w->sum.half_total / n);
	} else {
		if (out->mean_type == DTYPE_FLOAT32)
			w->mean = (float)w->mean;
		out->mean = w->mean;
	}
	if (w->type->kind == KIND_FLOAT) {
		store_float(w->type, w->min == 0 ? w->first_zero : w->min, out->min.bytes);
		store_float(w->type, w->max == 0 ? w->first_zero : w->max, out->max.bytes);
	}
	w->sum.total = w->sum.half_total = 0;
}

static void end_spread(struct work *w)
{
	struct stats *out = w->out;
	double n = (double)out->n_finite;

	sum_end(&w->sum);
	if (out->mean_type == DTYPE_FLOAT16)
		out->std = to_half(sqrtf((float)to_half(w->sum.half_total / n)));
	else if (out->mean_type == DTYPE_FLOAT32)
		out->std = sqrtf((float)(w->sum.total / n));
	else
		out->std = sqrt(w->sum.total / n);
}

static enum dtype mean_type(const struct dtype_info *type)
{
	return type->kind == KIND_FLOAT ? type->dtype : DTYPE_FLOAT64;
}

/*
 * What is in the value many times, and once in the file, is read once: for counts always, for means
 * only if all would be too many, as sums in numpy's order are of all.
 */
static uint64_t read_once(struct view *view, bool has_spread)
{
	struct view all;

	if (!view->value->flat_axes || (has_spread && !view->value->is_vast))
		return 1;
	view_all(&all, view->value);
	if (view->start || !shape_equal(&view->shape, &all.shape)
	    || memcmp(view->stride, all.stride, sizeof all.stride) != 0)
		return 1;
	return view_distinct(view, view->value);
}

/* A first pass, and a second one for the std. */
static bool pass_over(struct view *view, struct stats *out, bool has_spread,
                      struct progress *progress, struct err *err)
{
	const struct dtype_info *type = view->value->type;
	const struct value_known *known = known_of_view(view);
	struct work w = { .type = type, .out = out };
	uint64_t *const counts[] = {
		&out->total, &out->n_nan, &out->n_neg_inf, &out->n_neg, &out->n_zero, &out->n_pos,
		&out->n_pos_inf, &out->n_false, &out->n_true, &out->n_finite,
	};
	uint64_t passes = has_spread && type->kind != KIND_BOOL ? 2 : 1, times;
	size_t room = room_for(view, CHUNK) * sizeof(double);
	bool ok;

	if (type->kind != KIND_FLOAT && type->kind != KIND_SMALL_FLOAT &&
	    type->kind != KIND_INT && type->kind != KIND_UINT && type->kind != KIND_BOOL)
		return err_at(err, ERR_TYPE, view->value->path, 0, "no numeric summary of type %s",
		              type->name);
	if (known) {
		*out = known->stats;
		return true;
	}
	times = read_once(view, has_spread);
	*out = (struct stats){ .total = view->count, .mean_type = mean_type(type) };
	w.sum.is_double = out->mean_type == DTYPE_FLOAT64;
	w.sum.gathered = mem_alloc(room);
	w.finite = mem_alloc(room);
	w.squares = mem_alloc(room);
	ok = each_block(&w, view, survey_block, 0, view->count * passes, progress, err);
	if (ok && type->kind != KIND_BOOL && out->n_finite)
		end_survey(&w);
	if (ok && passes == 2 && out->n_finite) {
		ok = each_block(&w, view, spread_block, view->count, view->count * passes,
		                progress, err);
		if (ok)
			end_spread(&w);
	}
	free(w.sum.gathered);
	free(w.finite);
	free(w.squares);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		*counts[i] *= times;
	return ok;
}

bool stats_of(struct view *view, struct stats *out, struct progress *progress, struct err *err)
{
	struct view own = *view;

	return pass_over(&own, out, true, progress, err);
}

bool stats_counts_of(struct view *view, struct stats *out, struct progress *progress,
                     struct err *err)
{
	struct view own = *view;

	return pass_over(&own, out, false, progress, err);
}

bool has_inf_or_nan(struct value *value, struct progress *progress, struct err *err)
{
	const struct dtype_info *type = value->type;
	size_t bytes = type->elem_bytes, part = bytes / (type->kind == KIND_COMPLEX ? 2 : 1), room;
	unsigned char *elems;
	bool found = false;
	struct view view;

	if (value->state != VALUE_ARRAY ||
	    (type->kind != KIND_FLOAT && type->kind != KIND_COMPLEX))
		return false;
	if (value->known)
		return stats_n_bad(&value->known->stats);
	room = SEARCH_BYTES / bytes;
	view_distinct(&view, value);
	elems = mem_alloc(view.count < room ? (size_t)view.count * bytes + 1 : SEARCH_BYTES);
	for (uint64_t at = 0; !found && at < view.count; at += room) {
		size_t n = view.count - at < room ? (size_t)(view.count - at) : room;

		if (progress_cancelled(progress)) {
			err_fill(err, ERR_CANCELLED, "command", 0, "cancelled");
			break;
		}
		if (!view_read(&view, at, n, elems, err))
			break;
		found = any_odd(elems, n * bytes, part);
	}
	free(elems);
	return found;
}
