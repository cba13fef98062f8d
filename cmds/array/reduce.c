/*
 * The array is walked in memory order, along with a cursor over the results that has stride 0 on
 * the reduced axes. A run with stride 0 is folded into one result, in chunks; any other run is
 * added element by element to as many results. Results are kept as cells until the end; those of
 * float16 are rounded after each step. Mean, var and std are computed from sums, as in numpy.
 */
#include "cmds/array/reduce.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/promote.h"
#include "cmds/array/ufunc.h"
#include "dump/base/mem.h"
#include "dump/model/stats.h"

#define CHUNK 8192
#define LEAF 64          /* so many pairs are added one by one */

static const char *name_of(enum reduction reduction)
{
	static const char *const names[] = {
#define X(id, name) [REDUCE_##id] = name,
		REDUCTIONS(X)
#undef X
	};

	return names[reduction];
}

/* Sums of a chunk. */

/* As stats_sum32 and stats_sum64, for pairs: four lanes of real and four of imaginary parts. */
#define PAIRWISE_COMPLEX(name, type, real) \
	static type name(const type *a, size_t n) \
	{ \
		type r[4], sum = { 0, 0 }; \
		size_t i = 0; \
		\
		if (n > LEAF) { \
			size_t half = n / 2 / 4 * 4; \
			type low = name(a, half), high = name(a + half, n - half); \
			\
			return (type){ low.re + high.re, low.im + high.im }; \
		} \
		if (n >= 4) { \
			memcpy(r, a, sizeof r); \
			for (i = 4; i + 4 <= n; i += 4) { \
				for (size_t k = 0; k < 4; k++) { \
					r[k].re += a[i + k].re; \
					r[k].im += a[i + k].im; \
				} \
			} \
			sum.re = (r[0].re + r[1].re) + (r[2].re + r[3].re); \
			sum.im = (r[0].im + r[1].im) + (r[2].im + r[3].im); \
		} \
		for (; i < n; i++) { \
			sum.re += a[i].re; \
			sum.im += a[i].im; \
		} \
		return sum; \
	}

PAIRWISE_COMPLEX(sum_complex32, struct complex32, float)
PAIRWISE_COMPLEX(sum_complex64, struct complex64, double)

/* Puts the sum of n cells in the place of the first. */
static void sum_chunk(enum cell cell, void *cells, size_t n)
{
	switch (cell) {
	case CELL_FLOAT:
		*(float *)cells = stats_sum32(cells, n);
		break;
	case CELL_DOUBLE:
		*(double *)cells = stats_sum64(cells, n);
		break;
	case CELL_COMPLEX32:
		*(struct complex32 *)cells = sum_complex32(cells, n);
		break;
	case CELL_COMPLEX64:
		*(struct complex64 *)cells = sum_complex64(cells, n);
		break;
	default:
		for (size_t i = 1; i < n; i++)
			*(uint64_t *)cells += ((const uint64_t *)cells)[i];
	}
}

/* How an array is folded into results. */
struct fold {
	enum ufunc ufunc;        /* ADD, MULTIPLY, MAXIMUM or MINIMUM */
	double start;            /* what results begin with; whole numbers cannot go beyond it */
	enum dtype dtype;        /* of the result */
};

/* Folds n cells into the result at `at` (stride 0), or into n results from there on. */
static void fold_cells(const struct fold *fold, enum cell cell, void *cells, size_t n,
                       unsigned char *at, bool one)
{
	binary_loop *loop = ufunc_binary_loop(fold->ufunc, cell);
	const struct dtype_info *type = dtype_info(fold->dtype);
	bool computes = fold->ufunc == UFUNC_ADD || fold->ufunc == UFUNC_MULTIPLY;
	bool rounds = computes && cell_rounds(type);
	size_t bytes = cell_bytes(cell);

	if (!one) {
		loop(at, cells, n, at);
	} else if (fold->ufunc == UFUNC_ADD && fold->dtype != DTYPE_BFLOAT16) {
		sum_chunk(cell, cells, n);
		loop(at, cells, 1, at);
	} else {
		for (size_t i = 0; i < n; i++) {
			loop(at, (unsigned char *)cells + i * bytes, 1, at);
			if (rounds)
				cells_round(type, (float *)(void *)at, 1);
		}
	}
	if (rounds)
		cells_round(type, (float *)(void *)at, one ? 1 : n);
}

