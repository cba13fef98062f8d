#include "cmds/array/repr.h"

#include "cmds/array/array.h"
#include "cmds/array/sequence.h"
#include "cmds/array/text.h"
#include "cmds/lang/number.h"
#include "cmds/lang/python.h"

#define MAX_TEXT ((size_t)16 << 20)

static bool put_array(struct workspace *ws, const struct ndarray *a, int width, struct str *out)
{
	struct ndarray *whole = ndarray_contiguous(ws, a);
	struct array_style style = { .width = width };
	struct value *value = whole ? ndarray_value(whole) : NULL;
	struct body *body = NULL;
	struct line line = {0};
	struct view view;
	bool ok = false;

	if (value) {
		view_all(&view, value);
		body = array_body(value, &view, &style, ws->progress, ws->err);
		ok = body;
	}
	for (uint64_t row = 0; ok && row < body->kind->rows(body); row++) {
		line_reset(&line);
		ok = body->kind->line(body, row, width, &line, ws->err);
		str_puts(out, row ? "\n" : "");
		str_put(out, str_text(&line.text), line.text.len);
	}
	line_release(&line);
	if (body)
		body->kind->free(body);
	ndarray_free(ws, whole);
	return ok;
}

static bool put_items(struct workspace *ws, const struct ndarray *a, int width, struct str *out)
{
	bool is_tuple = a->origin == ORIGIN_TUPLE;
	size_t n = sequence_len(a);

	str_putc(out, is_tuple ? '(' : '[');
	for (size_t i = 0; i < n; i++) {
		struct ndarray *item = sequence_at(ws, a, i);
		bool ok;

		str_puts(out, i ? ", " : "");
		ok = item && repr_put(ws, item, width, out) && ws_step(ws, i, n);
		ndarray_free(ws, item);
		if (!ok)
			return false;
	}
	str_puts(out, is_tuple ? (n == 1 ? ",)" : ")") : "]");
	return true;
}

bool repr_put(struct workspace *ws, const struct ndarray *a, int width, struct str *out)
{
	struct value_text text;

	if (out->len > MAX_TEXT)
		return ws_fail(ws, ERR_LIMIT, "The text would be longer than 16 MiB");
	switch (a->origin) {
	case ORIGIN_ARRAY:
		return put_array(ws, a, width, out);
	case ORIGIN_TUPLE:
	case ORIGIN_LIST:
		return put_items(ws, a, width, out);
	case ORIGIN_NONE:
		str_puts(out, "None");
		return true;
	case ORIGIN_TEXT:
		text = text_of(a);
		python_repr(out, text.text, text.len);
		return true;
	case ORIGIN_BYTES:
		text = text_of(a);
		put_bytes_literal(out, text.text, text.len);
		return true;
	case ORIGIN_DTYPE:
		if (a->type->kind == KIND_SMALL_FLOAT)
			str_fmt(out, "dtype(%s)", a->type->name);
		else if (ndarray_is_text(a))
			str_puts(out, "dtype('O')");
		else
			str_fmt(out, a->type->kind == KIND_QUANT ? "dtype(%s)" : "dtype('%s')",
			        a->type->prints);
		return true;
	case ORIGIN_CLASS:
		return ws_refuse(ws, "a class");
	default:
		if (ndarray_is_text(a)) {
			text = text_of(a);
			put_bytes_literal(out, text.text, text.len);
		} else {
			put_scalar(out, a->type, a->first);
		}
		return true;
	}
}
