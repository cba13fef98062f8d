/*
 * The table that compares two runs. A row is a position in the pairs; its cells are made from the
 * pair when they are asked for.
 */
#include "cmds/runs/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/doc/table.h"
#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/session/dumps.h"
#include "dump/base/mem.h"

enum { GAP = 2 };

/* Figures. */

void put_max_abs(struct str *out, const struct compared *c)
{
	if (c->whole)
		str_fmt(out, "%" PRIu64, c->max_whole);
	else
		put_short(out, c->max_abs);
}

void elem_index_of(struct elem_index *index, uint64_t number, uint32_t rank, const int64_t *dim)
{
	index->rank = rank;
	for (uint32_t d = rank; d-- > 0; number /= (uint64_t)dim[d])
		index->at[d] = (int64_t)(number % (uint64_t)dim[d]);
}

void put_elem_index(struct str *out, const struct elem_index *index)
{
	str_putc(out, '[');
	for (uint32_t d = 0; d < index->rank; d++)
		str_fmt(out, d ? ",%" PRId64 : "%" PRId64, index->at[d]);
	str_putc(out, ']');
}

struct figures {
	const struct compared *compared;         /* may be NULL */
	const struct elem_index *first;          /* that differs */
};

static void get_first(struct cell *cell, const struct figures *f)
{
	if (!cell_has(cell, f->compared && f->compared->n_diff))
		return;
	put_elem_index(&cell->text, f->first);
	if (cell->data)
		data_ints(cell->data, f->first->at, f->first->rank);
}

static void get_max_abs(struct cell *cell, const struct compared *c)
{
	if (!cell_has(cell, c && c->measured))
		return;
	cell->number = c->max_abs;
	put_max_abs(&cell->text, c);
	if (cell->data && c->whole)
		data_uint(cell->data, c->max_whole);
	else if (cell->data)
		data_float(cell->data, c->max_abs, 64);
}

static void get_max_rel(struct cell *cell, const struct compared *c)
{
	if (!cell_has(cell, c && c->measured))
		return;
	cell->number = c->max_rel;
	put_short(&cell->text, c->max_rel);
}

static void get_max_ulps(struct cell *cell, const struct compared *c)
{
	if (!cell_has(cell, c && c->measured && c->has_ulps))
		return;
	cell->number = (double)c->max_ulps;
	str_fmt(&cell->text, "%" PRIu64, c->max_ulps);
	if (cell->data)
		data_uint(cell->data, c->max_ulps);
}

/* Rows. */

static const struct diff_pair *pair_at(const struct diff_list *list, uint64_t row)
{
	return &list->diff->pairs.at[list->rows.at[row]];
}

/* The run whose tensor stands for the pair. */
static const struct run *run_of(const struct diff_list *list, const struct diff_pair *pair)
{
	return pair->now != DIFF_NONE ? list->diff->now : list->diff->before;
}

static const struct tensor *tensor_of(const struct run_diff *diff, const struct diff_pair *pair)
{
	return pair->now != DIFF_NONE ? &diff->now->tensors.at[pair->now]
	                              : &diff->before->tensors.at[pair->before];
}

static const char *device_of(const struct diff_list *list, const struct diff_pair *pair)
{
	return run_of(list, pair)->devices.at[tensor_of(list->diff, pair)->device].name;
}

static const char *debug_op_of(const struct diff_list *list, const struct diff_pair *pair)
{
	if (run_of(list, pair)->op_type)
		return NULL;
	return run_of(list, pair)->debug_ops.key[tensor_of(list->diff, pair)->debug_op];
}

static const struct tensor_form *form_of(const struct diff_pair *pair)
{
	return pair->form ? pair->form : pair->old_form;
}

static const char *no_graph(const struct diff_list *list, const struct diff_pair *pair)
{
	(void)list, (void)pair;
	return NULL;
}

static void put_name(const struct diff_list *list, const struct diff_pair *pair, struct str *out)
{
	const struct tensor *t = tensor_of(list->diff, pair);

	run_put_name(run_of(list, pair), t, out);
}

/* What the old run calls the tensor of a pair, if it is another name. */
static bool put_old_name(const struct diff_list *list, const struct diff_pair *pair,
                         struct str *out)
{
	const struct run_diff *diff = list->diff;
	const struct tensor *now, *before;

	if (list->kind->of_program || pair->now == DIFF_NONE || pair->before == DIFF_NONE)
		return false;
	now = &diff->now->tensors.at[pair->now];
	before = &diff->before->tensors.at[pair->before];
	if (!strcmp(now->node, before->node) && now->slot == before->slot)
		return false;
	run_put_name(diff->before, before, out);
	return true;
}