static bool fold_all(struct workspace *ws, const struct fold *fold, const struct ndarray *a,
                     const uint8_t *order, struct ndarray *results)
{
	enum cell cell = cell_of(results->type);
	size_t bytes = cell_bytes(cell);
	unsigned char *cells = mem_alloc(CHUNK * bytes);
	struct cursor from, to;
	bool ok = true;

	cursor_start(&from, a, &a->shape, order);
	cursor_start(&to, results, &a->shape, order);
	for (uint64_t done = 0; ok && done < a->count;) {
		uint64_t left = a->count - done;
		const unsigned char *at;
		size_t run = cursor_run(&to, left < CHUNK ? (size_t)left : CHUNK, &at);

		for (size_t i = 0; i < run; i += CELLS)
			cursor_take(&from, run - i < CELLS ? run - i : CELLS, cell,
			            cells + i * bytes);
		fold_cells(fold, cell, cells, run, (unsigned char *)at,
		           to.stride[to.rank - 1] == 0);
		done += run;
		ok = ws_step(ws, done, a->count);
	}
	free(cells);
	return ok;
}

static void set_all(struct ndarray *results, double start)
{
	enum cell cell = cell_of(results->type);
	_Alignas(CELL_BYTES) unsigned char one[CELL_BYTES];
	size_t bytes = cell_bytes(cell);
	int64_t whole = isfinite(start) ? (int64_t)start : start < 0 ? INT64_MIN : INT64_MAX;
	uint64_t natural = isfinite(start) ? (uint64_t)start : start < 0 ? 0 : UINT64_MAX;
	const struct dtype_info *type = dtype_info(DTYPE_FLOAT64);

	if (cell == CELL_INT)
		memcpy(one, &whole, sizeof whole);
	else if (cell == CELL_UINT)
		memcpy(one, &natural, sizeof natural);
	else
		cells_load(type, (const unsigned char *)&start, 0, 1, cell, one);
	for (uint64_t i = 0; i < results->count; i++)
		memcpy(results->first + i * bytes, one, bytes);
}

static struct ndarray *fold_axes(struct workspace *ws, const struct fold *fold,
                                 const struct ndarray *a, const bool *reduced, bool keepdims)
{
	enum dtype kept_in = cell_dtype(cell_of(dtype_info(fold->dtype)));
	struct ndarray *results, *made = NULL;
	struct shape shape = a->shape;
	uint8_t order[SHAPE_MAX_RANK];

	for (uint32_t i = 0; i < shape.rank; i++)
		shape.dim[i] = reduced[i] ? 1 : shape.dim[i];
	axes_in_memory_order(&a->shape, &a, 1, order);
	results = ndarray_new_ordered(ws, kept_in, &shape, order);
	if (results) {
		set_all(results, fold->start);
		if (fold_all(ws, fold, a, order, results))
			made = ndarray_astype(ws, results, fold->dtype);
	}
	if (made && !keepdims)
		ndarray_drop_axes(made, reduced);
	if (made)
		made->origin = made->shape.rank ? ORIGIN_ARRAY : ORIGIN_SCALAR;
	ndarray_free(ws, results);
	return made;
}

enum dtype reduce_sum_type(const struct dtype_info *type)
{
	if (type->kind == KIND_UINT)
		return DTYPE_UINT64;
	return type->kind == KIND_INT || type->kind == KIND_BOOL ? DTYPE_INT64 : type->dtype;
}

static struct ndarray *sum_axes(struct workspace *ws, const struct ndarray *a, const bool *reduced,
                                bool keepdims, enum dtype dtype)
{
	struct fold fold = { UFUNC_ADD, 0, dtype };

	return fold_axes(ws, &fold, a, reduced, keepdims);
}

/* Divides by a count, converts to a type. Takes sum over; if it is NULL so is the result. */
static struct ndarray *divide(struct workspace *ws, struct ndarray *sum, double n,
                              enum dtype dtype)
{
	struct ndarray *count = sum ? ndarray_float(ws, n) : NULL;
	struct ndarray *quotient = count ? ufunc_binary(ws, UFUNC_DIVIDE, sum, count) : NULL;
	struct ndarray *made = quotient ? ndarray_astype(ws, quotient, dtype) : NULL;

	ndarray_free(ws, sum);
	ndarray_free(ws, count);
	ndarray_free(ws, quotient);
	return made;
}

static struct ndarray *mean_axes(struct workspace *ws, const struct ndarray *a,
                                 const bool *reduced, const struct reduce_axes *axes, uint64_t n)
{
	enum dtype own = axes->dtype ? axes->dtype :
	                 promote_is_whole(a->type) ? DTYPE_FLOAT64 : a->type->dtype;
	enum dtype summed = own == DTYPE_FLOAT16 && !axes->dtype ? DTYPE_FLOAT32 : own;
	struct ndarray *sum = sum_axes(ws, a, reduced, axes->keepdims, summed), *made;

	if (!sum || sum->shape.rank == 0 || own == summed)
		return divide(ws, sum, (double)n, own);
	sum = divide(ws, sum, (double)n, summed);
	made = sum ? ndarray_astype(ws, sum, own) : NULL;
	ndarray_free(ws, sum);
	return made;
}

