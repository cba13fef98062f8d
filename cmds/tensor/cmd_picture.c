#include <inttypes.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/array/axes.h"
#include "cmds/array/picture.h"
#include "cmds/array/survey.h"
#include "cmds/doc/again.h"
#include "cmds/lang/number.h"
#include "cmds/lang/python.h"
#include "cmds/tensor/request.h"
#include "cmds/tensor/ways.h"

/* From KIND to BLOCKS: how it is drawn; the rest is only for recorded programs. */
enum {
	AXES,
	INDEX,
	STEP,
	NUMBER,
	DEVICE,
	KIND,
	COLOURED,
	PERCENTILES,
	LOG,
	BUCKET,
	WIDTH,
	ROWS,
	BLOCKS,
	N_OF_RUN,
	GRAPH = N_OF_RUN,
	TRACE,
	AT_STEP
};

static const struct opt options[] = {
	[AXES] = AXES_OPT,
	[INDEX] = INDEX_OPT,
	[STEP] = AXES_STEP_OPT,
	[NUMBER] = NUMBER_OPT,
	[DEVICE] = DEVICE_OPT,
	[KIND] = { OPT_WORD, "k", "kind",
	           "heat, spark or hist (heat for two axes or more, else spark)" },
	[COLOURED] = { OPT_WORD, "C", "colors",
	               "on a screen with colors: heat (default), gray or none" },
	[PERCENTILES] = { OPT_FLAG, "p", "percentiles",
	                  "a scale from the 1st to the 99th percentile (from min to max)" },
	[LOG] = { OPT_FLAG, "l", "log",
	          "logarithmic: the scale of glyphs, or the height of bins" },
	[BUCKET] = { OPT_WORD, "b", "bucket",
	             "elements in a cell of the picture, rows by columns: 20x7 (as many as fit)" },
	[WIDTH] = { OPT_INT, "w", "width", "columns of the picture (those of the screen, or 78)" },
	[ROWS] = { OPT_INT, "r", "rows",
	           "rows of the picture, at most (those of the screen, or 20)" },
	[BLOCKS] = { OPT_FLAG, "u", "utf8", "block characters instead of ASCII" },
	[GRAPH] = GRAPH_OPT,
	[TRACE] = TRACE_OPT,
	[AT_STEP] = AT_STEP_OPT,
};

static const struct pos positionals[] = {
	{ "tensor_name", "the tensor, node:slot, and a slice: net/w:0[3, :, :]", false },
};

static const struct pos traced_positionals[] = { TRACED_POSITIONAL };

#define DEFAULT_WIDTH 78
#define MAX_WIDTH 4096
enum { STRIP_LINES = 3, LEGEND_LINES = 4, ROWS_WITH_STRIP = 14 };

/* Rows that are left for it all; what stands above already is about occurrences. */
static int rows_here(const struct call *call)
{
	return call->canvas.rows - (int)doc_rows(call->out);
}

/* A low pane has room for the picture alone. */
static bool has_strip(const struct call *call)
{
	return !call->canvas.rows || rows_here(call) >= ROWS_WITH_STRIP;
}

static bool read_kind(struct call *call, enum picture_kind *kind)
{
	const char *word = call->args.opt[KIND].word;

	for (enum picture_kind k = 0; word && k < N_PICTURE_KINDS; k++)
		if (!strcmp(word, picture_names[k])) {
			*kind = k;
			return true;
		}
	if (word)
		call_error(call, "ERROR: \"%s\" is no kind of picture: heat, spark or hist.", word);
	return !word;
}

/* "20x7" */
static bool read_bucket(struct call *call, struct picture_style *style)
{
	const char *word = call->args.opt[BUCKET].word, *x = word ? strchr(word, 'x') : NULL;
	int64_t rows, columns;

	if (!word)
		return true;
	if (!x || !python_int(word, (size_t)(x - word), &rows) ||
	    !python_int(x + 1, strlen(x + 1), &columns) || rows < 1 || columns < 1) {
		call_error(call, "ERROR: \"%s\" is no bucket: ROWSxCOLUMNS.", word);
		return false;
	}
	style->bucket_rows = (uint64_t)rows;
	style->bucket_columns = (uint64_t)columns;
	return true;
}

/* Rows left for picture and legend when the heading has its own. */
static uint32_t pane_rows(const struct call *call)
{
	int rows = rows_here(call) - (has_strip(call) ? STRIP_LINES : 0);

	return rows > 1 ? (uint32_t)rows : 1;
}

