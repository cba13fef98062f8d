/*
 * What stats.h can count is counted there; complex and quantised numbers are here.
 */
#include "dump/model/elem_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/known.h"

enum { WINDOW = 8192 };          /* elements */

bool elems_each(struct value *value, elems_use *use, void *context, uint64_t *times,
                struct progress *progress, struct err *err)
{
	struct view view;
	unsigned char *elems;
	size_t room;
	bool ok = true;

	*times = view_distinct(&view, value);
	room = view.count < WINDOW ? (size_t)view.count : WINDOW;
	elems = mem_alloc(room * value->type->elem_bytes + 1);
	for (uint64_t at = 0; ok && at < view.count; at += WINDOW) {
		size_t n = view.count - at < WINDOW ? (size_t)(view.count - at) : WINDOW;

		ok = view_read(&view, at, n, elems, err);
		if (ok)
			use(context, value->type, elems, n);
		if (ok && progress_cancelled(progress))
			ok = err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
	}
	free(elems);
	return ok;
}

static void take_parts(struct elem_counts *out, double real, double imag)
{
	double modulus = hypot(real, imag);

	if (isfinite(modulus) && modulus > out->modulus)
		out->modulus = modulus;
	out->nan += isnan(real) || isnan(imag);
	out->neg_inf += real == -INFINITY || imag == -INFINITY;
	out->pos_inf += real == INFINITY || imag == INFINITY;
	out->zero += real == 0 && imag == 0;
}

static void count_complex(void *out, const struct dtype_info *type, const unsigned char *elems,
                          size_t n)
{
	const float *single = (const void *)elems;
	const double *full = (const void *)elems;

	for (size_t i = 0; i < 2 * n; i += 2)
		if (type->dtype == DTYPE_COMPLEX128)
			take_parts(out, full[i], full[i + 1]);
		else
			take_parts(out, (double)single[i], (double)single[i + 1]);
}

static void count_quantised(void *counts, const struct dtype_info *type,
                            const unsigned char *elems, size_t n)
{
	struct elem_counts *out = counts;

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

static void take_stats(struct elem_counts *out, const struct stats *stats, enum dtype_kind kind)
{
	out->nan = stats->n_nan;
	out->neg_inf = stats->n_neg_inf;
	out->pos_inf = stats->n_pos_inf;
	out->negative = stats->n_neg;
	out->zero = stats->n_zero;
	out->positive = stats->n_pos;
	out->has_ends = stats->n_finite > 0 && kind != KIND_BOOL && kind != KIND_COMPLEX;
	memcpy(out->min, stats->min.bytes, sizeof out->min);
	memcpy(out->max, stats->max.bytes, sizeof out->max);
}

static bool count_stats(struct value *value, struct elem_counts *out, struct progress *progress,
                        struct err *err)
{
	struct progress own = progress_of_part(progress);
	struct stats stats;
	struct view view;

	view_all(&view, value);
	if (!stats_counts_of(&view, &stats, &own, err))
		return false;
	take_stats(out, &stats, value->type->kind);
	return true;
}

/* Elements that stats.h does not count. */
static bool count_each(struct value *value, elems_use *use, struct elem_counts *out,
                       struct progress *progress, struct err *err)
{
	uint64_t times;
	bool ok = elems_each(value, use, out, &times, progress, err);

	out->nan *= times;
	out->neg_inf *= times;
	out->pos_inf *= times;
	out->negative *= times;
	out->zero *= times;
	out->positive *= times;
	return ok;
}

bool elem_counts_of(struct value *value, struct elem_counts *out, struct progress *progress,
                    struct err *err)
{
	*out = (struct elem_counts){ .modulus = -1 };
	if (value->known) {
		take_stats(out, &value->known->stats, value->type->kind);
		out->modulus = value->known->modulus;
		return true;
	}
	switch (value->type->kind) {
	case KIND_FLOAT:
	case KIND_SMALL_FLOAT:
	case KIND_INT:
	case KIND_UINT:
		return count_stats(value, out, progress, err);
	case KIND_COMPLEX:
		return count_each(value, count_complex, out, progress, err);
	case KIND_QUANT:
		return count_each(value, count_quantised, out, progress, err);
	default:                 /* bools and strings are neither bad nor of any sign */
		return true;
	}
}