struct ndarray *reduce_squares(struct workspace *ws, const struct ndarray *a)
{
	struct ndarray *parts[2], *square[2], *made = NULL;

	if (a->type->kind != KIND_COMPLEX)
		return ufunc_binary(ws, UFUNC_MULTIPLY, a, a);
	for (int i = 0; i < 2; i++) {
		parts[i] = ndarray_part(a, i);
		square[i] = parts[i] ? ufunc_binary(ws, UFUNC_MULTIPLY, parts[i], parts[i]) : NULL;
	}
	if (square[0] && square[1])
		made = ufunc_binary(ws, UFUNC_ADD, square[0], square[1]);
	for (int i = 0; i < 2; i++) {
		ndarray_free(ws, parts[i]);
		ndarray_free(ws, square[i]);
	}
	return made;
}

static struct ndarray *var_axes(struct workspace *ws, const struct ndarray *a, const bool *reduced,
                                const struct reduce_axes *axes, uint64_t n)
{
	enum dtype own = axes->dtype ? axes->dtype :
	                 promote_is_whole(a->type) ? DTYPE_FLOAT64 : a->type->dtype;
	struct ndarray *mean = divide(ws, sum_axes(ws, a, reduced, true, own), (double)n, own);
	struct ndarray *off = mean ? ufunc_binary(ws, UFUNC_SUBTRACT, a, mean) : NULL;
	struct ndarray *square = off ? reduce_squares(ws, off) : NULL;
	enum dtype kept = axes->dtype || !square ? own : square->type->dtype;

	ndarray_free(ws, mean);
	ndarray_free(ws, off);
	mean = square ? divide(ws, sum_axes(ws, square, reduced, axes->keepdims, kept),
	                       fmax((double)n - axes->ddof, 0), kept) :
	                NULL;
	ndarray_free(ws, square);
	return mean;
}

static struct ndarray *std_axes(struct workspace *ws, const struct ndarray *a, const bool *reduced,
                                const struct reduce_axes *axes, uint64_t n)
{
	struct ndarray *var = var_axes(ws, a, reduced, axes, n);
	struct ndarray *made = var ? ufunc_unary(ws, UFUNC_SQRT, var) : NULL;

	ndarray_free(ws, var);
	return made;
}

static struct ndarray *truths(struct workspace *ws, enum reduction reduction,
                              const struct ndarray *a, const bool *reduced, bool keepdims)
{
	struct fold any = { UFUNC_MAXIMUM, 0, DTYPE_BOOL };
	struct fold all = { UFUNC_MINIMUM, 1, DTYPE_BOOL };
	struct ndarray *truth = ndarray_astype(ws, a, DTYPE_BOOL), *made = NULL;

	if (truth)
		made = fold_axes(ws, reduction == REDUCE_ANY ? &any : &all, truth, reduced,
		                 keepdims);
	ndarray_free(ws, truth);
	return made;
}

/* For the whole array the result is a Python int. */
static struct ndarray *count_true(struct workspace *ws, const struct ndarray *a,
                                  const bool *reduced, const struct reduce_axes *axes)
{
	struct ndarray *truth = ndarray_astype(ws, a, DTYPE_BOOL), *made = NULL;

	if (truth)
		made = sum_axes(ws, truth, reduced, axes->keepdims, DTYPE_INT64);
	if (made && !axes->n && !axes->listed && !axes->keepdims)
		made->origin = ORIGIN_PYTHON;
	ndarray_free(ws, truth);
	return made;
}

static struct ndarray *extreme(struct workspace *ws, enum reduction reduction,
                               const struct ndarray *a, const bool *reduced, bool keepdims,
                               uint64_t n)
{
	bool is_max = reduction == REDUCE_MAX;
	struct fold fold = { is_max ? UFUNC_MAXIMUM : UFUNC_MINIMUM, is_max ? -INFINITY : INFINITY,
	                     a->type->dtype };

	if (!n)
		return ws_fail(ws, ERR_VALUE,
		               "zero-size array to reduction operation %s which has no identity",
		               is_max ? "maximum" : "minimum");
	return fold_axes(ws, &fold, a, reduced, keepdims);
}

/* Positions of extremes. */

