#include "cmds/tensor/tensor_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/session/dumps.h"
#include "dump/base/mem.h"

static const char *const key_names[N_LIST_KEYS] = {
	"timestamp", "dump_size", "op_type", "tensor_name", "host_time", "kernel_time",
};
static const char *const headings[N_LIST_KEYS] = {
	"t (ms)", "Size (B)", "Op type", "Tensor name", "Host (us)", "Kernel (us)",
};

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

/* "Host (us)"; the unit that all times are in takes the place of the column's own. */
static void put_heading(const struct tensor_list *list, enum sort_key key, struct str *out)
{
	bool is_time = key == BY_TIMESTAMP || key >= N_SORT_KEYS;

	if (is_time && list->unit)
		str_fmt(out, "%.*s(%s)", (int)strcspn(headings[key], "("), headings[key], list->unit);
	else
		str_puts(out, headings[key]);
}

/* A time since the first dump, to the microsecond. */
static void put_rel(const struct tensor_list *list, const struct tensor *t, struct str *out)
{
	int64_t us = t->time_us - list->run->t0_us;

	if (list->unit && !strcmp(list->unit, "us"))
		str_int(out, us);
	else if (list->unit && !strcmp(list->unit, "s"))
		str_fmt(out, "%.6f", (double)us / 1e6);
	else
		put_rel_ms(out, t->time_us, list->run->t0_us);
}

