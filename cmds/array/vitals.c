/*
 * The first pass counts and finds the ends. The second one puts finite elements into bins, by edges
 * that are computed as numpy does, so that an element on an edge is in the bin that numpy would
 * choose.
 */
#include "cmds/array/vitals.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/survey.h"
#include "cmds/doc/spark.h"
#include "cmds/lang/format.h"
#include "cmds/lang/number.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/model/elem_counts.h"
#include "dump/model/known.h"

#define WHOLE_DIGITS 9999999     /* larger whole numbers are shown as others are */

static void take_counts(struct vitals *out, const struct elem_counts *counts)
{
	out->nan = counts->nan;
	out->neg_inf = counts->neg_inf;
	out->pos_inf = counts->pos_inf;
	out->negative = counts->negative;
	out->zero = counts->zero;
	out->positive = counts->positive;
	out->has_ends = counts->has_ends;
	memcpy(out->min, counts->min, sizeof out->min);
	memcpy(out->max, counts->max, sizeof out->max);
	out->modulus = counts->modulus;
}

/* Bins. */

struct binning {
	uint64_t *bins;
	double sum;              /* of the numbers, times half */
	double low, range;
	double half;             /* numbers are taken times this: 0.5 where the range overflows */
	double edge[VITALS_BINS + 1];
};

static void binning_init(struct binning *b, uint64_t *bins, double low, double top)
{
	*b = (struct binning){ .bins = bins, .half = isinf(top - low) ? 0.5 : 1 };
	b->low = low * b->half;
	b->range = top * b->half - b->low;
	for (int i = 0; i < VITALS_BINS; i++)
		b->edge[i] = i * (b->range / VITALS_BINS) + b->low;
	b->edge[VITALS_BINS] = top * b->half;
}

static inline void bin_one(struct binning *b, double x)
{
	int i = (int)((x - b->low) / b->range * VITALS_BINS);

	i = i < VITALS_BINS ? i : VITALS_BINS - 1;
	while (i > 0 && x < b->edge[i])
		i--;
	while (i < VITALS_BINS - 1 && x >= b->edge[i + 1])
		i++;
	b->bins[i]++;
	b->sum += x;
}

#define BIN_FLOATS(name, real) \
	static void name(struct binning *b, const real *a, size_t n) \
	{ \
		for (size_t i = 0; i < n; i++) \
			if (isfinite(a[i])) \
				bin_one(b, (double)a[i] * b->half); \
	}
BIN_FLOATS(bin_floats, float)
BIN_FLOATS(bin_doubles, double)

static void bin_window(void *binning, const struct dtype_info *type, const unsigned char *elems,
                       size_t n)
{
	struct binning *b = binning;

	if (type->dtype == DTYPE_FLOAT32) {
		bin_floats(b, (const void *)elems, n);
	} else if (type->dtype == DTYPE_FLOAT64) {
		bin_doubles(b, (const void *)elems, n);
	} else {
		for (size_t i = 0; i < n; i++, elems += type->elem_bytes) {
			double x = number_of(type, elems);

			if (isfinite(x))
				bin_one(b, x * b->half);
		}
	}
}

static bool put_in_bins(struct value *value, struct vitals *v, struct progress *progress,
                        struct err *err)
{
	bool is_bool = value->type->kind == KIND_BOOL;
	double low, top;
	struct binning binning;
	uint64_t n = v->negative + v->zero + v->positive, times;

	if (!value->count || (!v->has_ends && !is_bool))
		return true;
	low = is_bool ? 0 : number_of(value->type, v->min);
	top = is_bool ? 1 : number_of(value->type, v->max);
	v->has_bins = true;
	if (low == top) {
		v->bins[VITALS_BINS / 2] = n;
		v->mean = low;
		return true;
	}
	binning_init(&binning, v->bins, low, top);
	if (!elems_each(value, bin_window, &binning, &times, progress, err))
		return false;
	for (int i = 0; i < VITALS_BINS; i++)
		v->bins[i] *= times;
	v->mean = n ? binning.sum * (double)times / (double)n / binning.half : 0;
	return true;
}

/* ---- of what was summed up before */

/* Of a real number's range from low to top the part that comes before x. */
static double share_before(double x, double low, double top)
{
	return fmin(fmax((x - low) / (top - low), 0), 1);
}

/* Which of the eighths x lies in. */
static int eighth_of(double x, double low, double top)
{
	double at = share_before(x, low, top) * VITALS_BINS;

	return at < VITALS_BINS ? (int)at : VITALS_BINS - 1;
}

