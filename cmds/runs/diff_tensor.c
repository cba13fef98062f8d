/*
 * One tensor: figures about all of it or a slice, then its elements as they are now, in rows and
 * columns of the last two axes; the other axes are fixed where the first difference is.
 */
#include "cmds/runs/diff.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/array/grid.h"
#include "cmds/array/slice.h"
#include "cmds/doc/menu.h"
#include "cmds/lang/format.h"
#include "cmds/lang/number.h"
#include "cmds/tensor/request.h"

/* The answer; lives in doc_mem. */
struct tensor_diff {
	struct request req;
	struct value_data *source;
	struct value *now, *before;      /* before NULL: the old run doesn't have it */
	struct view view, old_view;      /* the slices; set only if is_comparable */
	struct diff_pair pair;
	struct compared compared;
	struct tolerance tolerance;
	bool transpose;          /* the old one's axes may come in another order */
	struct diff_names names;
};

static void close_value(void *value)
{
	value_close(value);
}

/* Are there elements to compare? */
static bool is_comparable(const struct tensor_diff *d)
{
	struct view turned;

	return d->before && d->now->state == VALUE_ARRAY && d->before->state == VALUE_ARRAY &&
	       d->now->type == d->before->type &&
	       (shape_equal(&d->now->shape, &d->before->shape) ||
	        (d->transpose && view_turned(&turned, d->before, &d->now->shape)));
}

/* The typed slice of both. */
static bool slice_both(struct call *call, struct tensor_diff *d)
{
	bool scalar;

	view_all(&d->view, d->now);
	if (shape_equal(&d->now->shape, &d->before->shape))
		view_all(&d->old_view, d->before);
	else
		view_turned(&d->old_view, d->before, &d->now->shape);
	return !d->req.slice || (slice_apply(d->req.slice, &d->view, &scalar, &call->err) &&
	                         slice_apply(d->req.slice, &d->old_view, &scalar, &call->err));
}

bool diff_put_unreadable(struct call *call, const struct err *err)
{
	if (err->code == ERR_CANCELLED) {
		call->err = *err;
		return false;
	}
	put_file_error(call->out, err);
	call->failed = true;
	return false;
}

static bool compare(struct call *call, struct tensor_diff *d)
{
	struct err err = {0};

	if (!is_comparable(d)) {
		if (d->req.slice && !slice_check(d->req.slice, &call->err))
			return false;
		return diff_values(d->now, d->before, &d->tolerance, false, doc_mem(call->out),
		                   &d->pair, call->progress, &err) ||
		       diff_put_unreadable(call, &err);
	}
	if (!slice_both(call, d))
		return false;
	if (!compare_views(&d->view, &d->old_view, &d->tolerance, &d->compared, call->progress,
	                   &err))
		return diff_put_unreadable(call, &err);
	d->pair.status = d->compared.n_diff ? DIFF_CHANGED : DIFF_SAME;
	d->pair.compared = &d->compared;
	return true;
}

/* Head. */

static void put_value_form(struct str *out, const struct value *value)
{
	str_fmt(out, "%s ", value->type->name);
	put_shape(out, &value->shape);
	if (value->state != VALUE_ARRAY)
		str_puts(out, value->state == VALUE_OPAQUE ? ", no array" : ", uninitialised");
}

static bool put_elem(struct view *view, uint64_t at, struct str *out, struct err *err)
{
	_Alignas(16) unsigned char elem[16];
	const char *text;
	size_t len;

	if (view->value->type->kind == KIND_STRING) {
		if (!view_string(view, at, &text, &len, err))
			return false;
		put_bytes_literal(out, text, len);
		return true;
	}
	if (!view_read(view, at, 1, elem, err))
		return false;
	put_scalar(out, view->value->type, elem);
	return true;
}

/* Where an element of the view is in the whole tensor. */
static void whole_index(const struct tensor_diff *d, uint64_t at, struct elem_index *out)
{
	const struct shape *shape = &d->view.shape;
	struct slice_axis axis[SHAPE_MAX_RANK];
	struct elem_index index;
	uint32_t k = 0;

	elem_index_of(&index, at, shape->rank, shape->dim);
	slice_axes(d->req.slice, &d->now->shape, axis);
	out->rank = d->now->shape.rank;
	for (uint32_t i = 0; i < out->rank; i++)
		out->at[i] = axis[i].first + (axis[i].dropped ? 0 : index.at[k++] * axis[i].step);
}

