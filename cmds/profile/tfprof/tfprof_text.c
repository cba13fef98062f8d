/*
 * Items have one order in trees of nodes, another where a row stands for several nodes; the heading
 * and the rows both use these tables.
 */
#include "cmds/profile/tfprof/tfprof_text.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/lang/std_sort.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"

enum { VALUE_COLUMNS = 30, NAME_COLUMNS = 25, RUNS_COLUMNS = 10 };

static const enum tfprof_item node_items[] = {
	ITEM_PARAMS, ITEM_FLOAT_OPS, ITEM_BYTES, ITEM_PEAK, ITEM_RESIDUAL,
	ITEM_OUTPUT, ITEM_MICROS, ITEM_ACCELERATOR, ITEM_CPU, ITEM_DEVICE,
	ITEM_OP_TYPES, ITEM_OCCURRENCE, ITEM_INPUT_SHAPES,
};
static const enum tfprof_item multi_items[] = {
	ITEM_BYTES, ITEM_PEAK, ITEM_RESIDUAL, ITEM_OUTPUT, ITEM_MICROS,
	ITEM_ACCELERATOR, ITEM_CPU, ITEM_PARAMS, ITEM_FLOAT_OPS, ITEM_DEVICE,
	ITEM_OP_TYPES, ITEM_OCCURRENCE, ITEM_INPUT_SHAPES,
};
enum { N_SHOWN_ITEMS = sizeof node_items / sizeof *node_items };

/* Items that are figures; MICROS stands for three. */
static const struct {
	const char *heading, *sentence;
	int figure;
} items[TFPROF_N_ITEMS] = {
	[ITEM_BYTES] = { "requested bytes",
	                 "requested bytes: The memory requested by the operation, accumulatively.",
	                 TFPROF_BYTES },
	[ITEM_PEAK] = { "peak bytes",
	                "peak bytes: The peak amount of memory that the operation is holding at "
	                "some point.",
	                TFPROF_PEAK },
	[ITEM_RESIDUAL] = { "residual bytes",
	                    "residual bytes: The memory not de-allocated after the operation "
	                    "finishes.",
	                    TFPROF_RESIDUAL },
	[ITEM_OUTPUT] = { "output bytes",
	                  "output bytes: The memory that is output from the operation (not "
	                  "necessarilty allocated by the operation)",
	                  TFPROF_OUTPUT },
	[ITEM_MICROS] = { "total execution time",
	                  "total execution time: Sum of accelerator execution time and cpu "
	                  "execution time.",
	                  TFPROF_MICROS },
	[ITEM_ACCELERATOR] = { "accelerator execution time",
	                       "accelerator execution time: Time spent executing on the "
	                       "accelerator. This is normally measured by the actual hardware "
	                       "library.",
	                       TFPROF_ACCELERATOR },
	[ITEM_CPU] = { "cpu execution time",
	               "cpu execution time: The time from the start to the end of the operation. "
	               "It's the sum of actual cpu run time plus the time that it spends waiting "
	               "if part of computation is launched asynchronously.",
	               TFPROF_CPU },
	[ITEM_PARAMS] = { "# parameters", "param: Number of parameters (in the Variable).",
	                  TFPROF_PARAMS },
	[ITEM_FLOAT_OPS] = { "# float_ops",
	                     "flops: Number of float operations. Note: Please read the "
	                     "implementation for the math behind it.",
	                     TFPROF_FLOAT_OPS },
	[ITEM_OCCURRENCE] = { "op count (run|defined)", "occurrence: The number of times it occurs",
	                      -1 },
	[ITEM_INPUT_SHAPES] = { "input shapes", "input shape: The shape of input tensors", -1 },
	[ITEM_DEVICE] = { "assigned devices", "device: which device is placed on.", -1 },
	[ITEM_OP_TYPES] = { "op types",
	                    "op_types: The attributes of the operation, includes the Kernel name "
	                    "device placed on and user-defined strings.",
	                    -1 },
	[ITEM_TENSOR_VALUE] = { NULL, "tensor_value: Not supported now.", -1 },
};