/* For the picture alone. */
static uint32_t rows_left(const struct call *call)
{
	uint32_t rows = pane_rows(call);

	return call->canvas.rows ? rows > LEGEND_LINES + 2 ? rows - LEGEND_LINES : 2 : 0;
}

static bool read_size(struct call *call, struct picture_style *style)
{
	const struct opt_value *opt = call->args.opt;
	int64_t width = opt[WIDTH].given ? opt[WIDTH].number :
	                call->cols > 0   ? call->cols :
	                                   DEFAULT_WIDTH;

	if (width < 1 || width > MAX_WIDTH) {
		call_error(call, "ERROR: A picture is 1 to %d columns wide.", MAX_WIDTH);
		return false;
	}
	if (opt[ROWS].given && (opt[ROWS].number < 1 || opt[ROWS].number > MAX_WIDTH)) {
		call_error(call, "ERROR: A picture has 1 to %d rows.", MAX_WIDTH);
		return false;
	}
	style->width = (uint32_t)width;
	style->legend_width = call->canvas.rows && call->cols > 0 ? (uint32_t)call->cols : 0;
	style->rows = opt[ROWS].given ? (uint32_t)opt[ROWS].number : rows_left(call);
	if (call->canvas.modern && call->canvas.rows && !opt[ROWS].given)
		style->pane_rows = pane_rows(call);
	return true;
}

static bool read_style(struct call *call, const struct view *view, struct picture_style *style)
{
	const struct opt_value *opt = call->args.opt;
	enum colours colours;

	*style = (struct picture_style){
		.kind = view->shape.rank > 1 ? PICTURE_HEAT : PICTURE_SPARK,
		.scale = { .log = opt[LOG].given, .percentiles = opt[PERCENTILES].given },
		.blocks = opt[BLOCKS].given || call->canvas.blocks,
	};
	if (!read_kind(call, &style->kind) || !read_size(call, style) ||
	    !read_bucket(call, style) ||
	    !scale_read_colours(call, opt[COLOURED].word, COLOURS_HEAT, &colours))
		return false;
	style->scale.colours = call->canvas.colours ? colours : COLOURS_NONE;
	style->halves = style->kind == PICTURE_HEAT && style->blocks && style->scale.colours;
	return true;
}

static void put_count(struct doc *doc, const char *name, uint64_t n, bool bad)
{
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_put(doc, bad && n ? ROLE_BAD : ROLE_PLAIN, "%s %" PRIu64, name, n);
}

/* The summary strip: what is known of the elements before anything is drawn. */
static void put_strip(struct doc *doc, const struct view *view, const struct survey *survey)
{
	const struct dtype_info *type = view->value->type;
	struct str text = {0};

	put_shape(&text, &view->shape);
	doc_put(doc, ROLE_PLAIN, "%s %s  %" PRIu64 " B", type->prints, text.text,
	        view->count * type->elem_bytes);
	put_count(doc, "nan", survey->n_nan, true);
	put_count(doc, "-inf", survey->n_neg_inf, true);
	put_count(doc, "+inf", survey->n_pos_inf, true);
	put_count(doc, "zero", survey->n_zero, false);
	if (type->kind != KIND_COMPLEX) {
		put_count(doc, "<0", survey->n_neg, false);
		put_count(doc, ">0", survey->n_pos, false);
	}
	doc_newline(doc);
	if (survey->ordered && survey->n_finite) {
		str_reset(&text);
		str_puts(&text, "min ");
		put_scalar(&text, type, survey->min);
		str_puts(&text, "  max ");
		put_scalar(&text, type, survey->max);
		str_puts(&text, "  mean ");
		put_float(&text, survey->mean, survey->mean_bits);
		str_puts(&text, "  std ");
		put_float(&text, survey->std, survey->mean_bits);
		doc_line_put(doc, ROLE_PLAIN, "%s", text.text);
	}
	doc_newline(doc);
	str_release(&text);
}

/* The typed answer. */
struct picture_data {
	struct value_data *value;
	struct survey survey;
	struct body *picture;
};

static void put_key_uint(struct data *data, const char *key, uint64_t n)
{
	data_key(data, key);
	data_uint(data, n);
}

