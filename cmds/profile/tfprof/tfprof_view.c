/*
 * From options to a view: patterns, the figures that are needed, the rows' own figures. Trees
 * (tfprof_show.c) and the op view (tfprof_op.c) then choose their rows in different ways.
 */
#include "cmds/profile/tfprof/tfprof_view.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/lang/std_sort.h"
#include "dump/base/mem.h"

/* Which figure a word of -order_by, an item or a least value is about. */
static const struct { const char *name; enum tfprof_figure figure; int least; } figures[] = {
	{ "bytes", TFPROF_BYTES, TFPROF_MIN_BYTES },
	{ "peak_bytes", TFPROF_PEAK, TFPROF_MIN_PEAK },
	{ "residual_bytes", TFPROF_RESIDUAL, TFPROF_MIN_RESIDUAL },
	{ "output_bytes", TFPROF_OUTPUT, TFPROF_MIN_OUTPUT },
	{ "micros", TFPROF_MICROS, TFPROF_MIN_MICROS },
	{ "accelerator_micros", TFPROF_ACCELERATOR, TFPROF_MIN_ACCELERATOR },
	{ "cpu_micros", TFPROF_CPU, TFPROF_MIN_CPU },
	{ "params", TFPROF_PARAMS, TFPROF_MIN_PARAMS },
	{ "float_ops", TFPROF_FLOAT_OPS, TFPROF_MIN_FLOAT_OPS },
};
enum { N_ORDERS = sizeof figures / sizeof *figures };

/* Patterns. */

static bool add_pattern(struct tfprof_patterns *patterns, const char *text, struct err *err)
{
	struct pattern *alone = pattern_new(text, PATTERN_MATCH, false, err), *whole;
	struct str wrapped = {0};

	if (!alone)
		return false;
	pattern_free(alone);
	str_fmt(&wrapped, "(?:%s)\\Z", text);
	whole = pattern_new(wrapped.text, PATTERN_MATCH, false, err);
	str_release(&wrapped);
	if (whole)
		vec_push(&patterns->at, whole);
	return whole;
}

static bool make_patterns(struct tfprof_view *view, struct err *err)
{
	for (int i = 0; i < TFPROF_N_LISTS; i++) {
		const struct tfprof_list *list = &view->options.list[i];

		view->pattern[i].all = tfprof_list_is_all(list);
		for (size_t k = 0; k < list->n && !view->pattern[i].all; k++)
			if (!add_pattern(&view->pattern[i], list->at[k], err))
				return false;
	}
	return true;
}

bool tfprof_matches(const struct tfprof_patterns *patterns, const char *text)
{
	if (patterns->all)
		return true;
	for (size_t i = 0; i < patterns->at.len; i++)
		if (pattern_hits(patterns->at.at[i], text, strlen(text), 0, NULL, NULL))
			return true;
	return false;
}

static bool gave_up(const struct tfprof_view *view)
{
	for (int i = 0; i < TFPROF_N_LISTS; i++)
		for (size_t k = 0; k < view->pattern[i].at.len; k++)
			if (pattern_gave_up(view->pattern[i].at.at[k]))
				return true;
	return false;
}

/* How many patterns of account_type one of the node's types matches; 1 for all of them. */
static uint16_t picks_of(const struct tfprof_view *view, uint32_t node)
{
	const struct tfprof_patterns *patterns = &view->pattern[TFPROF_ACCOUNT_TYPE];
	const struct tfprof_node *n = &view->tfprof->nodes.at[node];
	uint16_t picks = patterns->all;

	for (size_t i = 0; i < patterns->at.len; i++)
		for (uint32_t k = 0; k < n->n_types; k++) {
			const char *type = tfprof_text(view->tfprof,
			                               view->tfprof->types.at[n->first_type + k]);

			if (pattern_hits(patterns->at.at[i], type, strlen(type), 0, NULL, NULL)) {
				picks += picks < UINT16_MAX;
				break;
			}
		}
	return picks;
}

/* Rows. */

const char *tfprof_view_name(const struct tfprof_view *view, uint32_t row)
{
	if (view->kind != TFPROF_OP)
		return tfprof_row_name(view->tree, row);
	return row ? tfprof_text(view->tfprof, view->ops.at[row].text) : TFPROF_ROOT_NAME;
}

