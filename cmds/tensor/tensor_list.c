#include "cmds/tensor/tensor_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/array/survey.h"
#include "cmds/doc/cut.h"
#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/session/dumps.h"
#include "cmds/tensor/tensor_list.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

static const char *op_of(const struct tensor_list *list, uint32_t at)
{
	return list->ops[at] ? list->ops[at] : "?";
}

/* What is known of it; NULL: nothing yet. */
static const struct vitals *vitals_at(const struct tensor_list *list, uint32_t at)
{
	return healths_of(list->visit->healths, at);
}

/* The time since the first dump, to the microsecond. */
static void put_rel(const struct tensor_list *list, const struct tensor *t, struct str *out)
{
	int64_t us = run_rel_us(list->run, t);

	if (us >= 0 && list->unit && !strcmp(list->unit, "us"))
		str_int(out, us);
	else if (us >= 0 && list->unit && !strcmp(list->unit, "s"))
		str_fmt(out, "%.6f", (double)us / 1e6);
	else
		put_rel_ms(out, t->time_us, list->run->t0_us);
}

/* A node's host or kernel time, to the nanosecond. */
static void put_node_time(struct cell *cell, const struct tensor_list *list, int64_t ns)
{
	cell_known(cell, ns >= 0, ns);
	if (ns < 0 || !cell->look)
		return;
	if (list->unit && !strcmp(list->unit, "s"))
		str_fmt(&cell->text, "%" PRId64 ".%09d", ns / 1000000000, (int)(ns % 1000000000));
	else if (list->unit && !strcmp(list->unit, "ms"))
		str_fmt(&cell->text, "%" PRId64 ".%06d", ns / 1000000, (int)(ns % 1000000));
	else
		str_fmt(&cell->text, "%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
}

static void put_since_first(struct cell *cell, const struct tensor_list *list,
                            const struct tensor *t)
{
	cell_known(cell, t->time_us >= 0, run_rel_us(list->run, t));
	if (!cell->look)
		return;
	str_putc(&cell->text, '[');
	put_rel(list, t, &cell->text);
	str_putc(&cell->text, ']');
}

static void put_bytes(struct cell *cell, int64_t bytes)
{
	cell_known(cell, bytes >= 0, bytes);
	if (cell->look)
		put_size(&cell->text, bytes);
}

static void put_op(struct cell *cell, const struct tensor_list *list, uint32_t at)
{
	cell->missing = !list->ops[at];
	cell_str(cell, op_of(list, at));
}

/* Widths that are set before anything is known, and what is longer is cut. */
enum { BAD_COLUMNS = 13, DTYPE_COLUMNS = 8, SHAPE_COLUMNS = 10 };

static void cut_to(struct cell *cell, const struct tensor_list *list, size_t columns)
{
	struct str whole = cell->text;

	if (!cell->look || list->health != HEALTH_COMES ||
	    utf8_columns(str_text(&whole), whole.len) <= columns)
		return;
	cell->text = (struct str){0};
	put_shortened(&cell->text, whole.text, columns, false);
	str_release(&whole);
}

/* False: it isn't known yet, and the cell says so. */
static bool put_if_known(struct cell *cell, const struct tensor_list *list,
                         const struct vitals *v)
{
	cell->missing = !v;
	if (!v)
		str_puts(&cell->text, list->fine ? "·" : ".");
	return v;
}

static void put_bad(struct cell *cell, const struct tensor_list *list, const struct vitals *v)
{
	if (!put_if_known(cell, list, v))
		return;
	cell->missing = !vitals_is_told(v);
	cell->whole = v->state == VITALS_BAD;
	vitals_put_bad(&cell->text, v);
	cut_to(cell, list, BAD_COLUMNS);
}

/* Of arrays the file says it, before any element is read. */
static bool put_told_dtype(struct cell *cell, const struct array_facts *facts)
{
	cell->missing = !facts->dtype;
	cell_str(cell, facts->dtype ? facts->dtype : "?");
	return true;
}

static bool put_told_shape(struct cell *cell, const struct array_facts *facts)
{
	cell->missing = !facts->dtype;
	if (cell->data && facts->dtype)
		data_ints(cell->data, facts->dim, facts->rank);
	if (!facts->dtype) {
		str_putc(&cell->text, '?');
		return true;
	}
	put_shape_of_dims(&cell->text, facts->dim, facts->rank);
	return true;
}

/* Of arrays; false: it is none. */
static bool put_told(struct cell *cell, const struct tensor_list *list, const struct tensor *t,
                     bool (*put)(struct cell *cell, const struct array_facts *facts))
{
	struct array_facts facts;

	return run_array_facts(list->run, t, &facts) && put(cell, &facts);
}

static void put_dtype(struct cell *cell, const struct tensor_list *list, const struct tensor *t,
                      const struct vitals *v)
{
	if (put_told(cell, list, t, put_told_dtype)) {
		cut_to(cell, list, DTYPE_COLUMNS);
		return;
	}
	if (!put_if_known(cell, list, v))
		return;
	cell->missing = !v->type;
	cell_str(cell, v->type ? v->type->name : "?");
	cut_to(cell, list, DTYPE_COLUMNS);
}

static void put_shape_of(struct cell *cell, const struct tensor_list *list,
                         const struct tensor *t, const struct vitals *v)
{
	if (put_told(cell, list, t, put_told_shape)) {
		cut_to(cell, list, SHAPE_COLUMNS);
		return;
	}
	if (!put_if_known(cell, list, v))
		return;
	cell->missing = !v->type;
	if (cell->data && v->type)
		data_ints(cell->data, v->dim, v->rank);
	vitals_put_shape(&cell->text, v);
	cut_to(cell, list, SHAPE_COLUMNS);
}

static void put_end(struct cell *cell, const struct tensor_list *list, const struct vitals *v,
                    bool max)
{
	if (!put_if_known(cell, list, v))
		return;
	cell->missing = !v->has_ends;
	if (cell->data && v->has_ends)
		data_elem(cell->data, v->type, max ? v->max : v->min);
	cell->number = v->has_ends ? number_of(v->type, max ? v->max : v->min) : 0;
	vitals_put_end(&cell->text, v, max);
}

static void put_bins(struct cell *cell, const struct tensor_list *list, const struct vitals *v)
{
	if (put_if_known(cell, list, v))
		vitals_put_bins(&cell->text, v, list->fine);
}

/* Typed only. */
static void put_count(struct cell *cell, bool known, uint64_t n)
{
	cell_known(cell, known, known ? (int64_t)n : 0);
}

#define PUT_TYPED(field) put_count(cell, v && v->type, v ? v->field : 0)
#define PUT_TOLD(field) put_count(cell, v && vitals_is_told(v), v ? v->field : 0)

static void put_debug_op(struct cell *cell, const struct tensor_list *list, const struct tensor *t)
{
	cell->missing = list->run->op_type;
	cell_str(cell, list->run->debug_ops.key[t->debug_op]);
}

/* What a dump of statistics says of an array. */
static void put_stats(struct cell *cell, const struct tensor_list *list, const struct tensor *t)
{
	static const char *const keys[N_STATS] = {
		[STATS_MAX] = "max", [STATS_MIN] = "min",
		[STATS_MEAN] = "mean", [STATS_NORM] = "norm",
	};
	struct array_facts facts;

	cell->missing = !run_array_facts(list->run, t, &facts) || !facts.stats;
	if (cell->missing || !cell->data)
		return;
	data_object(cell->data);
	for (size_t i = 0; i < N_STATS; i++) {
		data_key(cell->data, keys[i]);
		if (facts.stats->has[i])
			data_float(cell->data, facts.stats->at[i], 64);
		else
			data_null(cell->data);
	}
	data_end(cell->data);
}

static const char *device_of(const struct tensor_list *list, const struct tensor *t, bool look)
{
	return look ? list->device_names[t->device] : list->run->devices.at[t->device].name;
}

static void put_worker(struct cell *cell, const struct tensor_list *list, const struct tensor *t)
{
	const char *worker = list->run->devices.at[t->device].worker;

	cell->missing = !worker;
	cell_str(cell, worker ? worker : "");
}

#define TENSOR_COLUMNS(COL, ASK) \
	ASK(time_us, "t (ms)", "timestamp", COUNT, 0, 4, put_since_first(cell, list, t)) \
	ASK(size_bytes, "Size (B)", "dump_size", SIZE, 0, 5, put_bytes(cell, t->size_bytes)) \
	ASK(bad, "Bad", "bad", FLAG, 0, 15, put_bad(cell, list, v)) \
	ASK(dtype, "Dtype", "dtype", TEXT, 0, 11, put_dtype(cell, list, t, v)) \
	ASK(shape, "Shape", "shape", OWN, 0, 13, put_shape_of(cell, list, t, v)) \
	ASK(min, "Min", "min", OWN_NUMBER, 0, 22, put_end(cell, list, v, false)) \
	ASK(max, "Max", "max", OWN_NUMBER, 0, 23, put_end(cell, list, v, true)) \
	COL(spark, "Spark", TEXT, 0, 0, put_bins(cell, list, v)) \
	COL(worker, "Worker", TEXT, 0, 25, put_worker(cell, list, t)) \
	ASK(op, "Op type", "op_type", TEXT, 0, 6, put_op(cell, list, at)) \
	ASK(tensor, "Tensor name", "tensor_name", TEXT, 0, 1, \
	    run_put_name(list->run, t, &cell->text)) \
	COL(name, NULL, COUNT, 0, 0, (void)t) /* for the order of tensor_name */ \
	COL(debug_op, NULL, TEXT, 0, 2, put_debug_op(cell, list, t)) \
	COL(dump, NULL, COUNT, 0, 3, cell->whole = t->number) \
	COL(device, "Device", TEXT, 0, 7, cell_str(cell, device_of(list, t, cell->look))) \
	ASK(host_us, "Host (us)", "host_time", TIME, 0, 8, \
	    put_node_time(cell, list, node_time_of(list->times, t).host_ns)) \
	ASK(kernel_us, "Kernel (us)", "kernel_time", TIME, 0, 9, \
	    put_node_time(cell, list, node_time_of(list->times, t).kernel_ns)) \
	COL(tensor_id, NULL, COUNT, 0, 10, cell->missing = true) /* as of recorded programs */ \
	COL(stats, NULL, OWN, 0, 24, put_stats(cell, list, t)) \
	COL(rank, NULL, COUNT, 0, 12, PUT_TYPED(rank)) \
	COL(size, NULL, COUNT, 0, 14, PUT_TYPED(size)) \
	COL(nan, NULL, COUNT, 0, 16, PUT_TOLD(nan)) \
	COL(neg_inf, NULL, COUNT, 0, 17, PUT_TOLD(neg_inf)) \
	COL(pos_inf, NULL, COUNT, 0, 18, PUT_TOLD(pos_inf)) \
	COL(negative, NULL, COUNT, 0, 19, PUT_TOLD(negative)) \
	COL(zero, NULL, COUNT, 0, 20, PUT_TOLD(zero)) \
	COL(positive, NULL, COUNT, 0, 21, PUT_TOLD(positive))

enum { TENSOR_COLUMNS(COL_ID, COL_ID) };
static const struct col tensor_cols[] = { TENSOR_COLUMNS(COL_ROW, ASK_ROW) };
static const int health_ids[] = {
	COL_bad, COL_dtype, COL_shape, COL_min, COL_max, COL_spark, COL_tensor_id, COL_rank,
	COL_size, COL_nan, COL_neg_inf, COL_pos_inf, COL_negative, COL_zero, COL_positive,
};


static const struct sort_word sort_words[] = {
	{ "timestamp", { RISES(time_us) } }, { "dump_size", { RISES(size_bytes) } },
	{ "op_type", { RISES(op) } }, { "tensor_name", { RISES(name) } },
	{ "host_time", { RISES(host_us) } }, { "kernel_time", { RISES(kernel_us) } },
	{ "bad", { RISES(bad) } }, { "dtype", { RISES(dtype) } }, { "shape", { RISES(shape) } },
	{ "min", { RISES(min) } }, { "max", { RISES(max) } }, { 0 },
};
static const struct table_sorts sorts = {
	.words = sort_words, .refusal = "Unsupported key to sort tensors by: %s",
	.missing_first = true,
};

static uint32_t tensor_of(const struct tensor_list *list, uint64_t row)
{
	return list->rows.at ? list->rows.at[row] : (uint32_t)row;
}

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct tensor_list *list = context;
	uint32_t at = tensor_of(list, row);
	const struct tensor *t = &list->run->tensors.at[at];
	const struct vitals *v = list->health ? vitals_at(list, at) : NULL;

	switch (id) {
	TENSOR_COLUMNS(COL_CASE, ASK_CASE)
	}
}

