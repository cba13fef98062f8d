#include "cmds/array/text.h"

#include <string.h>

#include "cmds/array/sequence.h"

struct value_text text_of(const struct ndarray *a)
{
	struct value_text text;

	memcpy(&text, a->first, sizeof text);
	return text;
}

bool text_is(const struct ndarray *a, const char *text)
{
	struct value_text own;

	if (!a || a->origin != ORIGIN_TEXT)
		return false;
	own = text_of(a);
	return own.len == strlen(text) && !memcmp(own.text, text, own.len);
}

int text_order(const struct value_text *a, const struct value_text *b)
{
	size_t shorter = a->len < b->len ? a->len : b->len;
	int order = shorter ? memcmp(a->text, b->text, shorter) : 0;

	return order ? (order > 0) - (order < 0) : (a->len > b->len) - (a->len < b->len);
}

static bool holds(enum ufunc ufunc, int order)
{
	switch (ufunc) {
	case UFUNC_LESS: return order < 0;
	case UFUNC_LESS_EQUAL: return order <= 0;
	case UFUNC_GREATER: return order > 0;
	case UFUNC_GREATER_EQUAL: return order >= 0;
	case UFUNC_EQUAL: return order == 0;
	default: return order != 0;
	}
}

static bool compare_all(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                        const struct ndarray *b, struct ndarray *made)
{
	bool same_kind = ndarray_is_text(a) && ndarray_is_text(b) &&
	                 (a->origin == ORIGIN_TEXT) == (b->origin == ORIGIN_TEXT);
	struct value_text x[CELLS], y[CELLS];
	struct cursor left, right;

	if (!same_kind) {
		memset(made->first, ufunc == UFUNC_NOT_EQUAL, (size_t)made->count);
		return true;
	}
	cursor_start(&left, a, &made->shape, NULL);
	cursor_start(&right, b, &made->shape, NULL);
	for (uint64_t done = 0; done < made->count; done += CELLS) {
		size_t n = made->count - done < CELLS ? (size_t)(made->count - done) : CELLS;

		cursor_copy(&left, n, (unsigned char *)x);
		cursor_copy(&right, n, (unsigned char *)y);
		for (size_t i = 0; i < n; i++)
			made->first[done + i] = holds(ufunc, text_order(&x[i], &y[i]));
		if (!ws_step(ws, done + n, made->count))
			return false;
	}
	return true;
}

static struct ndarray *compare(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                               const struct ndarray *b)
{
	bool equality = ufunc == UFUNC_EQUAL || ufunc == UFUNC_NOT_EQUAL;
	struct ndarray *made;
	struct shape shape;

	if (!equality && (!ndarray_is_text(a) || !ndarray_is_text(b) ||
	                  (a->origin == ORIGIN_TEXT) != (b->origin == ORIGIN_TEXT)))
		return ws_fail(
			ws, ERR_TYPE,
			"'%s' not supported between strings and what is none, or bytes and str",
			ufunc_name(ufunc));
	if (!shape_broadcast(&a->shape, &b->shape, &shape))
		return ws_fail(ws, ERR_VALUE, "operands could not be broadcast together");
	made = ndarray_new(ws, DTYPE_BOOL, &shape, shape.rank ? ORIGIN_ARRAY : ORIGIN_SCALAR);
	if (made && !compare_all(ws, ufunc, a, b, made)) {
		ndarray_free(ws, made);
		return NULL;
	}
	if (made && !ndarray_is_numpy(a) && !ndarray_is_numpy(b))
		made->origin = ORIGIN_PYTHON;
	return made;
}

struct ndarray *text_compare(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                             const struct ndarray *b)
{
	struct ndarray *left = sequence_to_array(ws, a);
	struct ndarray *right = left ? sequence_to_array(ws, b) : NULL;
	struct ndarray *made = right ? compare(ws, ufunc, left, right) : NULL;

	ndarray_free(ws, left);
	ndarray_free(ws, right);
	return made;
}

struct ndarray *text_or_ufunc(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                              const struct ndarray *b)
{
	if (ufunc_is_comparison(ufunc) && (ndarray_is_text(a) || ndarray_is_text(b)))
		return text_compare(ws, ufunc, a, b);
	return ufunc_binary(ws, ufunc, a, b);
}