static bool of_nodes(const struct tfprof_view *view)
{
	return view->kind == TFPROF_SCOPE || view->kind == TFPROF_GRAPH;
}

/* Selecting micros also selects the two other times. */
static bool is_shown(const struct tfprof_view *view, enum tfprof_item item)
{
	return tfprof_selected(&view->options, item) ||
	       ((item == ITEM_ACCELERATOR || item == ITEM_CPU) &&
	        tfprof_selected(&view->options, ITEM_MICROS));
}

/* Numbers. */

static void put_scaled(struct str *out, int64_t n, int64_t unit, const char *suffix)
{
	str_fmt(out, "%.2f%s", (double)n / (double)unit, suffix);
}

void put_tfprof_count(struct str *out, int64_t n)
{
	if (n < 1000)
		str_fmt(out, "%lld", (long long)n);
	else if (n < 1000000)
		put_scaled(out, n, 1000, "k");
	else if (n < 1000000000)
		put_scaled(out, n, 1000000, "m");
	else
		put_scaled(out, n, 1000000000, "b");
}

void put_tfprof_time(struct str *out, int64_t us)
{
	if (us < 1000)
		str_fmt(out, "%lldus", (long long)us);
	else if (us < 1000000)
		put_scaled(out, us, 1000, "ms");
	else
		put_scaled(out, us, 1000000, "sec");
}

void put_tfprof_bytes(struct str *out, int64_t bytes)
{
	if (bytes < 1000)
		str_fmt(out, "%lldB", (long long)bytes);
	else if (bytes < 1000000)
		put_scaled(out, bytes, 1000, "KB");
	else
		put_scaled(out, bytes, 1000000, "MB");
}

static void put_value(struct str *out, enum tfprof_figure figure, int64_t n)
{
	if (figure <= TFPROF_OUTPUT)
		put_tfprof_bytes(out, n);
	else if (figure <= TFPROF_CPU)
		put_tfprof_time(out, n);
	else
		put_tfprof_count(out, n);
}

/* The head. */

static void put_sentence(struct str *out, const char *select)
{
	for (int item = 0; item < TFPROF_N_ITEMS; item++) {
		if (strcmp(select, tfprof_item_names[item]))
			continue;
		str_fmt(out, "%s\n", items[item].sentence);
		if (item == ITEM_MICROS)
			str_fmt(out, "%s\n%s\n", items[ITEM_CPU].sentence,
			        items[ITEM_ACCELERATOR].sentence);
		return;
	}
	str_fmt(out, "Unknown select: %s\n", select);
}

static void put_heading(const struct tfprof_view *view, struct str *out)
{
	const enum tfprof_item *order = of_nodes(view) ? node_items : multi_items;
	const char *between = "";

	str_puts(out, "node name | ");
	for (int i = 0; i < N_SHOWN_ITEMS; i++) {
		bool is_op_runs = order[i] == ITEM_OCCURRENCE && !of_nodes(view);

		if (!is_shown(view, order[i]))
			continue;
		str_fmt(out, "%s%s", between,
		        is_op_runs ? "op occurrence (run|defined)" : items[order[i]].heading);
		between = " | ";
	}
	str_putc(out, '\n');
}

void put_tfprof_head(const struct tfprof_view *view, struct str *out)
{
	static const char *const sentences[] = {
		[TFPROF_SCOPE] =
			"scope: The nodes in the model graph are organized by their names, which "
			"is hierarchical like filesystem.",
		[TFPROF_GRAPH] =
			"scope: The nodes in the model graph are organized by their names, which "
			"is hierarchical like filesystem.",
		[TFPROF_CODE] =
			"code: When python trace is available, the nodes are python lines and "
			"their are organized by the python call stack.",
		[TFPROF_OP] =
			"op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph "
			"nodes belonging to the same type are aggregated together.",
	};

	if (view->tfprof->misses_stream)
		str_puts(out, "\n\nFound accelerator operation but misses accelerator stream "
		         "stats!\n\nIt's likely a gpu tracing issue rather than tf-profiler "
		         "issue.\nIf you found your operation missing accelerator time, consider "
		         "filing a bug to xprof-dev@!\n\n");
	str_fmt(out, "\nDoc:\n%s\n", sentences[view->kind]);
	for (size_t i = 0; i < view->options.select.n; i++)
		put_sentence(out, view->options.select.at[i]);
	str_puts(out, "\nProfile:\n");
	put_heading(view, out);
}