static uint64_t dump_of(const struct diff_list *list, const struct diff_pair *pair)
{
	return tensor_of(list->diff, pair)->number;
}

void diff_put_name(const struct diff_list *list, const struct diff_pair *pair, struct str *out)
{
	list->kind->put_name(list, pair, out);
	if (list->with_debug_op)
		str_fmt(out, ":%s", list->kind->debug_op(list, pair));
}

static void get_name(struct cell *cell, const struct diff_list *list, const struct diff_pair *pair)
{
	struct str old = {0};

	if (cell->data) {
		list->kind->put_name(list, pair, &cell->text);
		return;
	}
	diff_put_name(list, pair, &cell->text);
	if (put_old_name(list, pair, &old))
		str_fmt(&cell->text, " (%s)", old.text);
	str_release(&old);
}

static void get_text(struct cell *cell, const char *text)
{
	if (cell_has(cell, text))
		cell_str(cell, text);
}

static void get_health(struct cell *cell, const struct diff_list *list,
                       const struct diff_pair *pair, bool old)
{
	list->kind->put_health(list, pair, old, &cell->text);
	cell_has(cell, cell->text.len);
}

static void get_type(struct cell *cell, const struct tensor_form *form)
{
	if (cell_has(cell, form))
		cell_str(cell, form->type->name);
}

/* "int32 (float32)": the new type, and the old one if it differs. */
static void get_types(struct cell *cell, const struct diff_pair *pair)
{
	get_type(cell, form_of(pair));
	if (pair->status == DIFF_DTYPE && !cell->data)
		str_fmt(&cell->text, " (%s)", pair->old_form->type->name);
}

static void get_shape(struct cell *cell, const struct tensor_form *form)
{
	struct shape shape;

	if (!cell_has(cell, form))
		return;
	shape.rank = form->rank;
	memcpy(shape.dim, form->dim, form->rank * sizeof *form->dim);
	put_shape(&cell->text, &shape);
	if (cell->data)
		data_ints(cell->data, form->dim, form->rank);
}

/*
 * COL(key, heading, kind, drop, value): a heading links to the list sorted by its key; keys are
 * typed in this order. Columns are dropped only if they have the same value in all rows.
 */
#define PAIR_COLUMNS(COL) \
	COL(status, "Status", TEXT, 0, cell_str(cell, list->kind->statuses[pair->status])) \
	COL(tensor, "Tensor name", TEXT, 0, get_name(cell, list, pair)) \
	COL(debug_op, NULL, TEXT, 0, get_text(cell, list->kind->debug_op(list, pair))) \
	COL(dump, "Dump", COUNT, 2, cell->whole = (int64_t)list->kind->dump(list, pair)) \
	COL(dtype, "Dtype", TEXT, 4, get_types(cell, pair)) \
	COL(old_dtype, NULL, TEXT, 0, get_type(cell, pair->old_form)) \
	COL(shape, "Shape", OWN, 6, get_shape(cell, pair->form)) \
	COL(old_shape, "Old shape", OWN, 1, get_shape(cell, pair->old_form))
#define FIGURE_COLUMNS(COL) \
	COL(n_diff, "Differ", COUNT, 8, if (cell_has(cell, c)) cell->whole = (int64_t)c->n_diff) \
	COL(n_bad, "Bad", COUNT, 5, if (cell_has(cell, c)) cell->whole = (int64_t)c->n_bad) \
	COL(n_bits, NULL, COUNT, 0, if (cell_has(cell, c)) cell->whole = (int64_t)c->n_bits) \
	COL(first, "First at", OWN, 7, get_first(cell, f)) \
	COL(max_abs, "Max abs", OWN_NUMBER, 0, get_max_abs(cell, c)) \
	COL(max_rel, "Max rel", NUMBER, 10, get_max_rel(cell, c)) \
	COL(max_ulps, "Max ulps", OWN_NUMBER, 9, get_max_ulps(cell, c))
/* Only of arrays of files. */
#define ARRAY_COLUMNS(COL) \
	COL(old_tensor, NULL, TEXT, 0, cell_has(cell, put_old_name(list, pair, &cell->text)))
#define DEVICE_COLUMN(COL) \
	COL(device, "Device", TEXT, 3, get_text(cell, list->kind->device(list, pair)))
