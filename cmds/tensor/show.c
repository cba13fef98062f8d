#include "cmds/tensor/show.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/array/ranges.h"
#include "cmds/array/save.h"
#include "cmds/array/slice.h"
#include "cmds/array/summary.h"
#include "cmds/lang/format.h"
#include "cmds/lang/number.h"

/*
 * Gives the part after the last colon a role of its own, unless it is only digits; of an expression
 * without a colon that is all of it. A name without one is an array's, and as it is.
 */
static void put_label(struct doc *doc, const struct show *show)
{
	const char *colon = strrchr(show->label, ':');
	const char *part = colon ? colon + 1 : show->is_expression ? show->label : NULL;

	if (!part || !part[strspn(part, "0123456789")]) {
		doc_put(doc, ROLE_STRONG, "%s", show->label);
		return;
	}
	if (colon) {
		doc_put_text(doc, ROLE_STRONG, show->label, (size_t)(colon - show->label));
		doc_put(doc, ROLE_PLAIN, ":");
	}
	doc_put(doc, ROLE_SLOT, "%s", part);
}

/* Tabs that were typed, in a slice or an expression, stay in the label. */
static enum role label_role(const char *label)
{
	return strchr(label, '\t') ? ROLE_TABBED : ROLE_PLAIN;
}

static void put_origin(struct doc *doc, const struct show *show)
{
	if (show->origin)
		doc_put(doc, ROLE_PLAIN, " %s", show->origin);
	doc_put(doc, ROLE_PLAIN, ":");
}

static void put_plain_label(struct doc *doc, const struct show *show)
{
	doc_put(doc, label_role(show->label), "Tensor \"%s\"", show->label);
	put_origin(doc, show);
	doc_newline(doc);
	doc_newline(doc);
}

static void put_lines(struct doc *doc, const char *text)
{
	for (const char *at = text, *end; *at; at = end + 1) {
		end = strchrnul(at, '\n');
		doc_put_text(doc, ROLE_PLAIN, at, (size_t)(end - at));
		doc_newline(doc);
		if (!*end)
			break;
	}
}

static void put_hits(struct str *out, const char *typed, uint64_t hits, uint64_t total)
{
	str_fmt(out, " Highlighted(%s): %" PRIu64 " of %" PRIu64 " element(s) (%.2f%%)", typed,
	        hits, total, total ? (double)hits / (double)total * 100.0 : 0.0);
}

static bool is_marked(const void *context, const struct dtype_info *type, const void *elem)
{
	return ranges_hold(context, type, elem);
}

static bool put_ranges(struct call *call, const struct show *show, struct view *view,
                       struct ranges **ranges)
{
	struct str text = {0};
	uint64_t hits;

	*ranges = NULL;
	if (!show->ranges || !*show->ranges)
		return true;
	*ranges = arena_alloc(doc_mem(call->out), sizeof **ranges);
	if (!ranges_parse(show->ranges, doc_mem(call->out), *ranges, &call->err) ||
	    !ranges_count(*ranges, view, &hits, call->progress, &call->err))
		return false;
	put_hits(&text, show->ranges, hits, view->count);
	doc_put(call->out, ROLE_PLAIN, "%s", text.text);
	str_release(&text);
	return true;
}

/*
 * False after a cancel. Any other failure goes to *why: the value is still shown, and the failure
 * after it.
 */
static bool save(struct call *call, const struct show *show, struct view *view, bool shown,
                 struct err *why)
{
	struct str size = {0};
	uint64_t bytes;

	if (!show->write_path || !*show->write_path)
		return true;
	if (!save_view(show->write_path, view, &bytes, call->progress, why)) {
		if (why->code == ERR_CANCELLED)
			call->err = *why;
		return why->code != ERR_CANCELLED;
	}
	if (!shown)
		return true;
	put_size(&size, (int64_t)bytes);
	doc_put(call->out, ROLE_PLAIN, "Saved value to: ");
	doc_put(call->out, ROLE_STRONG, "%s", show->write_path);
	doc_line_put(call->out, ROLE_PLAIN, " (%sB)", size.text);
	doc_newline(call->out);
	str_release(&size);
	return true;
}

static void put_why(struct call *call, const struct err *why)
{
	if (!why->code)
		return;
	if (!strcmp(why->src, "command"))
		str_puts(call->error, why->msg);
	else
		err_put(call->error, why->src, why);
	call_error(call, "ERROR: %s", call->error->text);
}

bool show_check_ranges(struct call *call, const char *ranges)
{
	struct ranges parsed;

	return !ranges || !*ranges || ranges_parse(ranges, call->mem, &parsed, &call->err);
}

static bool put_summary(struct call *call, const struct show *show, struct view *view)
{
	doc_line_put(call->out, ROLE_PLAIN, "Numeric summary:");
	if (!summary_put(call->out, view, show->data->put_row, call->progress, &call->err))
		return false;
	doc_newline(call->out);
	return true;
}

static void type_value(struct call *call, const struct show *show, const struct view *view)
{
	show->data->view = *view;
	doc_typed(call->out, DATA_VALUE, value_put_data, show->data);
}

static void close_value(void *value)
{
	value_close(value);
}

static bool put_head(struct call *call, const struct show *show, struct view *view,
                     struct ranges **ranges, struct err *why)
{
	struct doc *doc = call->out;
	struct str shape = {0};

