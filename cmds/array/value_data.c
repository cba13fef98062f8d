#include "cmds/array/value_data.h"

#include <string.h>

#include "dump/model/stats.h"

#define AT_ONCE 4096             /* elements read in one go */
#define MAX_ELEM_BYTES 16
#define EMPTY_LISTS_MOST 100000

static bool put_elements(struct view *view, uint64_t first, size_t n, struct data *data,
                         struct err *err)
{
	unsigned char elems[AT_ONCE * MAX_ELEM_BYTES];
	const struct dtype_info *type = view->value->type;

	if (!view_read(view, first, n, elems, err))
		return false;
	for (size_t i = 0; i < n; i++)
		data_elem(data, type, elems + i * type->elem_bytes);
	return true;
}

static bool put_strings(struct view *view, uint64_t first, size_t n, struct data *data,
                        struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		const char *text;
		size_t len;

		if (!view_string(view, first + i, &text, &len, err))
			return false;
		data_text(data, text, len);
	}
	return true;
}

/* False: a write failed, or a cancel. */
static bool may_go_on(const struct data *data, uint64_t done, uint64_t total,
                      struct progress *progress, struct err *err)
{
	if (data->write_errno)
		return err_at(err, ERR_IO, "command", 0, "%s", strerror(data->write_errno));
	return progress_step(progress, done, total) ||
	       err_at(err, ERR_CANCELLED, "command", 0, "stopped");
}

static bool put_run(struct view *view, uint64_t first, uint64_t n, struct data *data,
                    struct progress *progress, struct err *err)
{
	bool strings = view->value->type->kind == KIND_STRING, ok = true;

	for (uint64_t done = 0; ok && done < n; ) {
		size_t now = n - done < AT_ONCE ? (size_t)(n - done) : AT_ONCE;

		ok = strings ? put_strings(view, first + done, now, data, err) :
		               put_elements(view, first + done, now, data, err);
		done += now;
		ok = ok && may_go_on(data, first + done, view->count, progress, err);
	}
	return ok;
}

/* Elements in one entry of an axis. */
static uint64_t entry_size(const struct shape *shape, uint32_t axis)
{
	uint64_t n = 1;

	for (uint32_t d = axis + 1; d < shape->rank; d++)
		n *= (uint64_t)shape->dim[d];
	return n;
}

/* [first, first + n) as lists from this axis on; at most SHAPE_MAX_RANK deep. */
static bool put_axis(struct view *view, uint32_t axis, uint64_t first, struct data *data,
                     struct progress *progress, struct err *err)
{
	uint64_t each = entry_size(&view->shape, axis);
	bool ok = true;

	data_list(data);
	if (axis + 1 == view->shape.rank || !view->shape.dim[axis])
		ok = put_run(view, first, (uint64_t)view->shape.dim[axis], data, progress, err);
	for (int64_t i = 0; ok && axis + 1 < view->shape.rank && i < view->shape.dim[axis]; i++)
		ok = put_axis(view, axis + 1, first + (uint64_t)i * each, data, progress, err);
	if (ok)
		data_end(data);
	return ok;
}

/* Without elements there may still be lists of empty lists: of an array, unless they are many. */
static bool has_lists(const struct value_data *d)
{
	const struct shape *shape = &d->view.shape;
	uint64_t n = 1;

	for (uint32_t i = 0; i < shape->rank && shape->dim[i]; i++)
		if (__builtin_mul_overflow(n, (uint64_t)shape->dim[i], &n))
			return false;
	return d->view.count || (d->is_array && n <= EMPTY_LISTS_MOST);
}

static bool put_all(struct value_data *d, struct data *data, struct progress *progress,
                    struct err *err)
{
	struct view *view = &d->view;

	if (!view->shape.rank)
		return put_run(view, 0, 1, data, progress, err);
	if (has_lists(d))
		return put_axis(view, 0, 0, data, progress, err);
	data_list(data);
	data_end(data);
	return true;
}

bool value_put_table(struct view *view, struct data *data, struct progress *progress,
                     struct err *err)
{
	uint64_t across = view->shape.rank ? (uint64_t)view->shape.dim[view->shape.rank - 1] : 1;

	data_list(data);
	for (uint64_t first = 0; first < view->count; first += across) {
		data_list(data);
		if (!put_run(view, first, across, data, progress, err))
			return false;
		data_end(data);
	}
	data_end(data);
	return true;
}