/* Is x an element of the bin? */
static bool bin_has(const struct known_bin *bin, double x)
{
	return x != 0 && (x < 0) == bin->negative && ilogb(x) == bin->exponent;
}

/*
 * Elements of a bin, which lie between powers of two, are taken to be spread evenly there, so that
 * parts of them are in one eighth of the range and parts in others. The least and the largest are
 * counted where they are.
 */
static void spread_bin(const struct known_bin *bin, double low, double top,
                       double parts[VITALS_BINS])
{
	double near = ldexp(bin->negative ? -1 : 1, bin->exponent), far = 2 * near;
	double from = fmax(fmin(near, far), low), to = fmin(fmax(near, far), top);
	double first = share_before(from, low, top) * VITALS_BINS;
	double last = share_before(to, low, top) * VITALS_BINS;
	double n = (double)bin->n - bin_has(bin, low) - bin_has(bin, top);

	if (!(last > first)) {
		parts[eighth_of(from, low, top)] += n;
		return;
	}
	for (int i = 0; i < VITALS_BINS; i++)
		parts[i] += n * fmax(fmin(last, i + 1) - fmax(first, i), 0) / (last - first);
}

static void spread_known(struct vitals *v, const struct value_known *known, double low, double top)
{
	double parts[VITALS_BINS] = {0};

	for (size_t i = 0; i < known->n_bins; i++)
		spread_bin(&known->bins[i], low, top, parts);
	parts[eighth_of(0, low, top)] += (double)v->zero - (low == 0) - (top == 0);
	parts[0]++;
	parts[VITALS_BINS - 1]++;
	for (int i = 0; i < VITALS_BINS; i++)
		v->bins[i] = parts[i] > 0 ? (uint64_t)(parts[i] + 0.5) : 0;
}

/* The bins of the range are guessed by those kept. */
static void take_bins(struct vitals *v, const struct value_known *known)
{
	bool is_bool = v->type->kind == KIND_BOOL;
	double low, top;

	if (!v->size || (!v->has_ends && !is_bool))
		return;
	v->mean = known->stats.mean;
	low = is_bool ? 0 : number_of(v->type, v->min);
	top = is_bool ? 1 : number_of(v->type, v->max);
	v->has_bins = is_bool || low == top || known->n_bins;
	if (is_bool) {
		v->bins[0] = known->stats.n_false;
		v->bins[VITALS_BINS - 1] = known->stats.n_true;
	} else if (low == top) {
		v->bins[VITALS_BINS / 2] = known->stats.n_finite;
	} else {
		spread_known(v, known, low, top);
	}
}

static bool count(struct value *value, struct vitals *out, bool bins, struct progress *progress,
                  struct err *err)
{
	struct elem_counts counts;

	if (!elem_counts_of(value, &counts, progress, err))
		return false;
	take_counts(out, &counts);
	if (bins && value->known)
		take_bins(out, value->known);
	return !bins || value->known || put_in_bins(value, out, progress, err);
}

static bool find_vitals(struct value *value, struct vitals *out, bool bins,
                        struct progress *progress, struct err *err)
{
	*out = (struct vitals){ .state = VITALS_CANT_TELL, .type = value->type,
	                        .rank = value->shape.rank, .dim = value->shape.dim,
	                        .modulus = -1 };
	shape_count(&value->shape, &out->size);
	if (value->state != VALUE_ARRAY)
		return true;
	if (!count(value, out, bins, progress, err)) {
		*out = (struct vitals){ .state = VITALS_UNREADABLE, .type = out->type,
		                        .rank = out->rank, .dim = out->dim, .size = out->size };
		return false;
	}
	out->state = vitals_n_bad(out) ? VITALS_BAD : VITALS_CLEAN;
	return true;
}

bool vitals_of(struct value *value, struct vitals *out, struct progress *progress,
               struct err *err)
{
	return find_vitals(value, out, true, progress, err);
}

bool vitals_counts_of(struct value *value, struct vitals *out, struct progress *progress,
                      struct err *err)
{
	return find_vitals(value, out, false, progress, err);
}

bool vitals_magnitude(const struct vitals *v, double *out)
{
	if (!vitals_is_told(v))
		return false;
	if (v->type->kind == KIND_COMPLEX) {
		*out = v->modulus;
		return v->modulus >= 0;
	}
	if (!v->has_ends)
		return false;
	*out = fmax(fabs(number_of(v->type, v->min)), fabs(number_of(v->type, v->max)));
	return true;
}

