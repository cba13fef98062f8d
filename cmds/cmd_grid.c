/*
 * Any array becomes a table of two axes: the slice is applied, two of the axes that are left
 * become rows and columns, and each of the others stands at one index. Axes are counted in the
 * array as it was dumped.
 */
#include <inttypes.h>
#include <string.h>

#include "cmds/array.h"
#include "cmds/format.h"
#include "cmds/grid.h"
#include "cmds/menu.h"
#include "cmds/number.h"
#include "cmds/python.h"
#include "cmds/request.h"
#include "cmds/survey.h"

enum { AXES, INDEX, COLUMN, FORM, COUNT, NUMBER, DEVICE };

static const struct opt options[] = {
	[AXES] = { OPT_WORD, "a", "axes",
	           "the axes of rows and of columns, from 0: 0,2 (the last two)" },
	[INDEX] = { OPT_WORD, "i", "index",
	            "indices on the other axes, in their order: 3,0 (all 0)" },
	[COLUMN] = { OPT_INT, "c", "column",
	             "the first column to show, counted in the slice (0)" },
	[FORM] = { OPT_WORD, "f", "form", "short (default), full or hex" },
	[COUNT] = { OPT_FLAG, "s", "summary",
	            "min, max and bad values in the head, however large the slice" },
	[NUMBER] = NUMBER_OPT,
	[DEVICE] = DEVICE_OPT,
};

static const struct pos positionals[] = {
	{ "tensor_name", "the tensor, node:slot, and a slice: net/w:0[3, :, :]", false },
};

/* Larger slices are only counted when asked to. */
#define COUNTED_ELEMS (1 << 22)

/* Rows and columns of an array of some rank. */
struct layout {
	struct slice_axis axis[SHAPE_MAX_RANK];  /* of the array; dropped: at one index */
	uint32_t shown[2];                       /* axes of rows and of columns */
	uint32_t n_shown;                        /* 0: a single element, 1: rows only */
};

/* "3,0" */
static bool read_list(const char *word, int64_t *out, size_t max, size_t *n)
{
	for (*n = 0; ; (*n)++) {
		size_t len = strcspn(word, ",");

		if (*n == max || !python_int(word, len, &out[*n]))
			return false;
		word += len;
		if (!*word++)
			break;
	}
	++*n;
	return true;
}

static bool read_form(struct call *call, enum grid_form *form)
{
	static const char *const names[] = {
#define X(id, name) [GRID_##id] = name,
		GRID_FORMS(X)
#undef X
	};
	const char *word = call->args.opt[FORM].word;

	for (*form = 0; word && *form < N_GRID_FORMS; ++*form)
		if (!strcmp(word, names[*form]))
			return true;
	*form = GRID_SHORT;
	if (word)
		call_error(call, "ERROR: \"%s\" is no form: short, full or hex.", word);
	return !word;
}

/* -a, or the last two of the axes that are left. */
static bool choose_axes(struct call *call, uint32_t rank, struct layout *layout)
{
	const char *word = call->args.opt[AXES].word;
	int64_t typed[2];
	size_t n;

	for (uint32_t axis = rank; axis-- > 0 && layout->n_shown < 2; ) {
		if (layout->axis[axis].dropped)
			continue;
		layout->shown[1] = layout->shown[0];
		layout->shown[0] = axis;
		layout->n_shown++;
	}
	if (!word)
		return true;
	if (!read_list(word, typed, 2, &n) || n != 2 || typed[0] == typed[1]) {
		call_error(call, "ERROR: \"%s\" are no two axes: -a ROWS,COLUMNS.", word);
		return false;
	}
	for (size_t i = 0; i < 2; i++) {
		if (typed[i] < 0 || typed[i] >= rank || layout->axis[typed[i]].dropped) {
			call_error(call, "ERROR: There is no axis %" PRId64 " left to show.",
			           typed[i]);
			return false;
		}
		layout->shown[i] = (uint32_t)typed[i];
	}
	return true;
}

static bool is_shown(const struct layout *layout, uint32_t axis)
{
	for (uint32_t i = 0; i < layout->n_shown; i++)
		if (layout->shown[i] == axis)
			return true;
	return false;
}

