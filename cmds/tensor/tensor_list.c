#include "cmds/tensor/tensor_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/session/dumps.h"
#include "dump/base/mem.h"

static const char *op_of(const struct tensor_list *list, uint32_t at)
{
	return list->ops[at] ? list->ops[at] : "?";
}

static void put_name(struct str *out, const struct tensor *t)
{
	str_fmt(out, "%s:%u", t->node, t->slot);
}

/* Nanoseconds: -1 if the step has no such time of the tensor's node. */
static int64_t time_of(const struct tensor_list *list, uint32_t at, enum sort_key key)
{
	struct node_time time = node_time_of(list->times, &list->run->tensors.at[at]);

	return key == BY_HOST_TIME ? time.host_ns : time.kernel_ns;
}

/* A time since the first dump, to the microsecond. */
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

/* A time of a node, to the nanosecond. */
static void put_node_time(struct cell *cell, const struct tensor_list *list, uint32_t at,
                          enum sort_key key)
{
	int64_t ns = time_of(list, at, key);

	cell_known(cell, ns >= 0, ns);
	if (ns < 0)
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
	str_putc(&cell->text, '[');
	put_rel(list, t, &cell->text);
	str_putc(&cell->text, ']');
}

static void put_bytes(struct cell *cell, int64_t bytes)
{
	cell_known(cell, bytes >= 0, bytes);
	put_size(&cell->text, bytes);
}

static void put_op(struct cell *cell, const struct tensor_list *list, uint32_t at)
{
	cell->missing = !list->ops[at];
	cell_str(cell, op_of(list, at));
}

static const char *device_of(const struct tensor_list *list, const struct tensor *t, bool look)
{
	return look ? list->device_names[t->device] : list->run->devices.at[t->device].name;
}

/* The words are those of --sort_by, in the order of enum sort_key. */
#define TENSOR_COLUMNS(COL, ASK) \
	ASK(time_us, "t (ms)", "timestamp", COUNT, 0, 4, put_since_first(cell, list, t)) \
	ASK(size_bytes, "Size (B)", "dump_size", SIZE, 0, 5, put_bytes(cell, t->size_bytes)) \
	ASK(op, "Op type", "op_type", TEXT, 0, 6, put_op(cell, list, at)) \
	ASK(tensor, "Tensor name", "tensor_name", TEXT, 0, 1, put_name(&cell->text, t)) \
	COL(debug_op, NULL, TEXT, 0, 2, cell_str(cell, list->run->debug_ops.key[t->debug_op])) \
	COL(dump, NULL, COUNT, 0, 3, cell->whole = t->number) \
	COL(device, "Device", TEXT, 0, 7, cell_str(cell, device_of(list, t, cell->look))) \
	ASK(host_us, "Host (us)", "host_time", TIME, 0, 8, \
	    put_node_time(cell, list, at, BY_HOST_TIME)) \
	ASK(kernel_us, "Kernel (us)", "kernel_time", TIME, 0, 9, \
	    put_node_time(cell, list, at, BY_KERNEL_TIME))