static void put_whole_index(const struct tensor_diff *d, uint64_t at, struct str *out)
{
	struct elem_index index;

	whole_index(d, at, &index);
	put_elem_index(out, &index);
}

static bool put_first(struct call *call, struct tensor_diff *d)
{
	struct str text = {0};
	bool ok;

	str_puts(&text, "  first at ");
	put_whole_index(d, d->compared.first, &text);
	str_puts(&text, ": ");
	ok = put_elem(&d->view, d->compared.first, &text, &call->err);
	str_puts(&text, ", was ");
	ok = ok && put_elem(&d->old_view, d->compared.first, &text, &call->err);
	if (ok)
		doc_line_put(call->out, ROLE_PLAIN, "%s", str_text(&text));
	str_release(&text);
	return ok;
}

static void put_figures(struct call *call, const struct compared *c)
{
	struct str text = {0};

	if (!c->measured)
		return;
	str_puts(&text, "  max abs ");
	put_max_abs(&text, c);
	str_puts(&text, "  max rel ");
	put_short(&text, c->max_rel);
	if (c->has_ulps)
		str_fmt(&text, "  max ulps %" PRIu64, c->max_ulps);
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	str_release(&text);
}

static bool put_counts(struct call *call, struct tensor_diff *d)
{
	const struct compared *c = &d->compared;

	if (!c->n_diff) {
		doc_line_put(call->out, ROLE_PLAIN,
		             c->total == 1 ? "  the one element is the same"
		                           : "  all %" PRIu64 " elements are the same",
		             c->total);
		return true;
	}
	doc_put(call->out, ROLE_PLAIN, "  ");
	doc_put(call->out, ROLE_DIFFERS, "%" PRIu64, c->n_diff);
	doc_put(call->out, ROLE_PLAIN, " of %" PRIu64 " element%s differ%s", c->total,
	        plural(c->total), c->n_diff == 1 ? "s" : "");
	if (c->n_bad)
		doc_put(call->out, ROLE_PLAIN, ", %" PRIu64 " where one is NaN or infinite",
		        c->n_bad);
	doc_newline(call->out);
	put_figures(call, c);
	return put_first(call, d);
}

/* "float32 (2, 3), was float64 (2, 3)" */
static void put_forms(struct call *call, const struct tensor_diff *d)
{
	struct str now = {0}, before = {0};

	put_value_form(&now, d->now);
	if (d->before)
		put_value_form(&before, d->before);
	doc_put(call->out, ROLE_PLAIN, "  %s", now.text);
	if (d->before && strcmp(now.text, before.text) != 0)
		doc_put(call->out, ROLE_PLAIN, ", was %s", before.text);
	doc_newline(call->out);
	str_release(&now);
	str_release(&before);
}

static bool put_head(struct call *call, struct tensor_diff *d)
{
	struct str label = {0};

	request_label(call, &d->req, &label);
	doc_put(call->out, ROLE_PLAIN, "Tensor \"%s\", %s against %s: ", label.text, d->names.now,
	        d->names.before);
	doc_put(call->out, d->pair.status == DIFF_SAME ? ROLE_PLAIN : ROLE_DIFFERS, "%s",
	        diff_status_names[d->pair.status]);
	doc_newline(call->out);
	str_release(&label);
	put_forms(call, d);
	return !d->pair.compared || put_counts(call, d);
}

/* Grid. */

/* Reduces the view to its last two axes, at element `at`; axis[]: their axes in the array. */
static void show_two(const struct tensor_diff *d, struct view *view, uint64_t at,
                     struct slice_axis shown[2])
{
	struct slice_axis axis[SHAPE_MAX_RANK], left[SHAPE_MAX_RANK];
	struct view out = { .value = view->value, .start = view->start, .count = 1 };
	uint32_t rank = view->shape.rank, n = 0, from = rank > 2 ? rank - 2 : 0;