/* Rows of trees. */

static const char *shape_text(const struct tfprof *tfprof, uint32_t shape)
{
	return tfprof->shape_texts.key[shape];
}

/* "0:32x64" */
static void put_input(const struct tfprof *tfprof, const struct tfprof_node *node, uint32_t i,
                      struct str *out)
{
	uint32_t shape = tfprof_input_shape(tfprof, node, i);

	str_fmt(out, "%d:%s", (int)tfprof->inputs.at[node->first_input + i].index,
	        shape ? shape_text(tfprof, shape) : "unknown");
}

static void put_types(const struct tfprof *tfprof, const struct tfprof_node *node, struct str *out)
{
	for (uint32_t i = 0; i < node->n_types; i++)
		str_fmt(out, "%s%s", i ? "|" : "",
		        tfprof_text(tfprof, tfprof->types.at[node->first_type + i]));
}

/* "OWN/TOTAL"; "--" if a row has no figure of its own. */
static void put_own_and_total(const struct tfprof_view *view, uint32_t row,
                              enum tfprof_figure figure, struct str *out)
{
	if (view->accounted[row])
		put_value(out, figure, tfprof_view_own(view, row, figure));
	else
		str_puts(out, "--");
	str_putc(out, '/');
	put_value(out, figure, tfprof_view_total(view, row, figure));
}

static void put_runs(const struct tfprof_view *view, uint32_t row, struct str *out)
{
	put_own_and_total(view, row, TFPROF_RUNS, out);
	str_puts(out, view->accounted[row] ? "|1/" : "|--/");
	put_tfprof_count(out, tfprof_view_total(view, row, TFPROF_DEFINITIONS));
}

static void put_params(const struct tfprof_view *view, uint32_t row, const struct tfprof_node *node,
                       struct str *out)
{
	if (node && node->shape)
		str_fmt(out, "%s, ", shape_text(view->tfprof, node->shape));
	put_own_and_total(view, row, TFPROF_PARAMS, out);
	str_puts(out, " params");
}

/* An item of a node's row; false: the row has nothing to say. */
static bool put_node_item(const struct tfprof_view *view, uint32_t row, enum tfprof_item item,
                          struct str *out)
{
	const struct tfprof *t = view->tfprof;
	uint32_t id = tfprof_row_node(view->tree, row);
	const struct tfprof_node *node = id == TFPROF_NONE ? NULL : &t->nodes.at[id];

	switch (item) {
	case ITEM_PARAMS:
		put_params(view, row, node, out);
		return true;
	case ITEM_FLOAT_OPS:
		put_own_and_total(view, row, TFPROF_FLOAT_OPS, out);
		str_puts(out, " flops");
		return true;
	case ITEM_DEVICE:
		if (node && node->device != TFPROF_NONE)
			str_puts(out, tfprof_text(t, node->device));
		return node && node->device != TFPROF_NONE;
	case ITEM_OP_TYPES:
		if (node)
			put_types(t, node, out);
		else
			str_puts(out,
			         view->kind == TFPROF_GRAPH ? "_TFGraphParent" : "_kTFScopeParent");
		return true;
	case ITEM_OCCURRENCE:
		put_runs(view, row, out);
		return true;
	case ITEM_INPUT_SHAPES:
		for (uint32_t i = 0; node && i < node->n_inputs; i++) {
			str_puts(out, i ? "|" : "");
			put_input(t, node, i, out);
		}
		return true;
	default:
		put_own_and_total(view, row, (enum tfprof_figure)items[item].figure, out);
		return true;
	}
}

/* Rows of several nodes. */

typedef VEC(const char *) text_list;