enum { TENSOR_COLUMNS(COL_ID, COL_ID) };
static const struct col tensor_cols[] = { TENSOR_COLUMNS(COL_ROW, ASK_ROW) };
#define NO_WORD(...)
#define WORD(key, heading, word, ...) word,
static const char *const key_names[N_LIST_KEYS] = { TENSOR_COLUMNS(NO_WORD, WORD) };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct tensor_list *list = context;
	uint32_t at = list->rows.at[row];
	const struct tensor *t = &list->run->tensors.at[at];

	switch (id) {
	TENSOR_COLUMNS(COL_CASE, ASK_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct tensor_list *list = context;
	uint32_t at = list->rows.at[row];
	const struct tensor *t = &list->run->tensors.at[at];
	struct str name = {0};

	put_name(&name, t);
	words_put_with(out, "pt", name.text);
	str_release(&name);
	if (list->device_names || !list->ops[at])
		words_put_with(out, " -D", list->run->devices.at[t->device].name);
}

static enum role role_of(void *context, uint64_t row, int id)
{
	const struct tensor_list *list = context;

	return id == COL_tensor && list->unreadable && list->unreadable[list->rows.at[row]]
	               ? ROLE_DAMAGED
	               : ROLE_PLAIN;
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

static void make_table(struct tensor_list *list)
{
	struct table *table = list->table = TABLE_OF(list->doc, tensor_cols, get_cell, list);

	table->list = table->heads_nothing = true;
	table->name = COL_tensor;
	table->link = put_link;
	table->role = role_of;
	head_times(list);
	if (!list->device_names)
		table_hide(table, COL_device);
	for (int id = COL_host_us; !list->times && id <= COL_kernel_us; id++) {
		table_hide(table, id);
		table_col(table, id)->typed = 0;
	}
}

static void list_free(void *context)
{
	struct tensor_list *list = context;

	vec_release(&list->rows);
	arena_release(&list->mem);
	node_times_free(list->times);
	free(list->time_ranks[0]);
	free(list->time_ranks[1]);
	free(list);
}

/* The shortest ends of the device names, each from a "/" on, that all differ. */
static char **short_device_names(const struct run *run, struct arena *mem)
{
	char **names = arena_alloc(mem, run->devices.len * sizeof *names);
	size_t common = SIZE_MAX;

	for (size_t i = 0; i < run->devices.len; i++) {
		const char *first = run->devices.at[0].name, *name = run->devices.at[i].name;
		size_t n = 0;

		while (name[n] && name[n] == first[n])
			n++;
		if (i)
			common = n < common ? n : common;
	}
	for (size_t i = 0; i < run->devices.len; i++) {
		const char *name = run->devices.at[i].name;
		size_t from = run->devices.len > 1 ? common : 0;

		while (from && name[from] != '/')
			from--;
		names[i] = arena_copy(mem, name + from, strlen(name + from));
	}
	return names;
}

/* Is some node in the list from several devices? */
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
	list->hidden = shell->visit->hidden;
	list->ops = shell_tensor_ops(shell);
	list->ranks = shell->visit->tensor_ranks;
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

void tensor_list_measure(struct tensor_list *list)
{
	struct table *table;
	struct col *time;
	struct str text = {0};
	int width;

	if (list->run->devices.len > 1 && names_repeat(list))
		list->device_names = short_device_names(list->run, &list->mem);
	make_table(list);
	table = list->table;
	table->n_rows = list->rows.len;
	table_measure(table, 1, false);
	time = table_col(table, COL_time_us);
	time->width = (int)strlen(time->heading);
	if (list->rows.len)
		put_rel(list, &list->run->tensors.at[*vec_last(&list->rows)], &text);
	width = (int)text.len + 3;
	time->width = list->rows.len && width > time->width ? width : time->width;
	for (size_t i = 0; i + 1 < table->n_shown; i++)
		table->cols[i].width = -(table->cols[i].width + 1);
	str_release(&text);
}

/* Name and slot compared as one text: "a:10" comes before "a:2". */
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

struct sorting {
	const struct tensor_list *list;
	enum sort_key key;
};

static int compare_keys(const void *a, const void *b, void *context)
{
	const struct sorting *by = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct tensor *t = &by->list->run->tensors.at[i], *u = &by->list->run->tensors.at[k];

	switch (by->key) {
	case BY_TIMESTAMP:
		return (t->time_us > u->time_us) - (t->time_us < u->time_us);
	case BY_DUMP_SIZE:
		return (t->size_bytes > u->size_bytes) - (t->size_bytes < u->size_bytes);
	case BY_OP_TYPE:
		return strcmp(op_of(by->list, i), op_of(by->list, k));
	case BY_HOST_TIME:
	case BY_KERNEL_TIME: {
		int64_t a_ns = time_of(by->list, i, by->key), b_ns = time_of(by->list, k, by->key);

		return (a_ns > b_ns) - (a_ns < b_ns);
	}
	default:
		return compare_names(t, u);
	}
}

/* All tensors, those of a node together, nodes as they were found: nearly in order of name. */
static void list_by_node(const struct run *run, uint32_t *order)
{
	for (uint32_t node = 0; node < run->nodes.len; node++) {
		size_t n;
		const uint32_t *at = run_node_tensors(run, node, &n);

		memcpy(order, at, n * sizeof *at);
		order += n;
	}
}

/* Another step has other times, so their ranks belong to the list. */
static uint32_t **ranks_by(struct tensor_list *list, enum sort_key key)
{
	return key < N_SORT_KEYS ? &list->ranks[key] : &list->time_ranks[key - N_SORT_KEYS];
}

/* The rank of each tensor of the run by a key, from 0; equal ones share one. Once for each key. */
static void find_ranks(struct tensor_list *list, enum sort_key key)
{
	struct sorting by = { list, key };
	uint32_t n = (uint32_t)list->run->tensors.len, rank = 0;
	uint32_t *order, *ranks;

	if (*ranks_by(list, key))
		return;
	order = mem_alloc(n * sizeof *order);
	ranks = *ranks_by(list, key) = mem_alloc(n * sizeof *ranks);
	list_by_node(list->run, order);
	qsort_r(order, n, sizeof *order, compare_keys, &by);
	for (uint32_t i = 0; i < n; i++) {
		rank += i && compare_keys(&order[i - 1], &order[i], &by);
		ranks[order[i]] = rank;
	}
	free(order);
}

static size_t rank_of(struct tensor_list *list, uint32_t at, enum sort_key key, bool reverse)
{
	uint32_t rank = (*ranks_by(list, key))[at];

	return reverse ? list->run->tensors.len - 1 - rank : rank;
}

/* Deals the rows out to their ranks: equal ones keep their order in either direction. */
void tensor_list_sort(struct tensor_list *list, enum sort_key key, bool reverse)
{
	size_t n = list->run->tensors.len, n_rows = list->rows.len;
	uint32_t *next = mem_alloc((n + 1) * sizeof *next);  /* by rank: where its next row goes */
	uint32_t *sorted = mem_alloc(n_rows * sizeof *sorted);

	find_ranks(list, key);
	for (size_t i = 0; i < n_rows; i++)
		next[rank_of(list, list->rows.at[i], key, reverse) + 1]++;
	for (size_t rank = 0; rank < n; rank++)
		next[rank + 1] += next[rank];
	for (size_t i = 0; i < n_rows; i++)
		sorted[next[rank_of(list, list->rows.at[i], key, reverse)]++] = list->rows.at[i];
	vec_release(&list->rows);
	list->rows.at = sorted;
	list->rows.len = list->rows.cap = n_rows;
	free(next);
}

void tensor_list_put(struct call *call, struct tensor_list *list, const char *base,
                     enum sort_key key, bool reverse)
{
	struct table *table = list->table;

	table->n_rows = list->rows.len;
	table->sort_line = arena_copy(&list->mem, base, strlen(base));
	table->sorted = key_names[key];
	table->reverse = reverse;
	table_put_list(call, table);
}

bool sort_key_parse(const char *word, enum sort_key *key, struct err *err)
{
	for (*key = 0; *key < N_LIST_KEYS; ++*key)
		if (!strcmp(word, key_names[*key]))
			return true;
	return err_at(err, ERR_VALUE, "command", 0, "Unsupported key to sort tensors by: %s", word);
}
