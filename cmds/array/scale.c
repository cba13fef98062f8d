/*
 * Percentiles are elements of a rank among the finite ones. The bits of a double, mapped so that
 * they order as the numbers do, are found 16 at a time by counting, in one pass over the elements
 * each.
 */
#include "cmds/array/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "dump/base/mem.h"

#define LOG_REACH 999.0         /* how far a logarithmic scale spreads the low end */
enum { DIGIT_BITS = 16, DIGITS = 64 / DIGIT_BITS, COUNTS = 1 << DIGIT_BITS };

const char *const colours_names[] = {
#define X(id, name) [COLOURS_##id] = name,
	COLOURS(X)
#undef X
};

bool scale_read_colours(struct call *call, const char *word, enum colours otherwise,
                        enum colours *out)
{
	*out = otherwise;
	for (enum colours c = 0; word && c < N_COLOURS; c++)
		if (word_is(word, strlen(word), colours_names[c])) {
			*out = c;
			return true;
		}
	if (word)
		call_error(call, "ERROR: \"%s\" is not one of none, heat and gray.", word);
	return !word;
}

/* Places on the scale. */

static double clamp(double part)
{
	return part > 0 ? part < 1 ? part : 1 : 0;
}

/* With halves, as the difference of two doubles may overflow. */
static double plain_part(double x, double low, double top)
{
	return top > low ? clamp((x / 2 - low / 2) / (top / 2 - low / 2)) : 0;
}

static double spread(const struct scale *scale, double part)
{
	return scale->log ? log1p(part * LOG_REACH) / log1p(LOG_REACH) : part;
}

double scale_part(const struct scale *scale, double x)
{
	return spread(scale, plain_part(x, scale->low, scale->top));
}

double scale_at(const struct scale *scale, double part)
{
	if (scale->log)
		part = expm1(part * log1p(LOG_REACH)) / LOG_REACH;
	return scale->low * (1 - part) + scale->top * part;
}

static bool is_signed(const struct scale *scale)
{
	return scale->colours == COLOURS_HEAT && scale->low < 0 && scale->top > 0;
}

/* The end that is farther from 0. */
static double reach(const struct scale *scale)
{
	return fmax(-scale->low, scale->top);
}

int scale_step(const struct scale *scale, double x)
{
	double part;

	if (is_signed(scale)) {
		part = spread(scale, plain_part(fabs(x), 0, reach(scale)));
		part = (x < 0 ? 1 - part : 1 + part) / 2;
	} else {
		part = scale_part(scale, x);
	}
	return 1 + (part < 1 ? (int)(part * SCALE_STEPS) : SCALE_STEPS - 1);
}

enum role scale_role(const struct scale *scale)
{
	if (scale->colours == COLOURS_GRAY)
		return ROLE_GRAY_SCALE;
	return is_signed(scale) ? ROLE_SIGNED_SCALE : ROLE_SCALE;
}

static void put_swatches(const struct scale *scale, int from, int to, struct line *line)
{
	str_putc(&line->text, ' ');
	for (int step = from; step <= to; step++) {
		str_putc(&line->text, ' ');
		line_shade(line, scale_role(scale), line->text.len - 1, line->text.len, 0, step);
	}
	str_putc(&line->text, ' ');
}

void scale_put_steps(const struct scale *scale, struct line *line)
{
	double end = reach(scale);
	bool both = is_signed(scale);

	put_short(&line->text, both ? -end : scale->low);
	put_swatches(scale, 1, SCALE_STEPS / 2, line);
	put_short(&line->text, both ? 0 : scale_at(scale, 0.5));
	put_swatches(scale, SCALE_STEPS / 2 + 1, SCALE_STEPS, line);
	put_short(&line->text, both ? end : scale->top);
}

/* Percentiles. */