/* Texts, each once, sorted, with | between them. */
static void put_texts(text_list *texts, struct str *out)
{
	texts->len = texts_sort_once(texts->at, texts->len);
	for (size_t i = 0; i < texts->len; i++)
		str_fmt(out, "%s%s", i ? "|" : "", texts->at[i]);
	vec_release(texts);
}

/* Devices or op types of the nodes that count. False: there are no such nodes. */
static bool put_of_nodes(const struct tfprof_view *view, uint32_t row, bool devices,
                         struct str *out)
{
	const struct tfprof *t = view->tfprof;
	text_list texts = {0};
	size_t n;
	const uint32_t *nodes = tfprof_view_nodes(view, row, &n);
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct tfprof_node *node = &t->nodes.at[nodes[i]];

		if (!view->picks[nodes[i]])
			continue;
		any = true;
		if (devices)
			vec_push(&texts, tfprof_text(t, node->device));
		for (uint32_t k = 0; !devices && k < node->n_types; k++)
			vec_push(&texts, tfprof_text(t, t->types.at[node->first_type + k]));
	}
	put_texts(&texts, out);
	return any;
}

static bool put_code_item(const struct tfprof_view *view, uint32_t row, enum tfprof_item item,
                          struct str *out)
{
	switch (item) {
	case ITEM_PARAMS:
		put_own_and_total(view, row, TFPROF_PARAMS, out);
		str_puts(out, " params");
		return true;
	case ITEM_FLOAT_OPS:
		put_own_and_total(view, row, TFPROF_FLOAT_OPS, out);
		str_puts(out, " flops");
		return true;
	case ITEM_DEVICE:
		return put_of_nodes(view, row, true, out);
	case ITEM_OP_TYPES:
		put_of_nodes(view, row, false, out);
		return true;
	case ITEM_OCCURRENCE:
	case ITEM_INPUT_SHAPES:
		str_fmt(out, "%s N/A in code view", tfprof_item_names[item]);
		return true;
	default:
		put_own_and_total(view, row, (enum tfprof_figure)items[item].figure, out);
		return true;
	}
}

/* Right-aligns the text put after `begin`. */
static void align_right(struct str *out, size_t begin, size_t columns)
{
	size_t len = out->len - begin;

	if (len >= columns)
		return;
	str_fill(out, ' ', columns - len);
	memmove(out->text + begin + (columns - len), out->text + begin, len);
	memset(out->text + begin, ' ', columns - len);
}

/* "VALUE (accumulated %, own %)" of the root's total. */
static void put_share(const struct tfprof_view *view, uint32_t row, enum tfprof_figure figure,
                      const char *unit, struct str *out)
{
	int64_t own = tfprof_view_own(view, row, figure);
	int64_t total = tfprof_view_total(view, row, figure);
	double all = (double)tfprof_view_total(view, 0, figure), share = 0, own_share = 0;
	size_t begin = out->len;

	if ((figure <= TFPROF_OUTPUT ? own : total) > 0) {
		share = 100.0 * (double)total / all;
		own_share = 100.0 * (double)own / all;
	}
	put_value(out, figure, own);
	str_fmt(out, "%s (%.2f%%, %.2f%%)", unit, share, own_share);
	align_right(out, begin, VALUE_COLUMNS);
}

static void put_op_runs(const struct tfprof_view *view, uint32_t row, struct str *out)
{
	size_t n, begin = out->len, counted = 0;
	const uint32_t *nodes = tfprof_view_nodes(view, row, &n);
	int64_t runs = 0;

	for (size_t i = 0; i < n; i++)
		if (view->picks[nodes[i]]) {
			runs = tfprof_add(runs, tfprof_own(view->tfprof, nodes[i],
			                                   view->options.number[TFPROF_STEP],
			                                   TFPROF_RUNS));
			counted++;
		}
	str_fmt(out, "%lld|%zu", (long long)runs, counted);
	align_right(out, begin, RUNS_COLUMNS);
}