const uint32_t *tfprof_view_nodes(const struct tfprof_view *view, uint32_t row, size_t *n)
{
	const struct tfprof_line *line;

	if (view->kind == TFPROF_OP) {
		*n = row ? view->ops.at[row].n : 0;
		return view->nodes + (row ? view->ops.at[row].first : 0);
	}
	line = tfprof_row_line(view->tree, row);
	*n = line ? line->n_nodes : 0;
	return line ? view->tree->nodes.at + line->first_node : NULL;
}

size_t tfprof_view_counted(const struct tfprof_view *view, uint32_t row)
{
	size_t n, counted = 0;
	const uint32_t *nodes = tfprof_view_nodes(view, row, &n);

	for (size_t i = 0; i < n; i++)
		counted += view->picks[nodes[i]] > 0;
	return counted;
}

int64_t tfprof_view_own(const struct tfprof_view *view, uint32_t row, enum tfprof_figure figure)
{
	uint32_t node;

	if (view->kind == TFPROF_CODE || view->kind == TFPROF_OP)
		return view->own[figure] ? view->own[figure][row] : 0;
	node = tfprof_row_node(view->tree, row);
	if (node != TFPROF_NONE)
		return tfprof_own(view->tfprof, node, view->options.number[TFPROF_STEP], figure);
	return figure == TFPROF_DEFINITIONS;
}

int64_t tfprof_view_total(const struct tfprof_view *view, uint32_t row, enum tfprof_figure figure)
{
	return view->total[figure] ? view->total[figure][row] : 0;
}

/* Makes room for a figure that is shown, compared or ordered by. */
static void need(struct tfprof_view *view, enum tfprof_figure figure)
{
	bool sums = view->kind == TFPROF_CODE || view->kind == TFPROF_OP;

	if (view->total[figure])
		return;
	view->total[figure] = mem_alloc((view->n + 1) * sizeof *view->total[figure]);
	if (sums)
		view->own[figure] = mem_alloc((view->n + 1) * sizeof *view->own[figure]);
}

/* A minimum of 0 never hides means over steps: no run had those numbers. */
static void find_negative(struct tfprof_view *view, enum tfprof_figure figure)
{
	const struct tfprof *tfprof = view->tfprof;
	bool is_mean = view->options.number[TFPROF_STEP] < 0 && tfprof->steps.len > 1;

	view->hides_negative[figure] = !is_mean && tfprof_has_negative(tfprof, figure);
}

static void need_figures(struct tfprof_view *view)
{
	const struct tfprof_options *options = &view->options;

	for (int i = 0; i < N_ORDERS; i++) {
		enum tfprof_figure figure = figures[i].figure;
		bool selected = false;

		for (size_t k = 0; k < options->select.n; k++)
			selected |= !strcmp(options->select.at[k], figures[i].name);
		find_negative(view, figure);
		if (selected || options->number[figures[i].least] || view->hides_negative[figure]
		    || !strcmp(options->order_by, figures[i].name))
			need(view, figure);
	}
	if (tfprof_selected(options, ITEM_MICROS)) {
		need(view, TFPROF_ACCELERATOR);
		need(view, TFPROF_CPU);
	}
	if (options->output == TFPROF_TIMELINE)
		need(view, TFPROF_MICROS);
	if (tfprof_selected(options, ITEM_OCCURRENCE)) {
		need(view, TFPROF_RUNS);
		need(view, TFPROF_DEFINITIONS);
	}
}

static void sum_nodes(struct tfprof_view *view, uint32_t row, int64_t step)
{
	size_t n;
	const uint32_t *nodes = tfprof_view_nodes(view, row, &n);
	bool any = view->pattern[TFPROF_ACCOUNT_TYPE].all;

	for (size_t i = 0; i < n; i++) {
		uint16_t picks = view->picks[nodes[i]];

		any |= picks > 0;
		for (int f = 0; f < TFPROF_N_FIGURES && picks; f++)
			for (uint16_t k = 0; k < picks && view->own[f]; k++)
				view->own[f][row] = tfprof_add(view->own[f][row],
				                               tfprof_own(view->tfprof, nodes[i],
				                                          step,
				                                          (enum tfprof_figure)f));
		for (uint16_t k = 0; k < picks; k++)
			view->n_incomplete += tfprof_shape_incomplete(view->tfprof, nodes[i]);
	}
	view->accounted[row] = any;
}