	slice_axes(d->req.slice, &d->now->shape, axis);
	for (uint32_t i = 0; i < d->now->shape.rank; i++)
		if (!axis[i].dropped)
			left[n++] = axis[i];
	for (uint32_t i = rank; i-- > 0 && view->count; at /= (uint64_t)view->shape.dim[i])
		if (i < from)
			out.start += at % (uint64_t)view->shape.dim[i] * (uint64_t)view->stride[i];
	for (uint32_t i = 0; i < 2; i++) {
		bool there = from + i < rank;

		shown[i] = there ? left[from + i] : (struct slice_axis){ .dropped = true };
		out.shape.dim[i] = there ? view->shape.dim[from + i] : 1;
		out.stride[i] = there ? view->stride[from + i] : 0;
		out.count *= (uint64_t)out.shape.dim[i];
	}
	out.shape.rank = 2;
	*view = out;
}

enum { CELL_COLUMNS = 16 };      /* enough for most types in full, and the space before */

/* The column to begin with, so that the first difference is in sight. */
static uint64_t first_column(const struct call *call, const struct opt_value *typed,
                             const struct tensor_diff *d, uint64_t columns)
{
	uint64_t at = d->compared.n_diff && columns ? d->compared.first % columns : 0;
	uint64_t fit = call->cols > 0 ? (uint64_t)call->cols / CELL_COLUMNS : GRID_UNCUT;

	if (typed->given)
		return typed->number > 0 ? (uint64_t)typed->number : 0;
	return at < fit ? 0 : at;
}

static void put_grid(struct call *call, struct tensor_diff *d, const struct opt_value *column)
{
	struct grid_against *against = arena_alloc(doc_mem(call->out), sizeof *against);
	struct grid_style style = { .form = GRID_FULL, .against = against, .width = call->cols };
	struct slice_axis axis[2];
	struct view view = d->view;
	struct str where = {0};

	if (view.shape.rank > 2 && view.count) {
		put_whole_index(d, d->compared.first, &where);
		doc_line_put(call->out, ROLE_PLAIN, "  the last two axes at %s:", where.text);
		str_release(&where);
	}
	against->view = d->old_view;
	against->tolerance = d->tolerance;
	show_two(d, &against->view, d->compared.first, axis);
	show_two(d, &view, d->compared.first, axis);
	style.axes = axes_of_two(&view, axis);
	style.column = first_column(call, column, d, (uint64_t)view.shape.dim[1]);
	doc_newline(call->out);
	doc_body(call->out, grid_body(d->now, &view, &style));
	doc_tensor(call->out, view.value->type->prints, view.shape.rank, view.shape.dim);
}

/* Typed. */

/* An element that differs, up to its new value. */
static void put_start(const struct tensor_diff *d, uint64_t at, struct data *data)
{
	struct elem_index index;

	whole_index(d, at, &index);
	data_object(data);
	data_key(data, "index");
	data_ints(data, index.at, index.rank);
	data_key(data, "new");
}

static bool put_string_data(struct view *view, uint64_t at, struct data *data, struct err *err)
{
	const char *text;
	size_t len;

	if (!view_string(view, at, &text, &len, err))
		return false;
	data_text(data, text, len);
	return true;
}

static bool put_strings(struct tensor_diff *d, struct data *data, struct progress *progress,
                        struct err *err)
{
	for (uint64_t i = d->compared.first; i < d->view.count; i++) {
		const char *text;
		size_t len, n;
		bool same;
		struct str now = {0};

		if (!progress_step(progress, i, d->view.count))
			return err_at(err, ERR_CANCELLED, "command", 0, "stopped");
		if (!view_string(&d->view, i, &text, &len, err))
			return false;
		str_put(&now, text, len);
		same = view_string(&d->old_view, i, &text, &n, err) && n == len &&
		       !memcmp(str_text(&now), text, n);
		str_release(&now);
		if (err->code)
			return false;
		if (same)
			continue;
		put_start(d, i, data);
		if (!put_string_data(&d->view, i, data, err))
			return false;
		data_key(data, "old");
		if (!put_string_data(&d->old_view, i, data, err))
			return false;
		data_end(data);
	}
	return true;
}

enum { AT_ONCE = 1024, MAX_ELEM_BYTES = 16 };

