/* Python's own functions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmds/array/np.h"
#include "cmds/array/promote.h"
#include "cmds/array/python_number.h"
#include "cmds/array/sequence.h"
#include "cmds/array/text.h"

/* How many items a value has to whoever goes over them. */
static bool count_items(struct workspace *ws, const struct ndarray *a, size_t *n)
{
	if (sequence_is(a)) {
		*n = sequence_len(a);
		return true;
	}
	if (a->origin == ORIGIN_ARRAY && !a->shape.rank)
		return ws_fail(ws, ERR_TYPE, "iteration over a 0-d array");
	if (a->origin != ORIGIN_ARRAY)
		return ws_fail(ws, ERR_TYPE, "'%s' object is not iterable",
		               python_type_of(a).name);
	*n = (size_t)a->shape.dim[0];
	return true;
}

struct ndarray *np_len(struct np_call *c)
{
	struct ndarray *a = c->at[0];
	size_t n;

	if (ndarray_is_text(a) && (a->origin == ORIGIN_TEXT || a->origin == ORIGIN_BYTES))
		return np_int(c->ws, (int64_t)text_of(a).len);
	if (a->origin == ORIGIN_ARRAY && !a->shape.rank)
		return ws_fail(c->ws, ERR_TYPE, "len() of unsized object");
	if (!sequence_is(a) && a->origin != ORIGIN_ARRAY)
		return ws_fail(c->ws, ERR_TYPE, "object of type '%s' has no len()",
		               python_type_of(a).name);
	return count_items(c->ws, a, &n) ? np_int(c->ws, (int64_t)n) : NULL;
}

/* Python's own numbers among themselves, all others as numpy does. */
static struct ndarray *join(struct workspace *ws, enum expr_op op, const struct ndarray *a,
                            const struct ndarray *b)
{
	if (a->origin == ORIGIN_PYTHON && b->origin == ORIGIN_PYTHON)
		return python_binary(ws, op, a, b);
	return text_or_ufunc(ws, ufunc_of(op), a, b);
}

struct ndarray *np_abs_of(struct np_call *c)
{
	struct ndarray *a = c->at[0];
	struct complex64 parts;

	if (sequence_is(a) || ndarray_is_text(a) || a->origin == ORIGIN_NONE ||
	    a->origin == ORIGIN_DTYPE || a->origin == ORIGIN_CLASS)
		return ws_fail(c->ws, ERR_TYPE, "bad operand type for abs(): '%s'",
		               python_type_of(a).name);
	if (a->origin != ORIGIN_PYTHON)
		return np_apply(c->ws, UFUNC_ABSOLUTE, a);
	if (a->type->kind == KIND_COMPLEX) {
		cells_load(a->type, a->first, 0, 1, CELL_COMPLEX64, &parts);
		return np_float(c->ws, hypot(parts.re, parts.im));
	}
	if (a->type->kind == KIND_FLOAT) {
		cells_load(a->type, a->first, 0, 1, CELL_DOUBLE, &parts.re);
		return np_float(c->ws, fabs(parts.re));
	}
	if (ndarray_item(a, 0) == INT64_MIN)
		return ws_refuse(c->ws, "a whole number beyond 64 bits");
	return np_int(c->ws, llabs(ndarray_item(a, 0)));
}

/* which: the truth that ends the search. An item that is an array has to be of one element. */
struct ndarray *np_truths_of(struct np_call *c)
{
	size_t n;

	if (!count_items(c->ws, c->at[0], &n))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		struct ndarray *item = sequence_at(c->ws, c->at[0], i);
		bool truth = false;
		bool ok = item && np_truth(c->ws, item, &truth) && ws_step(c->ws, i, n);

		ndarray_free(c->ws, item);
		if (!ok)
			return NULL;
		if (truth == c->which)
			return ws_keep(c->ws, ndarray_bool(c->ws, truth));
	}
	return ws_keep(c->ws, ndarray_bool(c->ws, !c->which));
}

/* which: 1 the largest, else the smallest. */
struct ndarray *np_extreme_of(struct np_call *c)
{
	struct workspace *ws = c->ws;
	const struct ndarray *all = c->at[0];
	struct ndarray *best, *item;
	size_t n;