/* Sorting. */

/* Compares name and slot as one text, as if all had a slot: "a:10" comes before "a:2". */
static int compare_names(const struct tensor *t, const struct tensor *u)
{
	char slot[2][16];
	size_t n;

	if (t->node == u->node) {
		snprintf(slot[0], sizeof slot[0], "%u", t->slot);
		snprintf(slot[1], sizeof slot[1], "%u", u->slot);
		return strcmp(slot[0], slot[1]);
	}
	for (n = 0; t->node[n] && t->node[n] == u->node[n]; n++)
		;
	return (int)(t->node[n] ? (unsigned char)t->node[n] : ':') -
	       (int)(u->node[n] ? (unsigned char)u->node[n] : ':');
}

/* -INFINITY: it isn't known, or there is none. */
static double number_in(const struct vitals *v, int id)
{
	if (id == COL_bad)
		return vitals_is_told(v) ? (double)vitals_n_bad(v) : -INFINITY;
	return v->has_ends ? number_of(v->type, id == COL_max ? v->max : v->min) : -INFINITY;
}

/* What is not known comes before all that is. */
static int compare_vitals(const struct vitals *a, const struct vitals *b, int id)
{
	int order = 0;
	double x, y;

	if (!a || !b || !a->type || !b->type)
		return (a && a->type) - (b && b->type);
	if (id == COL_dtype)
		return strcmp(a->type->name, b->type->name);
	if (id == COL_shape) {
		order = (a->rank > b->rank) - (a->rank < b->rank);
		for (uint32_t i = 0; i < a->rank && !order; i++)
			order = (a->dim[i] > b->dim[i]) - (a->dim[i] < b->dim[i]);
		return order;
	}
	x = number_in(a, id);
	y = number_in(b, id);
	return (x > y) - (x < y);
}