/* Fills in what the rows have of their own: view->own, accounted. */
static void sum_rows(struct tfprof_view *view)
{
	int64_t step = view->options.number[TFPROF_STEP];

	for (uint32_t row = 1; row < view->n; row++) {
		uint32_t node;

		if (view->kind == TFPROF_CODE || view->kind == TFPROF_OP) {
			sum_nodes(view, row, step);
			continue;
		}
		node = tfprof_row_node(view->tree, row);
		if (node != TFPROF_NONE) {
			view->accounted[row] = picks_of(view, node) > 0;
			view->n_incomplete += tfprof_shape_incomplete(view->tfprof, node);
		} else {
			view->accounted[row] = tfprof_matches(&view->pattern[TFPROF_ACCOUNT_TYPE],
			                                      "_kTFScopeParent");
		}
	}
}

/* Choosing rows. */

/*
 * Trees of nodes compare a node's own parameters, float operations and runs; other views compare
 * totals, the op view also the number of nodes.
 */
bool tfprof_passes(const struct tfprof_view *view, uint32_t row, const char *name)
{
	const struct tfprof_options *options = &view->options;
	bool of_nodes = view->kind == TFPROF_SCOPE || view->kind == TFPROF_GRAPH;
	int64_t least = options->number[TFPROF_MIN_OCCURRENCE];

	for (int i = 0; i < N_ORDERS; i++) {
		enum tfprof_figure figure = figures[i].figure;
		bool own = of_nodes && (figure == TFPROF_PARAMS || figure == TFPROF_FLOAT_OPS);

		if (!options->number[figures[i].least] && !view->hides_negative[figure])
			continue;
		if ((own ? tfprof_view_own(view, row, figure)
		         : tfprof_view_total(view, row, figure)) <
		    options->number[figures[i].least])
			return false;
	}
	if (least && of_nodes && tfprof_view_own(view, row, TFPROF_RUNS) < least)
		return false;
	if (least && view->kind == TFPROF_OP && tfprof_view_counted(view, row) < (uint64_t)least)
		return false;            /* without a sign, as tfprof: below 0 no row is left */
	if (!tfprof_matches(&view->pattern[TFPROF_SHOW_NAME], name))
		return false;
	return !view->pattern[TFPROF_HIDE_NAME].all &&
	       !tfprof_matches(&view->pattern[TFPROF_HIDE_NAME], name);
}

struct ordering {
	const struct tfprof_view *view;
	const int64_t *key;              /* descending; NULL: by name */
};

static bool less(const void *context, uint32_t a, uint32_t b)
{
	const struct ordering *order = context;

	if (order->key)
		return order->key[a] > order->key[b];
	return strcmp(tfprof_view_name(order->view, a), tfprof_view_name(order->view, b)) < 0;
}

static bool more_nodes(const void *context, uint32_t a, uint32_t b)
{
	const struct ordering *order = context;

	return tfprof_view_counted(order->view, a) > tfprof_view_counted(order->view, b);
}

void tfprof_sort(const struct tfprof_view *view, uint32_t *rows, size_t n)
{
	struct ordering order = { .view = view };
	const char *by = view->options.order_by;
	bool of_nodes = view->kind == TFPROF_SCOPE || view->kind == TFPROF_GRAPH;

	for (int i = 0; i < N_ORDERS; i++)
		if (!strcmp(by, figures[i].name))
			order.key = view->total[figures[i].figure];
	std_sort(rows, n, !of_nodes && !strcmp(by, "occurrence") ? more_nodes : less, &order);
}

/* The op view's rows: op types by name, each with its nodes. */

static int by_op(const void *a, const void *b, void *context)
{
	const struct tfprof *t = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return strcmp(tfprof_text(t, x), tfprof_text(t, y));
}