/* Is the j-th cell better than the best so far? A nan is better than any number. */
#define BEFORE(type) \
	do { \
		type x = ((const type *)cells)[j], best = *(const type *)best_cell; \
		\
		before = best == best && (x != x || (is_max ? x > best : x < best)); \
	} while (0)

static bool complex_before(enum cell cell, const void *at, const void *best_cell, bool is_max)
{
	bool wide = cell == CELL_COMPLEX64;
	const struct complex32 *narrow[] = { at, best_cell };
	struct complex64 pair[2];
	bool nan[2];

	for (int i = 0; i < 2; i++) {
		pair[i].re = narrow[i]->re;
		pair[i].im = narrow[i]->im;
	}
	if (wide) {
		memcpy(&pair[0], at, sizeof *pair);
		memcpy(&pair[1], best_cell, sizeof *pair);
	}
	for (int i = 0; i < 2; i++)
		nan[i] = isnan(pair[i].re) || isnan(pair[i].im);
	if (nan[0] || nan[1])
		return !nan[1];
	if (pair[0].re != pair[1].re)
		return is_max ? pair[0].re > pair[1].re : pair[0].re < pair[1].re;
	return is_max ? pair[0].im > pair[1].im : pair[0].im < pair[1].im;
}

/* The first extreme among the next n elements of the cursor; -1 after a cancel. */
static int64_t find_extreme(struct workspace *ws, struct cursor *from, enum cell cell, int64_t n,
                            bool is_max)
{
	_Alignas(CELL_BYTES) unsigned char cells[CELLS * CELL_BYTES], best_cell[CELL_BYTES];
	size_t bytes = cell_bytes(cell);
	int64_t found = 0;

	for (int64_t done = 0; done < n; done += CELLS) {
		size_t some = n - done < CELLS ? (size_t)(n - done) : CELLS;

		cursor_take(from, some, cell, cells);
		for (size_t j = 0; j < some; j++) {
			bool before = true;

			if (done + (int64_t)j == 0)
				before = true;
			else if (cell == CELL_INT)
				BEFORE(int64_t);
			else if (cell == CELL_UINT)
				BEFORE(uint64_t);
			else if (cell == CELL_FLOAT)
				BEFORE(float);
			else if (cell == CELL_DOUBLE)
				BEFORE(double);
			else
				before = complex_before(cell, cells + j * bytes, best_cell, is_max);
			if (!before)
				continue;
			found = done + (int64_t)j;
			memcpy(best_cell, cells + j * bytes, bytes);
		}
		if (!ws_step(ws, (uint64_t)done + some, (uint64_t)n))
			return -1;
	}
	return found;
}

/* An order of axes with one of them innermost. */
static void order_with_last(uint32_t rank, uint32_t last, uint8_t *order)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rank; i++)
		if (i != last)
			order[n++] = (uint8_t)i;
	if (rank)
		order[n] = (uint8_t)last;
}

/* Gives back the reduced axes, with size 1. */
static void keep_axes(struct ndarray *made, const struct shape *shape, int64_t axis)
{
	made->shape = *shape;
	for (uint32_t i = 0; i < shape->rank; i++)
		if (axis < 0 || axis == i)
			made->shape.dim[i] = 1;
	for (uint32_t i = shape->rank; i-- > 0;)
		made->stride[i] = i + 1 == shape->rank ?
		                          (int64_t)made->type->elem_bytes :
		                          made->stride[i + 1] * made->shape.dim[i + 1];
	made->origin = shape->rank ? ORIGIN_ARRAY : made->origin;
}

/* axis -1: in the flattened array. */
static struct ndarray *positions(struct workspace *ws, const struct ndarray *a, int64_t axis,
                                 bool is_max)
{
	uint32_t rank = a->shape.rank;
	struct shape shape = { .rank = 0 };
	uint8_t order[SHAPE_MAX_RANK];
	struct cursor from;
	struct ndarray *made;
	int64_t n = axis < 0 ? (int64_t)a->count : a->shape.dim[axis];

	order_with_last(rank, axis < 0 ? rank - 1 : (uint32_t)axis, order);
	for (uint32_t i = 0; axis >= 0 && i < rank; i++)
		if (i != (uint32_t)axis)
			shape.dim[shape.rank++] = a->shape.dim[i];
	made = ndarray_new(ws, DTYPE_INT64, &shape, shape.rank ? ORIGIN_ARRAY : ORIGIN_SCALAR);
	if (!made)
		return NULL;
	if (!n && made->count) {
		ndarray_free(ws, made);
		return ws_fail(ws, ERR_VALUE, "attempt to get %s of an empty sequence",
		               is_max ? "argmax" : "argmin");
	}
	cursor_start(&from, a, &a->shape, order);
	for (uint64_t i = 0; i < made->count; i++) {
		int64_t found = find_extreme(ws, &from, cell_of(a->type), n, is_max);

		((int64_t *)(void *)made->first)[i] = found;
		if (found < 0) {
			ndarray_free(ws, made);
			return NULL;
		}
	}
	return made;
}