static int compare_rows(void *context, int id, uint64_t a, uint64_t b)
{
	const struct tensor_list *list = context;
	uint32_t i = tensor_of(list, a), k = tensor_of(list, b);

	if (id == COL_op)
		return strcmp(op_of(list, i), op_of(list, k));
	if (id == COL_name)
		return compare_names(&list->run->tensors.at[i], &list->run->tensors.at[k]);
	return compare_vitals(vitals_at(list, i), vitals_at(list, k), id);
}

static void set_orders(struct table *table)
{
	static const int ids[] = {
		COL_op, COL_name, COL_bad, COL_dtype, COL_shape, COL_min, COL_max,
	};

	table->sorts = &sorts;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		table_col(table, ids[i])->order = compare_rows;
}

/* Ranks all tensors of the run. Names are nearly in order if they are taken node by node. */
static uint32_t *find_ranks(const struct tensor_list *list, int id)
{
	const struct run *run = list->run;
	struct tensor_list all = *list;
	struct table *table = TABLE_OF(list->doc, tensor_cols, get_cell, &all);
	uint32_t *ranks = mem_alloc((run->tensors.len + 1) * sizeof *ranks), *of_row = ranks;

	all.rows.at = NULL;
	all.rows.len = all.rows.cap = 0;
	for (uint32_t node = 0; id == COL_name && node < run->nodes.len; node++) {
		size_t n;
		const uint32_t *at = run_node_tensors(run, node, &n);

		for (size_t i = 0; i < n; i++)
			vec_push(&all.rows, at[i]);
	}
	if (all.rows.at)
		of_row = mem_alloc((run->tensors.len + 1) * sizeof *of_row);
	table->n_rows = run->tensors.len;
	set_orders(table);
	table_rank(table, id, of_row, NULL, NULL);
	for (size_t row = 0; row < all.rows.len; row++)
		ranks[all.rows.at[row]] = of_row[row];
	if (of_row != ranks)
		free(of_row);
	vec_release(&all.rows);
	return ranks;
}