static void put_summary(const struct survey *survey, const struct dtype_info *type,
                        struct data *data)
{
	data_key(data, "summary");
	data_object(data);
	put_key_uint(data, "total", survey->total);
	put_key_uint(data, "nan", survey->n_nan);
	put_key_uint(data, "neg_inf", survey->n_neg_inf);
	put_key_uint(data, "negative", survey->n_neg);
	put_key_uint(data, "zero", survey->n_zero);
	put_key_uint(data, "positive", survey->n_pos);
	put_key_uint(data, "pos_inf", survey->n_pos_inf);
	if (survey->ordered && survey->n_finite) {
		data_key(data, "min");
		data_elem(data, type, survey->min);
		data_key(data, "max");
		data_elem(data, type, survey->max);
		data_key(data, "mean");
		data_float(data, survey->mean, survey->mean_bits);
		data_key(data, "std");
		data_float(data, survey->std, survey->mean_bits);
	}
	data_end(data);
}

static bool picture_answer(void *context, struct data *data, struct progress *progress,
                           struct err *err)
{
	const struct picture_data *d = context;

	(void)progress;
	data_object(data);
	if (!value_put_head(d->value, data, err))
		return false;
	put_summary(&d->survey, d->value->view.value->type, data);
	picture_put_data(d->picture, data);
	data_end(data);
	return true;
}

/* The command line with an option changed, for keys. */
struct picture_words {
	const struct cmd *cmd;
	struct args args;
	struct axes axes;
	const char *tensor;      /* without the slice */
	enum picture_kind kind;
	bool has_bucket;
	uint64_t bucket_rows, bucket_columns;
	struct arena *mem;       /* the document's */
};

static void next_kind(const struct picture_words *words, struct opt_value *opt)
{
	static const enum picture_kind after[] = {
		[PICTURE_HEAT] = PICTURE_HIST,
		[PICTURE_HIST] = PICTURE_SPARK,
		[PICTURE_SPARK] = PICTURE_HEAT,
	};

	opt[KIND].given = true;
	opt[KIND].word = picture_names[after[words->kind]];
	opt[BUCKET] = (struct opt_value){0};
}

/* heat, gray, none */
static void next_colours(struct opt_value *opt)
{
	enum colours now = COLOURS_HEAT;

	while (opt->given && now % N_COLOURS != COLOURS_NONE &&
	       strcmp(opt->word, colours_names[now]))
		now = (now + 1) % N_COLOURS;
	now = (now + 1) % N_COLOURS;
	opt->given = now != COLOURS_HEAT;
	opt->word = opt->given ? colours_names[now] : NULL;
}

/* Twice as many elements in a cell, or half of them. */
static bool next_bucket(const struct picture_words *words, int64_t n, struct opt_value *opt,
                        struct str *out)
{
	uint64_t rows = words->bucket_rows, columns = words->bucket_columns;
	struct str text = {0};

	if (!words->has_bucket) {
		str_puts(out, "A histogram has bins and no cells");
		return false;
	}
	if (n < 0 && rows == 1 && columns == 1) {
		str_puts(out, "A cell is one element already");
		return false;
	}
	rows = n > 0 ? rows * 2 : (rows + 1) / 2;
	columns = n > 0 ? columns * 2 : (columns + 1) / 2;
	str_fmt(&text, "%" PRIu64 "x%" PRIu64, words->kind == PICTURE_HEAT ? rows : 1, columns);
	opt->given = true;
	opt->word = arena_copy(words->mem, text.text, text.len);
	str_release(&text);
	return true;
}

static void put_grid_line(const struct cmd *cmd, const struct args *args, struct str *out)
{
	str_puts(out, "grid");
	again_put_words(cmd, args, out);
	again_put_options(cmd, args, AXES, DEVICE, out);
	again_put_options(cmd, args, GRAPH, AT_STEP, out);
}

static const struct doc_key own[] = {
	{ 0, .hint_keys = "Left Right", .hint = "cells" },
	{ 0, .hint_keys = "s", .hint = "kind" },
	{ 0, .hint_keys = "l", .hint = "log" },
	{ 0, .hint_keys = "c", .hint = "colors" },
	{ DOC_KEY_WAY, .way = KEY_REWRITES },
};
static const struct doc_keys picture_keys = { NULL, DOC_KEYS(own) };
static const struct doc_keys keys_of_one = {
	NULL, .at = own + 1, .n = sizeof own / sizeof *own - 1,
};

