/*
 * Parsing follows tfdbg's parse_ranges step by step, so that errors come in the same order.
 * Comparing follows numpy before 2.0: a float bound is rounded to the array's precision if it is
 * within numpy's limits for that, which are below the largest float16 and float32; an integer bound
 * is not rounded.
 */
#include "cmds/array/ranges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/literal.h"
#include "cmds/lang/python.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"

static const char largest_double[] = "1.7976931348623157e+308";
#define HALF_BELOW 65000.0
#define FLOAT_BELOW 3.4e38

#ifndef RANGES_WINDOW
#define RANGES_WINDOW (64 * 1024)
#endif

static bool is_number(const struct literal *item)
{
	return item->kind == LITERAL_INT || item->kind == LITERAL_FLOAT ||
	       item->kind == LITERAL_BOOL;
}

static struct bound bound_of(const struct literal *item)
{
	return (struct bound){
		.is_int = item->kind != LITERAL_FLOAT, .type = literal_type(item),
		.whole = item->whole, .real = item->real,
	};
}

static bool refuse_type(const char *which, const struct literal *item, struct err *err)
{
	return err_at(err, ERR_VALUE, "command", 0,
	              "Incorrect type in the %s element of range: <class '%s'>", which,
	              literal_type(item));
}

static bool read_range(const struct literal *item, struct range *out, struct err *err)
{
	bool has_items = item->kind == LITERAL_LIST || item->kind == LITERAL_TUPLE;

	if (!has_items && item->kind != LITERAL_STR)
		return err_at(err, ERR_TYPE, "command", 0, "object of type '%s' has no len()",
		              literal_type(item));
	if (item->len != 2)
		return err_at(err, ERR_VALUE, "command", 0,
		              "Incorrect number of elements in range");
	if (!has_items)
		return refuse_type("1st", item, err);
	if (!is_number(item->first))
		return refuse_type("1st", item->first, err);
	if (!is_number(item->first->next))
		return refuse_type("2nd", item->first, err);
	*out = (struct range){ bound_of(item->first), bound_of(item->first->next) };
	return true;
}

/* A list of numbers is one range; and, other than in tfdbg, a pair without brackets. */
static bool is_one_range(const struct literal *all)
{
	if (all->kind == LITERAL_LIST)
		return all->first->kind != LITERAL_LIST;
	return all->len == 2 && is_number(all->first) && is_number(all->first->next);
}

static bool read_ranges(const struct literal *all, struct arena *mem, struct ranges *out,
                        struct err *err)
{
	size_t n = all->len;
	const struct literal *item = all->first;
	struct range *at;

	if (all->kind == LITERAL_LIST && !n)
		return err_at(err, ERR_INDEX, "command", 0, "list index out of range");
	if (all->kind == LITERAL_STR && n)
		return err_at(err, ERR_VALUE, "command", 0,
		              "Incorrect number of elements in range");
	if (all->kind != LITERAL_LIST && all->kind != LITERAL_TUPLE && all->kind != LITERAL_STR)
		return err_at(err, ERR_TYPE, "command", 0, "'%s' object is not iterable",
		              literal_type(all));
	if (n && is_one_range(all)) {
		n = 1;
		item = all;
	}
	at = arena_alloc(mem, (n + 1) * sizeof *at);
	for (size_t i = 0; i < n; i++, item = item->next)
		if (!read_range(item, &at[i], err))
			return false;
	*out = (struct ranges){ at, n };
	return true;
}

bool ranges_parse(const char *text, struct arena *mem, struct ranges *out, struct err *err)
{
	struct str filled = {0};
	size_t len = strlen(text);
	const char *at = python_strip(text, &len), *end = at + len;
	struct literal *all;
	bool ok;

	if (!len) {
		*out = (struct ranges){0};
		return true;
	}
	while (at < end) {
		bool is_inf = end - at >= 3 && !memcmp(at, "inf", 3);

		str_put(&filled, is_inf ? largest_double : at,
		        is_inf ? sizeof largest_double - 1 : 1);
		at += is_inf ? 3 : 1;
	}
	all = literal_read(filled.text, mem, err);
	ok = all && read_ranges(all, mem, out, err);
	str_release(&filled);
	return ok;
}

/* Rounds to the 11 bits of a float16, ties to even. |x| is below the largest float16. */
static double round_to_half(double x)
{
	int exponent = x == 0 ? 0 : ilogb(x);
	double unit = ldexp(1, (exponent < -14 ? -14 : exponent) - 10);

	return nearbyint(x / unit) * unit;
}