/* -i: the axes that are neither shown nor dropped stand at an index. */
static bool choose_index(struct call *call, const struct view *view, struct layout *layout,
                         uint64_t *start)
{
	const char *word = call->args.opt[INDEX].word;
	int64_t typed[SHAPE_MAX_RANK] = {0};
	size_t n = 0, used = 0;
	uint32_t k = 0;

	if (word && !read_list(word, typed, SHAPE_MAX_RANK, &n)) {
		call_error(call, "ERROR: \"%s\" is no list of indices: -i 3,0.", word);
		return false;
	}
	for (uint32_t axis = 0; k < view->shape.rank; axis++) {
		struct slice_axis *a = &layout->axis[axis];

		if (a->dropped)
			continue;
		if (!is_shown(layout, axis)) {
			int64_t at = typed[used++];

			if (at < 0 || (at >= view->shape.dim[k] && view->count)) {
				call_error(call,
				           "ERROR: Index %" PRId64 " is out of axis %" PRIu32
				           ", which has size "
				           "%" PRId64 ".",
				           at, axis, view->shape.dim[k]);
				return false;
			}
			*start += (uint64_t)at * (uint64_t)view->stride[k];
			a->first += at * a->step;
			a->dropped = true;
		}
		k++;
	}
	if (n > used)
		call_error(call, "ERROR: %zu indices for %zu axes that are not shown.", n, used);
	return n <= used;
}

/* The view's number of an axis of the array, before choose_index. */
static uint32_t place_of(const struct layout *layout, uint32_t axis)
{
	uint32_t place = 0;

	for (uint32_t i = 0; i < axis; i++)
		place += !layout->axis[i].dropped;
	return place;
}

/* The view becomes the axes shown, in their order. */
static bool arrange(struct call *call, uint32_t rank, struct view *view, struct layout *layout)
{
	struct view out = { .value = view->value, .start = view->start };
	uint32_t place[2] = {0};

	if (!choose_axes(call, rank, layout))
		return false;
	for (uint32_t i = 0; i < layout->n_shown; i++)
		place[i] = place_of(layout, layout->shown[i]);
	if (!choose_index(call, view, layout, &out.start))
		return false;
	out.shape.rank = layout->n_shown;
	for (uint32_t i = 0; i < layout->n_shown; i++) {
		out.shape.dim[i] = view->shape.dim[place[i]];
		out.stride[i] = view->stride[place[i]];
	}
	out.count = 0;
	if (view->count || !rank)
		shape_count(&out.shape, &out.count);
	*view = out;
	return true;
}

/* "  axes [3/8] rows cols" */
static void put_axes(struct doc *doc, const struct shape *shape, const struct layout *layout)
{
	doc_put(doc, ROLE_PLAIN, "  axes");
	for (uint32_t axis = 0; axis < shape->rank; axis++)
		if (is_shown(layout, axis))
			doc_put(doc, ROLE_PLAIN, " %s",
			        layout->shown[0] == axis ? "rows" : "cols");
		else
			doc_put(doc, ROLE_PLAIN, " [%" PRId64 "/%" PRId64 "]",
			        layout->axis[axis].first, shape->dim[axis]);
}

static void put_figures(struct doc *doc, const struct dtype_info *type, enum grid_form form,
                        const struct survey *survey)
{
	struct str text = {0};

	doc_put(doc, ROLE_PLAIN, " ");
	if (survey->ordered && survey->n_finite) {
		str_puts(&text, "  min ");
		grid_put_elem(&text, form, type, survey->min);
		str_puts(&text, "  max ");
		grid_put_elem(&text, form, type, survey->max);
		doc_put(doc, ROLE_PLAIN, "%s", text.text);
	}
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_put(doc, survey->n_nan ? ROLE_BAD : ROLE_PLAIN, "nan %" PRIu64, survey->n_nan);
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_put(doc, survey->n_pos_inf + survey->n_neg_inf ? ROLE_BAD : ROLE_PLAIN, "inf %" PRIu64,
	        survey->n_pos_inf + survey->n_neg_inf);
	str_release(&text);
}

/* Integers need no more columns than the longer of the extremes. */
static int widest_whole(const struct dtype_info *type, const struct survey *survey)
{
	struct str min = {0}, max = {0};
	size_t width;

	if ((type->kind != KIND_INT && type->kind != KIND_UINT && type->kind != KIND_QUANT) ||
	    !survey->n_finite)
		return 0;
	put_whole(&min, type, survey->min);
	put_whole(&max, type, survey->max);
	width = min.len > max.len ? min.len : max.len;
	str_release(&min);
	str_release(&max);
	return (int)width;
}