	if (sequence_len(all) == 1) {
		all = all->items[0];
		if (!count_items(ws, all, &n))
			return NULL;
	} else {
		n = sequence_len(all);
	}
	if (!n)
		return ws_fail(ws, ERR_VALUE, "%s() arg is an empty sequence", c->name);
	best = sequence_at(ws, all, 0);
	for (size_t i = 1; best && i < n; i++) {
		struct ndarray *better;
		bool truth = false;

		item = sequence_at(ws, all, i);
		better = item ? join(ws, c->which ? OP_GT : OP_LT, item, best) : NULL;
		if (!better || !np_truth(ws, better, &truth) || !ws_step(ws, i, n)) {
			ndarray_free(ws, better);
			ndarray_free(ws, item);
			ndarray_free(ws, best);
			return NULL;
		}
		ndarray_free(ws, better);
		ndarray_free(ws, truth ? best : item);
		best = truth ? item : best;
	}
	return ws_keep(ws, best);
}

struct ndarray *np_sum_of(struct np_call *c)
{
	struct workspace *ws = c->ws;
	struct ndarray *sum = c->at[1] ? ndarray_view(c->at[1]) : ndarray_int(ws, 0);
	size_t n = 0;
	bool ok = sum && count_items(ws, c->at[0], &n);

	if (ok && sequence_is(sum))
		ok = np_refuse(c, "such a start");
	for (size_t i = 0; ok && i < n; i++) {
		struct ndarray *item = sequence_at(ws, c->at[0], i);
		struct ndarray *next = item ? join(ws, OP_ADD, sum, item) : NULL;

		ndarray_free(ws, item);
		ndarray_free(ws, sum);
		sum = next;
		ok = next && ws_step(ws, i, n);
	}
	if (!ok) {
		ndarray_free(ws, sum);
		return NULL;
	}
	return ws_keep(ws, sum);
}

/* Numbers. */

static bool one_number(struct np_call *c, double *out)
{
	const struct ndarray *a = c->at[0];

	if (sequence_is(a) || a->origin == ORIGIN_NONE)
		return ws_fail(c->ws, ERR_TYPE, "the argument must be a number, not '%s'",
		               python_type_of(a).name);
	if (a->count != 1 || !promote_knows(a->type))
		return ws_fail(c->ws, ERR_TYPE,
		               "only length-1 arrays can be converted to Python scalars");
	if (a->type->kind == KIND_COMPLEX && a->origin == ORIGIN_PYTHON)
		return ws_fail(c->ws, ERR_TYPE, "can't convert complex to a real number");
	cells_load(a->type, a->first, 0, 1, CELL_DOUBLE, out);
	return true;
}

static struct ndarray *whole_of(struct np_call *c, double x)
{
	if (isnan(x))
		return ws_fail(c->ws, ERR_VALUE, "cannot convert float NaN to integer");
	if (isinf(x))
		return ws_refuse(c->ws, "an infinity as a whole number");
	if (fabs(x) >= 0x1p63)
		return ws_refuse(c->ws, "a whole number beyond 64 bits");
	return np_int(c->ws, (int64_t)x);
}

/* which: the type. */
struct ndarray *np_number_of(struct np_call *c)
{
	double x;

	if (ndarray_is_text(c->at[0]))
		return np_refuse(c, "a string as a number");
	if (!one_number(c, &x))
		return NULL;
	if (c->which == DTYPE_FLOAT64)
		return np_float(c->ws, x);
	if (promote_is_whole(c->at[0]->type)) {
		if (c->at[0]->type->kind == KIND_UINT &&
		    ndarray_item(np_flat(c->ws, c->at[0]), 0) < 0)
			return ws_refuse(c->ws, "a whole number beyond 64 bits");
		return np_int(c->ws, int_value(c->at[0]->type->dtype, c->at[0]->first));
	}
	return whole_of(c, x);
}

struct ndarray *np_truth_of(struct np_call *c)
{
	bool truth;

	return np_truth(c->ws, c->at[0], &truth) ? ws_keep(c->ws, ndarray_bool(c->ws, truth)) :
	                                           NULL;
}

struct ndarray *np_round_of(struct np_call *c)
{
	struct ndarray *a = c->at[0];
	char text[400];
	int64_t digits = 0;
	double x;

