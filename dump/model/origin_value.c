#include "dump/model/origin_value.h"

#include <math.h>
#include <string.h>

#include "dump/model/known.h"
#include "dump/model/reader.h"

/* Elements of a DebugNumericSummary, which are float64, and its size without any dimension. */
enum { SUMMARY_SIZE = 1, SUMMARY_NAN = 2, SUMMARY_NEG_INF = 3, SUMMARY_POS_INF = 7,
       SUMMARY_LEAST = 8 };

enum { WINDOW = 512 };

enum origin_debug origin_debug_of(const struct run *run, const struct tensor *tensor)
{
	const char *op = run->debug_ops.key[tensor->debug_op];

	if (!strncmp(op, "DebugIdentity", strlen("DebugIdentity")))
		return DEBUG_IDENTITY;   /* DebugIdentityV3 too */
	if (!strcmp(op, "DebugNumericSummary"))
		return DEBUG_NUMERIC_SUMMARY;
	return strcmp(op, "DebugNanCount") ? DEBUG_OTHER : DEBUG_NAN_COUNT;
}

static void count_parts(struct origin_health *out, double real, double imag)
{
	out->counts.nan += isnan(real) || isnan(imag);
	out->counts.pos_inf += real == INFINITY || imag == INFINITY;
	out->counts.neg_inf += real == -INFINITY || imag == -INFINITY;
	out->has_zero |= real == 0 && imag == 0;
}

static bool count_complex(struct value *value, struct origin_health *out,
                          struct progress *progress, struct err *err)
{
	bool is_double = value->type->dtype == DTYPE_COMPLEX128;
	const struct stats *known = value->known ? &value->known->stats : NULL;
	union { float f[2 * WINDOW]; double d[2 * WINDOW]; } elems;

	if (known) {
		out->counts = (struct bad_counts){ known->n_nan, known->n_pos_inf,
		                                   known->n_neg_inf, out->counts.size };
		out->has_zero = known->n_zero;
		return true;
	}
	for (uint64_t at = 0; at < value->count; at += WINDOW) {
		size_t n = value->count - at < WINDOW ? (size_t)(value->count - at) : WINDOW;

		if (progress_cancelled(progress))
			return err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
		if (!value_read(value, at, n, &elems, err))
			return false;
		for (size_t i = 0; i < n; i++)
			count_parts(out, is_double ? elems.d[2 * i] : (double)elems.f[2 * i],
			            is_double ? elems.d[2 * i + 1] : (double)elems.f[2 * i + 1]);
	}
	return true;
}

static bool count_real(struct value *value, struct origin_health *out, struct progress *progress,
                       struct err *err)
{
	struct progress own = progress_of_part(progress);
	struct stats stats;
	struct view view;

	view_all(&view, value);
	if (!stats_counts_of(&view, &stats, &own, err))
		return false;
	out->counts.nan = stats.n_nan;
	out->counts.pos_inf = stats.n_pos_inf;
	out->counts.neg_inf = stats.n_neg_inf;
	out->has_zero = stats.n_zero;
	out->has_negative = stats.n_neg || stats.n_neg_inf;
	return true;
}

static bool count(struct value *value, struct origin_health *out, struct progress *progress,
                  struct err *err)
{
	switch (value->type->kind) {
	case KIND_FLOAT:
	case KIND_SMALL_FLOAT:
	case KIND_INT:
	case KIND_UINT:
		return count_real(value, out, progress, err);
	case KIND_COMPLEX:
		return count_complex(value, out, progress, err);
	default:
		return true;
	}
}

bool origin_health_of(struct value *value, struct origin_health *out, struct progress *progress,
                      struct err *err)
{
	*out = (struct origin_health){ .known = KNOWN_COUNTS };
	if (value->state != VALUE_ARRAY)
		return true;
	out->known = KNOWN_ELEMENTS;
	out->counts.size = (int64_t)value->count;
	if (count(value, out, progress, err))
		return true;
	*out = (struct origin_health){0};
	return false;
}

/* A number of elements, as a float64; damaged ones are 0. */
static uint64_t whole(double number)
{
	return number >= 0 && number < 9e18 ? (uint64_t)number : 0;
}

/* A file of another type or size is damaged: it says nothing. */
static void read_summary(struct value *value, struct origin_health *out, struct err *err)
{
	double numbers[SUMMARY_LEAST];

	if (value->state != VALUE_ARRAY || value->type->dtype != DTYPE_FLOAT64 ||
	    value->count < SUMMARY_LEAST || !value_read(value, 0, SUMMARY_LEAST, numbers, err))
		return;
	out->known = KNOWN_COUNTS;
	out->counts = (struct bad_counts){ whole(numbers[SUMMARY_NAN]),
	                                   whole(numbers[SUMMARY_POS_INF]),
	                                   whole(numbers[SUMMARY_NEG_INF]),
	                                   (int64_t)whole(numbers[SUMMARY_SIZE]) };
}

static void read_nan_count(struct value *value, struct origin_health *out, struct err *err)
{
	int64_t n;

	if (value->state != VALUE_ARRAY || value->type->dtype != DTYPE_INT64 || !value->count ||
	    !value_read(value, 0, 1, &n, err))
		return;
	out->known = KNOWN_NAN;
	out->counts = (struct bad_counts){ .nan = n > 0 ? (uint64_t)n : 0, .size = -1 };
}

bool origin_health_read(const struct run *run, const struct tensor *tensor,
                        struct origin_health *out, struct progress *progress, struct err *err)
{
	enum origin_debug debug = origin_debug_of(run, tensor);
	struct value *value = debug == DEBUG_OTHER ? NULL : run_value(run, tensor, err);

	*out = (struct origin_health){0};
	if (value && debug != DEBUG_IDENTITY && run->reader->told)
		run->reader->told(tensor, out);
	else if (value && debug == DEBUG_IDENTITY)
		origin_health_of(value, out, progress, err);
	else if (value && debug == DEBUG_NUMERIC_SUMMARY)
		read_summary(value, out, err);
	else if (value)
		read_nan_count(value, out, err);
	value_close(value);
	return !err->code;
}