/* Texts. */

static void put_count(struct str *out, const char *what, uint64_t n)
{
	if (n)
		str_fmt(out, "%s%s %" PRIu64, out->len ? " " : "", what, n);
}

void vitals_put_bad(struct str *out, const struct vitals *v)
{
	switch (v->state) {
	case VITALS_CLEAN: str_puts(out, "ok"); break;
	case VITALS_CANT_TELL: str_puts(out, "?"); break;
	case VITALS_UNREADABLE: str_puts(out, "unreadable"); break;
	case VITALS_BAD:
		put_count(out, "nan", v->nan);
		put_count(out, "-inf", v->neg_inf);
		put_count(out, "inf", v->pos_inf);
	}
}

void vitals_put_shape(struct str *out, const struct vitals *v)
{
	if (!v->type) {
		str_putc(out, '?');
		return;
	}
	str_putc(out, '(');
	for (uint32_t k = 0; k < v->rank; k++)
		if (v->dim[k] < 0)
			str_fmt(out, "%s?", k ? "," : "");
		else
			str_fmt(out, "%s%" PRId64, k ? "," : "", v->dim[k]);
	str_puts(out, v->rank == 1 ? ",)" : ")");
}

static void put_type(struct str *out, const struct vitals *v)
{
	if (v->type)
		str_fmt(out, "%s ", v->type->name);
	vitals_put_shape(out, v);
}

static void put_ends(struct str *out, const struct vitals *v)
{
	if (!v->has_ends)
		return;
	str_puts(out, "  min ");
	vitals_put_end(out, v, false);
	str_puts(out, "  max ");
	vitals_put_end(out, v, true);
}

void vitals_put_line(struct str *out, const struct vitals *v)
{
	put_type(out, v);
	if (v->state == VITALS_BAD || v->state == VITALS_UNREADABLE) {
		struct str bad = {0};

		vitals_put_bad(&bad, v);
		str_fmt(out, "  %s", str_text(&bad));
		str_release(&bad);
	}
	put_ends(out, v);
}

static bool has_counts(const struct vitals *v)
{
	return vitals_is_told(v) && v->type->kind != KIND_BOOL && v->type->kind != KIND_STRING;
}

static void put_all(struct str *out, const struct vitals *v, bool zeros)
{
	const struct { const char *what; uint64_t n; } counts[] = {
		{ "nan", v->nan }, { "-inf", v->neg_inf }, { "inf", v->pos_inf },
		{ "zero", v->zero },
	};

	put_type(out, v);
	if (v->state == VITALS_UNREADABLE)
		str_puts(out, "  unreadable");
	for (size_t i = 0; has_counts(v) && i < sizeof counts / sizeof *counts; i++)
		if (zeros || counts[i].n)
			str_fmt(out, "  %s %" PRIu64, counts[i].what, counts[i].n);
	put_ends(out, v);
	if (v->has_ends) {
		str_puts(out, "  mean ");
		put_short(out, v->mean);
	}
}

void vitals_put_summary(struct str *out, const struct vitals *v, int cols)
{
	size_t begin = out->len;

	put_all(out, v, true);
	if (utf8_columns(str_text(out) + begin, out->len - begin) <= (size_t)cols)
		return;
	str_cut(out, begin);
	put_all(out, v, false);
}

/* Whole numbers to the last digit while they are short. */
void vitals_put_end(struct str *out, const struct vitals *v, bool max)
{
	double x;

	if (!vitals_is_told(v)) {
		str_putc(out, '?');
		return;
	}
	if (!v->has_ends) {
		str_putc(out, '-');
		return;
	}
	x = number_of(v->type, max ? v->max : v->min);
	if (v->type->kind != KIND_FLOAT && v->type->kind != KIND_SMALL_FLOAT &&
	    fabs(x) <= WHOLE_DIGITS)
		str_int(out, (int64_t)x);
	else
		put_short(out, x);
}

void vitals_put_bins(struct str *out, const struct vitals *v, bool fine)
{
	uint64_t most = 0;
	int last = 0;

	if (!v->has_bins) {
		str_putc(out, vitals_is_told(v) ? '-' : '?');
		return;
	}
	for (int i = 0; i < VITALS_BINS; i++) {
		most = v->bins[i] > most ? v->bins[i] : most;
		last = v->bins[i] ? i : last;
	}
	for (int i = 0; i <= last; i++)
		str_puts(out, spark_of((double)v->bins[i] / (double)most, fine));
}