	if (a->origin == ORIGIN_SCALAR && a->type->kind == KIND_BOOL)
		return ws_fail(c->ws, ERR_TYPE,
		               "type numpy.bool_ doesn't define __round__ method");
	if (a->origin == ORIGIN_ARRAY)
		return ws_fail(c->ws, ERR_TYPE,
		               "type numpy.ndarray doesn't define __round__ method");
	if (!np_get_int(c, 1, &digits) || !one_number(c, &x))
		return NULL;
	if (a->origin == ORIGIN_SCALAR && c->at[1])
		return np_round(c);
	if (promote_is_whole(a->type) && digits >= 0)
		return np_number_of(&(struct np_call){ .ws = c->ws, .which = DTYPE_INT64,
		                                       .at = { a } });
	if (!c->at[1])
		return whole_of(c, rint(x));
	if (digits < 0 || promote_is_whole(a->type))
		return np_refuse(c, "fewer digits than none");
	if (digits > 40 || !isfinite(x))
		return np_float(c->ws, x);
	snprintf(text, sizeof text, "%.*f", (int)digits, x);
	return np_float(c->ws, strtod(text, NULL));
}

/* Lists. which: the origin. */
struct ndarray *np_list_of(struct np_call *c)
{
	struct workspace *ws = c->ws;
	struct ndarray **items, *made;
	size_t n = 0;

	if (c->at[0] && !count_items(ws, c->at[0], &n))
		return NULL;
	if (n > SEQUENCE_MAX_ITEMS)
		return np_refuse(c, "so many items");
	items = mem_alloc((n + 1) * sizeof *items);
	for (size_t i = 0; i < n; i++)
		items[i] = sequence_at(ws, c->at[0], i);
	made = ws_keep(ws, ndarray_of_items(ws, items, n, (enum origin)c->which));
	free(items);
	return made;
}

struct ndarray *np_sorted_of(struct np_call *c)
{
	struct np_call own = *c;
	struct ndarray *array = ws_keep(c->ws, sequence_to_array(c->ws, c->at[0])), *order;
	struct ndarray *list, **items, *made;
	bool back = false;
	size_t n;

	own.which = ORIGIN_LIST;
	list = array ? np_list_of(&own) : NULL;
	if (!list || !np_get_bool(c, np_index(c, "reverse"), &back))
		return NULL;
	if (array->shape.rank != 1)
		return np_refuse(c, "anything but numbers or strings");
	own = (struct np_call){ .ws = c->ws, .name = c->name, .at = { array } };
	order = np_argsort(&own);
	if (!order)
		return NULL;
	n = sequence_len(list);
	items = mem_alloc((n + 1) * sizeof *items);
	for (size_t i = 0; i < n; i++)
		items[back ? n - 1 - i : i] =
			ndarray_view(list->items[ndarray_item(order, (uint32_t)i)]);
	made = ws_keep(c->ws, ndarray_of_items(c->ws, items, n, ORIGIN_LIST));
	free(items);
	return made;
}

/* Equality of lists. */

static bool equal_items(struct workspace *ws, const struct ndarray *a, const struct ndarray *b,
                        bool *equal)
{
	struct ndarray *same;

	if (sequence_is(a) && sequence_is(b))
		return np_equal_lists(ws, a, b, equal);
	*equal = false;
	if (a->origin == ORIGIN_NONE || b->origin == ORIGIN_NONE || sequence_is(a) ||
	    sequence_is(b)) {
		*equal = a->origin == b->origin;
		return true;
	}
	if (a->shape.rank || b->shape.rank)
		return ws_refuse(ws, "comparing lists of arrays");
	same = text_or_ufunc(ws, UFUNC_EQUAL, a, b);
	*equal = same && *same->first;
	ndarray_free(ws, same);
	return same;
}

bool np_equal_lists(struct workspace *ws, const struct ndarray *a, const struct ndarray *b,
                    bool *equal)
{
	size_t n = sequence_len(a);
	bool ok = true;

	*equal = a->origin == b->origin && n == sequence_len(b);
	for (size_t i = 0; ok && *equal && i < n; i++) {
		struct ndarray *x = sequence_at(ws, a, i), *y = x ? sequence_at(ws, b, i) : NULL;

		ok = y && equal_items(ws, x, y, equal) && ws_step(ws, i, n);
		ndarray_free(ws, x);
		ndarray_free(ws, y);
	}
	return ok;
}