/* A time of a node, to the nanosecond. */
static void put_time_of(const struct tensor_list *list, int64_t ns, struct str *out)
{
	if (ns < 0)
		str_putc(out, '-');
	else if (list->unit && !strcmp(list->unit, "s"))
		str_fmt(out, "%" PRId64 ".%09d", ns / 1000000000, (int)(ns % 1000000000));
	else if (list->unit && !strcmp(list->unit, "ms"))
		str_fmt(out, "%" PRId64 ".%06d", ns / 1000000, (int)(ns % 1000000));
	else
		str_fmt(out, "%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
}

/* Padded to the column's width; a longer cell shifts the rest of its row. */
static void put_cell(struct line *line, size_t begin, size_t width)
{
	size_t len = line->text.len - begin;

	str_fill(&line->text, ' ', len < width ? width - len : 0);
}

static uint64_t list_rows(struct body *body)
{
	return ((struct tensor_list *)body)->rows.len;
}

static void put_tensor_name(const struct tensor_list *list, uint32_t at, struct line *line)
{
	const struct tensor *t = &list->run->tensors.at[at];
	size_t begin = line->text.len;
	struct str command = {0}, name = {0};

	put_name(&name, t);
	str_put(&line->text, name.text, name.len);
	words_put_with(&command, "pt", name.text);
	str_release(&name);
	if (list->device_names || !list->ops[at]) {
		words_put_with(&command, " -D", list->run->devices.at[t->device].name);
	}
	line_mark_link(line, list->unreadable && list->unreadable[at] ? ROLE_DAMAGED : ROLE_PLAIN,
	               begin, line->text.len, command.text);
	str_release(&command);
	if (list->device_names || list->times)
		put_cell(line, begin, list->width[BY_TENSOR_NAME]);
	begin = line->text.len;
	if (list->device_names)
		str_puts(&line->text, list->device_names[t->device]);
	if (list->device_names && list->times)
		put_cell(line, begin, list->device_width);
}

static void put_times(const struct tensor_list *list, uint32_t at, struct line *line)
{
	size_t begin = line->text.len;

	put_time_of(list, time_of(list, at, BY_HOST_TIME), &line->text);
	put_cell(line, begin, list->width[BY_HOST_TIME]);
	put_time_of(list, time_of(list, at, BY_KERNEL_TIME), &line->text);
}

static bool list_line(struct body *body, uint64_t row, int width, struct line *line, struct err *err)
{
	const struct tensor_list *list = (const struct tensor_list *)body;
	uint32_t at = list->rows.at[row];
	const struct tensor *t = &list->run->tensors.at[at];
	size_t begin;

	(void)width, (void)err;
	str_putc(&line->text, '[');
	put_rel(list, t, &line->text);
	str_putc(&line->text, ']');
	put_cell(line, 0, list->width[0]);
	begin = line->text.len;
	put_size(&line->text, t->size_bytes);
	put_cell(line, begin, list->width[1]);
	begin = line->text.len;
	str_puts(&line->text, op_of(list, at));
	put_cell(line, begin, list->width[2]);
	put_tensor_name(list, at, line);
	if (list->times)
		put_times(list, at, line);
	return true;
}

/* As a table. */

enum { COLUMN_TIME, COLUMN_SIZE, COLUMN_OP, COLUMN_TENSOR, COLUMN_DEVICE, COLUMN_HOST, COLUMN_KERNEL, N_COLUMNS };
static const struct column columns[N_COLUMNS] = {
	[COLUMN_TIME] = { "time_us", "t (ms)", COLUMN_NUMBER },
	[COLUMN_SIZE] = { "size_bytes", "Size (B)", COLUMN_NUMBER },
	[COLUMN_OP] = { "op", "Op type", COLUMN_TEXT },
	[COLUMN_TENSOR] = { "tensor", "Tensor name", COLUMN_TEXT },
	[COLUMN_DEVICE] = { "device", "Device", COLUMN_TEXT },
	[COLUMN_HOST] = { "host_us", "Host (us)", COLUMN_NUMBER },
	[COLUMN_KERNEL] = { "kernel_us", "Kernel (us)", COLUMN_NUMBER },
};

static const struct column *list_columns(struct body *body, size_t *n)
{
	struct tensor_list *list = (struct tensor_list *)body;

	*n = list->n_columns;
	return list->columns;
}

/* As the head line has it. */
static const char *heading_of(struct tensor_list *list, int column)
{
	static const enum sort_key times[N_COLUMNS] = { [COLUMN_HOST] = BY_HOST_TIME,
	                                                [COLUMN_KERNEL] = BY_KERNEL_TIME };
	struct str text = {0};
	const char *heading = columns[column].heading;

	if (list->unit && (column == COLUMN_TIME || times[column])) {
		put_heading(list, times[column], &text);
		heading = arena_copy(&list->mem, text.text, text.len);
	}
	str_release(&text);
	return heading;
}

static void choose_columns(struct tensor_list *list)
{
	list->n_columns = 0;
	for (int id = 0; id < N_COLUMNS; id++) {
		if ((id == COLUMN_DEVICE && !list->device_names) || (id > COLUMN_DEVICE && !list->times))
			continue;
		list->columns[list->n_columns] = columns[id];
		list->columns[list->n_columns].heading = heading_of(list, id);
		list->ids[list->n_columns++] = id;
	}
}

static bool list_cell(struct body *body, uint64_t row, size_t column, struct table_cell *out, struct err *err)
{
	const struct tensor_list *list = (const struct tensor_list *)body;
	uint32_t at = list->rows.at[row];
	const struct tensor *t = &list->run->tensors.at[at];

	int64_t ns;

	(void)err;
	str_reset(&out->text);
	out->missing = false;
	switch (list->ids[column]) {
	case COLUMN_TIME:
		out->number = (double)(t->time_us - list->run->t0_us);
		break;
	case COLUMN_SIZE:
		out->number = (double)t->size_bytes;
		out->missing = t->size_bytes < 0;
		break;
	case COLUMN_OP:
		str_puts(&out->text, op_of(list, at));
		out->missing = !list->ops[at];
		break;
	case COLUMN_TENSOR:
		put_name(&out->text, t);
		break;
	case COLUMN_DEVICE:
		str_puts(&out->text, list->run->devices.at[t->device].name);
		break;
	default:
		ns = time_of(list, at, list->ids[column] == COLUMN_HOST ? BY_HOST_TIME : BY_KERNEL_TIME);
		out->number = (double)ns / 1000;
		out->missing = ns < 0;
		break;
	}
	return true;
}

void tensor_list_free(struct tensor_list *list)
{
	vec_release(&list->rows);
	arena_release(&list->mem);
	node_times_free(list->times);
	free(list->time_ranks[0]);
	free(list->time_ranks[1]);
	free(list);
}

static void list_free(struct body *body)
{
	tensor_list_free((struct tensor_list *)body);
}

static const struct body_kind list_kind = {
	.name = "table", .rows = list_rows, .line = list_line, .columns_of = list_columns, .cell_of = list_cell,
	.free = list_free,
};

/* The shortest ends of the device names, from a "/" on, that are all different. */
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
	int32_t *device_of = mem_alloc(run->nodes.len * sizeof *device_of);     /* + 1; 0: none yet */
	bool repeat = false;

	for (size_t i = 0; i < list->rows.len && !repeat; i++) {
		const struct tensor *t = &run->tensors.at[list->rows.at[i]];

		repeat = device_of[t->node_id] && device_of[t->node_id] != t->device + 1;
		device_of[t->node_id] = t->device + 1;
	}
	free(device_of);
	return repeat;
}

struct tensor_list *tensor_list_new(struct shell *shell)
{
	struct tensor_list *list = mem_alloc(sizeof *list);

	list->body.kind = &list_kind;
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
			if ((!by_device || list->run->tensors.at[i].device == d) && !(list->hidden && list->hidden[i]))
				vec_push(&list->rows, i);
}

static size_t max_of(size_t a, size_t b)
{
	return a > b ? a : b;
}

