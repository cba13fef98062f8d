/* Counting and places: histogram, bincount, nonzero and their kin. */
#include <inttypes.h>
#include <math.h>

#include "cmds/array/np.h"
#include "cmds/array/np_order.h"
#include "cmds/array/promote.h"
#include "cmds/array/select.h"
#include "cmds/array/sequence.h"

#define INTS(array) ((int64_t *)(void *)(array)->first)
#define DOUBLES(array) ((double *)(void *)(array)->first)

/* Histogram. */

struct bins {
	struct ndarray *first, *last;    /* single numbers */
	struct ndarray *edges;
	int64_t n;
};

static bool read_range(struct np_call *c, const struct ndarray *a, struct bins *bins)
{
	struct workspace *ws = c->ws;
	struct ndarray *range = c->at[2], *wrong;
	double low = 0, high = 0;

	if (range) {
		if (!sequence_is(range) || sequence_len(range) != 2)
			return np_refuse(c, "such a range");
		bins->first = ws_keep(ws, sequence_at(ws, range, 0));
		bins->last = ws_keep(ws, sequence_at(ws, range, 1));
	} else if (!a->count) {
		bins->first = np_int(ws, 0);
		bins->last = np_int(ws, 1);
	} else {
		bins->first = np_reduce(ws, REDUCE_MIN, a, NULL);
		bins->last = np_reduce(ws, REDUCE_MAX, a, NULL);
	}
	wrong = np_to(ws, bins->first, DTYPE_FLOAT64);
	low = wrong ? *DOUBLES(wrong) : 0;
	wrong = wrong ? np_to(ws, bins->last, DTYPE_FLOAT64) : NULL;
	if (!wrong)
		return false;
	high = *DOUBLES(wrong);
	if (low > high)
		return ws_fail(ws, ERR_VALUE, "max must be larger than min in range parameter.");
	if (!isfinite(low) || !isfinite(high))
		return ws_fail(ws, ERR_VALUE, "%s range of [%g, %g] is not finite",
		               range ? "supplied" : "autodetected", low, high);
	if (low == high) {
		bins->first = np_apply2(ws, UFUNC_SUBTRACT, bins->first, np_float(ws, 0.5));
		bins->last = np_apply2(ws, UFUNC_ADD, bins->last, np_float(ws, 0.5));
	}
	return bins->first && bins->last;
}

static struct ndarray *even_edges(struct np_call *c, const struct ndarray *a,
                                  const struct bins *bins)
{
	struct np_call line = { .ws = c->ws, .name = "np.linspace",
	                        .at = { bins->first, bins->last, np_int(c->ws, bins->n + 1) } };
	enum dtype dtype = promote_operands(a, bins->first);

	dtype = promote_types(dtype, promote_operands(a, bins->last));
	if (promote_is_whole(dtype_info(dtype)))
		dtype = DTYPE_FLOAT64;
	return np_to(c->ws, np_linspace(&line), dtype);
}

/* Puts each number where it belongs; places are those that its share of the range gives. */
static bool count_places(struct workspace *ws, const struct ndarray *numbers,
                         const struct ndarray *places, const double *edge, struct ndarray *counts)
{
	int64_t n = (int64_t)counts->count;

	for (uint64_t i = 0; i < numbers->count; i++) {
		double x = DOUBLES(numbers)[i];
		int64_t at = (int64_t)DOUBLES(places)[i];

		at -= at == n;
		if (at < 0 || at >= n)
			return ws_refuse(ws, "a histogram of such numbers");
		if (x < edge[at])
			at--;
		else if (x >= edge[at + 1] && at != n - 1)
			at++;
		if (at >= 0)
			INTS(counts)[at]++;
		if (i % CELLS == 0 && !ws_step(ws, i, numbers->count))
			return false;
	}
	return true;
}

static struct ndarray *even_histogram(struct np_call *c, struct ndarray *a, struct bins *bins)
{
	struct workspace *ws = c->ws;
	struct shape shape = { .rank = 1, .dim = { bins->n } };
	struct ndarray *counts = np_full(ws, DTYPE_INT64, &shape, np_int(ws, 0));
	struct ndarray *within, *width, *places, *edges;

