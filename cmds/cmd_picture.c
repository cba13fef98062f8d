#include <inttypes.h>
#include <string.h>

#include "cmds/array.h"
#include "cmds/menu.h"
#include "cmds/number.h"
#include "cmds/picture.h"
#include "cmds/request.h"
#include "cmds/survey.h"

enum { KIND, WIDTH, LOG, BLOCKS, NUMBER, DEVICE };

static const struct opt options[] = {
	[KIND] = { OPT_WORD, "k", "kind",
	           "heat, spark or hist (heat for two axes or more, else spark)" },
	[WIDTH] = { OPT_INT, "w", "width", "columns of the picture (those of the screen, or 78)" },
	[LOG] = { OPT_FLAG, "l", "log",
	          "logarithmic: the scale of glyphs, or the height of bins" },
	[BLOCKS] = { OPT_FLAG, "u", "utf8", "block characters instead of ASCII" },
	[NUMBER] = NUMBER_OPT,
	[DEVICE] = DEVICE_OPT,
};

static const struct pos positionals[] = {
	{ "tensor_name", "the tensor, node:slot, and a slice: net/w:0[3, :, :]", false },
};

#define DEFAULT_WIDTH 78
#define MAX_WIDTH 4096

static bool read_style(struct call *call, const struct view *view, struct picture_style *style)
{
	const struct opt_value *opt = call->args.opt;
	const char *word = opt[KIND].word;
	int64_t width = opt[WIDTH].given ? opt[WIDTH].number :
	                call->cols > 0   ? call->cols :
	                                   DEFAULT_WIDTH;

	style->kind = view->shape.rank > 1 ? PICTURE_HEAT : PICTURE_SPARK;
	for (enum picture_kind k = 0; word && k <= N_PICTURE_KINDS; k++) {
		if (k == N_PICTURE_KINDS) {
			call_error(call,
			           "ERROR: \"%s\" is no kind of picture: heat, spark or hist.",
			           word);
			return false;
		}
		style->kind = k;
		if (!strcmp(word, picture_names[k]))
			break;
	}
	if (width < 1 || width > MAX_WIDTH) {
		call_error(call, "ERROR: A picture is 1 to %d columns wide.", MAX_WIDTH);
		return false;
	}
	style->width = (uint32_t)width;
	style->log = opt[LOG].given;
	style->blocks = opt[BLOCKS].given;
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

	(void)progress, (void)err;
	data_object(data);
	value_put_head(d->value, data);
	put_summary(&d->survey, d->value->view.value->type, data);
	picture_put_data(d->picture, data);
	data_end(data);
	return true;
}

/* The picture is made; the value is only asked for its type from now on. */
static bool put_picture(struct call *call, const struct request *req, struct view *view)
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
	put_strip(call->out, view, &data->survey);
	doc_body(call->out, data->picture);
	picture_put_legend(data->picture, call->out);
	data->value = request_data(call, req);
	data->value->view = *view;
	doc_typed(call->out, DATA_VALUE, picture_answer, data);
	return true;
}

static void close_value(void *value)
{
	value_close(value);
}

static void picture_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct request req;
	struct value *value;
	struct view view;

	if (!request_find(call, call->args.pos[0], &opt[NUMBER], opt[DEVICE].word, &req))
		return;
	value = request_open_array(call, &req, &view);
	if (!value)
		return;
	doc_keep(call->out, close_value, value);
	if (put_picture(call, &req, &view))
		menu_put(call->out, req.pick.node, MENU_NONE);
}

const struct cmd cmd_picture = {
	.name = "picture", .summary = "A dumped tensor drawn: heat map, sparkline or histogram",
	OPTS(options), POSITIONALS(positionals), .exec = picture_exec,
};
