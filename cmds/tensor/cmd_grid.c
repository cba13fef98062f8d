/* A table of two axes (cmds/array/axes.h); the other options say how its cells look. */
#include <inttypes.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/array/axes.h"
#include "cmds/array/grid.h"
#include "cmds/array/scale.h"
#include "cmds/array/survey.h"
#include "cmds/doc/again.h"
#include "cmds/lang/format.h"
#include "cmds/lang/number.h"
#include "cmds/tensor/request.h"
#include "cmds/tensor/show.h"
#include "cmds/tensor/ways.h"

enum { AXES, INDEX, STEP, COLUMN, FORM, COUNT, COLOURED, PERCENTILES, LOG, NUMBER, DEVICE,
       N_OF_RUN, GRAPH = N_OF_RUN, TRACE, AT_STEP };      /* these only for recorded programs */

static const struct opt options[] = {
	[AXES] = AXES_OPT,
	[INDEX] = INDEX_OPT,
	[STEP] = AXES_STEP_OPT,
	[COLUMN] = { OPT_INT, "c", "column",
	             "the first column to show, counted in the slice (0)" },
	[FORM] = { OPT_WORD, "f", "form", "short (default), full or hex" },
	[COUNT] = { OPT_FLAG, "s", "summary",
	            "min, max and bad values in the head, however large the slice" },
	[COLOURED] = { OPT_WORD, "C", "colors",
	               "cells by their value: none (default), heat or gray" },
	[PERCENTILES] = { OPT_FLAG, "p", "percentiles",
	                  "colors from the 1st to the 99th percentile (from min to max)" },
	[LOG] = { OPT_FLAG, "l", "log", "colors on a logarithmic scale" },
	[NUMBER] = NUMBER_OPT,
	[DEVICE] = DEVICE_OPT,
	[GRAPH] = GRAPH_OPT,
	[TRACE] = TRACE_OPT,
	[AT_STEP] = AT_STEP_OPT,
};

static const struct pos positionals[] = {
	{ "tensor_name", "the tensor, node:slot, and a slice: net/w:0[3, :, :]", false },
};

static const struct pos traced_positionals[] = { TRACED_POSITIONAL };

/* Statistics of larger slices are made only if asked for. */
#define COUNTED_ELEMS (1 << 22)

static const char *const form_names[] = {
#define X(id, name) [GRID_##id] = name,
	GRID_FORMS(X)
#undef X
};