	if (!counts || !read_range(c, a, bins))
		return NULL;
	bins->edges = even_edges(c, a, bins);
	within = np_apply2(ws, UFUNC_AND, np_apply2(ws, UFUNC_GREATER_EQUAL, a, bins->first),
	                   np_apply2(ws, UFUNC_LESS_EQUAL, a, bins->last));
	a = bins->edges ? np_to(ws, np_masked(ws, a, within), bins->edges->type->dtype) : NULL;
	width = np_apply2(ws, UFUNC_SUBTRACT,
	                  np_apply2(ws, UFUNC_ADD, bins->last, np_float(ws, 0)), bins->first);
	if (width && promote_types(bins->first->type->dtype, bins->last->type->dtype) ==
	                     bins->first->type->dtype)
		width = np_to(ws, width, promote_is_whole(bins->first->type) ?
		                                 DTYPE_FLOAT64 : bins->first->type->dtype);
	places = np_apply2(ws, UFUNC_MULTIPLY,
	                   np_apply2(ws, UFUNC_DIVIDE,
	                             np_apply2(ws, UFUNC_SUBTRACT, a, bins->first), width),
	                   np_int(ws, bins->n));
	places = np_flat(ws, np_to(ws, places, DTYPE_FLOAT64));
	a = places ? np_flat(ws, np_to(ws, a, DTYPE_FLOAT64)) : NULL;
	edges = a ? np_flat(ws, np_to(ws, bins->edges, DTYPE_FLOAT64)) : NULL;
	if (!edges)
		return NULL;
	return count_places(ws, a, places, DOUBLES(edges), counts) ? counts : NULL;
}

/* Between edges that were given: from the places of the edges among the sorted numbers. */
static struct ndarray *uneven_histogram(struct np_call *c, struct ndarray *a, struct bins *bins)
{
	struct workspace *ws = c->ws;
	struct ndarray *edges = c->at[1], *sorted, *below, *parts[2];
	bool falls;

	bins->edges = edges;
	if (edges->shape.rank != 1)
		return ws_fail(ws, ERR_VALUE, "`bins` must be 1d, when an array");
	below = np_neighbours(ws, UFUNC_LESS, edges, 0);
	if (!below || !np_any(ws, below, &falls))
		return NULL;
	if (falls)
		return ws_fail(ws, ERR_VALUE, "`bins` must increase monotonically, when an array");
	sorted = np_sorted(ws, a);
	if (!sorted)
		return NULL;
	parts[0] = np_search(ws, sorted, np_part(ws, edges, 0, INDEX_NONE, -1, 1), false);
	parts[1] = np_search(ws, sorted, np_part(ws, edges, 0, -1, INDEX_NONE, 1), true);
	if (!parts[0] || !parts[1])
		return NULL;
	return np_neighbours(ws, UFUNC_SUBTRACT, np_joined(ws, parts, 2, 0), 0);
}

static struct ndarray *density_of(struct workspace *ws, const struct ndarray *counts,
                                  const struct ndarray *edges)
{
	struct ndarray *width = np_to(ws, np_neighbours(ws, UFUNC_SUBTRACT, edges, 0),
	                              DTYPE_FLOAT64);

	return np_apply2(ws, UFUNC_DIVIDE, np_apply2(ws, UFUNC_DIVIDE, counts, width),
	                 np_reduce(ws, REDUCE_SUM, counts, NULL));
}

struct ndarray *np_histogram(struct np_call *c)
{
	struct ndarray *a = np_flat(c->ws, c->at[0]), *parts[2];
	struct bins bins = { .n = 10 };
	bool density = false, even = !c->at[1] || ndarray_is_int(c->at[1]);