void tensor_list_measure(struct tensor_list *list)
{
	struct str text = {0};

	if (list->run->devices.len > 1 && names_repeat(list))
		list->device_names = short_device_names(list->run, &list->mem);
	choose_columns(list);
	for (int i = 0; i < N_LIST_KEYS; i++) {
		str_reset(&text);
		put_heading(list, i, &text);
		list->width[i] = text.len + 1;
	}
	list->device_width = sizeof "Device";
	if (list->rows.len) {
		str_reset(&text);
		put_rel(list, &list->run->tensors.at[*vec_last(&list->rows)], &text);
		list->width[0] = max_of(list->width[0], text.len + 4);
	}
	for (size_t i = 0; i < list->rows.len; i++) {
		const struct tensor *t = &list->run->tensors.at[list->rows.at[i]];

		str_reset(&text);
		put_size(&text, t->size_bytes);
		list->width[1] = max_of(list->width[1], text.len + 1);
		list->width[2] = max_of(list->width[2], strlen(op_of(list, list->rows.at[i])) + 1);
		if (!list->device_names && !list->times)
			continue;
		str_reset(&text);
		put_name(&text, t);
		list->width[BY_TENSOR_NAME] = max_of(list->width[BY_TENSOR_NAME], text.len + 1);
		if (list->device_names)
			list->device_width = max_of(list->device_width, strlen(list->device_names[t->device]) + 1);
		if (!list->times)
			continue;
		str_reset(&text);
		put_time_of(list, time_of(list, list->rows.at[i], BY_HOST_TIME), &text);
		list->width[BY_HOST_TIME] = max_of(list->width[BY_HOST_TIME], text.len + 1);
	}
	str_release(&text);
}

/* Name as text with its slot: "a:10" before "a:2". */
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
	return (int)(t->node[n] ? (unsigned char)t->node[n] : ':') - (int)(u->node[n] ? (unsigned char)u->node[n] : ':');
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

/* All tensors, those of a node together and nodes as they were found: nearly the order of their names. */
static void list_by_node(const struct run *run, uint32_t *order)
{
	for (uint32_t node = 0; node < run->nodes.len; node++) {
		size_t n;
		const uint32_t *at = run_node_tensors(run, node, &n);

		memcpy(order, at, n * sizeof *at);
		order += n;
	}
}

/* Times are another step's tomorrow: their ranks are the list's own. */
static uint32_t **ranks_by(struct tensor_list *list, enum sort_key key)
{
	return key < N_SORT_KEYS ? &list->ranks[key] : &list->time_ranks[key - N_SORT_KEYS];
}

/* Of each tensor of the run its rank by a key, from 0; equal ones share it. Done once for each key. */
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

/* The rows are dealt out to their ranks: equal ones keep their order, in either direction. */
void tensor_list_sort(struct tensor_list *list, enum sort_key key, bool reverse)
{
	size_t n = list->run->tensors.len, n_rows = list->rows.len;
	uint32_t *next = mem_alloc((n + 1) * sizeof *next);      /* of each rank: where its next row goes */
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

void tensor_list_headings(const struct tensor_list *list, struct doc *doc, const char *base, enum sort_key key,
                          bool reverse)
{
	struct line *line = doc_open_line(doc);
	struct str heading = {0};

	for (int i = 0; i < (list->times ? N_LIST_KEYS : N_SORT_KEYS); i++) {
		size_t begin = line->text.len;

		str_reset(&heading);
		put_heading(list, i, &heading);
		line_link(line, ROLE_STRONG, heading.text, "%s -s %s%s", base, key_names[i],
		          (int)key == i && !reverse ? " -r" : "");
		if (i < BY_TENSOR_NAME || (i == BY_TENSOR_NAME && list->device_names) || (list->times && i < BY_KERNEL_TIME))
			put_cell(line, begin, list->width[i]);
		begin = line->text.len;
		if (i == BY_TENSOR_NAME && list->device_names)
			line_put(line, ROLE_STRONG, "Device", strlen("Device"));
		if (i == BY_TENSOR_NAME && list->device_names && list->times)
			put_cell(line, begin, list->device_width);
	}
	str_release(&heading);
	doc_newline(doc);
}

static void put_time_data(const struct tensor_list *list, uint32_t at, struct data *data)
{
	int64_t host_ns = time_of(list, at, BY_HOST_TIME), kernel_ns = time_of(list, at, BY_KERNEL_TIME);

	data_key(data, "host_us");
	data_us_or_null(data, host_ns >= 0, host_ns);
	data_key(data, "kernel_us");
	data_us_or_null(data, kernel_ns >= 0, kernel_ns);
}

#define STEP_EVERY 4096

bool tensor_list_put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct tensor_list *list = context;

	data_rows(data, list->times ? TENSOR_KEYS ",op,device,host_us,kernel_us" : TENSOR_KEYS ",op,device");
	for (size_t i = 0; i < list->rows.len; i++) {
		const struct tensor *t = &list->run->tensors.at[list->rows.at[i]];

		if (!(i % STEP_EVERY) && !progress_step(progress, i, list->rows.len))
			return err_at(err, ERR_CANCELLED, "command", 0, "stopped");
		data_object(data);
		tensor_put_data(list->run, t, data);
		data_key(data, "op");
		data_str(data, list->ops[list->rows.at[i]]);
		data_key(data, "device");
		data_str(data, list->run->devices.at[t->device].name);
		if (list->times)
			put_time_data(list, list->rows.at[i], data);
		data_end(data);
	}
	data_end(data);
	return true;
}

bool sort_key_parse(const char *word, enum sort_key *key, struct err *err)
{
	for (*key = 0; *key < N_LIST_KEYS; ++*key)
		if (!strcmp(word, key_names[*key]))
			return true;
	return err_at(err, ERR_VALUE, "command", 0, "Unsupported key to sort tensors by: %s", word);
}