static double bound_in(const struct bound *bound, enum dtype dtype)
{
	if (bound->is_int || dtype == DTYPE_FLOAT64 || dtype == DTYPE_COMPLEX128)
		return bound->real;
	if (dtype == DTYPE_FLOAT16 && fabs(bound->real) < HALF_BELOW)
		return round_to_half(bound->real);
	return fabs(bound->real) < FLOAT_BELOW ? (double)(float)bound->real : bound->real;
}

/* An element in the widest type of its family. */
struct number {
	bool is_int;
	wide_int whole;
	double real, imaginary;
};

static double float_at(const void *elem, bool is_double)
{
	double d;
	float f;

	if (!is_double) {
		memcpy(&f, elem, sizeof f);
		return (double)f;
	}
	memcpy(&d, elem, sizeof d);
	return d;
}

static bool number_of(const struct dtype_info *type, const void *elem, struct number *out)
{
	bool is_double = type->dtype == DTYPE_FLOAT64 || type->dtype == DTYPE_COMPLEX128;
	uint16_t half;

	*out = (struct number){0};
	switch (type->kind) {
	case KIND_FLOAT:
		if (type->dtype == DTYPE_FLOAT16) {
			memcpy(&half, elem, sizeof half);
			out->real = half_value(half);
		} else {
			out->real = float_at(elem, is_double);
		}
		return true;
	case KIND_SMALL_FLOAT:
		out->real = small_float_value(type->dtype, elem);
		return true;
	case KIND_COMPLEX:
		out->real = float_at(elem, is_double);
		out->imaginary = float_at((const char *)elem + type->elem_bytes / 2, is_double);
		return true;
	case KIND_INT:
	case KIND_UINT:
	case KIND_BOOL:
		out->is_int = true;
		out->whole = int_value(type->dtype, elem);
		if (type->dtype == DTYPE_UINT64)
			out->whole = (uint64_t)out->whole;
		out->real = (double)out->whole;
		return true;
	default:
		return false;
	}
}

/* -1, 0 or 1; UNORDERED with a NaN. Complex numbers by real part, then imaginary part. */
enum { UNORDERED = 2 };
static int compare(const struct number *x, const struct bound *bound, enum dtype dtype)
{
	double limit;

	if (x->is_int && bound->is_int)
		return x->whole < bound->whole ? -1 : x->whole > bound->whole;
	limit = bound_in(bound, dtype);
	if (isnan(x->real) || isnan(x->imaginary))
		return UNORDERED;
	if (x->real != limit)
		return x->real < limit ? -1 : 1;
	return x->imaginary < 0 ? -1 : x->imaginary > 0;
}

bool ranges_hold(const struct ranges *ranges, const struct dtype_info *type, const void *elem)
{
	struct number x;

	if (!number_of(type, elem, &x))
		return false;
	for (size_t i = 0; i < ranges->len; i++) {
		int low = compare(&x, &ranges->at[i].low, type->dtype);
		int high = compare(&x, &ranges->at[i].high, type->dtype);

		if ((low == 0 || low == 1) && high <= 0)
			return true;
	}
	return false;
}

static bool check_type(const struct ranges *ranges, const struct view *view, struct err *err)
{
	const struct dtype_info *type = view->value->type;
	const char *elem = NULL;

	if (type->kind == KIND_QUANT)
		elem = "numpy.ndarray";
	else if (type->kind == KIND_STRING && view->count)
		elem = "bytes";
	else if (type->kind == KIND_OPAQUE)
		elem = "InconvertibleTensorProto";
	if (!elem || !ranges->len)
		return true;
	return err_at(err, ERR_TYPE, "command", 0,
	              "'>=' not supported between instances of '%s' and '%s'", elem,
	              ranges->at[0].low.type);
}

bool ranges_count(const struct ranges *ranges, struct view *view, uint64_t *hits,
                  struct progress *progress, struct err *err)
{
	const struct dtype_info *type = view->value->type;
	size_t size = type->elem_bytes, room = size ? RANGES_WINDOW / size : 0;
	char *window;
	uint64_t n_hits = 0;
	bool ok = true;

	if (!check_type(ranges, view, err))
		return false;
	if (!room || !ranges->len || !view->count) {
		*hits = 0;
		return true;
	}
	window = mem_alloc(room * size);
	for (uint64_t done = 0; ok && done < view->count;) {
		size_t n = view->count - done < room ? (size_t)(view->count - done) : room;

		ok = view_read(view, done, n, window, err);
		for (size_t i = 0; ok && i < n; i++)
			n_hits += ranges_hold(ranges, type, window + i * size);
		done += n;
		if (ok && !progress_step(progress, done, view->count))
			ok = err_at(err, ERR_CANCELLED, "command", 0, "stopped");
	}
	free(window);
	if (ok)
		*hits = n_hits;
	return ok;
}