	if (!a || !np_get_bool(c, 3, &density))
		return NULL;
	if (a->type->kind == KIND_COMPLEX || (c->at[1] && c->at[1]->origin == ORIGIN_TEXT))
		return np_refuse(c, "complex numbers or named bins");
	if (a->type->kind == KIND_BOOL)
		a = np_to(c->ws, a, DTYPE_UINT8);
	if (even && !np_get_int(c, 1, &bins.n))
		return NULL;
	if (bins.n < 1)
		return ws_fail(c->ws, ERR_VALUE, "`bins` must be positive, when an integer");
	if (bins.n == INT64_MAX)
		return np_refuse(c, "so many bins");
	if (!even && !c->at[1]->shape.rank && !sequence_is(c->at[1]))
		return ws_fail(c->ws, ERR_TYPE,
		               "`bins` must be an integer, a string, or an array");
	if (!even)
		c->at[1] = ws_keep(c->ws, sequence_to_array(c->ws, c->at[1]));
	if (!a || (!even && !c->at[1]))
		return NULL;
	parts[0] = even ? even_histogram(c, a, &bins) : uneven_histogram(c, a, &bins);
	parts[1] = bins.edges;
	if (parts[0] && density)
		parts[0] = density_of(c->ws, parts[0], parts[1]);
	return parts[0] ? np_tuple(c->ws, parts, 2) : NULL;
}

/* Counts of small numbers. */
struct ndarray *np_bincount(struct np_call *c)
{
	struct workspace *ws = c->ws;
	struct ndarray *x = c->at[0], *weights = c->at[1], *made;
	struct shape shape = { .rank = 1 };
	int64_t least = 0;

	if (!np_get_int(c, 2, &least))
		return NULL;
	if (least < 0)
		return ws_fail(ws, ERR_VALUE, "'minlength' must not be negative");
	if (x->shape.rank != 1)
		return ws_fail(ws, ERR_VALUE, "object of too small depth for desired array");
	if (x->count && (!promote_is_whole(x->type) || x->type->dtype == DTYPE_UINT64))
		return ws_fail(ws, ERR_TYPE, "Cannot cast array data from dtype('%s') to "
		                             "dtype('int64') according to the rule 'safe'",
		               x->type->name);
	x = np_flat(ws, np_to(ws, x, DTYPE_INT64));
	weights = weights ? np_flat(ws, np_to(ws, weights, DTYPE_FLOAT64)) : NULL;
	if (!x || ws->err->code)
		return NULL;
	if (weights && weights->count != x->count)
		return ws_fail(ws, ERR_VALUE, "The weights and list don't have the same length.");
	shape.dim[0] = least;
	for (uint64_t i = 0; i < x->count; i++) {
		if (INTS(x)[i] < 0)
			return ws_fail(ws, ERR_VALUE,
			               "'list' argument must have no negative elements");
		if (INTS(x)[i] == INT64_MAX)
			return ws_fail(ws, ERR_LIMIT, "The counts would need too much memory");
		if (INTS(x)[i] >= shape.dim[0])
			shape.dim[0] = INTS(x)[i] + 1;
	}
	made = np_full(ws, weights ? DTYPE_FLOAT64 : DTYPE_INT64, &shape, np_int(ws, 0));
	for (uint64_t i = 0; made && i < x->count; i++) {
		if (weights)
			DOUBLES(made)[INTS(x)[i]] += DOUBLES(weights)[i];
		else
			INTS(made)[INTS(x)[i]]++;
		if (i % CELLS == 0 && !ws_step(ws, i, x->count))
			return NULL;
	}
	return made;
}

/* Places. */

static bool find_places(struct workspace *ws, const struct ndarray *a, struct ndarray **places)
{
	if (!select_nonzero(ws, a, places))
		return false;
	for (uint32_t k = 0; k < a->shape.rank; k++)
		ws_keep(ws, places[k]);
	return true;
}

/* A single number counts as a row of one. */
static struct ndarray *at_least_row(struct workspace *ws, struct ndarray *a)
{
	return a->shape.rank ? a : np_flat(ws, a);
}

struct ndarray *np_nonzero(struct np_call *c)
{
	struct ndarray *places[SHAPE_MAX_RANK], *a = at_least_row(c->ws, c->at[0]);

	return a && find_places(c->ws, a, places) ? np_tuple(c->ws, places, a->shape.rank) : NULL;
}

struct ndarray *np_flatnonzero(struct np_call *c)
{
	struct ndarray *place, *a = np_flat(c->ws, c->at[0]);