/*
 * Ranks are kept by what the dump alone tells: another step has other times, and a file that was
 * cut may be whole by then.
 */
static bool rank_of(void *context, int id, uint64_t row, uint64_t *rank)
{
	static const int ids[N_TENSOR_RANKS] = { COL_time_us, COL_size_bytes, COL_op, COL_name };
	const struct tensor_list *list = context;

	for (size_t i = 0; i < N_TENSOR_RANKS; i++) {
		uint32_t **ranks = &list->visit->tensor_ranks[i];

		if (ids[i] != id)
			continue;
		if (!*ranks)
			*ranks = find_ranks(list, id);
		*rank = (*ranks)[tensor_of(list, row)];
		return true;
	}
	return false;
}

bool tensor_list_wants_times(const struct call *call)
{
	return table_wants(call, &tensor_cols[COL_host_us]) ||
	       table_wants(call, &tensor_cols[COL_kernel_us]);
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct tensor_list *list = context;
	uint32_t at = list->rows.at[row];
	const struct tensor *t = &list->run->tensors.at[at];
	struct str name = {0};

	run_put_name(list->run, t, &name);
	words_put_with(out, "pt", name.text);
	str_release(&name);
	if (list->device_names || list->of_workers || !list->ops[at])
		words_put_with(out, " -D", list->run->devices.at[t->device].name);
}