static bool put_numbers(struct tensor_diff *d, struct data *data, struct progress *progress,
                        struct err *err)
{
	unsigned char now[AT_ONCE * MAX_ELEM_BYTES], before[AT_ONCE * MAX_ELEM_BYTES];
	const struct dtype_info *type = d->now->type;

	for (uint64_t at = d->compared.first; at < d->view.count; at += AT_ONCE) {
		size_t n = d->view.count - at < AT_ONCE ? (size_t)(d->view.count - at) : AT_ONCE;

		if (!progress_step(progress, at, d->view.count))
			return err_at(err, ERR_CANCELLED, "command", 0, "stopped");
		if (!view_read(&d->view, at, n, now, err) ||
		    !view_read(&d->old_view, at, n, before, err))
			return false;
		for (size_t i = 0; i < n; i++) {
			const unsigned char *x = now + i * type->elem_bytes;
			const unsigned char *y = before + i * type->elem_bytes;

			if (!elems_differ(type, x, y, &d->tolerance))
				continue;
			put_start(d, at + i, data);
			data_elem(data, type, x);
			data_key(data, "old");
			data_elem(data, type, y);
			data_end(data);
		}
	}
	return true;
}

/* All elements that differ, one by one. */
static bool put_differences(struct tensor_diff *d, struct data *data, struct progress *progress,
                            struct err *err)
{
	bool ok = true;

	data_rows(data, "index,new,old");
	if (d->pair.compared && d->compared.n_diff)
		ok = d->now->type->kind == KIND_STRING ? put_strings(d, data, progress, err)
		                                       : put_numbers(d, data, progress, err);
	if (ok)
		data_end(data);
	return ok;
}

static bool put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	struct tensor_diff *d = context;
	struct elem_index first;
	bool has_old = d->before;

	if (data->format == DATA_CSV)
		return put_differences(d, data, progress, err);
	data_object(data);
	d->source->view.value = d->now;
	d->source->view.shape = d->now->shape;
	if (!value_put_head(d->source, data, err))
		return false;
	data_key(data, "old_dtype");
	data_str(data, has_old ? d->before->type->name : NULL);
	data_key(data, "old_shape");
	if (has_old)
		data_ints(data, d->before->shape.dim, d->before->shape.rank);
	else
		data_null(data);
	data_key(data, "status");
	data_str(data, diff_status_names[d->pair.status]);
	data_key(data, "new");
	data_str(data, d->names.now);
	data_key(data, "old");
	data_str(data, d->names.before);
	if (d->compared.n_diff)
		whole_index(d, d->compared.first, &first);
	put_compared(data, d->pair.compared, &first);
	data_key(data, "differences");
	if (!put_differences(d, data, progress, err))
		return false;
	data_end(data);
	return true;
}

/* The command. */

/* Never silently: a shape may be turned for other reasons than its order of axes. */
static void put_turned(struct call *call, const struct tensor_diff *d)
{
	if (d->pair.compared && !shape_equal(&d->now->shape, &d->before->shape))
		doc_line_put(call->out, ROLE_PLAIN,
		             "  axes in another order: the old one was turned to compare it");
	else if (d->pair.turned)
		doc_line_put(call->out, ROLE_PLAIN,
		             "  the axes may be in another order: --transpose compares so");
}

bool diff_tensor(struct call *call, const struct request *req, struct value *now,
                 struct value *before, const struct diff_names *names,
                 const struct diff_options *options, struct diff_found *found)
{
	struct tensor_diff *d = arena_alloc(doc_mem(call->out), sizeof *d);

	*d = (struct tensor_diff){ .req = *req, .now = now, .before = before, .names = *names,
	                           .tolerance = tolerance_of(&options->tolerance, now->type),
	                           .transpose = options->transpose };
	d->source = request_data(call, &d->req);
	if (!compare(call, d) || !put_head(call, d)) {
		value_close(d->now);
		return false;
	}
	found->differs = d->pair.status != DIFF_SAME;
	put_turned(call, d);
	if (d->pair.compared)
		put_grid(call, d, options->column);
	else
		doc_keep(call->out, close_value, d->now);
	doc_typed(call->out, DATA_VALUE, put_data, d);
	request_menu(call, &d->req, MENU_NONE);
	return true;
}
