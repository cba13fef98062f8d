/*
 * Elements are read in windows and converted to doubles; if dump/model/stats.h knows the type, its
 * figures are used.
 */
#include "cmds/array/survey.h"

#include <math.h>
#include <string.h>

#include "cmds/lang/number.h"
#include "dump/model/known.h"

#define AT_ONCE 4096            /* elements read in one go */
#define MAX_ELEM_BYTES 16

bool number_has(const struct dtype_info *type)
{
	return type->kind != KIND_STRING && type->kind != KIND_OPAQUE;
}

double number_of(const struct dtype_info *type, const void *elem)
{
	double real, imag;

	switch (type->kind) {
	case KIND_FLOAT:
		float_parts(type, elem, &real, &imag);
		return real;
	case KIND_COMPLEX:
		float_parts(type, elem, &real, &imag);
		return hypot(real, imag);
	case KIND_SMALL_FLOAT:
		return small_float_value(type->dtype, elem);
	case KIND_UINT:
		return (double)(uint64_t)int_value(type->dtype, elem);
	default:
		return (double)int_value(type->dtype, elem);
	}
}

/* Windows of elements as they are. */
typedef void elem_sink(void *context, const struct dtype_info *type, uint64_t first,
                       const void *elems, size_t n);

static bool elems_each(struct view *view, elem_sink *sink, void *context,
                       struct progress *progress, struct err *err)
{
	unsigned char elems[AT_ONCE * MAX_ELEM_BYTES];

	for (uint64_t done = 0; done < view->count; ) {
		size_t n = view->count - done < AT_ONCE ? (size_t)(view->count - done) : AT_ONCE;

		if (!view_read(view, done, n, elems, err))
			return false;
		sink(context, view->value->type, done, elems, n);
		done += n;
		if (!progress_step(progress, done, view->count))
			return err_at(err, ERR_CANCELLED, "command", 0, "stopped");
	}
	return true;
}

struct numbers {
	number_sink *sink;
	void *context;
};

static void hand_on(void *context, const struct dtype_info *type, uint64_t first,
                    const void *elems, size_t n)
{
	const struct numbers *to = context;
	const unsigned char *at = elems;
	double numbers[AT_ONCE];

	for (size_t i = 0; i < n; i++, at += type->elem_bytes)
		numbers[i] = number_of(type, at);
	to->sink(to->context, first, numbers, n);
}

bool numbers_each(struct view *view, number_sink *sink, void *context, struct progress *progress,
                  struct err *err)
{
	struct numbers to = { sink, context };

	return elems_each(view, hand_on, &to, progress, err);
}

/* The state of a pass over elements of other types. */
struct pass {
	struct survey *out;
	double min, max, mean, squares; /* squares: sum of squared differences from the mean */
};

static void count_complex(struct survey *out, const struct dtype_info *type, const void *elem)
{
	double real, imag;

	float_parts(type, elem, &real, &imag);
	out->n_nan += isnan(real) || isnan(imag);
	out->n_pos_inf += isinf(real) || isinf(imag);
	out->n_finite += isfinite(real) && isfinite(imag);
	out->n_zero += real == 0 && imag == 0;
}

static void count_odd(struct survey *out, double x)
{
	out->n_nan += isnan(x);
	out->n_pos_inf += x > 0;
	out->n_neg_inf += x < 0;
}

static void count_finite(struct pass *pass, double x, const void *elem, size_t bytes)
{
	struct survey *out = pass->out;
	double from_mean = x - pass->mean;

	if (!out->n_finite || x < pass->min) {
		pass->min = x;
		memcpy(out->min, elem, bytes);
	}
	if (!out->n_finite || x > pass->max) {
		pass->max = x;
		memcpy(out->max, elem, bytes);
	}
	out->n_finite++;
	out->n_neg += x < 0;
	out->n_zero += x == 0;
	out->n_pos += x > 0;
	pass->mean += from_mean / (double)out->n_finite;
	pass->squares += from_mean * (x - pass->mean);
}

static void add_window(void *context, const struct dtype_info *type, uint64_t first,
                       const void *elems, size_t n)
{
	struct pass *pass = context;
	const unsigned char *at = elems;

	(void)first;
	for (size_t i = 0; i < n; i++, at += type->elem_bytes) {
		double x = number_of(type, at);

		if (type->kind == KIND_COMPLEX)
			count_complex(pass->out, type, at);
		else if (isfinite(x))
			count_finite(pass, x, at, type->elem_bytes);
		else
			count_odd(pass->out, x);
	}
}

static bool survey_others(struct view *view, struct survey *out, struct progress *progress,
                          struct err *err)
{
	struct pass pass = { .out = out };

	out->ordered = view->value->type->kind != KIND_COMPLEX;
	out->mean_bits = 64;
	if (!elems_each(view, add_window, &pass, progress, err))
		return false;
	out->mean = pass.mean;
	out->std = out->n_finite ? sqrt(pass.squares / (double)out->n_finite) : 0;
	return true;
}

static struct survey survey_of_stats(const struct stats *stats, const struct dtype_info *type)
{
	struct survey out = {
		.total = stats->total,
		.n_nan = stats->n_nan,
		.n_neg_inf = stats->n_neg_inf,
		.n_pos_inf = stats->n_pos_inf,
		.n_neg = stats->n_neg,
		.n_zero = stats->n_zero + stats->n_false,
		.n_pos = stats->n_pos + stats->n_true,
		.n_finite = stats->n_finite,
		.ordered = type->kind != KIND_BOOL && type->kind != KIND_COMPLEX,
		.mean = stats->mean,
		.std = stats->std,
		.mean_bits = (int)dtype_info(stats->mean_type)->elem_bytes * 8,
	};

	memcpy(out.min, stats->min.bytes, sizeof out.min);
	memcpy(out.max, stats->max.bytes, sizeof out.max);
	return out;
}

static bool survey_stats(struct view *view, struct survey *out, struct progress *progress,
                         struct err *err)
{
	struct stats stats;

	if (!stats_of(view, &stats, progress, err))
		return false;
	*out = survey_of_stats(&stats, view->value->type);
	return true;
}

bool survey_of(struct view *view, struct survey *out, struct progress *progress, struct err *err)
{
	const struct value_known *known = known_of_view(view);

	if (known && view->value->type->kind != KIND_STRING) {
		*out = survey_of_stats(&known->stats, view->value->type);
		return true;
	}
	switch (view->value->type->kind) {
	case KIND_FLOAT:
	case KIND_INT:
	case KIND_UINT:
	case KIND_BOOL:
		return survey_stats(view, out, progress, err);
	case KIND_STRING:
		*out = (struct survey){ .total = view->count };
		return true;
	default:
		*out = (struct survey){ .total = view->count };
		return survey_others(view, out, progress, err);
	}
}