/* Only for recorded programs. */
#define PROGRAM_COLUMNS(COL) \
	COL(health, "Health", TEXT, 0, get_health(cell, list, pair, false)) \
	COL(old_health, "Old health", TEXT, 0, get_health(cell, list, pair, true)) \
	COL(graph, "Graph", TEXT, 11, get_text(cell, list->kind->graph(list, pair)))

/* To sort by alone, where what is shown has another order. */
#define ORDER_COLUMNS(COL) \
	COL(by_status, NULL, COUNT, 0, cell->whole = pair->status) \
	COL(by_dtype, NULL, TEXT, 0, get_type(cell, form_of(pair))) \
	COL(by_first, NULL, COUNT, 0, \
	    if (cell_has(cell, c && c->n_diff)) cell->whole = (int64_t)c->first) \
	COL(by_ulps, NULL, COUNT, 0, if (cell_has(cell, c && c->measured && c->has_ulps)) \
	    cell->whole = (int64_t)(c->max_ulps ^ UINT64_C(1) << 63))

#define TYPED_COLUMNS(COL) \
	PAIR_COLUMNS(COL) FIGURE_COLUMNS(COL) DEVICE_COLUMN(COL) ARRAY_COLUMNS(COL) \
	PROGRAM_COLUMNS(COL)
#define DIFF_ROW(key, heading, kind, drop, value) \
	{ #key, heading, #key, COL_##kind, drop, 1 + COL_##key, COL_##key, 0, false, false, NULL },
#define ORDER_ROW(key, heading, kind, drop, value) \
	{ #key, heading, NULL, COL_##kind, drop, 0, COL_##key, 0, false, false, NULL },
#define DIFF_CASE(key, heading, kind, drop, value) case COL_##key: value; break;
enum { TYPED_COLUMNS(COL_ID) ORDER_COLUMNS(COL_ID) N_COLS };
static const struct col diff_cols[] = { TYPED_COLUMNS(DIFF_ROW) ORDER_COLUMNS(ORDER_ROW) };

static const struct sort_word diff_words[] = {
	{ "time", { 0 } },
	{ "status", { RISES(by_status) } },
	{ "dtype", { RISES(by_dtype) } },
	{ "first", { RISES(by_first) } },
	{ "max_ulps", { RISES(by_ulps) } },
	{ 0 },
};
static const struct table_sorts diff_sorts = {
	diff_words, .refusal = "Unsupported key to sort tensors by: %s",
};

bool diff_can_sort(struct call *call)
{
	bool of_program = call->shell->program;

	return table_can_sort(call, &diff_sorts, diff_cols, of_program ? N_COLS : COL_health);
}

static void get_figure(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct figures *f = context;
	const struct compared *c = f->compared;

	(void)row;
	switch (id) {
	FIGURE_COLUMNS(DIFF_CASE)
	}
}

/* The row is the position of a pair. */
static void get_of_pair(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct diff_list *list = context;
	const struct diff_pair *pair = &list->diff->pairs.at[row];
	const struct compared *c = pair->compared;
	struct elem_index first;
	struct figures figures = { c, &first };

	if (id == COL_first && c && c->n_diff)
		elem_index_of(&first, c->first, pair->form->rank, pair->form->dim);
	switch (id) {
	PAIR_COLUMNS(DIFF_CASE)
	DEVICE_COLUMN(DIFF_CASE)
	PROGRAM_COLUMNS(DIFF_CASE)
	ARRAY_COLUMNS(DIFF_CASE)
	ORDER_COLUMNS(DIFF_CASE)
	default: get_figure(&figures, 0, id, cell);
	}
}

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	get_of_pair(context, ((const struct diff_list *)context)->rows.at[row], id, cell);
}

void put_compared(struct data *data, const struct compared *compared,
                  const struct elem_index *first)
{
	struct figures figures = { compared, first };

	table_put_typed(&diff_cols[COL_n_diff], COL_device - COL_n_diff, get_figure, &figures, 0,
	                data);
}

void diff_put_source(struct diff_list *list, uint32_t pair, struct data *data)
{
	static const int ids[] = { COL_status, COL_tensor, COL_debug_op, COL_dump, COL_device,
	                           COL_graph };

	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		const struct col *col = table_col(list->table, ids[i]);

		if (col->typed)
			table_put_typed(col, 1, get_of_pair, list, pair, data);
	}
}