/* The head line: what the tensor is, which part of it is shown, what is in that part. */
static bool put_head(struct call *call, struct view *view, const struct layout *layout,
                     struct grid_style *style)
{
	const struct value *value = view->value;
	struct survey survey;
	struct str shape = {0};

	put_shape(&shape, &value->shape);
	doc_put(call->out, ROLE_PLAIN, "%s %s", value->type->prints, shape.text);
	str_release(&shape);
	put_axes(call->out, &value->shape, layout);
	if (view->count > COUNTED_ELEMS && !call->args.opt[COUNT].given) {
		doc_put(call->out, ROLE_PLAIN, "   (-s counts %" PRIu64 " elements)", view->count);
	} else if (number_has(value->type) && view->count) {
		if (!survey_of(view, &survey, call->progress, &call->err))
			return false;
		put_figures(call->out, value->type, style->form, &survey);
		style->whole_width = widest_whole(value->type, &survey);
	}
	doc_newline(call->out);
	return true;
}

/* "[3, :, 0:6:2]"; ends that are the array's own are left out. */
static void put_slice(struct str *out, const struct shape *shape, const struct layout *layout,
                      const struct view *view)
{
	for (uint32_t axis = 0; axis < shape->rank; axis++) {
		const struct slice_axis *a = &layout->axis[axis];
		uint32_t i = layout->n_shown > 1 && layout->shown[1] == axis;
		int64_t end = a->dropped ? 0 : a->first + view->shape.dim[i] * a->step;

		str_puts(out, axis ? ", " : "[");
		if (a->dropped)
			str_fmt(out, "%" PRId64, a->first);
		else if (a->first || a->step > 1 || end < shape->dim[axis])
			str_fmt(out, "%" PRId64 ":%" PRId64 ":%" PRId64, a->first,
			        end < shape->dim[axis] ? end : shape->dim[axis], a->step);
		else
			str_puts(out, ":");
	}
	str_puts(out, shape->rank ? "]" : "");
}

static void type_answer(struct call *call, const struct request *req, const struct layout *layout,
                        const struct view *view)
{
	struct value_data *data = request_data(call, req);
	struct str slice = {0};

	put_slice(&slice, &view->value->shape, layout, view);
	data->slice = slice.len ? arena_copy(doc_mem(call->out), slice.text, slice.len) : NULL;
	data->view = *view;
	doc_typed(call->out, DATA_VALUE, value_put_data, data);
	str_release(&slice);
}

/* Missing axes have one entry. */
static void widen(struct view *view)
{
	for (; view->shape.rank < 2; view->shape.rank++)
		view->shape.dim[view->shape.rank] = 1;
}

/* Takes value over, of which *view is the slice. */
static bool put_grid(struct call *call, const struct request *req, struct grid_style *style,
                     struct value *value, struct view *view)
{
	struct layout layout = {0};

	slice_axes(req->slice, &value->shape, layout.axis);
	if (!arrange(call, value->shape.rank, view, &layout) ||
	    !put_head(call, view, &layout, style)) {
		value_close(value);
		return false;
	}
	for (uint32_t i = 0; i < 2; i++)
		style->axis[i] = i < layout.n_shown ? layout.axis[layout.shown[i]] :
		                                      (struct slice_axis){ .dropped = true };
	type_answer(call, req, &layout, view);
	widen(view);
	doc_body(call->out, grid_body(value, view, style));
	doc_tensor(call->out, value->type->prints, view->shape.rank, view->shape.dim);
	return true;
}

static void grid_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct grid_style style = { .width = call->cols };
	struct request req;
	struct value *value;
	struct view view;

	if (opt[COLUMN].given && opt[COLUMN].number > 0)
		style.column = (uint64_t)opt[COLUMN].number;
	if (!read_form(call, &style.form) ||
	    !request_find(call, call->args.pos[0], &opt[NUMBER], opt[DEVICE].word, &req))
		return;
	value = request_open_array(call, &req, &view);
	if (value && put_grid(call, &req, &style, value, &view))
		menu_put(call->out, req.pick.node, MENU_NONE);
}

const struct cmd cmd_grid = {
	.name = "grid", .summary = "Rows and columns of a dumped tensor, with their indices",
	OPTS(options), POSITIONALS(positionals), .exec = grid_exec,
};