static bool put_op_item(const struct tfprof_view *view, uint32_t row, enum tfprof_item item,
                        struct str *out)
{
	switch (item) {
	case ITEM_PARAMS:
		put_share(view, row, TFPROF_PARAMS, " params", out);
		return true;
	case ITEM_FLOAT_OPS:
		put_share(view, row, TFPROF_FLOAT_OPS, " float_ops", out);
		return true;
	case ITEM_DEVICE:
	case ITEM_OP_TYPES:
		put_of_nodes(view, row, item == ITEM_DEVICE, out);
		return true;
	case ITEM_OCCURRENCE:
		put_op_runs(view, row, out);
		return true;
	case ITEM_INPUT_SHAPES:
		return false;
	default:
		put_share(view, row, (enum tfprof_figure)items[item].figure, "", out);
		return true;
	}
}

/* Signatures of inputs below a row of the op view. */

struct signature {
	int64_t runs, defined, us;
};
struct signatures {
	struct arena mem;
	struct map texts;
	VEC(struct signature) at;
};

static void add_signature(const struct tfprof_view *view, uint32_t id, struct str *text,
                          struct signatures *all)
{
	const struct tfprof *t = view->tfprof;
	const struct tfprof_node *node = &t->nodes.at[id];
	int64_t step = view->options.number[TFPROF_STEP];
	struct signature *signature;
	uint32_t at;

	str_reset(text);
	for (uint32_t i = 0; i < node->n_inputs; i++) {
		str_puts(text, i ? ",\t" : "");
		put_input(t, node, i, text);
	}
	at = map_add(&all->texts, &all->mem, str_text(text), text->len);
	if (at == all->at.len)
		vec_add(&all->at);
	signature = &all->at.at[at];
	signature->runs = tfprof_add(signature->runs, tfprof_own(t, id, step, TFPROF_RUNS));
	signature->us = tfprof_add(signature->us, tfprof_own(t, id, step, TFPROF_MICROS));
	signature->defined++;
}

static bool runs_more(const void *context, uint32_t a, uint32_t b)
{
	const struct signatures *all = context;

	return all->at.at[a].runs > all->at.at[b].runs;
}

static int by_signature(const void *a, const void *b, void *context)
{
	const struct signatures *all = context;

	return strcmp(all->texts.key[*(const uint32_t *)a], all->texts.key[*(const uint32_t *)b]);
}

static void put_signatures(const struct signatures *all, struct str *out)
{
	uint32_t *order = mem_alloc(all->at.len * sizeof *order);

	for (uint32_t i = 0; i < all->at.len; i++)
		order[i] = i;
	qsort_r(order, all->at.len, sizeof *order, by_signature, (void *)all);
	std_sort(order, all->at.len, runs_more, all);
	str_putc(out, '\n');
	for (size_t i = 0; i < all->at.len; i++) {
		const struct signature *s = &all->at.at[order[i]];

		str_fmt(out, "input_type: %s\t(run*%lld|defined*%lld)\texec_time: ",
		        all->texts.key[order[i]], (long long)s->runs, (long long)s->defined);
		put_tfprof_time(out, s->us);
		str_putc(out, '\n');
	}
	str_putc(out, '\n');
	free(order);
}

static void put_op_inputs(const struct tfprof_view *view, uint32_t row, struct str *out)
{
	struct signatures all = {0};
	struct str text = {0};
	size_t n;
	const uint32_t *nodes = tfprof_view_nodes(view, row, &n);

	for (size_t i = 0; i < n; i++)
		if (view->picks[nodes[i]])
			add_signature(view, nodes[i], &text, &all);
	if (all.at.len)
		put_signatures(&all, out);
	str_release(&text);
	vec_release(&all.at);
	map_release(&all.texts);
	arena_release(&all.mem);
}

static bool put_item(const struct tfprof_view *view, uint32_t row, enum tfprof_item item,
                     struct str *out)
{
	if (of_nodes(view))
		return put_node_item(view, row, item, out);
	return view->kind == TFPROF_CODE ? put_code_item(view, row, item, out)
	                                 : put_op_item(view, row, item, out);
}