/* Counts the next digit of all numbers that begin with the digits found so far. */
struct rank_search {
	uint64_t prefix, rank;   /* rank: among those with the prefix, from 0 */
	uint64_t *count;
};
struct ranks {
	struct rank_search of[2];
	int digit;               /* digits found */
};

static uint64_t ordered_bits(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double of_ordered_bits(uint64_t bits)
{
	double x;

	bits = bits >> 63 ? bits & ~(UINT64_C(1) << 63) : ~bits;
	memcpy(&x, &bits, sizeof x);
	return x;
}

static void count_digits(void *context, uint64_t first, const double *numbers, size_t n)
{
	const struct ranks *ranks = context;
	int shift = 64 - DIGIT_BITS * (ranks->digit + 1);

	(void)first;
	for (size_t i = 0; i < n; i++) {
		uint64_t bits;

		if (!isfinite(numbers[i]))
			continue;
		bits = ordered_bits(numbers[i]) >> shift;
		for (int k = 0; k < 2; k++)
			if (bits >> DIGIT_BITS == ranks->of[k].prefix)
				ranks->of[k].count[bits & (COUNTS - 1)]++;
	}
}

static void take_digit(struct rank_search *search)
{
	uint64_t digit = 0;

	while (digit < COUNTS - 1 && search->rank >= search->count[digit])
		search->rank -= search->count[digit++];
	search->prefix = search->prefix << DIGIT_BITS | digit;
	memset(search->count, 0, COUNTS * sizeof *search->count);
}

/* The numbers of these ranks, from 0, among n_finite. */
static bool find_ranks(struct view *view, uint64_t low, uint64_t top, double *out,
                       struct progress *progress, struct err *err)
{
	uint64_t *counts = mem_alloc(2 * COUNTS * sizeof *counts);
	struct ranks ranks = { .of = { { 0, low, counts }, { 0, top, counts + COUNTS } } };
	bool ok = true;

	for (; ok && ranks.digit < DIGITS; ranks.digit++) {
		ok = numbers_each(view, count_digits, &ranks, progress, err);
		for (int k = 0; ok && k < 2; k++)
			take_digit(&ranks.of[k]);
	}
	for (int k = 0; k < 2; k++)
		out[k] = of_ordered_bits(ranks.of[k].prefix);
	free(counts);
	return ok;
}

/* The ends. */

/* Takes the extremes of moduli, which a survey does not have. */
static void widen(void *context, uint64_t first, const double *numbers, size_t n)
{
	struct scale *scale = context;

	(void)first;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(numbers[i]))
			continue;
		scale->low = fmin(scale->low, numbers[i]);
		scale->top = fmax(scale->top, numbers[i]);
	}
}

static bool take_moduli(struct scale *scale, struct view *view, struct progress *progress,
                        struct err *err)
{
	scale->low = INFINITY;
	scale->top = -INFINITY;
	if (!numbers_each(view, widen, scale, progress, err))
		return false;
	if (scale->low > scale->top)
		scale->low = scale->top = 0;
	return true;
}

bool scale_take_ends(struct scale *scale, struct view *view, const struct survey *survey,
                     struct progress *progress, struct err *err)
{
	const struct dtype_info *type = view->value->type;
	uint64_t n = survey->n_finite;
	double ends[2];

	scale->low = scale->top = 0;
	if (type->kind == KIND_COMPLEX && !take_moduli(scale, view, progress, err))
		return false;
	if (survey->ordered && n) {
		scale->low = number_of(type, survey->min);
		scale->top = number_of(type, survey->max);
	} else if (type->kind == KIND_BOOL && n) {
		scale->low = survey->n_zero ? 0 : 1;
		scale->top = survey->n_pos ? 1 : 0;
	}
	if (!scale->percentiles || !n)
		return true;
	if (!find_ranks(view, (n + 99) / 100 - 1, n - n / 100 - 1, ends, progress, err))
		return false;
	scale->low = ends[0];
	scale->top = ends[1];
	return true;
}