static bool put_key(void *context, const struct doc_at *at, struct str *out)
{
	const struct picture_words *words = context;
	struct axes axes = words->axes;
	struct args args = words->args;

	if (!axes_change(&axes, at, out))
		return false;
	switch (at->key) {
	case DOC_KEY_WAY:
		again_put_options(words->cmd, &args, KIND, BLOCKS, out);
		return true;
	case 's': next_kind(words, args.opt); break;
	case 'c': next_colours(&args.opt[COLOURED]); break;
	case '%': again_toggle(&args.opt[PERCENTILES]); break;
	case 'l': again_toggle(&args.opt[LOG]); break;
	case ',':
	case '.':
		if (!next_bucket(words, at->key == '.' ? 1 : -1, &args.opt[BUCKET], out))
			return false;
		break;
	default: axes_to_args(&axes, words->tensor, AXES, words->mem, &args); break;
	}
	if (at->key == 'p')
		put_grid_line(words->cmd, &args, out);
	else
		again_put(words->cmd, &args, out);
	return true;
}

static void bring_keys(struct call *call, const struct axes *axes, enum picture_kind kind,
                          struct body *picture)
{
	struct arena *mem = doc_mem(call->out);
	struct picture_words *words = arena_alloc(mem, sizeof *words);
	const char *slice;

	*words = (struct picture_words){
		.cmd = call->cmd, .args = again_keep(call, mem), .axes = *axes, .kind = kind,
		.mem = mem,
	};
	words->has_bucket = picture_bucket(picture, &words->bucket_rows, &words->bucket_columns);
	slice_cut(request_typed(&words->args), mem, &words->tensor, &slice);
	doc_bring_keys(call->out, picture_walks(picture) ? &picture_keys : &keys_of_one, put_key,
	               words);
	doc_bring_keys(call->out, &drawn_keys, put_key, words);
}

/* Called when the picture is made; after that the value is only asked for its type. */
static bool put_picture(struct call *call, const struct request *req, const struct axes *axes,
                        struct view *view)
{
	struct picture_data *data = arena_alloc(doc_mem(call->out), sizeof *data);
	struct picture_style style;

	if (!number_has(view->value->type)) {
		call_error(call, "ERROR: There is no picture of elements of type %s.",
		           view->value->type->name);
		return false;
	}
	if (!read_style(call, view, &style) ||
	    !survey_of(view, &data->survey, call->progress, &call->err))
		return false;
	data->picture = picture_body(view, &data->survey, &style, call->progress, &call->err);
	if (!data->picture)
		return false;
	if (has_strip(call))
		put_strip(call->out, view, &data->survey);
	doc_body(call->out, data->picture);
	picture_put_legend(data->picture, call->out);
	data->value = request_data(call, req);
	data->value->view = *view;
	doc_typed(call->out, DATA_VALUE, picture_answer, data);
	bring_keys(call, axes, style.kind, data->picture);
	return true;
}

static const struct ways_of ways = {
	WAYS_OF_PICTURE, COLOURED, PERCENTILES, LOG, COLOURS_HEAT,
};

static void close_value(void *value)
{
	value_close(value);
}

/* The chosen two axes, or the only two; else all axes but the last are rows. */
static bool choose_axes(struct call *call, const struct request *req, struct axes *axes,
                        struct view *view)
{
	const struct opt_value *opt = call->args.opt;
	struct axes_options said = { opt[AXES].word, opt[INDEX].word, &opt[STEP] };
	struct view chosen = *view;

	if (!axes_choose(call, &said, req->slice, &chosen, axes))
		return false;
	if (opt[AXES].given || opt[INDEX].given || view->shape.rank <= 2)
		*view = chosen;
	return true;
}

static void picture_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct tensor_words words = { call->args.pos[0], &opt[NUMBER], &opt[DEVICE], &opt[GRAPH],
	                              &opt[TRACE], &opt[AT_STEP] };
	struct request req;
	struct value *value;
	struct view view;
	struct axes axes;

	if (!request_find(call, &words, &req))
		return;
	value = request_open_array(call, &req, &view);
	if (!value)
		return;
	ways_apply(call, &ways);
	doc_keep(call->out, close_value, value);
	if (choose_axes(call, &req, &axes, &view) && put_picture(call, &req, &axes, &view))
		request_menu(call, &req, MENU_NONE);
}

const struct cmd cmd_picture = {
	.name = "picture", .summary = "A dumped tensor drawn: heat map, sparkline or histogram",
	.opts = options, .n_opts = N_OF_RUN, POSITIONALS(positionals), .names = LINK_TENSOR,
	.exec = picture_exec,
};

const struct cmd cmd_picture_program = {
	.name = "picture", .summary = "A tensor drawn: heat map, sparkline or histogram",
	OPTS(options), POSITIONALS(traced_positionals), .names = LINK_TENSOR, .of_program = true,
	.exec = picture_exec,
};