/* Axes. */

bool reduce_read_axes(struct workspace *ws, const struct ndarray *a, const struct reduce_axes *axes,
                      bool *reduced, uint64_t *n)
{
	bool all = !axes->n && !axes->listed;
	bool one = a->shape.rank == 0 && axes->n == 1;

	memset(reduced, 0, SHAPE_MAX_RANK * sizeof *reduced);
	*n = all ? a->count : 1;
	for (uint32_t i = 0; all && i < a->shape.rank; i++)
		reduced[i] = true;
	for (uint32_t i = 0; i < axes->n; i++) {
		uint32_t axis = 0;

		if (!ndarray_check_axis(ws, axes->axis[i], one ? 1 : a->shape.rank, &axis))
			return false;
		if (reduced[axis])
			return ws_fail(ws, ERR_VALUE, "duplicate value in 'axis'");
		reduced[axis] = true;
		if (a->shape.rank && __builtin_mul_overflow(*n, (uint64_t)a->shape.dim[axis], n))
			return ws_fail(ws, ERR_LIMIT, "The axes have too many elements");
	}
	return true;
}

static struct ndarray *reduce_positions(struct workspace *ws, enum reduction reduction,
                                        const struct ndarray *a, const struct reduce_axes *axes)
{
	struct ndarray *made;
	uint32_t axis = 0;
	int64_t at;

	if (axes->n > 1 || axes->listed)
		return ws_fail(ws, ERR_TYPE, "'tuple' object cannot be interpreted as an integer");
	if (axes->n &&
	    !ndarray_check_axis(ws, axes->axis[0], a->shape.rank ? a->shape.rank : 1, &axis))
		return NULL;
	at = axes->n && a->shape.rank ? (int64_t)axis : -1;
	made = positions(ws, a, at, reduction == REDUCE_ARGMAX);
	if (made && axes->keepdims)
		keep_axes(made, &a->shape, at);
	return made;
}

static bool check_operand(struct workspace *ws, enum reduction reduction, const struct ndarray *a)
{
	return promote_knows(a->type) || ws_refuse(ws, "np.%s of elements of type %s",
	                                           name_of(reduction), a->type->name);
}

/* A single element may have axis 0, except in reductions that count elements. */
static bool check_rank(struct workspace *ws, enum reduction reduction, const struct ndarray *a,
                       const struct reduce_axes *axes)
{
	bool counts = reduction == REDUCE_MEAN || reduction == REDUCE_STD ||
	              reduction == REDUCE_VAR;

	return a->shape.rank || !axes->n || !counts ||
	       ws_fail(ws, ERR_AXIS, "axis %" PRId64 " is out of bounds for array of dimension 0",
	               axes->axis[0]);
}

struct ndarray *reduce(struct workspace *ws, enum reduction reduction, const struct ndarray *a,
                       const struct reduce_axes *axes)
{
	enum dtype summed = axes->dtype ? axes->dtype : reduce_sum_type(a->type);
	struct fold product = { UFUNC_MULTIPLY, 1, summed };
	bool reduced[SHAPE_MAX_RANK], keep = axes->keepdims;
	uint64_t n;

	if (!check_operand(ws, reduction, a))
		return NULL;
	if (reduction == REDUCE_ARGMAX || reduction == REDUCE_ARGMIN)
		return reduce_positions(ws, reduction, a, axes);
	if (!check_rank(ws, reduction, a, axes) || !reduce_read_axes(ws, a, axes, reduced, &n))
		return NULL;
	switch (reduction) {
	case REDUCE_SUM:
		return sum_axes(ws, a, reduced, keep, summed);
	case REDUCE_PROD:
		return fold_axes(ws, &product, a, reduced, keep);
	case REDUCE_MEAN:
		return mean_axes(ws, a, reduced, axes, n);
	case REDUCE_STD:
		return std_axes(ws, a, reduced, axes, n);
	case REDUCE_VAR:
		return var_axes(ws, a, reduced, axes, n);
	case REDUCE_MIN:
	case REDUCE_MAX:
		return extreme(ws, reduction, a, reduced, keep, n);
	case REDUCE_COUNT_NONZERO:
		return count_true(ws, a, reduced, axes);
	default:
		return truths(ws, reduction, a, reduced, keep);
	}
}