/* The number of the dump for -n, which counts the dumps of all debug ops. */
static uint64_t dump_number(const struct run *run, const struct tensor *t)
{
	uint32_t at = (uint32_t)(t - run->tensors.at);
	struct dumps dumps = {0};
	uint64_t number = 0;

	if (run->debug_ops.len == 1)
		return t->number;
	dumps_of_node(run, t->node, t->device, &dumps);
	for (size_t i = 0; i < dumps.at.len && dumps.at.at[i] != at; i++)
		number += run->tensors.at[dumps.at.at[i]].slot == t->slot;
	vec_release(&dumps.at);
	return number;
}

/* What Enter runs: the comparison of both, or the one that this run has. */
static void put_command(const struct diff_list *list, const struct diff_pair *pair, struct str *out)
{
	const struct run *run = list->diff->now;
	bool both = pair->before != DIFF_NONE;
	const struct tensor *t;
	struct str name = {0};
	size_t n;

	if (pair->now == DIFF_NONE)
		return;
	t = &run->tensors.at[pair->now];
	run_put_name(run, t, &name);
	words_put_with(out, both ? "diff" : "pt", name.text);
	str_release(&name);
	if (both)
		words_put_with(out, "", list->old.word);
	if (both && list->how)
		str_puts(out, list->how);
	run_node_tensors(run, t->node_id, &n);
	if (n > 1)
		str_fmt(out, " %s %" PRIu64, both ? "--dump" : "-n", dump_number(run, t));
	if (list->with_device)
		words_put_with(out, " -D", run->devices.at[t->device].name);
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct diff_list *list = context;

	list->kind->put_command(list, pair_at(list, row), out);
}

static enum role role_of(void *context, uint64_t row, int id)
{
	const struct diff_list *list = context;
	enum diff_status status = pair_at(list, row)->status;

	if (id != COL_status || status == DIFF_SAME)
		return ROLE_PLAIN;
	if (status == DIFF_UNREADABLE)
		return list->kind->of_program ? ROLE_PLAIN : ROLE_DAMAGED;
	return ROLE_DIFFERS;
}

static void list_free(void *context)
{
	struct diff_list *list = context;

	run_diff_free(list->diff);
	divergences_release(&list->divergences);
	vec_release(&list->rows);
	free(list);
}

/* Have tensors more than one debug op? */
static bool has_debug_ops(const struct run_diff *diff)
{
	const struct map *now = &diff->now->debug_ops, *before = &diff->before->debug_ops;

	return now->len > 1 || before->len > 1 ||
	       (now->len && before->len && strcmp(now->key[0], before->key[0]) != 0);
}

static int compare_names(const struct diff_list *list, const struct diff_pair *x,
                         const struct diff_pair *y)
{
	const struct tensor *t = tensor_of(list->diff, x), *u = tensor_of(list->diff, y);
	int order = strcmp(t->node, u->node);

	return order ? order : (t->slot > u->slot) - (t->slot < u->slot);
}

static const struct diff_kind of_runs = {
	.put_name = put_name, .compare_names = compare_names, .dump = dump_of, .device = device_of,
	.debug_op = debug_op_of, .graph = no_graph, .put_command = put_command,
	.statuses = diff_status_names,
};

/* Takes the columns first to last out of both the text and the typed data. */
static void leave_out(struct table *table, int first, int last)
{
	for (int id = first; id <= last; id++) {
		table_col(table, id)->typed = 0;
		table_hide(table, id);
	}
}

static int by_name(void *context, int id, uint64_t a, uint64_t b)
{
	const struct diff_list *list = context;

	(void)id;
	return list->kind->compare_names(list, pair_at(list, a), pair_at(list, b));
}

static struct table *table_of(struct doc *doc, struct diff_list *list)
{
	struct table *table = TABLE_OF(doc, diff_cols, get_cell, list);

	table_list(table, COL_tensor);
	table->cut_start = true;
	table->link = put_link;
	table->role = role_of;
	table->sorts = &diff_sorts;
	table_col(table, COL_tensor)->order = by_name;
	if (!list->with_device)
		table_hide(table, COL_device);
	return table;
}

struct diff_list *diff_list_new(struct doc *doc, struct run_diff *diff)
{
	struct diff_list *list = mem_alloc(sizeof *list);

	doc_keep(doc, list_free, list);
	list->diff = diff;
	list->kind = &of_runs;
	list->with_debug_op = has_debug_ops(diff);
	list->with_device = diff->now->devices.len > 1 || diff->before->devices.len > 1;
	list->table = table_of(doc, list);
	leave_out(list->table, COL_health, COL_graph);
	if (!diff->of_arrays)
		leave_out(list->table, COL_old_tensor, COL_old_tensor);
	return list;
}