void put_tfprof_row(const struct tfprof_view *view, size_t i, struct str *out)
{
	const struct tfprof_shown *shown = &view->shown.at[i];
	const enum tfprof_item *order = of_nodes(view) ? node_items : multi_items;
	const char *name = tfprof_view_name(view, shown->row);
	bool is_op = view->kind == TFPROF_OP, first = true;

	if (is_op) {
		str_puts(out, name);
		if (strlen(name) < NAME_COLUMNS)
			str_fill(out, ' ', NAME_COLUMNS - strlen(name));
	} else {
		str_fill(out, ' ', 2 * (size_t)shown->level);
		str_fmt(out, "%s (", name);
	}
	for (int k = 0; k < N_SHOWN_ITEMS; k++) {
		size_t begin = out->len;

		if (!is_shown(view, order[k]))
			continue;
		str_puts(out, first ? "" : ", ");
		if (put_item(view, shown->row, order[k], out))
			first = false;
		else
			str_cut(out, begin);
	}
	str_puts(out, is_op ? "\n" : ")\n");
	if (is_op && is_shown(view, ITEM_INPUT_SHAPES))
		put_op_inputs(view, shown->row, out);
}

/* Typed. */

static void put_figure_data(const struct tfprof_view *view, uint32_t row, enum tfprof_item item,
                            struct data *data)
{
	enum tfprof_figure figure = (enum tfprof_figure)items[item].figure;
	struct str key = {0};

	data_key(data, tfprof_item_names[item]);
	if (view->accounted[row])
		data_int(data, tfprof_view_own(view, row, figure));
	else
		data_null(data);
	str_fmt(&key, "total_%s", tfprof_item_names[item]);
	data_key(data, key.text);
	data_int(data, tfprof_view_total(view, row, figure));
	str_release(&key);
}

static void put_runs_data(const struct tfprof_view *view, uint32_t row, struct data *data)
{
	bool own = view->accounted[row];

	data_key(data, "runs");
	own ? data_int(data, tfprof_view_own(view, row, TFPROF_RUNS)) : data_null(data);
	data_key(data, "total_runs");
	data_int(data, tfprof_view_total(view, row, TFPROF_RUNS));
	data_key(data, "definitions");
	data_uint(data, of_nodes(view) ? 1 : tfprof_view_counted(view, row));
	data_key(data, "total_definitions");
	data_int(data, tfprof_view_total(view, row, TFPROF_DEFINITIONS));
}

/* An item that is no number: as text; null where the row has nothing to say. */
static void put_text_data(const struct tfprof_view *view, uint32_t row, enum tfprof_item item,
                          struct data *data)
{
	struct str text = {0};
	bool says = !(view->kind == TFPROF_CODE && item == ITEM_INPUT_SHAPES) &&
	            put_item(view, row, item, &text);

	data_key(data, tfprof_item_names[item]);
	if (says)
		data_text(data, str_text(&text), text.len);
	else
		data_null(data);
	str_release(&text);
}

static void put_row_data(const struct tfprof_view *view, const struct tfprof_shown *shown,
                         struct data *data)
{
	const enum tfprof_item *order = of_nodes(view) ? node_items : multi_items;

	data_object(data);
	data_key(data, "name");
	data_str(data, tfprof_view_name(view, shown->row));
	data_key(data, "level");
	data_uint(data, shown->level);
	for (int k = 0; k < N_SHOWN_ITEMS; k++) {
		if (!is_shown(view, order[k]))
			continue;
		if (items[order[k]].figure >= 0)
			put_figure_data(view, shown->row, order[k], data);
		else if (order[k] == ITEM_OCCURRENCE)
			put_runs_data(view, shown->row, data);
		else
			put_text_data(view, shown->row, order[k], data);
	}
	data_end(data);
}

void put_tfprof_data(const struct tfprof_view *view, struct data *data)
{
	data_list(data);
	for (size_t i = 0; i < view->shown.len; i++)
		put_row_data(view, &view->shown.at[i], data);
	data_end(data);
}