static enum role role_of(void *context, uint64_t row, int id)
{
	const struct tensor_list *list = context;
	uint32_t at = list->rows.at[row];
	const struct vitals *v = NULL;

	if (list->health && id == COL_bad)
		v = vitals_at(list, at);
	if (v && v->state == VITALS_BAD)
		return ROLE_BAD;
	if ((v && v->state == VITALS_UNREADABLE) ||
	    (id == COL_tensor && list->unreadable && list->unreadable[at]))
		return ROLE_DAMAGED;
	return ROLE_PLAIN;
}

/* "Host (us)": the unit that all times are in takes the place of the column's own. */
static void head_times(struct tensor_list *list)
{
	static const int times[] = { COL_time_us, COL_host_us, COL_kernel_us };
	struct str text = {0};

	for (size_t i = 0; list->unit && i < sizeof times / sizeof *times; i++) {
		struct col *col = table_col(list->table, times[i]);

		str_reset(&text);
		str_put(&text, col->heading, strcspn(col->heading, "("));
		str_fmt(&text, "(%s)", list->unit);
		col->heading = arena_copy(&list->mem, text.text, text.len);
	}
	str_release(&text);
}

static void leave_out(struct table *table, int id)
{
	table_hide(table, id);
	table_col(table, id)->typed = 0;
}

/* What files of arrays say of them. */
static bool is_told(int id)
{
	return id == COL_dtype || id == COL_shape;
}

/* tfdbg refuses -s size, so that this key alone asks for nothing: it sorts with --health. */
bool tensor_list_wants_health(const struct call *call, const char *sort_by)
{
	bool are_arrays = call->shell->run->op_type, by_size = sort_by && !strcmp(sort_by, "size");

	for (size_t i = 0; i < sizeof health_ids / sizeof *health_ids; i++) {
		int id = health_ids[i];

		if (table_wants(call, &tensor_cols[id]) && !(id == COL_size && by_size) &&
		    (sort_by || !are_arrays || !is_told(id)))
			return true;
	}
	return false;
}

/* Of arrays: do all rows say one op type, which is the kind of their files? */
static bool is_of_one_kind(const struct tensor_list *list)
{
	if (!list->run->op_type)
		return false;
	for (size_t i = 1; i < list->rows.len; i++)
		if (strcmp(op_of(list, list->rows.at[i]), op_of(list, list->rows.at[0])) != 0)
			return false;
	return list->rows.len;
}

static bool has_stats(const struct run *run)
{
	struct array_facts facts;

	return run->tensors.len && run_array_facts(run, &run->tensors.at[0], &facts)
	       && facts.stats;
}