	doc_put(doc, label_role(show->label), "Tensor \"");
	put_label(doc, show);
	doc_put(doc, ROLE_PLAIN, "\"");
	put_origin(doc, show);
	if (!put_ranges(call, show, view, ranges))
		return false;
	doc_newline(doc);
	put_shape(&shape, &view->shape);
	doc_line_put(doc, ROLE_PLAIN, "  dtype: %s", view->value->type->prints);
	doc_line_put(doc, ROLE_PLAIN, "  shape: %s", shape.text);
	str_release(&shape);
	doc_newline(doc);
	return save(call, show, view, true, why) &&
	       (!show->summary || put_summary(call, show, view));
}

bool show_is_too_much(struct call *call, const struct value *value, const struct view *view)
{
	bool much = value->is_vast && view->count > VALUE_VAST;

	if (much)
		call_error(call, "ERROR: %" PRIu64 " elements, which are not all in the file: too "
		           "many to show each.", view->count);
	return much;
}

bool show_array(struct call *call, const struct show *show, struct value *value, struct view *view)
{
	struct array_style style = { .width = call->cols, .all = show->all };
	struct ranges *ranges;
	struct err why = {0};
	struct body *body;

	if (show->all && show_is_too_much(call, value, view)) {
		value_close(value);
		return false;
	}
	if (!put_head(call, show, view, &ranges, &why)) {
		value_close(value);
		return false;
	}
	doc_tensor(call->out, value->type->prints, view->shape.rank, view->shape.dim);
	if (ranges) {
		style.marked = is_marked;
		style.ctx = ranges;
	}
	body = array_body(value, view, &style, call->progress, &call->err);
	if (!body)
		return false;
	doc_body(call->out, body);
	type_value(call, show, view);
	put_why(call, &why);
	return true;
}

/* The value as one line of text: "(3, 4)". */
static bool put_line(struct call *call, const struct show *show, struct value *value,
                     struct view *view, const char *text)
{
	struct err why = {0};

	doc_keep(call->out, close_value, value);
	type_value(call, show, view);
	put_plain_label(call->out, show);
	doc_line_put(call->out, ROLE_PLAIN, "%s", text);
	if (!save(call, show, view, false, &why))
		return false;
	put_why(call, &why);
	return true;
}

bool show_repr(struct call *call, const struct show *show, const char *text)
{
	put_plain_label(call->out, show);
	put_lines(call->out, text);
	if (show->write_path && *show->write_path) {
		str_fmt(call->error, "%s: not saved: this is no array", show->write_path);
		call_error(call, "ERROR: %s", call->error->text);
	}
	return true;
}

static bool put_element(struct view *view, struct str *out, struct err *err)
{
	unsigned char elem[16];
	const char *bytes;
	size_t len;

	if (view->value->type->kind == KIND_STRING) {
		if (!view_string(view, 0, &bytes, &len, err))
			return false;
		put_bytes_literal(out, bytes, len);
	} else {
		if (!view_read(view, 0, 1, elem, err))
			return false;
		put_scalar(out, view->value->type, elem);
	}
	return true;
}

bool show_element(struct call *call, const struct show *show, struct value *value,
                  struct view *view)
{
	struct str text = {0};
	bool ok = put_element(view, &text, &call->err);

	if (ok)
		ok = put_line(call, show, value, view, str_text(&text));
	else
		value_close(value);
	str_release(&text);
	return ok;
}

bool show_proto(struct call *call, const struct show *show, struct value *value, struct view *view)
{
	struct doc *doc = call->out;
	struct str text = {0};
	bool ok = value_proto_text(value, &text, &call->err);

	doc_keep(doc, close_value, value);
	type_value(call, show, view);
	if (ok) {
		put_plain_label(doc, show);
		if (value->state == VALUE_UNINITIALISED)
			doc_line_put(doc, ROLE_PLAIN, "Uninitialized tensor:");
		put_lines(doc, str_text(&text));
		doc_newline(doc);
	}
	str_release(&text);
	return ok;
}

bool show_summed_up(struct call *call, const struct show *show, struct value *value)
{
	static const char *const why[] = {
		[VALUE_ARRAY] = "Only a summary was kept, no elements.",
		[VALUE_UNINITIALISED] = "The tensor was not initialized.",
		[VALUE_OPAQUE] = "Only a summary was kept, and the value was no array.",
	};
	struct ranges *ranges;
	struct err none = {0};
	struct view view;

	view_all(&view, value);
	doc_keep(call->out, close_value, value);
	if (!put_head(call, show, &view, &ranges, &none) ||
	    (value->state == VALUE_ARRAY && !show->summary && !put_summary(call, show, &view)))
		return false;
	doc_line_put(call->out, ROLE_PLAIN, "%s", why[value->state]);
	show->data->with_summary = true;
	type_value(call, show, &view);
	return true;
}

bool show_sliced(struct call *call, const struct show *show, struct value *value,
                 const char *slice)
{
	struct view view;
	bool scalar = false;

	view_all(&view, value);
	if (slice &&
	    !(value->state == VALUE_ARRAY ? slice_apply(slice, &view, &scalar, &call->err) :
	                                    slice_check(slice, &call->err))) {
		value_close(value);
		return false;
	}
	if (value->state != VALUE_ARRAY)
		return show_proto(call, show, value, &view);
	if (scalar)
		return show_element(call, show, value, &view);
	return show_array(call, show, value, &view);
}