static bool read_form(struct call *call, enum grid_form *form)
{
	const char *word = call->args.opt[FORM].word;

	for (*form = 0; word && *form < N_GRID_FORMS; ++*form)
		if (!strcmp(word, form_names[*form]))
			return true;
	*form = GRID_SHORT;
	if (word)
		call_error(call, "ERROR: \"%s\" is no form: short, full or hex.", word);
	return !word;
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

/* Integers need no more columns than the smallest or the largest of them. */
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

/* Does the head line need statistics of the slice? Colours need its extremes. */
static bool counts(const struct call *call, const struct view *view, const struct grid_style *style)
{
	if (!number_has(view->value->type) || !view->count)
		return false;
	return view->count <= COUNTED_ELEMS || call->args.opt[COUNT].given || style->scale.colours;
}

/* The head line: what the tensor is, which part of it is shown and what is in that part. */
static bool put_head(struct call *call, struct view *view, const struct axes *axes,
                     struct grid_style *style)
{
	const struct value *value = view->value;
	struct survey survey;
	struct str shape = {0};

	put_shape(&shape, &value->shape);
	doc_put(call->out, ROLE_PLAIN, "%s %s", value->type->prints, shape.text);
	str_release(&shape);
	axes_put_head(axes, call->out);
	if (counts(call, view, style)) {
		if (!survey_of(view, &survey, call->progress, &call->err))
			return false;
		put_figures(call->out, value->type, style->form, &survey);
		style->whole_width = widest_whole(value->type, &survey);
		if (style->scale.colours &&
		    !scale_take_ends(&style->scale, view, &survey, call->progress, &call->err))
			return false;
	} else if (view->count > COUNTED_ELEMS) {
		doc_put(call->out, ROLE_PLAIN, "   (-s counts %" PRIu64 " elements)", view->count);
	}
	doc_newline(call->out);
	if (!counts(call, view, style))
		style->scale.colours = COLOURS_NONE;
	if (style->scale.colours) {
		scale_put_steps(&style->scale, doc_open_line(call->out));
		doc_newline(call->out);
	}
	return true;
}

static void type_answer(struct call *call, const struct request *req, const struct axes *axes,
                        const struct view *view)
{
	struct value_data *data = request_data(call, req);
	struct str slice = {0};

	axes_put_slice(axes, &slice);
	data->slice = slice.len ? arena_copy(doc_mem(call->out), slice.text, slice.len) : NULL;
	data->view = *view;
	doc_typed(call->out, DATA_VALUE, value_put_data, data);
	str_release(&slice);
}

/* The command line with an option changed, for keys. */
struct grid_line {
	const struct cmd *cmd;
	struct args args;
	struct axes axes;
	const char *tensor;      /* without the slice */
	enum grid_form form;
	enum colours colours;
	struct arena *mem;       /* the document's */
};

/* The same slice as a picture, which has its own options for drawing. */
static void put_picture_line(const struct cmd *cmd, const struct args *args, struct str *out)
{
	str_puts(out, "picture");
	again_put_words(cmd, args, out);
	again_put_options(cmd, args, AXES, STEP, out);
	again_put_options(cmd, args, NUMBER, AT_STEP, out);
}

static const struct doc_key own_keys[] = {
	{ 0, .hint_keys = "]n", .hint = "next bad" },
	{ 0, .hint_keys = "( )", .hint = "axis" },
	{ '#', "numbers in four digits, in all of them, in hexadecimal", "#", "form",
	  .way = KEY_REWRITES },
	{ DOC_KEY_SLICE, .way = KEY_REWRITES },
};
const struct doc_keys grid_keys = { "In grids", DOC_KEYS(own_keys) };

static bool put_key(void *context, const struct doc_at *at, struct str *out)
{
	const struct grid_line *line = context;
	struct axes axes = line->axes;
	struct args args = line->args;
	struct opt_value *opt = args.opt;

	if (!axes_change(&axes, at, out))
		return false;
	switch (at->key) {
	case DOC_KEY_SLICE: axes_go_slice(&axes, (uint64_t)at->n); break;
	case '#':
		opt[FORM].given = line->form + 1 < N_GRID_FORMS;
		opt[FORM].word = form_names[(line->form + 1) % N_GRID_FORMS];
		break;
	case 'c':
		opt[COLOURED].given = line->colours + 1 < N_COLOURS;
		opt[COLOURED].word = colours_names[(line->colours + 1) % N_COLOURS];
		break;
	case '%': again_toggle(&opt[PERCENTILES]); break;
	case 'l': again_toggle(&opt[LOG]); break;
	}
	axes_to_args(&axes, line->tensor, AXES, line->mem, &args);
	if (at->key == 'p')
		put_picture_line(line->cmd, &args, out);
	else
		again_put(line->cmd, &args, out);
	return true;
}

static void bring_keys(struct call *call, const struct axes *axes,
                          const struct grid_style *style)
{
	struct arena *mem = doc_mem(call->out);
	struct grid_line *line = arena_alloc(mem, sizeof *line);
	const char *slice;

	*line = (struct grid_line){ .cmd = call->cmd,
		                    .args = again_keep(call, mem),
		                    .axes = *axes,
		                    .form = style->form,
		                    .colours = style->scale.colours,
		                    .mem = mem };
	slice_cut(request_typed(&line->args), mem, &line->tensor, &slice);
	doc_bring_keys(call->out, &grid_keys, put_key, line);
	doc_bring_keys(call->out, &drawn_keys, put_key, line);
}

/* Adds axes of length 1 up to rank 2. */
static void widen(struct view *view)
{
	for (; view->shape.rank < 2; view->shape.rank++)
		view->shape.dim[view->shape.rank] = 1;
}

/* Tells the document the shape that @[i,j] counts in: those shown axes that the array has. */
static void tell_tensor(struct call *call, const struct axes *axes, const struct value *value)
{
	int64_t dims[2];

	for (uint32_t i = 0; i < axes->n_shown; i++)
		dims[i] = axes->shape.dim[axes->shown[i]];
	doc_tensor(call->out, value->type->prints, axes->n_shown, dims);
}

/* Takes value over; *view is a view of it. */
static bool put_grid(struct call *call, const struct request *req, struct grid_style *style,
                     struct value *value, struct view *view)
{
	const struct opt_value *opt = call->args.opt;
	struct axes_options said = { opt[AXES].word, opt[INDEX].word, &opt[STEP] };

	if (!axes_choose(call, &said, req->slice, view, &style->axes) ||
	    !put_head(call, view, &style->axes, style)) {
		value_close(value);
		return false;
	}
	type_answer(call, req, &style->axes, view);
	tell_tensor(call, &style->axes, value);
	bring_keys(call, &style->axes, style);
	widen(view);
	doc_body(call->out, grid_body(value, view, style));
	return true;
}

static const struct ways_of ways = {
	WAYS_OF_GRID, COLOURED, PERCENTILES, LOG, COLOURS_NONE,
};

static void grid_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct grid_style style = { .width = call->cols };
	struct tensor_words words = { call->args.pos[0], &opt[NUMBER], &opt[DEVICE], &opt[GRAPH],
	                              &opt[TRACE], &opt[AT_STEP] };
	struct request req;
	struct value *value;
	struct view view;

	ways_apply(call, &ways);
	style.scale.log = opt[LOG].given;
	style.scale.percentiles = opt[PERCENTILES].given;
	if (opt[COLUMN].given && opt[COLUMN].number > 0)
		style.column = (uint64_t)opt[COLUMN].number;
	if (!read_form(call, &style.form) ||
	    !scale_read_colours(call, opt[COLOURED].word, COLOURS_NONE, &style.scale.colours) ||
	    !request_find(call, &words, &req))
		return;
	value = request_open_array(call, &req, &view);
	if (value && !call->on_screen && show_is_too_much(call, value, &view)) {
		value_close(value);
		return;
	}
	if (value && put_grid(call, &req, &style, value, &view))
		request_menu(call, &req, MENU_NONE);
}

const struct cmd cmd_grid = {
	.name = "grid", .summary = "Rows and columns of a dumped tensor, with their indices",
	.opts = options, .n_opts = N_OF_RUN, POSITIONALS(positionals), .names = LINK_TENSOR,
	.exec = grid_exec,
};

const struct cmd cmd_grid_program = {
	.name = "grid", .summary = "Rows and columns of a tensor, with their indices",
	OPTS(options), POSITIONALS(traced_positionals), .names = LINK_TENSOR, .of_program = true,
	.exec = grid_exec,
};