	return a && find_places(c->ws, a, &place) ? place : NULL;
}

struct ndarray *np_argwhere(struct np_call *c)
{
	struct ndarray *places[SHAPE_MAX_RANK], *rows[SHAPE_MAX_RANK], *a = c->at[0], *made;
	struct shape shape = { .rank = 2, .dim = { 1 } };
	bool truth;

	if (!a->shape.rank) {
		if (!np_truth(c->ws, a, &truth))
			return NULL;
		shape.dim[0] = truth;
		return np_new(c->ws, DTYPE_INT64, &shape);
	}
	if (!find_places(c->ws, a, places))
		return NULL;
	shape.dim[1] = places[0]->shape.dim[0];
	for (uint32_t k = 0; k < a->shape.rank; k++) {
		rows[k] = np_reshaped(c->ws, places[k], &shape);
		if (!rows[k])
			return NULL;
	}
	made = np_joined(c->ws, rows, a->shape.rank, 0);
	return made ? ws_keep(c->ws, ndarray_transpose(c->ws, made, NULL, 0)) : NULL;
}

struct ndarray *np_unravel_index(struct np_call *c)
{
	struct workspace *ws = c->ws;
	struct ndarray *parts[SHAPE_MAX_RANK],
		*at = np_contiguous(ws, np_to(ws, c->at[0], DTYPE_INT64));
	struct shape shape;
	uint64_t total;

	if (!promote_is_whole(c->at[0]->type))
		return ws_fail(ws, ERR_TYPE, "only int indices permitted");
	if (!at || !np_get_shape(c, 1, &shape) || !shape_count(&shape, &total))
		return NULL;
	for (uint32_t k = 0; k < shape.rank; k++) {
		parts[k] = np_as_scalar(np_new(ws, DTYPE_INT64, &at->shape));
		if (!parts[k])
			return NULL;
	}
	for (uint64_t i = 0; i < at->count; i++) {
		int64_t rest = INTS(at)[i];

		if (rest < 0 || (uint64_t)rest >= total)
			return ws_fail(ws, ERR_VALUE,
			               "index %" PRId64
			               " is out of bounds for array with size %" PRIu64,
			               rest, total);
		for (uint32_t k = shape.rank; k-- > 0; rest /= shape.dim[k])
			INTS(parts[k])[i] = rest % shape.dim[k];
		if (i % CELLS == 0 && !ws_step(ws, i, at->count))
			return NULL;
	}
	return np_tuple(ws, parts, shape.rank);
}

struct ndarray *np_ravel_multi_index(struct np_call *c)
{
	struct workspace *ws = c->ws;
	struct ndarray *made = np_int(ws, 0);
	struct shape shape;

	if (!sequence_is(c->at[0]))
		return np_refuse(c, "what is no tuple of arrays");
	if (!np_get_shape(c, 1, &shape))
		return NULL;
	if (sequence_len(c->at[0]) != shape.rank)
		return ws_fail(ws, ERR_VALUE,
		               "parameter multi_index must be a sequence of length %" PRIu32,
		               shape.rank);
	for (uint32_t k = 0; made && k < shape.rank; k++) {
		struct ndarray *item = ws_keep(ws, sequence_at(ws, c->at[0], k)), *out;
		struct ndarray *at = item ? ws_keep(ws, sequence_to_array(ws, item)) : NULL;
		bool wrong;

		if (at && !promote_is_whole(at->type))
			return ws_fail(ws, ERR_TYPE, "only int indices permitted");
		out = np_apply2(ws, UFUNC_OR, np_apply2(ws, UFUNC_LESS, at, np_int(ws, 0)),
		                np_apply2(ws, UFUNC_GREATER_EQUAL, at, np_int(ws, shape.dim[k])));
		if (!out || !np_any(ws, out, &wrong))
			return NULL;
		if (wrong)
			return ws_fail(ws, ERR_VALUE, "invalid entry in coordinates array");
		made = np_apply2(ws, UFUNC_ADD,
		                 np_apply2(ws, UFUNC_MULTIPLY, made, np_int(ws, shape.dim[k])),
		                 np_to(ws, at, DTYPE_INT64));
	}
	return made;
}