static void make_table(struct tensor_list *list)
{
	struct table *table = list->table = TABLE_OF(list->doc, tensor_cols, get_cell, list);

	table->list = table->heads_nothing = true;
	table->name = COL_tensor;
	table->link = put_link;
	table->role = role_of;
	table->rank = rank_of;
	set_orders(table);
	head_times(list);
	if (!list->device_names)
		table_hide(table, COL_device);
	if (!list->run->devices.len || !list->run->devices.at[0].worker)
		leave_out(table, COL_worker);
	else if (!list->of_workers)
		table_hide(table, COL_worker);
	for (int id = COL_host_us; !list->times && id <= COL_kernel_us; id++)
		leave_out(table, id);
	for (size_t i = 0; !list->health && i < sizeof health_ids / sizeof *health_ids; i++)
		if (!list->run->op_type || !is_told(health_ids[i]))
			leave_out(table, health_ids[i]);
	if (!has_stats(list->run))
		leave_out(table, COL_stats);
	if (!run_has_times(list->run))
		table_hide(table, COL_time_us);
	if (is_of_one_kind(list))
		table_hide(table, COL_op);
}

static enum row_sign sign_of(void *context, uint64_t row, bool look)
{
	const struct tensor_list *list = context;
	uint32_t at = list->rows.at[table_source_row(list->table, row)];

	if (look && list->health == HEALTH_COMES)
		visit_vitals(list->visit, at);   /* its columns show them */
	return visit_sign(list->visit, at, look);
}

static bool signs_go_on(void *context, uint64_t *told)
{
	const struct tensor_list *list = context;

	return health_scan_goes_on(visits_scan(list->visit->all), told);
}

static void say(void *context, uint64_t row, bool fine, struct str *out)
{
	const struct tensor_list *list = context;
	uint32_t at = list->rows.at[table_source_row(list->table, row)];
	const struct vitals *v = visit_vitals(list->visit, at);

	if (v)
		vitals_put_line(out, v);
	else
		str_puts(out, fine ? "·" : ".");
}

static const struct doc_signs signs = { .of = sign_of, .go_on = signs_go_on, .say = say };

static void list_free(void *context)
{
	struct tensor_list *list = context;

	vec_release(&list->rows);
	arena_release(&list->mem);
	node_times_free(list->times);
	free(list);
}

/* Without the worker that may stand before it: it has a column. */
static const char *own_name(const struct device *device)
{
	return device->own ? device->own : device->name;
}

/* Does a worker have several devices? */
static bool workers_share_out(const struct run *run)
{
	for (size_t i = 1; i < run->devices.len; i++)
		if (!strcmp(run->devices.at[i].worker, run->devices.at[i - 1].worker))
			return true;     /* those of one lie together */
	return false;
}

/* The shortest ends of the device names, each from a "/" on, by which all of them differ. */
static char **short_device_names(const struct run *run, struct arena *mem)
{
	char **names = arena_alloc(mem, run->devices.len * sizeof *names);
	size_t common = SIZE_MAX;

	for (size_t i = 0; i < run->devices.len; i++) {
		const char *first = own_name(&run->devices.at[0]);
		const char *name = own_name(&run->devices.at[i]);
		size_t n = 0;

		while (name[n] && name[n] == first[n])
			n++;
		if (i)
			common = n < common ? n : common;
	}
	for (size_t i = 0; i < run->devices.len; i++) {
		const char *name = own_name(&run->devices.at[i]);
		size_t from = run->devices.len > 1 ? common : 0;

		while (from && name[from] != '/')
			from--;
		names[i] = arena_copy(mem, name + from, strlen(name + from));
	}
	return names;
}

/* Does the list have tensors of one node on several devices? */
static bool names_repeat(const struct tensor_list *list)
{
	const struct run *run = list->run;
	int32_t *device_of = mem_alloc(run->nodes.len * sizeof *device_of);  /* + 1; 0: none yet */
	bool repeat = false;

	for (size_t i = 0; i < list->rows.len && !repeat; i++) {
		const struct tensor *t = &run->tensors.at[list->rows.at[i]];

		repeat = device_of[t->node_id] && device_of[t->node_id] != t->device + 1;
		device_of[t->node_id] = t->device + 1;
	}
	free(device_of);
	return repeat;
}

struct tensor_list *tensor_list_new(struct call *call)
{
	struct tensor_list *list = mem_alloc(sizeof *list);
	struct shell *shell = call->shell;