struct diff_list *diff_list_of(struct doc *doc, struct run_diff *diff, const struct diff_kind *kind,
                               void *owner, uint64_t n_by_health)
{
	struct diff_list *list = mem_alloc(sizeof *list);
	bool has_values = false, has_forms = false, has_graphs = false;

	doc_keep(doc, list_free, list);
	list->diff = diff;
	list->kind = kind;
	list->owner = owner;
	list->n_by_health = n_by_health;
	for (size_t i = 0; i < diff->pairs.len; i++) {
		const struct diff_pair *pair = &diff->pairs.at[i];
		const char *graph = kind->graph(list, pair);

		has_values = has_values || pair->compared;
		has_forms = has_forms || pair->form || pair->old_form;
		has_graphs = has_graphs || (graph && *graph);
	}
	list->table = table_of(doc, list);
	leave_out(list->table, COL_debug_op, COL_debug_op);
	leave_out(list->table, COL_old_tensor, COL_old_tensor);
	if (!has_graphs)
		table_hide(list->table, COL_graph);
	for (int id = COL_n_diff; id <= COL_max_ulps && !has_values; id++)
		table_hide(list->table, id);
	for (int id = COL_health; id <= COL_old_health && !n_by_health; id++)
		table_hide(list->table, id);
	for (int id = COL_dtype; id <= COL_old_shape && !has_forms; id++)
		table_hide(list->table, id);
	return list;
}

/* Widths. */

/* Does the column have the same value in all rows? The old shape: the same as the new one? */
static bool is_common(struct table *table, const struct col *col)
{
	bool is_old = col->id == COL_old_shape, common = true;
	const struct col *as = is_old ? table_col(table, COL_shape) : col;
	struct str first = {0};

	for (uint64_t row = 0; row < table->n_rows && common; row++) {
		if (!row || is_old) {
			str_reset(&first);
			str_puts(&first, str_text(table_text(table, row, as, true)));
		}
		common = !strcmp(str_text(table_text(table, row, col, true)), str_text(&first));
	}
	str_release(&first);
	return common;
}

static size_t width_shown(const struct table *table)
{
	size_t sum = 0;

	for (size_t i = 0; i < table->n_shown; i++)
		if (!table->cols[i].dropped)
			sum += (size_t)abs(table->cols[i].width) + GAP;
	return sum - GAP;
}

static void fit(struct table *table, size_t width)
{
	struct col *name = table_col(table, COL_tensor);
	size_t others, wanted = (size_t)-name->width;

	for (int turn = 1; turn <= N_COLS && width_shown(table) > width; turn++)
		for (size_t i = 0; i < table->n_shown; i++)
			if (table->cols[i].drop == turn)
				table->cols[i].dropped = is_common(table, &table->cols[i]);
	others = width_shown(table) - wanted;
	if (others + wanted <= width || wanted <= TABLE_NAME_LEAST)
		return;
	wanted = others + TABLE_NAME_LEAST < width ? width - others : TABLE_NAME_LEAST;
	name->width = -(int)wanted;
	table_cut_names(table, wanted);
}

void diff_list_measure(struct diff_list *list, int width)
{
	struct table *table = list->table;

	table_measure_all(table);
	if (width > 0 && table->n_rows && !table->chosen)
		fit(table, (size_t)width);
}

void diff_list_put_common(const struct diff_list *list, struct doc *doc)
{
	const struct col *cols = list->table->cols;
	bool any = false;

	for (size_t i = 0; i < list->table->n_shown; i++) {
		const char *text;

		if (!cols[i].dropped)
			continue;
		text = cols[i].id == COL_old_shape
		               ? "as shape"
		               : str_text(table_text(list->table, 0, &cols[i], true));
		doc_put(doc, ROLE_PLAIN, "%s%s %s", any ? ", " : "All rows: ", cols[i].key,
		        *text ? text : "-");
		any = true;
	}
	if (any)
		doc_newline(doc);
}

static bool put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	if (!table_put_rows(context, data, progress, err))
		return false;
	if (data->format == DATA_JSON)
		diff_put_summary(table_context(context), data);
	return true;
}

void diff_list_put(struct call *call, struct diff_list *list, const char *base)
{
	struct table *table = list->table;

	table->sort_line = arena_copy(doc_mem(call->out), base, strlen(base));
	table_put_list(call, table);
	doc_typed(call->out, DATA_ROWS, put_data, table);
}