static void put_count(struct data *data, const char *key, uint64_t n)
{
	data_key(data, key);
	data_uint(data, n);
}

static void put_moments(struct data *data, const struct stats *stats, const struct dtype_info *type)
{
	int bits = stats->mean_type == DTYPE_FLOAT16 ? 16 :
	           stats->mean_type == DTYPE_FLOAT32 ? 32 : 64;

	data_key(data, "min");
	data_elem(data, type, stats->min.bytes);
	data_key(data, "max");
	data_elem(data, type, stats->max.bytes);
	data_key(data, "mean");
	data_float(data, stats->mean, bits);
	data_key(data, "std");
	data_float(data, stats->std, bits);
}

/* null for a type that has none; of dumps of tfdbg v1 numpy's own types alone have one. */
static bool put_summary(struct value_data *d, struct data *data, struct progress *progress,
                        struct err *err)
{
	struct view *view = &d->view;
	struct stats stats;
	struct err own = {0};

	data_key(data, "summary");
	if (!d->put_row && !d->is_array && view->value->type->kind == KIND_SMALL_FLOAT) {
		data_null(data);
		return true;
	}
	if (!stats_of(view, &stats, progress, &own)) {
		if (own.code != ERR_TYPE)
			*err = own;
		else
			data_null(data);
		return own.code == ERR_TYPE;
	}
	data_object(data);
	put_count(data, "total", stats.total);
	if (view->value->type->kind == KIND_BOOL) {
		put_count(data, "false", stats.n_false);
		put_count(data, "true", stats.n_true);
	} else {
		put_count(data, "nan", stats.n_nan);
		put_count(data, "neg_inf", stats.n_neg_inf);
		put_count(data, "negative", stats.n_neg);
		put_count(data, "zero", stats.n_zero);
		put_count(data, "positive", stats.n_pos);
		put_count(data, "pos_inf", stats.n_pos_inf);
		if (stats.n_finite)
			put_moments(data, &stats, view->value->type);
	}
	data_end(data);
	return true;
}

static void put_slice(const struct value_data *d, struct data *data)
{
	data_key(data, "slice");
	data_str(data, d->slice);
}

bool value_put_head(const struct value_data *d, struct data *data, struct err *err)
{
	if (d->put_row) {
		if (!d->put_row(d->row, data, err))
			return false;
		put_slice(d, data);
		return true;
	}
	for (size_t i = 0; i < sizeof d->from / sizeof *d->from; i++)
		if (d->from[i].key) {
			data_key(data, d->from[i].key);
			data_str(data, d->from[i].text);
		}
	if (d->dump >= 0) {
		data_key(data, "dump");
		data_int(data, d->dump);
		data_key(data, "time_us");
		data_int_or_null(data, d->time_us);
	}
	if (d->is_array) {
		data_key(data, "op");
		data_str(data, d->op);
		data_key(data, "device");
		data_str(data, d->device);
		data_key(data, "size_bytes");
		data_int_or_null(data, d->size_bytes);
		if (d->full_name) {
			data_key(data, "full_name");
			data_str(data, d->full_name);
		}
	}
	put_slice(d, data);
	data_key(data, "dtype");
	data_str(data, d->view.value->type->name);
	data_key(data, "shape");
	data_ints(data, d->view.shape.dim, d->view.shape.rank);
	return true;
}

bool value_put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	static const char *const states[] = {
		[VALUE_ARRAY] = "array", [VALUE_UNINITIALISED] = "uninitialised",
		[VALUE_OPAQUE] = "opaque",
	};
	struct value_data *d = context;
	enum value_state state = d->view.value->state;
	bool has_elements = state == VALUE_ARRAY && !d->view.value->known;

	if (data->format == DATA_CSV && has_elements)
		return value_put_table(&d->view, data, progress, err);
	data_object(data);
	if (!value_put_head(d, data, err))
		return false;
	data_key(data, "state");
	data_str(data, state == VALUE_ARRAY && !has_elements ? "not_stored" : states[state]);
	if (d->with_summary && state == VALUE_ARRAY && !put_summary(d, data, progress, err))
		return false;
	data_key(data, "data");
	if (!has_elements)
		data_null(data);
	else if (!put_all(d, data, progress, err))
		return false;
	data_end(data);
	return true;
}