	doc_keep(call->out, list_free, list);
	list->doc = call->out;
	list->run = shell->run;
	list->visit = shell->visit;
	list->fine = call->canvas.blocks;
	list->cols = call->cols > 0 ? (size_t)call->cols : 0;
	list->hidden = shell->visit->hidden;
	list->ops = shell_tensor_ops(shell);
	return list;
}

void tensor_list_take_all(struct tensor_list *list, bool by_device)
{
	size_t devices = by_device ? list->run->devices.len : 1;

	vec_reserve(&list->rows, list->run->tensors.len);
	for (size_t d = 0; d < devices; d++)
		for (uint32_t i = 0; i < list->run->tensors.len; i++)
			if ((!by_device || list->run->tensors.at[i].device == d) &&
			    !(list->hidden && list->hidden[i]))
				vec_push(&list->rows, i);
}

/* In the order in which they get room; ends come together. */
static const struct { int id, columns; } coming[] = {
	{ COL_bad, BAD_COLUMNS }, { COL_shape, SHAPE_COLUMNS }, { COL_spark, VITALS_BINS },
	{ COL_min, SHORT_COLUMNS }, { COL_max, SHORT_COLUMNS }, { COL_dtype, DTYPE_COLUMNS },
};
enum { NAME_LEAST = 32 };

/* The columns that come, as many as leave the names room. */
static void set_widths(const struct tensor_list *list)
{
	struct table *table = list->table;
	size_t taken = NAME_LEAST, n = sizeof coming / sizeof *coming;
	bool fits = true;

	for (size_t i = 0; i < n; i++)
		table_col(table, coming[i].id)->width = coming[i].columns;
	for (size_t i = 0; i < n; i++)
		table_col(table, coming[i].id)->dropped = true;
	for (size_t i = 0; i + 1 < table->n_shown; i++)
		if (!table->cols[i].dropped)
			taken += (size_t)table->cols[i].width + 1;
	for (size_t i = 0; i < n; i++) {
		struct col *col = table_col(table, coming[i].id);
		size_t room = (size_t)coming[i].columns + 1;

		fits = fits && taken + (coming[i].id == COL_min ? 2 * room : room) <= list->cols;
		col->dropped = !fits;
		taken += room;
	}
}

/* That of the last row's time, with room for brackets. */
static int time_width(const struct tensor_list *list, const char *heading)
{
	int width = (int)strlen(heading), last = 0;
	struct str text = {0};

	if (list->rows.len) {
		put_rel(list, &list->run->tensors.at[*vec_last(&list->rows)], &text);
		last = (int)text.len + 3;
	}
	str_release(&text);
	return last > width ? last : width;
}

void tensor_list_measure(struct tensor_list *list)
{
	struct table *table;
	struct col *time;

	list->of_workers = run_has_workers(list->run);
	if (list->run->devices.len > 1 && (!list->of_workers || workers_share_out(list->run))
	    && names_repeat(list))
		list->device_names = short_device_names(list->run, &list->mem);
	make_table(list);
	table = list->table;
	table->n_rows = list->rows.len;
	table_measure(table, run_has_times(list->run), false);
	time = table_col(table, COL_time_us);
	if (time->heading)
		time->width = time_width(list, time->heading);
	if (list->health == HEALTH_COMES)
		set_widths(list);
	for (size_t i = 0; i + 1 < table->n_shown; i++)
		table->cols[i].width = -(table->cols[i].width + 1);
}

bool tensor_list_arrange(struct call *call, struct tensor_list *list)
{
	list->table->n_rows = list->rows.len;
	return table_arrange(call, list->table);
}

uint32_t tensor_list_at(const struct tensor_list *list, uint64_t row)
{
	return list->rows.at[list->table->order ? list->table->order[row] : row];
}

void tensor_list_put(struct call *call, struct tensor_list *list, const char *base,
                     const char *sorted, bool reverse)
{
	struct table *table = list->table;

	table->sort_line = arena_copy(&list->mem, base, strlen(base));
	table->sorted = sort_words[0].word;
	if (sorted)
		table->sorted = arena_copy(&list->mem, sorted, strlen(sorted));
	table->reverse = reverse;
	table->trim = table->chosen;
	table->gap = table->chosen ? 2 : 0;      /* what is not chosen has widths with gaps */
	table_put_list(call, table);
	doc_bring_signs(call->out, &signs, list);
}