/* The number of each op, once; for ops that are texts of their own, the number of nodes. */
static size_t count_ops(const struct tfprof *t, uint32_t *count, uint32_t *ops)
{
	size_t n_ops = 0;

	for (size_t n = 0; n < t->nodes.len; n++) {
		uint32_t op = t->nodes.at[n].op;

		if (op & TFPROF_OWN_NAME || !count[op]++)
			ops[n_ops++] = op;
	}
	return n_ops;
}

static void list_ops(struct tfprof_view *view)
{
	struct tfprof *t = view->tfprof;
	uint32_t *count = mem_alloc((t->texts.len + 1) * sizeof *count);
	uint32_t *ops = mem_alloc((t->nodes.len + 1) * sizeof *ops);
	size_t n_ops = count_ops(t, count, ops), first = 0;

	qsort_r(ops, n_ops, sizeof *ops, by_op, t);
	view->nodes = mem_alloc((t->nodes.len + 1) * sizeof *view->nodes);
	vec_add(&view->ops);
	for (size_t i = 0; i < n_ops; i++) {
		bool own_name = ops[i] & TFPROF_OWN_NAME;

		vec_push(&view->ops, ((struct tfprof_op){ ops[i], (uint32_t)first, own_name }));
		if (own_name) {
			view->nodes[first++] = ops[i] & ~TFPROF_OWN_NAME;
		} else {
			first += count[ops[i]];
			count[ops[i]] = (uint32_t)i + 1;         /* from here on: the row */
		}
	}
	for (size_t n = 0; n < t->nodes.len; n++) {
		struct tfprof_op *op;

		if (t->nodes.at[n].op & TFPROF_OWN_NAME)
			continue;
		op = &view->ops.at[count[t->nodes.at[n].op]];
		view->nodes[op->first + op->n++] = (uint32_t)n;
	}
	view->n = view->ops.len;
	free(count);
	free(ops);
}

static void pick_nodes(struct tfprof_view *view)
{
	view->picks = mem_alloc((view->tfprof->nodes.len + 1) * sizeof *view->picks);
	for (uint32_t n = 0; n < view->tfprof->nodes.len; n++)
		view->picks[n] = picks_of(view, n);
}

static void make_rows(struct tfprof_view *view)
{
	if (view->kind == TFPROF_OP) {
		list_ops(view);
	} else {
		view->tree = tfprof_tree_new(view->tfprof, view->kind);
		view->n = view->tree->n;
	}
	if (view->kind == TFPROF_OP || view->kind == TFPROF_CODE)
		pick_nodes(view);
	view->accounted = mem_alloc(view->n + 1);
	view->kept = mem_alloc(view->n + 1);
	need_figures(view);
}

struct tfprof_view *tfprof_view_new(struct tfprof *tfprof, enum tfprof_kind kind,
                                    const struct tfprof_options *options, struct progress *progress,
                                    struct err *err)
{
	struct tfprof_view *view = mem_alloc(sizeof *view);

	view->tfprof = tfprof;
	view->kind = kind;
	tfprof_options_copy(&view->options, options, &view->mem);
	if (!make_patterns(view, err))
		goto fail;
	make_rows(view);
	sum_rows(view);
	if (kind == TFPROF_OP)
		tfprof_show_ops(view);
	else
		tfprof_show_tree(view);
	if (gave_up(view)) {
		err_fill(err, ERR_LIMIT, "command", 0,
		         "a pattern takes too many steps on some name");
		goto fail;
	}
	if (progress_cancelled(progress)) {
		err_fill(err, ERR_CANCELLED, "command", 0, "cancelled");
		goto fail;
	}
	return view;
fail:
	tfprof_view_free(view);
	return NULL;
}

void tfprof_view_free(struct tfprof_view *view)
{
	if (!view)
		return;
	for (int i = 0; i < TFPROF_N_LISTS; i++) {
		for (size_t k = 0; k < view->pattern[i].at.len; k++)
			pattern_free(view->pattern[i].at.at[k]);
		vec_release(&view->pattern[i].at);
	}
	for (int f = 0; f < TFPROF_N_FIGURES; f++) {
		free(view->total[f]);
		free(view->own[f]);
	}
	tfprof_tree_free(view->tree);
	vec_release(&view->ops);
	vec_release(&view->shown);
	free(view->nodes);
	free(view->accounted);
	free(view->kept);
	free(view->picks);
	arena_release(&view->mem);
	free(view);
}
