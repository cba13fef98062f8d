#include "dump/model/known.h"

#include <math.h>
#include <string.h>

#include "dump/base/mem.h"

struct value_known *value_known_new(size_t n_bins)
{
	struct value_known *known = mem_alloc(sizeof *known + n_bins * sizeof *known->bins);

	known->n_bins = n_bins;
	known->modulus = -1;
	return known;
}

const struct value_known *known_of_view(const struct view *view)
{
	struct view all;

	if (!view->value->known || view->value->state != VALUE_ARRAY)
		return NULL;
	view_all(&all, view->value);
	return view->start == all.start && shape_equal(&view->shape, &all.shape)
	       && !memcmp(view->stride, all.stride, all.shape.rank * sizeof *all.stride)
	               ? view->value->known : NULL;
}

/* What is known of a value, or can be counted. */
static bool stats_known(struct value *value, struct stats *out, struct progress *progress,
                        struct err *err)
{
	struct view view;

	if (value->known) {
		*out = value->known->stats;
		return true;
	}
	view_all(&view, value);
	return stats_of(&view, out, progress, err);
}

static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool same_counts(const struct stats *a, const struct stats *b)
{
	return a->total == b->total && a->n_nan == b->n_nan && a->n_neg_inf == b->n_neg_inf
	       && a->n_neg == b->n_neg && a->n_zero == b->n_zero && a->n_pos == b->n_pos
	       && a->n_pos_inf == b->n_pos_inf && a->n_false == b->n_false
	       && a->n_true == b->n_true && a->n_finite == b->n_finite;
}

/* Of bools, and where nothing is finite, there are none. */
static bool same_ends(const struct stats *a, const struct stats *b)
{
	if (!a->n_finite || a->n_false || a->n_true)
		return true;
	return same_number(a->mean, b->mean) && same_number(a->std, b->std)
	       && !memcmp(a->min.bytes, b->min.bytes, sizeof a->min.bytes)
	       && !memcmp(a->max.bytes, b->max.bytes, sizeof a->max.bytes);
}

static bool same_spread(const struct value_known *a, const struct value_known *b)
{
	if (a->n_bins != b->n_bins || !same_number(a->modulus, b->modulus))
		return false;
	for (size_t i = 0; i < a->n_bins; i++)
		if (a->bins[i].exponent != b->bins[i].exponent
		    || a->bins[i].negative != b->bins[i].negative
		    || a->bins[i].n != b->bins[i].n)
			return false;
	return true;
}

bool known_agree(struct value *a, struct value *b, bool *agree, struct progress *progress,
                 struct err *err)
{
	struct stats x, y;

	if (a->type->kind == KIND_STRING)
		return err_at(err, ERR_MISSING, a->known ? a->path : b->path, 0,
		              "Only a summary was kept, and of texts it has no numbers");
	if (!stats_known(a, &x, progress, err) || !stats_known(b, &y, progress, err))
		return false;
	*agree = same_counts(&x, &y) && same_ends(&x, &y)
	         && (!a->known || !b->known || same_spread(a->known, b->known));
	return true;
}
